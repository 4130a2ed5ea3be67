"""The picture of a position, for browsers and replay pages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tabletop.display import BoardPicture, Piece, squares

from .rules import GRID, Position


class Drawing(BoardPicture[Position]):
    """A board of squares with stones. Free squares can be clicked."""

    board = squares(GRID)

    def pieces(self, view: Position) -> Mapping[str, Sequence[Piece]]:
        stones = view.stones.items()
        return {place: [Piece(seat)] for place, seat in stones}
