"""Rituals, graveyards, decks and hands."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from sorcery.faces import face_of, face_of_held, face_of_ritual
from sorcery.pictures.backs import back
from sorcery.pictures.face import SMALL_HEIGHT, SMALL_WIDTH, full, small
from sorcery.pictures.icons import coin
from sorcery.pictures.lettering import HEIGHT, WIDTH, Shown, shown
from sorcery.pictures.parts import deck_part, graveyard_part, hand_part, ritual_part
from sorcery.pictures.sight import Sight
from sorcery.pictures.wording import about_deck, about_graveyard, name_of_face
from sorcery.state import PLACES, Held
from tabletop import Seat
from tabletop.motifs import motif
from tabletop.svg import circle, escape, group, paragraph, rect, tag, text
from tabletop.wording import counted


def draw_ritual(sight: Sight, seat: Seat, x: float, y: float, *, is_small: bool) -> str:
    """The ritual of a player, or its empty place."""
    ritual = sight.view.sides[seat].ritual
    name = sight.scene.names[seat]
    if ritual is None:
        return _empty("Ritual", "sigil", x, y, is_small=is_small)
    face = face_of_ritual(ritual, sight.cards)
    return sight.scene.part(
        ritual_part(seat),
        _card(Shown(face), is_small=is_small),
        _ring(is_small=is_small),
        label=f"{name}'s ritual: {ritual.card}, {counted(ritual.charges, 'charge')} left",
        key=sight.keys[seat, "ritual", 0],
        about="\n".join(face.in_full()),
        at=(x, y),
    )


def draw_graveyard(sight: Sight, seat: Seat, x: float, y: float, *, is_small: bool) -> str:
    """The top card of a graveyard, and how many cards there are."""
    cards = sight.view.sides[seat].graveyard
    name = sight.scene.names[seat]
    label = f"{name}'s graveyard, {counted(len(cards), 'card')}"
    if not cards:
        body = _empty("Graveyard", "tomb", 0, 0, is_small=is_small)
        key = ""
    else:
        top = cards[-1]
        body = _buried(sight, top, len(cards), is_small=is_small)
        key = sight.keys[seat, "graveyard", len(cards) - 1]
        label += f", on top {top.card} {top.attack}/{top.defence}"
    return sight.scene.part(
        graveyard_part(seat),
        body,
        _ring(is_small=is_small),
        label=label,
        key=key,
        about=about_graveyard(cards),
        at=(x, y),
    )


def _buried(sight: Sight, held: Held, count: int, *, is_small: bool) -> str:
    face = face_of_held(held, sight.cards)
    if face is None:
        return ""
    card = replace(shown(face, sight.cards[held.card]), dim=True)
    if not is_small:
        said = f"Graveyard: {counted(count, 'card')}"
        return full(card) + text(
            WIDTH / 2, HEIGHT + 16, said, 12, WIDTH, "tt-number tt-text-muted", anchor="middle"
        )
    return (
        small(card)
        + circle(SMALL_WIDTH - 10, 10, 9, "tt-ink")
        + text(
            SMALL_WIDTH - 10,
            14,
            str(count),
            11,
            14,
            "tt-number tt-text-paper",
            anchor="middle",
            bold=True,
            floor=0.4,
        )
    )


def _card(card: Shown, *, is_small: bool) -> str:
    return small(card) if is_small else full(card)


def _ring(*, is_small: bool) -> str:
    width, height = (SMALL_WIDTH, SMALL_HEIGHT) if is_small else (WIDTH, HEIGHT)
    return rect(-3, -3, width + 6, height + 6, "tt-ring", width / 11)


def _empty(words: str, sign: str, x: float, y: float, *, is_small: bool) -> str:
    """A place where nothing lies, with its name."""
    width, height = (SMALL_WIDTH, SMALL_HEIGHT) if is_small else (WIDTH, HEIGHT)
    side = width * 0.42
    mark = tag(
        "g",
        motif(sign, "ash", "ash"),
        transform=f"translate({(width - side) / 2:g} {height * 0.26:g}) scale({side / 100:g})",
        opacity=0.35,
    )
    return group(
        rect(
            0,
            0,
            width,
            height,
            "tt-none tt-stroke-line",
            width / 14,
            stroke_width=1.5,
            stroke_dasharray="5 5",
            opacity=0.45,
        ),
        mark,
        text(
            width / 2,
            height * 0.72,
            words,
            11 if is_small else 13,
            width - 8,
            "tt-text-muted",
            anchor="middle",
        ),
        at=(x, y),
    )


# Decks and hands.

CHIP: Final = 68
CHIP_GAP: Final = 6
"""How wide a card of a hand is of which one sees the name alone, and what is between two."""


def draw_deck(sight: Sight, seat: Seat, x: float, y: float, width: float) -> str:
    """A deck, and how many cards are left in it."""
    scene, cards = sight.scene, sight.view.sides[seat].deck
    height = width * 1.4
    pile = "".join(
        group(back(seat, scene.names[seat], width, height), at=(step * 2, -step * 2))
        for step in range(min(3, len(cards)))
    ) or rect(0, 0, width, height, "tt-none tt-stroke-cloth-deep", width / 14, stroke_width=2)
    own = seat == scene.seat
    body = (
        pile,
        text(width + 10, height / 2 - 1, str(len(cards)), 17, 40, "tt-number", bold=True),
        text(width + 10, height / 2 + 14, "deck", 12, 40, "tt-text-muted"),
    )
    label = f"{scene.names[seat]}'s deck, {counted(len(cards), 'card')}"
    return scene.part(
        deck_part(seat),
        rect(-4, -8, width + 48, height + 12, "tt-hit"),
        *body,
        rect(-4, -8, width + 48, height + 12, "tt-ring", 8),
        label=label,
        key=deck_part(seat),
        about=about_deck(cards, seen=own),
        at=(x, y),
    )


def draw_backs(sight: Sight, seat: Seat, x: float, y: float, width: float, step: float) -> str:
    """A hand that is not seen, and how many cards it has."""
    scene, count = sight.scene, len(sight.view.sides[seat].hand)
    height = width * 1.4
    if count > PLACES:
        step *= (PLACES - 1) / (count - 1)
    cards = (
        group(
            back(seat, scene.names[seat], width, height),
            at=(step * place, 0),
            data_key=f"{seat}/back/{place}",
        )
        for place in range(count)
    )
    end = step * max(0, count - 1) + (width if count else 0) + 8
    label = f"{scene.names[seat]}'s hand, {counted(count, 'card')}"
    return group(
        tag("title", escape(label)),
        *cards,
        text(end, height / 2 - 1, str(count), 17, 30, "tt-number", bold=True),
        text(end, height / 2 + 14, "hand", 12, 40, "tt-text-muted"),
        at=(x, y),
        role="img",
        aria_label=label,
    )


def draw_chips(sight: Sight, seat: Seat, x: float, y: float, room: float) -> str:
    """A hand of the upper side that is seen, by somebody from whom nothing is hidden."""
    count = max(1, len(sight.view.sides[seat].hand))
    step = min(CHIP + CHIP_GAP, room / count)
    width, height = step - CHIP_GAP, CHIP * 0.7
    return "".join(
        _named(sight, seat, place, x + place * step, y, width, height)
        for place in range(len(sight.view.sides[seat].hand))
    )


def draw_names(sight: Sight, seat: Seat, x: float, y: float, width: float, height: float) -> str:
    """The same where there is less room: the names alone."""
    said = ", ".join(held.card for held in sight.view.sides[seat].hand) or "No cards in hand."
    label = f"{sight.scene.names[seat]}'s hand: {said}"
    return group(
        tag("title", escape(label)),
        rect(0, 0, width, height, "tt-card", 6),
        paragraph(5, 4, said, 10, (width - 10, height - 7)),
        at=(x, y),
        role="img",
        aria_label=label,
    )


def _named(
    sight: Sight, seat: Seat, place: int, x: float, y: float, width: float, height: float
) -> str:
    face = face_of(sight.cards[sight.view.sides[seat].hand[place].card])
    label = name_of_face(face)
    return group(
        tag("title", escape(label)),
        rect(0, 0, width, height, "tt-card", 6),
        coin(11, 11, 8, str(face.cost)),
        paragraph(width / 2, 20, face.name, 11, (width - 5, height - 22), anchor="middle"),
        at=(x, y),
        role="img",
        aria_label=label,
        data_key=sight.keys[seat, "hand", place],
    )


def draw_hand(sight: Sight, places: list[tuple[float, float]], scale: float) -> str:
    """The hand of the one who looks, each card at its place."""
    seat = sight.below
    return "".join(
        _held(sight, seat, number, at, scale)
        for number, at in zip(range(len(sight.view.sides[seat].hand)), places, strict=False)
    )


def _held(sight: Sight, seat: Seat, place: int, at: tuple[float, float], scale: float) -> str:
    side = sight.view.sides[seat]
    held = side.hand[place]
    face = face_of_held(held, sight.cards)
    if face is None:
        return ""
    card = sight.cards[held.card]
    too_dear = card.cost > side.magic and not sight.view.testing
    drawn = full(replace(shown(face, card), too_dear=too_dear))
    grown = tag("g", drawn, transform=f"scale({scale:g})") if scale != 1 else drawn
    label = name_of_face(face)
    if too_dear:
        label += f", too dear: you have {side.magic} magic"
    width, height = WIDTH * scale, HEIGHT * scale
    return sight.scene.part(
        hand_part(place),
        grown,
        rect(-3, -3, width + 6, height + 6, "tt-ring", width / 11),
        label=label,
        key=sight.keys[seat, "hand", place],
        about="\n".join(face.in_full()),
        at=at,
    )
