"""Draw the panels next to the board: builders, dice, offers, buttons and costs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

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
from constructor.text.text_view import LEVEL_NAMES, kind_in_words, resources
from tabletop import Seat
from tabletop.display import (
    LEAST,
    Box,
    Column,
    Grid,
    Image,
    Label,
    Panel,
    Part,
    Row,
    Stack,
    button,
    group,
    mark,
    polygon,
    regular,
    text,
    turn_in_words,
)
from tabletop.wording import join_words, plural


def turn_box(context: PictureContext) -> Box:
    """Return the box that shows whose turn it is and the next decision."""
    seat, title = turn_of(context)
    decision = Label(context.decision, 13, "tt-text-muted", wrap=True)
    words = Column(Label(title, 16, bold=True), decision, gap=2, width=0, weight=1)
    height = 84 if context.scene.outcome is None else 120
    return Stack(
        *_frame(context, context.scene.seat, "tt-stroke-accent"),
        Row(*_marks(seat, 18), words, gap=10),
        pad=10,
        height=height,
    )


def _marks(seat: Seat | None, radius: float) -> list[Box]:
    return [] if seat is None else [mark(seat, radius, COLOURS[seat][0])]


def turn_of(context: PictureContext) -> tuple[Seat | None, str]:
    """Return the seat that is to act or has won, and a text about it."""
    scene = context.scene
    if scene.to_act:
        turn, offer = context.view.turn, context.view.offer
        if offer is not None:
            return (
                turn,
                f"{context.scene.names[turn]}'s turn" if turn != scene.seat else "Your turn",
            )
        return scene.to_act[0], turn_in_words(scene)
    winners = () if scene.outcome is None else scene.outcome.winners
    return winners[0] if len(winners) == 1 else None, turn_in_words(scene)


def dice(context: PictureContext, side: float) -> Box:
    """Return the dice of this turn: two faces, or the chosen total of loaded dice."""
    rolled = context.rolled
    faces = (0, 0) if rolled is None else rolled.dice or (0,)
    words = "?" if rolled is None else "" if rolled.dice else str(rolled.total)
    looks = "tt-text-muted" if rolled is None else ""
    inside = text(0, side * 0.2, words, side * 0.55, side, looks, anchor="middle", bold=True)
    shown = (
        group(die(face, side), inside if words else "", class_="tt-die", data_key=f"die-{number}")
        for number, face in enumerate(faces)
    )
    return Row(*(Image(face, side, side, centred=True) for face in shown), gap=side * 0.2)


def numbers(context: PictureContext, columns: int) -> Box:
    """Return the buttons that choose the total of loaded dice."""
    totals = range(LOWEST_VALUE, HIGHEST_VALUE + 1)
    buttons = (
        button(context.scene, f"roll-{total}", str(total), about=f"Roll {total}.")
        for total in totals
    )
    return Grid(*buttons, columns=columns, gap=4)


def dice_buttons(context: PictureContext) -> Box:
    """Return the buttons to roll and to switch dice."""
    fair = context.view.fair[context.view.turn]
    words: Sequence[tuple[str, str, str]] = (
        (DICE, "Roll", "Roll the dice. You choose the total of loaded dice."),
        (FAIR, "Fair ✓" if fair else "Fair", "Take fair dice."),
        (LOADED, "Loaded" if fair else "Loaded ✓", "Take loaded dice, whose total you choose."),
    )
    words = words[:2] if context.view.fair_only else words
    buttons = (button(context.scene, part, name, about=about) for part, name, about in words)
    return Grid(*buttons, columns=len(words), gap=4, weight=0 if context.is_wide else 1)


def dice_box(context: PictureContext) -> Box:
    """Return the dice and their buttons."""
    rolled, words = context.rolled, ""
    if rolled is not None:
        chose = "rolled" if rolled.dice else "chose"
        words = f"{context.scene.names[rolled.seat]} {chose} {rolled.total}"
    shown = Label(words, 14, bold=True, wrap=True, weight=1)
    rows: list[Box] = [Row(dice(context, 44), shown, gap=10), dice_buttons(context)]
    if context.view.phase is Phase.CHOOSING_ROLL:
        rows = [Label("Choose your roll", 15, bold=True), numbers(context, 4)]
    return Stack(Panel("tt-card", 10), Column(*rows, gap=12), pad=10, height=168)


def offer_box(context: PictureContext, offer: Offer) -> Box:
    """Return an offer and the buttons to answer it, side by side on a narrow screen."""
    scene, maker, recipient = context.scene, context.view.turn, offer.seat
    radius = 18 if context.is_wide else 12
    labels = context.scene.names
    sentence = f"{labels[maker]} offers {labels[recipient]} {resources({offer.give: 1})}"
    sentence += f" for {resources({offer.take: 1})}."
    signs = Row(
        *_marks(maker, radius),
        _sign(offer.give, radius),
        Label("⇄", radius * 1.5),
        _sign(offer.take, radius),
        *_marks(recipient, radius),
        gap=radius / 3,
    )
    answers = Grid(
        button(scene, ACCEPT, "Accept", about=sentence),
        button(scene, DECLINE, "Decline", about="Keep what you have."),
        columns=2,
        gap=4,
        weight=0 if context.is_wide else 1,
    )
    line = Row if scene.narrow else Column
    lines = line(signs, answers, gap=12 if context.is_wide or scene.narrow else 2)
    pad, height = (10, 148) if context.is_wide else (1, 46 if scene.narrow else 92)
    frame = Panel("tt-card", 10)
    return Stack(frame, lines, pad=pad, height=height, aria_label=sentence, role="group")


def _sign(kind: Resource, radius: float) -> Image:
    return Image(sign(kind, radius), 2 * radius, 2 * radius, centred=True)


def costs(context: PictureContext) -> Box:
    """Return the table of buildings and their costs."""
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
    rows = []
    for name, picture, cost in things:
        needed = [(Resource(kind), amount) for kind, amount in enumerate(cost) if amount]
        prices = (
            Column(_sign(kind, 8.5), Label(str(amount), 13, "tt-text-muted", anchor="middle"))
            for kind, amount in needed
        )
        thing = Image(picture, 36, 36, centred=True), Stack(Label(name, 13), width=60)
        rows.append(Row(*thing, *prices, gap=3, anchor="start", weight=1))
    return Stack(Panel("tt-card", 10), Column(*rows), pad=8, height=250, aria_hidden="true")


HOW: Final = (
    "To build, click a highlighted vertex or edge."
    "\nTo trade, click one of your cards, then a card of another builder."
)


def how_to(context: PictureContext) -> Box:
    """Return the hint for new players during the viewer's turn."""
    scene = context.scene
    if context.view.phase is not Phase.BUILDING or scene.seat not in scene.to_act:
        return Box()
    return Stack(Label(HOW, 13, "tt-text-muted", wrap=True), pad=6)


