"""Drawings of cards: signs, layout, backs, and whole cards, either 5 by 7 or small."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files
from typing import Final

from sorcery.cards.card import Card, CardType, plain
from sorcery.text.card_faces import Face
from tabletop.display import (
    FLOOR,
    Composition,
    Figure,
    art,
    circle,
    composed,
    group,
    line,
    measure,
    motif,
    motifs,
    number_from,
    paragraph,
    path,
    rect,
    seat_class,
    tag,
    text,
    wrap,
)
from tabletop.wording import plural

COIN: Final = "#e8b93c"
COIN_EDGE: Final = "#8a5f14"
PALE: Final = "#cbc4b6"
PALE_EDGE: Final = "#7d7668"
COIN_INK: Final = "tt-text-on-orange"
"""Colour of the number on a coin. Coins have the same colours in light and dark mode."""

SWORD: Final = "M0 -11 L3 -7 L2.4 4 L-2.4 4 L-3 -7Z"
HILT: Final = "M-6 4 H6 V7 H-6Z M-1.6 7 H1.6 V12 H-1.6Z"
SHIELD: Final = (
    "M0 -14 C5 -11 9 -10.5 13 -10.5 C13.5 1 10 10 0 14.5"
    " C-10 10 -13.5 1 -13 -10.5 C-9 -10.5 -5 -11 0 -14Z"
)
GEM: Final = "M-8 -13 H8 L14 -3 L0 14 L-14 -3Z"
HEART: Final = "M0 9 C-12 1 -11 -9 -5 -9 C-2 -9 0 -7 0 -5 C0 -7 2 -9 5 -9 C11 -9 12 1 0 9Z"
TIMES: Final = "\N{MULTIPLICATION SIGN}"
MINUS: Final = "\N{MINUS SIGN}"


def as_printed(number: str) -> str:
    """Return a number or a change with typographic signs."""
    return number.replace("*", TIMES).replace("-", MINUS)


def centred_text(
    x: float, y: float, words: str, size: float, room: float, class_: str = "", floor: float = FLOOR
) -> str:
    """Draw bold text centred at `x` (see `tabletop.display.text`)."""
    return text(x, y, words, size, room, class_, anchor="middle", bold=True, floor=floor)


def coin(
    x: float, y: float, radius: float, cost: str, *, raised: bool = False, pale: bool = False
) -> str:
    """Draw a cost in magic, with an arrow if it was raised, or pale if the player cannot pay it."""
    face, edge = (PALE, PALE_EDGE) if pale else (COIN, COIN_EDGE)
    return (
        circle(x, y, radius, fill=face, stroke=edge, stroke_width=radius / 9)
        + circle(x, y, radius * 0.78, fill="none", stroke=edge, stroke_width=radius / 22)
        + centred_text(x, y + radius * 0.42, cost, radius * 1.2, radius * 1.4, COIN_INK, 0.4)
        + (arrow(x + radius + 3, y, 1) if raised else "")
    )


def move_and_scale(drawn: str, x: float, y: float, scale: float) -> str:
    """Move and scale a drawing."""
    return tag("g", drawn, transform=f"translate({x:g} {y:g}) scale({scale:.3g})")


def arrow(x: float, y: float, change: int) -> str:
    """Draw an arrow beside a number that has changed, or nothing if it has not."""
    if not change:
        return ""
    up = change > 0
    data = "M-3.5 2.5 L0 -3.5 L3.5 2.5Z" if up else "M-3.5 -2.5 L0 3.5 L3.5 -2.5Z"
    return tag("path", d=data, transform=f"translate({x:g} {y:g})", class_=tone_of(change))


def tone_of(change: int) -> str:
    """Return the CSS class of a number that has changed."""
    if not change:
        return "tt-ink"
    return "tt-gain" if change > 0 else "tt-danger"


def _number(x: float, y: float, words: str, size: float, room: float, change: int) -> str:
    """Draw a number in the colour of its change."""
    tone = tone_of(change).replace("tt-", "tt-text-")
    return centred_text(x, y, words, size, room, f"tt-number {tone}", 0.4)


def sword(x: float, y: float, words: str, change: int = 0, *, size: float = 17) -> str:
    """Draw an attack value to the right of a sword, whose centre is at `x` and `y`."""
    signs = path(SWORD, fill="#a9b6c2", stroke="#4c5a6c", stroke_width=0.8) + path(
        HILT, fill="#8a6035"
    )
    room = size * 1.55
    across = measure(words, size, bold=True) if words else 0
    end = min(room, across)
    return (
        group(signs, at=(x, y), turn=32)
        + _number(x + 9 + end / 2, y + size * 0.36, words, size, room, change)
        + arrow(x + 14 + end, y, change)
    )


def shield(x: float, y: float, words: str, change: int = 0, *, size: float = 17) -> str:
    """Draw a defence value on a shield, with an arrow below it if it has changed."""
    back = path(SHIELD, "tt-paper-deep tt-stroke-line", stroke_width=1.4)
    scale = size / 15
    return (
        move_and_scale(back, x, y, scale)
        + _number(x, y + size * (0.2 if change else 0.3), words, size, 21 * scale, change)
        + arrow(x, y + size * 0.52, change)
    )


def gem(x: float, y: float, words: str, *, size: float = 16) -> str:
    """Draw a number of charges."""
    back = path(GEM, fill="#51307f", stroke="#d9b8f2", stroke_width=1.6)
    scale = size / 15
    kinds = "tt-number tt-text-on-blue"
    return move_and_scale(back, x, y, scale) + centred_text(
        x, y + size * 0.24, words, size * 0.95, 18 * scale, kinds, 0.4
    )


WIDTH: Final = 140
HEIGHT: Final = 196
"""Size of a card."""

ART_TOP: Final = 37
STRIP: Final = 14
"""Height of the bar with the card type, below the picture."""

LEAST_ART: Final = 62
MOST_ART: Final = 113
"""Greatest height of the picture. Cards with less text have higher pictures."""

TEXT_SIZES: Final = (13.0, 12.5, 12.0, 11.5, 11.0, 10.5, 10.0)
"""Text sizes in the order in which they are tried, until the picture has enough room."""

TEXT_LEFT: Final = 9
TEXT_WIDTH: Final = WIDTH - 2 * TEXT_LEFT
COIN_WIDTH: Final = 23
MOST_ABILITIES: Final = 2
"""Greatest number of abilities with a box of their own. Others are part of the card's text."""


