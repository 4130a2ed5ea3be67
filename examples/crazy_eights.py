"""Crazy Eights: follow the suit or the rank, or name a suit.

Two players get seven cards each, more players five. In your turn lay
down a card that has the suit or the rank of the topmost one. An eight
goes on everything, and names the suit that comes next. Or draw a
card; then lay one down or pass. When the deck is used up, all cards
below the topmost one are shuffled and are the deck again.

Who has no card left wins. If all pass in a row because nothing is
left to draw, those with the fewest points in hand win: an eight
counts 50, a picture or a ten 10, an ace 1, others what they show.

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
    event,
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
    french_deck,
)
from tabletop.rules import clockwise
from tabletop.states import BAG, PER_SEAT, Length, OneOf, Range

EIGHT = 8
DRAW, PASS = "draw", "pass"
SUITS = {suit.name.lower(): suit for suit in Suit}
AnyCard = Annotated[Card, OneOf(french_deck())]
Cards = Annotated[list[AnyCard], Length(52), BAG]


@event
class Drawn(Event):
    """A seat has drawn a card, which it alone sees."""

    seat: Seat
    card: Card = secret(to=OWNER, back=BACK)


@state
class Pile(State):
    """The cards, the suit to follow, and whose turn it is.

    Attributes:
        laid: the open cards, the last one on top.
        drew: whether the seat to act has drawn in this turn.
        passed: how many seats have passed in a row.
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
    """The first one without cards wins."""

    name = "crazy-eights"
    title = "Crazy Eights"
    seats = range(2, 6)

    def setup(self, options: Options, seats: int, rng: Streams) -> Pile:
        deck = french_deck()
        rng["deck"].shuffle(deck)
        hands = deal(deck, seats, 7 if seats == 2 else 5)
        first = deck.pop()
        return Pile(
            deck, [sorted(it) for it in hands], [first], first.suit
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
        eights = [it for it in french_deck() if it.rank == EIGHT]
        others = [it for it in french_deck() if it.rank != EIGHT]
        named = [f"{it} {suit}" for it in eights for suit in SUITS]
        return [*map(str, others), *named, DRAW, PASS]

    def why_not(self, state: Pile, action: str) -> str:
        if action == DRAW:
            return "you have drawn, or there is nothing left to draw"
        if action == PASS:
            return "draw before you pass"
        if card(action[:2]) not in state.hands[state.seat]:
            return f"you do not hold {action[:2]}"
        return f"{action} has neither this suit nor this rank"

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
    if not state.deck:
        state.deck, state.laid = state.laid[:-1], state.laid[-1:]
        table.rng["deck"].shuffle(state.deck)
    drawn, hand = state.deck.pop(), state.hands[state.seat]
    hand.append(drawn)
    hand.sort()
    state.drew, state.passed = True, 0
    table.emit(Drawn(state.seat, drawn))


def worth(own: Card) -> int:
    """Return what a card costs who still holds it."""
    if own.rank == EIGHT:
        return 50
    return 1 if own.rank == ACE else min(own.rank, 10)


def evaluate(state: Pile, seat: Seat) -> float:
    """Rate how many cards fewer a seat has than the best other.

    An eight counts for less than no card: it fits whatever lies there.
    """
    halves = [
        sum(-1 if own.rank == EIGHT else 2 for own in hand)
        for hand in state.hands
    ]
    lead = min(halves[:seat] + halves[seat + 1 :]) - halves[seat]
    return max(0.0, min(1.0, 0.5 + lead / 40))


class EightsPicture(CardTable[Pile]):
    """The hands, the deck and the topmost card."""

    buttons = tuple(SUITS)

    def piles(
        self, view: Pile, seat: Watcher
    ) -> Mapping[str, Sequence[Card]]:
        return {"deck": view.deck, "on top": view.laid[-1:]}

    def note(self, view: Pile, scene: Scene) -> str:
        return f"follow {view.suit.name.lower()}"


class EightsText(CardText[Pile]):
    """The same in words."""

    table = EightsPicture()

    def event(
        self, event: Event, names: Sequence[str], seat: Watcher = ALL
    ) -> str:
        if isinstance(event, Drawn):
            what = "a card" if event.card == BACK else event.card
            return f"{names[event.seat]} draws {what}."
        if isinstance(event, ActionPlayed) and event.action == DRAW:
            return ""
        return super().event(event, names, seat)


GAME = CrazyEights()
PLUGIN = Plugin(
    GAME,
    text=EightsText(),
    picture=EightsPicture,
    rulebook=__doc__,
    evaluate=evaluate,
    search={"exploration": 0.3},
    levels={"easy": "search:1", "hard": "search:20000"},
)
