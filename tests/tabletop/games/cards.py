"""A card game: hands and the deck are hidden, and every trick goes to its highest card."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tabletop import (
    NOBODY,
    OWNER,
    Command,
    Commands,
    Event,
    Integer,
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


@state
class Trick(State):
    """All that lies on the table. A card is a number from 1; 0 is one that is not seen."""

    deck: list[int] = secret(to=NOBODY, back=HIDDEN)
    hands: list[list[int]] = secret(to=OWNER, back=HIDDEN)
    trick: list[int]
    leader: Seat
    tricks: list[int]

    def __str__(self) -> str:
        return f"hands {self.hands}, on the table {self.trick}"


class Tricks(SecretGame[Trick, PlayCard]):
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

    def why_not(self, state: Trick, action: PlayCard) -> str:
        return f"you do not hold the {action.card}"

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


GAME = Tricks()
