"""Rope: all pull together, five times in a row; a pull is a point, a rest is none."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from tabletop import Game, Options, Outcome, Plugin, Seat, State, Streams, Table, state
from tabletop.states import Range

TURNS = 5


@state
class Rope(State):
    pulled: Annotated[int, Range(0, TURNS)]
    turn: Annotated[int, Range(0, TURNS)]
    seats: Annotated[int, Range(1, 4)]


class Pulling(Game[Rope, str]):
    name = "rope"
    seats = range(1, 5)
    cooperative = True

    def setup(self, options: Options, seats: int, rng: Streams) -> Rope:
        return Rope(0, 0, seats)

    def to_act(self, state: Rope) -> Sequence[Seat]:
        return (state.turn % state.seats,) if state.turn < TURNS else ()

    def legal_actions(self, state: Rope, seat: Seat) -> Sequence[str]:
        return ("rest", "pull")

    def all_actions(self, options: Options, seats: int) -> Sequence[str]:
        return ("rest", "pull")

    def apply(self, state: Rope, action: str, table: Table) -> None:
        state.turn += 1
        state.pulled += action == "pull"

    def outcome(self, state: Rope) -> Outcome | None:
        if self.to_act(state):
            return None
        return Outcome.together(state.pulled, state.seats, best=TURNS)


GAME = Pulling()
PLUGIN = Plugin(GAME)
