"""Draw the pieces: roads, residences, geese, dice, number tokens and signs of resources.

Every piece is centred on 0, 0. Its owner is shown by the colour and by a letter or a shape, so that
players do not have to distinguish colours.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from constructor.picture.tiles import TONES, Point
from constructor.rules.layouts import pips
from constructor.rules.state import COLOURS, LEVEL_LETTERS, Resource, Tile
from tabletop import Seat
from tabletop.display import (
    LEAST,
    circle,
    group,
    path,
    polygon,
    rect,
    regular,
    seat_class,
    tag,
    text,
)

OFTEN: Final = 5  # number of pips of 6 and 8, which are drawn in red

_DOTS: Final[Mapping[int, tuple[Point, ...]]] = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (1, -1), (-1, 1), (1, 1)),
    5: ((-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)),
    6: ((-1, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (1, 1)),
}


def token(tile: Tile, radius: float) -> str:
    """Draw the value of a tile, with a pip for each of the 36 throws that produce."""
    count = pips(tile)
    often = count == OFTEN
    size = max(radius * (0.64 + 0.1 * count), LEAST)
    colour = "danger" if often else "ink"
    number = text(
        *(0, radius * 0.02 + size * 0.27, str(tile.value), size, radius * 2),
        f"tt-text-{colour}",
        anchor="middle",
        bold=often,
    )
    return group(
        circle(0, radius * 0.06, radius * 1.04, "tt-shadow"),
        circle(0, 0, radius, "tt-paper tt-stroke-line", stroke_width=radius * 0.05),
        number,
        *(
            circle(
                *((place - (count - 1) / 2) * radius * 0.2, radius * 0.55, radius * 0.075),
                f"tt-{colour}",
            )
            for place in range(count)
        ),
    )


def road(seat: Seat, length: float, width: float, turn: float) -> str:
    """Draw a bar with round ends and the shape of its owner in the middle."""
    looks = f"{seat_class(seat)} tt-stroke-ink"
    box = (-length / 2, -width / 2, length, width)
    bar = rect(*box, looks, width / 2, stroke_width=width * 0.11)
    return group(bar, turn=turn) + _shape(seat, width * 0.27)


def _shape(seat: Seat, radius: float) -> str:
    """Draw the shape of a builder: disc, square, triangle or diamond."""
    looks = f"tt-on-{COLOURS[seat].lower()}"
    if seat == 0:
        return circle(0, 0, radius, looks)
    if seat == 1:
        return rect(-radius * 0.9, -radius * 0.9, radius * 1.8, radius * 1.8, looks)
    if seat == 2:
        return polygon(regular(3, 0, radius * 0.2, radius * 1.2), looks)
    return polygon(regular(4, 0, 0, radius * 1.25), looks)


def _mirror(*half: Point) -> tuple[Point, ...]:
    """Return a symmetric shape from the points of its left half, bottom to top."""
    return (*half, *((-x, y) for x, y in reversed(half) if x))


_WALLS: Final = (
    _mirror((-0.42, 0.2), (-0.42, 0.12), (-0.3, 0.12), (-0.3, 0.0), (-0.2, -0.16)),
    _mirror((-0.27, 0.24), (-0.27, -0.1), (-0.34, -0.1), (0.0, -0.42)),
    _mirror(
        *((-0.3, 0.3), (-0.24, -0.36), (-0.3, -0.4), (-0.3, -0.62), (-0.17, -0.62)),
        *((-0.17, -0.53), (-0.065, -0.53), (-0.065, -0.62)),
    ),
)
"""Outlines of a basement, a house and a tower."""

_LETTER: Final = ((0.1, 0.28), (0.19, 0.34), (0.2, 0.38))
"""Baseline and size of the owner's letter in each outline."""


def residence(seat: Seat, level: int, size: float) -> str:
    """Draw a residence of the given level."""
    drawn = min(level, len(_WALLS))
    walls = [(x * size, y * size) for x, y in _WALLS[drawn - 1]]
    base, high = _LETTER[drawn - 1]
    # A level without an outline is drawn as a tower, with the letter of its residence added.
    letters = COLOURS[seat][0] + (LEVEL_LETTERS[level - 1] if level > drawn else "")
    outlines = (
        polygon(
            walls,
            f"{seat_class(seat)} tt-stroke-{line}",
            stroke_width=size * width,
            stroke_linejoin="round",
        )
        for line, width in (("paper", 0.17), ("ink", 0.05))
    )
    letter = text(
        *(0, base * size, letters, max(high * size, LEAST), size * 0.7),
        f"tt-text-on-{COLOURS[seat].lower()}",
        anchor="middle",
        bold=True,
    )
    return group(*outlines, letter)


