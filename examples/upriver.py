"""Upriver: two traders send canoes up five rivers, and each costs.

A river has cards for the miles 2 to 10, and three loans. You hold
eight cards. In your turn lay one down at your side of its river, or
leave it on the bank of that river; then draw a card from the deck, or
take the topmost one of a bank, but not the one that you just left.
Cards at a river have to rise; loans are laid before all others.

The match ends with the last card of the deck. A river at which you
have cards is worth their miles less 20: twice that with one loan,
three times with two, four times with three; and 20 more if you have
eight cards there. The higher sum wins.

    tabletop play examples/upriver.py --bot 2
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field
from typing import NamedTuple

from tabletop import (
    ALL,
    NOBODY,
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
    Streams,
    Table,
    Watcher,
    event,
    secret,
    state,
)
from tabletop.display import TextView
from tabletop.parts.cards import deal

RIVERS = ("ash", "birch", "cedar", "elm", "fir")
LOAN, HAND, COST, MANY, PRIZE = 0, 8, 20, 8, 20


class Card(NamedTuple):
    """A card of a river: its miles, or 0 for a loan."""

    river: str
    miles: int

    def __str__(self) -> str:
        return f"{self.river} {self.miles or 'loan'}"


BACK = Card("?", LOAN)
DECK = [
    Card(river, miles)
    for river in RIVERS
    for miles in (LOAN, LOAN, LOAN, *range(2, 11))
]
CARDS = {str(card): card for card in DECK}


@event
class Drawn(Event):
    """A seat has drawn a card of the deck, which it alone sees."""

    seat: Seat
    card: Card = secret(to=OWNER, back=BACK)


@state
class Rivers(State):
    """The cards: hidden, laid down by each seat, and on the banks.

    Attributes:
        known: what was taken from a bank, and is held now.
        left: the bank on which the seat to act has just left a card.
    """

    deck: list[Card] = secret(to=NOBODY, back=BACK)
    hands: list[list[Card]] = secret(to=OWNER, back=BACK, known="known")
    known: Known[Card] = field(default_factory=Known)
    laid: list[list[Card]] = field(default_factory=lambda: [[], []])
    banks: dict[str, list[Card]] = field(default_factory=dict)
    seat: Seat = 0
    left: str = ""


class Upriver(SecretGame[Rivers, str]):
    """The higher sum of all rivers wins."""

    name = "upriver"
    title = "Upriver"

    def setup(
        self, options: Options, seats: int, rng: Streams
    ) -> Rivers:
        deck = rng["deck"].sample(DECK, len(DECK))
        hands = [sorted(hand) for hand in deal(deck, seats, HAND)]
        return Rivers(deck, hands, banks={it: [] for it in RIVERS})

    def to_act(self, state: Rivers) -> Sequence[Seat]:
        return (state.seat,) if state.deck else ()

    def legal_actions(self, state: Rivers, seat: Seat) -> Sequence[str]:
        hand = list(dict.fromkeys(state.hands[seat]))
        if len(state.hands[seat]) < HAND:
            banks = [it for it in RIVERS if state.banks[it]]
            free = [it for it in banks if it != state.left]
            return ["draw", *(f"take {river}" for river in free)]
        rising = [it for it in hand if rises(it, state.laid[seat])]
        return [
            *(f"lay {card}" for card in rising),
            *(f"leave {card}" for card in hand),
        ]

    def apply(self, state: Rivers, action: str, table: Table) -> None:
        seat, hand = state.seat, state.hands[state.seat]
        verb, _, what = action.partition(" ")
        if verb in {"lay", "leave"}:
            card = CARDS[what]
            hand.remove(card)
            state.known.forget(card, seat)
            state.left = card.river if verb == "leave" else ""
            piles = state.banks[card.river], state.laid[seat]
            piles[verb == "lay"].append(card)
            return
        if verb == "draw":
            card = state.deck.pop()
            table.emit(Drawn(seat, card))
        else:
            card = state.banks[what].pop()
            state.known.show(1 - seat, card, seat)
        hand.append(card)
        hand.sort()
        state.seat = 1 - seat

    def outcome(self, state: Rivers) -> Outcome | None:
        if state.deck:
            return None
        sums = [total(laid) for laid in state.laid]
        return Outcome.by_score(sums, "the deck is empty")


def at(river: str, laid: Sequence[Card]) -> Sequence[int]:
    """Return the miles of the cards at a river."""
    return [card.miles for card in laid if card.river == river]


def rises(card: Card, laid: Sequence[Card]) -> bool:
    """Return whether a card may be laid after those laid down."""
    last = max(at(card.river, laid), default=LOAN)
    return last == LOAN or card.miles > last


def worth(miles: Sequence[int]) -> int:
    """Return what cards at a river are worth; nothing for none."""
    if not miles:
        return 0
    prize = PRIZE if len(miles) >= MANY else 0
    return (sum(miles) - COST) * (1 + miles.count(LOAN)) + prize


def total(laid: Sequence[Card]) -> int:
    return sum(worth(at(river, laid)) for river in RIVERS)


def evaluate(state: Rivers, seat: Seat) -> float:
    """Rate the lead, if both lay down all that they hold."""
    lead = prospect(state, seat) - prospect(state, 1 - seat)
    return max(0.0, min(1.0, 0.5 + lead / 300))


def prospect(state: Rivers, seat: Seat) -> int:
    laid, hand = state.laid[seat], state.hands[seat]
    risen = [*laid, *(card for card in hand if rises(card, laid))]
    return sum(
        max(worth(at(river, laid)), worth(at(river, risen)))
        for river in RIVERS
    )


def miles(own: Sequence[int]) -> str:
    """Return cards of a river in words: `$` is a loan."""
    return " ".join(str(it) if it else "$" for it in own)


class RiversText(TextView[Rivers]):
    """A river a line, with the sum of each seat above them."""

    def position(
        self, view: Rivers, names: Sequence[str], seat: Watcher = ALL
    ) -> str:
        rows = [f"{'':7}{names[0]:<25} bank {names[1]}"]
        for river in RIVERS:
            mine, other = (miles(at(river, it)) for it in view.laid)
            top = miles([it.miles for it in view.banks[river][-1:]])
            rows.append(f"{river:<6} {mine:<25} {top:^4} {other}")
        points = [total(laid) for laid in view.laid]
        rows.append(f"points {points[0]:<30} {points[1]}")
        for name, hand in zip(names, view.hands, strict=True):
            there = [(it, miles(at(it, hand))) for it in RIVERS]
            held = [f"{river} {own}" for river, own in there if own]
            if BACK in hand:
                held.append(f"{hand.count(BACK)} cards unseen")
            rows.append(f"{name}: {', '.join(held)}")
        rows.append(f"deck: {len(view.deck)} cards; $ is a loan")
        return "\n".join(row.rstrip() for row in rows)

    def event(
        self, event: Event, names: Sequence[str], seat: Watcher = ALL
    ) -> str:
        if isinstance(event, Drawn):
            card = "a card" if event.card == BACK else event.card
            return f"{names[event.seat]} draws {card}."
        if isinstance(event, ActionPlayed) and event.action == "draw":
            return ""
        return super().event(event, names, seat)


GAME = Upriver()
PLUGIN = Plugin(
    GAME,
    text=RiversText(),
    rulebook=__doc__,
    evaluate=evaluate,
    levels={
        "easy": "search:5",
        "fair": "search:60",
        "hard": "search:10000",
    },
)