@dataclass(frozen=True, slots=True)
class Shown:
    """A card to draw: its face, and the changes since it was printed.

    Attributes:
        face: Text and numbers of the card.
        attack, defence: Difference from the printed values.
        raised_cost: Whether an ability costs more than printed.
        gained_ability: Whether the abilities come from an enchantment.
        own_triggers: Number of the card's own triggers. Others come from enchantments.
        silenced: Whether the minion cannot use abilities.
        note: Text on the picture.
        dim: Whether to draw the card dim, because it cannot act now.
        too_expensive: Whether the player lacks the magic to play it.
    """

    face: Face
    attack: int = 0
    defence: int = 0
    raised_cost: bool = False
    gained_ability: bool = False
    own_triggers: int = 99
    silenced: bool = False
    note: str = ""
    dim: bool = False
    too_expensive: bool = False

    @property
    def text_bottom(self) -> float:
        """Lower end of the area for text."""
        has_numbers = self.face.low_left is not None or self.face.low_right is not None
        return HEIGHT - (33 if has_numbers else 10)


@dataclass(frozen=True, slots=True)
class Block:
    """A piece of a card's text: its position, text size, and the cost if it is an ability."""

    words: str
    top: float
    height: float
    size: float
    cost: int | None = None


def show_held_card(face: Face, card: Card) -> Shown:
    """Return a card in a hand or graveyard. Minions there may have changed attack and defence."""
    if card.type is not CardType.MINION or face.low_left is None or face.low_right is None:
        return Shown(face)
    return Shown(face, int(face.low_left) - card.attack, int(face.low_right) - card.defence)


@lru_cache(maxsize=1024)
def blocks(card: Shown) -> tuple[Block, ...]:
    """Return the text of a card as blocks that fit into its area, with one block per ability."""
    face = card.face
    pieces: list[tuple[str, int | None]] = []
    for number, (cost, words) in enumerate(face.abilities):
        ability = plain(words)
        if number < MOST_ABILITIES:
            pieces.append((f"Gained: {ability}" if card.gained_ability else ability, cost))
    rest = "\n".join(_rest(card))
    if rest:
        pieces.append((rest, None))
    return _stack_pieces(pieces, card.text_bottom)


