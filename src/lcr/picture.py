"""Draw a match of LCR as a round table with chips, the pot and the last dice."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import cos, pi, sin
from typing import Any, Final, assert_never

from typing_extensions import override

from lcr.rules.dice import Face
from lcr.rules.events import ChipPassed, DieRolled, TurnEnded
from lcr.rules.state import MOST_DICE, LcrState
from lcr.text import LcrText
from tabletop import ActionsUndone, Seat
from tabletop.display import (
    Picture,
    Scene,
    circle,
    group,
    path,
    polygon,
    rect,
    seat_mark,
    tag,
    text,
    turn_in_words,
)
from tabletop.wording import plural

Point = tuple[float, float]


@dataclass(frozen=True)
class Layout:
    """Positions and sizes of the elements of a picture.

    Attributes:
        size: Width and height of the picture.
        middle: Centre of the table.
        radii: Horizontal and vertical distance from `middle` to the centres of the name plates.
        plate: Width and height of a name plate.
        chip: Width of a chip.
        dice: Centre of the dice.
        side: Side length of a die.
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
"""Layouts for a phone, with up to `FEW` players and with more."""

FEW: Final = 7

READABLE: Final = 0.85
"""Minimum scale of a long name, which is cut off if that is not enough."""

COLUMNS: Final = 3
POT_COLUMNS: Final = 6
"""Maximum number of columns of chips of a player and of the pot."""

COLUMN: Final = 5
"""Chips in a column, unless they need more than the maximum number of columns."""

STEP: Final = 1.16
"""Distance between columns, in widths of a chip."""

_CHIP: Final = ("#b3453a", "#8c332b", "#f6ead2")
"""Colours of a chip: side, edge and marks."""

DICE: Final = "dice"
"""The part to click to roll the dice."""


@dataclass(frozen=True)
class PictureContext:
    """A view of the state and the scene, with values computed from both."""

    view: LcrState
    scene: Scene

    @property
    def layout(self) -> Layout:
        """The layout for this width and number of players."""
        if not self.scene.narrow:
            return WIDE
        return NARROW if len(self.view.chips) <= FEW else CROWDED

    @cached_property
    def rolled(self) -> tuple[Seat, list[Face]] | None:
        """The seat that rolled last and its dice, or None if they are unknown."""
        dice: list[DieRolled] = []
        for event in reversed(self.scene.told or self.scene.recent):
            if isinstance(event, DieRolled):
                dice.append(event)
            elif isinstance(event, ActionsUndone) or (isinstance(event, TurnEnded) and dice):
                break
        return (dice[0].seat, [die.face for die in reversed(dice)]) if dice else None

    @cached_property
    def changes(self) -> dict[Seat | None, int]:
        """Chips just gained or lost by each seat, and by the pot with the key None."""
        changes: dict[Seat | None, int] = {}
        for event in self.scene.recent:
            if isinstance(event, ChipPassed):
                changes[event.seat] = changes.get(event.seat, 0) - 1
                changes[event.to] = changes.get(event.to, 0) + 1
        return changes

    def direction(self, seat: Seat) -> Point:
        """Return the direction of a seat from the centre of the table.

        The viewer sits at the bottom, and the viewer's left neighbour is on the left.
        """
        viewer = self.scene.seat if isinstance(self.scene.seat, int) else 0
        seats = len(self.view.chips)
        angle = pi * (0.5 + 2 * ((seat - max(viewer, 0)) % seats) / seats)
        return cos(angle), sin(angle)


