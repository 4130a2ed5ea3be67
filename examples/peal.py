"""All for one peal, each card unseen by its holder: tabletop play examples/peal.py --bot 2."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

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
from tabletop.display import (
    Picture,
    Scene,
    TextView,
    circle,
    group,
    rect,
    text,
    turn_in_words,
)
from tabletop.parts.cards import deal, deck_of
from tabletop.rules import clockwise, from_seat
from tabletop.states import BAG, FIXED, PER_SEAT, Length, OneOf, Range

BELLS = {"b": "brass", "c": "copper", "i": "iron", "s": "silver"}
COPIES = {"1": 4, "2": 3, "3": 3, "4": 2, "5": 2}
MARKS = [*BELLS, *COPIES]
DECK = deck_of({bell + note: COPIES[note] for bell in BELLS for note in COPIES})
DUE = [bell + note for bell in BELLS for note in "123456"]
BACK, HAND, BREATH, BEST = "?", 4, 8, len(BELLS) * len(COPIES)

Card = Annotated[str, OneOf([*dict.fromkeys(DECK)])]
Cards = Annotated[list[Card], Length(len(DECK)), BAG]
Hands = Annotated[list[Annotated[list[Card], Length(HAND)]], PER_SEAT]
Marks = Annotated[list[Annotated[str, OneOf(MARKS)]], Length(len(MARKS)), BAG]
AllMarks = Annotated[list[Annotated[list[Marks], Length(HAND)]], PER_SEAT]
Due = Annotated[list[Annotated[str, OneOf(DUE)]], FIXED]


# --8<-- [start:secrets]
def sees_hand(state: Peal, seat: Seat | None, owner: Seat) -> bool:
    return seat != owner


def may_be(
    view: Peal,
    seat: Seat | None,
    owner: Seat,
    place: int,
    card: str,
) -> bool:
    """Return whether nothing that was told rules this card out."""
    return all(mark in view.marks[owner][place] for mark in card)


@state
class Peal(State):
    """The cards, the marks that each may bear, and what is due."""

    deck: Cards = secret(to=NOBODY, back=BACK)
    hands: Hands = secret(to=sees_hand, back=BACK, fits=may_be)
    marks: AllMarks
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
    """Ring the own card at a place, drop the oldest, or tell a seat which cards bear a mark."""

    verb: str
    at: int = 0
    mark: str = ""

    def __str__(self) -> str:
        mark = f" {BELLS.get(self.mark, self.mark)}" if self.mark else ""
        return self.verb if self.verb == "drop" else f"{self.verb} {self.at + 1}{mark}"


@event
class Laid(Event):
    """A card that was rung, in its turn or not, or dropped: all see it now."""

    seat: Seat
    card: str
    how: str


class PealGame(SecretGame[Peal, Move]):
    """All together ring as many cards as they can."""

    name = "peal"
    title = "Peal"
    seats = range(2, 5)
    cooperative = True

    def setup(self, options: Options, seats: int, rng: Streams) -> Peal:
        deck = rng["deck"].sample(DECK, len(DECK))
        hands = deal(deck, seats, HAND)
        marks = [[[*MARKS] for _ in hand] for hand in hands]
        return Peal(deck, hands, marks, [bell + "1" for bell in BELLS], [])

    def to_act(self, state: Peal) -> Sequence[Seat]:
        return (state.turn,) if state.hands[state.turn] and state.score < BEST else ()

    def legal_actions(self, state: Peal, seat: Seat) -> Sequence[Move]:
        moves = [Move("drop"), *(Move("ring", at) for at in range(len(state.hands[seat])))]
        others = from_seat(seat, len(state.hands))[1:] if state.breath else ()
        tellable = [
            (it, mark) for it in others for mark in MARKS if mark in "".join(state.hands[it])
        ]
        return moves + [Move("tell", *it) for it in tellable]

    def all_actions(self, options: Options, seats: int) -> Sequence[Move]:
        moves = [Move("drop"), *(Move("ring", at) for at in range(HAND))]
        return moves + [Move("tell", it, mark) for it in range(seats) for mark in MARKS]

    def apply(self, state: Peal, action: Move, table: Table) -> None:
        seat = state.turn
        state.turn = clockwise(seat, len(state.hands))
        if action.verb == "tell":
            state.breath -= 1
            hand, marks = state.hands[action.at], state.marks[action.at]
            state.marks[action.at] = told(hand, marks, action.mark)
            return
        card = state.hands[seat].pop(action.at)
        del state.marks[seat][action.at]
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
            state.marks[seat].append([*MARKS])

    def outcome(self, state: Peal) -> Outcome | None:
        if self.to_act(state):
            return None
        return Outcome.together(state.score, len(state.hands), best=BEST)

    def fault(self, state: Peal) -> str | None:
        rung = [it for it in {*DECK} for due in state.due if it[0] == due[0] and it < due]
        cards = [*state.deck, *rung, *state.lost, *(it for hand in state.hands for it in hand)]
        return None if sorted(cards) == sorted(DECK) else "these are not the cards of the deck"


def told(hand: Sequence[str], marks: Sequence[Sequence[str]], mark: str) -> list[list[str]]:
    """Return the marks that each card may still bear when all that bear this one are shown."""
    kind = BELLS if mark in BELLS else COPIES
    return [
        [it for it in own if it not in kind or (it == mark) == (mark in card)]
        for card, own in zip(hand, marks, strict=True)
    ]


def to_ring(state: Peal, marks: Sequence[Sequence[str]]) -> int | None:
    """Return which card of a hand is rung: one that is due, or else one told of that may be."""
    found = None
    for at, own in enumerate(marks):
        bells = sum(it in BELLS for it in own)
        notes = len(own) - bells
        due = sum(it[0] in own and it[1] in own for it in state.due)
        if due == bells * notes:
            return at
        if due and 1 in (bells, notes) and state.breath:
            found = at
    return found


def plan(state: Peal) -> Move:
    """Ring a card; else tell somebody what has them ring one that is due; else drop one."""

    def is_well(hand: Sequence[str], marks: Sequence[Sequence[str]]) -> bool:
        at = to_ring(state, marks)
        return at is not None and hand[at] in state.due

    own = to_ring(state, state.marks[state.turn])
    if own is not None:
        return Move("ring", own)
    others = from_seat(state.turn, len(state.hands))[1:] if state.breath else ()
    for other in others:
        hand, marks = state.hands[other], state.marks[other]
        if not is_well(hand, marks):
            for mark in MARKS:
                if mark in "".join(hand) and is_well(hand, told(hand, marks, mark)):
                    return Move("tell", other, mark)
    return Move("drop")


class Ringer:
    """Rings what it was told of: who tells it of a card means that it is due."""

    def choose(self, view: Peal, actions: Sequence[Move]) -> Move:
        return plan(view)


def evaluate(state: Peal, seat: Seat) -> float:
    """Rate the score after three moves of a `Ringer`, and what there is to go on with."""
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


class PealText(TextView[Peal]):
    """What the bells ring next, and a row for each hand, with what its holder knows of it."""

    def position(self, view: Peal, names: Sequence[str], seat: Watcher = ALL) -> str:
        rows = [f"next: {' '.join(it if it[1] < '6' else '--' for it in view.due)}"]
        rows[0] += f"   score: {view.score}   breath: {view.breath}   deck: {len(view.deck)}"
        for name, hand, marks in zip(names, view.hands, view.marks, strict=True):
            cells = [f"{card} {known(own)}" for card, own in zip(hand, marks, strict=True)]
            rows.append(f"{name:<10} {''.join(f'{cell:<12}' for cell in cells)}".rstrip())
        return "\n".join([*rows, f"lost: {' '.join(sorted(view.lost)) or 'nothing'}"])

    def event(self, event: Event, names: Sequence[str], seat: Watcher = ALL) -> str:
        match event:
            case Laid(who, card, how):
                return f"{names[who]} {how}s {card}."
            case ActionPlayed(seat=who, action=Move("tell", at, mark)):
                return f"{names[who]} tells {names[at]} what is {BELLS.get(mark, mark)}."
            case ActionPlayed():
                return ""
        return super().event(event, names, seat)


def known(marks: Sequence[str]) -> str:
    """Return the bells and notes that a card may have, where something is known of them."""
    narrowed = [kind for kind in (BELLS, COPIES) if not kind.keys() <= {*marks}]
    return "".join(it for kind in narrowed for it in kind if it in marks)


METAL = dict(zip(BELLS, ("#c9a227", "#b4562c", "#5b6470", "#9fb0bd"), strict=True))


class PealPicture(Picture[Peal]):
    """The notes that are due, a row of cards for each hand, and the marks that can be told of."""

    def draw(self, view: Peal, scene: Scene) -> str:
        rest = f"{view.score} of {BEST}, breath {view.breath}, {len(view.deck)} cards left"
        hands = [row for seat in range(len(view.hands)) for row in hand_of(view, scene, seat)]
        marks = [
            scene.part(
                f"tell {mark}", *mark_of(mark, 15), label=BELLS.get(mark, mark), at=(14 + 41 * x, 0)
            )
            for x, mark in enumerate(MARKS)
        ]
        height = 170 + 92 * len(view.hands)
        return self.whole(
            scene,
            (390, height),
            rect(0, 0, 390, height, "tt-cloth"),
            text(16, 30, turn_in_words(scene), 19, 358, bold=True),
            text(16, 56, rest, 15, 358),
            *(text(16 + 92 * x, 92, f"next {it}", 16, 86) for x, it in enumerate(due_of(view))),
            *hands,
            group(*marks, at=(0, height - 56)),
            label="The notes that are due, and the hands",
        )

    def path(self, action: Move, view: Peal, seat: Seat) -> Sequence[str]:
        if action.verb == "tell":
            return (f"hand {action.at}", f"tell {action.mark}")
        return () if action.verb == "drop" else (f"card {seat} {action.at}",)


def due_of(view: Peal) -> list[str]:
    return [f"{BELLS[it[0]]} {it[1]}" if it[1] < "6" else "-" for it in view.due]


def mark_of(mark: str, size: float) -> list[str]:
    """Draw a bell or a note that can be told of."""
    disc, ring = circle(size, size, size, "tt-card"), circle(size, size, size, "tt-ring")
    return [disc, text(size, size * 1.35, mark, size, 2 * size, anchor="middle", bold=True), ring]


def hand_of(view: Peal, scene: Scene, seat: Seat) -> list[str]:
    """Draw the name of a hand, its cards, and below each what its holder knows of it."""
    top = 112 + 92 * seat
    name = scene.part(
        f"hand {seat}",
        rect(0, 0, 84, 76, "tt-card", 8),
        text(8, 32, scene.names[seat], 15, 70, bold=seat in scene.to_act),
        rect(0, 0, 84, 76, "tt-ring", 8),
        label=f"The hand of {scene.names[seat]}",
        at=(10, top),
    )
    cards = [
        scene.part(
            f"card {seat} {at}",
            rect(0, 0, 62, 76, "tt-card", 8),
            *([circle(31, 17, 9, fill=METAL[card[0]])] if card != BACK else []),
            text(31, 46, card, 20, 50, anchor="middle", bold=True),
            text(31, 67, known(view.marks[seat][at]) or "?", 13, 56, anchor="middle"),
            rect(0, 0, 62, 76, "tt-ring", 8),
            label=f"{card}, known as {known(view.marks[seat][at]) or 'anything'}",
            at=(102 + 70 * at, top),
        )
        for at, card in enumerate(view.hands[seat])
    ]
    return [name, *cards]


GAME, AHEAD = PealGame(), Table(Streams("no chance"))
PLUGIN = Plugin(
    GAME,
    text=PealText(),
    picture=PealPicture,
    rulebook=Path(__file__).with_suffix(".md"),
    bots={"ringer": lambda stream: Ringer()},
    evaluate=evaluate,
    search={"exploration": 0.05},
)
