"""What tiles look like: their places in a picture, and a texture for each kind.

Tiles with six vertices are hexagons that lie on a side, as in the document's Figure 3; those with
four are squares. A texture is a list of coloured polygons within the outline of a tile, a little
uneven. Its units are the distance from the middle of the tile to its nearest side; the middle is
left to the token with the number.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby, pairwise
from math import atan2, cos, degrees, dist, pi, sin, sqrt
from operator import itemgetter
from typing import Final, NamedTuple, TypeAlias

from constructor.board import Board, Cell
from constructor.state import Resource
from tabletop.svg import number_from, path, tag

Point: TypeAlias = tuple[float, float]
Shape: TypeAlias = tuple[Point, ...]
"""The corners of a convex polygon, clockwise from the upper left."""

_HALF: Final = sqrt(3) / 2
_ROUND: Final = {6: (0, 1, 3, 5, 4, 2), 4: (0, 1, 3, 2)}
"""The order in which a tile's vertices go round it, by how many it has."""

_OBLONG: Final = (1.9, 0.95)
"""From column to column and from row to row, where tiles with six vertices are no hexagons."""


@dataclass(frozen=True, slots=True)
class Plan:
    """A board laid out in a picture; everything by its number.

    Attributes:
        width: of all of it; the upper left is at 0, 0.
        height: of all of it.
        reach: from the middle of a tile to the nearest side.
        vertices: where they lie.
        edges: the middle of each.
        turns: the angle of each edge, in degrees.
        length: of the shortest edge.
        tiles: the middle of each.
        outlines: the corners of each tile.
    """

    width: float
    height: float
    reach: float
    vertices: tuple[Point, ...]
    edges: tuple[Point, ...]
    turns: tuple[float, ...]
    length: float
    tiles: tuple[Point, ...]
    outlines: tuple[Shape, ...]


@lru_cache(maxsize=16)
def plan(board: Board, width: float, height: float) -> Plan:
    """The board, as large as it can be in such a room; it may take less of it."""
    raw = _places(board)
    left, top = min(x for x, _ in raw), min(y for _, y in raw)
    wide, high = max(x for x, _ in raw) - left, max(y for _, y in raw) - top
    scale = min(width / wide, height / high)
    vertices = tuple(((x - left) * scale, (y - top) * scale) for x, y in raw)
    outlines = tuple(
        tuple(vertices[around[corner]] for corner in _ROUND[len(around)])
        for around in board.tile_vertices
    )
    ends = [(vertices[first], vertices[second]) for first, second in board.edge_vertices]
    tiles = tuple(_middle(outline) for outline in outlines)
    return Plan(
        width=wide * scale,
        height=high * scale,
        reach=min(_reach(tiles[0], outlines[0]), *(dist(*end) * _HALF for end in ends)),
        vertices=vertices,
        edges=tuple(_middle(pair) for pair in ends),
        turns=tuple(degrees(atan2(y2 - y1, x2 - x1)) for (x1, y1), (x2, y2) in ends),
        length=min(dist(*pair) for pair in ends),
        tiles=tiles,
        outlines=outlines,
    )


def _middle(points: Sequence[Point]) -> Point:
    return sum(x for x, _ in points) / len(points), sum(y for _, y in points) / len(points)


def _reach(middle: Point, outline: Shape) -> float:
    """How far it is from the middle of a shape to its nearest side."""
    sides = zip(outline, (*outline[1:], outline[0]), strict=True)
    return min(dist(middle, _middle(side)) for side in sides)


def _places(board: Board) -> list[Point]:
    """Where the vertices lie, in sides of a tile."""
    if board.rows == 1:
        return [(float(column), float(row)) for row, column in board.vertices]
    bent = [_bent(cell, board) for cell in board.vertices]
    if None in bent:
        wide, high = _OBLONG
        return [(column * wide, row * high) for row, column in board.vertices]
    return [place for place in bent if place is not None]


