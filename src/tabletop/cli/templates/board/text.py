"""The text of a position, for terminals."""

from __future__ import annotations

from collections.abc import Sequence

from tabletop import ALL, Watcher
from tabletop.display import TextView

from .rules import GRID, Position

MARKS = "xo"


class Text(TextView[Position]):
    """The board with a letter for each column."""

    def position(
        self, view: Position, names: Sequence[str], seat: Watcher = ALL
    ) -> str:
        stones = (view.stones.get(place) for place in GRID.names)
        return GRID.diagram(["." if it is None else MARKS[it] for it in stones])
