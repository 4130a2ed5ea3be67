"""Common mistakes of authors, each in a game, with the messages."""

from __future__ import annotations

import os
import random
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import Any, Final, cast

from tabletop import (
    ActionPlayed,
    Command,
    Commands,
    Event,
    Game,
    IllegalAction,
    Integer,
    Options,
    Outcome,
    Seat,
    State,
    Stream,
    Streams,
    Table,
    event,
    state,
)
from tabletop.rules import AnyGame
from tests.tabletop.testing.broken import (
    BETS,
    TURNS,
    Bet,
    Changed,
    OpenChance,
    Sound,
    Table12,
    made,
)

LATE: Final = 3
"""The first ply at which late mistakes are visible."""

OTHER: Final = 2
"""Legal first bets that are not played in the first match."""


# What methods return.


class ReturnsANewState(Sound):
    def apply(self, state: Table12, action: Bet, table: Table) -> Any:
        new = state.clone()
        super().apply(new, action, table)
        return new


@dataclass
class Holding(Table12):
    """Cards in a hand, in no order."""

    hand: list[int] = field(default_factory=lambda: [5, 2, 9])

    def clone(self) -> Holding:
        return Holding(self.secrets.copy(), self.won.copy(), self.turn, self.extra, [*self.hand])


class HoldsAHand(Sound):
    """Correct: the state also has a hand."""

    def setup(self, options: Options, seats: int, rng: Streams) -> Any:
        state = super().setup(options, seats, rng)
        return Holding(state.secrets, state.won)


@dataclass
class Hands(Table12):
    """A hand for each seat."""

    hands: list[list[Bet]] = field(default_factory=lambda: [list(BETS) for _ in range(2)])

    def clone(self) -> Hands:
        return Hands(
            self.secrets.copy(),
            self.won.copy(),
            self.turn,
            hands=[hand.copy() for hand in self.hands],
        )


class PlaysItsHand(Sound):
    """A seat may play any card of its hand, which is never empty."""

    seats = range(2, 3)

    def setup(self, options: Options, seats: int, rng: Streams) -> Any:
        state = super().setup(options, seats, rng)
        return Hands(state.secrets, state.won)

    def legal_actions(self, state: Any, seat: Seat) -> Any:
        return state.hands[seat]


class SharesARow(PlaysItsHand):
    """Both seats have one list."""

    def setup(self, options: Options, seats: int, rng: Streams) -> Any:
        state = super().setup(options, seats, rng)
        return Hands(state.secrets, state.won, hands=[list(BETS)] * seats)

    def legal_actions(self, state: Any, seat: Seat) -> Any:
        return tuple(state.hands[seat])


@dataclass
class Supply(Table12):
    """Numbers of bets, in no order."""

    piles: dict[int, int] = field(default_factory=lambda: {3: 9, 1: 9, 2: 9})

    def clone(self) -> Supply:
        return Supply(self.secrets.copy(), self.won.copy(), self.turn, piles=self.piles.copy())


class HoldsADict(Sound):
    """Correct: the state also has a dictionary."""

    def setup(self, options: Options, seats: int, rng: Streams) -> Any:
        state = super().setup(options, seats, rng)
        return Supply(state.secrets, state.won)


class ListsADict(HoldsADict):
    """The legal bets are in the order in which keys were added to a dictionary."""

    def legal_actions(self, state: Any, seat: Seat) -> Any:
        return [Bet(points) for points in state.piles]


class ShowsADict(HoldsADict):
    """A list in the view has the order of a dictionary."""

    def view(self, state: Any, seat: Seat | None) -> Any:
        view = super().view(state, seat)
        view.won = [*state.piles][: len(state.won)]
        return view


def sorting_in(method: str) -> HoldsAHand:
    """Return a game in which `method` sorts a hand in place."""

    def sort(self: HoldsAHand, *given: Any) -> Any:
        for it in given:
            if isinstance(it, Holding):
                it.hand.sort()
        return getattr(HoldsAHand, method)(self, *given)

    kind: type[HoldsAHand] = type(f"SortsIn_{method}", (HoldsAHand,), {method: sort})
    return kind()


# Names.


class HidesWhatItShows(OpenChance):
    """`view_event` hides an event, but the view shows everything."""

    view = Game.view
    redeal = Game.redeal

    def view_event(self, event: Event, state: Table12, seat: Seat | None) -> Event | None:
        acting = (state.turn - 1) % len(state.won)
        return event if seat == acting else ActionPlayed(state.turn, acting, None)