def _bent(vertex: Cell, board: Board) -> Point | None:
    """Where a vertex of hexagons lies; None if its tiles do not agree, and so are none."""
    row, column = vertex
    tiles = set(board.tiles)
    # To the right of a vertex begins the level side of a tile, or a tile ends to its left.
    outer = {(row, column), (row - 2, column), (row - 1, column - 1)} & tiles
    inner = {(row, column - 1), (row - 2, column - 1), (row - 1, column)} & tiles
    if outer and inner:
        return None
    return 1.5 * column + (0.5 if outer else 0.0), row * _HALF


def shrunk(shape: Iterable[Point], share: float, middle: Point = (0, 0)) -> Shape:
    """A shape made smaller about a point."""
    x0, y0 = middle
    return tuple((x0 + (x - x0) * share, y0 + (y - y0) * share) for x, y in shape)


def clipped(points: Iterable[Point], shape: Shape) -> list[Point]:
    """What of a polygon lies within a convex shape (Sutherland and Hodgman's way)."""
    left = list(points)
    for start, end in zip(shape, (*shape[1:], shape[0]), strict=True):
        left = _cut(left, start, end)
    return left


def _cut(points: list[Point], start: Point, end: Point) -> list[Point]:
    """What of a polygon lies to the right of the line from `start` to `end`."""
    kept: list[Point] = []
    for before, point in zip([*points[-1:], *points[:-1]], points, strict=True):
        was, now = _beside(before, start, end), _beside(point, start, end)
        if (was < 0) != (now < 0):
            share = was / (was - now)
            kept.append(
                (
                    before[0] + (point[0] - before[0]) * share,
                    before[1] + (point[1] - before[1]) * share,
                )
            )
        if now >= 0:
            kept.append(point)
    return kept


def _beside(point: Point, start: Point, end: Point) -> float:
    """Positive to the right of a line, where y points down; 0 on it."""
    return (end[0] - start[0]) * (point[1] - start[1]) - (end[1] - start[1]) * (point[0] - start[0])


def band(points: Sequence[Point], widths: Sequence[float]) -> list[Point]:
    """A line as a polygon, as wide at each of its points as is said."""
    right: list[Point] = []
    left: list[Point] = []
    for place, ((x, y), width) in enumerate(zip(points, widths, strict=True)):
        x1, y1 = points[max(place - 1, 0)]
        x2, y2 = points[min(place + 1, len(points) - 1)]
        long = dist((x1, y1), (x2, y2)) or 1.0
        across, down = -(y2 - y1) / long * width / 2, (x2 - x1) / long * width / 2
        right.append((x + across, y + down))
        left.append((x - across, y - down))
    return right + left[::-1]


Patch: TypeAlias = tuple[list[Point], str]
"""A polygon and its colour."""

Painter: TypeAlias = Callable[[str, float], Iterator[Patch]]
"""Draws a kind, with a name that its unevenness hangs on, as far out as is said."""


class Tones(NamedTuple):
    """The colours of a kind: its ground, and what is drawn on it from light to dark."""

    ground: str
    light: str
    middle: str
    dark: str


TONES: Final[Mapping[Resource, Tones]] = {
    Resource.BRICK: Tones("#dcb9a0", "#bf6a4a", "#b05a3d", "#9c4c33"),
    Resource.ENERGY: Tones("#e9c455", "#f3dc8c", "#8a6a1c", "#5b4415"),
    Resource.GLASS: Tones("#eef6f6", "#bfdfe2", "#93c6cd", "#6aa9b4"),
    Resource.HEAT: Tones("#d9702f", "#f0a04b", "#c25320", "#a23c18"),
    Resource.WIFI: Tones("#8f7fb8", "#c9bfe3", "#6f5f9c", "#54467e"),
    Resource.PARK: Tones("#a9c48a", "#c9dba9", "#5f8f4e", "#416d3a"),
}
"""The colours of every kind; the same by day and in the evening, as pieces on a table are."""

RIM: Final = 1.16
"""How far a tile can reach from its middle."""

FINE: Final = 10
"""A texture is drawn in tenths of a unit."""


