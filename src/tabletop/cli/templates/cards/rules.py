"""The rules.

Two to four players get five cards each and play tricks. They must
follow suit. The player with the most tricks wins.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from tabletop import (
    NOBODY,
    OWNER,
    Commands,
    Event,
    Options,
    Outcome,
    Seat,
    SecretGame,
    Spelled,
    State,
    Streams,
    Table,
    event,
    secret,
    state,
)
from tabletop.parts.cards import (
    BACK,
    AnyCard,
    Card,
    CardCommand,
    CardWord,
    Trick,
    deal,
    french_deck,
    may_hold,
    misplaced,
)
from tabletop.states import BAG, PER_SEAT, UNOBSERVED, Length

EACH, LOWEST = 5, 7
Hands = Annotated[list[Annotated[list[AnyCard], Length(EACH), BAG]], PER_SEAT]
Won = Annotated[list[Annotated[list[AnyCard], Length(32), BAG]], PER_SEAT]


@dataclass(frozen=True)
class Play(Spelled):
    """Play a card: `7h`, or `play 7h`."""

    card: Card


COMMANDS = Commands(CardCommand("play", Play, CardWord("card"), help="Play a card."))


@event
class TrickTaken(Event):
    """A seat takes a trick."""

    seat: Seat


@state
class Position(State):
    """The cards. Only its owner sees a hand, and nobody sees the deck.

    A player who did not follow a suit has no card of it, so search bots
    never assume such a card in the hand of that player.
    """

    hands: Hands = secret(to=OWNER, back=BACK, fits=may_hold)
    deck: Annotated[list[Card], UNOBSERVED] = secret(to=NOBODY, back=BACK)
    won: Won
    trick: Trick


class Rules(SecretGame[Position, Play]):
    """The player who takes a trick leads the next one."""

    name = "my-game"
    title = "My game"
    seats = range(2, 5)
    commands = COMMANDS

    def setup(self, options: Options, seats: int, rng: Streams) -> Position:
        deck = french_deck(LOWEST)
        rng["deck"].shuffle(deck)
        hands = [sorted(hand) for hand in deal(deck, seats, EACH)]
        won: list[list[Card]] = [[] for _ in range(seats)]
        return Position(hands, deck, won, Trick.led_by(0, seats))

    def to_act(self, state: Position) -> Sequence[Seat]:
        seat = state.trick.turn
        return (seat,) if state.hands[seat] else ()

    def legal_actions(self, state: Position, seat: Seat) -> Sequence[Play]:
        return [*map(Play, state.trick.following(state.hands[seat]))]

    def all_actions(self, options: Options, seats: int) -> Sequence[Play]:
        return [Play(card) for card in french_deck(LOWEST)]

    def why_not(self, state: Position, action: Play) -> str:
        if action.card not in state.hands[state.trick.turn]:
            return f"you do not have {action.card}"
        return "follow suit: you have a card of the suit led"

    def apply(self, state: Position, action: Play, table: Table) -> None:
        state.hands[state.trick.turn].remove(action.card)
        taker = state.trick.lay(action.card)
        if taker is not None:
            state.won[taker] += state.trick.played
            table.emit(TrickTaken(taker))

    def outcome(self, state: Position) -> Outcome | None:
        if self.to_act(state):
            return None
        seats = range(len(state.won))
        return Outcome.by_score([tricks(state, seat) for seat in seats])

    def fault(self, state: Position) -> str | None:
        cards, unplayed = french_deck(LOWEST), (state.hands, state.deck)
        return misplaced(cards, *unplayed, state.won, state.trick)


def tricks(state: Position, seat: Seat) -> int:
    """Return the number of tricks that a seat has taken."""
    return len(state.won[seat]) // len(state.hands)
