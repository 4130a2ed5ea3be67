"""Connect Four optimized for speed: a board is two integers.

Searches are measured with it. `connect_four` has cells instead, which learning environments need.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from tabletop import Game, Options, Outcome, Seat, State, Streams, Table, state

COLUMNS, ROWS = 7, 6
HEIGHT = ROWS + 1
"""Bits per column. The top bit is always empty, so that no line continues in the next column."""


@dataclass(frozen=True, slots=True)
class Drop:
    """Drop a stone into a column, 0 to 6. Players type 1 to 7."""

    column: int

    def __str__(self) -> str:
        return str(self.column + 1)


DROPS = tuple(Drop(column) for column in range(COLUMNS))
BOTTOMS = tuple(1 << column * HEIGHT for column in range(COLUMNS))
COLUMN_CELLS = tuple((1 << ROWS) - 1 << column * HEIGHT for column in range(COLUMNS))
TOPS = sum(bottom << ROWS - 1 for bottom in BOTTOMS)
ALL_CELLS = sum(COLUMN_CELLS)


@state
class Stones(State):
    """The stones of each seat as bits, and the seat to act."""

    own: int = 0  # stones of the seat to act
    others: int = 0
    seat: Seat = 0
    is_won: bool = False


@cache  # at most 128 entries
def drops_below(tops: int) -> Sequence[Drop]:
    """Return the drops into all columns whose top bit is not set."""
    return tuple(drop for drop in DROPS if not tops & BOTTOMS[drop.column] << ROWS - 1)


class ConnectFour(Game[Stones, Drop]):
    """Connect Four: a line of four wins, vertically, horizontally or diagonally."""

    name = "connect-four"

    def setup(self, options: Options, seats: int, rng: Streams) -> Stones:
        """Return the empty board."""
        return Stones()

    def to_act(self, state: Stones) -> Sequence[Seat]:
        """Return the seat to act, or no seat at the end."""
        is_over = state.is_won or state.own | state.others == ALL_CELLS
        return () if is_over else (state.seat,)

    def legal_actions(self, state: Stones, seat: Seat) -> Sequence[Drop]:
        """Return a drop into each column that is not full."""
        return drops_below((state.own | state.others) & TOPS)

    def all_actions(self, options: Options, seats: int) -> Sequence[Drop]:
        """Return a drop into each column."""
        return DROPS

    def apply(self, state: Stones, action: Drop, table: Table) -> None:
        """Drop a stone, and check for a line of four."""
        taken, column = state.own | state.others, action.column
        own = state.own | (taken + BOTTOMS[column] & COLUMN_CELLS[column])
        state.own, state.others, state.seat = state.others, own, 1 - state.seat
        for step in (1, HEIGHT - 1, HEIGHT, HEIGHT + 1):
            pairs = own & own >> step
            if pairs & pairs >> 2 * step:
                state.is_won = True
                return

    def outcome(self, state: Stones) -> Outcome | None:
        """Return the winner, or a draw if the board is full."""
        if state.is_won:
            return Outcome.win(1 - state.seat, 2, "four in a row")
        is_full = state.own | state.others == ALL_CELLS
        return Outcome.draw(2, "the board is full") if is_full else None


GAME = ConnectFour()
