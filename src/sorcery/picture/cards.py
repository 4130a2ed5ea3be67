"""Drawings of cards: signs, layout, backs, and whole cards, in full size (5 by 7) or small."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache, partial
from importlib.resources import files
from math import fsum
from typing import Final, NamedTuple

from sorcery.cards.card import Card, CardType, plain
from sorcery.text.card_faces import Face
from tabletop.display import (
    CONDENSED,
    FLOOR,
    LEAST,
    Box,
    Column,
    Composition,
    Figure,
    Image,
    Label,
    Panel,
    Row,
    Stack,
    art,
    circle,
    composed,
    group,
    measure,
    motif,
    motifs,
    number_from,
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


def coin(x: float, y: float, radius: float, cost: str, *, pale: bool = False) -> str:
    """Draw a cost in magic, pale if the player cannot pay it."""
    face, edge = (PALE, PALE_EDGE) if pale else (COIN, COIN_EDGE)
    return (
        circle(x, y, radius, fill=face, stroke=edge, stroke_width=radius / 9)
        + circle(x, y, radius * 0.78, fill="none", stroke=edge, stroke_width=radius / 22)
        + centred_text(x, y + radius * 0.42, cost, radius * 1.2, radius * 1.4, COIN_INK, 0.4)
    )


def move_and_scale(drawn: str, x: float, y: float, scale: float) -> str:
    """Move and scale a drawing."""
    return tag("g", drawn, transform=f"translate({x:g} {y:g}) scale({scale:.3g})")


def arrow(x: float, y: float, change: int) -> str:
    """Draw an arrow next to a number that has changed, or nothing if the number has not changed."""
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
    tone = tone_of(change).replace("tt-", "tt-text-")
    return centred_text(x, y, words, size, room, f"tt-number {tone}", 0.4)


def sword(words: str, change: int, size: float) -> str:
    """Draw an attack value to the right of a sword."""
    signs = path(SWORD, fill="#a9b6c2", stroke="#4c5a6c", stroke_width=0.8) + path(
        HILT, fill="#8a6035"
    )
    room = size * 1.55
    across = measure(words, size, bold=True) if words else 0
    end = min(room, across)
    return (
        group(signs, at=(0, 0), turn=32)
        + _number(9 + end / 2, size * 0.36, words, size, room, change)
        + arrow(14 + end, 0, change)
    )


def shield(words: str, change: int, size: float) -> str:
    """Draw a defence value on a shield, with an arrow below it if it has changed."""
    back = path(SHIELD, "tt-paper-deep tt-stroke-line", stroke_width=1.4)
    scale = size / 15
    return (
        move_and_scale(back, 0, 0, scale)
        + _number(0, size * (0.2 if change else 0.3), words, size, 21 * scale, change)
        + arrow(0, size * 0.52, change)
    )


def gem(words: str, size: float) -> str:
    """Draw a number of charges."""
    back = path(GEM, fill="#51307f", stroke="#d9b8f2", stroke_width=1.6)
    scale, kinds = size / 15, "tt-number tt-text-on-blue"
    number = centred_text(0, size * 0.24, words, size, 18 * scale, kinds, 0.4)
    return move_and_scale(back, 0, 0, scale) + number


WIDTH: Final = 140  # width of a card
HEIGHT: Final = 196  # height of a card
HEAD: Final = 37  # height of the area with the cost and the name
STRIP: Final = 14  # height of the bar with the card type, below the picture

LEAST_ART: Final = 62
"""Minimum height of the picture. Cards with less text have taller pictures."""

TEXT_GAP: Final = 4
TEXT_SIZES: Final = (13.0, 12.5, 12.0, 11.5, 11.0, 10.6)
"""Text sizes in the order in which they are tried, until the picture has enough room."""

TEXT_LEFT: Final = 9
TEXT_WIDTH: Final = WIDTH - 2 * TEXT_LEFT
COIN_WIDTH: Final = 23
MOST_ABILITIES: Final = 2
"""Maximum number of abilities with a separate box.

