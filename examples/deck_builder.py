"""Lamplighters, a deck-building game: tabletop play examples/deck_builder.py --bot 2=hard."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import tanh
from pathlib import Path
from typing import Annotated

from tabletop import (
    OWNER,
    Choice,
    Command,
    Commands,
    Options,
    Outcome,
    Plugin,
    Seat,
    SecretGame,
    Selections,
    Several,
    Spelled,
    State,
    Streams,
    Table,
    Watcher,
    secret,
    state,
)
from tabletop.display import CardTable, CardText, Face, Scene
from tabletop.parts.cards import draw_for
from tabletop.rules import others
from tabletop.states import BAG, PER_SEAT, Length, OneOf, Range
from tabletop.wording import plural

HIDDEN, HAND, KEPT, MOST = "?", 5, 3, 3


# --8<-- [start:cards]
@dataclass(frozen=True)
class Ask:
    """A question to a seat in the middle of a turn.

    Attributes:
        verb: How it is answered: "trash", "discard" or "gain".
        low: The minimum number of cards.
        high: The maximum number of cards, or cost of the gained card.
        then: What follows the choice: "draw", "gain" or "".
    """

    seat: Seat
    verb: Annotated[str, OneOf(["trash", "discard", "gain"])]
    low: Annotated[int, Range(0, 20)] = 0
    high: Annotated[int, Range(0, 20)] = MOST
    then: Annotated[str, OneOf(["", "draw", "gain"])] = ""


@dataclass(frozen=True)
class Kind:
    """A kind of card: what it costs, adds to a turn, and asks."""

    cost: int
    cards: int = 0
    actions: int = 0
    buys: int = 0
    coins: int = 0
    points: int = 0
    ask: Ask | None = None
    attack: str = ""
    about: str = ""


LIGHTS = {
    "candle": Kind(0, coins=1),
    "lantern": Kind(3, coins=2),
    "star": Kind(6, coins=3),
}
PLACES = {
    "tree": Kind(2, points=1),
    "gate": Kind(5, points=3),
    "tower": Kind(8, points=6),
    "smoke": Kind(0, points=-1),
}
TRADES = {
    "flame": Kind(2, ask=Ask(0, "trash"), about="Trash up to 3 cards."),
    "hourglass": Kind(
        2,
        actions=1,
        ask=Ask(0, "discard", then="draw"),
        about="Discard up to 3 cards, and draw as many.",
    ),
    "shield": Kind(
        2,
        cards=2,
        about="While you hold it, claws and storms do not affect you.",
    ),
    "bell": Kind(3, cards=1, actions=2),
    "crystal": Kind(
        3,
        ask=Ask(0, "gain", high=4),
        about="Gain a card that costs up to 4.",
    ),
    "key": Kind(3, buys=1, coins=2),
    "book": Kind(4, cards=3),
    "hammer": Kind(
        4,
        ask=Ask(0, "trash", 1, 1, "gain"),
        about="Trash a card, and gain one that costs up to 2 more.",
    ),
    "claw": Kind(
        4,
        coins=2,
        attack="discard",
        about="The others discard down to 3 cards.",
    ),
    "eye": Kind(5, cards=2, actions=1),
    "ring": Kind(5, cards=1, actions=1, buys=1, coins=1),
    "chalice": Kind(5, actions=2, buys=1, coins=2),
    "storm": Kind(
        5,
        cards=2,
        attack="smoke",
        about="Each of the others gains a smoke.",
    ),
}
KINDS = {**LIGHTS, **PLACES, **TRADES}
# --8<-- [end:cards]
CHOSEN, SHIELD = 10, "shield"
Name = Annotated[str, OneOf([*KINDS])]
Cards = Annotated[list[Name], Length(300), BAG]
Piles = Annotated[list[Cards], PER_SEAT]


VERBS = {
    "play": "plays the {}",
    "buy": "buys the {}",
    "gain": "gains the {}",
    "trash": "trashes {}",
    "discard": "discards {}",
    "end": "ends the turn",
}


# --8<-- [start:actions]
@dataclass(frozen=True)
class Move(Spelled):
    """Use a card or several cards of the hand, or end the turn."""

    verb: str
    card: str = ""
    cards: tuple[str, ...] = ()


CARD = Choice("card", [*KINDS])
CARDS = Several(Choice("cards", [*KINDS]), 0, MOST)
COMMANDS = Commands(
    *(Command(verb, Move, CARD) for verb in ("play", "buy", "gain")),
    *(Command(verb, Move, CARDS) for verb in ("trash", "discard")),
    Command("end", Move),
)
# --8<-- [end:actions]


@state
class Town(State):
    """The cards of each seat, the market, and the turn.

    Attributes:
        owned: All cards of each seat, which everybody knows.
        used: The cards that the seat has played in this turn.
        spent: The coins that the seat has spent in this turn.
        bought: The number of cards that the seat has bought in this turn.
    """

    market: dict[Name, Annotated[int, Range(0, 60)]]
    owned: Piles
    decks: Piles = secret(to=OWNER, back=HIDDEN, pool=OWNER, sorted_by=str)
    hands: Piles = secret(to=OWNER, back=HIDDEN, pool=OWNER)
    discards: Piles = field(default_factory=list)
    used: Cards = field(default_factory=list)
    asks: Annotated[list[Ask], Length(9)] = field(default_factory=list)
    seat: Seat = 0
    actions: Annotated[int, Range(0, 200)] = 1
    buys: Annotated[int, Range(0, 200)] = 1
    coins: Annotated[int, Range(0, 400)] = 0
    spent: Annotated[int, Range(0, 1000)] = 0
    bought: Annotated[int, Range(0, 200)] = 0


class Lamplighters(SecretGame[Town, Move]):
    """The player whose cards are worth the most points wins."""

    name = "lamplighters"
    title = "Lamplighters"
    seats = range(2, 5)
    commands = COMMANDS
    views_forget = True  # discarded cards are shuffled into the deck

    def setup(self, options: Options, seats: int, rng: Streams) -> Town:
        chosen = sorted(rng["market"].sample([*TRADES], CHOSEN), key=lambda it: KINDS[it].cost)
        places = 8 if seats == 2 else 12
        market = {"candle": 40, "lantern": 30, "star": 20, "tree": places, "gate": places}
        market |= {"tower": places, "smoke": 10 * (seats - 1), **dict.fromkeys(chosen, 10)}
        start = ["candle"] * 7 + ["tree"] * 3
        decks = [rng["deck", seat].sample(start, len(start)) for seat in range(seats)]
        hands = [sorted(deck[:HAND]) for deck in decks]
        owned = [sorted(start) for _ in decks]
        return Town(market, owned, [deck[HAND:] for deck in decks], hands, [[] for _ in decks])

    def to_act(self, state: Town) -> Sequence[Seat]:
        if state.asks:
            return (state.asks[-1].seat,)
        is_over = not state.market["tower"] or [*state.market.values()].count(0) >= 3
        # The turn ends before the match does, so all cards are in the deck, hand or discards.
        return () if is_over and not (state.used or state.bought) else (state.seat,)

    # --8<-- [start:legal]
    def legal_actions(self, state: Town, seat: Seat) -> Sequence[Move]:
        hand = state.hands[seat]
        if state.asks:
            ask = state.asks[-1]
            if ask.verb == "gain":
                gains = offered(state, ask.high)
                return [Move("gain", card) for card in gains]
            size = ask.low, ask.high
            return Selections(Move, "cards", hand, *size, verb=ask.verb)
        plays = [card for card in dict.fromkeys(hand) if card in TRADES]
        if not state.actions or state.bought:
            plays = []
        buys = offered(state, purse(state)) if state.buys else []
        moves = [Move("play", card) for card in plays]
        moves += [Move("buy", card) for card in buys]
        return [*moves, Move("end")]

    # --8<-- [end:legal]
    def all_actions(self, options: Options, seats: int) -> Sequence[Move]:
        moves = [Move(verb, card) for verb in ("buy", "gain") for card in KINDS]
        sets: list[Move] = []
        for verb in ("trash", "discard"):
            sets += Selections(Move, "cards", [*KINDS] * MOST, 0, MOST, verb=verb)
        return [Move("end"), *(Move("play", card) for card in TRADES), *moves, *sets]

    def why_not(self, state: Town, action: Move) -> str:
        if state.asks:
            return f"first {question(state.asks[-1])}"
        card = action.card
        if action.verb == "play" and card not in TRADES:
            return "lights are spent when you buy, and places cannot be played"
        if action.verb == "play":
            return "you do not hold that card" if state.actions else "you have no action left"
        if action.verb != "buy" or not state.market.get(card):
            return "no card allows that" if action.verb != "buy" else f"no {card} is left"
        cost = f"the {card} costs {KINDS[card].cost}, and you have {purse(state)}"
        return cost if state.buys else "you have no buy left"

    def apply(self, state: Town, action: Move, table: Table) -> None:
        seat = self.to_act(state)[0]
        ask = state.asks.pop() if state.asks else None
        if ask is not None and action.verb != "gain":
            answer(state, ask, action.cards, table)
        elif action.verb == "play":
            play(state, action.card, table)
        elif action.verb == "end":
            clean_up(state, table)
        else:
            gain(state, seat, action.card)
        if action.verb == "buy":
            state.buys, state.bought = state.buys - 1, state.bought + 1
            state.spent += KINDS[action.card].cost

    def fault(self, state: Town) -> str | None:
        for seat, cards in enumerate(state.owned):
            used = state.used if seat == state.seat else []
            places = state.decks[seat] + state.hands[seat] + state.discards[seat] + used
            if sorted(places) != sorted(cards):
                return f"the cards of seat {seat} are {places}, not {cards}"
        return None

    def outcome(self, state: Town) -> Outcome | None:
        if self.to_act(state):
            return None
        seats = range(len(state.hands))
        return Outcome.by_score([score(state, seat) for seat in seats], "the market is sold out")


def question(ask: Ask) -> str:
    """Describe what a seat has to do, such as "discard exactly 2 cards"."""
    if ask.verb == "gain":
        return f"gain a card that costs up to {ask.high}"
    return f"{ask.verb} {'up to' if ask.low < ask.high else 'exactly'} {plural(ask.high, 'card')}"


def offered(state: Town, coins: int) -> list[str]:
    """Return the cards of the market that cost at most `coins`."""
    return [it for it in KINDS if state.market.get(it) and KINDS[it].cost <= coins]


def purse(state: Town) -> int:
    """Return the coins that the seat may still spend."""
    held = sum(KINDS[card].coins for card in state.hands[state.seat] if card in LIGHTS)
    return state.coins + held - state.spent


def score(state: Town, seat: Seat) -> int:
    return sum(KINDS[card].points for card in state.owned[seat])


def gain(state: Town, seat: Seat, card: str) -> None:
    if state.market[card]:
        state.market[card] -= 1
        state.discards[seat].append(card)
        state.owned[seat].append(card)


# --8<-- [start:draw]
def draw(state: Town, seat: Seat, count: int, table: Table) -> None:
    deck, discards = state.decks[seat], state.discards[seat]
    stream = "deck", seat
    drawn = draw_for(seat, deck, count, table, discards, stream=stream)
    state.hands[seat] = sorted(state.hands[seat] + drawn)


# --8<-- [end:draw]
def answer(state: Town, ask: Ask, cards: Sequence[str], table: Table) -> None:
    """Trash or discard cards of the hand, and carry out what follows."""
    for card in cards:
        state.hands[ask.seat].remove(card)
        if ask.verb == "trash":
            state.owned[ask.seat].remove(card)
        else:
            state.discards[ask.seat].append(card)
    if ask.then == "draw":
        draw(state, ask.seat, len(cards), table)
    elif ask.then == "gain":
        cost = sum(KINDS[card].cost for card in cards) + 2
        state.asks.append(Ask(ask.seat, "gain", high=cost))


def play(state: Town, card: str, table: Table) -> None:
    """Carry out the effects of a card in their order: bonuses, attack, question."""
    seat, kind = state.seat, KINDS[card]
    state.hands[seat].remove(card)
    state.used.append(card)
    state.actions += kind.actions - 1
    state.buys += kind.buys
    state.coins += kind.coins
    draw(state, seat, kind.cards, table)
    if kind.ask is not None and (kind.ask.verb == "gain" or state.hands[seat]):
        state.asks.append(replace(kind.ask, seat=seat))
    for other in reversed(others(seat, len(state.hands))):
        extra = len(state.hands[other]) - KEPT
        if SHIELD in state.hands[other]:
            continue
        if kind.attack == "smoke":
            gain(state, other, "smoke")
        elif kind.attack == "discard" and extra > 0:
            state.asks.append(Ask(other, "discard", extra, extra))


def clean_up(state: Town, table: Table) -> None:
    """Discard all cards of the turn, draw a new hand, and begin the next turn."""
    seat = state.seat
    state.discards[seat] += [*state.hands[seat], *state.used]
    state.hands[seat], state.used = [], []
    draw(state, seat, HAND, table)
    state.seat = (seat + 1) % len(state.hands)
    state.actions = state.buys = 1
    state.coins = state.spent = state.bought = 0


class TownPicture(CardTable[Town]):
    """The market, the cards of the turn, and the hands."""

    # --8<-- [start:picture]
    def face(self, card: str) -> Face:
        about = f"{effect(card)} Costs {KINDS[card].cost}."
        return Face(card, card.capitalize(), art=card, about=about)

    def market(self, view: Town) -> Sequence[Face]:
        faces = []
        for card in (it for it in KINDS if it in view.market):
            note = f"{KINDS[card].cost} coins, {view.market[card]} left"
            faces.append(replace(self.face(card), note=note))
        return faces

    def takes(self, action: Move) -> bool:
        return action.verb in {"buy", "gain"}

    # --8<-- [end:picture]
    def piles(self, view: Town, seat: Watcher) -> Mapping[str, Sequence[Face]]:
        return {"played": [*map(self.face, view.used)]} if view.used else {}

    def status(self, view: Town, seat: Seat) -> str:
        return plural(score(view, seat), "point")

    def note(self, view: Town, scene: Scene) -> str:
        return "" if view.asks or not GAME.to_act(view) else rest_of_turn(view)


def effect(card: str) -> str:
    """Return what a card does, as a sentence."""
    kind = KINDS[card]
    names = {"cards": "card", "actions": "action", "buys": "buy", "coins": "coin"}
    names["points"] = "point"
    parts = [plural(getattr(kind, field), name) for field, name in names.items()]
    counted = [part for part in parts if not part.startswith("0 ")]
    return " ".join(filter(None, [", ".join(counted) + "." * bool(counted), kind.about]))


def rest_of_turn(view: Town) -> str:
    """Return what the seat may still do, with the coins that it has shown."""
    coins = view.coins - view.spent if HIDDEN in view.hands[view.seat] else purse(view)
    actions = 0 if view.bought else view.actions
    return f"{plural(actions, 'action')}, {plural(view.buys, 'buy')}, {plural(coins, 'coin')}"


class TownText(CardText[Town]):
    """The contents of the picture as text."""

    table = TownPicture()
    verbs = VERBS

    def asked(self, view: Town, seat: Seat, names: Sequence[str]) -> str:
        return question(view.asks[-1]).capitalize() if view.asks else ""


WISHES = ("tower", "star", "eye", "storm", "ring", "book", "claw", "lantern")
LIMITS = {"storm": 2, "book": 2, "claw": 1, "ring": 2, "eye": 5}


class Mayor:
    """Buys lights, perhaps a few trades, and then towers. Trashes smoke and trees."""

    def __init__(self, *, trades: bool) -> None:
        self.trades = trades

    def choose(self, view: Town, actions: Sequence[Move]) -> Move:
        seat = GAME.to_act(view)[0]
        if isinstance(actions, Selections):
            return self.select(view, actions)
        if plays := [it for it in actions if it.verb == "play" and it.card not in CAREFUL]:
            return max(plays, key=lambda it: (KINDS[it.card].actions, KINDS[it.card].cost))
        owned = Counter(view.owned[seat])
        wishes = [card for card in WISHES if owned[card] < LIMITS.get(card, 99)]
        wishes = [card for card in wishes if self.trades or card not in TRADES]
        if view.market["tower"] <= 4:
            wishes[1:1] = ["gate"]
        if view.market["tower"] <= 2:
            wishes.append("tree")
        prices = {action.card: action for action in actions if action.verb in {"buy", "gain"}}
        return next((prices[card] for card in wishes if card in prices), actions[-1])

    # --8<-- [start:bot]
    def select(self, view: Town, actions: Selections[Move]) -> Move:
        """Choose the least useful cards."""
        worst = sorted(actions.items, key=worth)
        useless = [card for card in worst if worth(card) < 0]
        if view.asks[-1].verb == "trash" and view.market["tower"] <= 4:
            useless = [card for card in useless if card == "smoke"]
        number = min(actions.high, max(actions.low, len(useless)))
        return actions.make(worst[:number])

    # --8<-- [end:bot]


CAREFUL = {"hammer", "flame"}


def worth(card: str) -> int:
    """Rate a card in the hand: negative for places, which are useless during the match."""
    return KINDS[card].cost if card not in PLACES else KINDS[card].points - 9


def evaluate(state: Town, seat: Seat) -> float:
    """Rate the points and the trade of a seat against the best of the others."""
    values = [score(state, it) + strength(state.owned[it]) for it in range(len(state.hands))]
    lead = values[seat] - max(values[other] for other in others(seat, len(values)))
    return 0.5 + 0.5 * tanh(lead / 20)


def strength(cards: Sequence[str]) -> float:
    """Rate a deck by the coins of an average hand."""
    coins = sum(KINDS[card].coins + 0.8 * KINDS[card].cards for card in cards)
    return 4 * HAND * coins / len(cards) if cards else 0


GAME = Lamplighters()
PLUGIN = Plugin(
    GAME,
    text=TownText(),
    picture=TownPicture,
    rulebook=Path(__file__).with_suffix(".md"),
    summary="Buy cards for your deck, and light the towers of the town.",
    minutes=20,
    bots={
        "mayor": lambda stream: Mayor(trades=True),
        "miser": lambda stream: Mayor(trades=False),
    },
    levels={"easy": "search:10", "fair": "miser", "hard": "mayor"},
    evaluate=evaluate,
)
