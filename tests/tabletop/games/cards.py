"""A card game: hands and the deck are hidden, and every trick goes to its highest card."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tabletop import (
    Command,
    Commands,
    Event,
    Game,
    IllegalAction,
    Integer,
    Options,
    Outcome,
    Seat,
    Stream,
    Streams,
    Table,
    event,
)

CARDS = 24
HAND = 4
HIDDEN = 0


@dataclass(frozen=True, slots=True)
class PlayCard:
    """`play CARD`."""

    card: int

    def __str__(self) -> str:
        return COMMANDS.spell(self)


COMMANDS = Commands(
    Command("play", PlayCard, Integer("card", 1, CARDS), help="Play a card of your hand."),
)


@event
class TrickTaken(Event):
    """The highest card has won."""

    seat: Seat
    card: int


@dataclass(slots=True)
class Trick:
    """All that lies on the table. A card is a number from 1; 0 is one that is not seen."""

    deck: list[int]
    hands: list[list[int]]
    trick: list[int]
    leader: Seat
    tricks: list[int]

    def clone(self) -> Trick:
        """A copy."""
        hands = [hand.copy() for hand in self.hands]
        return Trick(self.deck.copy(), hands, self.trick.copy(), self.leader, self.tricks.copy())

    def __str__(self) -> str:
        return f"hands {self.hands}, on the table {self.trick}"


class Tricks(Game[Trick, PlayCard]):
    """The highest card takes the trick and leads; all draw until the deck is empty."""

    name = "cards"
    title = "Tricks"
    seats = range(2, 5)
    commands = COMMANDS

    def setup(self, options: Options, seats: int, rng: Streams) -> Trick:
        deck = list(range(1, CARDS + 1))
        rng["deck"].shuffle(deck)
        hands = [[deck.pop() for _ in range(HAND)] for _ in range(seats)]
        return Trick(deck, hands, [], 0, [0] * seats)

    def to_act(self, state: Trick) -> Sequence[Seat]:
        seat = (state.leader + len(state.trick)) % len(state.hands)
        return (seat,) if state.hands[seat] else ()

    def legal_actions(self, state: Trick, seat: Seat) -> Sequence[PlayCard]:
        return [PlayCard(card) for card in sorted(state.hands[seat])]

    def check(self, state: Trick, action: PlayCard) -> None:
        (seat,) = self.to_act(state)
        if action.card not in state.hands[seat]:
            raise IllegalAction(f"you do not hold the {action.card}")

    def apply(self, state: Trick, action: PlayCard, table: Table) -> None:
        (seat,) = self.to_act(state)
        state.hands[seat].remove(action.card)
        state.trick.append(action.card)
        if len(state.trick) < len(state.hands):
            return
        best = max(state.trick)
        winner = (state.leader + state.trick.index(best)) % len(state.hands)
        state.tricks[winner] += 1
        state.trick = []
        state.leader = winner
        table.emit(TrickTaken(winner, best))
        if len(state.deck) >= len(state.hands):
            for hand in state.hands:
                hand.append(state.deck.pop())

    def outcome(self, state: Trick) -> Outcome | None:
        return None if self.to_act(state) else Outcome.by_score(state.tricks)

    def view(self, state: Trick, seat: Seat | None) -> Trick:
        shown = state.clone()
        shown.deck = [HIDDEN] * len(state.deck)
        for other, hand in enumerate(state.hands):
            if other != seat:
                shown.hands[other] = [HIDDEN] * len(hand)
        return shown

    def view_event(self, event: Event, state: Trick, seat: Seat | None) -> Event | None:
        return event  # cards are played face up

    def redeal(self, state: Trick, seat: Seat | None, rng: Stream) -> Trick:
        guess = state.clone()
        hidden = [*state.deck]
        for other, hand in enumerate(state.hands):
            if other != seat:
                hidden += hand
        rng.shuffle(hidden)
        guess.deck = [hidden.pop() for _ in state.deck]
        for other, hand in enumerate(state.hands):
            if other != seat:
                guess.hands[other] = [hidden.pop() for _ in hand]
        return guess


GAME = Tricks()
