"""Cards as they are drawn: 5 by 7, with all that they say, or small, with what one must see."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from sorcery.card import CardType
from sorcery.pictures.art import composition_of
from sorcery.pictures.icons import as_printed, coin, gem, shield, sword
from sorcery.pictures.lettering import (
    ART_TOP,
    COIN_WIDTH,
    HEIGHT,
    STRIP,
    TEXT_LEFT,
    TEXT_WIDTH,
    WIDTH,
    Block,
    Shown,
    blocks,
    picture_height,
)
from tabletop.motifs import art
from tabletop.svg import group, line, measure, paragraph, rect, text
from tabletop.wording import counted

SMALL_WIDTH: Final = 70
SMALL_HEIGHT: Final = 98
"""How large a small one is."""

CORNER: Final = 10
KINDS: Final = {
    CardType.MINION: "#704a28",
    CardType.SPELL: "#1f5f80",
    CardType.ENCHANTMENT: "#5b3a8c",
    CardType.RITUAL: "#8c2230",
}
"""The colour of the bar that tells the kind."""


@lru_cache(maxsize=1024)
def full(card: Shown) -> str:
    """A card with all that it says."""
    face, pieces = card.face, blocks(card)
    height = picture_height(card)
    strip = ART_TOP + height
    return "".join(
        (
            _paper(WIDTH, HEIGHT, CORNER, card),
            coin(19, 19, 13.5, str(face.cost), pale=card.too_dear),
            _name(face.name),
            _art(card, (7, ART_TOP), WIDTH - 14, height),
            _notes(card, 7, strip, WIDTH - 14, 14, 10.5),
            _kind(card, strip),
            *(_block(block, card) for block in pieces),
            _numbers(card, (15, 180), (WIDTH - 19, 180), 17),
        )
    )


@lru_cache(maxsize=1024)
def small(card: Shown) -> str:
    """A card for a narrow screen: picture, name and numbers."""
    face = card.face
    return "".join(
        (
            _paper(SMALL_WIDTH, SMALL_HEIGHT, 6, card),
            _art(card, (3, 3), SMALL_WIDTH - 6, 44),
            rect(3, 47, SMALL_WIDTH - 6, 2.5, fill=KINDS[face.kind]),
            coin(11, 11, 9, str(face.cost)),
            _notes(card, 3, 47, SMALL_WIDTH - 6, 11.5, 9),
            _small_name(face.name),
            _numbers(card, (10.5, 85), (SMALL_WIDTH - 14, 84), 13.5),
        )
    )


def _paper(width: float, height: float, corner: float, card: Shown) -> str:
    ground = "tt-paper-deep tt-stroke-line" if card.dim else "tt-card"
    shadow = rect(1.2, 2.4, width, height, "tt-shadow", corner)
    return shadow + rect(0, 0, width, height, ground, corner)


def _art(card: Shown, at: tuple[float, float], width: float, height: float) -> str:
    name = card.face.name
    picture = art(name, width, height, at=at, composition=composition_of(name))
    frame = rect(*at, width, height, "tt-none tt-stroke-line", stroke_width=0.8)
    return group(picture, opacity=0.5 if card.dim else None) + frame


def _name(name: str) -> str:
    room = WIDTH - 43.0
    if measure(name, 13, bold=True) <= room:
        return text(37, 24, name, 13, room, bold=True)
    return paragraph(37, 5.5, name, 12.5, (room, 29), bold=True, leading=1.1)


def _small_name(name: str) -> str:
    room = SMALL_WIDTH - 6.0
    if measure(name, 10, bold=True) <= room:
        return text(SMALL_WIDTH / 2, 64, name, 10, room, anchor="middle", bold=True)
    return paragraph(
        SMALL_WIDTH / 2, 51, name, 10, (room, 22), anchor="middle", bold=True, leading=1.05
    )


def _notes(card: Shown, x: float, bottom: float, width: float, height: float, size: float) -> str:
    """What stands on the picture: how often a minion can act, and that it is silenced."""
    said = [(card.note, "")] if card.note else []
    if card.silenced:
        said.append(("Silenced", "tt-text-danger"))
    return "".join(
        rect(x, bottom - height * row, width, height, "tt-paper", opacity=0.94)
        + text(
            x + width / 2,
            bottom - height * (row - 0.5) + size * 0.34,
            words,
            size,
            width - 4,
            tone,
            anchor="middle",
            bold=True,
        )
        for row, (words, tone) in enumerate(said, 1)
    )


def _block(block: Block, card: Shown) -> str:
    """A piece of the text; an ability with its price."""
    if block.cost is None:
        return paragraph(
            TEXT_LEFT, block.top, block.words, block.size, (TEXT_WIDTH, block.height + 1)
        )
    middle = block.top + block.height / 2
    words = paragraph(
        TEXT_LEFT + COIN_WIDTH,
        block.top + 1,
        block.words,
        block.size,
        (TEXT_WIDTH - COIN_WIDTH, block.height),
        "tt-text-muted" if card.silenced else "",
    )
    crossed = ""
    if card.silenced:
        crossed = line(
            TEXT_LEFT, middle, WIDTH - TEXT_LEFT, middle, "tt-stroke-danger", stroke_width=1.5
        )
    price = coin(
        TEXT_LEFT + 7, middle, min(8.5, block.height / 2), str(block.cost), dearer=card.dearer
    )
    return price + words + crossed


def _numbers(
    card: Shown, left: tuple[float, float], right: tuple[float, float], size: float
) -> str:
    """What stands in the lower corners: sword and shield, or the charges of a ritual."""
    face, found = card.face, []
    if face.low_left is not None:
        found.append(sword(*left, as_printed(face.low_left), card.attack, size=size))
    if face.low_right is not None and face.kind is CardType.RITUAL:
        found.append(gem(*right, face.low_right, size=size))
    elif face.low_right is not None:
        found.append(shield(*right, as_printed(face.low_right), card.defence, size=size))
    return "".join(found)


def _kind(card: Shown, y: float) -> str:
    """The bar below the picture, which tells the kind."""
    face = card.face
    said = str(face.kind)
    if face.kind is CardType.RITUAL:
        said = f"Ritual, takes {counted(face.activation or 0, 'charge')}"
    return rect(7, y, WIDTH - 14, STRIP, fill=KINDS[face.kind]) + text(
        WIDTH / 2, y + 10.6, said, 10.5, WIDTH - 20, "tt-text-on-blue", anchor="middle", bold=True
    )
