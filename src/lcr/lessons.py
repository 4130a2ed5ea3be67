"""The tutorial of LCR."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from lcr.rules.state import LcrState, Roll
from tabletop import Seat


def lessons(view: LcrState, seat: Seat, actions: Sequence[Roll]) -> Iterator[str]:
    """Yield the sentences of the tutorial."""
    yield "Click Roll: you roll one die for each of your chips, but at most three."
    yield "A dot keeps a chip. L and R pass a chip to a neighbour, and C puts one into the pot."
    yield "Chips in the pot stay there. Without chips, you wait until a neighbour passes one."
    yield "The last player with chips wins."
