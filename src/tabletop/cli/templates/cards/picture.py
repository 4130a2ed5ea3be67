"""The picture of a position, for browsers and replay pages."""

from __future__ import annotations

from tabletop import Seat
from tabletop.display import CardTable
from tabletop.wording import plural

from .rules import Position, tricks


class Drawing(CardTable[Position]):
    """A table with its seats. The cards of a hand can be clicked."""

    def status(self, view: Position, seat: Seat) -> str:
        return plural(tricks(view, seat), "trick")
