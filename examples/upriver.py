"""Upriver: two traders send canoes up five rivers, and each costs.

Each river has cards for the miles 2 to 10, and three loans. You hold
eight cards. On your turn, lay a card down on your side of its river, or
leave it on the bank of that river. Then draw a card from the deck, or
take the top card of a bank, except the card that you have just left.
The cards on your side of a river must rise, and loans come before all
other cards.

The match ends when the last card of the deck is drawn. A river where
you have cards is worth the sum of their miles minus 20. One loan
doubles this value, two loans triple it, and three loans quadruple it.
Eight or more cards at a river add 20 points. The player with the higher
total wins.

    tabletop play examples/upriver.py --bot 2
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import field
from functools import partial
from typing import NamedTuple

from tabletop import (
    ALL,
    NOBODY,
    OWNER,
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
from tabletop.display import (
    Box,
    Column,
    Face,
    Grid,
    Label,
    Panel,
    Part,
    Picture,
    Row,
    Scene,
    Stack,
    TextView,
    button,
    group,
    mark,
    playing_card,
    turn_in_words,
)
from tabletop.parts.cards import BACK as HIDDEN
from tabletop.parts.cards import Card as PlayingCard
from tabletop.parts.cards import deal
from tabletop.wording import plural

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
    """A seat has drawn a card from the deck, which only it sees."""

    seat: Seat
    card: Card = secret(to=OWNER, back=BACK)


@state
class Rivers(State):
    """The cards: hidden, laid down by each seat, and on the banks.

    Attributes:
        known: The cards in hands that were taken from a bank.
        left: The bank where the seat to act has just left a card.
    """

    deck: list[Card] = secret(to=NOBODY, back=BACK)
    hands: list[list[Card]] = secret(to=OWNER, back=BACK, known="known")
    known: Known[Card] = field(default_factory=Known)
    laid: list[list[Card]] = field(default_factory=lambda: [[], []])
    banks: dict[str, list[Card]] = field(default_factory=dict)
    seat: Seat = 0
    left: str = ""


class Upriver(SecretGame[Rivers, str]):
    """The player with the higher total of all rivers wins."""

    name = "upriver"
    title = "Upriver"

    def setup(
        self, options: Options, seats: int, rng: Streams
    ) -> Rivers:
        deck = rng["deck"].sample(DECK, len(DECK))
        hands = [sorted(hand) for hand in deal(deck, seats, HAND)]
        return Rivers(deck, hands, banks={name: [] for name in RIVERS})

    def to_act(self, state: Rivers) -> Sequence[Seat]:
        return (state.seat,) if state.deck else ()

    def legal_actions(self, state: Rivers, seat: Seat) -> Sequence[str]:
        hand = list(dict.fromkeys(state.hands[seat]))
        if len(state.hands[seat]) < HAND:
            banks = [name for name in RIVERS if state.banks[name]]
            free = [name for name in banks if name != state.left]
            return ["draw", *(f"take {river}" for river in free)]
        laid = state.laid[seat]
        rising = [card for card in hand if rises(card, laid)]
        return [
            *(f"lay {card}" for card in rising),
            *(f"leave {card}" for card in hand),
        ]

    def apply(self, state: Rivers, action: str, table: Table) -> None:
        seat, hand = state.seat, state.hands[state.seat]
        verb, _, rest = action.partition(" ")
        if verb in {"lay", "leave"}:
            card = CARDS[rest]
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
            card = state.banks[rest].pop()
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
    """Check whether a card may be laid down after the laid cards."""
    last = max(at(card.river, laid), default=LOAN)
    return last == LOAN or card.miles > last


def worth(miles: Sequence[int]) -> int:
    """Return the points for cards at a river; 0 without cards."""
    if not miles:
        return 0
    prize = PRIZE if len(miles) >= MANY else 0
    return (sum(miles) - COST) * (1 + miles.count(LOAN)) + prize


def total(laid: Sequence[Card]) -> int:
    return sum(worth(at(river, laid)) for river in RIVERS)


def evaluate(state: Rivers, seat: Seat) -> float:
    """Rate the lead, as if both seats laid down all cards they can."""
    lead = prospect(state, seat) - prospect(state, 1 - seat)
    return max(0.0, min(1.0, 0.5 + lead / 300))


def prospect(state: Rivers, seat: Seat) -> int:
    laid, hand = state.laid[seat], state.hands[seat]
    risen = [*laid, *(card for card in hand if rises(card, laid))]
    return sum(
        max(worth(at(river, laid)), worth(at(river, risen)))
        for river in RIVERS
    )


def miles(cards: Sequence[int]) -> str:
    """Format the cards of a river. A loan is `$`."""
    return " ".join(str(mile) if mile else "$" for mile in cards)


VERBS = {
    "lay": "lays {}",
    "leave": "leaves {} on the bank",
    "take": "takes the top card of the {} bank",
    "draw": "",
    "Drawn": "draws {card}",
}


class RiversText(TextView[Rivers]):
    """One line per river, with the names of the players above."""

    verbs = VERBS

    def position(
        self, view: Rivers, names: Sequence[str], seat: Watcher = ALL
    ) -> str:
        rows = [f"{'':7}{names[0]:<25} bank {names[1]}"]
        for river in RIVERS:
            mine, other = (miles(at(river, laid)) for laid in view.laid)
            top = miles([card.miles for card in view.banks[river][-1:]])
            rows.append(f"{river:<6} {mine:<25} {top:^4} {other}")
        points = [total(laid) for laid in view.laid]
        rows.append(f"points {points[0]:<30} {points[1]}")
        for name, hand in zip(names, view.hands, strict=True):
            cards = [
                (river, miles(at(river, hand))) for river in RIVERS
            ]
            held = [
                f"{river} {words}" for river, words in cards if words
            ]
            if BACK in hand:
                held.append(f"{hand.count(BACK)} hidden cards")
            rows.append(f"{name}: {', '.join(held)}")
        rows.append(f"deck: {len(view.deck)} cards; $ is a loan")
        return "\n".join(row.rstrip() for row in rows)

    def asked(
        self, view: Rivers, seat: Seat, names: Sequence[str]
    ) -> str:
        drawing = len(view.hands[seat]) < HAND
        return (
            "Draw or take a card" if drawing else "Lay or leave a card"
        )


HIGH = 1.4  # height of a card, relative to its width
INKS = dict(
    zip(RIVERS, ("grey", "yellow", "red", "green", "blue"), strict=True)
)


def face(card: Card) -> Face | PlayingCard:
    if card == BACK:
        return HIDDEN
    words = str(card.miles or "loan")
    return Face(str(card), words, INKS[card.river], note=card.river)


def fan(cards: Sequence[Card], width: float, height: float) -> str:
    """Draw cards below each other, in a column of this size."""
    size = min(width, 72)
    share = 0.7 if len(cards) > 1 else 1
    high = min(HIGH * size, share * height)
    room = (height - high) / max(1, len(cards) - 1)
    return "".join(
        group(
            playing_card(face(card), size, high),
            at=((width - size) / 2, at * min(room, 0.5 * size)),
        )
        for at, card in enumerate(cards)
    )


def draw_card(card: Card, width: float, height: float) -> str:
    size = min(width, 80)
    return group(
        playing_card(face(card), size, height),
        at=((width - size) / 2, 0),
    )


class RiversPicture(Picture[Rivers]):
    """The rivers side by side, with a bank between both players."""

    def path(
        self, action: str, view: Rivers, seat: Seat
    ) -> Sequence[str]:
        verb, _, rest = action.partition(" ")
        if verb == "draw":
            return ("deck",)
        if verb == "take":
            return (f"bank {rest}",)
        side = "side" if verb == "lay" else "bank"
        return rest, f"{side} {CARDS[rest].river}"

    def attempt(self, part: str, view: Rivers, seat: Seat) -> str:
        river = part.removeprefix("bank ")
        return f"take {river}" if river in RIVERS else ""

    def last(self, view: Rivers, scene: Scene) -> Sequence[str]:
        played = scene.played
        if played is None:
            return ()
        own = scene.seat if isinstance(scene.seat, int) else 0
        place = self.path(played.action, view, played.seat)[-1]
        is_other = place.startswith("side") and played.seat != own
        return (f"other {place}" if is_other else place,)

    def draw(self, view: Rivers, scene: Scene) -> str:
        own = scene.seat if isinstance(scene.seat, int) else 0
        turn = turn_in_words(scene)
        rivers = (self.river(view, scene, own, it) for it in RIVERS)
        title = Label(turn, 18, anchor="middle", bold=True)
        tree = Column(
            *[title] * (not scene.short),
            self.player(view, scene, 1 - own),
            Grid(*rivers, columns=len(RIVERS), gap=6, weight=1),
            self.player(view, scene, own),
            Row(*self.hand(view, scene, own), gap=4),
            gap=6,
        )
        return self.lay_out(scene, tree, label=turn, wide=(760, 620))

    def player(self, view: Rivers, scene: Scene, seat: Seat) -> Box:
        points = plural(total(view.laid[seat]), "point")
        words = f"{scene.names[seat]}: {points}"
        deck = button(scene, "deck", f"Draw ({len(view.deck)} left)")
        own = isinstance(scene.seat, int) and seat == scene.seat
        return Row(
            mark(seat, 10),
            Label(words, 15, weight=1),
            *[deck] * own,
            gap=8,
        )

    def river(
        self, view: Rivers, scene: Scene, own: Seat, river: str
    ) -> Box:
        mine, other = (
            [card for card in view.laid[seat] if card.river == river]
            for seat in (own, 1 - own)
        )
        top = view.banks[river][-1:]
        words = str(top[0]) if top else "empty"
        return Column(
            Part(
                scene,
                f"other side {river}",
                Box(partial(fan, other), height=100, least=50),
                weight=1,
                label=f"The other side of {river}",
            ),
            Part(
                scene,
                f"bank {river}",
                Stack(
                    Panel("tt-paper-deep", 6),
                    Column(
                        Label(river, 13, anchor="middle", bold=True),
                        Box(partial(fan, top), height=64, least=34),
                    ),
                    pad=4,
                ),
                label=f"Bank of {river}: {words}",
            ),
            Part(
                scene,
                f"side {river}",
                Stack(
                    Panel("tt-cloth-deep", 6),
                    Box(partial(fan, mine), height=100, least=50),
                    pad=3,
                ),
                weight=1,
                label=f"Your side of {river}",
            ),
            gap=4,
        )

    def hand(
        self, view: Rivers, scene: Scene, own: Seat
    ) -> Iterator[Box]:
        size = 43 if scene.narrow else 80
        seen: list[str] = []
        for card in view.hands[own]:
            image = Box(
                partial(draw_card, card), size, HIGH * size, least=40
            )
            if card == BACK:
                yield image
                continue
            seen.append(str(card))
            copy = seen.count(str(card))
            part = str(card) if copy == 1 else f"{card}, {copy}"
            yield Part(scene, part, image, label=str(card))


GAME = Upriver()
PLUGIN = Plugin(
    GAME,
    text=RiversText(),
    picture=RiversPicture(),
    rulebook=__doc__,
    summary="Send canoes up five rivers, and hinder your rival.",
    minutes=15,
    evaluate=evaluate,
    levels={
        "easy": "search:5",
        "fair": "search:60",
        "hard": "search:10000",
    },
)