def texture(kind: Resource, outline: Shape, reach: float, name: str) -> str:
    """The picture of a tile, without its number.

    Args:
        kind: what it produces.
        outline: its corners, about 0, 0.
        reach: from its middle to its nearest side.
        name: what its unevenness hangs on.
    """
    unit = tuple((x / reach, y / reach) for x, y in outline)
    rim = max(RIM, *(max(abs(x), abs(y)) for x, y in unit))
    patches = [(clipped(points, unit), colour) for points, colour in _PAINTERS[kind](name, rim)]
    if kind in {Resource.BRICK, Resource.GLASS}:  # none lies on another: fewer paths, by colour
        patches.sort(key=itemgetter(1))
    layers = [([*unit], TONES[kind].ground), *((points, it) for points, it in patches if points)]
    drawn = [
        path("".join(_traced(points, reach * FINE) for points, _ in same), fill=colour)
        for colour, same in groupby(layers, key=itemgetter(1))
    ]
    return tag("g", *drawn, transform=f"scale({1 / FINE:g})")


def _traced(points: list[Point], scale: float) -> str:
    """A polygon as the data of a path, in whole numbers: a board has very many of them."""
    whole = [(round(x * scale), round(y * scale)) for x, y in points]
    x0, y0 = whole[0]
    steps = [f"M{x0} {y0}l"]
    for (x1, y1), (x2, y2) in pairwise(whole):
        if (x1, y1) != (x2, y2):
            steps.append(f"{x2 - x1} {y2 - y1} ")
    return "".join(steps).rstrip().replace(" -", "-") + "z"


def _uneven(name: str, most: float) -> float:
    """A number between `-most` and `most` that hangs on a name."""
    return (number_from(name, 2001) / 1000 - 1) * most


def _bricks(name: str, rim: float) -> Iterator[Patch]:
    """Courses of bricks, every other one moved by half a brick."""
    tones = TONES[Resource.BRICK]
    high, wide, joint = 0.25, 0.56, 0.045
    courses = int(rim / high) + 1
    for course in range(-courses, courses):
        start = -rim - (course % 2) * wide / 2 - wide
        for place in range(int(2 * rim / wide) + 4):
            key = f"{name} {course} {place}"
            x, y = start + place * wide, course * high
            colour = tones[1 + number_from(key, 3)]
            corners = [
                (x, y),
                (x + wide - joint, y),
                (x + wide - joint, y + high - joint),
                (x, y + high - joint),
            ]
            yield (
                [
                    (cx + _uneven(f"{key} x{i}", 0.012), cy + _uneven(f"{key} y{i}", 0.012))
                    for i, (cx, cy) in enumerate(corners)
                ],
                colour,
            )


def _heat(name: str, rim: float) -> Iterator[Patch]:
    """Warm air that rises from embers, in waves that thin out upwards."""
    tones = TONES[Resource.HEAT]
    lanes = int(2 * rim / 0.3) + 1
    for lane in range(lanes):
        x0 = -rim + 0.15 + lane * 0.3
        phase = _uneven(f"{name} {lane}", 0.6) + lane * 0.9
        points = [
            (x0 + 0.075 * sin(11.4 * (1 - step / 12) + phase), 1.1 - step * 0.175)
            for step in range(14)
        ]
        widths = [0.17 - 0.13 * step / 13 for step in range(14)]
        yield band(points, widths), tones.light if lane % 2 else tones.middle
    for level, colour in ((0.62, tones.dark), (0.76, tones.light), (0.88, "#ffd98a")):
        top = [
            (
                -rim + step * rim / 12,
                level + 0.055 * sin(step * 1.25 + level * 40 + _uneven(name, 2)),
            )
            for step in range(25)
        ]
        yield [*top, (rim, rim), (-rim, rim)], colour


def _glass(name: str, rim: float) -> Iterator[Patch]:
    """Facets round the middle, like a cut stone, with thin light between them."""
    tones = TONES[Resource.GLASS]
    shades = (*tones[1:], "#d8ecee", "#a9d3d8")
    sectors = 12
    rings = (0.0, 0.5, 0.86, rim * 1.3)
    grid = [
        [
            _polar(
                radius * (1 + _uneven(f"{name} r{ring} {place}", 0.07)),
                (place + (ring % 2) / 2) * 2 * pi / sectors + _uneven(f"{name} {place}", 0.07),
            )
            for place in range(sectors)
        ]
        for ring, radius in enumerate(rings)
    ]
    for ring in range(1, len(rings)):
        for place in range(sectors):
            after = (place + 1) % sectors
            inner, outer = grid[ring - 1], grid[ring]
            apex = inner[after] if ring % 2 else inner[place]
            across = outer[after] if not ring % 2 else outer[place]
            pairs = (
                [outer[place], outer[after], apex],
                [inner[place], inner[after], across],
            )
            for half, facet in enumerate(pairs):
                tone = shades[number_from(f"{name} {ring} {place} {half}", len(shades))]
                yield _leaded(facet), tone


