"""A small correct game, and broken variants of it: at least one for every law."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from itertools import count
from typing import Any

from tabletop import Game, IllegalAction, Options, Outcome, Seat, Stream, Streams, Table
from tabletop.testing import ScriptedStream

TURNS = 12


@dataclass(frozen=True, slots=True)
class Bet:
    """Bet some points on a die."""

    points: int

    def __str__(self) -> str:
        return f"bet {self.points}"


BETS = tuple(Bet(points) for points in range(4))


@dataclass
class Table12:
    """The secret number and the winnings of each seat, and the number of turns played."""

    secrets: list[int]
    won: list[int]
    turn: int = 0
    extra: Any = None

    def clone(self) -> Table12:
        return Table12(self.secrets.copy(), self.won.copy(), self.turn, self.extra)


class Sound(Game[Table12, Bet]):
    """Seats bet in turn. The legal bets depend on the turn, and a die decides the result."""

    name = "bets"
    seats = range(2, 4)

    def setup(self, options: Options, seats: int, rng: Streams) -> Table12:
        return Table12([rng["secrets"].between(1, 6) for _ in range(seats)], [0] * seats)

    def to_act(self, state: Table12) -> Sequence[Seat]:
        return () if state.turn == TURNS else (state.turn % len(state.won),)

    def legal_actions(self, state: Table12, seat: Seat) -> Sequence[Bet]:
        return BETS[state.turn % 2 : state.turn % 2 + 3]

    def apply(self, state: Table12, action: Bet, table: Table) -> None:
        state.won[state.turn % len(state.won)] += action.points * self.roll(state, table)
        state.turn += 1

    def roll(self, state: Table12, table: Table) -> int:
        return table.rng["dice"].roll(6)

    def outcome(self, state: Table12) -> Outcome | None:
        return Outcome.by_score(state.won) if state.turn == TURNS else None

    def view(self, state: Table12, seat: Seat | None) -> Table12:
        view = state.clone()
        view.secrets = [own if it == seat else 0 for it, own in enumerate(state.secrets)]
        return view

    def redeal(self, state: Table12, seat: Seat | None, rng: Stream) -> Table12:
        other = state.clone()
        for place in range(len(state.won)):
            if place != seat:
                other.secrets[place] = rng.between(1, 6)
        return other


class OpenChance(Sound):
    """Correct: hides nothing, and draws only in the setup."""

    def roll(self, state: Table12, table: Table) -> int:
        return state.secrets[0]

    def view(self, state: Table12, seat: Seat | None) -> Table12:
        return state

    def redeal(self, state: Table12, seat: Seat | None, rng: Stream) -> Table12:
        return state.clone()


class FreeForm(Sound):
    """Correct: accepts more than it lists, and declares that."""

    lists_every_action = False

    def check(self, state: Table12, action: Bet) -> None:
        if not 0 <= action.points < 4:
            raise IllegalAction("bet 0 to 3")


class OnlyForTwo(Sound):
    def setup(self, options: Options, seats: int, rng: Streams) -> Table12:
        return Table12([{2: 5}[seats]] * seats, [0] * seats)


class Changed(Sound):
    """Sound but for one method: `change` makes another answer of its answer, and of how often it
    has been asked."""

    def __init__(self, method: str, change: Callable[[Any, int], Any]) -> None:
        ask, asked = getattr(self, method), count(1)
        setattr(self, method, lambda *given: change(ask(*given), next(asked)))


def made(**members: Any) -> Sound:
    """Return a game that is correct except for these members."""
    kind: type[Sound] = type("Made", (Sound,), members)
    return kind()


def holding(extra: object) -> Sound:
    """Return a game whose states also contain this value."""
    return Changed("setup", lambda state, asked: replace(state, extra=extra))


# all actions


class NamesAll(Sound):
    """Correct: lists all possible actions."""

    def all_actions(self, options: Options, seats: int) -> Sequence[Bet] | None:
        return BETS


class RefusesAListedAction(Sound):
    def check(self, state: Table12, action: Bet) -> None:
        super().check(state, action)
        if action.points == 3:
            raise IllegalAction("too much")


class CheckMovesChance(Sound):
    def check(self, state: Table12, action: Bet) -> None:
        super().check(state, action)
        state.turn += 1


class FailsLate(Sound):
    def apply(self, state: Table12, action: Bet, table: Table) -> None:
        super().apply(state, action, table)
        if state.turn == 5:
            raise KeyError("five")


class StumblesOverTheUnheard(NamesAll):
    """Raises a wrong error for an action that is never legal but in `all_actions`."""

    def all_actions(self, options: Options, seats: int) -> Sequence[Bet] | None:
        return (*BETS, Bet(99))

    def check(self, state: Table12, action: Bet) -> None:
        BETS.index(action)
        super().check(state, action)


class ReasonLeavesATrace(Sound):
    def why_not(self, state: Table12, action: Bet) -> str:
        state.won[0] += 1
        return "no"


class RefusesWithoutReason(Sound):
    def check(self, state: Table12, action: Bet) -> None:
        try:
            super().check(state, action)
        except IllegalAction:
            raise IllegalAction(" ") from None


class CountsRefusals(Sound):
    def check(self, state: Table12, action: Bet) -> None:
        try:
            super().check(state, action)
        except IllegalAction:
            state.won[0] += 1
            raise


class TellsTheSum(Sound):
    def view(self, state: Table12, seat: Seat | None) -> Table12:
        view = super().view(state, seat)
        view.extra = sum(state.secrets)
        return view


class MasksInPlace(Sound):
    def view(self, state: Table12, seat: Seat | None) -> Table12:
        state.secrets[0] = 0
        return state

    def redeal(self, state: Table12, seat: Seat | None, rng: Stream) -> Table12:
        return state.clone()


@dataclass
class SharesAList(Table12):
    def clone(self) -> SharesAList:
        return SharesAList(self.secrets, self.won, self.turn)


@dataclass
class ForgetsTheTurn(Table12):
    def clone(self) -> ForgetsTheTurn:
        return ForgetsTheTurn(self.secrets.copy(), self.won.copy(), self.turn and 1)


@dataclass
class ForgetsWhatCountsLater(Table12):
    """A clone is equal, but has lost an attribute that is not a field."""

    def clone(self) -> ForgetsWhatCountsLater:
        return ForgetsWhatCountsLater(self.secrets.copy(), self.won.copy(), self.turn)


class Starts(OpenChance):
    """Starts with a state of another class."""

    def __init__(self, kind: type[Table12], bonus: int = 0) -> None:
        self.kind = kind
        self.bonus = bonus

    def setup(self, options: Options, seats: int, rng: Streams) -> Table12:
        state = self.kind([2] * seats, [0] * seats)
        vars(state)["bonus"] = self.bonus
        return state

    def roll(self, state: Table12, table: Table) -> int:
        return 1 + int(getattr(state, "bonus", 0))


@dataclass
class KeepsABonus(Table12):
    """Clones an attribute that is not a field, but JSON does not contain it."""

    def clone(self) -> KeepsABonus:
        twin = KeepsABonus(self.secrets.copy(), self.won.copy(), self.turn)
        vars(twin).update(bonus=getattr(self, "bonus", 0))
        return twin


@dataclass(frozen=True, slots=True)
class Mumbled(Bet):
    def __str__(self) -> str:
        return "bet"


class SaysTheSame(Sound):
    def legal_actions(self, state: Table12, seat: Seat) -> Sequence[Bet]:
        return (Mumbled(1), Mumbled(2))


class ReadsTheHiddenState(Sound):
    def parse(self, text: str, state: Table12, seat: Seat) -> Bet:
        return BETS[0] if 0 in state.secrets else super().parse(text, state, seat)


@dataclass
class Learns(Sound):
    """The rules depend on the number of matches that have ended.

    Attributes:
        first: the turn from which it does.
    """

    first: int
    ended: int = field(default=0)

    def setup(self, options: Options, seats: int, rng: Streams) -> Table12:
        state = super().setup(options, seats, rng)
        if self.first == 0:
            state.extra = self.ended
        return state

    def apply(self, state: Table12, action: Bet, table: Table) -> None:
        super().apply(state, action, table)
        if state.turn == self.first:
            state.extra = self.ended

    def outcome(self, state: Table12) -> Outcome | None:
        outcome = super().outcome(state)
        self.ended += outcome is not None
        return outcome


class LoadedDice(Sound):
    """The secrets depend on the seed, but the dice do not, so only late draws are wrong."""

    def setup(self, options: Options, seats: int, rng: Streams) -> Table12:
        rng.install("dice", ScriptedStream([2, 0, 5, 4, 1, 3] * 3))
        return super().setup(options, seats, rng)


class SameDeal(OpenChance):
    """Makes the same draws in the setup for every seed."""

    def setup(self, options: Options, seats: int, rng: Streams) -> Table12:
        rng.install("secrets", ScriptedStream([2, 0, 5]))
        return super().setup(options, seats, rng)


class ThrowsInVain(Sound):
    """Rolls the dice late, and ignores the result."""

    def roll(self, state: Table12, table: Table) -> int:
        return min(1, super().roll(state, table))


class Remembers(Sound):
    """The setup changes after the first action of a match."""

    acted = False

    def setup(self, options: Options, seats: int, rng: Streams) -> Table12:
        state = super().setup(options, seats, rng)
        state.turn = 2 if self.acted else 0
        return state

    def apply(self, state: Table12, action: Bet, table: Table) -> None:
        super().apply(state, action, table)
        self.acted = True


class Tires(Sound):
    """The fourth call of `apply`, in any match, is wrong."""

    applied = 0

    def apply(self, state: Table12, action: Bet, table: Table) -> None:
        super().apply(state, action, table)
        self.applied += 1
        state.won[0] += self.applied == 4


class Endless(Sound):
    def to_act(self, state: Table12) -> Sequence[Seat]:
        return (state.turn % len(state.won),)

    def outcome(self, state: Table12) -> Outcome | None:
        return None


@dataclass
class Ends(Sound):
    """Returns the given outcome."""

    ending: Callable[[Table12], Any]

    def outcome(self, state: Table12) -> Outcome | None:
        outcome: Outcome | None = self.ending(state)
        return outcome


class RanksTheMostPointsFirst(Sound):
    point_range = (200, 0)


def at_the_end(ending: object) -> Callable[[Table12], object]:
    """Return a function that returns `ending` after the last turn, and None before."""
    return lambda state: ending if state.turn == TURNS else None


def fail_at_the_end(state: Table12) -> None:
    """Fails after the last turn."""
    if state.turn == TURNS:
        raise ZeroDivisionError


BROKEN: list[tuple[str, Callable[[], Sound]]] = [
    ("setup", OnlyForTwo),
    ("seats", lambda: Changed("to_act", lambda seats, asked: (*seats, *seats))),
    ("seats", lambda: Changed("to_act", lambda seats, asked: [seat + 1 for seat in seats])),
    ("enumeration", lambda: Changed("legal_actions", lambda bets, asked: ())),
    ("enumeration", lambda: Changed("legal_actions", lambda bets, asked: (*bets, bets[0]))),
    ("enumeration", lambda: Changed("legal_actions", lambda bets, asked: bets[:: (-1) ** asked])),
    ("all actions", lambda: Changed("all_actions", lambda none, asked: BETS[:3])),
    ("all actions", lambda: Changed("all_actions", lambda none, asked: (*BETS, Bet(2)))),
    ("all actions", lambda: Changed("all_actions", lambda none, asked: BETS[:: (-1) ** asked])),
    (
        "all actions",
        lambda: Changed("all_actions", lambda it, asked: BETS if asked % 2 else None),
    ),
    ("all actions", lambda: Changed("all_actions", lambda none, asked: ())),
    ("accepted", RefusesAListedAction),
    ("accepted", CheckMovesChance),
    ("accepted", FailsLate),
    ("refused", lambda: made(check=lambda self, state, action: None)),
    ("refused", StumblesOverTheUnheard),
    ("refused", lambda: made(why_not=lambda self, state, action: "ab"[action.points])),
    ("refused", lambda: Changed("why_not", lambda reason, asked: None)),
    ("refused", lambda: Changed("why_not", lambda reason, asked: f"asked {asked} times")),
    ("refused", ReasonLeavesATrace),
    ("refused", RefusesWithoutReason),
    ("refused", CountsRefusals),
    ("views", TellsTheSum),
    ("views", lambda: made(redeal=Game.redeal)),
    ("views", lambda: made(view=Game.view)),
    ("views", MasksInPlace),
    ("views", lambda: made(view=lambda self, state, seat: Sound.view(self, state, range(3)[seat]))),
    ("clone", lambda: Starts(SharesAList)),
    ("clone", lambda: Starts(ForgetsTheTurn)),
    ("clone", lambda: Starts(ForgetsWhatCountsLater, bonus=1)),
    ("json", lambda: Starts(KeepsABonus, bonus=1)),
    ("json", lambda: holding((1, 2))),
    ("json", lambda: holding(len)),
    ("text", SaysTheSame),
    ("text", ReadsTheHiddenState),
    ("text", lambda: made(parse=lambda self, text, state, seat: Bet(int(text.split()[1])))),
    ("determinism", lambda: Learns(0)),
    ("determinism", lambda: Learns(TURNS)),
    ("randomness", LoadedDice),
    ("randomness", SameDeal),
    ("randomness", ThrowsInVain),
    ("undo", Remembers),
    ("undo", Tires),
    ("end", Endless),
    ("outcome", lambda: Ends(lambda state: Outcome.by_score(state.won))),
    ("outcome", lambda: Ends(lambda state: None)),
    ("outcome", lambda: Ends(at_the_end(Outcome(((0,),))))),
    ("outcome", lambda: Ends(at_the_end(Outcome(((0, 1), (2, 0)))))),
    ("outcome", lambda: Ends(at_the_end("seat 0 wins"))),
    ("outcome", lambda: Ends(fail_at_the_end)),
    ("outcome", RanksTheMostPointsFirst),
]
"""Each law, with a game that breaks it."""
