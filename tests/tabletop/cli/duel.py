"""A game for the tests of the program: choosing at the same time, in secret.

It has commands (one of which every table has too), options, events, and a bot of its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from tabletop import (
    ActionPlayed,
    Choice,
    Command,
    Commands,
    Event,
    Game,
    IllegalAction,
    Option,
    Options,
    Outcome,
    Plugin,
    Seat,
    Stream,
    Streams,
    Table,
    event,
)

SHAPES = ("rock", "paper", "scissors")
ROUNDS = Option("rounds", 2, "How many rounds.", low=1, high=9)


@dataclass(frozen=True, slots=True)
class Pick:
    """`pick SHAPE`."""

    shape: str
    seat: Seat = 0

    def __str__(self) -> str:
        return COMMANDS.spell(self)


@dataclass(frozen=True, slots=True)
class FlipTable:
    """`table`: give up."""

    seat: Seat = 0

    def __str__(self) -> str:
        return "table"


COMMANDS = Commands(
    Command("pick", Pick, Choice("shape", SHAPES), help="Choose a shape."),
    Command("table", FlipTable, help="Flip it."),
)


@event
class Revealed(Event):
    """All seats have chosen."""

    shapes: tuple[str, ...]


@dataclass(slots=True)
class Duel:
    """The picks of this round, the counts of each shape, and the seat that flipped the table."""

    picks: list[str]
    shown: list[int]
    rounds: int
    flipped: Seat | None = None

    def clone(self) -> Duel:
        return Duel(self.picks.copy(), self.shown.copy(), self.rounds, self.flipped)


class DuelGame(Game[Duel, Pick | FlipTable]):
    """The shape that was shown most often wins nothing."""

    name = "duel"
    seats = range(2, 5, 2)
    commands = COMMANDS
    options = (
        ROUNDS,
        Option("judge", "nobody", "Who looks on.", choices=("nobody", "king")),
        Option("fair", True, "Whether it is."),
        Option("motto", help="What they say."),
        Option("luck", 0.5, "How much.", low=0, high=1),
    )

    def setup(self, options: Options, seats: int, rng: Streams) -> Duel:
        return Duel([""] * seats, [0] * len(SHAPES), ROUNDS.of(options))

    def to_act(self, state: Duel) -> Sequence[Seat]:
        if self.outcome(state) is not None:
            return ()
        return [seat for seat, pick in enumerate(state.picks) if not pick]

    def legal_actions(self, state: Duel, seat: Seat) -> Sequence[Pick | FlipTable]:
        worn = state.shown[0] >= 2
        return [*(Pick(shape, seat) for shape in SHAPES[worn:]), FlipTable(seat)]

    def check(self, state: Duel, action: Pick | FlipTable) -> None:
        if str(action) == "pick rock" and state.shown[0] >= 2:
            raise IllegalAction("the rock has been shown twice")
        super().check(state, action)

    def apply(self, state: Duel, action: Pick | FlipTable, table: Table) -> None:
        if isinstance(action, FlipTable):
            state.flipped = action.seat
            return
        state.picks[action.seat] = action.shape
        if all(state.picks):
            table.emit(Revealed(tuple(state.picks)))
            for shape in state.picks:
                state.shown[SHAPES.index(shape)] += 1
            state.picks = [""] * len(state.picks)
            state.rounds -= 1

    def outcome(self, state: Duel) -> Outcome | None:
        seats = len(state.picks)
        if state.flipped is not None:
            return Outcome.abandon(seats, f"seat {state.flipped + 1} flipped the table")
        return None if state.rounds else Outcome.draw(seats, "all rounds are played")

    def view(self, state: Duel, seat: Seat | None) -> Duel:
        view = state.clone()
        view.picks = [
            "hidden" if pick and it != seat else pick for it, pick in enumerate(state.picks)
        ]
        return view

    def view_event(self, event: Event, state: Duel, seat: Seat | None) -> Event | None:
        if isinstance(event, ActionPlayed) and event.seat != seat and state.picks[event.seat]:
            return ActionPlayed(event.ply, event.seat, None)
        return event

    def redeal(self, state: Duel, seat: Seat | None, rng: Stream) -> Duel:
        other = state.clone()
        other.picks = [
            rng.choice(SHAPES) if pick and it != seat else pick
            for it, pick in enumerate(state.picks)
        ]
        return other


class Stony:
    """Always picks the first shape, which is not always allowed."""

    def choose(self, view: Any, actions: Sequence[Any]) -> Any:
        return actions[0]


GAME = DuelGame()
PLUGIN = Plugin(GAME, bots={"stony": lambda stream: Stony()})
