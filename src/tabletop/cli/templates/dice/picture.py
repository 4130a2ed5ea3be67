"""The picture of a position, for browsers and replay pages."""

from __future__ import annotations

from collections.abc import Sequence

from tabletop import Seat
from tabletop.display import (
    Box,
    Column,
    Grid,
    Image,
    Label,
    Picture,
    Row,
    Scene,
    Stack,
    button,
    circle,
    group,
    rect,
    turn_in_words,
)

from .rules import GOAL, HOLD, ROLL, Position

PIPS = ("4", "08", "048", "0268", "02468", "023568")


class Drawing(Picture[Position]):
    """The dice, two buttons that can be clicked, and the points."""

    def draw(self, view: Position, scene: Scene) -> str:
        turn = turn_in_words(scene)
        roll = button(scene, ROLL, "Roll")
        hold = button(scene, HOLD, f"Hold {view.turn}")
        tree = Column(
            Label(turn, 20, anchor="middle", bold=True),
            Stack(Row(*map(draw_die, view.faces), gap=14), height=80),
            Grid(roll, hold, columns=2, gap=20),
            *(
                Label(f"{name}: {points} of {GOAL}", 18)
                for name, points in zip(scene.names, view.points, strict=True)
            ),
            gap=14,
        )
        return self.lay_out(scene, tree, label=turn, wide=(390, 0), pad=20)

    def path(self, action: str, view: Position, seat: Seat) -> Sequence[str]:
        return (action,)

    def last(self, view: Position, scene: Scene) -> Sequence[str]:
        return (scene.played.action,) if scene.played else ()


def draw_die(face: int) -> Box:
    pips = [draw_pip(*divmod(int(cell), 3)) for cell in PIPS[face - 1]]
    body = rect(0, 0, 80, 80, "tt-card", 12)
    return Image(group(body, *pips, class_="tt-die"), 80, 80)


def draw_pip(row: int, column: int) -> str:
    return circle(18 + 22 * column, 18 + 22 * row, 7, "tt-ink")
