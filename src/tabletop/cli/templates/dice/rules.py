"""The rules.

Two to four players roll two dice as often as they dare. The first
player with fifty points wins.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field
from typing import Annotated

from tabletop import (
    Event,
    Game,
    Options,
    Outcome,
    Seat,
    State,
    Streams,
    Table,
    event,
    state,
)
from tabletop.parts.dice import dice
from tabletop.states import PER_SEAT, UNOBSERVED, Range

GOAL = 50
TWO = dice("2d6")
ROLL, HOLD = "roll", "hold"
Points = Annotated[int, Range(0, 1000)]


@event
class Rolled(Event):
    """A seat has rolled two dice. Equal dice end its turn."""

    seat: Seat
    faces: list[int]


@state
class Position(State):
    """The points of each seat and of this turn, and the last roll."""

    points: Annotated[list[Points], PER_SEAT]
    seat: Seat = 0
    turn: Points = 0
    faces: Annotated[list[int], UNOBSERVED] = field(default_factory=list[int])


class Rules(Game[Position, str]):
    """An action is `roll` or `hold`."""

    name = "my-game"
    title = "My game"
    seats = range(2, 5)

    def setup(self, options: Options, seats: int, rng: Streams) -> Position:
        return Position([0] * seats)

    def to_act(self, state: Position) -> Sequence[Seat]:
        return () if max(state.points) >= GOAL else (state.seat,)

    def legal_actions(self, state: Position, seat: Seat) -> Sequence[str]:
        return (ROLL, HOLD) if state.turn else (ROLL,)

    def all_actions(self, options: Options, seats: int) -> Sequence[str]:
        return (ROLL, HOLD)

    def why_not(self, state: Position, action: str) -> str:
        if action == HOLD:
            return "there are no points to hold yet (roll first)"
        return f"{action} is not an action (roll or hold)"

    def apply(self, state: Position, action: str, table: Table) -> None:
        if action == HOLD:
            state.points[state.seat] += state.turn
            next_turn(state)
            return
        state.faces = TWO.faces(table.rng["dice"])
        table.emit(Rolled(state.seat, state.faces.copy()))
        state.turn += sum(state.faces)
        if state.faces[0] == state.faces[1]:
            next_turn(state)

    def outcome(self, state: Position) -> Outcome | None:
        if self.to_act(state):
            return None
        return Outcome.by_score(state.points)


def next_turn(state: Position) -> None:
    state.turn = 0
    state.seat = (state.seat + 1) % len(state.points)
