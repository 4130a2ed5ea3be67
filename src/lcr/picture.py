"""Draw a match of LCR as a round table with chips, the pot and the last dice."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from math import cos, pi, sin
from typing import Any, Final, assert_never

from typing_extensions import override

from lcr.rules.dice import Face
from lcr.rules.events import ChipPassed, DieRolled, TurnEnded
from lcr.rules.state import MOST_DICE, LcrState
from lcr.text import LcrText
from tabletop import ActionsUndone, Seat
from tabletop.display import (
    Box,
    Column,
    Image,
    Label,
    Panel,
    Part,
    Picture,
    Row,
    Scene,
    Stack,
    circle,
    group,
    mark,
    path,
    polygon,
    rect,
    tag,
    text,
    turn_in_words,
)
from tabletop.wording import plural

Point = tuple[float, float]


FOUR: Final = 4
"""Maximum number of players whose plates on a narrow table are wide enough for a long name."""

FEW: Final = 7  # maximum number of players around a narrow table of normal height

READABLE: Final = 0.85
"""Minimum scale of a long name. If the name is still too long, it is truncated."""

COLUMNS: Final = 3
POT_COLUMNS: Final = 6  # maximum number of columns of chips of a player and of the pot

COLUMN: Final = 5
"""Number of chips in a column, unless this would take more than the maximum number of columns."""

STEP: Final = 1.16  # distance between columns, relative to the width of a chip
_CHIP: Final = ("#b3453a", "#8c332b", "#f6ead2")  # colours of a chip: side, edge and marks
DICE: Final = "dice"  # the part to click to roll the dice


@dataclass(frozen=True)
class PictureContext:
    """A view of the state and the scene, with values computed from both."""

    view: LcrState
    scene: Scene

    @property
    def plate(self) -> Point:
        """Width and height of a name plate."""
        if self.is_wide:
            return 166, 58
        seats, short = len(self.view.chips), self.scene.short
        if self.is_crowded:
            return (58, 34) if short else (64, 40)
        return ((100 if short else 124), 40) if seats <= FOUR else (84 if short else 96, 40)

    @property
    def is_wide(self) -> bool:
        """Whether the screen is larger than a phone's."""
        return not (self.scene.narrow or self.scene.short)

    @property
    def is_crowded(self) -> bool:
        """Whether the name plates on a phone have no room for names."""
        return not self.is_wide and len(self.view.chips) > FEW

    @property
    def chip(self) -> float:
        """Width of a chip."""
        return 36 if self.is_wide else 17 if self.scene.short else 21

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
    """Return the number of columns for `chips`, at most `most`, and of chips per column."""
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
        seats, pot, dice = Box(partial(_draw_seats, context)), Row(_pot(context)), _dice(context)
        gap = 8 if scene.short else 20
        if scene.narrow:
            tree: Box = Column(Stack(seats, Column(pot), height=0, weight=1), dice, gap=gap)
        elif scene.short:
            tree = Row(Stack(seats, Column(pot), weight=1), Column(dice), gap=gap)
        else:
            tree = Stack(seats, Column(pot, Row(dice), gap=gap))
        label = f"Left, Center, Right: {turn_in_words(context.scene)}"
        pad = (20, 24) if context.is_wide else (5, 6 if scene.short else 20)
        return self.lay_out(scene, tree, label=label, wide=(909, 732), pad=pad)

    @override
    def path(self, action: Any, view: LcrState, seat: Seat) -> Sequence[str]:
        return (DICE,)

    @override
    def label(self, action: Any, view: LcrState, names: Sequence[str], seat: Seat) -> str:
        return LcrText().asked(view, seat, names)


def _draw_seats(context: PictureContext, width: float, height: float) -> str:
    """Draw the round table with the chips and name plates of all players."""
    wide, high = context.plate
    middle = width / 2, height / 2
    radii = (width - wide) / 2, (height - high) / 2
    rings = ((0.9, "tt-wood-deep"), (0.885, "tt-wood"), (0.83, "tt-cloth-deep"))
    table = (
        tag(
            "ellipse",
            cx=middle[0],
            cy=middle[1],
            rx=radii[0] * share,
            ry=radii[1] * share,
            class_=looks,
        )
        for share, looks in rings
    )
    chips, plates = [], []
    for seat in range(len(context.view.chips)):
        across, down = context.direction(seat)
        x, y = middle[0] + across * radii[0], middle[1] + down * radii[1]
        chips.append(_draw_chips(context, seat, x, y))
        plates.append(_plate(context, seat).place(x - wide / 2, y - high / 2, wide, high))
    return group(*table, aria_hidden="true") + "".join(chips + plates)


