"""Draw the panels next to the board: builders, dice, offers, buttons and costs."""

from __future__ import annotations

from typing import Final, TypeAlias

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
from constructor.picture.context import PictureContext
from constructor.picture.pieces import GROUNDS, die, residence, road, sign
from constructor.rules.actions import OWNED
from constructor.rules.layouts import HIGHEST_VALUE, LOWEST_VALUE
from constructor.rules.production import TILE_COST, VARIANTS
from constructor.rules.state import (
    COLOURS,
    KINDS,
    RESIDENCES,
    ROAD_COST,
    WINNING_POINTS,
    Offer,
    Phase,
    Resource,
)
from constructor.text.text_view import LEVEL_NAMES
from tabletop import Seat
from tabletop.display import (
    group,
    paragraph,
    polygon,
    rect,
    regular,
    seat_mark,
    text,
    turn_in_words,
)
from tabletop.wording import join_words, plural

Size: TypeAlias = tuple[float, float]
"""Width and height, or a position as x and y."""


def turn_box(context: PictureContext, at: Size, size: Size) -> str:
    """Draw the box that shows whose turn it is and the next decision."""
    (width, height), line = size, 38
    seat, title = turn_of(context)
    return group(
        turn_frame(context, size, 10),
        "" if seat is None else _mark(seat, 30, min(height / 2, 34), 18),
        text(58, line, title, 18, width - 70, bold=True),
        paragraph(
            58, line + 6, context.decision, 14, (width - 70, height - line - 10), "tt-text-muted"
        ),
        at=at,
    )


def turn_frame(context: PictureContext, size: Size, radius: float) -> str:
    """Draw the background of the turn box, with a bold border if the viewer is to act."""
    bold = rect(0, 0, *size, "tt-none tt-stroke-accent", radius, stroke_width=3)
    mine = context.scene.seat in context.scene.to_act
    return rect(0, 0, *size, "tt-card", radius) + (bold if mine else "")


def turn_of(context: PictureContext) -> tuple[Seat | None, str]:
    """Return the seat that is to act or has won, and a text about it."""
    scene = context.scene
    if scene.to_act:
        return scene.to_act[0], turn_in_words(scene)
    winners = () if scene.outcome is None else scene.outcome.winners
    if len(winners) != 1:
        return None, turn_in_words(scene)
    return winners[0], f"{context.labels[winners[0]]} wins"


def _mark(seat: Seat, x: float, y: float, radius: float) -> str:
    return seat_mark(seat, x, y, radius, COLOURS[seat][0])


def button(
    context: PictureContext, part: str, at: Size, size: Size, words: str, about: str = ""
) -> str:
    """Draw a button, in muted colours while it cannot be pressed."""
    width, height = size
    lit = context.scene.is_lit(part)
    return context.scene.part(
        part,
        rect(0, 0, width, height, "tt-paper" if lit else "tt-paper-deep", 10),
        text(
            *(width / 2, height / 2 + 5, words, 15, width - 8),
            "tt-text-ink" if lit else "tt-text-muted",
            anchor="middle",
            bold=lit,
        ),
        rect(1, 1, width - 2, height - 2, "tt-ring", 10),
        label=words,
        about=about,
        at=at,
    )


def dice(context: PictureContext, at: Size, side: float) -> str:
    """Draw the dice of this turn: two faces, or the chosen total of loaded dice."""
    rolled = context.rolled
    faces = (0, 0) if rolled is None else rolled.dice or (0,)
    words = "?" if rolled is None else "" if rolled.dice else str(rolled.total)
    looks = "tt-text-muted" if rolled is None else ""
    inside = text(0, side * 0.2, words, side * 0.55, side, looks, anchor="middle", bold=True)
    shown = (
        group(
            group(
                die(face, side), inside if words else "", class_="tt-die", data_key=f"die-{number}"
            ),
            at=(number * side * 1.2, 0),
        )
        for number, face in enumerate(faces)
    )
    return group(*shown, at=at)


def roll_in_words(context: PictureContext) -> str:
    """Return the roll of this turn as text, or "" if it is unknown."""
    rolled = context.rolled
    if rolled is None:
        return ""
    return f"{COLOURS[rolled.seat]} {'rolled' if rolled.dice else 'chose'} {rolled.total}"


