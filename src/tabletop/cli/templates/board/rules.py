"""The rules.

Two players place stones on a board of six by six squares. The first
player with four in a row wins.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from tabletop import Game, Options, Outcome, Seat, State, Streams, Table, state
from tabletop.parts.board import square
from tabletop.states import OneOf

GRID = square(6, 6, diagonal=True)
LINES = [[GRID.names[cell] for cell in line] for line in GRID.lines(4)]


@state
class Position(State):
    """The seat that owns each stone, by place, and the seat to act.

    `OneOf` declares the possible values for learning environments.
    """

    stones: dict[Annotated[str, OneOf(GRID.names)], Seat]
    seat: Seat = 0
    winner: Seat | None = None


class Rules(Game[Position, str]):
    """An action is the place of a new stone, such as `c4`."""

    name = "my-game"
    title = "My game"
    seats = range(2, 3)

    def setup(self, options: Options, seats: int, rng: Streams) -> Position:
        return Position({})

    def to_act(self, state: Position) -> Sequence[Seat]:
        full = len(state.stones) == len(GRID.names)
        return () if full or state.winner is not None else (state.seat,)

    def legal_actions(self, state: Position, seat: Seat) -> Sequence[str]:
        return [place for place in GRID.names if place not in state.stones]

    def all_actions(self, options: Options, seats: int) -> Sequence[str]:
        return GRID.names

    def why_not(self, state: Position, action: str) -> str:
        if action in state.stones:
            return f"{action} is occupied"
        return f"there is no place {action} (places are a1 to f6)"

    def apply(self, state: Position, action: str, table: Table) -> None:
        stones, seat = state.stones, state.seat
        stones[action] = seat
        through = (line for line in LINES if action in line)
        if any(all(stones.get(place) == seat for place in line) for line in through):
            state.winner = seat
        state.seat = 1 - seat

    def outcome(self, state: Position) -> Outcome | None:
        if state.winner is not None:
            return Outcome.win(state.winner, 2, "four in a row")
        if self.to_act(state):
            return None
        return Outcome.draw(2, "the board is full")
