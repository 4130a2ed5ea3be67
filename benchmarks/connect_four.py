"""Connect Four with the rules of PettingZoo's `connect_four_v3`, for comparing environments."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Annotated, Final

from tabletop import Game, Options, Outcome, Plugin, Seat, State, Streams, Table, state
from tabletop.parts.board import square
from tabletop.states import FIXED, Range, SeatOr

ROWS: Final = 6
COLUMNS: Final = 7
FREE: Final = -1
Cell = Annotated[int, SeatOr(FREE)]

LINES: Final = square(ROWS, COLUMNS, diagonal=True).lines(4)
OTHERS: Final = tuple(
    tuple(tuple(other for other in line if other != cell) for line in LINES if cell in line)
    for cell in range(ROWS * COLUMNS)
)
"""For each cell, row by row from the top, the other three cells of every line through it."""


@dataclass(frozen=True, slots=True)
class Drop:
    """Drop a disc into a column, 0 to 6. Players type 1 to 7."""

    column: int

    def __str__(self) -> str:
        return str(self.column + 1)


DROPS: Final = tuple(Drop(column) for column in range(COLUMNS))


@state
class Discs(State):
    """The cells row by row from the top, the seat to act, and the winner."""

    cells: Annotated[list[Cell], FIXED] = field(default_factory=lambda: [FREE] * (ROWS * COLUMNS))
    turn: Seat = 0
    winner: Seat | None = None
    free: Annotated[int, Range(0, ROWS * COLUMNS)] = ROWS * COLUMNS


class ConnectFour(Game[Discs, Drop]):
    """Connect Four: a line of four wins."""

    name = "connect-four"

    def setup(self, options: Options, seats: int, rng: Streams) -> Discs:
        return Discs()

    def to_act(self, state: Discs) -> Sequence[Seat]:
        return (state.turn,) if state.winner is None and state.free else ()

    def legal_actions(self, state: Discs, seat: Seat) -> Sequence[Drop]:
        cells = state.cells
        return [drop for drop in DROPS if cells[drop.column] == FREE]

    def all_actions(self, options: Options, seats: int) -> Sequence[Drop]:
        return DROPS

    def apply(self, state: Discs, action: Drop, table: Table) -> None:
        cells, seat = state.cells, state.turn
        cell = action.column + COLUMNS * (ROWS - 1)
        while cells[cell] != FREE:
            cell -= COLUMNS
        cells[cell] = seat
        state.free -= 1
        state.turn = 1 - seat
        for a, b, c in OTHERS[cell]:
            if cells[a] == seat == cells[b] and cells[c] == seat:
                state.winner = seat

    def outcome(self, state: Discs) -> Outcome | None:
        if state.winner is not None:
            return Outcome.win(state.winner, 2, "four in a row")
        return None if state.free else Outcome.draw(2, "the board is full")


PLUGIN = Plugin(ConnectFour())