def numbers(context: PictureContext, at: Size, size: Size, columns: int) -> str:
    """Draw the buttons that choose the total of loaded dice."""
    totals = range(LOWEST_VALUE, HIGHEST_VALUE + 1)
    step, high = size[0] / columns, size[1] / -(-len(totals) // columns)
    return group(
        *(
            button(
                context,
                f"roll-{total}",
                (place % columns * step + 2, place // columns * high + 2),
                (step - 4, high - 4),
                str(total),
                f"The dice show {total}.",
            )
            for place, total in enumerate(totals)
        ),
        at=at,
    )


def dice_buttons(context: PictureContext, at: Size, size: Size) -> str:
    """Draw the buttons to roll and to switch dice."""
    fair, third = context.view.fair[context.view.turn], size[0] / 3
    words = (
        (DICE, "Roll", "Roll the dice. You choose the total of loaded dice."),
        (FAIR, "Fair ✓" if fair else "Fair", "Take fair dice."),
        (LOADED, "Loaded" if fair else "Loaded ✓", "Take loaded dice, whose total you choose."),
    )
    return group(
        *(
            button(context, part, (place * third + 2, 0), (third - 4, size[1]), name, about)
            for place, (part, name, about) in enumerate(words)
        ),
        at=at,
    )


def dice_box(context: PictureContext, at: Size, size: Size) -> str:
    """Draw the dice and their buttons."""
    width, height = size
    frame = rect(0, 0, width, height, "tt-card", 10)
    if context.view.phase is Phase.CHOOSING_ROLL:
        title = text(14, 28, "The loaded dice show", 15, width - 28, bold=True)
        return group(frame, title, numbers(context, (8, 40), (width - 16, height - 48), 4), at=at)
    return group(
        frame,
        dice(context, (44, 52), 58),
        text(156, 58, roll_in_words(context), 15, width - 168, bold=True),
        dice_buttons(context, (8, height - 56), (width - 16, 46)),
        at=at,
    )


def offer_box(context: PictureContext, offer: Offer, at: Size, size: Size) -> str:
    """Draw an offer and the buttons to answer it, which are on the right in a low box."""
    (width, height), maker, recipient = size, context.view.turn, offer.seat
    low = height < 2 * CHIP
    x, y, step, radius = (20, height / 2, 28, 12) if low else (width / 2 - 96, 46, 48, 18)
    left, top, room = (154, (height - 46) / 2, width - 156) if low else (8, height - 56, width - 16)
    labels, half = context.labels, room / 2
    sentence = f"{labels[maker]} offers {labels[recipient]} one {offer.give.name}"
    sentence += f" for one {offer.take.name}."
    return group(
        rect(0, 0, width, height, "tt-card", 10),
        _mark(maker, x, y, radius),
        group(sign(offer.give, radius), at=(x + step, y)),
        text(x + 2 * step, y + radius / 2, "⇄", radius * 1.5, step, anchor="middle"),
        group(sign(offer.take, radius), at=(x + 3 * step, y)),
        _mark(recipient, x + 4 * step, y, radius),
        button(context, ACCEPT, (left, top), (half - 4, 46), "Accept", sentence),
        button(
            context, DECLINE, (left + half, top), (half - 4, 46), "Decline", "Keep what you have."
        ),
        at=at,
        aria_label=sentence,
        role="group",
    )


def costs(context: PictureContext, at: Size, size: Size) -> str:
    """Draw the table of buildings and their costs."""
    seat = context.viewer if context.viewer is not None else context.view.turn
    things = [
        ("Road", road(seat, 34, 12, -20), ROAD_COST),
        *(
            (kind.name.title(), residence(seat, level, max(48 - 4 * level, 28)), kind.cost)
            for level, kind in enumerate(RESIDENCES, 1)
        ),
    ]
    if VARIANTS[context.view.variant].rich:
        things.append(("Tile", polygon(regular(6, 0, 0, 14, 90), "tt-wood"), TILE_COST))
    step = (size[1] - 16) / len(things)
    rows = []
    for place, (name, picture, cost) in enumerate(things):
        needed = [(Resource(kind), amount) for kind, amount in enumerate(cost) if amount]
        price = (
            group(
                sign(kind, 9.5),
                text(0, 19, str(amount), 10, 20, "tt-text-muted", anchor="middle"),
                at=(150 + column * 27, -3),
            )
            for column, (kind, amount) in enumerate(needed)
        )
        thing = group(picture, at=(32, 2)), text(58, 5, name, 14, 74)
        rows.append(group(*thing, *price, at=(0, 8 + (place + 0.5) * step)))
    return group(rect(0, 0, *size, "tt-card", 10), *rows, at=at, aria_hidden="true")


HOW: Final = (
    "To build, click a highlighted vertex or edge."
    "\nTo trade, click one of your cards, then a card of another builder."
)


def how_to(context: PictureContext, at: Size, size: Size) -> str:
    """Draw the hint for new players during the viewer's turn."""
    scene = context.scene
    if context.view.phase is not Phase.BUILDING or scene.seat not in scene.to_act:
        return ""
    return paragraph(*at, HOW, 14, size, "tt-text-muted")


CHIP: Final = 44
"""Minimum width and height of a part that reacts to a touch."""


def other_panel(context: PictureContext, seat: Seat, at: Size, size: Size) -> str:
    """Draw the panel of another builder, with name, points, resources and buildings.

    In a narrow picture the panel is one line without the buildings. If the viewer can steal from
    the builder, the whole panel is one part to click.
    """
    scene, (width, height) = context.scene, size
    is_victim = scene.is_lit(builder_part(seat))
    if scene.narrow:
        step, letters = CHIP + 2.0, 13
        head = (width - KINDS * step, height)
        left, top, chip = head[0], 0.0, (float(CHIP), float(CHIP))
        summary = ""
    else:
        step, letters = (width - 20) / KINDS, 18
        head = (width, 54.0)
        left, top, chip = 12.0, 58.0, (step - 4, 58.0)
        held = plural(sum(context.view.hand(seat)), "resource")
        summary = f"{held} · {_sum_up_buildings(context, seat)}"
    area = size if is_victim else head
    named = _draw_name(context, seat, head, letters, area, context.labels[seat])
    chips = [
        group(_chip(context, seat, kind, chip, part=not is_victim), at=(left + step * place, top))
        for place, kind in enumerate(OWNED)
    ]
    return group(
        _card(context, seat, size),
        *([*chips, named] if is_victim else [named, *chips]),
        text(14, height - 12, summary, 13, width - 28, "tt-text-muted") if summary else "",
        at=at,
    )


def own_hand(context: PictureContext, seat: Seat, at: Size, size: Size) -> str:
    """Draw the viewer's hand."""
    narrow, (width, height) = context.scene.narrow, size
    # On a phone the cards are aligned with those of the other builders, kind by kind.
    letters, name = (13, width - KINDS * (CHIP + 2)) if narrow else (18, 200)
    left, top = (name, 4) if narrow else (name + 7, 8)
    step = (width - left - (0 if narrow else 3)) / KINDS
    card = (CHIP, height - 8) if narrow else (step - 6, height - 16)
    head, label = (name, min(height, 64)), f"{context.labels[seat]}, you"
    built = text(14, height - 16, _sum_up_buildings(context, seat), 13, name - 24, "tt-text-muted")
    return group(
        _card(context, seat, size),
        "" if narrow else built,
        _draw_name(context, seat, head, letters, (name, height), label),
        *(
            group(_hand_card(context, seat, kind, card), at=(left + step * place, top))
            for place, kind in enumerate(OWNED)
        ),
        at=at,
    )


def _card(context: PictureContext, seat: Seat, size: Size) -> str:
    """Draw the background of a panel, with a bold border if the seat is to act."""
    bold = rect(0, 0, *size, "tt-none tt-stroke-ink", 10, stroke_width=3)
    return rect(0, 0, *size, "tt-card", 10) + (bold if seat in context.scene.to_act else "")


def _sum_up_buildings(context: PictureContext, seat: Seat) -> str:
    """Return the numbers of a builder's roads and residences as text."""
    view = context.view
    homes = [view.levels[vertex] for vertex in view.homes_of(seat)]
    houses = [
        plural(homes.count(level), name)
        for level, name in enumerate(LEVEL_NAMES, 1)
        if level in homes
    ]
    return ", ".join([plural(view.roads.count(seat), "road"), *houses])


def _draw_name(
    context: PictureContext, seat: Seat, head: Size, size: float, area: Size, label: str
) -> str:
    """Draw mark, name and points of a builder within `head`. The whole `area` is clickable."""
    view, scene, (width, height) = context.view, context.scene, head
    acts, points = seat in scene.to_act, view.points(seat)
    at_turn = seat == view.turn and view.phase not in {Phase.OVER, Phase.SETUP}
    turn = "to act" if acts else "their turn" if at_turn else ""
    radius, middle = size * 1.05, height / 2
    x = radius + size * 0.6 + 4
    left, right = x + radius + size * 0.5, width - size * 0.7
    room = right - left - size * 2.3
    name, colour = scene.names[seat], COLOURS[seat]
    # If the name is the colour, draw it only once.
    below = " · ".join(filter(None, (colour if name != colour else "", turn)))
    owned = [
        f"{amount} {OWNED[kind].name}" for kind, amount in enumerate(view.hand(seat)) if amount
    ]
    resources = join_words(owned, "and") or "no resources"
    return scene.part(
        builder_part(seat),
        rect(0, 0, *area, "tt-hit", 10),
        rect(1, 1, area[0] - 2, area[1] - 2, "tt-ring", 10),
        polygon([(2, middle - 7), (2, middle + 7), (11, middle)], "tt-ink") if acts else "",
        _mark(seat, x, middle, radius),
        text(left, middle - size * 0.05, name, size, room, bold=True),
        text(left, middle + size * 0.95, below, size * 0.75, room, "tt-text-muted"),
        text(
            *(right, middle + size * 0.2, str(points), size * 1.6, size * 2.2),
            "tt-number tt-text-ink",
            anchor="end",
            bold=True,
        ),
        text(
            *(right, middle + size * 0.98, f"of {WINNING_POINTS}", size * 0.68, size * 2.4),
            "tt-text-muted",
            anchor="end",
        ),
        label=label,
        about=f"{plural(points, 'point')}; {resources}; {_sum_up_buildings(context, seat)}.",
        key=f"points-{seat}",
    )


def _chip(context: PictureContext, seat: Seat, kind: Resource, size: Size, *, part: bool) -> str:
    """Draw another builder's cards of one kind."""
    (width, height), amount = size, context.view.hand(seat)[kind]
    low = height < 50
    body = (
        rect(0, 0, width, height, "tt-hit", 8),
        rect(1, 1, width - 2, height - 2, "tt-ring", 8),
        group(sign(kind, 10 if low else 14), at=(width / 2, 14 if low else 18)),
        _amount(context, seat, kind, 14 if low else 16, (width / 2, height - 7)),
    )
    if not part:
        return group(*body)
    return context.scene.part(
        wanted_part(seat, kind),
        *body,
        label=f"{amount} {kind.name} of {context.labels[seat]}",
        about="To trade for one, first click the card of your own to give.",
        key=f"cards-{seat}-{kind.name}",
    )


def _amount(context: PictureContext, seat: Seat, kind: Resource, size: float, at: Size) -> str:
    """Draw the number of cards of a kind and its last change."""
    amount = context.view.hand(seat)[kind]
    change = context.changes[seat * KINDS + kind]
    colour = "tt-text-ink" if amount else "tt-text-muted"
    shown = text(
        *(0, 0, str(amount), size, size * 2.4),
        f"tt-number {colour}",
        anchor="middle",
        bold=amount > 0,
    )
    arrow, colour = ("▲", "tt-text-gain") if change > 0 else ("▼", "tt-text-danger")
    more = text(size * 0.55, 0, f"{arrow}{abs(change)}", size * 0.62, size * 1.9, colour, bold=True)
    return group(shown, more if change else "", at=at)


def _hand_card(context: PictureContext, seat: Seat, kind: Resource, size: Size) -> str:
    """Draw the viewer's cards of one kind."""
    (width, height), amount = size, context.view.hand(seat)[kind]
    middle, radius = width / 2, min(width * 0.24, height * 0.22)
    return context.scene.part(
        hand_part(kind),
        rect(0, 0, width, height, "tt-paper tt-stroke-line", 8, stroke_width=1),
        rect(0, 0, width, height, "tt-ring", 8),
        rect(3, 3, width - 6, height * 0.5, radius=6, fill=GROUNDS[kind][0]),
        group(sign(kind, radius), at=(middle, 3 + height * 0.25)),
        _amount(context, seat, kind, height * 0.26, (middle, height * 0.77)),
        text(
            *(middle, height - 5, kind.name, height * 0.12, width - 6),
            "tt-text-muted",
            anchor="middle",
        ),
        label=f"{amount} {kind.name}",
        about=f"You have {amount} {kind.name}. To trade one away, click it, then a card of another"
        " builder.",
        key=f"cards-{seat}-{kind.name}",
    )
