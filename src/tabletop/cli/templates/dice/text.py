"""How a match reads at a terminal."""

from __future__ import annotations

from collections.abc import Sequence

from tabletop import ALL, Event, Watcher
from tabletop.display import TextView

from .rules import Position, Rolled


class Text(TextView[Position]):
    """How a position and what happens read at a terminal."""

    def position(
        self, view: Position, names: Sequence[str], seat: Watcher = ALL
    ) -> str:
        own = zip(names, view.points, strict=True)
        points = ", ".join(f"{name} {it}" for name, it in own)
        return f"Points: {points}. In this turn: {view.turn}."

    def event(self, event: Event, names: Sequence[str], seat: Watcher = ALL) -> str:
        if isinstance(event, Rolled):
            one, two = event.faces
            lost = ": the turn is lost" if one == two else ""
            return f"{names[event.seat]} rolls {one} and {two}{lost}."
        return super().event(event, names, seat)