def _pot(context: PictureContext) -> Box:
    pot = context.view.pot
    radius, size = (84, 28) if context.is_wide else (44, 20) if context.scene.short else (56, 20)
    chips = group(stack(pot, context.chip * 0.6, POT_COLUMNS), at=(0, radius * 0.18))
    content = Column(
        Box(height=radius * 0.2),
        Label("Pot", size * 0.6, "tt-text-muted", anchor="middle"),
        Box(weight=1),
        Label(_amount(context, pot, None), size, "tt-number", anchor="middle", bold=True),
        Box(height=radius * 0.24),
    )
    side = 2 * radius
    discs = circle(0, 0, radius, "tt-paper-deep tt-stroke-line", stroke_width=2) + chips
    return Part(
        context.scene,
        "pot",
        Stack(Image(discs, side, side, centred=True), content),
        radius=radius,
        label=f"The pot: {plural(pot, 'chip')}",
        about="Chips in the pot stay there.",
        key="pot",
    )


def _amount(context: PictureContext, chips: int, place: Seat | None) -> str:
    """Return a number of chips and its last change as text."""
    change = context.changes.get(place, 0)
    arrow = "▲" if change > 0 else "▼"
    return f"{chips} {arrow}{abs(change)}" if change else str(chips)


def _draw_chips(context: PictureContext, seat: Seat, x: float, y: float) -> str:
    """Draw the chips of a player in front of the name plate, whose centre is given."""
    chips, chip, (wide, high) = context.view.chips[seat], context.chip, context.plate
    across, down = context.direction(seat)
    columns, _ = columns_of(chips, COLUMNS)
    aside = (wide + chip * (1.2 + STEP * max(1, columns))) / 2
    below = high / 2 + chip * 1.3
    return group(
        stack(chips, chip, COLUMNS),
        at=(x - across * aside, y - down * below + chip * 0.5),
        data_key=f"stack-{seat}",
        aria_hidden="true",
    )


def _plate(context: PictureContext, seat: Seat) -> Box:
    """Return the name plate of a player, with the number of chips and a mark for the turn."""
    scene, chips = context.scene, context.view.chips[seat]
    acts, size = seat in scene.to_act, 17 if context.is_wide else 13
    names, seats = scene.names, len(context.view.chips)
    neighbours = (
        f"On the left {names[(seat + 1) % seats]}, on the right {names[(seat - 1) % seats]}."
    )
    amount = _amount(context, chips, seat)
    looks = "tt-number " + ("tt-text-ink" if chips else "tt-text-muted")
    name = Label(names[seat], size, bold=acts, floor=READABLE)
    words = Column(
        *[] if context.is_crowded else [name],
        Label(amount, size * 1.2, looks, bold=chips > 0),
        width=0,
        weight=1,
    )
    owner = Row(mark(seat, context.plate[1] * 0.3), words, gap=size * 0.4)
    acting = [Panel("tt-none tt-stroke-ink", 9, stroke_width=3), Box(_draw_pointer)] if acts else []
    return Part(
        scene,
        f"seat-{seat}",
        Stack(Panel("tt-card", 9), *acting, owner, pad=(size * 0.55, 2)),
        radius=9,
        label=f"{names[seat]}: {plural(chips, 'chip')}",
        about=f"To roll. {neighbours}" if acts else neighbours,
        key=f"seat-{seat}",
    )


def _draw_pointer(width: float, height: float) -> str:
    middle = height / 2
    return polygon(((1, middle - 6), (1, middle + 6), (8, middle)), "tt-ink")


def _dice(context: PictureContext) -> Box:
    """Return the last dice, the player who rolled them and the button to roll, as a single part."""
    scene, view = context.scene, context.view
    faces: Sequence[Face | None]
    if context.rolled is not None:
        seat, faces = context.rolled
        rolled = f"Rolled by {scene.names[seat]}"
        label = f"{scene.names[seat]} rolled {', '.join(context.rolled[1])}"
    else:
        faces = [] if view.seat is None else [None] * min(MOST_DICE, view.chips[view.seat])
        rolled, label = "", "The dice"
    side, lit = 40 if scene.short else 56, scene.is_lit(DICE)
    shown = (
        Image(
            group(die(face, side), class_="tt-die", data_key=f"die-{place}"),
            side,
            side,
            centred=True,
        )
        for place, face in enumerate(faces)
    )
    who = Label(
        rolled,
        18 if context.is_wide else 14,
        "tt-text-muted",
        anchor="middle",
        floor=READABLE,
        most=140 if scene.short else 230,
    )
    dice = Column(who, Stack(Row(*shown, gap=side * 0.18), height=side), gap=6, weight=1)
    words, colour = ("Roll", "") if lit else (turn_in_words(context.scene), "tt-text-muted")
    button = Stack(
        Panel("tt-paper" if lit else "tt-paper-deep", 10),
        Label(words, 18, colour, anchor="middle", bold=True),
        Panel("tt-ring", 10),
        width=240 if context.is_wide else 128,
        height=50 if context.is_wide or scene.short else 60,
    )
    below = Column(button, anchor="end")
    return Part(
        scene,
        DICE,
        Row(dice, below, gap=10) if scene.narrow else Column(dice, below, gap=18),
        radius=None,
        label=label,
        about="Roll a die for each of your chips, at most three.",
    )
