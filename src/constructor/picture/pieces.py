"""The pieces on the table: roads, residences, geese, dice, tokens with numbers, signs of resources.

Every piece is drawn about 0, 0. Whose it is can be told from its colour, and from a letter or a
shape.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Final

from constructor.layouts import pips
from constructor.picture.tiles import TONES, Point
from constructor.state import COLOURS, LEVEL_LETTERS, Resource, Tile
from tabletop import Seat
from tabletop.svg import circle, group, path, polygon, rect, regular, seat_class, tag, text

OFTEN: Final = 5
"""How many pips the numbers have that are red: 6 and 8."""

_SIZES: Final = (0.0, 0.4, 0.46, 0.52, 0.58, 0.64)
"""How large a number is by its pips, in radii of its token."""

_DOTS: Final[Mapping[int, tuple[Point, ...]]] = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (1, -1), (-1, 1), (1, 1)),
    5: ((-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)),
    6: ((-1, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (1, 1)),
}


# Remembered, as all pieces with a cache here: from picture to picture most stay the same.
@lru_cache(maxsize=256)
def token(tile: Tile, radius: float) -> str:
    """The number that a tile produces on, with a pip for each of the 36 throws that show it."""
    chance = pips(tile)
    often = chance == OFTEN
    size = radius * (1.6 * _SIZES[chance] + 0.1)
    colour = "tt-text-danger" if often else "tt-text-ink"
    gap = radius * 0.2
    dots = (
        circle(
            (place - (chance - 1) / 2) * gap,
            radius * 0.55,
            radius * 0.075,
            "tt-danger" if often else "tt-ink",
        )
        for place in range(chance)
    )
    return group(
        circle(0, radius * 0.06, radius * 1.04, "tt-shadow"),
        circle(0, 0, radius, "tt-paper tt-stroke-line", stroke_width=radius * 0.05),
        text(
            0,
            radius * 0.02 + size * 0.27,
            str(tile.value),
            size,
            radius * 1.7,
            colour,
            anchor="middle",
            bold=often,
        ),
        *dots,
    )


@lru_cache(maxsize=512)
def road(seat: Seat, length: float, width: float, turn: float) -> str:
    """A bar with round ends, and the shape of its owner in the middle."""
    bar = rect(
        -length / 2,
        -width / 2,
        length,
        width,
        f"{seat_class(seat)} tt-stroke-ink",
        width / 2,
        stroke_width=width * 0.11,
    )
    return group(bar, turn=turn) + _shape(seat, width * 0.27)


def _shape(seat: Seat, radius: float) -> str:
    """Disc, square, triangle or diamond."""
    looks = f"tt-on-{COLOURS[seat].lower()}"
    if seat == 0:
        return circle(0, 0, radius, looks)
    if seat == 1:
        return rect(-radius * 0.9, -radius * 0.9, radius * 1.8, radius * 1.8, looks)
    if seat == 2:
        return polygon(regular(3, 0, radius * 0.2, radius * 1.2), looks)
    return polygon(regular(4, 0, 0, radius * 1.25), looks)


def _mirrored(*half: Point) -> tuple[Point, ...]:
    """A shape that is the same on both sides, from its left side up to its top."""
    return (*half, *((-x, y) for x, y in reversed(half) if x))


_WALLS: Final = (
    _mirrored((-0.3, 0.16), (-0.3, 0.0), (-0.2, -0.16)),
    _mirrored((-0.27, 0.24), (-0.27, -0.1), (-0.34, -0.1), (0.0, -0.42)),
    _mirrored(
        *((-0.3, 0.3), (-0.24, -0.36), (-0.3, -0.4), (-0.3, -0.62), (-0.17, -0.62)),
        *((-0.17, -0.53), (-0.065, -0.53), (-0.065, -0.62)),
    ),
)
"""A basement, a house, a tower."""

_LETTER: Final = ((0.13, 0.3), (0.19, 0.34), (0.22, 0.36))
"""Where the letter of the owner stands in each, and how large it is."""


@lru_cache(maxsize=128)
def residence(seat: Seat, level: int, size: float) -> str:
    """A residence of a level: each larger than the one before."""
    colour = COLOURS[seat].lower()
    drawn = min(level, len(_WALLS))
    walls = [(x * size, y * size) for x, y in _WALLS[drawn - 1]]
    foot = max(y for _, y in walls)
    base, high = _LETTER[drawn - 1]
    # What has no shape of its own is a tower with its letter behind that of its owner.
    letters = COLOURS[seat][0] + (LEVEL_LETTERS[level - 1] if level > drawn else "")
    extra = []
    if level == 1:  # half of it is in the ground
        extra = [
            path(
                f"M{-0.4 * size:.1f} {foot:.1f}h{0.8 * size:.1f}",
                "tt-none tt-stroke-ink",
                stroke_width=size * 0.07,
                stroke_linecap="round",
            )
        ]
    if drawn == 3:
        extra = [
            path(
                f"M0 {-0.36 * size:.1f}v{0.14 * size:.1f}",
                f"tt-none tt-stroke-on-{colour}",
                stroke_width=size * 0.09,
                stroke_linecap="round",
            )
        ]
    return group(
        polygon(
            walls,
            f"{seat_class(seat)} tt-stroke-paper",
            stroke_width=size * 0.17,
            stroke_linejoin="round",
        ),
        polygon(
            walls,
            f"{seat_class(seat)} tt-stroke-ink",
            stroke_width=size * 0.05,
            stroke_linejoin="round",
        ),
        *extra,
        text(
            0,
            base * size,
            letters,
            high * size,
            size * 0.5,
            f"tt-text-on-{colour}",
            anchor="middle",
            bold=True,
        ),
    )


@lru_cache(maxsize=8)
def goose(size: float) -> str:
    """A Canada goose, as they walk about the university that the game comes from."""
    feather, dark, breast, black = "#8f775a", "#6a563f", "#d9c8ab", "#211d1a"
    body = "M-.42 .1C-.5 .5 .02 .66 .42 .52C.7 .43 .86 .24 1 .02C.78 .06 .6-.08 .3-.12"
    body += "C.02-.15-.36-.18-.42 .1Z"
    pieces = [
        path("M-.02 .5v.34h-.2M.26 .5v.34h-.2", "tt-none", stroke=black, stroke_width=0.07),
        path(body, stroke="#fcf8ef", stroke_width=0.14, fill=feather, stroke_linejoin="round"),
        path(
            "M-.26 .2C-.16-.16-.46-.3-.42-.62",
            "tt-none",
            stroke="#fcf8ef",
            stroke_width=0.32,
            stroke_linecap="round",
        ),
        path(body, fill=feather),
        path(
            "M-.42 .1C-.5 .5 .02 .66 .2 .58C-.1 .5-.2 .3-.2 .02C-.3 0-.4 .02-.42 .1Z", fill=breast
        ),
        path(
            "M-.02 .06C.3-.06 .6 .02 .98 .03C.8 .3 .5 .42 .2 .38C.06 .36-.06 .2-.02 .06Z", fill=dark
        ),
        path(
            "M.14 .2C.36 .22 .5 .2 .66 .12M.2 .3C.36 .32 .48 .3 .6 .24",
            "tt-none",
            stroke=feather,
            stroke_width=0.045,
        ),
        path(
            "M-.26 .14C-.18-.16-.46-.3-.42-.6",
            "tt-none",
            stroke=black,
            stroke_width=0.2,
            stroke_linecap="round",
        ),
        path(
            "M-.52-.74C-.36-.84-.26-.7-.3-.56C-.38-.44-.54-.5-.58-.54L-.86-.52L-.6-.66Z", fill=black
        ),
        path("M-.5-.54C-.42-.62-.36-.62-.33-.66C-.28-.54-.36-.46-.42-.46Z", fill="#f7f2e7"),
        circle(-0.5, -0.64, 0.035, fill="#f7f2e7"),
    ]
    return tag("g", *pieces, transform=f"scale({size:.2f})")


@lru_cache(maxsize=32)
def die(face: int, side: float) -> str:
    """A face of a die, 1 to 6; 0 for one that has not been rolled."""
    step = side * 0.27
    return group(
        rect(-side / 2 + 1, -side / 2 + 3, side, side, "tt-shadow", side * 0.18),
        rect(-side / 2, -side / 2, side, side, "tt-paper tt-stroke-line", side * 0.18),
        *(circle(x * step, y * step, side * 0.09, "tt-ink") for x, y in _DOTS.get(face, ())),
    )


_WALL: Final = (
    (-0.9, -0.62, 1.1),
    (0.3, -0.62, 0.6),
    (-0.9, -0.16, 0.5),
    (-0.3, -0.16, 1.2),
    (-0.9, 0.3, 1.1),
    (0.3, 0.3, 0.6),
)


def _brick(ink: str) -> str:
    return "".join(rect(x, y, wide, 0.36, fill=ink) for x, y, wide in _WALL)


def _energy(ink: str) -> str:
    bolt = ((0.3, -0.95), (-0.55, 0.12), (-0.05, 0.12), (-0.3, 0.95), (0.55, -0.22), (0.05, -0.22))
    return polygon(bolt, fill=ink)


def _glass(ink: str) -> str:
    stone = "M-.5-.7H.5L.95-.15L0 .9L-.95-.15Z"
    lines = "M-.95-.15H.95M-.5-.7L-.32-.15L0 .9L.32-.15L.5-.7M-.32-.15L0-.7L.32-.15"
    return path(
        stone, fill="#f4fbfb", stroke=ink, stroke_width=0.14, stroke_linejoin="round"
    ) + path(lines, fill="none", stroke=ink, stroke_width=0.1, stroke_linejoin="round")


def _heat(ink: str) -> str:
    flame = "M.05-.98C.15-.5 .68-.3 .68 .28C.68 .72 .36 .95 0 .95C-.38 .95-.68 .7-.68 .28"
    flame += "C-.68-.08-.42-.22-.36-.5C-.2-.42-.12-.26-.1-.08C.1-.3 .14-.62 .05-.98Z"
    inner = "M.02 .86C-.22 .86-.36 .7-.34 .48C-.3 .24-.04 .2 0-.02C.16 .16 .38 .26 .36 .52"
    return path(flame, fill=ink) + path(f"{inner}C.34 .74 .2 .86 .02 .86Z", fill="#ffd98a")


def _wifi(ink: str) -> str:
    arcs = "M-.92-.2A1.3 1.3 0 0 1 .92-.2M-.58 .14A.82 .82 0 0 1 .58 .14"
    arcs += "M-.26 .46A.37 .37 0 0 1 .26 .46"
    return path(arcs, fill="none", stroke=ink, stroke_width=0.2, stroke_linecap="round") + circle(
        0, 0.74, 0.16, fill=ink
    )


_SIGNS: Final[Mapping[Resource, Callable[[str], str]]] = {
    Resource.BRICK: _brick,
    Resource.ENERGY: _energy,
    Resource.GLASS: _glass,
    Resource.HEAT: _heat,
    Resource.WIFI: _wifi,
}

GROUNDS: Final[Mapping[Resource, tuple[str, str]]] = {
    Resource.BRICK: ("#e8c9b4", "#8c3f28"),
    Resource.ENERGY: ("#f0d271", "#5b4415"),
    Resource.GLASS: ("#cfe6e8", "#2f6f7b"),
    Resource.HEAT: ("#f6c596", "#a23c18"),
    Resource.WIFI: ("#d6cdea", "#54467e"),
    Resource.PARK: (TONES[Resource.PARK].light, TONES[Resource.PARK].dark),
}
"""What a sign stands on, and its ink; dark enough on it by day and in the evening."""


@lru_cache(maxsize=64)
def sign(kind: Resource, radius: float) -> str:
    """The sign of a resource, on a disc of its colour."""
    ground, ink = GROUNDS[kind]
    drawn = _SIGNS[kind](ink) if kind in _SIGNS else ""
    return circle(0, 0, radius, fill=ground, stroke=ink, stroke_width=radius * 0.07) + tag(
        "g", drawn, transform=f"scale({radius * 0.6:.2f})"
    )