class LikeNothing(OpenChance):
    """Correct: has methods with names that are only slightly similar."""

    def reveal(self, state: Table12) -> int:
        """A method that is not `redeal`."""
        return state.secrets[0]

    def legal_bets(self, state: Table12) -> Sequence[Bet]:
        """A method that is not `legal_actions`."""
        return BETS


# Actions.


class Plain:
    """An action that is equal to nothing but itself."""

    def __init__(self, points: int) -> None:
        self.points = points

    def __str__(self) -> str:
        return f"bet {self.points}"


@dataclass
class Soft(Plain):
    """A mutable action."""

    points: int


@dataclass(frozen=True)
class Several(Plain):
    """An action that contains a list."""

    points: int
    cards: list[int] = field(default_factory=list)


@dataclass
class Acts(Sound):
    """Its actions are of another class."""

    kind: Callable[[int], Any]

    def legal_actions(self, state: Table12, seat: Seat) -> Any:
        return [self.kind(points) for points in range(3)]


class ActsOfAll(Acts):
    """Also lists them in `all_actions`."""

    def all_actions(self, options: Options, seats: int) -> Any:
        return [self.kind(points) for points in range(3)]


class Move(Enum):
    """Members of an enumeration are equal only to themselves, which is correct."""

    LOW = 1
    HIGH = 2

    def __str__(self) -> str:
        return self.name.lower()

    @property
    def points(self) -> int:
        return self.value


class Members(Sound):
    """Correct: the actions are members of an enumeration."""

    def legal_actions(self, state: Table12, seat: Seat) -> Any:
        return list(Move)


# What is told.


@dataclass
class Emits(Sound):
    """Emits an object that is not an event after the fourth action."""

    what: Any

    def apply(self, state: Table12, action: Bet, table: Table) -> None:
        super().apply(state, action, table)
        if state.turn > LATE:
            table.emit(self.what)


@event
class Won(Event):
    """A seat has won."""

    seat: Seat


class Bare(Event):
    """An event without the decorator."""

    seat: Seat


class BareEventOfAnother(Sound):
    """Fails for actions that the match itself does not play."""

    def apply(self, state: Table12, action: Bet, table: Table) -> None:
        super().apply(state, action, table)
        if action == BETS[OTHER] and state.turn == 1:
            table.emit(cast("Any", Bare)(seat=1))


OWN = random.Random(12)


# Sets.

COLOURS = {"red", "orange", "yellow", "green", "blue", "indigo", "violet", "black", "white"}


@dataclass(frozen=True)
class Pick:
    """Take a colour."""

    colour: str

    def __str__(self) -> str:
        return self.colour


class OrderOfASet(Sound):
    def legal_actions(self, state: Table12, seat: Seat) -> Any:
        return [Pick(colour) for colour in COLOURS]

    def apply(self, state: Table12, action: Bet, table: Table) -> None:
        state.turn += 1


class DealsOutOfASet(Sound):
    def apply(self, state: Table12, action: Bet, table: Table) -> None:
        super().apply(state, action, table)
        if state.turn > LATE:
            state.extra = " ".join(COLOURS)


class TellsOutOfASet(Sound):
    def apply(self, state: Table12, action: Bet, table: Table) -> None:
        super().apply(state, action, table)
        for colour in COLOURS:
            table.emit(Won(len(colour)))


class SortedColours(OrderOfASet):
    """Correct: iterates over a set in a defined order."""

    def legal_actions(self, state: Table12, seat: Seat) -> Any:
        return [Pick(colour) for colour in sorted(COLOURS)]


# Free-form actions.


@dataclass(frozen=True)
class Pay:
    """Pay some gold into the pot."""

    gold: int

    def __str__(self) -> str:
        return PAYMENTS.spell(self)


PAYMENTS = Commands(Command("pay", Pay, Integer("gold", 0, 10)))


@state
class Purse(State):
    """The gold of each seat."""

    gold: list[int]
    pot: int = 0
    turn: int = 0


class Purses(Game[Any, Any]):
    """Two seats play in turn, with five gold each."""

    seats = range(2, 3)
    lists_every_action = False
    kind: type[Purse] = Purse

    def setup(self, options: Options, seats: int, rng: Streams) -> Purse:
        return self.kind([5] * seats)

    def to_act(self, state: Purse) -> Sequence[Seat]:
        return () if state.turn == TURNS else (state.turn % 2,)

    def outcome(self, state: Purse) -> Outcome | None:
        return Outcome.by_score(state.gold) if state.turn == TURNS else None


