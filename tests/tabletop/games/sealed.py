"""Sealed words: hands, the deck and what is put aside are words that stand nowhere else.

Whoever finds one of them where it must not be has found a leak.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product

from tabletop import (
    ActionPlayed,
    Event,
    Game,
    Options,
    Outcome,
    Seat,
    Stream,
    Streams,
    Table,
    event,
)

WORDS = tuple(f"zq{first}{last}" for first, last in product(("vub", "jex", "wyq"), "abcdefghijkl"))
HIDDEN = "sealed"
HAND = 3


@dataclass(frozen=True, slots=True)
class Use:
    """Show a card of one's hand to everybody, or put it aside, face down."""

    shown: bool
    place: int

    def __str__(self) -> str:
        return f"{'show' if self.shown else 'hide'} {self.place + 1}"


ACTIONS = tuple(Use(shown, place) for shown in (True, False) for place in range(HAND))


@event
class Drawn(Event):
    """A card has come into a hand; `HIDDEN` for the others."""

    seat: Seat
    word: str


@event
class Used(Event):
    """A card was shown or put aside; `HIDDEN` for the others when it was put aside."""

    seat: Seat
    word: str
    shown: bool


@dataclass(slots=True)
class Cards:
    """The deck, whose last card is next; the hands; what each has put aside; what was shown."""

    deck: list[str]
    hands: list[list[str]]
    aside: list[list[str]]
    shown: list[str]
    turn: int = 0

    def clone(self) -> Cards:
        """A copy."""
        hands = [hand.copy() for hand in self.hands]
        aside = [cards.copy() for cards in self.aside]
        return Cards(self.deck.copy(), hands, aside, self.shown.copy(), self.turn)


class Sealed(Game[Cards, Use]):
    """Show what you hold, or put it aside; the last word of the alphabet that was hidden wins."""

    name = "sealed"
    title = "Sealed words"
    seats = range(2, 4)

    def setup(self, options: Options, seats: int, rng: Streams) -> Cards:
        deck = list(WORDS)
        rng["deck"].shuffle(deck)
        hands = [[deck.pop() for _ in range(HAND)] for _ in range(seats)]
        return Cards(deck, hands, [[] for _ in range(seats)], [])

    def to_act(self, state: Cards) -> Sequence[Seat]:
        seat = state.turn % len(state.hands)
        return (seat,) if state.hands[seat] else ()

    def legal_actions(self, state: Cards, seat: Seat) -> Sequence[Use]:
        return [use for use in ACTIONS if use.place < len(state.hands[seat])]

    def all_actions(self, options: Options, seats: int) -> Sequence[Use]:
        return ACTIONS

    def apply(self, state: Cards, action: Use, table: Table) -> None:
        seat = state.turn % len(state.hands)
        word = state.hands[seat].pop(action.place)
        (state.shown if action.shown else state.aside[seat]).append(word)
        table.emit(Used(seat, word, action.shown))
        if len(state.deck) > len(WORDS) // 2:
            state.hands[seat].append(state.deck.pop())
            table.emit(Drawn(seat, state.hands[seat][-1]))
        state.turn += 1

    def outcome(self, state: Cards) -> Outcome | None:
        if self.to_act(state):
            return None
        return Outcome.by_score([len(cards) for cards in state.aside])

    def view(self, state: Cards, seat: Seat | None) -> Cards:
        view = state.clone()
        view.deck = [HIDDEN] * len(view.deck)
        for cards in (view.hands, view.aside):
            for other, held in enumerate(cards):
                if other != seat:
                    cards[other] = [HIDDEN] * len(held)
        return view

    def view_event(self, event: Event, state: Cards, seat: Seat | None) -> Event | None:
        match event:
            case Drawn(owner) if owner != seat:
                return Drawn(owner, HIDDEN)
            case Used(owner, shown=False) if owner != seat:
                return Used(owner, HIDDEN, False)
            case ActionPlayed(ply, owner, Use(False)) if owner != seat:
                return ActionPlayed(ply, owner, None)
        return event

    def redeal(self, state: Cards, seat: Seat | None, rng: Stream) -> Cards:
        dealt = state.clone()
        others = [other for other in range(len(dealt.hands)) if other != seat]
        hidden = [dealt.deck, *(zone[it] for it in others for zone in (dealt.hands, dealt.aside))]
        words = sorted(word for cards in hidden for word in cards)
        rng.shuffle(words)
        for cards in hidden:
            cards[:] = [words.pop() for _ in cards]
        return dealt


GAME = Sealed()