def _rest(card: Shown) -> list[str]:
    """Return the texts without a box of their own."""
    face = card.face
    texts = [f"{cost}: {plain(words)}" for cost, words in face.abilities[MOST_ABILITIES:]]
    if face.text:
        texts.append(plain(face.text))
    return texts + [
        plain(words) if number < card.own_triggers else f"Gained: {plain(words)}"
        for number, words in enumerate(face.triggers)
    ]


def _stack_pieces(pieces: Sequence[tuple[str, int | None]], bottom: float) -> tuple[Block, ...]:
    """Stack pieces of text, each with the height of its lines."""
    most = bottom - ART_TOP - LEAST_ART - STRIP - 4
    for size in TEXT_SIZES:
        heights = [size * 1.2 * _lines(words, size, cost) for words, cost in pieces]
        if sum(heights) <= most:
            break
    top = ART_TOP + _art_height(sum(heights), bottom) + STRIP + 4.0
    # If even the smallest text size needs too much room, all pieces are reduced proportionally.
    share = min(1.0, most / max(1, sum(heights)))
    stack = []
    for (words, cost), height in zip(pieces, heights, strict=True):
        stack.append(Block(words, top, height * share, size, cost))
        top += height * share
    return tuple(stack)


def picture_height(card: Shown) -> float:
    """Return the height of the picture on a card."""
    pieces = blocks(card)
    if not pieces:
        return _art_height(0, card.text_bottom)
    return pieces[0].top - STRIP - 4 - ART_TOP


def _art_height(text: float, bottom: float) -> float:
    """Return the height of the picture above a text of height `text`."""
    return min(MOST_ART, max(LEAST_ART, bottom - text - STRIP - 4 - ART_TOP))


def _lines(words: str, size: float, cost: int | None) -> float:
    """Return the number of lines of a piece, at least 1.5 beside a coin."""
    count = len(wrap(words, size, TEXT_WIDTH - (0 if cost is None else COIN_WIDTH)))
    return count if cost is None else max(1.5, count)


@lru_cache(maxsize=256)
def back(seat: int, name: str, width: float, height: float) -> str:
    """Draw the back of a card in the colour of the seat, with a motif chosen by `name`."""
    edge = width / 12
    emblem = width * 0.56
    chosen = tuple(motifs())[number_from(name, len(motifs()), "back")]
    left, top = (width - emblem) / 2, (height - emblem) / 2
    inner = (edge, edge, width - 2 * edge, height - 2 * edge)
    return group(
        rect(0, 0, width, height, "tt-card", width / 14),
        rect(*inner, seat_class(seat), width / 20),
        rect(*inner, "", width / 20, fill="#14121c", opacity=0.28),
        circle(width / 2, height / 2, emblem * 0.72, fill="#14121c", opacity=0.55),
        move_and_scale(motif(chosen, "bone", "gold"), left, top, emblem / 100),
    )


SMALL_WIDTH: Final = 70
SMALL_HEIGHT: Final = 98
"""Size of a small card."""

CORNER: Final = 10
KINDS: Final = {
    CardType.MINION: "#704a28",
    CardType.SPELL: "#1f5f80",
    CardType.ENCHANTMENT: "#5b3a8c",
    CardType.RITUAL: "#8c2230",
}
"""Colours of the bars that show the card type."""


@lru_cache(maxsize=1024)
def draw_card(card: Shown) -> str:
    """Draw a card with all its texts."""
    face, pieces = card.face, blocks(card)
    height = picture_height(card)
    strip = ART_TOP + height
    return "".join(
        (
            _paper(WIDTH, HEIGHT, CORNER, card),
            coin(19, 19, 13.5, str(face.cost), pale=card.too_expensive),
            _name(face.name),
            _art(card, (7, ART_TOP), WIDTH - 14, height),
            _notes(card, 7, strip, WIDTH - 14, 14, 10.5),
            _kind(card, strip),
            *(_block(block, card) for block in pieces),
            _numbers(card, (15, 180), (WIDTH - 19, 180), 17),
        )
    )


