"""The texts of positions and events, for terminals."""

from __future__ import annotations

from collections.abc import Sequence

from tabletop import ALL, Event, Watcher
from tabletop.display import TextView

from .rules import Position, Rolled


class Text(TextView[Position]):
    """The points in words, and a line per event."""

    def position(
        self, view: Position, names: Sequence[str], seat: Watcher = ALL
    ) -> str:
        scores = zip(names, view.points, strict=True)
        points = ", ".join(f"{name} {score}" for name, score in scores)
        return f"Points: {points}. In this turn: {view.turn}."

    def event(self, event: Event, names: Sequence[str], seat: Watcher = ALL) -> str:
        if isinstance(event, Rolled):
            first, second = event.faces
            lost = " and loses the turn" if first == second else ""
            return f"{names[event.seat]} rolls {first} and {second}{lost}."
        return super().event(event, names, seat)
