"""What stands beside the board in a picture: builders, dice, offers, buttons and prices."""

from __future__ import annotations

from functools import lru_cache
from typing import Final, NamedTuple, TypeAlias

from constructor.actions import OWNED
from constructor.layouts import HIGHEST_VALUE, LOWEST_VALUE
from constructor.picture.clicks import (
    ACCEPT,
    DECLINE,
    DICE,
    FAIR,
    LOADED,
    builder_part,
    hand_part,
    wanted_part,
)
from constructor.picture.context import PictureContext, remembered
from constructor.picture.pieces import GROUNDS, die, residence, road, sign
from constructor.production import TILE_COST, VARIANTS
from constructor.state import (
    COLOURS,
    KINDS,
    RESIDENCES,
    ROAD_COST,
    WINNING_POINTS,
    Cost,
    Offer,
    Phase,
    Resource,
)
from constructor.text import LEVEL_NAMES
from tabletop import Seat
from tabletop.picture import Scene, turn_in_words
from tabletop.svg import group, paragraph, polygon, rect, regular, seat_mark, text
from tabletop.wording import join_words, plural

Size: TypeAlias = tuple[float, float]
"""Width and height; also where something lies."""


def turn_box(context: PictureContext, at: Size, width: float, height: float) -> str:
    """Whose turn it is, and what is to be done."""
    scene, line = context.scene, 38
    seat, title = turn_of(context)
    mark = "" if seat is None else seat_mark(seat, 30, min(height / 2, 34), 18, COLOURS[seat][0])
    mine = scene.seat in scene.to_act
    return group(
        rect(0, 0, width, height, "tt-card", 10),
        rect(0, 0, width, height, "tt-none tt-stroke-accent", 10, stroke_width=3) if mine else "",
        mark,
        text(58, line, title, 18, width - 70, bold=True),
        paragraph(
            58, line + 6, context.asked, 14, (width - 70, height - line - 10), "tt-text-muted"
        ),
        at=at,
    )


def turn_of(context: PictureContext) -> tuple[Seat | None, str]:
    """Who is to act or has won, and that in words."""
    scene = context.scene
    if scene.to_act:
        return scene.to_act[0], turn_in_words(scene)
    winners = () if scene.outcome is None else scene.outcome.winners
    if len(winners) != 1:
        return None, turn_in_words(scene)
    return winners[0], f"{context.called[winners[0]]} wins"


def button(
    context: PictureContext,
    part: str,
    at: Size,
    size: Size,
    words: str,
    *,
    about: str = "",
) -> str:
    """Something to press; flat while it cannot be."""
    width, height = size
    lit = context.scene.is_lit(part)
    return context.scene.part(
        part,
        _key(size, words, lit=lit),
        rect(1, 1, width - 2, height - 2, "tt-ring", 10),
        label=words,
        about=about,
        at=at,
    )


# Remembered, as all pieces with a cache here: from picture to picture most stay the same.
@lru_cache(maxsize=128)
def _key(size: Size, words: str, *, lit: bool) -> str:
    """What a button looks like."""
    width, height = size
    return rect(0, 0, width, height, "tt-paper" if lit else "tt-paper-deep", 10) + text(
        *(width / 2, height / 2 + 5, words, 15, width - 8),
        "tt-text-ink" if lit else "tt-text-muted",
        anchor="middle",
        bold=lit,
    )


def dice(context: PictureContext, at: Size, side: float) -> str:
    """What the dice have shown: two faces, or the total that somebody chose."""
    rolled = context.rolled
    if rolled is not None and not rolled.dice:
        total = text(0, side * 0.2, str(rolled.total), side * 0.6, side, anchor="middle", bold=True)
        loaded = group(die(0, side), total, class_="tt-die", data_key="die-0")
        return group(loaded, at=at)
    faces = (0, 0) if rolled is None else rolled.dice
    unknown = (
        ""
        if rolled
        else text(0, side * 0.18, "?", side * 0.5, side, "tt-text-muted", anchor="middle")
    )
    return group(
        *(
            group(
                group(die(face, side), unknown, class_="tt-die", data_key=f"die-{place}"),
                at=(place * side * 1.2, 0),
            )
            for place, face in enumerate(faces)
        ),
        at=at,
    )


