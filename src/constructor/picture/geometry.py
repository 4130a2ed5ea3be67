"""Where the tiles, vertices and edges of a board lie in a picture.

Tiles with six vertices are hexagons that lie on a side, as in the document's Figure 3; those with
four are squares.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import atan2, degrees, dist, sqrt
from typing import Final, TypeAlias

from constructor.board import Board, Cell

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
