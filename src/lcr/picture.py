"""How the game looks: a round table with chips before everybody, the pot, and the last dice."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from typing_extensions import override

from lcr.dice import Face
from lcr.looking import COLUMNS, FEW, POT_COLUMNS, READABLE, ROOMY, Layout, Looking, Point
from lcr.pieces import STEP, columns_of, die, stack
from lcr.state import MOST_DICE, LcrState
from lcr.text import LcrText
from tabletop import Seat
from tabletop.picture import Picture, Scene, turn_in_words
from tabletop.svg import group, measure, polygon, rect, seat_mark, tag, text
from tabletop.wording import counted

DICE: Final = "dice"
"""The part that is clicked to roll."""


class LcrPicture(Picture[LcrState]):
    """Draws a game of Left, Center, Right."""

    @override
    def draw(self, view: LcrState, scene: Scene) -> str:
        looking = Looking(view, scene)
        width, height = looking.layout.size
        return self.whole(
            scene,
            (width, height),
            rect(0, 0, width, height, "tt-cloth"),
            _table(looking.layout),
            _pot(looking),
            *(_stack(looking, seat) for seat in range(len(view.chips))),
            *(_plate(looking, seat) for seat in range(len(view.chips))),
            _dice(looking),
            label=f"Left, Center, Right: {_title(looking)}",
        )

    @override
    def path(self, action: Any, view: LcrState, seat: Seat) -> Sequence[str]:
        return (DICE,)

    @override
    def label(self, action: Any, view: LcrState, names: Sequence[str], seat: Seat) -> str:
        return LcrText().asked(view, seat)

    @override
    def attempt(self, part: str, view: LcrState, seat: Seat) -> str:
        return "roll" if part == DICE else ""


def _title(looking: Looking) -> str:
    winner = looking.view.winner
    return turn_in_words(looking.scene) if winner is None else f"{_name(looking, winner)} wins"


def _name(looking: Looking, seat: Seat) -> str:
    return looking.scene.names[seat]


def _table(layout: Layout) -> str:
    """The round table: wood round a cloth."""
    (x, y), (across, up) = layout.middle, layout.radii
    rings = ((0.9, "tt-wood-deep"), (0.885, "tt-wood"), (0.83, "tt-cloth-deep"))
    return group(
        *(
            tag("ellipse", cx=x, cy=y, rx=across * share, ry=up * share, class_=looks)
            for share, looks in rings
        ),
        aria_hidden="true",
    )


def _pot(looking: Looking) -> str:
    """The pot in the middle, whose chips stay there."""
    (x, y), chip, pot = looking.layout.middle, looking.layout.chip, looking.view.pot
    narrow = looking.scene.narrow
    radius, size = (56, 20) if narrow else (104, 30)
    y -= 0 if narrow else 96
    return looking.scene.part(
        "pot",
        tag("circle", cx=0, cy=0, r=radius, class_="tt-paper-deep tt-stroke-line", stroke_width=2),
        tag("circle", cx=0, cy=0, r=radius, class_="tt-ring"),
        group(stack(pot, chip * 0.6, POT_COLUMNS), at=(0, radius * 0.18)),
        text(
            *(0, radius * 0.62, _amount(looking, pot, None), size, radius * 1.3),
            "tt-number",
            anchor="middle",
            bold=True,
        ),
        text(
            *(0, -radius * 0.6, "Pot", size * 0.6, radius),
            "tt-text-muted",
            anchor="middle",
        ),
        label=f"The pot: {counted(pot, 'chip')}",
        about="Chips in the pot stay there.",
        key="pot",
        at=(x, y),
    )


def _amount(looking: Looking, chips: int, place: Seat | None) -> str:
    """A number of chips, and how many more or fewer than before."""
    change = looking.changes.get(place, 0)
    arrow = "▲" if change > 0 else "▼"
    return f"{chips} {arrow}{abs(change)}" if change else str(chips)


def _place(looking: Looking, seat: Seat) -> Point:
    """The middle of a name plate."""
    (x, y), (across, up) = looking.layout.middle, looking.layout.radii
    dx, dy = looking.direction(seat)
    return x + dx * across, y + dy * up


def _stack(looking: Looking, seat: Seat) -> str:
    """The chips before somebody."""
    chips, layout = looking.view.chips[seat], looking.layout
    x, y = _place(looking, seat)
    dx, dy = looking.direction(seat)
    wide, high = looking.layout.plate
    columns, _ = columns_of(chips, COLUMNS)
    aside = (wide + layout.chip * (1.2 + STEP * max(1, columns))) / 2
    below = high / 2 + layout.chip * 1.3
    return group(
        stack(chips, layout.chip, COLUMNS),
        at=(x - dx * aside, y - dy * below + layout.chip * 0.5),
        data_key=f"stack-{seat}",
        aria_hidden="true",
    )


def _plate(looking: Looking, seat: Seat) -> str:
    """Who sits there, with how many chips; with a bold border for whose turn it is."""
    scene, chips = looking.scene, looking.view.chips[seat]
    (x, y), (wide, high) = _place(looking, seat), looking.layout.plate
    wide *= ROOMY if _is_roomy(looking, seat) else 1
    acts = seat in scene.to_act
    size = 13 if scene.narrow else 18
    radius = high * 0.3
    left = radius * 2 + size * 0.9
    name = _name(looking, seat)
    pieces = [
        rect(0, 0, wide, high, "tt-card", 9),
        rect(0, 0, wide, high, "tt-none tt-stroke-ink", 9, stroke_width=3) if acts else "",
        rect(1, 1, wide - 2, high - 2, "tt-ring", 9),
        polygon(((1, high / 2 - 6), (1, high / 2 + 6), (8, high / 2)), "tt-ink") if acts else "",
        seat_mark(seat, radius + size * 0.55, high / 2, radius),
        text(left, high * 0.42, name, size, wide - left - 6, bold=acts, floor=READABLE),
        text(
            *(left, high * 0.84, _amount(looking, chips, seat), size * 1.2, wide - left - 6),
            "tt-number " + ("tt-text-ink" if chips else "tt-text-muted"),
            bold=chips > 0,
        ),
    ]
    return scene.part(
        f"seat-{seat}",
        *pieces,
        label=f"{name}: {counted(chips, 'chip')}",
        about=_about(looking, seat),
        key=f"seat-{seat}",
        at=(x - wide / 2, y - high / 2),
    )


def _is_roomy(looking: Looking, seat: Seat) -> bool:
    """Whether nobody sits beside a plate, so that a long name has room."""
    across, _ = looking.direction(seat)
    return abs(across) < 0.01 and len(looking.view.chips) <= FEW


def _about(looking: Looking, seat: Seat) -> str:
    """Whose turn it is, and to whom chips go from there."""
    names, seats = looking.scene.names, len(looking.view.chips)
    left, right = names[(seat + 1) % seats], names[(seat - 1) % seats]
    turn = "To roll. " if seat in looking.scene.to_act else ""
    return f"{turn}On the left {left}, on the right {right}."


def _dice(looking: Looking) -> str:
    """The dice that were rolled last, and the way to roll them."""
    scene, layout, side = looking.scene, looking.layout, looking.layout.side
    faces: Sequence[Face | None]
    if looking.rolled is None:
        seat = looking.view.seat
        faces = [None] * (min(MOST_DICE, looking.view.chips[seat]) if seat is not None else 0)
    else:
        faces = looking.rolled[1]
    step = side * 1.18
    shown = [
        group(
            group(die(face, side), class_="tt-die", data_key=f"die-{place}"),
            at=((place - (len(faces) - 1) / 2) * step, 0),
        )
        for place, face in enumerate(faces)
    ]
    return scene.part(
        DICE,
        _ground(looking, step),
        *shown,
        *_below(looking),
        label=_in_words(looking),
        about="Roll a die for each of your chips, at most three.",
        at=layout.dice,
    )


def _ground(looking: Looking, step: float) -> str:
    """What is clicked between the dice, and between them and the button."""
    if looking.scene.narrow:
        return rect(-step * 1.5, -30, 260 + step * 1.5, 60, "tt-hit")
    return rect(-120, -35, 240, 136, "tt-hit")


def _below(looking: Looking) -> list[str]:
    """What stands with the dice: whose they were, and the button."""
    lit, narrow = looking.scene.is_lit(DICE), looking.scene.narrow
    wide, high = (128, 60) if narrow else (240, 50)
    x, y = (196, 0) if narrow else (0, 76)
    box = (x - wide / 2, y - high / 2, wide, high)
    return [
        _who_rolled(looking),
        rect(*box, "tt-paper" if lit else "tt-paper-deep", 10),
        rect(*box, "tt-ring", 10),
        text(
            *(x, y + 6, "Roll" if lit else _title(looking), 18, wide - 16),
            "tt-text-ink" if lit else "tt-text-muted",
            anchor="middle",
            bold=True,
        ),
    ]


def _who_rolled(looking: Looking) -> str:
    """The same over the dice: where there is no room, the name is cut and not the sentence."""
    if looking.rolled is None:
        return ""
    name, size, room = _name(looking, looking.rolled[0]), 16, 230
    verb, gap = measure("rolled", size), size * 0.3
    wide = min(measure(name, size), room - verb - gap)
    left = -(wide + gap + verb) / 2
    return group(
        text(left, -44, name, size, wide, "tt-text-muted", floor=READABLE),
        text(left + wide + gap, -44, "rolled", size, verb, "tt-text-muted"),
    )


def _said(looking: Looking) -> str:
    """Who rolled the dice that are seen."""
    return "" if looking.rolled is None else f"{_name(looking, looking.rolled[0])} rolled"


def _in_words(looking: Looking) -> str:
    """The dice, for who does not see them."""
    if looking.rolled is None:
        return "The dice"
    return f"{_said(looking)} {', '.join(looking.rolled[1])}"