@lru_cache(maxsize=1024)
def draw_small_card(card: Shown) -> str:
    """Draw a card for a narrow screen: picture, name and numbers only."""
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


@cache
def compositions() -> Mapping[str, Composition]:
    """Return the compositions of the pictures of the game's cards, by name (`compositions.txt`)."""
    return read_compositions(
        files("sorcery").joinpath("data", "compositions.txt").read_text("utf-8")
    )


def read_compositions(data: str) -> Mapping[str, Composition]:
    """Parse the text of a file like `compositions.txt`.

    Raises:
        ValueError: A picture has an unknown part. The message names the card.
    """
    pictures = {}
    for lines in map(str.splitlines, data.split("\n\n")[1:]):
        name, _, ground = lines[0].partition(": ")
        sky, hill, *strewn = ground.split()
        try:
            pictures[name] = Composition(sky, hill, tuple(map(_figure, lines[1:])), *strewn)
        except ValueError as error:
            raise ValueError(f"compositions.txt, {name}: {error}") from error
    return pictures


def _figure(line: str) -> Figure:
    """Parse a line such as `cloud 130 26 44 cloud gold`, optionally with an angle and `flip`."""
    motif, x, y, size, ink, accent, *more = line.split()
    turn = sum(float(word) for word in more if word != "flip")
    return Figure(motif, float(x), float(y), float(size), ink, accent, turn, "flip" in more)


def composition_of(card: str) -> Composition:
    """Return the composition of a card's picture, derived from the name for custom cards."""
    return compositions().get(card) or composed(card)


def _name(name: str) -> str:
    room = WIDTH - 43.0
    if measure(name, 13, bold=True) <= room:
        return text(37, 24, name, 13, room, bold=True)
    return paragraph(37, 5.5, name, 12.5, (room, 29), bold=True, leading=1.1)


def _small_name(name: str) -> str:
    room = SMALL_WIDTH - 6.0
    if measure(name, 10, bold=True) <= room:
        return centred_text(SMALL_WIDTH / 2, 64, name, 10, room)
    return paragraph(
        SMALL_WIDTH / 2, 51, name, 10, (room, 22), anchor="middle", bold=True, leading=1.05
    )


def _notes(card: Shown, x: float, bottom: float, width: float, height: float, size: float) -> str:
    """Draw the notes on the picture: when a minion can act, and whether it is silenced."""
    notes = [(card.note, "")] if card.note else []
    if card.silenced:
        notes.append(("Silenced", "tt-text-danger"))
    return "".join(
        rect(x, bottom - height * row, width, height, "tt-paper", opacity=0.94)
        + centred_text(
            x + width / 2, bottom - height * (row - 0.5) + size * 0.34, words, size, width - 4, tone
        )
        for row, (words, tone) in enumerate(notes, 1)
    )


def _block(block: Block, card: Shown) -> str:
    """Draw a block of text, with the cost if it is an ability."""
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
    cost = coin(
        TEXT_LEFT + 7, middle, min(8.5, block.height / 2), str(block.cost), raised=card.raised_cost
    )
    return cost + words + crossed


def _numbers(
    card: Shown, left: tuple[float, float], right: tuple[float, float], size: float
) -> str:
    """Draw the lower corners: attack and defence, or the charges of a ritual."""
    face, signs = card.face, []
    if face.low_left is not None:
        signs.append(sword(*left, as_printed(face.low_left), card.attack, size=size))
    if face.low_right is not None and face.kind is CardType.RITUAL:
        signs.append(gem(*right, face.low_right, size=size))
    elif face.low_right is not None:
        signs.append(shield(*right, as_printed(face.low_right), card.defence, size=size))
    return "".join(signs)


def _kind(card: Shown, y: float) -> str:
    """Draw the bar with the card type below the picture."""
    face = card.face
    label = str(face.kind)
    if face.kind is CardType.RITUAL:
        label = f"Ritual, takes {plural(face.activation or 0, 'charge')}"
    bar = rect(7, y, WIDTH - 14, STRIP, fill=KINDS[face.kind])
    return bar + centred_text(WIDTH / 2, y + 10.6, label, 10.5, WIDTH - 20, "tt-text-on-blue")