Further abilities are part of the card's text.
"""


@dataclass(frozen=True, slots=True)
class Shown:
    """A card to draw: its face, and the changes since it was printed.

    Attributes:
        face: Text and numbers of the card.
        attack, defence: Difference from the printed values.
        silenced: Whether the minion cannot use abilities.
        note: Text on the picture.
        dim: Whether to draw the card dim, because it cannot act now.
        too_expensive: Whether the player lacks the magic to play it.
    """

    face: Face
    attack: int = 0
    defence: int = 0
    silenced: bool = False
    note: str = ""
    dim: bool = False
    too_expensive: bool = False

    @property
    def foot(self) -> float:
        """Height of the area below the text that contains the numbers."""
        has_numbers = self.face.low_left is not None or self.face.low_right is not None
        return 33 if has_numbers else NO_NUMBERS


class Block(NamedTuple):
    """A piece of a card's text: its height, text size, and the cost if it is an ability."""

    words: str
    height: float
    size: float
    cost: int | None


def show_held_card(face: Face, card: Card) -> Shown:
    """Return a card in a hand or graveyard. Minions there may have changed attack and defence."""
    if card.type is not CardType.MINION or face.low_left is None or face.low_right is None:
        return Shown(face)
    return Shown(face, int(face.low_left) - card.attack, int(face.low_right) - card.defence)


def blocks(card: Shown) -> list[Block]:
    """Return the text of a card as blocks in the largest size that fits, one for each ability."""
    face, most = card.face, HEIGHT - HEAD - LEAST_ART - STRIP - TEXT_GAP - card.foot
    pieces: list[tuple[str, int | None]]
    pieces = [(plain(words), cost) for cost, words in face.abilities[:MOST_ABILITIES]]
    rest = [f"{cost}: {plain(words)}" for cost, words in face.abilities[MOST_ABILITIES:]]
    rest += map(plain, filter(None, [face.text, *face.triggers]))
    if rest:
        pieces.append(("\n".join(rest), None))
    for size in TEXT_SIZES:
        heights = [size * 1.2 * _lines(words, size, cost) for words, cost in pieces]
        if fsum(heights) <= most:
            break
    # If even the smallest text size needs too much room, all pieces are reduced proportionally.
    share = min(1.0, most / max(1, fsum(heights)))
    return [
        Block(words, height * share, size, cost)
        for (words, cost), height in zip(pieces, heights, strict=True)
    ]


def _lines(words: str, size: float, cost: int | None) -> float:
    """Return the number of lines of a piece of text, at least 1.5 if there is a coin next to it."""
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


SMALL_ART: Final = 24  # minimum height of the picture of a small card with a name
LEADING: Final = 1.2  # height of a line of a small card's name, relative to the font size
NO_NUMBERS: Final = 10  # height of the area below the text of a card without numbers

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
    face = card.face
    cost = Image(coin(0, 0, 13.5, str(face.cost), pale=card.too_expensive), 27, 27, centred=True)
    head = Row(Box(width=6), cost, Box(width=4), _name(face.name), Box(width=6))
    tree = Column(
        Stack(head, height=HEAD),
        Stack(_art(card, 10.6), pad=(7, 0), weight=1),
        Stack(_kind(face), pad=(7, 0)),
        Box(height=TEXT_GAP),
        *map(_block, blocks(card)),
        Stack(_numbers(card, 17), pad=(6, 0), height=card.foot),
    )
    return _paper(WIDTH, HEIGHT, CORNER, card) + tree.place(0, 0, WIDTH, HEIGHT)


@lru_cache(maxsize=1024)
def draw_small_card(card: Shown, width: float, height: float, size: float = LEAST) -> str:
    """Draw a card without its texts: picture, numbers, and the name if it fits.

    Args:
        size: The font size of the name.
    """
    face = card.face
    lines = in_two_lines(face.name, size, width - 4)
    name = [Label(line, size, anchor="middle") for line in lines]
    numbers = [Stack(_numbers(card, size + 1), height=21)] if card.foot > NO_NUMBERS else []
    if height - LEADING * size * len(name) - 20 * len(numbers) < SMALL_ART:
        name = []
    tree = Column(
        Stack(_art(card, size), height=0, weight=1),
        Stack(Panel("", fill=KINDS[face.kind]), height=2.5),
        *name,
        *numbers,
    )
    cost = coin(11, 11, size * 0.84, str(face.cost), pale=card.too_expensive)
    paper = _paper(width, height, width / 12, card)
    return paper + tree.place(2, 3, width - 4, height - 5) + cost


