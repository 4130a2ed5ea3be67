"""A trick-taking game in which tricks are bad.

tabletop play examples/nettles.py --bot all --bot 1=human
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated

from tabletop import (
    ALL,
    OWNER,
    Event,
    Known,
    Match,
    Options,
    Outcome,
    Plugin,
    Seat,
    SecretGame,
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
from tabletop.parts.cards import (
    BACK,
    QUEEN,
    Card,
    Suit,
    Trick,
    deal,
    french_deck,
)
from tabletop.parts.flow import choosing, pass_cards
from tabletop.states import BAG, PER_SEAT, Length, OneOf, Range

SEATS, PASSED, HAND, LIMIT = 4, 3, 13, 50
FIRST, WASP = Card(Suit.CLUBS, 2), Card(Suit.SPADES, QUEEN)
AnyCard = Annotated[Card, OneOf(french_deck())]
Hand = Annotated[list[AnyCard], Length(HAND), BAG]
Stings = Annotated[int, Range(0, LIMIT + 26)]
STINGS = {card: 13 if card == WASP else 1 for card in (*french_deck()[26:39], WASP)}


# --8<-- [start:secrets]
def sees_move(state: Round, seat: Seat | None, move: Move) -> bool:
    return not move.gives or seat == move.seat


def sees_cards(state: Round, seat: Seat | None, took: Took) -> bool:
    giver = (took.seat - 1) % SEATS
    return took.stings is not None or seat in {took.seat, giver}


@dataclass(frozen=True, slots=True)
class Move:
    """Play a card, or set it aside to pass it."""

    seat: Seat
    card: Card = secret(to=sees_move, back=BACK)
    gives: bool = False

    def __str__(self) -> str:
        return f"give {self.card}" if self.gives else str(self.card)


@event
class Took(Event):
    """A seat takes a trick, or gets passed cards that two seats see."""

    seat: Seat
    cards: tuple[Card, ...] = secret(to=sees_cards, back=BACK)
    stings: int | None = None


# --8<-- [end:secrets]


@state
class Round(State):
    """A round. `known` contains the passed cards that their givers still know."""

    scores: Annotated[list[Stings], PER_SEAT]
    passing: bool = True
    hands: Annotated[list[Hand], PER_SEAT] = secret(
        to=OWNER, back=BACK, known="known", default_factory=list
    )
    aside: Annotated[list[Hand], PER_SEAT] = secret(to=OWNER, back=BACK, default_factory=list)
    known: Known[Card] = field(default_factory=Known)
    trick: Trick = field(default_factory=lambda: Trick.led_by(None, SEATS))
    taken: Annotated[list[Stings], PER_SEAT] = field(default_factory=list)


class Nettles(SecretGame[Round, Move]):
    """The player with the fewest stings wins."""

    name = "nettles"
    title = "Nettles"
    seats = range(SEATS, SEATS + 1)

    def setup(self, options: Options, seats: int, rng: Streams) -> Round:
        state = Round([0] * seats)
        deal_round(state, rng["deck"])
        return state

    def to_act(self, state: Round) -> Sequence[Seat]:
        if max(state.scores) >= LIMIT:
            return ()
        return choosing(state.aside, PASSED) if state.passing else (state.trick.turn,)

    def legal_actions(self, state: Round, seat: Seat) -> Sequence[Move]:
        hand = state.hands[seat]
        if state.passing:
            return [Move(seat, card, gives=True) for card in hand]
        cards = state.trick.following(hand)
        if not state.trick.is_open and not any(state.taken):
            cards = [card for card in hand if card.suit != Suit.HEARTS] or hand
        if len(hand) == HAND:
            cards = [card for card in cards if card not in STINGS] or cards
        return [Move(seat, card) for card in cards]

    def all_actions(self, options: Options, seats: int) -> Sequence[Move]:
        cards = [(seat, card) for seat in range(seats) for card in french_deck()]
        return [Move(*pair, gives) for gives in (False, True) for pair in cards]

    def apply(self, state: Round, action: Move, table: Table) -> None:
        seat, card = action.seat, action.card
        state.hands[seat].remove(card)
        if not action.gives:
            state.known.forget(card, seat)
            if (taker := state.trick.lay(card)) is not None:
                end_trick(state, taker, table)
            return
        state.aside[seat].append(card)
        if not choosing(state.aside, PASSED):
            begin_play(state, table)

    def outcome(self, state: Round) -> Outcome | None:
        if self.to_act(state):
            return None
        return Outcome.by_score(state.scores, f"{max(state.scores)} stings", lowest_wins=True)


def deal_round(state: Round, rng: Stream) -> None:
    deck = rng.sample(french_deck(), SEATS * HAND)
    state.hands = [sorted(hand) for hand in deal(deck, SEATS, HAND)]
    state.aside = [[] for _ in range(SEATS)]
    state.taken, state.passing = [0] * SEATS, True


# --8<-- [start:passing]
def begin_play(state: Round, table: Table) -> None:
    """Pass the cards, and lead the first card."""
    given = pass_cards(state.hands, state.aside, 1, state.known)
    for _, seat, cards in given:
        state.hands[seat].sort()
        table.emit(Took(seat, tuple(cards)))
    state.passing = False
    leader = [FIRST in hand for hand in state.hands].index(True)
    state.hands[leader].remove(FIRST)
    state.known.forget(FIRST, leader)
    state.trick.begin(leader)
    state.trick.lay(FIRST)


# --8<-- [end:passing]


def end_trick(state: Round, taker: Seat, table: Table) -> None:
    stings = sum(STINGS.get(card, 0) for card in state.trick.played)
    state.taken[taker] += stings
    table.emit(Took(taker, tuple(state.trick.played), stings))
    if not any(state.hands):
        if 26 in state.taken:
            state.taken = [26 - stings for stings in state.taken]
        pairs = zip(state.scores, state.taken, strict=True)
        state.scores = [score + taken for score, taken in pairs]
        deal_round(state, table.rng["deck"])


VERBS = {"": "plays {}", "give": "passes on {}"}


class NettlesText(TextView[Round]):
    """The hand of the viewer, the trick, and the stings."""

    verbs = VERBS

    def position(self, view: Round, names: Sequence[str], seat: Watcher = ALL) -> str:
        hands = [[] if BACK in hand else hand for hand in view.hands]
        stings = [f"{old}+{new} stings" for old, new in zip(view.scores, view.taken, strict=True)]
        rows = zip([*names, "trick"], [*stings, ""], [*hands, view.trick.played], strict=True)
        return "\n".join(
            f"{name:<8} {score:<14} {' '.join(map(str, cards))}" for name, score, cards in rows
        )

    def event(self, event: Event, names: Sequence[str], seat: Watcher = ALL) -> str:
        if isinstance(event, Took):
            stung = f": {event.stings} stings" if event.stings else ""
            return f"{names[event.seat]} gets {' '.join(map(str, event.cards))}{stung}."
        return super().event(event, names, seat)


class Careful:
    """Discards the worst card that does not take the trick, or else plays the lowest."""

    def choose(self, view: Round, actions: Sequence[Move]) -> Move:
        if actions[0].gives:
            return actions[-1]
        card = careful(view.trick, [move.card for move in actions])
        return next(move for move in actions if move.card == card)


def careful(trick: Trick, cards: Sequence[Card]) -> Card:
    """Return the last card that does not take the trick, or else the lowest card."""
    safe = [card for card in cards if not trick.beats(card)]
    return safe[-1] if safe else min(cards, key=lambda card: card.rank)


def evaluate(state: Round, seat: Seat) -> float:
    """Rate the stings at the end of the round if all seats continue like `Careful`."""
    hands = [sorted([*hand, *state.aside[place - 1]]) for place, hand in enumerate(state.hands)]
    trick, taken = state.trick.clone(), state.taken.copy()
    if state.passing:
        trick.begin(0)
    while hand := hands[trick.turn]:
        card = careful(trick, trick.following(hand))
        hand.remove(card)
        if (taker := trick.lay(card)) is not None:
            taken[taker] += sum(STINGS.get(played, 0) for played in trick.played)
    stings = [score + new for score, new in zip(state.scores, taken, strict=True)]
    return max(0.0, min(1.0, 0.5 + (sum(stings) / SEATS - stings[seat]) / LIMIT))


GAME = Nettles()
PLUGIN = Plugin(
    GAME,
    text=NettlesText(),
    rulebook=Path(__file__).with_suffix(".md"),
    summary="Take no tricks with hearts.",
    minutes=10,
    bots={"careful": lambda stream: Careful()},
    evaluate=evaluate,
    levels={"easy": "search:3", "fair": "search:40", "hard": "search:2000"},
)


def main() -> None:
    names, bots = ("Ann", "Bo", "Cid", "Dee"), [Careful()] * SEATS
    match = Match(GAME, seed="old oak", seats=names, players=bots)
    match.observe(lambda event: print(PLUGIN.text.event(event, match.names, 0)), seat=0)
    match.run(80)
    print(PLUGIN.text.position(match.view(0), match.names, 0))


if __name__ == "__main__":
    main()
