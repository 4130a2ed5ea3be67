"""How a match looks, in a browser and in films."""

from __future__ import annotations

from collections.abc import Sequence

from tabletop import Seat
from tabletop.display import (
    Picture,
    Scene,
    rect,
    text,
    turn_in_words,
)
from tabletop.parts.cards import BACK, Card
from tabletop.wording import plural

from .rules import Position

SUITS = {"c": "♣", "d": "♦", "h": "♥", "s": "♠"}


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