class Payments(Purses):
    """Correct: seats pay any amount. Payments of 0 and 1 are listed."""

    name = "payments"
    commands = PAYMENTS

    def legal_actions(self, state: Purse, seat: Seat) -> Sequence[Pay]:
        return [Pay(gold) for gold in range(min(state.gold[seat], 1) + 1)]

    def check(self, state: Purse, action: Pay) -> None:
        if action.gold > state.gold[state.turn % 2]:
            raise IllegalAction("you have less")

    def apply(self, state: Purse, action: Pay, table: Table) -> None:
        state.gold[state.turn % 2] -= action.gold
        state.pot += action.gold
        state.turn += 1


class Overdraws(Payments):
    def check(self, state: Purse, action: Pay) -> None:
        """Accept every action."""


class Fails(Payments):
    def apply(self, state: Purse, action: Pay, table: Table) -> None:
        [0, 1, 2, 3][action.gold]
        super().apply(state, action, table)


class FailsInCheck(Sound):
    def check(self, state: Table12, action: Bet) -> None:
        list(self.legal_actions(state, 0)).index(action)


class MayOwe(Payments):
    """Correct: seats may go into debt, and these actions are listed."""

    def legal_actions(self, state: Purse, seat: Seat) -> Sequence[Pay]:
        return [Pay(4), Pay(5)]

    def check(self, state: Purse, action: Pay) -> None:
        """Accept every action."""


@dataclass(frozen=True)
class Offer:
    """Offer some gold to the other seat."""

    gold: int

    def __str__(self) -> str:
        return OFFERS.spell(self)


@dataclass(frozen=True)
class Answer:
    """Take the offer, or pass."""

    taken: bool

    def __str__(self) -> str:
        return OFFERS.spell(self)


OFFERS = Commands(
    Command("offer", Offer, Integer("gold", 0, 10)),
    Command("take", Answer, fixed={"taken": True}),
    Command("pass", Answer, fixed={"taken": False}),
)


@state
class Market(Purse):
    """The gold of each seat, and the offer."""

    offer: int | None = None


class Offers(Purses):
    """Correct: seats offer any amount that they have. An offer of 0 is listed."""

    name = "offers"
    kind = Market
    commands = OFFERS

    def legal_actions(self, state: Market, seat: Seat) -> Sequence[Any]:
        return [Offer(0)] if state.offer is None else [Answer(True), Answer(False)]

    def check(self, state: Market, action: Any) -> None:
        if state.offer is None and isinstance(action, Offer):
            if action.gold > state.gold[state.turn % 2]:
                raise IllegalAction("you have less")
        else:
            super().check(state, action)

    def apply(self, state: Market, action: Any, table: Table) -> None:
        seat = state.turn % 2
        if isinstance(action, Offer):
            state.offer = action.gold
        else:
            if action.taken and state.offer is not None:
                self.pay(state, 1 - seat, state.offer)
                state.gold[seat] += state.offer
            state.offer = None
        state.turn += 1

    def pay(self, state: Market, seat: Seat, gold: int) -> None:
        """Take gold from a seat."""
        state.gold[seat] -= gold


class OffersTooMuch(Offers):
    def check(self, state: Market, action: Any) -> None:
        if state.offer is not None or not isinstance(action, Offer):
            super().check(state, action)


class FailsToPayTheOffer(OffersTooMuch):
    def pay(self, state: Market, seat: Seat, gold: int) -> None:
        if gold > state.gold[seat]:
            raise ValueError(gold)
        super().pay(state, seat, gold)


class FailsToPayLater(FailsToPayTheOffer):
    """The other seat must answer twice."""

    def apply(self, state: Market, action: Any, table: Table) -> None:
        if isinstance(action, Answer):
            state.pot = 1 - state.pot
        if not state.pot:
            super().apply(state, action, table)


class GoesIntoDebt(Offers):
    """Correct: a fee, which is always listed, sometimes makes the gold of a seat negative."""

    def legal_actions(self, state: Market, seat: Seat) -> Sequence[Any]:
        return [Offer(0), Offer(1)] if state.offer is None else [Answer(True), Answer(False)]

    def check(self, state: Market, action: Any) -> None:
        if state.offer is not None or not isinstance(action, Offer):
            super().check(state, action)

    def apply(self, state: Market, action: Any, table: Table) -> None:
        if isinstance(action, Offer):
            state.gold[state.turn % 2] -= action.gold == 1 and 6
        super().apply(state, action, table)


