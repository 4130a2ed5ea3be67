"""Backs of cards: a pattern made from the name of whose deck it is, in the colour of the seat."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from tabletop.motifs import motif, motifs
from tabletop.svg import circle, group, number_from, path, rect, seat_class, tag

PALE: Final = "#fcf8ef"


@lru_cache(maxsize=256)
def back(seat: int, name: str, width: float, height: float) -> str:
    """The back of a card.

    Args:
        seat: whose; it gives the colour.
        name: of the player; it gives the pattern and the motif.
        width: of the card.
        height: of the card.
    """
    edge = width / 12
    emblem = width * 0.56
    chosen = tuple(motifs())[number_from(name, len(motifs()), "back")]
    sign = tag(
        "g",
        motif(chosen, "bone", "gold"),
        transform=f"translate({(width - emblem) / 2:.2f} {(height - emblem) / 2:.2f})"
        f" scale({emblem / 100:.4g})",
    )
    pattern = _PATTERNS[number_from(name, len(_PATTERNS), "pattern")]
    inner = (edge, edge, width - 2 * edge, height - 2 * edge)
    return group(
        rect(0, 0, width, height, "tt-card", width / 14),
        rect(*inner, seat_class(seat), width / 20),
        rect(*inner, "", width / 20, fill="#14121c", opacity=0.28),
        _clipped(pattern, *inner),
        circle(width / 2, height / 2, emblem * 0.72, fill="#14121c", opacity=0.55),
        sign,
    )


def _clipped(data: str, x: float, y: float, width: float, height: float) -> str:
    """A pattern of 100 by 140 that fills a room and does not leave it."""
    drawn = path(data, fill="none", stroke=PALE, stroke_width=2.2, opacity=0.5)
    return tag(
        "svg",
        drawn,
        x=x,
        y=y,
        width=width,
        height=height,
        viewBox="0 0 100 140",
        preserveAspectRatio="xMidYMid slice",
        aria_hidden="true",
    )


_LATTICE: Final = " ".join(
    f"M{x} -10 L{x + 160} 150 M{x + 160} -10 L{x} 150" for x in range(-160, 120, 20)
)
_WAVES: Final = " ".join(
    f"M-5 {y} Q7.5 {y - 9} 20 {y} T45 {y} T70 {y} T95 {y} T120 {y}" for y in range(0, 150, 12)
)
_SCALES: Final = " ".join(
    f"M{x + (10 if row % 2 else 0)} {row * 12} a10 10 0 0 0 20 0"
    for row in range(-1, 13)
    for x in range(-20, 120, 20)
)
_ARROWS: Final = " ".join(
    f"M{x} {y + 10} L{x + 10} {y} L{x + 20} {y + 10}"
    for y in range(-4, 146, 10)
    for x in range(0, 100, 20)
)
_PATTERNS: Final = (_LATTICE, _WAVES, _SCALES, _ARROWS)
