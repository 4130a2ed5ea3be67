"""Heap: take one to three of 21 stones. The last stone wins."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from tabletop import (
    Game,
    Options,
    Outcome,
    Seat,
    State,
    Streams,
    Table,
    state,
)
from tabletop.states import OneOf


@state
class Heap(State):
    """The remaining stones, and the seat to act."""

    stones: Annotated[int, OneOf(range(22))] = 21
    seat: Seat = 0


class TakeStones(Game[Heap, int]):
    """An action is the number of stones to take."""

    name = "heap"
    version = "1"

    def setup(self, options: Options, seats: int, rng: Streams) -> Heap:
        return Heap()

    def to_act(self, state: Heap) -> Sequence[Seat]:
        return (state.seat,) if state.stones else ()

    def legal_actions(self, state: Heap, seat: Seat) -> Sequence[int]:
        return [n for n in (1, 2, 3) if n <= state.stones]

    def all_actions(
        self, options: Options, seats: int
    ) -> Sequence[int]:
        return (1, 2, 3)

    def apply(self, state: Heap, action: int, table: Table) -> None:
        state.stones -= action
        state.seat = 1 - state.seat

    def outcome(self, state: Heap) -> Outcome | None:
        if state.stones:
            return None
        return Outcome.win(1 - state.seat, 2, "took the last one")


GAME = TakeStones()