CHIP: Final = 44  # height of a part that reacts to a touch, and its width on a phone

LANDSCAPE_CHIP: Final = 29
WIDE_CHIP: Final = 38
"""Width of another builder's cards of one kind, on a phone in landscape and on a wide screen."""


def _chip_width(context: PictureContext) -> float:
    if context.is_wide:
        return WIDE_CHIP
    return CHIP if context.scene.narrow and not context.scene.short else LANDSCAPE_CHIP


def other_panel(context: PictureContext, seat: Seat) -> Box:
    """Return the panel of another builder, with name, points, resources and buildings.

    In a narrow picture, the panel is a single line without the buildings. If the viewer can steal
    from the builder, the whole panel is a single clickable part.
    """
    scene = context.scene
    is_victim = scene.is_lit(builder_part(seat))
    name = _name(context, seat, 16 if context.is_wide else 13, context.scene.names[seat])
    chips = [_chip(context, seat, kind, part=not is_victim) for kind in OWNED]
    head = name if is_victim else _builder_part(context, seat, name, context.scene.names[seat])
    if not context.is_wide:
        body: Box = Row(head, *chips, gap=2)
    else:
        held = plural(sum(context.view.hand(seat)), "resource")
        summary = Label(
            f"{held} · {_sum_up_buildings(context, seat)}", 13, "tt-text-muted", weight=1
        )
        rows = Grid(*chips, columns=KINDS, gap=2), Stack(summary, pad=(8, 0))
        body = Column(head, *rows, Box(height=8), gap=2)
    if is_victim:
        body = _builder_part(context, seat, body, context.scene.names[seat])
    return Stack(*_frame(context, seat), body)