def rolled_in_words(context: PictureContext) -> str:
    """What was rolled in this turn; empty when that is not known."""
    rolled = context.rolled
    if rolled is None:
        return ""
    return f"{COLOURS[rolled.seat]} {'rolled' if rolled.dice else 'chose'} {rolled.total}"


def numbers(context: PictureContext, at: Size, width: float, height: float, columns: int) -> str:
    """What loaded dice can show, to choose from."""
    totals = range(LOWEST_VALUE, HIGHEST_VALUE + 1)
    step, high = width / columns, height / -(-len(totals) // columns)
    return group(
        *(
            button(
                context,
                f"roll-{total}",
                (place % columns * step + 2, place // columns * high + 2),
                (step - 4, high - 4),
                str(total),
                about=f"The dice show {total}.",
            )
            for place, total in enumerate(totals)
        ),
        at=at,
    )


def dice_buttons(context: PictureContext, at: Size, width: float, height: float) -> str:
    """Roll, and which dice to take."""
    view = context.view
    fair = view.fair[view.turn]
    third = width / 3
    words = (
        (DICE, "Roll", "Roll the dice; with loaded ones you say what they show."),
        (FAIR, "Fair ✓" if fair else "Fair", "Take fair dice."),
        (LOADED, "Loaded" if fair else "Loaded ✓", "Take loaded dice: you say what they show."),
    )
    return group(
        *(
            button(context, part, (place * third + 2, 0), (third - 4, height), name, about=about)
            for place, (part, name, about) in enumerate(words)
        ),
        at=at,
    )


def dice_box(context: PictureContext, at: Size, width: float, height: float) -> str:
    """The dice, and what is to be decided about them."""
    frame = rect(0, 0, width, height, "tt-card", 10)
    if context.view.phase is Phase.CHOOSING_ROLL:
        title = text(14, 28, "The loaded dice show", 15, width - 28, bold=True)
        return group(frame, title, numbers(context, (8, 40), width - 16, height - 48, 4), at=at)
    return group(
        frame,
        dice(context, (44, 52), 58),
        text(156, 58, rolled_in_words(context), 15, width - 168, bold=True),
        dice_buttons(context, (8, height - 56), width - 16, 46),
        at=at,
    )


def offer_box(context: PictureContext, offer: Offer, at: Size, width: float, height: float) -> str:
    """A trade that waits for an answer, and the answers."""
    giver, asked = context.view.turn, offer.seat
    half, row = width / 2, height - 56
    middle = row / 2 + 3
    return group(
        rect(0, 0, width, height, "tt-card", 10),
        seat_mark(giver, 28, middle, 14, COLOURS[giver][0]),
        *_named(offer.give, 62, middle),
        text(half, middle + 7, "⇄", 22, 30, anchor="middle"),
        *_named(offer.take, half + 32, middle),
        seat_mark(asked, width - 28, middle, 14, COLOURS[asked][0]),
        *_answers(context, offer, (10, row), width - 20),
        at=at,
        aria_label=_offered(context, offer),
        role="group",
    )


def offer_row(context: PictureContext, offer: Offer, at: Size, width: float, height: float) -> str:
    """The same in one line, with signs instead of names."""
    giver, asked, middle = context.view.turn, offer.seat, height / 2
    return group(
        rect(0, 0, width, height, "tt-card", 10),
        seat_mark(giver, 20, middle, 12, COLOURS[giver][0]),
        group(sign(offer.give, 13), at=(50, middle)),
        text(77, middle + 6, "⇄", 18, 24, anchor="middle"),
        group(sign(offer.take, 13), at=(104, middle)),
        seat_mark(asked, 134, middle, 12, COLOURS[asked][0]),
        *_answers(context, offer, (154, (height - 46) / 2), width - 156),
        at=at,
        aria_label=_offered(context, offer),
        role="group",
    )


def _answers(context: PictureContext, offer: Offer, at: Size, width: float) -> tuple[str, str]:
    """The two ways to answer an offer, beside each other."""
    (x, y), half = at, width / 2
    size, other = (half - 4, 46.0), (x + half + 4, y)
    yes = button(context, ACCEPT, at, size, "Accept", about=_offered(context, offer))
    no = button(context, DECLINE, other, size, "Decline", about="Keep what you have.")
    return yes, no


def _named(kind: Resource, x: float, y: float) -> tuple[str, str]:
    """A resource with its name beside it."""
    return (
        group(sign(kind, 14), at=(x, y)),
        text(x + 18, y + 4, kind.name, 11, 44, "tt-text-muted"),
    )


def _offered(context: PictureContext, offer: Offer) -> str:
    giver, asked = context.called[context.view.turn], context.called[offer.seat]
    return f"{giver} offers {asked} one {offer.give.name} for one {offer.take.name}."


def costs(context: PictureContext, at: Size, width: float, height: float) -> str:
    """What there is to build, and what it costs."""
    seat = context.own if context.own is not None else context.view.turn
    is_rich = VARIANTS[context.view.variant].rich
    return group(_price_list(seat, width, height, is_rich=is_rich), at=at, aria_hidden="true")


@lru_cache(maxsize=32)
def _price_list(seat: Seat, width: float, height: float, *, is_rich: bool) -> str:
    things = [
        ("Road", road(seat, 34, 12, -20), ROAD_COST),
        *(
            (it.name.title(), residence(seat, level, max(48 - 4 * level, 28)), it.cost)
            for level, it in enumerate(RESIDENCES, 1)
        ),
    ]
    if is_rich:
        things.append(("Tile", polygon(regular(6, 0, 0, 14, 90), "tt-wood"), TILE_COST))
    step = (height - 16) / len(things)
    rows = [
        group(
            group(picture, at=(32, step / 2 + 2)),
            text(58, step / 2 + 5, name, 14, 74),
            *_price(cost, step),
            at=(0, 8 + place * step),
        )
        for place, (name, picture, cost) in enumerate(things)
    ]
    return rect(0, 0, width, height, "tt-card", 10) + "".join(rows)


def _price(cost: Cost, high: float) -> list[str]:
    wanted = [(Resource(kind), amount) for kind, amount in enumerate(cost) if amount]
    step = 27
    return [
        group(
            sign(kind, 9.5),
            text(0, 19, str(amount), 10, 20, "tt-text-muted", anchor="middle")
            if amount > 1
            else "",
            at=(150 + place * step, high / 2 - (3 if amount > 1 else 0)),
        )
        for place, (kind, amount) in enumerate(wanted)
    ]


HOW: Final = (
    "Build on a vertex or an edge that is lit."
    "\nTrade: choose a card of yours, then what you want of somebody else."
)


def how_to(context: PictureContext, at: Size, width: float, height: float) -> str:
    """What can be clicked in one's own turn, for who plays for the first time."""
    scene = context.scene
    if context.view.phase is not Phase.BUILDING or scene.seat not in scene.to_act:
        return ""
    return paragraph(*at, HOW, 14, (width, height), "tt-text-muted")


GAP: Final = 6
CHIP: Final = 44
"""How wide and high a thing is that a finger meets, at least."""


class Builder(NamedTuple):
    """What a panel shows of a builder.

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

    @property
    def about(self) -> str:
        """More, for who looks closely."""
        owned = [f"{self.hand[kind]} {kind.name}" for kind in OWNED if self.hand[kind]]
        resources = join_words(owned, "and") or "no resources"
        return f"{plural(self.points, 'point')}; {resources}; {self.built}."


def builder_of(context: PictureContext, seat: Seat) -> Builder:
    """What is shown of a builder."""
    view, scene = context.view, context.scene
    acts, cards = seat in scene.to_act, slice(seat * KINDS, seat * KINDS + KINDS)
    at_turn = seat == view.turn and view.phase not in {Phase.OVER, Phase.SETUP}
    homes = [view.levels[vertex] for vertex in view.homes_of(seat)]
    houses = [
        plural(homes.count(level), name)
        for level, name in enumerate(LEVEL_NAMES, 1)
        if level in homes
    ]
    return Builder(
        seat,
        scene.names[seat],
        context.called[seat],
        acts,
        "to act" if acts else "at turn" if at_turn else "",
        view.points(seat),
        tuple(view.cards[cards]),
        tuple(context.changes[cards]),
        ", ".join([plural(view.roads.count(seat), "road"), *houses]),
    )


def other_panel(context: PictureContext, seat: Seat, at: Size, width: float, height: float) -> str:
    """A builder beside the one who looks: name, points, resources, what is built.

    In a narrow picture that is one line, without what is built.
    """
    scene, lit = context.scene, context.scene.is_lit(builder_part(seat))
    size = (width, height)
    return group(remembered(scene, lit, _other, size, builder_of(context, seat)), at=at)


def _other(scene: Scene, room: Size, builder: Builder) -> str:
    """The panel of another builder; all of it is one part where that one may be stolen from."""
    part, (width, height) = builder_part(builder.seat), room
    stolen = scene.is_lit(part)
    step = CHIP + 2.0 if scene.narrow else (width - 20) / KINDS
    if scene.narrow:
        size, tall, head = 13, height, width - KINDS * step
        left, top, chip = head, 0.0, (float(CHIP), float(CHIP))
    else:
        size, tall, head = 18, 54.0, width
        left, top, chip = 12.0, 58.0, (step - 4, 58.0)
    area = room if stolen else (head, tall)
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
    return group(_card(builder, room), *order, "" if scene.narrow else _summary(builder, room))


def _summary(builder: Builder, room: Size) -> str:
    line = f"{plural(sum(builder.hand), 'resource')} · {builder.built}"
    return text(14, room[1] - 12, line, 13, room[0] - 28, "tt-text-muted")


def _card(builder: Builder, room: Size) -> str:
    """What a panel lies on; with a bold border for who is to decide."""
    frame = rect(0, 0, *room, "tt-card", 10)
    bold = rect(0, 0, *room, "tt-none tt-stroke-ink", 10, stroke_width=3)
    return frame + bold if builder.acts else frame


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


def _chip(scene: Scene, builder: Builder, kind: Resource, size: Size, *, part: bool) -> str:
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


def own_hand(context: PictureContext, seat: Seat, at: Size, width: float, height: float) -> str:
    """What the one who looks has: cards that can be given away."""
    lit = any(context.scene.is_lit(hand_part(kind)) for kind in OWNED)
    drawn = remembered(context.scene, lit, _own, (width, height), builder_of(context, seat))
    return group(drawn, at=at)


def _own(scene: Scene, room: Size, builder: Builder) -> str:
    narrow, (width, height) = scene.narrow, room
    # On a phone the cards stand under those of the others, one kind below the other.
    size, name = (13, width - KINDS * (CHIP + 2)) if narrow else (18, 200)
    left, top = (name, 4) if narrow else (name + 7, 8)
    step = (width - left - (0 if narrow else 3)) / KINDS
    card = (CHIP, height - 8) if narrow else (step - GAP, height - 16)
    stands = "" if narrow else text(14, height - 16, builder.built, 13, name - 24, "tt-text-muted")
    return group(
        _card(builder, room),
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


def _hand_card(scene: Scene, builder: Builder, kind: Resource, size: Size) -> str:
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
def _face(kind: Resource, amount: int, change: int, size: Size) -> str:
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
