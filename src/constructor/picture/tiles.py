"""Positions and textures of the tiles of a picture.

Tiles with six vertices are hexagons with a flat top, as in Figure 3 of the document. Tiles with
four vertices are squares. A texture is a list of coloured polygons, clipped to the outline of the
tile. Its unit of length is the distance from the centre of the tile to its nearest side.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby, pairwise, product
from math import atan2, cos, degrees, dist, fsum, pi, sin, sqrt
from operator import itemgetter
from typing import Final, NamedTuple, TypeAlias

from constructor.rules.board import Board, Cell
from constructor.rules.state import Resource
from tabletop.display import path, polygon, regular, tag

Point: TypeAlias = tuple[float, float]
Shape: TypeAlias = tuple[Point, ...]
"""The corners of a convex polygon, clockwise from the upper left."""

_HALF: Final = sqrt(3) / 2
_ROUND: Final = {6: (0, 1, 3, 5, 4, 2), 4: (0, 1, 3, 2)}
"""The clockwise order of a tile's vertices, keyed by their number."""

_OBLONG: Final = (1.9, 0.95)
"""Distances between columns and between rows of tiles that cannot be drawn as regular hexagons."""


@dataclass(frozen=True, slots=True)
class Plan:
    """Coordinates of a board in a picture, with 0, 0 at the upper left corner.

    Attributes:
        width: Width of the board.
        height: Height of the board.
        reach: Distance from the centre of a tile to its nearest side.
        vertices: Position of each vertex.
        edges: Centre of each edge.
        turns: Angle of each edge, in degrees.
        length: Length of the shortest edge.
        tiles: Centre of each tile.
        outlines: Corners of each tile.
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
    """Return the coordinates of a board, as large as possible within `width` and `height`."""
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
    return fsum(x for x, _ in points) / len(points), fsum(y for _, y in points) / len(points)


def _reach(middle: Point, outline: Shape) -> float:
    sides = zip(outline, (*outline[1:], outline[0]), strict=True)
    return min(dist(middle, _middle(side)) for side in sides)


def _places(board: Board) -> list[Point]:
    """Return the positions of the vertices, in units of the side length of a tile."""
    if board.rows == 1:
        return [(float(column), float(row)) for row, column in board.vertices]
    bent = [_locate_vertex(cell, board) for cell in board.vertices]
    if None in bent:
        wide, high = _OBLONG
        return [(column * wide, row * high) for row, column in board.vertices]
    return [place for place in bent if place is not None]


def _locate_vertex(vertex: Cell, board: Board) -> Point | None:
    """Return the position of a vertex of regular hexagons, or None if its tiles disagree."""
    row, column = vertex
    tiles = set(board.tiles)
    # `outer` are tiles that need the vertex on the right of its column, `inner` on the left.
    outer = {(row, column), (row - 2, column), (row - 1, column - 1)} & tiles
    inner = {(row, column - 1), (row - 2, column - 1), (row - 1, column)} & tiles
    if outer and inner:
        return None
    return 1.5 * column + (0.5 if outer else 0.0), row * _HALF


def shrink(shape: Iterable[Point], share: float, middle: Point = (0, 0)) -> Shape:
    """Return a shape scaled by `share`, centred on a point."""
    x0, y0 = middle
    return tuple((x0 + (x - x0) * share, y0 + (y - y0) * share) for x, y in shape)


def clip(points: Iterable[Point], shape: Shape) -> list[Point]:
    """Clip a polygon to a convex shape (Sutherland-Hodgman algorithm)."""
    left = list(points)
    for start, end in zip(shape, (*shape[1:], shape[0]), strict=True):
        left = _cut(left, start, end)
    return left


def _cut(points: list[Point], start: Point, end: Point) -> list[Point]:
    """Keep the part of a polygon to the right of the line from `start` to `end`."""
    kept: list[Point] = []
    for before, point in zip([*points[-1:], *points[:-1]], points, strict=True):
        was, now = _beside(before, start, end), _beside(point, start, end)
        if (was < 0) != (now < 0):
            share, (x, y), (x2, y2) = was / (was - now), before, point
            kept.append((x + (x2 - x) * share, y + (y2 - y) * share))
        if now >= 0:
            kept.append(point)
    return kept


def _beside(point: Point, start: Point, end: Point) -> float:
    """Return a positive number for a point to the right of a line, and 0.0 for a point on it."""
    return (end[0] - start[0]) * (point[1] - start[1]) - (end[1] - start[1]) * (point[0] - start[0])


def band(points: Sequence[Point], widths: Sequence[float]) -> list[Point]:
    """Return a line as a polygon, with the given width at each of its points."""
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


Patch: TypeAlias = tuple[Iterable[Point], str]
"""A polygon and its colour."""


class Tones(NamedTuple):
    """The colours of a kind: the background, and three colours from light to dark."""

    ground: str
    light: str
    middle: str
    dark: str


TONES: Final[Mapping[Resource, Tones]] = {
    Resource.BRICK: Tones("#dcb9a0", "#bf6a4a", "#b05a3d", "#9c4c33"),
    Resource.ENERGY: Tones("#e9c455", "#f3dc8c", "#c79f38", "#5b4415"),
    Resource.GLASS: Tones("#eef6f6", "#bfdfe2", "#93c6cd", "#6aa9b4"),
    Resource.HEAT: Tones("#d9702f", "#f0a04b", "#c25320", "#a23c18"),
    Resource.WIFI: Tones("#8f7fb8", "#c9bfe3", "#6f5f9c", "#54467e"),
    Resource.PARK: Tones("#a9c48a", "#c9dba9", "#5f8f4e", "#416d3a"),
}
"""The colours of every kind, in the light and the dark theme."""

RIM: Final = 1.16  # maximum distance from the centre of a tile to its outline


def texture(kind: Resource, outline: Shape, reach: float) -> str:
    """Draw the texture of a tile whose corners are centred on 0, 0."""
    # A board has thousands of corners, so use few paths and integers in tenths to save space.
    drawn, all_patches = [], _PAINTERS[kind](TONES[kind])
    if kind in _APART:
        all_patches = iter(sorted(all_patches, key=itemgetter(1)))
    for colour, patches in groupby(all_patches, itemgetter(1)):
        scaled = ([(x * reach, y * reach) for x, y in points] for points, _ in patches)
        drawn.append(path("".join(_steps(clip(points, outline)) for points in scaled), fill=colour))
    return polygon(outline, fill=TONES[kind].ground) + tag("g", *drawn, transform="scale(.1)")


def _steps(points: Sequence[Point]) -> str:
    """Return the path data of a polygon, in tenths of a unit, or "" if it has no corners."""
    corners = [(round(x * 10), round(y * 10)) for x, y in points]
    steps = (f"{x2 - x1} {y2 - y1}" for (x1, y1), (x2, y2) in pairwise(corners))
    return "M{} {}l{}z".format(*corners[0], " ".join(steps)).replace(" -", "-") if corners else ""


def _bricks(tones: Tones) -> Iterator[Patch]:
    """Draw courses of bricks, offset by half a brick."""
    for course, place in product(range(-5, 5), range(-3, 3)):
        x, y = (place + course % 2 / 2) * 0.56, course * 0.25
        corners = [(x, y), (x + 0.515, y), (x + 0.515, y + 0.205), (x, y + 0.205)]
        yield corners, tones[1 + (course + 2 * place) % 3]


def _heat(tones: Tones) -> Iterator[Patch]:
    """Draw waves of warm air above embers."""
    for lane in range(8):
        x = (lane - 3.5) * 0.32
        wave = [(x + 0.08 * sin(0.9 * lane + step), 1.1 - step * 0.25) for step in range(10)]
        yield band(wave, [0.17 - 0.014 * step for step in range(10)]), tones[1 + lane % 2]
    for level, colour in ((0.66, tones.dark), (0.84, tones.light)):
        top = [(step * 0.145 - RIM, level + 0.05 * sin(step * 1.9 + level)) for step in range(17)]
        yield [*top, (RIM, RIM), (-RIM, RIM)], colour


def _glass(tones: Tones) -> Iterator[Patch]:
    """Draw facets around the centre, like those of a cut stone."""
    shades = (*tones[1:], "#d8ecee", "#a9d3d8")
    for ring, radii in enumerate(((0.0, 0.5), (0.5, 0.86), (0.86, 1.5))):
        inner, outer = (
            regular(12, 0, 0, radius, 15 * (ring + far)) for far, radius in enumerate(radii)
        )
        for place in range(12):
            after = (place + 1) % 12
            facets = (
                [inner[place], outer[place], outer[place - 1]],
                [inner[place], inner[after], outer[place]],
            )
            for half, facet in enumerate(facets):
                shade = (ring * 3 + place * 2 + place // 4 + half * 3) % len(shades)
                yield shrink(facet, 0.95, _middle(facet)), shades[shade]


def _energy(tones: Tones) -> Iterator[Patch]:
    """Draw cables between two masts in front of a low sun."""
    for ray in range(9):
        ends = [(2.6 * cos(angle), 0.55 - 2.6 * sin(angle)) for angle in (ray / 3, ray / 3 + 0.17)]
        yield [(0.0, 0.55), *ends], tones.light
    hill = [(-RIM, 0.72), (-0.3, 0.6), (0.4, 0.66), (RIM, 0.56), (RIM, RIM), (-RIM, RIM)]
    yield hill, tones.middle
    for mast, side in product((-0.68, 0.68), (-1, 1)):
        yield band([(mast, -0.8), (mast + 0.15 * side, 0.85)], [0.05, 0.06]), tones.dark
    for arm in (-0.6, -0.34, -0.08):
        for mast in (-0.68, 0.68):
            yield band([(mast - 0.18, arm), (mast + 0.18, arm)], [0.05, 0.05]), tones.dark
        for span in (-1.36, 0.0, 1.36):
            slack = [(span + 0.17 * step, arm + 0.17 - 0.0106 * step**2) for step in range(-4, 5)]
            yield band(slack, [0.035] * 9), tones.dark


def _wifi(tones: Tones) -> Iterator[Patch]:
    """Draw a mast with fading signals on both sides."""
    fading = ("#8372ad", "#9a8bc2", "#afa2d2", "#d9d1ee")
    for (place, colour), side in product(enumerate(fading), (0.0, pi)):
        turns = [side + (0.62 + 0.05 * place) * step / 5 for step in range(-5, 6)]
        far = 1.36 - 0.24 * place
        arc = [(far * cos(turn), far * sin(turn)) for turn in turns]
        yield band(arc, [0.115 - 0.01 * abs(step) for step in range(-5, 6)]), colour
    for side in (-1, 1):
        yield band([(0, -0.75), (0.3 * side, RIM)], [0.05, 0.08]), tones.dark
    for y, half in ((0.55, 0.2), (0.85, 0.25)):
        yield band([(-half, y), (half, y)], [0.05, 0.05]), tones.dark
    yield regular(12, 0, -0.78, 0.08), "#f3effb"


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
"""Positions and sizes of the trees of a park, from back to front."""


def _park(tones: Tones) -> Iterator[Patch]:
    """Draw two kinds of trees around a lawn with a path."""
    yield [(x * 0.65, y * 0.62 + 0.1) for x, y in regular(24, 0, 0, 1.5)], "#b7cf98"
    way = [(-0.35 + 0.3 * sin(step * 0.33), RIM - step * 0.14) for step in range(17)]
    yield band(way, [0.25 - 0.009 * step for step in range(17)]), "#e6dcba"
    for place, (x, y, size) in enumerate(_TREES):
        yield [(x + size * (0.2 + dx), y + 0.25 * size * dy) for dx, dy in _DISC], "#8fae70"
        yield band([(x, y), (x, y - 0.2)], [0.06, 0.06]), "#6d5135"
        if place % 2:
            for tip in (1.1, 1.6, 2.1):
                foot, half = y - size * (tip - 0.85), size * (0.94 - 0.3 * tip)
                yield [(x - half, foot), (x, y - size * tip), (x + half, foot)], tones.dark
        else:
            yield regular(14, x, y - size * 1.05, size * 0.8), tones.dark
            yield regular(14, x - size * 0.1, y - size * 1.17, size * 0.66), tones.middle


_DISC: Final = regular(16, 0, 0, 0.75)

_APART: Final = {Resource.BRICK, Resource.GLASS}
"""Textures whose patches can be drawn in any order, because they do not overlap."""

_PAINTERS: Final[Mapping[Resource, Callable[[Tones], Iterator[Patch]]]] = {
    Resource.BRICK: _bricks,
    Resource.ENERGY: _energy,
    Resource.GLASS: _glass,
    Resource.HEAT: _heat,
    Resource.WIFI: _wifi,
    Resource.PARK: _park,
}
