"""Views and redeals that follow from declared secrets, beside the same written out by hand."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from benchmarks.common import Contender, Row, Target, race
from tabletop import NOBODY, OWNER, Seat, State, Stream, Streams, secret, state
from tabletop.secrets.secrecy import secrecy_of

TITLE = "What a seat sees, and what it imagines: declared, and written out"

TIMES = "times/s"
WRITTEN = "of what is written out"
AT_LEAST = Target(1 / 1.3, at_least=True)
BACK = 0


@dataclass(slots=True)
class WrittenTrick:
    """A deck, hands and a trick, with everything written out."""

    deck: list[int]
    hands: list[list[int]]
    trick: list[int]
    leader: int

    def clone(self) -> WrittenTrick:
        hands = [hand.copy() for hand in self.hands]
        return WrittenTrick(self.deck.copy(), hands, self.trick.copy(), self.leader)

    def view(self, seat: Seat | None) -> WrittenTrick:
        shown = self.clone()
        shown.deck = [BACK] * len(self.deck)
        for other, hand in enumerate(self.hands):
            if other != seat:
                shown.hands[other] = [BACK] * len(hand)
        return shown

    def redeal(self, seat: Seat | None, rng: Stream) -> WrittenTrick:
        guess = self.clone()
        hidden = [*self.deck]
        for other, hand in enumerate(self.hands):
            if other != seat:
                hidden += hand
        hidden.sort()
        rng.shuffle(hidden)
        guess.deck = [hidden.pop() for _ in self.deck]
        for other, hand in enumerate(self.hands):
            if other != seat:
                guess.hands[other] = [hidden.pop() for _ in hand]
        return guess


@state
class Trick(State):
    """The same, declared."""

    deck: list[int] = secret(to=NOBODY, back=BACK)
    hands: list[list[int]] = secret(to=OWNER, back=BACK)
    trick: list[int]
    leader: int


@dataclass(slots=True)
class WrittenSide:
    """A hand and a deck of one's own, written out."""

    life: int
    hand: list[int]
    deck: list[int]
    board: list[int]

    def clone(self) -> WrittenSide:
        return WrittenSide(self.life, self.hand.copy(), self.deck.copy(), self.board.copy())


@dataclass(slots=True)
class WrittenDuel:
    """Two sides with decks of their own, with everything written out."""

    sides: list[WrittenSide]
    turn: int = 0

    def clone(self) -> WrittenDuel:
        return WrittenDuel([side.clone() for side in self.sides], self.turn)

    def view(self, seat: Seat | None) -> WrittenDuel:
        view = self.clone()
        for owner, side in enumerate(view.sides):
            if owner == seat:
                side.deck.sort(key=by_number)
            else:
                side.deck = [BACK] * len(side.deck)
                side.hand = [BACK] * len(side.hand)
        return view

    def redeal(self, seat: Seat | None, rng: Stream) -> WrittenDuel:
        dealt = self.clone()
        for owner, side in enumerate(dealt.sides):
            if owner == seat:
                side.deck.sort(key=by_number)
                rng.shuffle(side.deck)
                continue
            unseen = sorted(side.hand + side.deck)
            rng.shuffle(unseen)
            cards = len(side.hand)
            side.hand, side.deck = unseen[:cards], unseen[cards:]
        return dealt


def by_number(card: int) -> int:
    return card


@state
class Side(State):
    """The same, declared."""

    life: int
    hand: list[int] = secret(to=OWNER, back=BACK, pool=OWNER)
    deck: list[int] = secret(to=OWNER, back=BACK, pool=OWNER, sorted_by=by_number)
    board: list[int]


@state
class Duel(State):
    """Two sides."""

    sides: list[Side]
    turn: int = 0


def run(seconds: float) -> Iterator[Row]:
    """Race views and redeals of one deck for all, and of a deck for each side."""
    hands = [[7, 9, 1, 4], [2, 3, 5, 6], [8, 11, 12, 10], [13, 14, 15, 16]]
    deck = list(range(17, 25))
    yield from _rows(
        "one deck", WrittenTrick(deck, hands, [], 0), Trick(deck, hands, [], 0), seconds
    )
    cards = list(range(1, 26))
    written = WrittenDuel([WrittenSide(20, cards[:5], cards[5:], [1, 2]) for _ in range(2)])
    declared = Duel([Side(20, cards[:5], cards[5:], [1, 2]) for _ in range(2)])
    yield from _rows("decks of their own", written, declared, seconds)


def _rows(what: str, written: Any, declared: Any, seconds: float) -> Iterator[Row]:
    ways = secrecy_of(type(declared))
    rng = Streams("secrets")["benchmark"]
    contenders: dict[str, dict[str, Callable[[], object]]] = {
        "view": {
            "written": lambda: written.view(0),
            "declared": lambda: ways.view(declared, 0),
        },
        "redeal": {
            "written": lambda: written.redeal(0, rng),
            "declared": lambda: ways.redeal(declared, 0, rng),
        },
    }
    for way, pair in contenders.items():
        result = race({name: _repeated(act) for name, act in pair.items()}, seconds)
        ratio = result.ratio("declared", "written")
        yield Row(f"{way}, {what}", result.speed("declared"), TIMES, ratio, WRITTEN, AT_LEAST)


def _repeated(act: Callable[[], object]) -> Contender:
    def repeat(times: int) -> int:
        for _ in range(times):
            act()
        return times

    return repeat
