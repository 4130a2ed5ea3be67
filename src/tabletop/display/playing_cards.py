"""Drawings of playing cards: the French deck, custom cards, card backs, rows and fans."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import inf
from typing import Final

from tabletop.display.compositions import art, motif
from tabletop.display.picture import Scene
from tabletop.display.svg import (
    CONDENSED,
    LEAST,
    group,
    measure,
    number,
    path,
    rect,
    tag,
    text,
    wrap,
)
from tabletop.parts.cards import ACE, BACK, JACK, KING, QUEEN, Card, Suit

HIGH: Final = 1.4  # height of a card, relative to its width

_SHAPES: Final = {
    Suit.CLUBS: (
        "M-20 -24a20 20 0 1 1 40 0a20 20 0 1 1-40 0zM-43 7a20 20 0 1 1 40 0a20 20 0 1 1-40 0z"
        "M3 7a20 20 0 1 1 40 0a20 20 0 1 1-40 0zM-9-12h18L6 10C6 28 10 38 17 44h-34C-10 38-6 28-6 "
        "10z"
    ),
    Suit.DIAMONDS: "M0-46Q14-20 35 0Q14 20 0 46Q-14 20-35 0Q-14-20 0-46z",
    Suit.HEARTS: "M0 43C-24 14-42 2-42-19C-42-34-32-42-21-42C-10-42-3-35 0-25C3-35 10-42 21-42"
    "C32-42 42-34 42-19C42 2 24 14 0 43z",
    Suit.SPADES: "M0-46C20-18 42-6 42 12C42 26 33 32 23 32C14 32 8 28 5 20C6 32 10 40 17 44h-34"
    "C-10 40-6 32-5 20C-8 28-14 32-23 32C-33 32-42 26-42 12C-42-6-20-18 0-46z",
}
"""The outline of each suit, around its centre, in a box of 100 by 100 units."""

_INKS: Final = {
    Suit.CLUBS: "ink",
    Suit.DIAMONDS: "danger",
    Suit.HEARTS: "danger",
    Suit.SPADES: "ink",
}
_LETTERS: Final = {JACK: "J", QUEEN: "Q", KING: "K", ACE: "A"}
_NAMES: Final = {JACK: "jack", QUEEN: "queen", KING: "king", ACE: "ace"}
_COURT: Final = {JACK: "feather", QUEEN: "rose", KING: "crown"}

_CORNERS: Final = ((0.37, 0.2), (0.63, 0.2), (0.37, 0.8), (0.63, 0.8))
_SIDES: Final = ((0.37, 0.5), (0.63, 0.5))
_FOURS: Final = (*_CORNERS, (0.37, 0.4), (0.63, 0.4), (0.37, 0.6), (0.63, 0.6))
_PIPS: Final = {
    2: ((0.5, 0.2), (0.5, 0.8)),
    3: ((0.5, 0.2), (0.5, 0.5), (0.5, 0.8)),
    4: _CORNERS,
    5: (*_CORNERS, (0.5, 0.5)),
    6: (*_CORNERS, *_SIDES),
    7: (*_CORNERS, *_SIDES, (0.5, 0.35)),
    8: (*_CORNERS, *_SIDES, (0.5, 0.35), (0.5, 0.65)),
    9: (*_FOURS, (0.5, 0.5)),
    10: (*_FOURS, (0.5, 0.3), (0.5, 0.7)),
}
"""The positions of the pips by rank, relative to the width and height of the card."""

_SMALL: Final = 56
"""Minimum width of a card with pips. Narrower cards show one large symbol."""

STRIP: Final = 0.34
"""The minimum visible fraction of an overlapped card's width, enough to show the corner."""

_LEGIBLE: Final = 0.8
"""The minimum visible fraction of a custom card's width in a pile, enough to show the text."""


@dataclass(frozen=True, slots=True)
class Face:
    """The face of a custom card. `BACK` is the back of any card.

    Attributes:
        name: The name of the card in actions, such as `crown`, which is also the part to click. It
            must not contain spaces. In a hand, a card without a name is identified by its index:
            `2.3` is the third card of player 2. Other cards without a name cannot be clicked.
        words: The large text. By default, the name.
        colour: One of the `SEAT_COLOURS`, for the area behind the text.
        art: The name of a picture to draw above the text, with `art`, instead of the coloured area.
        note: Text at the bottom, such as known facts about the card, in at most three lines.
        about: The rules text of the card, shown when a player points at it.

    >>> card_name(Face("r2", "R2", "red", note="red ?"))
    'R2: red ?'
    """

    name: str = ""
    words: str = ""
    colour: str = ""
    art: str = ""
    note: str = ""
    about: str = ""

    def __str__(self) -> str:
        return self.name


