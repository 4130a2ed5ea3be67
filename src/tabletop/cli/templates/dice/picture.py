"""The picture of a position, for browsers and replay pages."""

from __future__ import annotations

from collections.abc import Sequence

from tabletop import Seat
from tabletop.display import Picture, Scene, circle, group, rect, text, turn_in_words

from .rules import GOAL, HOLD, ROLL, Position

PIPS = ("4", "08", "048", "0268", "02468", "023568")


class Drawing(Picture[Position]):
    """The dice, two buttons that can be clicked, and the points."""

    def draw(self, view: Position, scene: Scene) -> str:
        turn = turn_in_words(scene)
        height = 240 + 36 * len(view.points)
        body = [
            rect(0, 0, 390, height, "tt-cloth"),
            text(195, 34, turn, 20, 370, anchor="middle", bold=True),
            *(draw_die(*die) for die in enumerate(view.faces)),
            draw_button(ROLL, "Roll", 40, scene),
            draw_button(HOLD, f"Hold {view.turn}", 205, scene),
        ]
        for seat, name in enumerate(scene.names):
            line = f"{name}: {view.points[seat]} of {GOAL}"
            body.append(text(40, 244 + 36 * seat, line, 18, 310))
        return self.whole(scene, (390, height), *body, label=turn)

    def path(self, action: str, view: Position, seat: Seat) -> Sequence[str]:
        return (action,)

    def last(self, view: Position, scene: Scene) -> Sequence[str]:
        return (scene.played.action,) if scene.played else ()

    def attempt(self, part: str, view: Position, seat: Seat) -> str:
        return part


def draw_die(place: int, face: int) -> str:
    pips = [draw_pip(*divmod(int(cell), 3)) for cell in PIPS[face - 1]]
    at = (108 + 94 * place, 54)
    body = rect(0, 0, 80, 80, "tt-card", 12)
    return group(group(body, *pips, class_="tt-die"), at=at)


def draw_pip(row: int, column: int) -> str:
    return circle(18 + 22 * column, 18 + 22 * row, 7, "tt-ink")


def draw_button(name: str, words: str, x: float, scene: Scene) -> str:
    return scene.part(
        name,
        rect(0, 0, 145, 50, "tt-card", 8),
        text(72, 32, words, 18, 130, anchor="middle"),
        rect(0, 0, 145, 50, "tt-ring", 8),
        label=words,
        at=(x, 154),
    )
