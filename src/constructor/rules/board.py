"""Boards: tiles, vertices, edges and their adjacency (Constructor §2).

A board is computed from the positions of its tiles on a grid, so the rules work on any board, not
only on the board of the document with 19 tiles. Tiles, vertices and edges are numbered from 0, line
by line and from left to right, as in Figure 3 of the document. Adjacency is computed once for each
board, and states contain only the name of the board.

A tile covers one column and one or two rows of the grid. A tile with two rows is a hexagon: it has
a vertex in the middle of each vertical side, six vertices in all (Constructor §2.4). A tile with
one row is a rectangle with four vertices.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Final, TypeAlias

from tabletop.parts.board import hexagon

Cell: TypeAlias = tuple[int, int]  # the row and the column on the grid, both counted from 0
Ids: TypeAlias = tuple[int, ...]  # numbers of tiles, vertices or edges, in ascending order


@dataclass(frozen=True, slots=True)
class Edge:
    """One edge of the board.

    Attributes:
        ends: The two vertices that the edge connects, the lower number first.
        cell: The cell of the upper or left end.
        level: True for a horizontal edge, False for a vertical edge.
    """

    ends: tuple[int, int]
    cell: Cell
    level: bool


@dataclass(frozen=True)
class Board:
    """A board for `Constructor`.

    Attributes:
        name: The name of the board. It must be unique, because states refer to boards by name.
        tiles: The cell of the upper left corner of each tile, in the order of the tile numbers.
        rows: Rows of the grid that a tile covers: 2 (six vertices) or 1 (four vertices).
    """

    name: str
    tiles: tuple[Cell, ...]
    rows: int = 2

    @cached_property
    def vertices(self) -> tuple[Cell, ...]:
        """The cell of each vertex, in the order of the vertex numbers."""
        corners = {corner for tile in self.tiles for corner in self._corners(tile)}
        return tuple(sorted(corners))

    @cached_property
    def edges(self) -> tuple[Edge, ...]:
        """The edges in the order of their numbers.

        A line of horizontal edges comes before the line of vertical edges below it.
        """
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
        """The neighbours of each vertex: the vertices at the other ends of its edges."""
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
    """Return, for each number below `size`, the indices of the members that contain it."""
    holders: list[list[int]] = [[] for _ in range(size)]
    for holder, numbers in enumerate(members):
        for number in numbers:
            holders[number].append(holder)
    return tuple(map(tuple, holders))


def _hexagons(radius: int) -> tuple[Cell, ...]:
    """Return the tiles of a board with `radius` rings of hexagons around a middle tile.

    Neighbouring columns are offset by half a tile, which is one row of the grid.
    """
    return tuple(sorted((2 * (r + radius) + q, q + radius) for q, r in hexagon(radius).cells))


STANDARD: Final = Board("standard", _hexagons(2))
"""The board of the document with 19 tiles, 54 vertices and 72 edges (Constructor §2.1)."""

SMALL: Final = Board("small", _hexagons(1))
"""A board for short games with seven tiles, 24 vertices and 30 edges."""

SQUARE: Final = Board(
    "square", tuple((row, column) for row in range(4) for column in range(4)), rows=1
)
"""A board with 16 rectangular tiles, 25 vertices and 40 edges (Constructor §6, question 3)."""

BOARDS: Final[dict[str, Board]] = {board.name: board for board in (STANDARD, SMALL, SQUARE)}
"""Map the name of each registered board to the board."""


def register(board: Board) -> Board:
    """Register a custom board under its name and return the registered board.

    States contain only the name of their board, so a board must be registered before use.

    Raises:
        ValueError: A different board is already registered under this name.
    """
    known = BOARDS.setdefault(board.name, board)
    if known != board:
        raise ValueError(
            f"a different board is already called {board.name!r} (choose another name)"
        )
    return known
