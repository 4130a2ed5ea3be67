"""The builders in a picture: who they are, their points, and what they have.

A panel is drawn once and remembered, by all that it shows, unless it can be clicked now.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final, NamedTuple

from constructor.actions import OWNED
from constructor.picture.clicks import builder_part, hand_part, wanted_part
from constructor.picture.inspecting import built, of_builder
from constructor.picture.looking import Looking
from constructor.picture.pieces import GROUNDS, sign
from constructor.state import COLOURS, KINDS, WINNING_POINTS, Phase, Resource
from tabletop import Seat
from tabletop.picture import Scene
from tabletop.svg import group, polygon, rect, seat_mark, text
from tabletop.wording import counted

GAP: Final = 6
CHIP: Final = 44
"""How wide and high a thing is that a finger meets, at least."""


class Builder(NamedTuple):
    """What is shown of a builder.

    Attributes:
        seat: who it is.
        name: the name that somebody gave.
        called: the colour, and that name.
        acts: whether something is to be decided by that builder.
        turn: that, and whether it is that builder's turn, in words; often empty.
        points: how many.
        hand: how many resources of each kind.
        changes: how many more or fewer than before.
        built: what stands on the board, in words.
        about: more, for who looks closely.
    """

    seat: Seat
    name: str
    called: str
    acts: bool
    turn: str
    points: int
    hand: tuple[int, ...]
    changes: tuple[int, ...]
    built: str
    about: str


def builder_of(looking: Looking, seat: Seat) -> Builder:
    """What is shown of a builder."""
    view, scene = looking.view, looking.scene
    acts, cards = seat in scene.to_act, slice(seat * KINDS, seat * KINDS + KINDS)
    at_turn = seat == view.turn and view.phase not in {Phase.OVER, Phase.SETUP}
    return Builder(
        seat,
        scene.names[seat],
        looking.called[seat],
        acts,
        "to act" if acts else "at turn" if at_turn else "",
        view.points(seat),
        tuple(view.cards[cards]),
        tuple(looking.changes[cards]),
        built(seat, view),
        of_builder(seat, view),
    )


class Sheet(NamedTuple):
    """What a panel is drawn on.

    Attributes:
        width: of the panel.
        height: of the panel.
        narrow: whether the picture is.
        live: whether it can be clicked.
    """

    width: float
    height: float
    narrow: bool
    live: bool

    @property
    def idle(self) -> Scene:
        """A scene in which nothing can be done."""
        return Scene((), narrow=self.narrow, live=self.live)


def other_panel(
    looking: Looking, seat: Seat, at: tuple[float, float], width: float, height: float
) -> str:
    """A builder beside the one who looks: name, points, resources, what is built.

    In a narrow picture that is one line, without what is built.
    """
    scene, builder = looking.scene, builder_of(looking, seat)
    sheet = Sheet(width, height, scene.narrow, scene.live)
    is_lit = scene.is_lit(builder_part(seat))
    drawn = _other(scene, sheet, builder) if is_lit else _idle_other(sheet, builder)
    return group(drawn, at=at)


# Remembered, as all pieces with a cache here: from picture to picture most stay the same.
@lru_cache(maxsize=1024)
def _idle_other(sheet: Sheet, builder: Builder) -> str:
    return _other(sheet.idle, sheet, builder)


def _other(scene: Scene, sheet: Sheet, builder: Builder) -> str:
    """The panel of another builder; all of it is one part where that one may be stolen from."""
    part = builder_part(builder.seat)
    stolen = scene.is_lit(part)
    step = CHIP + 2.0 if sheet.narrow else (sheet.width - 20) / KINDS
    if sheet.narrow:
        size, tall, head = 13, sheet.height, sheet.width - KINDS * step
        left, top, chip = head, 0.0, (float(CHIP), float(CHIP))
    else:
        size, tall, head = 18, 54.0, sheet.width
        left, top, chip = 12.0, 58.0, (step - 4, 58.0)
    area = (sheet.width, sheet.height) if stolen else (head, tall)
    named = scene.part(
        part,
        rect(0, 0, *area, "tt-hit", 10),
        rect(1, 1, area[0] - 2, area[1] - 2, "tt-ring", 10),
        _head(builder, head, size=size, height=tall),
        label=builder.called,
        about=builder.about,
        key=f"points-{builder.seat}",
    )
    chips = [
        group(_chip(scene, builder, kind, chip, part=not stolen), at=(left + step * place, top))
        for place, kind in enumerate(OWNED)
    ]
    order = [*chips, named] if stolen else [named, *chips]
    return group(_card(builder, sheet), *order, "" if sheet.narrow else _summary(builder, sheet))


def _summary(builder: Builder, sheet: Sheet) -> str:
    line = f"{counted(sum(builder.hand), 'resource')} · {builder.built}"
    return text(14, sheet.height - 12, line, 13, sheet.width - 28, "tt-text-muted")


def _card(builder: Builder, sheet: Sheet) -> str:
    """What a panel lies on; with a bold border for who is to decide."""
    frame = rect(0, 0, sheet.width, sheet.height, "tt-card", 10)
    if not builder.acts:
        return frame
    bold = rect(*(0, 0, sheet.width, sheet.height), "tt-none tt-stroke-ink", 10, stroke_width=3)
    return frame + bold


def _head(builder: Builder, width: float, *, size: float, height: float) -> str:
    """Mark, name and points of a builder."""
    radius, middle = size * 1.05, height / 2
    x = radius + size * 0.6 + 4
    left, right = x + radius + size * 0.5, width - size * 0.7
    room = right - left - size * 2.3
    colour = COLOURS[builder.seat]  # who is called like it needs to be told once
    below = " · ".join(filter(None, (colour if builder.name != colour else "", builder.turn)))
    return group(
        polygon([(2, middle - 7), (2, middle + 7), (11, middle)], "tt-ink") if builder.acts else "",
        seat_mark(builder.seat, x, middle, radius, COLOURS[builder.seat][0]),
        text(left, middle - size * 0.05, builder.name, size, room, bold=True),
        text(left, middle + size * 0.95, below, size * 0.75, room, "tt-text-muted"),
        text(
            *(right, middle + size * 0.2, str(builder.points), size * 1.6, size * 2.2),
            "tt-number tt-text-ink",
            anchor="end",
            bold=True,
        ),
        text(
            *(right, middle + size * 0.98, f"of {WINNING_POINTS}", size * 0.68, size * 2.4),
            "tt-text-muted",
            anchor="end",
        ),
    )


def _chip(
    scene: Scene, builder: Builder, kind: Resource, size: tuple[float, float], *, part: bool
) -> str:
    """A kind of resource that somebody else has."""
    width, height = size
    narrow = height < 50
    amount = builder.hand[kind]
    body = (
        rect(0, 0, width, height, "tt-hit", 8),
        rect(1, 1, width - 2, height - 2, "tt-ring", 8),
        group(sign(kind, 10 if narrow else 14), at=(width / 2, 14 if narrow else 18)),
        group(
            _amount(amount, builder.changes[kind], 14 if narrow else 16),
            at=(width / 2, height - 7),
        ),
    )
    if not part:
        return group(*body)
    return scene.part(
        wanted_part(builder.seat, kind),
        *body,
        label=f"{amount} {kind.name} of {builder.called}",
        about="To trade for one, choose first what you give of your own.",
        key=f"cards-{builder.seat}-{kind.name}",
    )


@lru_cache(maxsize=1024)
def _amount(amount: int, change: int, size: float) -> str:
    """How many there are of a kind, and how many more or fewer than before."""
    shown = text(
        *(0, 0, str(amount), size, size * 2.4),
        "tt-number " + ("tt-text-ink" if amount else "tt-text-muted"),
        anchor="middle",
        bold=amount > 0,
    )
    if not change:
        return shown
    arrow, colour = ("▲", "tt-text-gain") if change > 0 else ("▼", "tt-text-danger")
    more = text(size * 0.55, 0, f"{arrow}{abs(change)}", size * 0.62, size * 1.9, colour, bold=True)
    return shown + more


def own_hand(
    looking: Looking, seat: Seat, at: tuple[float, float], width: float, height: float
) -> str:
    """What the one who looks has: cards that can be given away."""
    scene, builder = looking.scene, builder_of(looking, seat)
    sheet = Sheet(width, height, scene.narrow, scene.live)
    is_lit = any(scene.is_lit(hand_part(kind)) for kind in OWNED)
    return group(_own(scene, sheet, builder) if is_lit else _idle_own(sheet, builder), at=at)


@lru_cache(maxsize=512)
def _idle_own(sheet: Sheet, builder: Builder) -> str:
    return _own(sheet.idle, sheet, builder)


def _own(scene: Scene, sheet: Sheet, builder: Builder) -> str:
    narrow, width, height = sheet.narrow, sheet.width, sheet.height
    # On a phone the cards stand under those of the others, one kind below the other.
    size, name = (13, width - KINDS * (CHIP + 2)) if narrow else (18, 200)
    left, top = (name, 4) if narrow else (name + 7, 8)
    step = (width - left - (0 if narrow else 3)) / KINDS
    card = (CHIP, height - 8) if narrow else (step - GAP, height - 16)
    stands = "" if narrow else text(14, height - 16, builder.built, 13, name - 24, "tt-text-muted")
    return group(
        _card(builder, sheet),
        scene.part(
            builder_part(builder.seat),
            rect(0, 0, name, height, "tt-hit", 10),
            rect(2, 2, name - 4, height - 4, "tt-ring", 10),
            _head(builder, name, size=size, height=min(height, 64)),
            stands,
            label=f"{builder.called}, you",
            about=builder.about,
            key=f"points-{builder.seat}",
        ),
        *(
            group(_hand_card(scene, builder, kind, card), at=(left + step * place, top))
            for place, kind in enumerate(OWNED)
        ),
    )


def _hand_card(scene: Scene, builder: Builder, kind: Resource, size: tuple[float, float]) -> str:
    amount = builder.hand[kind]
    return scene.part(
        hand_part(kind),
        rect(0, 0, *size, "tt-paper tt-stroke-line", 8, stroke_width=1),
        rect(0, 0, *size, "tt-ring", 8),
        _face(kind, amount, builder.changes[kind], size),
        label=f"{amount} {kind.name}",
        about=f"You have {amount} {kind.name}. To trade one away, choose it, and then what you want"
        " of somebody else.",
        key=f"cards-{builder.seat}-{kind.name}",
    )


@lru_cache(maxsize=512)
def _face(kind: Resource, amount: int, change: int, size: tuple[float, float]) -> str:
    """What is on a card of one's own."""
    width, height = size
    middle, radius = width / 2, min(width * 0.24, height * 0.22)
    return group(
        rect(3, 3, width - 6, height * 0.5, radius=6, fill=GROUNDS[kind][0]),
        group(sign(kind, radius), at=(middle, 3 + height * 0.25)),
        group(_amount(amount, change, height * 0.26), at=(middle, height * 0.77)),
        text(
            *(middle, height - 5, kind.name, height * 0.12, width - 6),
            "tt-text-muted",
            anchor="middle",
        ),
    )
