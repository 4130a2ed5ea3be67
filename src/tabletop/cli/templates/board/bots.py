"""A bot. Search bots such as `fair` need no code."""

from __future__ import annotations

from collections.abc import Sequence

from tabletop import Stream

from .rules import LINES, Position


class Expert:
    """Plays on the longest lines that only one player has begun."""

    def __init__(self, stream: Stream) -> None:
        self.stream = stream

    def choose(self, view: Position, actions: Sequence[str]) -> str:
        values = {place: worth(view, place) for place in actions}
        best = max(values.values())
        return self.stream.choice([it for it in actions if values[it] == best])


def worth(view: Position, place: str) -> int:
    """Rate the lines through a place."""
    stones = view.stones
    lines = (
        [stones[it] for it in line if it in stones] for line in LINES if place in line
    )
    return sum(10 ** len(line) for line in lines if len({*line}) < 2)