def _leaded(facet: list[Point]) -> list[Point]:
    """A facet a little smaller, so that light shows round it."""
    x = sum(point[0] for point in facet) / 3
    y = sum(point[1] for point in facet) / 3
    return list(shrunk(facet, 0.95, (x, y)))


def _polar(radius: float, angle: float) -> Point:
    return radius * cos(angle), radius * sin(angle)


def _energy(name: str, rim: float) -> Iterator[Patch]:
    """Cables that hang between two masts."""
    tones = TONES[Resource.ENERGY]
    for place in range(9):  # rays of a low sun
        angle = pi * (1 + (place + 0.25) / 9)
        ray = [(0.0, 0.55), _offset(angle, 2.6), _offset(angle + 0.2, 2.6)]
        yield ray, tones.light
    yield [(-rim, 0.72), (-0.3, 0.6), (0.4, 0.66), (rim, 0.56), (rim, rim), (-rim, rim)], "#c79f38"
    yield [(-rim, 0.9), (0.2, 0.78), (rim, 0.84), (rim, rim), (-rim, rim)], "#ad882b"
    for mast in (-0.68, 0.68):
        yield from _mast(mast, tones.dark)
    for high, low in ((-0.62, 0.16), (-0.36, 0.17), (-0.1, 0.18)):
        for start, end in ((-2.04, -0.68), (-0.68, 0.68), (0.68, 2.04)):
            slack = low + _uneven(f"{name} {high} {start}", 0.03)
            line = [
                (
                    start + (end - start) * step / 8,
                    high + slack * (1 - (step / 4 - 1) ** 2),
                )
                for step in range(9)
            ]
            yield band(line, [0.035] * 9), tones.dark


def _offset(angle: float, radius: float) -> Point:
    return radius * cos(angle), 0.55 + radius * sin(angle)


def _mast(x: float, colour: str) -> Iterator[Patch]:
    """A mast with three arms."""
    top, foot = -0.78, 0.82
    for side in (-1, 1):
        yield band([(x + 0.015 * side, top), (x + 0.13 * side, foot)], [0.045, 0.055]), colour
    for step in range(5):
        y, lower = top + 0.24 + step * 0.27, top + 0.51 + step * 0.27
        near, far = 0.02 + 0.115 * (y - top) / 1.6, 0.02 + 0.115 * (lower - top) / 1.6
        side = 1 if step % 2 else -1
        yield band([(x - side * near, y), (x + side * far, lower)], [0.03, 0.03]), colour
    for arm in (-0.62, -0.36, -0.1):
        yield band([(x - 0.17, arm), (x + 0.17, arm)], [0.05, 0.05]), colour
        for end in (-0.15, 0.15):
            yield band([(x + end, arm), (x + end, arm + 0.08)], [0.05, 0.05]), "#8a6a1c"


def _wifi(name: str, rim: float) -> Iterator[Patch]:
    """Signals that leave a mast to both sides, fading as they go."""
    tones = TONES[Resource.WIFI]
    for place, radius in enumerate((1.5, 1.24, 0.98, 0.72)):
        colour = ("#8372ad", "#9a8bc2", "#afa2d2", "#d9d1ee")[place]
        for side in (0.0, pi):
            turn = _uneven(f"{name} {radius} {side}", 0.05)
            spread = 0.62 + 0.05 * place
            arc = [_polar(radius, side + turn + spread * (step / 5 - 1)) for step in range(11)]
            widths = [0.115 - 0.05 * abs(step / 5 - 1) for step in range(11)]
            yield band(arc, widths), colour
    for side in (-1, 1):
        yield band([(0.03 * side, -0.2), (0.3 * side, rim)], [0.06, 0.08]), tones.dark
    for step in range(4):
        y = 0.5 + step * 0.18
        half, other = 0.08 + 0.19 * (y + 0.2) / 1.3, 0.08 + 0.19 * (y - 0.02) / 1.3
        side = 1 if step % 2 else -1
        yield band([(side * half, y), (-side * other, y - 0.18)], [0.045, 0.045]), tones.dark
    yield band([(0, -0.4), (0, -0.78)], [0.06, 0.04]), tones.dark
    yield [_rounded((0, -0.8), 0.075, step) for step in range(12)], "#f3effb"