def card_name(card: Card | Face) -> str:
    """Return the name of a card in words: `queen of spades`, `10 of hearts`, `R2: red ?`."""
    if isinstance(card, Face):
        return ": ".join(filter(None, (card.words or card.name, card.note.replace("\n", ", "))))
    if card == BACK:
        return "a card face down"
    return f"{_NAMES.get(card.rank, card.rank)} of {card.suit.name.lower()}"


def suit_symbol(suit: Suit, x: float, y: float, size: float, *, turned: bool = False) -> str:
    """Draw the symbol of a suit in red or black.

    Args:
        suit: The suit.
        x: The x coordinate of the centre.
        y: The y coordinate of the centre.
        size: The side length of its box.
        turned: Whether the symbol is upside down.
    """
    scale = size / 100
    stretch = f"{scale:.3g} {-scale:.3g}" if turned else f"{scale:.3g}"
    where = f"translate({number(x)} {number(y)}) scale({stretch})"
    return path(_SHAPES[suit], f"tt-{_INKS[suit]}", transform=where)


@lru_cache(maxsize=512)
def playing_card(card: Card | Face, width: float, height: float = inf) -> str:
    """Draw a card with its upper left corner at the origin. Its height is 1.4 times its width.

    Args:
        card: A card of the French deck, the face of a custom card, or `BACK`.
        width: The width. Cards narrower than 56 show one large symbol instead of pips.
        height: A smaller height, for a screen without enough room.
    """
    height = min(height, HIGH * width)
    paper = rect(0, 0, width, height, "tt-card", width / 14)
    if isinstance(card, Face):
        return paper + _face(card, width, height)
    if card == BACK:
        return paper + _back(width, height)
    corner = _corner(card, width)
    if width < _SMALL or height < HIGH * width:
        size = min(width * 0.62, height * 0.7)
        return paper + corner + suit_symbol(card.suit, width * 0.56, height * 0.63, size)
    opposite = group(corner, at=(width, height), turn=180)
    return paper + corner + opposite + _middle(card, width, height)


def _face(face: Face, width: float, height: float) -> str:
    """Draw the face of a custom card: a picture or a coloured area, the text, and the note."""
    words, edge = face.words or face.name, 0.06 * width
    side, middle = width - 2 * edge, width / 2
    if face.art and measure(words, LEAST, bold=True) * CONDENSED > side:
        # The text would be truncated, so a small card has only its art.
        return art(face.art, side, height - 2 * edge, at=(edge, edge))
    size, large = max(0.2 * width, LEAST), max((0.24 if face.art else 0.42) * width, LEAST)
    lines = wrap(face.note, CONDENSED * size, side) if face.note else ()
    most = 2 if height > 1.2 * width else 0  # lines before the last one
    notes = [line for line in (*lines[:most], " ".join(lines[most:])) if line]
    high = max(0, height - 2 * edge - 1.05 * size * len(notes) - 1.1 * large * bool(face.art))
    if face.art:
        drawn, ink = art(face.art, side, high, at=(edge, edge)), "tt-text-ink"
        below = edge + high + 0.85 * large
    else:
        field, ink = "tt-paper", "tt-text-ink"
        if face.colour:
            field, ink = f"tt-{face.colour}", f"tt-text-on-{face.colour}"
        drawn = rect(edge, edge, side, high, field, width / 20)
        fitting = 0.88 * side / max(1, measure(words, 1, bold=True))  # leaves a margin
        large = max(min(large, high, fitting), LEAST)
        below = edge + high / 2 + 0.36 * large
    drawn += text(middle, below, words, large, side, ink, anchor="middle", bold=True)
    for line, note in enumerate(notes, 1):
        y = height - edge - size * (0.2 + 1.05 * (len(notes) - line))
        drawn += text(middle, y, note, size, side, anchor="middle")
    return drawn


def _corner(card: Card, width: float) -> str:
    rank = _LETTERS.get(card.rank, str(card.rank))
    ink = f"tt-text-{_INKS[card.suit]}"
    size = max(width * (0.33 if width < _SMALL else 0.23), LEAST)
    across, down = 0.04 * width + size / 2, 0.06 * width
    drawn = text(
        across, down + 0.8 * size, rank, size, 1.25 * size, ink, anchor="middle", bold=True
    )
    return drawn + suit_symbol(card.suit, across, down + 1.35 * size, 0.8 * size)