def small_panel(context: PictureContext, seat: Seat) -> Box:
    """Return the panel of another builder on a small phone, with points and number of cards."""
    view = context.view
    points = Label(f"{view.points(seat)} points", LEAST, "tt-text-ink", bold=True)
    held = Label(plural(sum(view.hand(seat)), "card"), LEAST, "tt-text-muted")
    words = Column(points, held, width=0, weight=1)
    body = Row(Box(None, 4), mark(seat, 12, COLOURS[seat][0]), words, gap=3)
    whole = _builder_part(
        context, seat, Stack(body, width=84, height=34), context.scene.names[seat]
    )
    return Stack(*_frame(context, seat), whole, width=84, height=34)


def own_hand(context: PictureContext) -> list[Box]:
    """Return the viewer's hand, or nothing for a spectator."""
    seat = context.viewer
    if seat is None:
        return []
    label = f"{context.scene.names[seat]}, you"
    name = _name(context, seat, 16 if context.is_wide else 13, label)
    cards = [_hand_card(context, seat, kind) for kind in OWNED]
    if not context.is_wide:  # The cards are aligned with those of the other builders, by kind.
        body: Box = Row(_builder_part(context, seat, name, label), *cards, gap=2)
        return [Stack(*_frame(context, seat), body, pad=(0, 3), height=50)]
    built = Label(_sum_up_buildings(context, seat), 13, "tt-text-muted", weight=1)
    head = Column(name, Stack(built, pad=(8, 0)))
    whole = Stack(_builder_part(context, seat, head, label), width=172)
    body = Row(whole, Grid(*cards, columns=KINDS, gap=4, weight=1), gap=5)
    return [Stack(*_frame(context, seat), body, pad=6, height=112)]


def _frame(context: PictureContext, seat: object, edge: str = "tt-stroke-ink") -> list[Box]:
    """Return the background of a panel, with a bold border if the seat is to act."""
    frame: list[Box] = [Panel("tt-card", 10)]
    if seat in context.scene.to_act:
        frame.append(Panel(f"tt-none {edge}", 10, stroke_width=3))
    return frame


def _sum_up_buildings(context: PictureContext, seat: Seat) -> str:
    view = context.view
    homes = [view.levels[vertex] for vertex in view.homes_of(seat)]
    houses = [
        plural(homes.count(level), name)
        for level, name in enumerate(LEVEL_NAMES, 1)
        if level in homes
    ]
    return ", ".join([plural(view.roads.count(seat), "road"), *houses])


