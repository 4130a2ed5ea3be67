"""The board: tiles, vertices and edges, and what lies next to what (Constructor §2).

A board is data. It is worked out from where its tiles lie on a grid, so that the 19 tiles of the
document are one instance and the rules run on any other. Everything is numbered from 0, line by
line as the document's Figure 3 does it, each line from left to right.

What lies next to what is computed once for each board: states hold no more than its name.

A tile covers one column of the grid and one or two of its rows. With two rows it has a vertex in
the middle of each vertical side, six in all (Constructor §2.4); with one row it is a plain
rectangle with four.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Final, TypeAlias

from tabletop.parts.board import hexagon

Cell: TypeAlias = tuple[int, int]
"""A place on the grid: row and column, both from 0."""

Ids: TypeAlias = tuple[int, ...]
"""Numbers of tiles, vertices or edges, in ascending order."""


@dataclass(frozen=True, slots=True)
class Edge:
    """One edge of the board.

    Attributes:
        ends: the two vertices it goes between, the lower number first.
        cell: the cell of its upper or left end.
        level: True if it runs from left to right; else it runs down.
    """

    ends: tuple[int, int]
    cell: Cell
    level: bool


@dataclass(frozen=True)
class Board:
    """A board for `Constructor`.

    Attributes:
        name: its name in options and saves.
        tiles: where the upper left corner of each tile lies, in the order of their numbers.
        rows: how many rows of the grid a tile covers: 2 (six vertices) or 1 (four).
    """

    name: str
    tiles: tuple[Cell, ...]
    rows: int = 2

    @cached_property
    def vertices(self) -> tuple[Cell, ...]:
        """The place of each vertex, in the order of their numbers."""
        corners = {corner for tile in self.tiles for corner in self._corners(tile)}
        return tuple(sorted(corners))

    @cached_property
    def edges(self) -> tuple[Edge, ...]:
        """The edges, in the order of their numbers: along a line of vertices, then below it."""
        number = {cell: vertex for vertex, cell in enumerate(self.vertices)}
        sides = {side for tile in self.tiles for side in self._sides(tile)}

        def place(side: tuple[Cell, Cell]) -> tuple[int, bool, int]:
            (row, column), (other, _) = side
            return row, other != row, column

        return tuple(
            Edge((number[start], number[end]), start, start[0] == end[0])
            for start, end in sorted(sides, key=place)
        )

    @cached_property
    def tile_vertices(self) -> tuple[Ids, ...]:
        """The vertices of each tile."""
        number = {cell: vertex for vertex, cell in enumerate(self.vertices)}
        return tuple(_ids(number[corner] for corner in self._corners(tile)) for tile in self.tiles)

    @cached_property
    def tile_edges(self) -> tuple[Ids, ...]:
        """The edges of each tile."""
        number = {
            (self.vertices[edge.ends[0]], self.vertices[edge.ends[1]]): place
            for place, edge in enumerate(self.edges)
        }
        return tuple(_ids(number[side] for side in self._sides(tile)) for tile in self.tiles)

    @cached_property
    def edge_vertices(self) -> tuple[tuple[int, int], ...]:
        """The two ends of each edge."""
        return tuple(edge.ends for edge in self.edges)

    @cached_property
    def vertex_edges(self) -> tuple[Ids, ...]:
        """The edges that meet at each vertex."""
        return _inverse(self.edge_vertices, len(self.vertices))

    @cached_property
    def vertex_tiles(self) -> tuple[Ids, ...]:
        """The tiles around each vertex."""
        return _inverse(self.tile_vertices, len(self.vertices))

    @cached_property
    def vertex_vertices(self) -> tuple[Ids, ...]:
        """The vertices at the other end of each vertex's edges."""
        return tuple(
            _ids(end for edge in edges for end in self.edge_vertices[edge] if end != vertex)
            for vertex, edges in enumerate(self.vertex_edges)
        )

    @cached_property
    def edge_edges(self) -> tuple[Ids, ...]:
        """The edges that share a vertex with each edge."""
        return tuple(
            _ids({other for end in ends for other in self.vertex_edges[end]} - {edge})
            for edge, ends in enumerate(self.edge_vertices)
        )

    def _corners(self, tile: Cell) -> list[Cell]:
        row, column = tile
        return [(row + down, column + right) for down in range(self.rows + 1) for right in (0, 1)]

    def _sides(self, tile: Cell) -> list[tuple[Cell, Cell]]:
        row, column = tile
        level = [((down, column), (down, column + 1)) for down in (row, row + self.rows)]
        steep = [
            ((down, side), (down + 1, side))
            for down in range(row, row + self.rows)
            for side in (column, column + 1)
        ]
        return level + steep


def _ids(numbers: Iterable[int]) -> Ids:
    return tuple(sorted(numbers))


def _inverse(members: Iterable[Ids], size: int) -> tuple[Ids, ...]:
    """Return the places of `members` that hold each number below `size`."""
    holders: list[list[int]] = [[] for _ in range(size)]
    for holder, numbers in enumerate(members):
        for number in numbers:
            holders[number].append(holder)
    return tuple(map(tuple, holders))


def _hexagons(radius: int) -> tuple[Cell, ...]:
    """Return the tiles round a middle one, in `radius` rings: each column half a tile lower."""
    return tuple(sorted((2 * (r + radius) + q, q + radius) for q, r in hexagon(radius).cells))


STANDARD: Final = Board("standard", _hexagons(2))
"""The 19 tiles, 54 vertices and 72 edges of the document (Constructor §2.1, Figure 3)."""

SMALL: Final = Board("small", _hexagons(1))
"""Seven tiles round a middle one, 24 vertices and 30 edges: for a short game."""

SQUARE: Final = Board(
    "square", tuple((row, column) for row in range(4) for column in range(4)), rows=1
)
"""Sixteen rectangular tiles, 25 vertices and 40 edges (Constructor §6, question 3)."""

BOARDS: Final[dict[str, Board]] = {board.name: board for board in (STANDARD, SMALL, SQUARE)}
"""Every board by name; see `register`."""


def register(board: Board) -> Board:
    """Register a custom board under its name, so that states of games on it can be read.

    Raises:
        ValueError: another board has that name.
    """
    known = BOARDS.setdefault(board.name, board)
    if known != board:
        raise ValueError(f"there is another board called {board.name!r}")
    return known