def in_two_lines(words: str, size: float, room: float) -> Sequence[str]:
    """Return text in one or two lines, or no lines if it does not fit without broken words."""
    lines = wrap(words, size, room / CONDENSED)
    return lines if len(lines) <= 2 and " ".join(lines) == words else ()


def _paper(width: float, height: float, corner: float, card: Shown) -> str:
    ground = "tt-paper-deep tt-stroke-line" if card.dim else "tt-card"
    shadow = rect(1.2, 2.4, width, height, "tt-shadow", corner)
    return shadow + rect(0, 0, width, height, ground, corner)


def _art(card: Shown, size: float) -> Box:
    """Return the picture of a card, with its notes in text of this size."""
    notes = [(card.note, "")] if card.note else []
    if card.silenced:
        notes.append(("Silenced", "tt-text-danger"))
    lines = (
        Stack(
            Panel("tt-paper", opacity=0.94),
            Label(words, size, tone, anchor="middle", weight=1),
            height=size * 4 / 3,
        )
        for words, tone in reversed(notes)
    )
    return Stack(
        Box(partial(_draw_art, card), height=LEAST_ART),
        Panel("tt-none tt-stroke-line", stroke_width=0.8),
        Column(*lines, anchor="end"),
    )


def _draw_art(card: Shown, width: float, height: float) -> str:
    name = card.face.name
    picture = art(name, width, height, composition=composition_of(name))
    return group(picture, opacity=0.5 if card.dim else None)


@cache
def compositions() -> Mapping[str, Composition]:
    """Return the picture compositions of the game's cards, by card name (`compositions.txt`)."""
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
    turn = fsum(float(word) for word in more if word != "flip")
    return Figure(motif, float(x), float(y), float(size), ink, accent, turn, "flip" in more)


def composition_of(card: str) -> Composition:
    """Return the composition of a card's picture, derived from the name for custom cards."""
    return compositions().get(card) or composed(card)


def _name(name: str) -> Box:
    if measure(name, 13, bold=True) <= WIDTH - 43:
        return Label(name, 13, bold=True, weight=1)
    lines = Label(name, 12.5, bold=True, wrap=True)
    return Column(Box(partial(lines.place, 0, 0), height=29), weight=1)


def _block(block: Block) -> Box:
    if block.cost is None:
        return Stack(
            Label(block.words, block.size, wrap=True), pad=(TEXT_LEFT, 0), height=block.height
        )
    radius = min(8.5, block.height / 2)
    drawn = coin(0, 0, radius, str(block.cost))
    cost = Image(drawn, 2 * radius, 2 * radius, centred=True)
    words = Label(block.words, block.size, wrap=True, weight=1)
    row = Row(cost, Box(width=COIN_WIDTH - 2 * radius), words)
    return Stack(row, pad=(TEXT_LEFT, 0), height=block.height)


def _numbers(card: Shown, size: float) -> Box:
    """Return the lower corners: attack and defence, or the charges of a ritual."""
    face, corners = card.face, [Box(weight=1)]
    high = size * 1.6
    if face.low_left is not None:
        drawn = sword(as_printed(face.low_left), card.attack, size)
        corners.insert(0, Image(drawn, size * 1.1, high, centred=True))
    if face.low_right is not None:
        if face.kind is CardType.RITUAL:
            drawn = gem(face.low_right, size)
        else:
            drawn = shield(as_printed(face.low_right), card.defence, size)
        corners.append(Image(drawn, size * 1.55, high, centred=True))
    return Row(*corners)


def _kind(face: Face) -> Box:
    """Return the bar with the card type below the picture."""
    label = str(face.kind)
    if face.kind is CardType.RITUAL:
        label = f"Ritual, takes {plural(face.activation or 0, 'charge')}"
    words = Label(label, 10.6, "tt-text-on-blue", anchor="middle", bold=True, weight=1)
    return Stack(Panel("", fill=KINDS[face.kind]), words, height=STRIP)
