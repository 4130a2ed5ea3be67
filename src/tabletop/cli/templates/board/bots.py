"""A bot. Search bots such as `fair` need no code."""

from __future__ import annotations

from collections.abc import Sequence

from tabletop import Stream

from .rules import LINES, Position


class Builder:
    """Plays on the longest lines that only one player has begun."""

    def __init__(self, stream: Stream) -> None:
        self.stream = stream

    def choose(self, view: Position, actions: Sequence[str]) -> str:
        values = [worth(view, place) for place in actions]
        rated = zip(actions, values, strict=True)
        best = [place for place, value in rated if value == max(values)]
        return self.stream.choice(best)


def worth(view: Position, place: str) -> int:
    """Rate the lines through a place."""
    through = (line for line in LINES if place in line)
    stones = [[*filter(view.stones.__contains__, line)] for line in through]
    owners = [[view.stones[place] for place in line] for line in stones]
    return sum(10 ** len(line) for line in owners if len({*line}) < 2)
