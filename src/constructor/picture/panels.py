"""The builders in a picture: who they are, their points, and what they have."""

from __future__ import annotations

from typing import Final

from constructor.actions import OWNED
from constructor.picture.clicks import builder_part, hand_part, wanted_part
from constructor.picture.inspecting import built, of_builder
from constructor.picture.looking import Looking
from constructor.picture.pieces import GROUNDS, sign
from constructor.state import COLOURS, KINDS, WINNING_POINTS, Phase, Resource
from tabletop import Seat
from tabletop.svg import group, polygon, rect, seat_mark, text

GAP: Final = 6
CHIP: Final = 44
"""How wide and high a thing is that a finger meets, at least."""


def _card(looking: Looking, seat: Seat, width: float, height: float) -> str:
    """What a panel lies on; with a bold border for whose turn it is."""
    acts = seat in looking.scene.to_act
    frame = rect(0, 0, width, height, "tt-card", 10)
    if not acts:
        return frame
    return frame + rect(0, 0, width, height, "tt-none tt-stroke-ink", 10, stroke_width=3)


def _head(looking: Looking, seat: Seat, width: float, *, size: float, height: float) -> str:
    """Mark, name and points of a builder."""
    view, radius = looking.view, size * 1.05
    x = radius + size * 0.6
    left, middle = x + radius + size * 0.5, height / 2
    points = view.points(seat)
    room = width - left - size * 3
    turn = "to act" if seat in looking.scene.to_act else ""
    if seat == view.turn and not turn and view.phase is not Phase.OVER:
        turn = "at turn"
    below = COLOURS[seat] + (f" · {turn}" if turn else "")
    arrow = [(2, middle - 7), (2, middle + 7), (11, middle)]
    return group(
        polygon(arrow, "tt-ink") if seat in looking.scene.to_act else "",
        seat_mark(seat, x + 4, middle, radius, COLOURS[seat][0]),
        text(left + 4, middle - size * 0.05, looking.scene.names[seat], size, room, bold=True),
        text(left + 4, middle + size * 0.95, below, size * 0.75, room, "tt-text-muted"),
        text(
            width - size * 0.7,
            middle + size * 0.2,
            str(points),
            size * 1.6,
            size * 2.2,
            "tt-number tt-text-ink",
            anchor="end",
            bold=True,
        ),
        text(
            width - size * 0.7,
            middle + size * 0.98,
            f"of {WINNING_POINTS}",
            size * 0.68,
            size * 2.4,
            "tt-text-muted",
            anchor="end",
        ),
    )


def _named(looking: Looking, seat: Seat, width: float, height: float, size: float) -> str:
    """The head of a panel as a part; all of the panel where somebody may be stolen from."""
    part, head = builder_part(seat), size * 3
    area = height if looking.scene.is_lit(part) else head
    return looking.scene.part(
        part,
        rect(0, 0, width, area, "tt-hit", 10),
        rect(1, 1, width - 2, area - 2, "tt-ring", 10),
        _head(looking, seat, width, size=size, height=head),
        label=looking.called[seat],
        about=of_builder(seat, looking.view),
        key=f"points-{seat}",
    )


def _amount(looking: Looking, seat: Seat, kind: Resource, size: float) -> str:
    """How many a builder has of a kind, and how many more or fewer than before."""
    amount = looking.view.cards[seat * KINDS + kind]
    change = looking.changes[seat * KINDS + kind]
    shown = text(
        0,
        0,
        str(amount),
        size,
        size * 2.4,
        "tt-number " + ("tt-text-ink" if amount else "tt-text-muted"),
        anchor="middle",
        bold=amount > 0,
    )
    if not change:
        return shown
    arrow, colour = ("▲", "tt-text-gain") if change > 0 else ("▼", "tt-text-danger")
    more = text(size * 0.55, 0, f"{arrow}{abs(change)}", size * 0.62, size * 1.9, colour, bold=True)
    return shown + more


def other_panel(
    looking: Looking, seat: Seat, at: tuple[float, float], width: float, height: float
) -> str:
    """A builder beside the one who looks: name, points, resources, what is built."""
    head, size = 54, 18
    step = (width - 20) / KINDS
    stolen = looking.scene.is_lit(builder_part(seat))
    chips = [
        group(
            _chip(looking, seat, kind, step - 4, 58, part=not stolen),
            at=(12 + step * place, head + 4),
        )
        for place, kind in enumerate(OWNED)
    ]
    total = sum(looking.view.hand(seat))
    line = f"{total} resources · {built(seat, looking.view)}"
    head_part = _named(looking, seat, width, height, size)
    pieces = [_card(looking, seat, width, height)]
    pieces += [*chips, head_part] if stolen else [head_part, *chips]
    pieces.append(text(14, height - 12, line, 13, width - 28, "tt-text-muted"))
    return group(*pieces, at=at)


