"""A cooperative game in which players do not see their own cards.

tabletop play examples/peal.py --bot 2
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, ClassVar

from tabletop import (
    ALL,
    NOBODY,
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
from tabletop.display import CardTable, CardText, Face, Scene
from tabletop.parts.cards import (
    among,
    deal,
    deck_of,
    left_in_words,
    misplaced,
    narrowed,
)
from tabletop.rules import clockwise, others
from tabletop.states import BAG, FIXED, PER_SEAT, Length, OneOf, Range

BELLS = {"b": "brass", "c": "copper", "i": "iron", "s": "silver"}
COPIES = {"1": 4, "2": 3, "3": 3, "4": 2, "5": 2}
MARKS = [*BELLS, *COPIES]
KINDS = tuple(bell + note for bell in BELLS for note in COPIES)
DECK = deck_of({kind: COPIES[kind[1]] for kind in KINDS})
BEARING = {mark: frozenset(kind for kind in KINDS if mark in kind) for mark in MARKS}
DUE = [bell + note for bell in BELLS for note in "123456"]
BACK, HAND, BREATH, BEST = "?", 4, 8, len(BELLS) * len(COPIES)

Card = Annotated[str, OneOf(KINDS)]
Cards = Annotated[list[Card], Length(len(DECK)), BAG]
Hands = Annotated[list[Annotated[list[Card], Length(HAND)]], PER_SEAT]
Kinds = Annotated[tuple[Card, ...], Length(len(KINDS)), BAG]
Could = Annotated[list[Annotated[list[Kinds], Length(HAND)]], PER_SEAT]
Due = Annotated[list[Annotated[str, OneOf(DUE)]], FIXED]


# --8<-- [start:secrets]
def sees_hand(state: Peal, seat: Seat | None, owner: Seat) -> bool:
    return seat not in (None, owner)


@state
class Peal(State):
    """The cards, the hints about hands, and the cards that are due."""

    deck: Cards = secret(to=NOBODY, back=BACK)
    hands: Hands = secret(to=sees_hand, back=BACK, fits=among("could"))
    could: Could
    due: Due
    lost: Cards
    breath: Annotated[int, Range(0, BREATH)] = BREATH
    turn: Seat = 0

    # --8<-- [end:secrets]
    @property
    def score(self) -> int:
        return sum(int(card[1]) - 1 for card in self.due)


@dataclass(frozen=True, slots=True)
class Move:
    """Ring a card of the own hand, drop the oldest card, or tell a seat about its cards."""

    verb: str
    at: int = 0
    mark: str = ""

    def __str__(self) -> str:
        mark = f" {BELLS.get(self.mark, self.mark)}" if self.mark else ""
        return self.verb if self.verb == "drop" else f"{self.verb} {self.at + 1}{mark}"


@event
class Laid(Event):
    """A card was rung, correctly or not, or dropped. It is now visible to all."""

    seat: Seat
    card: str
    how: str


class PealGame(SecretGame[Peal, Move]):
    """All players together ring as many cards as they can."""

    name = "peal"
    title = "Peal"
    seats = range(2, 5)
    cooperative = True

    def setup(self, options: Options, seats: int, rng: Streams) -> Peal:
        deck = rng["deck"].sample(DECK, len(DECK))
        hands = deal(deck, seats, HAND)
        could = [[KINDS] * HAND for _ in hands]
        return Peal(deck, hands, could, [bell + "1" for bell in BELLS], [])

    def to_act(self, state: Peal) -> Sequence[Seat]:
        return (state.turn,) if state.hands[state.turn] and state.score < BEST else ()

    def legal_actions(self, state: Peal, seat: Seat) -> Sequence[Move]:
        moves = [Move("drop"), *(Move("ring", at) for at in range(len(state.hands[seat])))]
        targets = others(seat, state.hands) if state.breath else ()
        hints = [
            (other, mark)
            for other in targets
            for mark in MARKS
            if mark in "".join(state.hands[other])
        ]
        return moves + [Move("tell", *hint) for hint in hints]

    def all_actions(self, options: Options, seats: int) -> Sequence[Move]:
        moves = [Move("drop"), *(Move("ring", at) for at in range(HAND))]
        return moves + [Move("tell", other, mark) for other in range(seats) for mark in MARKS]

    def apply(self, state: Peal, action: Move, table: Table) -> None:
        seat = state.turn
        state.turn = clockwise(seat, len(state.hands))
        if action.verb == "tell":
            state.breath -= 1
            hand, could = state.hands[action.at], state.could[action.at]
            state.could[action.at] = narrowed(could, hand, BEARING[action.mark])
            return
        card = state.hands[seat].pop(action.at)
        del state.could[seat][action.at]
        rings = action.verb == "ring" and card in state.due
        if rings:
            state.due[state.due.index(card)] = card[0] + str(int(card[1]) + 1)
        else:
            state.lost.append(card)
            breath = state.breath + (1 if action.verb == "drop" else -1)
            state.breath = max(0, min(BREATH, breath))
        table.emit(Laid(seat, card, action.verb if rings or action.verb == "drop" else "crack"))
        if state.deck:
            state.hands[seat].append(state.deck.pop())
            state.could[seat].append(KINDS)

    def outcome(self, state: Peal) -> Outcome | None:
        if self.to_act(state):
            return None
        return Outcome.together(state.score, len(state.hands), best=BEST)

    def fault(self, state: Peal) -> str | None:
        rung = [card for card in {*DECK} for due in state.due if card[0] == due[0] and card < due]
        return misplaced(DECK, state.deck, rung, state.lost, state.hands)


def to_ring(state: Peal, could: Sequence[Sequence[str]]) -> int | None:
    """Return the index of the card to ring: one that is due, or a hinted one that may be due."""
    hinted = None
    for at, kinds in enumerate(could):
        due = sum(card in kinds for card in state.due)
        if due == len(kinds):
            return at
        if due and state.breath and any(BEARING[mark].issuperset(kinds) for mark in kinds[0]):
            hinted = at
    return hinted


def plan(state: Peal) -> Move:
    """Ring a card, or else give a hint about a card that is due, or else drop a card."""

    def is_well(hand: Sequence[str], could: Sequence[Sequence[str]]) -> bool:
        at = to_ring(state, could)
        return at is not None and hand[at] in state.due

    own = to_ring(state, state.could[state.turn])
    if own is not None:
        return Move("ring", own)
    for other in others(state.turn, state.hands) if state.breath else ():
        hand, could = state.hands[other], state.could[other]
        if not is_well(hand, could):
            for mark, shown in BEARING.items():
                if mark in "".join(hand) and is_well(hand, narrowed(could, hand, shown)):
                    return Move("tell", other, mark)
    return Move("drop")


class Ringer:
    """Rings the cards that others hint at, because a hint means that a card is due."""

    def choose(self, view: Peal, actions: Sequence[Move]) -> Move:
        return plan(view)


def evaluate(state: Peal, seat: Seat) -> float:
    """Rate the score after three more moves of `Ringer`, and the remaining resources."""
    state = state.clone()
    for _ in range(3):
        if GAME.to_act(state):
            GAME.apply(state, plan(state), AHEAD)
    if not GAME.to_act(state):
        return state.score / BEST
    due = {card[0]: card[1] for card in state.due}
    needed = [card for card in state.lost if card[1] >= due[card[0]]]
    missed = sum(needed.count(card) == COPIES[card[1]] for card in needed)
    hope = 0.35 * len(state.deck) + 0.3 * state.breath - 0.2 * len(needed) - 0.5 * missed
    return max(0.0, min(1.0, (state.score + hope) / BEST))


# --8<-- [start:picture]
METALS = dict(zip(BELLS, ("yellow", "orange", "blue", "sky"), strict=True))


class PealPicture(CardTable[Peal]):
    """The due cards, and the hands with the hints about each card."""

    buttons = (*BELLS.values(), *COPIES)

    def hands(self, view: Peal, seat: Watcher) -> Sequence[Sequence[Face]]:
        return [
            [face(*both) for both in zip(hand, could, strict=True)]
            for hand, could in zip(view.hands, view.could, strict=True)
        ]

    def piles(self, view: Peal, seat: Watcher) -> Mapping[str, Sequence[Face]]:
        return {"next": [face(card) for card in view.due if card[1] < "6"]}

    def note(self, view: Peal, scene: Scene) -> str:
        rest = f"breath {view.breath}, {len(view.deck)} cards left"
        lost = ("".join(sorted(card for card in view.lost if card[0] == bell)) for bell in BELLS)
        words = " ".join(f"{cards[0]}{cards[1::2]}" for cards in lost if cards)
        return f"{view.score} of {BEST}, {rest}\nlost: {words or 'nothing'}"

    def aim(self, action: Move) -> Seat | None:
        return action.at if action.verb == "tell" else None

    def place(self, action: Move) -> int | None:
        return action.at if action.verb == "ring" else None


def face(card: str, could: Sequence[str] = KINDS) -> Face:
    note = left_in_words(could, KINDS)
    return Face(words=card, colour=METALS.get(card[0], ""), note=note)


# --8<-- [end:picture]
class PealText(CardText[Peal]):
    """The contents of the picture as text."""

    table = PealPicture()
    verbs: ClassVar[Mapping[str, str]] = {"ring": "", "drop": "", "Laid": "{how}s {card}"}

    def event(self, event: Event, names: Sequence[str], seat: Watcher = ALL) -> str:
        match event:
            case ActionPlayed(seat=teller, action=Move("tell", at, mark)):
                return f"{names[teller]} tells {names[at]} what is {BELLS.get(mark, mark)}."
        return super().event(event, names, seat)


GAME, AHEAD = PealGame(), Table(Streams("no chance"))
PLUGIN = Plugin(
    GAME,
    text=PealText(),
    picture=PealPicture,
    rulebook=Path(__file__).with_suffix(".md"),
    summary="Ring bells together, with cards that only the others see.",
    minutes=20,
    bots={"ringer": lambda stream: Ringer()},
    evaluate=evaluate,
    search={"exploration": 0.05},
    levels={"easy": "search:20", "hard": "search:5000"},
)
