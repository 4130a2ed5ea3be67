"""Hearts, a trick-taking game with passing.

tabletop play examples/hearts.py --bot all --bot 1=human
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, TypeAlias

from tabletop import (
    ALL,
    OWNER,
    ActionPlayed,
    Event,
    Known,
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
from tabletop.display import (
    CardTable,
    CardText,
    Scene,
    card_name,
)
from tabletop.parts.cards import (
    BACK,
    QUEEN,
    AnyCard,
    Card,
    CardsPassed,
    Suit,
    Trick,
    deal,
    french_deck,
    may_hold,
    misplaced,
)
from tabletop.parts.flow import choosing, pass_cards
from tabletop.states import BAG, PER_SEAT, Length, Range
from tabletop.wording import plural

SEATS, PASSED, HAND, LIMIT, EVERY = 4, 3, 13, 100, 26
FIRST, LADY = Card(Suit.CLUBS, 2), Card(Suit.SPADES, QUEEN)
WAYS = ((1, "to the left"), (-1, "to the right"), (2, "across"), (0, ""))
Hands = Annotated[list[Annotated[list[AnyCard], Length(HAND), BAG]], PER_SEAT]
Piles: TypeAlias = Mapping[str, Sequence[Card]]
Score = Annotated[int, Range(0, LIMIT + EVERY)]


def sees_move(state: Round, seat: Seat | None, move: Move) -> bool:
    return not move.gives or seat == move.seat


@dataclass(frozen=True, slots=True)
class Move:
    """Play a card, or set it aside to pass it."""

    seat: Seat
    card: Card = secret(to=sees_move, back=BACK)
    gives: bool = False

    def __str__(self) -> str:
        return str(self.card)


@event
class Took(Event):
    """A seat takes a trick."""

    seat: Seat
    cards: tuple[Card, ...]


def nothing() -> list[list[Card]]:
    """Return an empty list for each seat."""
    return [[] for _ in range(SEATS)]


@state
class Round(State):
    """A hand of the match. `known` contains the passed cards that their givers still know."""

    scores: Annotated[list[Score], PER_SEAT]
    number: Annotated[int, Range(0, 30)] = -1
    passing: bool = True
    hands: Hands = secret(
        to=OWNER, back=BACK, known="known", fits=may_hold, default_factory=nothing
    )
    aside: Hands = secret(to=OWNER, back=BACK, default_factory=nothing)
    known: Known[Card] = field(default_factory=Known)
    trick: Trick = field(default_factory=lambda: Trick.led_by(None, SEATS))
    won: Annotated[list[Annotated[list[AnyCard], Length(52), BAG]], PER_SEAT] = field(
        default_factory=nothing
    )


class Hearts(SecretGame[Round, Move]):
    """The player with the fewest points wins."""

    name = "hearts"
    title = "Hearts"
    version = "2"  # in version 2, a complete trick records its winner
    seats = range(SEATS, SEATS + 1)
    point_range = (LIMIT + EVERY, 0)

    def setup(self, options: Options, seats: int, rng: Streams) -> Round:
        state = Round([0] * seats)
        deal_hand(state, rng["deck"])
        return state

    def to_act(self, state: Round) -> Sequence[Seat]:
        if max(state.scores) >= LIMIT:
            return ()
        if state.passing:
            return choosing(state.aside, PASSED)
        return (state.trick.turn,)

    def legal_actions(self, state: Round, seat: Seat) -> Sequence[Move]:
        hand = state.hands[seat]
        cards = hand if state.passing else state.trick.following(hand)
        if not state.passing and FIRST in hand:
            cards = [FIRST]
        elif not state.passing and len(hand) == HAND:
            cards = [card for card in cards if not worth([card])] or cards
        elif not (state.passing or state.trick.is_open or any(map(worth, state.won))):
            cards = [card for card in cards if card.suit != Suit.HEARTS] or cards
        return [Move(seat, card, state.passing) for card in cards]

    def all_actions(self, options: Options, seats: int) -> Sequence[Move]:
        cards = [(seat, card) for seat in range(seats) for card in french_deck()]
        return [Move(*pair, gives) for gives in (False, True) for pair in cards]

    def why_not(self, state: Round, action: Move) -> str:
        hand, led = state.hands[action.seat], state.trick.led
        if action.seat not in self.to_act(state):
            return "it is not your turn"
        if action.card not in hand:
            return f"you do not hold {action.card}"
        if led is not None and action.card not in state.trick.following(hand):
            return f"follow suit: you hold {led.name.lower()}"
        return (
            "lead 2c first, play no points in the first trick, lead hearts only once points are won"
        )

    def apply(self, state: Round, action: Move, table: Table) -> None:
        seat, card = action.seat, action.card
        state.hands[seat].remove(card)
        if action.gives:
            state.aside[seat].append(card)
            if not choosing(state.aside, PASSED):
                pass_all(state, table)
            return
        state.known.forget(card, seat)
        taker = state.trick.lay(card)
        if taker is not None:
            state.won[taker] += state.trick.played
            table.emit(Took(taker, tuple(state.trick.played)))
            if not any(state.hands):
                pairs = zip(state.scores, counted(state.won), strict=True)
                state.scores = [old + new for old, new in pairs]
                deal_hand(state, table.rng["deck"])

    def outcome(self, state: Round) -> Outcome | None:
        if self.to_act(state):
            return None
        return Outcome.by_score(state.scores, "points", lowest_wins=True)

    def fault(self, state: Round) -> str | None:
        return misplaced(french_deck(), state.hands, state.aside, state.won, state.trick)


def way(state: Round) -> tuple[int, str]:
    """Return the number of seats by which cards are passed in this hand, and a description."""
    return WAYS[state.number % len(WAYS)]


def worth(cards: Iterable[Card]) -> int:
    """Return the points of cards: one for each heart, thirteen for the queen of spades."""
    return sum(13 if card == LADY else card.suit == Suit.HEARTS for card in cards)


def deal_hand(state: Round, rng: Stream) -> None:
    state.hands = [sorted(hand) for hand in deal(rng.sample(french_deck(), 52), SEATS, HAND)]
    state.number, state.passing, state.won = state.number + 1, True, nothing()
    state.trick.begin()
    if not way(state)[0]:
        begin_play(state)


# --8<-- [start:passing]
def pass_all(state: Round, table: Table) -> None:
    """Give each seat the cards that are passed to it."""
    steps, _ = way(state)
    given = pass_cards(state.hands, state.aside, steps, state.known)
    for giver, seat, cards in given:
        state.hands[seat].sort()
        table.emit(CardsPassed(seat, giver, tuple(cards)))
    begin_play(state)


def begin_play(state: Round) -> None:
    """Let the holder of 2c lead."""
    state.passing = False
    state.trick.begin(holder(state.hands))


# --8<-- [end:passing]
def holder(hands: Sequence[Sequence[Card]]) -> Seat:
    return [FIRST in hand for hand in hands].index(True)


def counted(won: Sequence[Sequence[Card]]) -> list[int]:
    """Return the points of each seat. A seat with all points gives them to the others instead."""
    points = list(map(worth, won))
    return [EVERY - own for own in points] if EVERY in points else points


def points_of(view: Round, seat: Seat) -> str:
    return f"{view.scores[seat]}+{worth(view.won[seat])} points"


def passed_on(view: Round) -> str:
    """Describe the passing of this hand. Empty during play, unless the hand has no passing."""
    steps, words = way(view)
    if not steps:
        return "nobody passes cards in this hand"
    return f"pass {PASSED} {words}" if view.passing else ""


# --8<-- [start:picture]
class HeartsPicture(CardTable[Round]):
    """The table, and the cards that the viewer has set aside."""

    def status(self, view: Round, seat: Seat) -> str:
        return points_of(view, seat)

    def note(self, view: Round, scene: Scene) -> str:
        return passed_on(view)

    def piles(self, view: Round, seat: Watcher) -> Piles:
        if not view.passing or not isinstance(seat, int):
            return {}
        return {way(view)[1]: view.aside[seat]}


# --8<-- [end:picture]


class HeartsText(CardText[Round]):
    """The contents of the picture as text, and the events."""

    table = HeartsPicture()

    def asked(self, view: Round, seat: Seat, names: Sequence[str]) -> str:
        return passed_on(view).capitalize() if view.passing else ""

    def event(self, event: Event, names: Sequence[str], seat: Watcher = ALL) -> str:
        if (
            isinstance(event, ActionPlayed)
            and isinstance(event.action, Move)
            and event.action.gives
        ):
            return f"{names[event.seat]} passes on the {card_name(event.action.card)}."
        if isinstance(event, Took):
            points = plural(worth(event.cards), "point")
            return f"{names[event.seat]} takes the trick: {points}."
        return super().event(event, names, seat)

    def pause(self, event: Event) -> float:
        return 2.5 * isinstance(event, Took)


class Keen:
    """Avoids tricks, discards dangerous cards, and counts the cards that are still out."""

    def choose(self, view: Round, actions: Sequence[Move]) -> Move:
        hand, cards = view.hands[actions[0].seat], [action.card for action in actions]
        gone = {*hand, *view.trick.played, *(card for pile in view.won for card in pile)}
        best = max(cards, key=lambda card: danger(card, hand))
        if not actions[0].gives:
            best = pick(view.trick, cards, [card for card in french_deck() if card not in gone])
        return actions[cards.index(best)]


def danger(card: Card, hand: Sequence[Card]) -> int:
    """Rate how dangerous a card is: high cards, short suits, and high spades."""
    short = HAND - sum(held.suit == card.suit for held in hand)
    if card.suit == Suit.SPADES:
        return (card.rank >= QUEEN) * (40 * (short > 8) + card.rank + 30 * (card == LADY))
    return card.rank + 2 * short + 8 * (card.suit == Suit.HEARTS and card.rank > 6)


def below(card: Card, out: Sequence[Card]) -> tuple[float, int]:
    """Return the share of the outstanding cards of the suit that are lower, and the rank."""
    ranks = [other.rank for other in out if other.suit == card.suit]
    return sum(rank < card.rank for rank in ranks) / max(1, len(ranks)), card.rank


def pick(trick: Trick, cards: list[Card], out: Sequence[Card]) -> Card:
    """Return the best of the legal cards."""
    if trick.led is None:
        return min(cards, key=lambda card: (card > LADY and LADY in out, below(card, out)))
    if cards[0].suit != trick.led:
        return max(cards, key=lambda card: 99 * (card == LADY) + danger(card, cards))
    under = [card for card in cards if not trick.beats(card)]
    others = [card for card in cards if card != LADY]
    if LADY in under:
        return LADY
    if len(trick.played) == SEATS - 1 and not (under and worth(trick.played)):
        return (others or cards)[-1]
    return under[-1] if under else (others or cards)[0]


def evaluate(state: Round, seat: Seat) -> float:
    """Rate the points at the end of the hand if all seats continue like `Keen`."""
    hands = [sorted([*hand, *aside]) for hand, aside in zip(state.hands, state.aside, strict=True)]
    trick, won = state.trick.clone(), [pile.copy() for pile in state.won]
    if state.passing:
        trick.begin(holder(hands))
    while hand := hands[trick.turn]:
        card = pick(trick, trick.following(hand), ())
        hand.remove(card)
        taker = trick.lay(card)
        if taker is not None:
            won[taker] += trick.played
    return 1 - min(1.0, (state.scores[seat] + counted(won)[seat]) / (LIMIT + EVERY))


GAME = Hearts()
PLUGIN = Plugin(
    GAME,
    text=HeartsText(),
    picture=HeartsPicture,
    rulebook=Path(__file__).with_suffix(".md"),
    summary="Avoid tricks with hearts, hand after hand.",
    minutes=30,
    bots={"keen": lambda stream: Keen()},
    levels={"easy": "search:3", "fair": "search:20", "hard": "keen"},
    evaluate=evaluate,
)
