"""Liar's Dice: bid on the dice under all cups, and call liars.

Each player has five dice under a cup (option `dice`). On your turn, bid
how many of all dice show a face. A bid must have more dice than the
last bid, or the same number of a higher face. Instead, you may call the
last bidder a liar. Then all cups are lifted. If there are fewer such
dice than the bid, the bidder loses a die. Otherwise the challenger
loses one. All dice are rolled again. The loser bids first, or the next
player if the loser is out.

The last player with dice wins. Ones are not wild.

    tabletop play examples/liars_dice.py --bot 2
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, TypeAlias

from tabletop import (
    ALL,
    OWNER,
    Choice,
    Command,
    Commands,
    Event,
    Integer,
    Option,
    Options,
    Outcome,
    Plugin,
    Seat,
    SecretGame,
    Spelled,
    State,
    Stream,
    Streams,
    Table,
    Watcher,
    event,
    secret,
    state,
)
from tabletop.display import TextView
from tabletop.rules import next_seat
from tabletop.states import PER_SEAT, Length, Range

DICE = Option("dice", 5, low=1, high=9, help="Dice per player.")
FACES = ("ones", "twos", "threes", "fours", "fives", "sixes")
MOST = 6
HIDDEN = 0


@dataclass(frozen=True, slots=True)
class Bid(Spelled):
    """Claim that at least `count` of all dice show a face."""

    count: Annotated[int, Range(0, 9 * MOST)]
    face: Annotated[int, Range(0, 6)]


@dataclass(frozen=True, slots=True)
class Doubt:
    """Call the last bidder a liar."""

    def __str__(self) -> str:
        return "liar"


Word: TypeAlias = Bid | Doubt
DOUBT = Doubt()
BIDS = tuple(
    Bid(count, face)
    for count in range(1, 9 * MOST + 1)
    for face in range(1, 7)
)
COMMANDS = Commands(
    Command(
        "bid",
        Bid,
        Integer("count", 1, 9 * MOST),
        Choice("face", {word: at for at, word in enumerate(FACES, 1)}),
        help="Claim that at least COUNT dice show FACE: bid 3 fives.",
    ),
    Command("liar", Doubt, help="Challenge the last bid."),
)


@event
class Lifted(Event):
    """All cups were lifted, and a player loses a die."""

    cups: tuple[tuple[int, ...], ...]
    loser: Seat


@state
class Cups(State):
    """The dice under each cup, the last bid, and its bidder."""

    dice: Annotated[
        list[Annotated[list[Annotated[int, Range(0, 6)]], Length(9)]],
        PER_SEAT,
    ] = secret(to=OWNER, back=HIDDEN, choices=range(1, 7))
    bid: Bid | None = None
    bidder: Seat = 0
    seat: Seat = 0


class LiarsDice(SecretGame[Cups, Word]):
    """The last player with dice wins."""

    name = "liars-dice"
    title = "Liar's Dice"
    seats = range(2, MOST + 1)
    options = (DICE,)
    commands = COMMANDS

    def setup(self, options: Options, seats: int, rng: Streams) -> Cups:
        state = Cups([[HIDDEN] * DICE.of(options)] * seats)
        roll(state, rng["dice"])
        return state

    def to_act(self, state: Cups) -> Sequence[Seat]:
        return (state.seat,) if sum(map(bool, state.dice)) > 1 else ()

    def all_actions(
        self, options: Options, seats: int
    ) -> Sequence[Word]:
        return (DOUBT, *BIDS[: 6 * DICE.of(options) * seats])

    def legal_actions(self, state: Cups, seat: Seat) -> Sequence[Word]:
        last, dice = state.bid, sum(map(len, state.dice))
        if last is None:
            return BIDS[: 6 * dice]
        lowest = 6 * (last.count - 1) + last.face
        return (DOUBT, *BIDS[lowest : 6 * dice])

    def why_not(self, state: Cups, action: Word) -> str:
        if isinstance(action, Doubt):
            return "there is no bid yet"
        dice = sum(map(len, state.dice))
        if action.count > dice:
            return f"there are only {dice} dice"
        return "bid more dice, or the same number of a higher face"

    def apply(self, state: Cups, action: Word, table: Table) -> None:
        if isinstance(action, Bid):
            state.bid, state.bidder = action, state.seat
            state.seat = after(state, state.seat)
        elif state.bid:
            total = sum(cup.count(state.bid.face) for cup in state.dice)
            lied = total < state.bid.count
            loser = state.bidder if lied else state.seat
            table.emit(Lifted(tuple(map(tuple, state.dice)), loser))
            state.dice[loser].pop()
            state.bid = None
            has_dice = state.dice[loser]
            state.seat = loser if has_dice else after(state, loser)
            roll(state, table.rng["dice"])

    def outcome(self, state: Cups) -> Outcome | None:
        if self.to_act(state):
            return None
        return Outcome.win(state.seat, len(state.dice), "the last dice")


def roll(state: Cups, rng: Stream) -> None:
    state.dice = [
        sorted(rng.roll(6) for _ in cup) for cup in state.dice
    ]


def after(state: Cups, seat: Seat) -> Seat:
    """Return the next seat that has dice."""
    following = next_seat(
        seat, len(state.dice), lambda other: state.dice[other]
    )
    return seat if following is None else following


VERBS = {"bid": "bids {}", "liar": "calls the last bid a lie"}


class CupsText(TextView[Cups]):
    """The last bid and the visible dice."""

    verbs = VERBS

    def position(
        self, view: Cups, names: Sequence[str], seat: Watcher = ALL
    ) -> str:
        rows = []
        for name, cup in zip(names, view.dice, strict=True):
            seen = [str(die) if die else "?" for die in cup]
            rows.append(f"{name}: {' '.join(seen) or 'out'}")
        bid = f"last bid: {names[view.bidder]}, {view.bid}"
        return "\n".join([*rows, bid if view.bid else "no bid yet"])

    def prompt(
        self, view: Cups, seat: Seat, names: Sequence[str]
    ) -> str:
        dice = " ".join(map(str, view.dice[seat]))
        return f"{names[seat]} ({dice}; {view.bid or 'no bid'})> "

    def event(
        self, event: Event, names: Sequence[str], seat: Watcher = ALL
    ) -> str:
        if not isinstance(event, Lifted):
            return super().event(event, names, seat)
        cups = zip(names, event.cups, strict=True)
        shown = [
            f"{name}: {' '.join(map(str, cup))}" for name, cup in cups
        ]
        return f"{'; '.join(shown)}. {names[event.loser]} loses a die."


class Sober:
    """Bids what is likely, mostly on its own dice, or challenges."""

    def choose(self, view: Cups, actions: Sequence[Word]) -> Word:
        own = view.dice[view.seat]
        others = sum(map(len, view.dice)) - len(own)
        likely = [
            bid
            for bid in actions
            if isinstance(bid, Bid)
            and bid.count <= own.count(bid.face) + others / 6
        ]
        if not likely:
            return actions[0]  # challenge the last bid
        return max(likely, key=lambda bid: own.count(bid.face))


def belief(state: Cups, seat: Seat) -> float:
    """Return how likely the last bid is, given the dice of the bidder.

    Most players bid the face of which they hold most dice, up to the
    expected number.
    """
    bid, own = state.bid, state.dice[state.bidder]
    if bid is None or state.bidder == seat:
        return 1.0
    others = sum(map(len, state.dice)) - len(own)
    held = own.count(bid.face)
    better = sum(own.count(face) > held for face in range(1, 7))
    likely = held + others / 6 >= bid.count
    return (1.0 if likely else 0.1) * (0.2 if better else 1.0)


def policy(state: Cups, actions: Sequence[Word]) -> Sequence[Word]:
    """Keep the lowest bid of each face, and bids that may be true."""
    own = state.dice[state.seat]
    hope = int((sum(map(len, state.dice)) - len(own)) / 6 + 1)
    most = [own.count(face) + hope for face in range(7)]
    lowest = 7 if state.bid else 6  # a challenge, and six bids
    return [
        *actions[:lowest],
        *(
            bid
            for bid in actions[lowest:]
            if isinstance(bid, Bid) and bid.count <= most[bid.face]
        ),
    ]


def evaluate(state: Cups, seat: Seat) -> float:
    """Rate the share of the dice, with half a die for a true bid."""
    dice = [float(len(cup)) for cup in state.dice]
    if state.bid and sum(map(bool, dice)) > 1:
        face = state.bid.face
        total = sum(cup.count(face) for cup in state.dice)
        lied = total < state.bid.count
        dice[state.bidder if lied else state.seat] -= 0.5
    return dice[seat] / sum(map(len, state.dice))


GAME = LiarsDice()
PLUGIN = Plugin(
    GAME,
    text=CupsText(),
    rulebook=__doc__,
    summary="Bid on dice under all cups, and call the bluff of others.",
    minutes=10,
    bots={"sober": lambda stream: Sober()},
    evaluate=evaluate,
    policy=policy,
    belief=belief,
    levels={
        "easy": "search:3",
        "fair": "search:40",
        "hard": "search:10000",
    },
)
