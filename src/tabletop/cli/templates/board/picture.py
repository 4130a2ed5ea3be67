"""How a match looks, in a browser and in films."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tabletop.display import BoardPicture, Piece, squares

from .rules import COLUMNS, ROWS, Position


class Drawing(BoardPicture[Position]):
    """A board of squares with stones; a free square can be clicked."""

    board = squares(COLUMNS, ROWS)

    def pieces(self, view: Position) -> Mapping[str, Sequence[Piece]]:
        return {it: [Piece(own)] for it, own in view.stones.items()}
