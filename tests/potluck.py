"""Potluck, a small game in which both players choose several of their dishes at the same time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tabletop import (
    Choice,
    Command,
    Commands,
    Game,
    Options,
    Outcome,
    Plugin,
    Seat,
    Selections,
    Several,
    Spelled,
    State,
    Streams,
    Table,
    state,
)
from tabletop.display import CardTable, Face

DISHES = ("bread", "cake", "rice", "soup")


@dataclass(frozen=True)
class Put(Spelled):
    """Put dishes on the table. Without dishes, the seat stays at home."""

    seat: Seat
    dishes: tuple[str, ...] = ()
    stays: bool = False


COMMANDS = Commands(
    Command("put", Put, Several(Choice("dishes", DISHES), 1), fixed={"stays": False}),
    Command("stay", Put, fixed={"stays": True}),
)


@state
class Kitchen(State):
    """The dishes in each hand, and the number of dishes that each seat has put, or -1."""

    hands: list[list[str]]
    put: list[int]


class Potluck(Game[Kitchen, Put]):
    """The seat that puts more dishes wins."""

    name = "potluck"
    commands: Commands | None = COMMANDS
    dishes: Sequence[str] = ("bread", "bread", "cake", "soup")

    def setup(self, options: Options, seats: int, rng: Streams) -> Kitchen:
        return Kitchen([[*self.dishes], [*self.dishes]], [-1, -1])

    def to_act(self, state: Kitchen) -> Sequence[Seat]:
        return [seat for seat in (0, 1) if state.put[seat] < 0]

    def legal_actions(self, state: Kitchen, seat: Seat) -> Sequence[Put]:
        home = [Put(seat, stays=True)]
        return Selections(Put, "dishes", state.hands[seat], 1, 3, also=home, seat=seat)

    def all_actions(self, options: Options, seats: int) -> Sequence[Put] | None:
        state = self.setup(options, seats, Streams(1))
        return [action for seat in (0, 1) for action in self.legal_actions(state, seat)]

    def apply(self, state: Kitchen, action: Put, table: Table) -> None:
        for dish in action.dishes:
            state.hands[action.seat].remove(dish)
        state.put[action.seat] = len(action.dishes)

    def outcome(self, state: Kitchen) -> Outcome | None:
        return None if self.to_act(state) else Outcome.by_score(state.put, "eaten")


class Feast(Potluck):
    """Potluck with far more choices than a list can hold."""

    name = "feast"
    dishes = DISHES * 200

    def legal_actions(self, state: Kitchen, seat: Seat) -> Sequence[Put]:
        return Selections(Put, "dishes", state.hands[seat], 100, 600, seat=seat)

    def all_actions(self, options: Options, seats: int) -> None:
        """Leave the actions out of the list."""


class Unordered(Potluck):
    """Wrong: reads only the texts of legal actions, with the dishes in alphabetical order."""

    name = "unordered"
    commands = None


class Kitchens(CardTable[Kitchen]):
    """The hands. A dish is a custom card."""

    def hands(self, view: Kitchen, seat: object) -> Sequence[Sequence[Face]]:
        return [list(map(Face, hand)) for hand in view.hands]


PLUGIN = Plugin(Potluck(), picture=Kitchens)
