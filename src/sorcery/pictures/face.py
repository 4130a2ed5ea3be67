"""Cards as they are drawn: 5 by 7, with all that they say, or small, with what one must see."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from sorcery.card import Card, CardType, plain
from sorcery.faces import Face
from sorcery.pictures.art import composition_of
from sorcery.pictures.icons import as_printed, coin, gem, shield, sword
from tabletop.motifs import art
from tabletop.svg import group, line, measure, paragraph, rect, text, wrap
from tabletop.wording import counted

WIDTH: Final = 140
HEIGHT: Final = 196
"""How large a card is."""

SMALL_WIDTH: Final = 70
SMALL_HEIGHT: Final = 98
"""How large a small one is."""

CORNER: Final = 10
ART_TOP: Final = 37
STRIP: Final = 14
"""How high the bar with the kind is, below the picture."""

LEAST_ART: Final = 62
MOST_ART: Final = 113
"""How high the picture is: the less there is to say, the higher."""

TEXT_SIZES: Final = (13.0, 12.5, 12.0, 11.5, 11.0, 10.5, 10.0)
"""How large a text is: the first that leaves room for the picture, else what fits."""

TEXT_LEFT: Final = 9
TEXT_WIDTH: Final = WIDTH - 2 * TEXT_LEFT
COIN_WIDTH: Final = 23
MOST_ABILITIES: Final = 2
"""So many abilities have a box of their own on a card; those beyond are told in its text."""

KINDS: Final = {
    CardType.MINION: "#704a28",
    CardType.SPELL: "#1f5f80",
    CardType.ENCHANTMENT: "#5b3a8c",
    CardType.RITUAL: "#8c2230",
}
"""The colour of the bar that tells the kind."""


@dataclass(frozen=True, slots=True)
class Shown:
    """What is drawn of a card.

    Attributes:
        face: its text and numbers as they are now.
        attack, defence: by how much they differ from what is printed.
        dearer: whether its abilities cost more than is printed.
        gained_ability: whether its abilities come from an enchantment.
        own_triggers: how many of its triggers are printed; the others it has gained.
        silenced: whether it cannot use its abilities.
        note: what stands on the picture, as how often it can act.
        dim: whether it can do nothing now.
        too_dear: whether it cannot be paid for now.
    """

    face: Face
    attack: int = 0
    defence: int = 0
    dearer: bool = False
    gained_ability: bool = False
    own_triggers: int = 99
    silenced: bool = False
    note: str = ""
    dim: bool = False
    too_dear: bool = False

    @property
    def has_numbers(self) -> bool:
        """Whether something stands in the lower corners."""
        return self.face.low_left is not None or self.face.low_right is not None


@dataclass(frozen=True, slots=True)
class Block:
    """A piece of the text of a card.

    Attributes:
        words: how it reads.
        top, height: where it stands.
        size: of its letters; what does not fit is made smaller.
        cost: of an ability; None for other text.
    """

    words: str
    top: float
    height: float
    size: float
    cost: int | None = None


def shown(face: Face, card: Card) -> Shown:
    """A card in a hand or a graveyard; a minion may have kept other numbers than its own."""
    if card.type is not CardType.MINION or face.low_left is None or face.low_right is None:
        return Shown(face)
    return Shown(face, int(face.low_left) - card.attack, int(face.low_right) - card.defence)


@lru_cache(maxsize=1024)
def blocks(card: Shown) -> tuple[Block, ...]:
    """The text of a card in pieces, each ability in one of its own, in the room there is."""
    face = card.face
    pieces: list[tuple[str, int | None]] = []
    for number, (cost, words) in enumerate(face.abilities):
        said = plain(words)
        if number < MOST_ABILITIES:
            pieces.append((f"Gained: {said}" if card.gained_ability else said, cost))
    rest = "\n".join(_rest(card))
    if rest:
        pieces.append((rest, None))
    return _laid_out(pieces, HEIGHT - (33 if card.has_numbers else 10))


def _rest(card: Shown) -> list[str]:
    """The texts that have no box of their own."""
    face = card.face
    said = [f"{cost}: {plain(words)}" for cost, words in face.abilities[MOST_ABILITIES:]]
    if face.text:
        said.append(plain(face.text))
    return said + [
        plain(words) if number < card.own_triggers else f"Gained: {plain(words)}"
        for number, words in enumerate(face.triggers)
    ]


def _laid_out(pieces: Sequence[tuple[str, int | None]], bottom: float) -> tuple[Block, ...]:
    """Pieces below each other, each as high as its number of lines asks for."""
    most = bottom - ART_TOP - LEAST_ART - STRIP - 4
    for size in TEXT_SIZES:
        heights = [size * 1.2 * _lines(words, size, cost) for words, cost in pieces]
        if sum(heights) <= most:
            break
    top = ART_TOP + _art_height(sum(heights), bottom) + STRIP + 4.0
    share = min(1.0, most / max(1, sum(heights)))
    found = []
    for (words, cost), height in zip(pieces, heights, strict=True):
        found.append(Block(words, top, height * share, size, cost))
        top += height * share
    return tuple(found)


def _art_height(text: float, bottom: float) -> float:
    """How high the picture is, above a text of some height."""
    return min(MOST_ART, max(LEAST_ART, bottom - text - STRIP - 4 - ART_TOP))


def _lines(words: str, size: float, cost: int | None) -> float:
    """How many lines a piece takes; one with a coin has room for it."""
    count = len(wrap(words, size, _room(cost)))
    return count if cost is None else max(1.5, count)


def _room(cost: int | None) -> float:
    return TEXT_WIDTH - (0 if cost is None else COIN_WIDTH)


@lru_cache(maxsize=1024)
def full(card: Shown) -> str:
    """A card with all that it says."""
    face, pieces = card.face, blocks(card)
    bottom = HEIGHT - (33 if card.has_numbers else 10)
    art_height = pieces[0].top - STRIP - 4 - ART_TOP if pieces else _art_height(0, bottom)
    strip = ART_TOP + art_height
    return "".join(
        (
            _paper(WIDTH, HEIGHT, CORNER, card),
            coin(19, 19, 13.5, str(face.cost), pale=card.too_dear),
            _name(face.name),
            _art(card, (7, ART_TOP), WIDTH - 14, art_height),
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
