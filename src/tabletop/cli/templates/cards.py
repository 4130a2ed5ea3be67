"""My game: the rules, how a position reads, and how it looks.

Two to four players get five cards each and play tricks. Whoever
takes the most tricks wins.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field

from tabletop import (
    ALL,
    NOBODY,
    OWNER,
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
    rect,
    text,
    turn_in_words,
)
from tabletop.parts.cards import (
    BACK,
    Card,
    deal,
    french_deck,
    trick_winner,
)
from tabletop.wording import plural

EACH, LOWEST = 5, 7
SUITS = {"c": "♣", "d": "♦", "h": "♥", "s": "♠"}


@event
class TrickTaken(Event):
    """A seat takes the cards that lie on the table."""

    seat: Seat
    cards: tuple[Card, ...]


@state
class Position(State):
    """The cards: a hand is for its owner, the deck for nobody.

    A trick lies on the table until the next card is led: what is
    taken away sooner is in no picture.
    """

    hands: list[list[Card]] = secret(to=OWNER, back=BACK)
    deck: list[Card] = secret(to=NOBODY, back=BACK)
    taken: list[int]
    leader: Seat = 0
    trick: list[Card] = field(default_factory=list[Card])


class Rules(SecretGame[Position, Card]):
    """An action is the card that is played: `7h`."""

    name = "my-game"
    title = "My game"
    seats = range(2, 5)

    def setup(
        self, options: Options, seats: int, rng: Streams
    ) -> Position:
        deck = french_deck(LOWEST)
        rng["deck"].shuffle(deck)
        hands = [sorted(hand) for hand in deal(deck, seats, EACH)]
        return Position(hands, deck, [0] * seats)

    def to_act(self, state: Position) -> Sequence[Seat]:
        seats = len(state.hands)
        seat = (state.leader + len(state.trick)) % seats
        return (seat,) if state.hands[seat] else ()

    def legal_actions(
        self, state: Position, seat: Seat
    ) -> Sequence[Card]:
        return tuple(state.hands[seat])

    def all_actions(
        self, options: Options, seats: int
    ) -> Sequence[Card]:
        return french_deck(LOWEST)

    def why_not(self, state: Position, action: Card) -> str:
        return f"you do not have {action}"

    def apply(
        self, state: Position, action: Card, table: Table
    ) -> None:
        (seat,) = self.to_act(state)
        seats = len(state.hands)
        if len(state.trick) == seats:
            state.trick.clear()
        state.hands[seat].remove(action)
        state.trick.append(action)
        if len(state.trick) == seats:
            best = trick_winner(state.trick)
            state.leader = (state.leader + best) % seats
            state.taken[state.leader] += 1
            cards = tuple(state.trick)
            table.emit(TrickTaken(state.leader, cards))

    def outcome(self, state: Position) -> Outcome | None:
        if self.to_act(state):
            return None
        return Outcome.by_score(state.taken)


def written(cards: Sequence[Card]) -> str:
    return " ".join(map(str, cards)) or "-"


class Text(TextView[Position]):
    """How a position and what happens read at a terminal."""

    def position(
        self,
        view: Position,
        names: Sequence[str],
        seat: Watcher = ALL,
    ) -> str:
        lines = [f"On the table: {written(view.trick)}"]
        for name, hand, taken in zip(
            names, view.hands, view.taken, strict=True
        ):
            tricks = plural(taken, "trick")
            lines.append(f"{name}, {tricks}: {written(hand)}")
        return "\n".join(lines)

    def event(
        self, event: Event, names: Sequence[str], seat: Watcher = ALL
    ) -> str:
        if isinstance(event, TrickTaken):
            name = names[event.seat]
            return f"{name} takes {written(event.cards)}."
        return super().event(event, names, seat)


class Drawing(Picture[Position]):
    """How a position looks; the cards of a hand can be clicked."""

    def draw(self, view: Position, scene: Scene) -> str:
        said = turn_in_words(scene)
        height = 56 + 120 * (len(view.hands) + 1)
        body = [
            rect(0, 0, 390, height, "tt-cloth"),
            text(195, 34, said, 20, 370, anchor="middle", bold=True),
            row(view.trick, "On the table", 0, scene),
        ]
        for seat, hand in enumerate(view.hands):
            tricks = plural(view.taken[seat], "trick")
            title = f"{scene.names[seat]}, {tricks}"
            body.append(row(hand, title, seat + 1, scene))
        return self.whole(scene, (390, height), *body, label=said)

    def path(
        self, action: Card, view: Position, seat: Seat
    ) -> Sequence[str]:
        return (f"card-{action}",)

    def attempt(self, part: str, view: Position, seat: Seat) -> str:
        return part.removeprefix("card-")


def row(
    cards: Sequence[Card], title: str, place: int, scene: Scene
) -> str:
    top = 62 + 120 * place
    drawn = [text(20, top + 14, title, 15, 350)]
    for at, card in enumerate(cards):
        drawn.append(draw_card(card, 20 + 70 * at, top + 24, scene))
    return "".join(drawn)


def draw_card(card: Card, x: float, y: float, scene: Scene) -> str:
    if card == BACK:
        back = rect(x + 5, y + 5, 50, 70, "tt-blue", 4)
        return rect(x, y, 60, 80, "tt-card", 6) + back
    words = str(card)[0].upper() + SUITS[card.suit]
    ink = "tt-text-red" if card.suit in "dh" else "tt-text-ink"
    return scene.part(
        f"card-{card}",
        rect(0, 0, 60, 80, "tt-card", 6),
        text(30, 50, words, 26, 56, ink, anchor="middle"),
        rect(0, 0, 60, 80, "tt-ring", 6),
        label=words,
        key=str(card),
        at=(x, y),
    )


RULES = """\
# My game

Two to four players get five cards each. Somebody leads a card,
and the others play one each, in turn: any card of their hand.

The highest card of the suit that was led takes the trick, and
whoever takes it leads next. Who takes the most tricks **wins**.
"""

GAME = Rules()
PLUGIN = Plugin(GAME, text=Text(), picture=Drawing, rulebook=RULES)