_GOOSE: Final = (
    ("M-.02 .5v.34h-.2M.26 .5v.34h-.2", "#211d1a", 0.07),
    ("M-.26 .2C-.16-.16-.46-.3-.42-.62", "#fcf8ef", 0.34),
    ("M-.42 .1C-.5 .5 .02 .66 .42 .52C.7 .43 .86 .24 1 .02C.6 .1 0-.3-.42 .1Z", "#8f775a", 0),
    ("M-.42 .1C-.5 .5 .02 .66 .2 .58C-.1 .5-.2 .3-.2 .02C-.3 0-.4 .02-.42 .1Z", "#d9c8ab", 0),
    ("M-.02 .06C.3-.06 .6 .02 .98 .03C.8 .3 .5 .42 .2 .38C.06 .36-.06 .2-.02 .06Z", "#6a563f", 0),
    ("M-.26 .14C-.18-.16-.46-.3-.42-.6", "#211d1a", 0.2),
    ("M-.52-.74C-.36-.84-.26-.7-.3-.56C-.38-.44-.54-.5-.58-.54L-.86-.52L-.6-.66Z", "#211d1a", 0),
    ("M-.5-.54C-.42-.62-.36-.62-.33-.66C-.28-.54-.36-.46-.42-.46Z", "#f7f2e7", 0),
)
"""Paths of a Canada goose: legs, light edge, body, breast, wing, neck, head and cheek."""


def goose(size: float) -> str:
    """Draw a Canada goose."""
    drawn = (
        path(data, "tt-none", stroke=ink, stroke_width=wide) if wide else path(data, fill=ink)
        for data, ink, wide in _GOOSE
    )
    return tag("g", *drawn, transform=f"scale({size:.2f})", stroke_linecap="round")


def die(face: int, side: float) -> str:
    """Draw a face of a die, 1 to 6, or 0 for a die that has not been rolled."""
    step = side * 0.27
    return group(
        rect(-side / 2 + 1, -side / 2 + 3, side, side, "tt-shadow", side * 0.18),
        rect(-side / 2, -side / 2, side, side, "tt-paper tt-stroke-line", side * 0.18),
        *(circle(x * step, y * step, side * 0.09, "tt-ink") for x, y in _DOTS.get(face, ())),
    )


_FILLED: Final[Mapping[Resource, str]] = {
    Resource.BRICK: "M-.9-.62h1.1v.36h-1.1zm1.2 0h.6v.36h-.6zm-1.2 .46h.5v.36h-.5zm.6 0h1.2v.36h"
    "-1.2zm-.6 .46h1.1v.36h-1.1zm1.2 0h.6v.36h-.6z",
    Resource.ENERGY: "M.3-.95L-.55 .12H-.05L-.3 .95L.55-.22H.05z",
    Resource.HEAT: "M.05-.98C.15-.5 .68-.3 .68 .28C.68 .72 .36 .95 0 .95C-.38 .95-.68 .7-.68 .28"
    "C-.68-.08-.42-.22-.36-.5C-.2-.42-.12-.26-.1-.08C.1-.3 .14-.62 .05-.98Z"
    "M.02 .86C-.22 .86-.36 .7-.34 .48C-.3 .24-.04 .2 0-.02C.16 .16 .38 .26 .36 .52"
    "C.34 .74 .2 .86 .02 .86Z",
}
_LINED: Final[Mapping[Resource, str]] = {
    Resource.GLASS: "M-.5-.7H.5L.95-.15L0 .9L-.95-.15ZM-.95-.15H.95M-.5-.7L-.32-.15L0 .9L.32-.15"
    "L.5-.7",
    Resource.WIFI: "M-.92-.2A1.3 1.3 0 0 1 .92-.2M-.58 .14A.82 .82 0 0 1 .58 .14M-.26 .46"
    "A.37 .37 0 0 1 .26 .46M0 .74h.01",
}
"""Paths of the signs of resources: filled shapes, or lines."""

GROUNDS: Final[Mapping[Resource, tuple[str, str]]] = {
    Resource.BRICK: ("#e8c9b4", "#8c3f28"),
    Resource.ENERGY: ("#f0d271", "#5b4415"),
    Resource.GLASS: ("#cfe6e8", "#2f6f7b"),
    Resource.HEAT: ("#f6c596", "#a23c18"),
    Resource.WIFI: ("#d6cdea", "#54467e"),
    Resource.PARK: (TONES[Resource.PARK].light, TONES[Resource.PARK].dark),
}
"""Background and ink of each sign, with enough contrast in the light and the dark theme."""


def sign(kind: Resource, radius: float) -> str:
    """Draw the sign of a resource on a disc of its colour."""
    ground, ink = GROUNDS[kind]
    drawn = path(_FILLED.get(kind, ""), fill=ink, fill_rule="evenodd")
    if kind in _LINED:
        drawn = path(_LINED[kind], "tt-none", stroke=ink, stroke_width=0.16)
    disc = circle(0, 0, radius, fill=ground, stroke=ink, stroke_width=radius * 0.07)
    scale = f"scale({radius * 0.6:.2f})"
    return disc + tag("g", drawn, transform=scale, stroke_linecap="round", stroke_linejoin="round")
