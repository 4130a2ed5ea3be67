"""Pieces of board games, and drawings for the usual sets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Final, NamedTuple

from tabletop.display.svg import (
    LEAST,
    SEAT_COLOURS,
    circle,
    group,
    number,
    seat_class,
    seat_mark,
    tag,
    text,
)
from tabletop.states.bounds import Seat


class Piece(NamedTuple):
    """A piece on a board.

    Attributes:
        seat: The owner.
        letter: The text on the piece, or an empty string.
        art: The name of a drawing in `BoardPicture.art`, such as "knight". Without it, the piece is
            a disc, or the mark of its seat.
    """

    seat: Seat
    letter: str = ""
    art: str = ""


def _draw(body: str, lines: str) -> str:
    """Return the filled outline of a piece, and the lines on it."""
    return tag("path", d=body) + tag("path", d=lines, fill="none")


PIECES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "pawn": _draw(
            "M0-33a13 13 0 0 1 8.500 22.800c7 6 10 20 13.500 31.200h6q6 1 6 8v9h-68v-9q0-7 6-"
            "8h6c3.500-11.200 6.500-25.200 13.500-31.200a13 13 0 0 1 8.500-22.800z",
            "M-22 21h44M-14-9h28",
        ),
        "rook": _draw(
            "M-30-36h13v8h10v-8h14v8h10v-8h13v19l-9 8v23l8 7v6q8 1 8 8v11h-74v-11q0-7 8-8v-6l"
            "8-7v-23l-9-8z",
            "M-21-9h42M-21 14h42M-29 19h58",
        ),
        "knight": _draw(
            "M-7-41l8 8c22 3 32 22 32 47 0 6-1 11-2 16q5 1 5 7v1h-66v-1q0-6 5-7c0-20 19-24 20"
            "-40-5 4-9 7-14 9-4 7-8 8-13 3-4-4-4-8-1-12 6-10 14-14 18-22z",
            "M-12-20h.1M-27 1l4-4M3-24c14 6 18 18 18 36M-24 30h54",
        ),
        "bishop": _draw(
            "M0-44a6 6 0 0 1 4 10.500c13 8 20 18 20 28 0 7-4 12-9 15l6 11v6c7 1 13 2 13 8v4h-"
            "68v-4c0-6 6-7 13-8v-6l6-11c-5-3-9-8-9-15 0-10 7-20 20-28a6 6 0 0 1 4-10.500z",
            "M0-22v17M-8-14h16M-16 10h32M-21 21h42",
        ),
        "queen": _draw(
            "M-28 8L-37-20a5 5 0 1 1 6-3l12 17 2-24a5 5 0 1 1 6-1l11 24 11-24a5 5 0 1 1 6 1l2"
            " 24 12-17a5 5 0 1 1 6 3L28 8v6q8 1 8 8v14h-72v-14q0-7 8-8z",
            "M-27 8c16-5 38-5 54 0M-27 16c16-5 38-5 54 0M-28 26h56",
        ),
        "king": _draw(
            "M-4-48h8v7h8v8h-8v8c16-9 36-4 36 14 0 13-12 17-12 31v4q6 1 6 7v8h-68v-8q0-6 6-7v"
            "-4c0-14-12-18-12-31 0-18 20-23 36-14v-8h-8v-8h8z",
            "M0-24v26M-26 14c16-6 36-6 52 0M-27 23h54",
        ),
        "man": _draw(
            "M-38-6a38 24 0 0 1 76 0v14a38 24 0 0 1-76 0z",
            "M-38-6a38 24 0 0 0 76 0M-22-8a22 12 0 0 1 44 0a22 12 0 0 1-44 0",
        ),
        "dame": _draw(
            "M-38 2a38 22 0 0 1 6-13v-6a32 20 0 0 1 64 0v6a38 22 0 0 1 6 13v10a38 24 0 0 1-76 0z",
            "M-38 2a38 24 0 0 0 76 0M-32-14a32 20 0 0 0 64 0M-14-20l5 8 9-10 9 10 5-8-3 16h-22z",
        ),
        "disc": _draw(
            "M-42 0a42 42 0 0 1 84 0a42 42 0 0 1-84 0z",
            "M-35 0a35 35 0 0 1 70 0a35 35 0 0 1-70 0z",
        ),
    }
)
"""Drawings of the pieces of usual sets, by name, as SVG.

They are the men of chess (`king`, `queen`, `rook`, `bishop`, `knight` and `pawn`), those of
draughts (`man`, and `dame` for a crowned man), and a `disc` with a rim for a letter, as in Xiangqi.
A drawing is 100 units wide and high, with the origin in the middle. Its shapes have the fill and
the stroke of the piece, unless they have their own.
"""

_SIZE: Final = 100  # width and height of a drawing

_MIDDLE: Final = 120
"""The brightness, from 0 to 255, above which a colour needs dark lines and letters."""

_DARK: Final = "#29241f"
_LIGHT: Final = "#fcf8ef"


def draw_piece(
    piece: Piece,
    x: float,
    y: float,
    radius: float,
    fills: Sequence[str],
    art: Mapping[str, str] = PIECES,
) -> str:
    """Draw a piece in the colour of its seat.

    Args:
        x, y: The centre.
        radius: Half of the width.
        fills: The colour of the pieces of each seat. If it is empty, the colours of the seats.
        art: The drawings by name.
    """
    seat, letter, name = piece
    if not fills and not name:
        return seat_mark(seat, x, y, radius, letter)
    fill, ink = None, f"tt-text-on-{SEAT_COLOURS[seat % len(SEAT_COLOURS)]}"
    is_light = False
    if fills:
        fill = fills[seat % len(fills)]
        red, green, blue = (int(fill[at : at + 2], 16) for at in (1, 3, 5))
        is_light = 0.3 * red + 0.59 * green + 0.11 * blue > _MIDDLE
        ink = "tt-text-on-red" if is_light else "tt-text-on-blue"
    if name:
        scale = 2.2 * radius / _SIZE  # most drawings leave a margin
        drawn = tag(
            "g",
            art[name],
            transform=f"translate({number(x)} {number(y)}) scale({number(scale)})",
            class_=None if fill else f"{seat_class(seat)} tt-stroke-ink",
            fill=fill,
            stroke=fill and (_DARK if is_light else _LIGHT),
            stroke_width=3,
            stroke_linejoin="round",
            stroke_linecap="round",
        )
    else:
        drawn = circle(x, y, radius, "tt-stroke-line", fill=fill, stroke_width=radius / 9)
    if not letter:
        return drawn
    size = max(radius, LEAST)
    words = text(x, y + size * 0.36, letter, size, radius * 1.8, ink, anchor="middle", bold=True)
    return group(drawn, words)
