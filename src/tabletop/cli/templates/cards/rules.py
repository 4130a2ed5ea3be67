"""The rules.

Two to four players get five cards each and play tricks. Whoever
takes the most tricks wins.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field

from tabletop import (
    NOBODY,
    OWNER,
    Event,
    Options,
    Outcome,
    Seat,
    SecretGame,
    State,
    Streams,
    Table,
    event,
    secret,
    state,
)
from tabletop.parts.cards import (
    BACK,
    Card,
    deal,
    french_deck,
    trick_winner,
)

EACH, LOWEST = 5, 7


@event
class TrickTaken(Event):
    """A seat takes the cards that lie on the table."""

    seat: Seat
    cards: tuple[Card, ...]


@state
class Position(State):
    """The cards: a hand is for its owner, the deck for nobody.

    A trick lies on the table until the next card is led: what is
    taken away sooner is in no picture.
    """

    hands: list[list[Card]] = secret(to=OWNER, back=BACK)
    deck: list[Card] = secret(to=NOBODY, back=BACK)
    taken: list[int]
    leader: Seat = 0
    trick: list[Card] = field(default_factory=list[Card])


class Rules(SecretGame[Position, Card]):
    """An action is the card that is played: `7h`."""

    name = "my-game"
    title = "My game"
    seats = range(2, 5)

    def setup(
        self, options: Options, seats: int, rng: Streams
    ) -> Position:
        deck = french_deck(LOWEST)
        rng["deck"].shuffle(deck)
        hands = [sorted(hand) for hand in deal(deck, seats, EACH)]
        return Position(hands, deck, [0] * seats)

    def to_act(self, state: Position) -> Sequence[Seat]:
        seats = len(state.hands)
        seat = (state.leader + len(state.trick)) % seats
        return (seat,) if state.hands[seat] else ()

    def legal_actions(
        self, state: Position, seat: Seat
    ) -> Sequence[Card]:
        return tuple(state.hands[seat])

    def all_actions(
        self, options: Options, seats: int
    ) -> Sequence[Card]:
        return french_deck(LOWEST)

    def why_not(self, state: Position, action: Card) -> str:
        return f"you do not have {action}"

    def apply(
        self, state: Position, action: Card, table: Table
    ) -> None:
        (seat,) = self.to_act(state)
        seats = len(state.hands)
        if len(state.trick) == seats:
            state.trick.clear()
        state.hands[seat].remove(action)
        state.trick.append(action)
        if len(state.trick) == seats:
            best = trick_winner(state.trick)
            state.leader = (state.leader + best) % seats
            state.taken[state.leader] += 1
            cards = tuple(state.trick)
            table.emit(TrickTaken(state.leader, cards))

    def outcome(self, state: Position) -> Outcome | None:
        if self.to_act(state):
            return None
        return Outcome.by_score(state.taken)