class ListsButAccepts(Payments):
    lists_every_action = True


def lose_number(self: Sound, state: Table12, seat: Seat | None, rng: Stream) -> Table12:
    """Redeal without numbers for the other seats."""
    return Sound.view(self, state, seat)


def answering(method: str, answer: object) -> Callable[[], Sound]:
    """Return a factory of games in which a method always returns the same value."""
    return lambda: Changed(method, lambda own, asked: answer)


def rolling(draw: Callable[[], int]) -> Callable[[], Sound]:
    """Return a factory of games with this die."""
    return lambda: Changed("roll", lambda own, asked: draw())


MISTAKES: dict[str, tuple[Callable[[], AnyGame], str, int, str]] = {
    "seats is a number": (lambda: made(seats=2), "shape", 0, "write a range, such as range(2, 5)"),
    "seats is a list": (lambda: made(seats=[2, 4]), "shape", 0, "range(2, 5) for 2 to 4"),
    "seats is empty": (lambda: made(seats=range(2, 2)), "shape", 0, "nobody can play"),
    "capitals and blanks": (lambda: made(name="My Game"), "shape", 0, 'such as name = "my-game"'),
    "no name": (lambda: made(name=""), "shape", 0, "name is ''"),
    "a version that is a number": (lambda: made(version=2), "shape", 0, 'version = "2"'),
    "setup returns nothing": (answering("setup", None), "shape", 0, "None: is a `return`"),
    "a dict as state": (answering("setup", {"turn": 0}), "shape", 0, "setup returns a dict: a"),
    "apply returns a new state": (ReturnsANewState, "shape", 0, "apply returns a new state"),
    "legal_actions yields": (
        lambda: Changed("legal_actions", lambda bets, asked: (bet for bet in bets)),
        "shape",
        0,
        "legal_actions returns a generator",
    ),
    "a set of actions": (
        answering("legal_actions", set(BETS)),
        "shape",
        0,
        "a set, which has no order",
    ),
    "a text as actions": (
        answering("legal_actions", "bet"),
        "shape",
        0,
        "legal_actions returns 'bet', a str, instead of a list or a tuple",
    ),
    "to_act is 0": (answering("to_act", 0), "shape", 0, "to_act returns 0 instead of (0,)"),
    "to_act is None": (
        lambda: Changed("to_act", lambda seats, asked: seats or None),
        "shape",
        TURNS,
        "to_act returns None",
    ),
    "a hand of the state is what can be played": (
        PlaysItsHand,
        "enumeration",
        0,
        "legal_actions for seat 0 returns hands[0] of the state itself",
    ),
    "one row for all seats": (SharesARow, "clone", 0, "hands[0] and hands[1] are the same object"),
    "a hand is sorted in legal_actions": (
        lambda: sorting_in("legal_actions"),
        "enumeration",
        0,
        "legal_actions for seat {} changed the state (hand[0]: 5 becomes 2)",
    ),
    "a hand is sorted in outcome": (lambda: sorting_in("outcome"), "outcome", 0, "outcome changed"),
    "a hand is sorted in to_act": (lambda: sorting_in("to_act"), "seats", 0, "to_act changed"),
    "a hand is sorted in view": (lambda: sorting_in("view"), "views", 0, "view of seat 0 changed"),
    "a hand is sorted in redeal": (lambda: sorting_in("redeal"), "views", 0, "redeal for seat 0"),
    "a hand is sorted in parse": (lambda: sorting_in("parse"), "text", 0, "parse changed"),
    "view_events for view_event": (
        lambda: made(view_events=lambda self, event, state, seat: None),
        "shape",
        0,
        "defines view_events, but not view_event: rename view_events to view_event",
    ),
    "whyNot for why_not": (
        lambda: made(whyNot=lambda self, state, action: "no"),
        "shape",
        0,
        "rename whyNot to why_not",
    ),
    "view and redeal left out": (
        HidesWhatItShows,
        "views",
        0,
        "but its view shows everything: implement view and redeal too",
    ),
    "view returns nothing": (answering("view", None), "shape", 0, "view returns None"),
    "a number grows too far": (
        lambda: made(fault=lambda self, state: f"turn {state.turn}" if state.turn > 2 else None),
        "fault",
        2,
        "the state after {} has a fault: turn 3",
    ),
    "a redeal that loses a seat's number": (
        lambda: made(
            fault=lambda self, state: "no number" if 0 in state.secrets else None,
            redeal=lose_number,
        ),
        "fault",
        0,
        "a state redealt for seat 0 has a fault: no number",
    ),
    "a fault that is a flag": (
        lambda: made(fault=lambda self, state: False),
        "fault",
        0,
        "fault returns False: return a string, or None",
    ),
    "fault changes the state": (
        lambda: made(fault=lambda self, state: state.won.append(0)),
        "fault",
        0,
        "fault of the state changed the state (won[{}]",
    ),
    "fault fails": (
        lambda: made(fault=lambda self, state: state.won[9]),
        "fault",
        0,
        "fault of the state raised IndexError",
    ),
    "no __eq__": (lambda: Acts(Plain), "shape", 0, "@dataclass(frozen=True) above class Plain"),
    "no hash": (lambda: Acts(Soft), "shape", 0, "@dataclass(frozen=True) above class Soft"),
    "no hash among all actions": (
        lambda: ActsOfAll(Soft),
        "shape",
        0,
        "@dataclass(frozen=True) above class Soft",
    ),
    "a list in an action": (lambda: Acts(Several), "shape", 0, "use tuples instead of lists"),
    "a text emitted": (
        lambda: Emits("won"),
        "shape",
        LATE,
        "apply emits 'won', which is not an event",
    ),
    "a class emitted": (lambda: Emits(Won), "shape", LATE, "apply emits the class Won"),
    "a bare event of another action": (
        BareEventOfAnother,
        "accepted",
        0,
        "playing bet 2 raised {}write @event above class Bare",
    ),
    "random in setup": (
        lambda: Changed("setup", lambda state, asked: replace(state, extra=random.random())),
        "determinism",
        0,
        'such as rng["cards"].shuffle(cards)',
    ),
    "random in apply": (rolling(lambda: random.randint(1, 6)), "determinism", 0, "use the streams"),
    "random in legal_actions": (
        lambda: Changed("legal_actions", lambda bets, asked: random.sample(bets, 3)),
        "determinism",
        0,
        "the rules use the module random",
    ),
    "random in vain": (
        lambda: Changed("outcome", lambda outcome, asked: (random.random(), outcome)[1]),
        "determinism",
        0,
        "the rules use the module random",
    ),
    "a Random of its own": (
        rolling(lambda: OWN.randrange(1, 7)),
        "determinism",
        0,
        "depend only on the",
    ),
    "os.urandom": (
        rolling(lambda: os.urandom(1)[0]),
        "determinism",
        0,
        "not on random, os.urandom",
    ),
    "the clock": (
        lambda: Changed("setup", lambda state, asked: replace(state, extra=time.time_ns())),
        "determinism",
        0,
        "the same seed leads to another first state",
    ),
    "actions in the order of a dictionary": (
        ListsADict,
        "json",
        0,
        "legal_actions for seat {} is different {}bet 1, bet 2, bet 3 instead of bet 3,",
    ),
    "a view in the order of a dictionary": (
        ShowsADict,
        "json",
        0,
        "the view of seat 0 is different on a state from JSON, because the order of a dict",
    ),
    "actions out of a set": (
        OrderOfASet,
        "determinism",
        0,
        "PYTHONHASHSEED, legal_actions returns",
    ),
    "a state out of a set": (DealsOutOfASet, "determinism", LATE, "PYTHONHASHSEED, apply leads to"),
    "events out of a set": (TellsOutOfASet, "determinism", 0, "PYTHONHASHSEED, the events are"),
    "overdraws": (Overdraws, "accepted", 0, "is accepted, though not listed, and sets gold["),
    "fails in apply": (Fails, "accepted", 0, "not listed but accepted, raised IndexError"),
    "an offer that nobody can pay": (
        OffersTooMuch,
        "accepted",
        0,
        "is accepted, though not listed, and take after it sets gold[",
    ),
    "an offer that fails": (
        FailsToPayTheOffer,
        "accepted",
        0,
        "playing take after offer {}, not listed but accepted, raised ValueError",
    ),
    "an offer that fails later": (
        FailsToPayLater,
        "accepted",
        LATE,
        "playing take some time after offer {}, not listed but accepted, raised ValueError",
    ),
    "fails in check": (FailsInCheck, "refused", 0, "check raised ValueError"),
    "accepts what is not listed": (ListsButAccepts, "refused", 0, "lists_every_action = False"),
}
"""Map each mistake to the game, the law, the first ply with the fault, and the message."""
