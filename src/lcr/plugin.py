"""The game of LCR together with its texts, pictures, rulebook and metrics."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from lcr.rules.game import Lcr
from lcr.rules.state import LcrState, Roll
from lcr.text import LcrText
from tabletop import Plugin, Seat

GAME = Lcr()
"""The rules of the document."""


def lessons(view: LcrState, seat: Seat, actions: Sequence[Roll]) -> Iterator[str]:
    """Yield the sentences of the tutorial."""
    yield "Click Roll: you roll one die for each of your chips, but at most three."
    yield "A dot keeps a chip. L and R pass a chip to a neighbour, and C puts one into the pot."
    yield "Chips in the pot stay there. Without chips, you wait until a neighbour passes one."
    yield "The last player with chips wins."


PLUGIN = Plugin(
    GAME,
    text=LcrText(),
    picture="lcr.picture:LcrPicture",
    rulebook=Path(__file__).with_name("data") / "rules.md",
    summary="Dice move chips to the left, to the right or into the pot, and the last player "
    "with chips wins.",
    minutes=5,
    lessons=lessons,
    levels={},  # players have no choices, so all bots are equal
    metrics="lcr.metrics:METRICS",
)
"""The game together with its texts, pictures, rulebook and metrics."""
