"""A dice race: every seat has dice of its own, the wind blows for all, and a start is drawn."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from typing_extensions import override

from tabletop import (
    ContractError,
    Event,
    Game,
    Option,
    Options,
    Outcome,
    Plugin,
    Seat,
    State,
    Streams,
    Table,
    event,
    state,
)

PACES = ("walk", "run")
GOAL = Option("goal", 40, "How far it is", low=1, high=10_000)
START = Option("start", "anywhere", "Where to start", choices=("anywhere", "line"))


@event
class Moved(Event):
    """A seat has gone forward, or back."""

    seat: Seat
    steps: int


@state
class Track(State):
    """Where every seat is, who goes next, and how far it is."""

    places: list[int]
    turn: Seat
    goal: int
    won: bool = False


class Race(Game[Track, str]):
    """Walk with one die, or run with two against the wind. The first to reach the goal wins."""

    name = "race"
    title = "The dice race"
    seats = range(1, 7)
    options = (GOAL, START)

    def setup(self, options: Options, seats: int, rng: Streams) -> Track:
        goal = GOAL.of(options)
        if START.of(options) == "line":
            return Track([0] * seats, 0, goal)
        return Track(
            [-rng["start"].below(10) for _ in range(seats)], rng["start"].below(seats), goal
        )

    def to_act(self, state: Track) -> Sequence[Seat]:
        return () if state.won else (state.turn,)

    def legal_actions(self, state: Track, seat: Seat) -> Sequence[str]:
        return PACES

    def apply(self, state: Track, action: str, table: Table) -> None:
        seat = state.turn
        dice = table.rng["dice", seat]
        if action == "walk":
            steps = dice.roll(6)
        else:
            steps = dice.roll(6, 2) - table.rng.child("weather")["wind"].below(9)
        state.places[seat] += steps
        state.won = state.places[seat] >= state.goal
        state.turn = (seat + 1) % len(state.places)
        if table.watched:
            table.emit(Moved(seat, steps))

    def outcome(self, state: Track) -> Outcome | None:
        return Outcome.by_score(state.places) if state.won else None


class FaultyRace(Race):
    """A race whose rules cannot apply some actions."""

    def __init__(self, faulty: Sequence[str], instead: Sequence[str]) -> None:
        self.faulty, self.instead = faulty, instead

    @override
    def apply(self, state: Track, action: str, table: Table) -> None:
        if action in self.faulty:
            raise ZeroDivisionError(action)
        super().apply(state, action, table)

    @override
    def after_fault(self, state: Track, seat: Seat, error: ContractError) -> Sequence[str]:
        return self.instead


class Runner:
    """A bot that always runs."""

    def choose(self, view: Any, actions: Sequence[str]) -> str:
        return "run"


GAME = Race()
PLUGIN = Plugin(GAME)
FAULTY = Plugin(
    FaultyRace(["run"], ["run", "walk"]), bots={"runner": lambda stream: Runner()}, levels={}
)
