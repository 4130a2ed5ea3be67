"""The pieces on the table in a picture: chips in stacks, and dice."""

from __future__ import annotations

from functools import lru_cache
from typing import Final, assert_never

from lcr.dice import Face
from tabletop.svg import circle, group, path, rect, tag, text

COLUMN: Final = 5
"""How many chips a column has, so that people can count them."""

MOST_DRAWN: Final = 60
"""What somebody wrote into a save may have any number of chips."""

STEP: Final = 1.16
"""From one column to the next, in chips."""

_CHIP: Final = ("#b3453a", "#8c332b", "#f6ead2")
"""The colours of a chip: its side, its edge, its marks."""


def columns_of(chips: int, most: int) -> tuple[int, int]:
    """How many columns there are, and how many chips each of them has at most.

    Args:
        chips: how many in all.
        most: no more columns than that, so that they stay in their place.
    """
    high = max(COLUMN, -(-min(chips, MOST_DRAWN) // most))
    return -(-min(chips, MOST_DRAWN) // high), high


# Remembered, as all pieces with a cache here: from picture to picture most stay the same.
@lru_cache(maxsize=256)
def stack(chips: int, width: float, most: int) -> str:
    """Chips in columns of five, or of more where they are very many, seen from the side.

    They stand above 0, 0 and in its middle.

    Args:
        chips: how many.
        width: of one chip.
        most: no more columns than that.
    """
    columns, full = columns_of(chips, most)
    step, high = width * STEP, width * 0.26
    drawn = []
    for chip in range(min(chips, MOST_DRAWN)):
        column, level = divmod(chip, full)
        x = (column - (columns - 1) / 2) * step
        drawn.append(_chip(x, -level * (high + 1), width, high, level))
    return group(*drawn)


def _chip(x: float, y: float, width: float, high: float, level: int) -> str:
    """A chip; the marks on its side are elsewhere than those of the one below."""
    side, edge, mark = _CHIP
    left, top = x - width / 2, y - high
    marks = "".join(
        f"M{left + width * share:.1f} {top + 0.5:.1f}v{high - 1:.1f}" for share in _MARKS[level % 3]
    )
    return rect(
        left, top, width, high, radius=high * 0.4, fill=side, stroke=edge, stroke_width=0.8
    ) + path(marks, stroke=mark, stroke_width=width * 0.13)


_MARKS: Final = ((0.22, 0.72), (0.38, 0.86), (0.14, 0.56))


def _sign(face: Face | None) -> tuple[str, str]:
    """The letter of a face, and an arrow that says where a chip goes."""
    match face:
        case None:
            return "?", ""
        case Face.DOT:
            return "", ""
        case Face.LEFT:
            return "L", "M-.5 .62L-.86 .74L-.5 .86M-.82 .74H.5"
        case Face.RIGHT:
            return "R", "M.5 .62L.86 .74L.5 .86M.82 .74H-.5"
        case Face.CENTER:
            return "C", "M-.3 .74H.3M-.42 .62L-.2 .74L-.42 .86M.42 .62L.2 .74L.42 .86"
    assert_never(face)


@lru_cache(maxsize=32)
def die(face: Face | None, side: float) -> str:
    """A die: a letter with an arrow, a dot, or a question for one that is still to be rolled."""
    half = side / 2
    body = rect(-half + 1, -half + 3, side, side, "tt-shadow", side * 0.18) + rect(
        -half, -half, side, side, "tt-paper tt-stroke-line", side * 0.18
    )
    if face is Face.DOT:
        return body + circle(0, 0, side * 0.14, "tt-ink")
    letter, arrow = _sign(face)
    colour = "tt-text-muted" if face is None else "tt-text-ink"
    size = side * 0.62
    shown = text(0, side * 0.16, letter, size, side, colour, anchor="middle", bold=True)
    if not arrow:
        return body + shown
    return (
        body
        + shown
        + tag(
            "g",
            path(arrow, "tt-none tt-stroke-accent", stroke_width=0.1, stroke_linecap="round"),
            transform=f"scale({half * 0.84:.2f})",
        )
    )
