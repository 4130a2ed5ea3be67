"""The texts of positions and events, for terminals."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from tabletop import ALL, Watcher
from tabletop.display import TextView

from .rules import Position


class Text(TextView[Position]):
    """The points in words. `verbs` contains the phrases of the log."""

    verbs: ClassVar = {"roll": "", "hold": "holds", "Rolled": "rolls {faces}"}

    def position(
        self, view: Position, names: Sequence[str], seat: Watcher = ALL
    ) -> str:
        scores = zip(names, view.points, strict=True)
        points = ", ".join(f"{name} {score}" for name, score in scores)
        return f"Points: {points}. In this turn: {view.turn}."