def columns_of(chips: int, most: int) -> tuple[int, int]:
    """Return the number of columns for `chips`, at most `most`, and the chips per column."""
    high = max(COLUMN, -(-chips // most))
    return -(-chips // high), high


def stack(chips: int, width: float, most: int) -> str:
    """Draw chips from the side in at most `most` columns, centred above 0, 0."""
    columns, full = columns_of(chips, most)
    high = width * 0.26
    side, edge, mark = _CHIP
    drawn = []
    for chip in range(chips):
        column, level = divmod(chip, full)
        x = ((column - (columns - 1) / 2) * STEP - 0.5) * width
        y = -level * (high + 1) - high
        shift = level % 3 * 0.12  # offset the marks from those of the chip below
        lines = "".join(
            f"M{x + width * (share + shift):.1f} {y + 0.5:.1f}v{high - 1:.1f}"
            for share in (0.14, 0.56)
        )
        drawn += [
            rect(x, y, width, high, radius=high * 0.4, fill=side, stroke=edge, stroke_width=0.8),
            path(lines, stroke=mark, stroke_width=width * 0.13),
        ]
    return group(*drawn)


def _sign(face: Face | None) -> tuple[str, str]:
    """Return the letter of a face and the path of an arrow in the direction of the chip."""
    match face:
        case None:
            return "?", ""
        case Face.DOT:
            return "", ""
        case Face.LEFT:
            return "L", "M-.5 .62L-.86 .74L-.5 .86M-.82 .74H.5"
        case Face.RIGHT:
            return "R", "M.5 .62L.86 .74L.5 .86M.82 .74H-.5"
        case Face.CENTER:
            return "C", "M-.3 .74H.3M-.42 .62L-.2 .74L-.42 .86M.42 .62L.2 .74L.42 .86"
    assert_never(face)


def die(face: Face | None, side: float) -> str:
    """Draw a face of a die, or a question mark for a die that has not been rolled."""
    half = side / 2
    body = rect(-half + 1, -half + 3, side, side, "tt-shadow", side * 0.18) + rect(
        -half, -half, side, side, "tt-paper tt-stroke-line", side * 0.18
    )
    if face is Face.DOT:
        return body + circle(0, 0, side * 0.14, "tt-ink")
    letter, arrow = _sign(face)
    colour = "tt-text-muted" if face is None else "tt-text-ink"
    size = side * 0.62
    body += text(0, side * 0.16, letter, size, side, colour, anchor="middle", bold=True)
    if not arrow:
        return body
    drawn = path(arrow, "tt-none tt-stroke-accent", stroke_width=0.1, stroke_linecap="round")
    return body + tag("g", drawn, transform=f"scale({half * 0.84:.2f})")


class LcrPicture(Picture[LcrState]):
    """The picture of a game of Left, Center, Right."""

    @override
    def draw(self, view: LcrState, scene: Scene) -> str:
        context = PictureContext(view, scene)
        width, height = context.layout.size
        return self.whole(
            scene,
            (width, height),
            rect(0, 0, width, height, "tt-cloth"),
            _table(context.layout),
            _pot(context),
            *(_stack(context, seat) for seat in range(len(view.chips))),
            *(_plate(context, seat) for seat in range(len(view.chips))),
            _dice(context),
            label=f"Left, Center, Right: {_title(context)}",
        )

    @override
    def path(self, action: Any, view: LcrState, seat: Seat) -> Sequence[str]:
        return (DICE,)

    @override
    def label(self, action: Any, view: LcrState, names: Sequence[str], seat: Seat) -> str:
        return LcrText().asked(view, seat, names)

    @override
    def attempt(self, part: str, view: LcrState, seat: Seat) -> str:
        return "roll" if part == DICE else ""


def _title(context: PictureContext) -> str:
    winner, scene = context.view.winner, context.scene
    return turn_in_words(scene) if winner is None else f"{scene.names[winner]} wins"


def _table(layout: Layout) -> str:
    """Draw the round table."""
    (x, y), (across, up) = layout.middle, layout.radii
    rings = ((0.9, "tt-wood-deep"), (0.885, "tt-wood"), (0.83, "tt-cloth-deep"))
    return group(
        *(
            tag("ellipse", cx=x, cy=y, rx=across * share, ry=up * share, class_=looks)
            for share, looks in rings
        ),
        aria_hidden="true",
    )


def _pot(context: PictureContext) -> str:
    """Draw the pot in the middle of the table."""
    (x, y), chip, pot = context.layout.middle, context.layout.chip, context.view.pot
    radius, size, above = (56, 20, 0) if context.scene.narrow else (104, 30, 96)
    amount = _amount(context, pot, None)
    return context.scene.part(
        "pot",
        circle(0, 0, radius, "tt-paper-deep tt-stroke-line", stroke_width=2),
        circle(0, 0, radius, "tt-ring"),
        group(stack(pot, chip * 0.6, POT_COLUMNS), at=(0, radius * 0.18)),
        text(
            *(0, radius * 0.62, amount, size, radius * 1.3, "tt-number"), anchor="middle", bold=True
        ),
        text(0, -radius * 0.6, "Pot", size * 0.6, radius, "tt-text-muted", anchor="middle"),
        label=f"The pot: {plural(pot, 'chip')}",
        about="Chips in the pot stay there.",
        key="pot",
        at=(x, y - above),
    )


def _amount(context: PictureContext, chips: int, place: Seat | None) -> str:
    """Return a number of chips and its last change as text."""
    change = context.changes.get(place, 0)
    arrow = "▲" if change > 0 else "▼"
    return f"{chips} {arrow}{abs(change)}" if change else str(chips)


def _place(context: PictureContext, seat: Seat) -> Point:
    """Return the centre of a name plate."""
    (x, y), (across, up) = context.layout.middle, context.layout.radii
    dx, dy = context.direction(seat)
    return x + dx * across, y + dy * up


def _stack(context: PictureContext, seat: Seat) -> str:
    """Draw the chips in front of a player."""
    chips, layout = context.view.chips[seat], context.layout
    (x, y), (dx, dy) = _place(context, seat), context.direction(seat)
    wide, high = layout.plate
    columns, _ = columns_of(chips, COLUMNS)
    aside = (wide + layout.chip * (1.2 + STEP * max(1, columns))) / 2
    below = high / 2 + layout.chip * 1.3
    return group(
        stack(chips, layout.chip, COLUMNS),
        at=(x - dx * aside, y - dy * below + layout.chip * 0.5),
        data_key=f"stack-{seat}",
        aria_hidden="true",
    )


def _plate(context: PictureContext, seat: Seat) -> str:
    """Draw the name plate and the number of chips of a player, who may be to act."""
    scene, chips = context.scene, context.view.chips[seat]
    (x, y), (wide, high) = _place(context, seat), context.layout.plate
    acts, size, radius = seat in scene.to_act, 13 if scene.narrow else 18, high * 0.3
    left = radius * 2 + size * 0.9
    names, seats = scene.names, len(context.view.chips)
    neighbours = (
        f"On the left {names[(seat + 1) % seats]}, on the right {names[(seat - 1) % seats]}."
    )
    acting = (
        rect(0, 0, wide, high, "tt-none tt-stroke-ink", 9, stroke_width=3),
        polygon(((1, high / 2 - 6), (1, high / 2 + 6), (8, high / 2)), "tt-ink"),
    )
    return scene.part(
        f"seat-{seat}",
        rect(0, 0, wide, high, "tt-card", 9),
        *(acting if acts else ()),
        rect(1, 1, wide - 2, high - 2, "tt-ring", 9),
        seat_mark(seat, radius + size * 0.55, high / 2, radius),
        text(left, high * 0.42, names[seat], size, wide - left - 6, bold=acts, floor=READABLE),
        text(
            *(left, high * 0.84, _amount(context, chips, seat), size * 1.2, wide - left - 6),
            "tt-number " + ("tt-text-ink" if chips else "tt-text-muted"),
            bold=chips > 0,
        ),
        label=f"{names[seat]}: {plural(chips, 'chip')}",
        about=f"To roll. {neighbours}" if acts else neighbours,
        key=f"seat-{seat}",
        at=(x - wide / 2, y - high / 2),
    )


def _dice(context: PictureContext) -> str:
    """Draw the last dice, the player who rolled them and the button to roll."""
    scene, view, side = context.scene, context.view, context.layout.side
    faces: Sequence[Face | None]
    if context.rolled is not None:
        seat, faces = context.rolled
        rolled = f"Rolled by {scene.names[seat]}"
        label = f"{scene.names[seat]} rolled {', '.join(context.rolled[1])}"
    else:
        faces = [] if view.seat is None else [None] * min(MOST_DICE, view.chips[view.seat])
        rolled, label = "", "The dice"
    step, lit = side * 1.18, scene.is_lit(DICE)
    shown = (
        group(
            group(die(face, side), class_="tt-die", data_key=f"die-{place}"),
            at=((place - (len(faces) - 1) / 2) * step, 0),
        )
        for place, face in enumerate(faces)
    )
    # A click between the dice and the button also rolls.
    ground = (-120.0, -35.0, 240.0, 136.0)
    box = (-120.0, 51.0, 240.0, 50.0)
    if scene.narrow:
        ground = (-step * 1.5, -30.0, 260 + step * 1.5, 60.0)
        box = (132.0, -30.0, 128.0, 60.0)
    return scene.part(
        DICE,
        rect(*ground, "tt-hit"),
        *shown,
        text(0, -44, rolled, 16, 230, "tt-text-muted", anchor="middle", floor=READABLE),
        rect(*box, "tt-paper" if lit else "tt-paper-deep", 10),
        rect(*box, "tt-ring", 10),
        text(
            box[0] + box[2] / 2,
            box[1] + box[3] / 2 + 6,
            "Roll" if lit else _title(context),
            18,
            box[2] - 16,
            "tt-text-ink" if lit else "tt-text-muted",
            anchor="middle",
            bold=True,
        ),
        label=label,
        about="Roll a die for each of your chips, at most three.",
        at=context.layout.dice,
    )