def _chip(
    looking: Looking, seat: Seat, kind: Resource, width: float, height: float, *, part: bool
) -> str:
    """A kind of resource that somebody else has."""
    body = (
        rect(0, 0, width, height, "tt-hit", 8),
        rect(0, 0, width, height, "tt-ring", 8),
        group(sign(kind, 14), at=(width / 2, 18)),
        group(_amount(looking, seat, kind, 16), at=(width / 2, height - 8)),
    )
    if not part:
        return group(*body)
    return _chip_part(looking, seat, kind, body)


def _chip_part(looking: Looking, seat: Seat, kind: Resource, body: tuple[str, ...]) -> str:
    amount = looking.view.cards[seat * KINDS + kind]
    return looking.scene.part(
        wanted_part(seat, kind),
        *body,
        label=f"{amount} {kind.name} of {looking.called[seat]}",
        about=f"{looking.called[seat]} has {amount} {kind.name}. To trade for one, choose first"
        " what you give from your own.",
        key=f"cards-{seat}-{kind.name}",
    )


def other_row(looking: Looking, seat: Seat, at: tuple[float, float], width: float) -> str:
    """The same in one line of a narrow picture."""
    head = width - 5 * (CHIP + 2)
    stolen = looking.scene.is_lit(builder_part(seat))
    chips = []
    for place, kind in enumerate(OWNED):
        body = (
            rect(0, 0, CHIP, CHIP, "tt-hit", 8),
            rect(1, 1, CHIP - 2, CHIP - 2, "tt-ring", 8),
            group(sign(kind, 10), at=(CHIP / 2, 14)),
            group(_amount(looking, seat, kind, 14), at=(CHIP / 2, CHIP - 6)),
        )
        drawn = group(*body) if stolen else _chip_part(looking, seat, kind, body)
        chips.append(group(drawn, at=(head + place * (CHIP + 2), 0)))
    part = builder_part(seat)
    area = width if stolen else head
    named = looking.scene.part(
        part,
        rect(0, 0, area, CHIP, "tt-hit", 8),
        rect(1, 1, area - 2, CHIP - 2, "tt-ring", 8),
        _head(looking, seat, head, size=13, height=CHIP),
        label=looking.called[seat],
        about=of_builder(seat, looking.view),
        key=f"points-{seat}",
    )
    order = [*chips, named] if stolen else [named, *chips]
    return group(_card(looking, seat, width, CHIP), *order, at=at)


def own_hand(
    looking: Looking, seat: Seat, at: tuple[float, float], width: float, height: float
) -> str:
    """What the one who looks has: cards that can be given away."""
    narrow = looking.scene.narrow
    head = 40 if narrow else height
    name = width if narrow else 200
    left, top = (6, head) if narrow else (name + 4, 8)
    step = (width - left - 6) / KINDS
    tall = height - top - (6 if narrow else 8)
    cards = [
        group(_hand_card(looking, seat, kind, step - GAP, tall), at=(left + 3 + step * place, top))
        for place, kind in enumerate(OWNED)
    ]
    size = 14 if narrow else 18
    return group(
        _card(looking, seat, width, height),
        looking.scene.part(
            builder_part(seat),
            rect(0, 0, name, head, "tt-hit", 10),
            rect(2, 2, name - 4, head - 4, "tt-ring", 10),
            _head(looking, seat, name, size=size, height=min(head, 64)),
            ""
            if narrow
            else text(14, height - 16, built(seat, looking.view), 13, name - 24, "tt-text-muted"),
            label=f"{looking.called[seat]}, you",
            about=of_builder(seat, looking.view),
            key=f"points-{seat}",
        ),
        *cards,
        at=at,
    )


def _hand_card(looking: Looking, seat: Seat, kind: Resource, width: float, height: float) -> str:
    amount = looking.view.cards[seat * KINDS + kind]
    ground, _ = GROUNDS[kind]
    middle, radius = width / 2, min(width * 0.24, height * 0.22)
    return looking.scene.part(
        hand_part(kind),
        rect(0, 0, width, height, "tt-paper tt-stroke-line", 8, stroke_width=1),
        rect(3, 3, width - 6, height * 0.5, radius=6, fill=ground),
        rect(0, 0, width, height, "tt-ring", 8),
        group(sign(kind, radius), at=(middle, 3 + height * 0.25)),
        group(_amount(looking, seat, kind, height * 0.26), at=(middle, height * 0.77)),
        text(
            middle,
            height - 5,
            kind.name,
            height * 0.12,
            width - 6,
            "tt-text-muted",
            anchor="middle",
        ),
        label=f"{amount} {kind.name}",
        about=f"You have {amount} {kind.name}. To trade one away, choose it, and then what you want"
        " of somebody else.",
        key=f"cards-{seat}-{kind.name}",
    )
