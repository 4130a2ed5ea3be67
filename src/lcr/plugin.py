"""The game of LCR together with its texts, pictures, rulebook and metrics."""

from pathlib import Path

from lcr.lessons import lessons
from lcr.rules.game import Lcr
from lcr.text import LcrText
from tabletop import Plugin

GAME = Lcr()
"""The rules of the document."""

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
