"""Crazy Eights: match the suit or the rank, or name a suit.

Two players get seven cards each, and more players get five. On your
turn, lay down a card with the suit or the rank of the top card. An
eight can be played on any card, and names the suit to follow. If you
cannot or do not want to play, draw a card. Then lay down a card or
pass. When the deck is empty, all cards below the top card are shuffled
and become the new deck.

The first player without cards wins. If all players pass in a row
because no cards are left to draw, the player with the fewest points in
hand wins. An eight counts 50, a picture or a ten 10, an ace 1, and
other cards their rank.

    tabletop play examples/crazy_eights.py --bot 2
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated

from tabletop import (
    ALL,
    NOBODY,
    OWNER,
    ActionPlayed,
    Event,
    Options,
    Outcome,
    Plugin,
    Seat,
    SecretGame,
    State,
    Streams,
    Table,
    Watcher,
    secret,
    state,
)
from tabletop.display import CardTable, CardText, Scene
from tabletop.parts.cards import (
    ACE,
    BACK,
    Card,
    Suit,
    card,
    deal,
    draw_for,
    french_deck,
)
from tabletop.rules import clockwise
from tabletop.states import BAG, PER_SEAT, Length, OneOf, Range

EIGHT = 8
DRAW, PASS = "draw", "pass"
SUITS = {suit.name.lower(): suit for suit in Suit}
AnyCard = Annotated[Card, OneOf(french_deck())]
Cards = Annotated[list[AnyCard], Length(52), BAG]


@state
class Pile(State):
    """The cards, the suit to follow, and the seat to act.

    Attributes:
        laid: The played cards, with the top card last.
        drew: Whether the seat to act has drawn on this turn.
        passed: The number of consecutive passes.
    """

    deck: Cards = secret(to=NOBODY, back=BACK)
    hands: Annotated[list[Cards], PER_SEAT] = secret(
        to=OWNER, back=BACK
    )
    laid: Cards
    suit: Suit
    seat: Seat = 0
    drew: bool = False
    passed: Annotated[int, Range(0, 5)] = 0


class CrazyEights(SecretGame[Pile, str]):
    """The first player without cards wins."""

    name = "crazy-eights"
    title = "Crazy Eights"
    seats = range(2, 6)

    def setup(self, options: Options, seats: int, rng: Streams) -> Pile:
        deck = french_deck()
        rng["deck"].shuffle(deck)
        hands = deal(deck, seats, 7 if seats == 2 else 5)
        first = deck.pop()
        return Pile(
            deck, [sorted(hand) for hand in hands], [first], first.suit
        )

    def to_act(self, state: Pile) -> Sequence[Seat]:
        blocked = state.passed == len(state.hands)
        return () if blocked or [] in state.hands else (state.seat,)

    def legal_actions(self, state: Pile, seat: Seat) -> Sequence[str]:
        actions: list[str] = []
        for own in state.hands[seat]:
            if own.rank == EIGHT:
                actions += [f"{own} {suit}" for suit in SUITS]
            elif (
                state.suit == own.suit
                or state.laid[-1].rank == own.rank
            ):
                actions.append(str(own))
        can_draw = state.deck or len(state.laid) > 1
        return [*actions, DRAW if can_draw and not state.drew else PASS]

    def all_actions(
        self, options: Options, seats: int
    ) -> Sequence[str]:
        deck = french_deck()
        eights = [card for card in deck if card.rank == EIGHT]
        others = [card for card in deck if card.rank != EIGHT]
        named = [f"{card} {suit}" for card in eights for suit in SUITS]
        return [*map(str, others), *named, DRAW, PASS]

    def why_not(self, state: Pile, action: str) -> str:
        if action == DRAW:
            return "you have already drawn, or no cards are left"
        if action == PASS:
            return "draw before you pass"
        if card(action[:2]) not in state.hands[state.seat]:
            return f"you do not hold {action[:2]}"
        return f"{action} has neither the suit nor the rank to follow"

    def apply(self, state: Pile, action: str, table: Table) -> None:
        if action == DRAW:
            draw_one(state, table)
            return
        if action == PASS:
            state.passed += 1
        else:
            own, suit = card(action[:2]), action[3:]
            state.hands[state.seat].remove(own)
            state.laid.append(own)
            state.suit = SUITS[suit] if suit else own.suit
            state.passed = 0
        state.seat = clockwise(state.seat, len(state.hands))
        state.drew = False

    def outcome(self, state: Pile) -> Outcome | None:
        if self.to_act(state):
            return None
        points = [sum(map(worth, hand)) for hand in state.hands]
        return Outcome.by_score(
            points, "points in hand", lowest_wins=True
        )


def draw_one(state: Pile, table: Table) -> None:
    seat, top = state.seat, state.laid.pop()
    drawn = draw_for(seat, state.deck, 1, table, discards=state.laid)
    state.laid.append(top)
    state.hands[seat] = sorted(state.hands[seat] + drawn)
    state.drew, state.passed = True, 0


def worth(own: Card) -> int:
    """Return the points of a card that is still in a hand."""
    if own.rank == EIGHT:
        return 50
    return 1 if own.rank == ACE else min(own.rank, 10)


def evaluate(state: Pile, seat: Seat) -> float:
    """Rate the lead of a seat over the best other seat, in cards.

    An eight counts less than no card at all, because it can be played
    on any card.
    """
    halves = [
        sum(-1 if own.rank == EIGHT else 2 for own in hand)
        for hand in state.hands
    ]
    lead = min(halves[:seat] + halves[seat + 1 :]) - halves[seat]
    return max(0.0, min(1.0, 0.5 + lead / 40))


class EightsPicture(CardTable[Pile]):
    """The hands, the deck and the top card."""

    buttons = tuple(SUITS)

    def piles(
        self, view: Pile, seat: Watcher
    ) -> Mapping[str, Sequence[Card]]:
        return {"deck": view.deck, "on top": view.laid[-1:]}

    def note(self, view: Pile, scene: Scene) -> str:
        return f"follow {view.suit.name.lower()}"


VERBS = {**CardText.verbs, "draw": ""}


class EightsText(CardText[Pile]):
    """The contents of the picture as text."""

    table = EightsPicture()
    verbs = VERBS

    def event(
        self, event: Event, names: Sequence[str], seat: Watcher = ALL
    ) -> str:
        line = super().event(event, names, seat)
        if isinstance(event, ActionPlayed) and " " in str(event.action):
            head, _, suit = line.rpartition(" ")
            return f"{head} and names {suit}"
        return line


GAME = CrazyEights()
PLUGIN = Plugin(
    GAME,
    text=EightsText(),
    picture=EightsPicture,
    rulebook=__doc__,
    summary="Match the suit or rank, and be the first without cards.",
    minutes=10,
    evaluate=evaluate,
    search={"exploration": 0.3},
    levels={"easy": "search:1", "hard": "search:20000"},
)
