"""What is decided beside the board: dice, an offer, the end of a turn; and what building costs."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from constructor.picture.clicks import ACCEPT, DECLINE, DICE, FAIR, LOADED
from constructor.picture.looking import Looking
from constructor.picture.pieces import die, residence, road, sign
from constructor.production import TILE_COST, VARIANTS
from constructor.state import (
    COLOURS,
    RESIDENCES,
    ROAD_COST,
    Cost,
    Offer,
    Phase,
    Resource,
)
from tabletop import Seat
from tabletop.picture import turn_in_words
from tabletop.svg import group, paragraph, polygon, rect, regular, seat_mark, text

LOWEST: Final = 2
HIGHEST: Final = 12


def turn_box(looking: Looking, at: tuple[float, float], width: float, height: float) -> str:
    """Whose turn it is, and what is to be done."""
    scene, line = looking.scene, 38
    seat, title = turn_of(looking)
    mark = "" if seat is None else seat_mark(seat, 30, min(height / 2, 34), 18, COLOURS[seat][0])
    mine = scene.seat in scene.to_act
    return group(
        rect(0, 0, width, height, "tt-card", 10),
        rect(0, 0, width, height, "tt-none tt-stroke-accent", 10, stroke_width=3) if mine else "",
        mark,
        text(58, line, title, 18, width - 70, bold=True),
        paragraph(
            58, line + 6, looking.asked, 14, (width - 70, height - line - 10), "tt-text-muted"
        ),
        at=at,
    )


def turn_of(looking: Looking) -> tuple[Seat | None, str]:
    """Who is to act or has won, and that in words."""
    scene = looking.scene
    seat = scene.to_act[0] if scene.to_act else _winner(looking)
    if scene.outcome is not None and seat is not None:
        return seat, f"{looking.called[seat]} wins"
    return seat, turn_in_words(scene)


def _winner(looking: Looking) -> Seat | None:
    outcome = looking.scene.outcome
    if outcome is None or not outcome.ranking or len(outcome.ranking[0]) != 1:
        return None
    return outcome.ranking[0][0]


def button(
    looking: Looking,
    part: str,
    at: tuple[float, float],
    size: tuple[float, float],
    words: str,
    *,
    about: str = "",
) -> str:
    """Something to press; flat while it cannot be."""
    width, height = size
    lit = looking.scene.is_lit(part)
    return looking.scene.part(
        part,
        _key(size, words, lit=lit),
        rect(1, 1, width - 2, height - 2, "tt-ring", 10),
        label=words,
        about=about,
        at=at,
    )


# Remembered, as all pieces with a cache here: from picture to picture most stay the same.
@lru_cache(maxsize=128)
def _key(size: tuple[float, float], words: str, *, lit: bool) -> str:
    """What a button looks like."""
    width, height = size
    return rect(0, 0, width, height, "tt-paper" if lit else "tt-paper-deep", 10) + text(
        *(width / 2, height / 2 + 5, words, 15, width - 8),
        "tt-text-ink" if lit else "tt-text-muted",
        anchor="middle",
        bold=lit,
    )


def dice(looking: Looking, at: tuple[float, float], side: float) -> str:
    """What the dice have shown: two faces, or the total that somebody chose."""
    rolled = looking.rolled
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


def rolled_in_words(looking: Looking) -> str:
    """What was rolled in this turn; empty when that is not known."""
    rolled = looking.rolled
    if rolled is None:
        return ""
    return f"{COLOURS[rolled.seat]} {'rolled' if rolled.dice else 'chose'} {rolled.total}"


def numbers(
    looking: Looking, at: tuple[float, float], width: float, height: float, columns: int
) -> str:
    """What loaded dice can show, to choose from."""
    count = HIGHEST - LOWEST + 1
    step, high = width / columns, height / -(-count // columns)
    return group(
        *(
            button(
                looking,
                f"roll-{total}",
                (place % columns * step + 2, place // columns * high + 2),
                (step - 4, high - 4),
                str(total),
                about=f"The dice show {total}.",
            )
            for place, total in enumerate(range(LOWEST, HIGHEST + 1))
        ),
        at=at,
    )


def dice_buttons(looking: Looking, at: tuple[float, float], width: float, height: float) -> str:
    """Roll, and which dice to take."""
    view = looking.view
    fair = view.fair[view.turn]
    third = width / 3
    words = (
        (DICE, "Roll", "Roll the dice; with loaded ones you say what they show."),
        (FAIR, "Fair ✓" if fair else "Fair", "Take fair dice."),
        (LOADED, "Loaded" if fair else "Loaded ✓", "Take loaded dice: you say what they show."),
    )
    return group(
        *(
            button(looking, part, (place * third + 2, 0), (third - 4, height), name, about=about)
            for place, (part, name, about) in enumerate(words)
        ),
        at=at,
    )


def dice_box(looking: Looking, at: tuple[float, float], width: float, height: float) -> str:
    """The dice, and what is to be decided about them."""
    frame = rect(0, 0, width, height, "tt-card", 10)
    if looking.view.phase is Phase.CHOOSING_ROLL:
        title = text(14, 28, "The loaded dice show", 15, width - 28, bold=True)
        return group(frame, title, numbers(looking, (8, 40), width - 16, height - 48, 4), at=at)
    return group(
        frame,
        dice(looking, (44, 52), 58),
        text(156, 58, rolled_in_words(looking), 15, width - 168, bold=True),
        dice_buttons(looking, (8, height - 56), width - 16, 46),
        at=at,
    )


def offer_box(
    looking: Looking, offer: Offer, at: tuple[float, float], width: float, height: float
) -> str:
    """A trade that waits for an answer, and the answers."""
    giver, asked = looking.view.turn, offer.seat
    half, row = width / 2, height - 56
    middle = row / 2 + 3
    return group(
        rect(0, 0, width, height, "tt-card", 10),
        seat_mark(giver, 28, middle, 14, COLOURS[giver][0]),
        *_named(offer.give, 62, middle),
        text(half, middle + 7, "⇄", 22, 30, anchor="middle"),
        *_named(offer.take, half + 32, middle),
        seat_mark(asked, width - 28, middle, 14, COLOURS[asked][0]),
        *_answers(looking, offer, (10, row), width - 20),
        at=at,
        aria_label=_offered(looking, offer),
        role="group",
    )


def offer_row(
    looking: Looking, offer: Offer, at: tuple[float, float], width: float, height: float
) -> str:
    """The same in one line, with signs instead of names."""
    giver, asked, middle = looking.view.turn, offer.seat, height / 2
    return group(
        rect(0, 0, width, height, "tt-card", 10),
        seat_mark(giver, 20, middle, 12, COLOURS[giver][0]),
        group(sign(offer.give, 13), at=(50, middle)),
        text(77, middle + 6, "⇄", 18, 24, anchor="middle"),
        group(sign(offer.take, 13), at=(104, middle)),
        seat_mark(asked, 134, middle, 12, COLOURS[asked][0]),
        *_answers(looking, offer, (154, (height - 46) / 2), width - 156),
        at=at,
        aria_label=_offered(looking, offer),
        role="group",
    )


def _answers(
    looking: Looking, offer: Offer, at: tuple[float, float], width: float
) -> tuple[str, str]:
    """The two ways to answer an offer, beside each other."""
    (x, y), half = at, width / 2
    size, other = (half - 4, 46.0), (x + half + 4, y)
    yes = button(looking, ACCEPT, at, size, "Accept", about=_offered(looking, offer))
    no = button(looking, DECLINE, other, size, "Decline", about="Keep what you have.")
    return yes, no


def _named(kind: Resource, x: float, y: float) -> tuple[str, str]:
    """A resource with its name beside it."""
    return (
        group(sign(kind, 14), at=(x, y)),
        text(x + 18, y + 4, kind.name, 11, 44, "tt-text-muted"),
    )


def _offered(looking: Looking, offer: Offer) -> str:
    giver, asked = looking.called[looking.view.turn], looking.called[offer.seat]
    return f"{giver} offers {asked} one {offer.give.name} for one {offer.take.name}."


def costs(looking: Looking, at: tuple[float, float], width: float, height: float) -> str:
    """What there is to build, and what it costs."""
    seat = looking.own if looking.own is not None else looking.view.turn
    is_rich = VARIANTS[looking.view.variant].rich
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


def how_to(looking: Looking, at: tuple[float, float], width: float, height: float) -> str:
    """What can be clicked in one's own turn, for who plays for the first time."""
    scene = looking.scene
    if looking.view.phase is not Phase.BUILDING or scene.seat not in scene.to_act:
        return ""
    return paragraph(*at, HOW, 14, (width, height), "tt-text-muted")
