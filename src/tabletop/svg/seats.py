"""The marks that distinguish seats: a colour, a letter and a shape."""

from __future__ import annotations

from typing import Final

from tabletop.svg.shapes import circle, group, polygon, rect, regular
from tabletop.svg.text import text

SEAT_COLOURS: Final = ("blue", "red", "orange", "yellow")
"""The names of the colours, by seat (Okabe and Ito's); they begin again after the fourth."""


def seat_class(seat: int) -> str:
    """The class that fills with the colour of a seat."""
    return f"tt-{SEAT_COLOURS[seat % 4]}"


def seat_mark(
    seat: int, x: float, y: float, radius: float, letter: str = "", colour: str = ""
) -> str:
    """The mark of a seat: a disc, a square, a triangle or a diamond, with a letter.

    Args:
        seat: whose.
        x: its centre.
        y: its centre.
        radius: of the circle around it.
        letter: what stands in it; the number of the seat by default.
        colour: the name of another colour of the set.
    """
    colour = colour or SEAT_COLOURS[seat % 4]
    looks, thin = f"tt-{colour} tt-stroke-ink", radius / 9
    match seat % 4:
        case 0:
            shape = circle(x, y, radius * 0.9, looks, stroke_width=thin)
        case 1:
            side = radius * 1.6
            shape = rect(x - side / 2, y - side / 2, side, side, looks, stroke_width=thin)
        case 2:
            shape = polygon(
                regular(3, x, y + radius * 0.16, radius * 1.16), looks, stroke_width=thin
            )
        case _:
            shape = polygon(regular(4, x, y, radius * 1.08), looks, stroke_width=thin)
    sunk = 0.52 if seat % 4 == 2 else 0.36
    size = radius * (0.85 if seat % 4 == 2 else 1.0)
    words = letter or str(seat + 1)
    inside = text(
        x,
        y + radius * sunk,
        words,
        size,
        radius * 1.1,
        f"tt-text-on-{colour}",
        anchor="middle",
        bold=True,
    )
    return group(shape, inside)