def _rounded(middle: Point, radius: float, step: int, steps: int = 12) -> Point:
    x, y = _polar(radius, 2 * pi * step / steps)
    return middle[0] + x, middle[1] + y


_TREES: Final = (
    (-0.62, -0.42, 0.3),
    (0.1, -0.62, 0.24),
    (0.66, -0.36, 0.3),
    (-0.9, 0.06, 0.26),
    (0.92, 0.1, 0.25),
    (-0.58, 0.5, 0.31),
    (0.56, 0.56, 0.31),
    (-0.1, 0.8, 0.24),
)
"""Where the trees of a park stand, and how large they are: those behind come first."""


def _park(name: str, rim: float) -> Iterator[Patch]:
    """Trees of two sorts round a lawn, and a path through it."""
    tones = TONES[Resource.PARK]
    lawn = [(1.02 * cos(step * pi / 12), 0.1 + 0.62 * sin(step * pi / 12)) for step in range(24)]
    yield lawn, "#b7cf98"
    way = [(-0.35 + 0.3 * sin(step * 0.33), rim - step * 0.14) for step in range(17)]
    yield band(way, [0.25 - 0.009 * step for step in range(17)]), "#e6dcba"
    for place, (x, y, size) in enumerate(_TREES):
        key = f"{name} {place}"
        at = x + _uneven(f"{key} x", 0.05), y + _uneven(f"{key} y", 0.04)
        yield from (_conifer if number_from(key, 5) < 2 else _broadleaf)(at, size, tones)


def _shade(at: Point, size: float) -> Patch:
    x, y = at
    return (
        [
            (x + size * (0.2 + 0.75 * cos(step * pi / 8)), y + size * 0.2 * sin(step * pi / 8))
            for step in range(16)
        ],
        "#8fae70",
    )


def _conifer(at: Point, size: float, tones: Tones) -> Iterator[Patch]:
    x, y = at
    yield _shade(at, size)
    yield [(x - 0.03, y - 0.12), (x + 0.03, y - 0.12), (x + 0.03, y), (x - 0.03, y)], "#6d5135"
    for level in range(3):
        foot, half = y - size * (0.25 + 0.5 * level), size * (0.72 - 0.17 * level)
        tip = (x, foot - size * 0.85)
        yield [(x - half, foot), tip, (x + half, foot)], tones.dark
        yield [(x - half, foot), tip, (x - half * 0.15, foot)], "#528047"


def _broadleaf(at: Point, size: float, tones: Tones) -> Iterator[Patch]:
    x, y = at
    yield _shade(at, size)
    yield [(x - 0.035, y - 0.2), (x + 0.035, y - 0.2), (x + 0.035, y), (x - 0.035, y)], "#6d5135"
    crown = (x, y - size * 1.05)
    for dx, dy, share, colour in (
        (0.0, 0.0, 0.8, tones.dark),
        (-0.08, -0.1, 0.68, tones.middle),
        (-0.2, -0.25, 0.34, "#82ad68"),
    ):
        middle = crown[0] + dx * size, crown[1] + dy * size
        yield [_rounded(middle, size * share, step, 14) for step in range(14)], colour


_PAINTERS: Final[Mapping[Resource, Painter]] = {
    Resource.BRICK: _bricks,
    Resource.ENERGY: _energy,
    Resource.GLASS: _glass,
    Resource.HEAT: _heat,
    Resource.WIFI: _wifi,
    Resource.PARK: _park,
}