def _middle(card: Card, width: float, height: float) -> str:
    """Draw the pips of a card, its large symbol, or the emblem of a court card."""
    if card.rank == ACE:
        return suit_symbol(card.suit, width / 2, height / 2, width * 0.5)
    if card.rank in _COURT:
        left, top, side = width * 0.28, height * 0.14, width * 0.44
        frame = rect(left, top, side, height - 2 * top, "tt-stroke-line", 3, fill="#f1e5c8")
        accent = "blood" if _INKS[card.suit] == "danger" else "dusk"
        scale = f"translate({number(left)} {number((height - side) / 2)}) scale({side / 100:.3g})"
        return frame + tag("g", motif(_COURT[card.rank], "gold", accent), transform=scale)
    return "".join(
        suit_symbol(card.suit, width * x, height * y, width * 0.2, turned=y > 0.5)
        for x, y in _PIPS[card.rank]
    )


def _back(width: float, height: float) -> str:
    """Draw the back of a card: a frame filled with lozenges."""
    edge = width * 0.08
    across, down = 4, 6
    wide, high = (width - 2 * edge) / across, (height - 2 * edge) / down
    lozenge = f"l{number(wide / 2)} {number(high / 2)}l{number(-wide / 2)} {number(high / 2)}"
    lozenge += f"l{number(-wide / 2)} {number(-high / 2)}z"
    tops = [
        (edge + (column + 0.5) * wide, edge + row * high)
        for row in range(down)
        for column in range(across)
    ]
    data = "".join(f"M{number(x)} {number(y)}{lozenge}" for x, y in tops)
    inside = rect(edge, edge, width - 2 * edge, height - 2 * edge, "tt-wood-deep", width / 20)
    return inside + path(data, "tt-wood")


# Several cards.


def card_row(
    scene: Scene,
    cards: Sequence[Card | Face],
    x: float,
    y: float,
    room: float,
    width: float,
    *,
    fan: float = 0,
    drawn_before: Sequence[Card | Face] = (),
    is_hand: bool = False,
    height: float = inf,
) -> str:
    """Draw cards side by side, centred in their area. Cards overlap if the area is narrow.

    Each visible card is a part that is named after its text, such as `qs`. Further equal cards are
    `qs-2`, `qs-3` and so on. The key of a card is its text, so that the page animates its movement.

    Args:
        scene: The viewer and the circumstances.
        cards: The cards from the left, with `BACK` for hidden cards.
        x: The left edge of the area.
        y: The top edge of the area.
        room: The width of the area.
        width: The width of a card.
        fan: The angle between the first and the last card in degrees, or 0 for a straight row.
        drawn_before: The cards in other rows of the picture, to number equal cards.
        is_hand: Whether a player can click any of several equal cards for an action with one.
        height: A smaller height of the cards.
    """
    steps = max(1, len(cards) - 1)
    apart = min(width + 4, (room - width) / steps)
    left = x + (room - width - apart * (len(cards) - 1)) / 2
    drawn, seen = [], [*drawn_before]
    for place, card in enumerate(cards):
        turn = fan * (place / steps - 0.5) if len(cards) > 1 else 0
        # The cards of a fan are arranged on a circle around a point below the middle.
        sunk = abs(turn) ** 2 * width * 0.0016
        at = (left + apart * place, y + sunk)
        if card == BACK or not str(card):
            drawn.append(group(playing_card(card, width, height), at=at, turn=turn))
            continue
        seen.append(card)
        equal = sum(str(other) == str(card) for other in seen)
        again = f"-{equal}" if equal > 1 else ""
        like = str(card) if is_hand and again else ""
        drawn.append(card_part(scene, f"{card}{again}", card, at, width, turn, like, height))
    return "".join(drawn)


def readable(cards: Sequence[Card | Face], room: float, width: float) -> int:
    """Return the maximum number of cards in a row at which each card is readable."""
    strip = _LEGIBLE if any(isinstance(card, Face) for card in cards) else STRIP
    return 1 + int((room - width) // (strip * width))


def card_part(
    scene: Scene,
    part: str,
    card: Card | Face,
    at: tuple[float, float],
    width: float,
    turn: float = 0,
    like: str = "",
    height: float = inf,
) -> str:
    """Draw a clickable card at a position, rotated by `turn` degrees. See `Scene.part`."""
    ring = rect(0, 0, width, min(height, HIGH * width), "tt-ring", width / 14)
    face = playing_card(card, width, height)
    return scene.part(
        part,
        face,
        ring,
        label=card_name(card),
        about=card.about if isinstance(card, Face) else "",
        key=str(card),
        like=like,
        at=at,
        turn=turn,
    )