def _name(context: PictureContext, seat: Seat, size: float, label: str) -> Box:
    view, scene = context.view, context.scene
    acts = seat in scene.to_act
    at_turn = seat == view.turn and view.phase not in {Phase.OVER, Phase.SETUP}
    whose = "your turn" if seat == scene.seat else "their turn"
    below = "to answer" if acts and view.offer is not None else whose if acts or at_turn else ""
    name = scene.names[seat]
    pointer = polygon([(2, -7), (2, 7), (11, 0)], "tt-ink") if acts else ""
    points = Label(
        str(view.points(seat)), size * 1.6, "tt-number tt-text-ink", anchor="end", bold=True
    )
    of = Label(f"of {WINNING_POINTS}", max(size * 0.84, LEAST), "tt-text-muted", anchor="end")
    shape = mark(seat, size * 1.05, COLOURS[seat][0])
    if scene.short:
        return Row(Box(None, 3), shape, points, gap=1, weight=1)
    words = Column(
        Label(name, size, bold=True),
        Label(below, max(size * 0.84, LEAST), "tt-text-muted"),
        width=0,
        weight=1,
    )
    return Row(
        Image(group(pointer, at=(-6, 0)), 12, 14, centred=True),
        shape,
        Box(None, size * 0.5),
        words,
        Box(None, 4),
        Column(points, of),
        Box(None, size * 0.7),
        weight=1,
    )


def _builder_part(context: PictureContext, seat: Seat, body: Box, label: str) -> Box:
    """Return the part of a builder, whose whole area is clickable."""
    view = context.view
    owned = [
        f"{amount} {kind_in_words(OWNED[kind])}"
        for kind, amount in enumerate(view.hand(seat))
        if amount
    ]
    resources = join_words(owned, "and") or "no resources"
    points = plural(view.points(seat), "point")
    return Part(
        context.scene,
        builder_part(seat),
        body,
        radius=10,
        weight=1,
        label=label,
        about=f"{points}; {resources}; {_sum_up_buildings(context, seat)}.",
        key=f"points-{seat}",
    )


def _chip(context: PictureContext, seat: Seat, kind: Resource, *, part: bool) -> Box:
    amount, wide = context.view.hand(seat)[kind], context.is_wide
    body = Stack(
        Column(_sign(kind, 13 if wide else 10), _amount(context, seat, kind, 15 if wide else 14)),
        width=_chip_width(context),
        height=54 if wide else 38 if context.scene.short else CHIP,
    )
    if not part:
        return body
    return Part(
        context.scene,
        wanted_part(seat, kind),
        body,
        label=f"{amount} {kind_in_words(kind)} of {context.scene.names[seat]}",
        about="To trade for one, first click the card of your own to give.",
        key=f"cards-{seat}-{kind.name}",
    )


def _amount(context: PictureContext, seat: Seat, kind: Resource, size: float) -> Box:
    amount = context.view.hand(seat)[kind]
    change = context.changes[seat * KINDS + kind]
    colour = "tt-text-ink" if amount else "tt-text-muted"
    shown = Label(str(amount), size, f"tt-number {colour}", bold=amount > 0)
    if not change:
        return Row(shown)
    arrow, colour = ("▲", "tt-text-gain") if change > 0 else ("▼", "tt-text-danger")
    changed = Label(f"{arrow}{abs(change)}", max(size * 0.8, LEAST), colour, bold=True)
    return Row(shown, changed, gap=1)


def _hand_card(context: PictureContext, seat: Seat, kind: Resource) -> Box:
    amount = context.view.hand(seat)[kind]
    radius, size = (20, 24) if context.is_wide else (10, 14)
    art = Stack(Panel("", 6, fill=GROUNDS[kind][0]), _sign(kind, radius), weight=1)
    name = Label(kind.name, LEAST, "tt-text-muted", anchor="middle", most=CHIP - 4)
    names = [name] if context.is_wide else []
    body = Stack(
        Panel("tt-paper tt-stroke-line", 8, stroke_width=1),
        Column(art, _amount(context, seat, kind, size), *names),
        pad=3 if context.is_wide else 1,
        width=_chip_width(context),
    )
    scene, part = context.scene, hand_part(kind)
    if scene.narrow and scene.short and scene.is_lit(part):
        return body  # the cards to trade for are not in the picture
    return Part(
        scene,
        part,
        body,
        label=f"{amount} {kind_in_words(kind)}",
        about=f"You have {amount} {kind_in_words(kind)}. To trade one away, click it, then a card"
        " of another builder.",
        key=f"cards-{seat}-{kind.name}",
    )
