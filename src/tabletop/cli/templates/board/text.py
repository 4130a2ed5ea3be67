"""The text of a position, for terminals."""

from __future__ import annotations

from collections.abc import Sequence

from tabletop import ALL, Watcher
from tabletop.display import TextView

from .rules import COLUMNS, ROWS, Position

MARKS = "xo"


class Text(TextView[Position]):
    """The board with a letter for each column."""

    def position(
        self, view: Position, names: Sequence[str], seat: Watcher = ALL
    ) -> str:
        rows: list[str] = []
        for row in range(ROWS, 0, -1):
            stones = [view.stones.get(f"{name}{row}") for name in COLUMNS]
            marks = ["." if it is None else MARKS[it] for it in stones]
            rows.append(f"{row} {' '.join(marks)}")
        return "\n".join([*rows, f"  {' '.join(COLUMNS)}"])
