"""What a picture of the game is drawn from: a view, who looks, and where things lie."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import cos, pi, sin
from typing import Final

from lcr.dice import Face
from lcr.events import ChipPassed, DieRolled, TurnEnded
from lcr.state import LcrState
from tabletop import ActionsUndone, Seat
from tabletop.picture import Scene

Point = tuple[float, float]


@dataclass(frozen=True)
class Layout:
    """Where things lie in a picture.

    Attributes:
        size: of the picture.
        middle: of the table.
        radii: from there to the middle of a name plate, sideways and up.
        plate: how large a name plate is.
        chip: how wide a chip is.
        dice: the middle of the dice.
        side: of a die.
    """

    size: Point
    middle: Point
    radii: Point
    plate: Point
    chip: float
    dice: Point
    side: float


WIDE: Final = Layout((1280, 860), (640, 424), (470, 336), (184, 60), 44, (640, 522), 60)
NARROW: Final = Layout((390, 640), (195, 252), (144, 186), (96, 46), 21, (124, 580), 56)
CROWDED: Final = Layout((390, 760), (195, 312), (147, 246), (80, 46), 21, (124, 700), 56)
"""For a phone, with few players and with many."""

FEW: Final = 7

ROOMY: Final = 1.7
"""How much wider a plate is that has nobody beside it: above and below the table of a few."""

READABLE: Final = 0.85
"""How much smaller a long name becomes before it is cut."""

COLUMNS: Final = 3
POT_COLUMNS: Final = 6
"""How many columns of chips there is room for, before somebody and in the pot."""


@dataclass(frozen=True)
class Looking:
    """A view, and for whom it is drawn."""

    view: LcrState
    scene: Scene

    @property
    def layout(self) -> Layout:
        """Where things lie."""
        if not self.scene.narrow:
            return WIDE
        return NARROW if len(self.view.chips) <= FEW else CROWDED

    @cached_property
    def rolled(self) -> tuple[Seat, list[Face]] | None:
        """Who rolled last, and what; None when that is not known."""
        dice: list[DieRolled] = []
        for event in reversed(self.scene.told or self.scene.recent):
            if isinstance(event, DieRolled):
                dice.append(event)
            elif isinstance(event, ActionsUndone) or (isinstance(event, TurnEnded) and dice):
                break
        return (dice[0].seat, [it.face for it in reversed(dice)]) if dice else None

    @cached_property
    def changes(self) -> dict[Seat | None, int]:
        """How many chips everybody has more or fewer than before; None stands for the pot."""
        changes: dict[Seat | None, int] = {}
        for event in self.scene.recent:
            if isinstance(event, ChipPassed):
                changes[event.seat] = changes.get(event.seat, 0) - 1
                changes[event.to] = changes.get(event.to, 0) + 1
        return changes

    def direction(self, seat: Seat) -> Point:
        """Where a seat is, seen from the middle: the one who looks is below, the left one left."""
        own = self.scene.seat if isinstance(self.scene.seat, int) else 0
        seats = len(self.view.chips)
        angle = pi * (0.5 + 2 * ((seat - max(own, 0)) % seats) / seats)
        return cos(angle), sin(angle)
