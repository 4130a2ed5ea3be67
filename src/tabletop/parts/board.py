"""Boards of squares or hexagons: neighbours, lines, rings, regions, shortest paths, symmetry.

Make a grid once, as a constant of the module: `BOARD = square(8, 8)`. Its cells are numbered from
0, and a state holds lists by these numbers: the grid itself does not belong into a state.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Final, TypeAlias

Cell: TypeAlias = tuple[int, int]
"""Column and row, (0, 0) in the upper left corner; or axial coordinates q and r, (0, 0) in the
middle."""

Path: TypeAlias = tuple[int, ...]
"""Numbers of cells, one after the other."""

FOUR: Final[tuple[Cell, ...]] = ((0, -1), (1, 0), (0, 1), (-1, 0))
"""The steps to the neighbours of a square, clockwise from above."""

EIGHT: Final[tuple[Cell, ...]] = (*FOUR, (1, -1), (1, 1), (-1, 1), (-1, -1))
"""The steps to the neighbours of a square: those of `FOUR`, then the diagonal ones."""

SIX: Final[tuple[Cell, ...]] = ((1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1))
"""The steps to the neighbours of a hexagon, in axial coordinates, clockwise from above right."""

_Matrix: TypeAlias = tuple[int, int, int, int]
_TURNS_OF_SQUARES: Final[tuple[_Matrix, ...]] = (
    (1, 0, 0, 1),
    (0, -1, 1, 0),
    (-1, 0, 0, -1),
    (0, 1, -1, 0),
)
_TURNS_OF_HEXAGONS: Final[tuple[_Matrix, ...]] = (
    (1, 0, 0, 1),
    (0, -1, 1, 1),
    (-1, -1, 1, 0),
    (-1, 0, 0, -1),
    (0, 1, -1, -1),
    (1, 1, -1, 0),
)


@dataclass(frozen=True)
class Grid:
    """Some cells of an endless grid, numbered from 0 in the order in which they are given.

    `square` and `hexagon` make the usual ones.

    Attributes:
        cells: the coordinates of each cell, none twice.
        steps: from a cell to its neighbours; each has its opposite among them.

    Raises:
        ValueError: there is no cell, a cell is given twice, or a step has no opposite.
    """

    cells: tuple[Cell, ...]
    steps: tuple[Cell, ...] = FOUR

    def __post_init__(self) -> None:
        if not self.cells:
            raise ValueError("a grid has at least one cell")
        for cell, count in Counter(self.cells).items():
            if count > 1:
                raise ValueError(f"the cell {cell} stands twice in a grid")
        for x, y in self.steps:
            if (-x, -y) not in self.steps:
                raise ValueError(f"the step {x, y} has no opposite: {-x, -y} is no step")

    def __len__(self) -> int:
        return len(self.cells)

    @cached_property
    def number(self) -> dict[Cell, int]:
        """The number of each cell by its coordinates: the other way round from `cells`."""
        return {cell: number for number, cell in enumerate(self.cells)}

    @cached_property
    def neighbours(self) -> tuple[Path, ...]:
        """The neighbours of each cell, by its number, in the order of `steps`."""
        near = ([(x + dx, y + dy) for dx, dy in self.steps] for x, y in self.cells)
        return tuple(tuple(self.number[it] for it in cells if it in self.number) for cells in near)

    def ray(self, start: int, step: Cell) -> Path:
        """Return the cells from `start` (not included) straight on to the edge or a gap.

        Args:
            start: the number of a cell.
            step: one of `steps`, or any other but (0, 0), as a knight's.
        """
        x, y = self.cells[start]
        found: list[int] = []
        while (place := self.number.get((x := x + step[0], y := y + step[1]))) is not None:
            found.append(place)
        return tuple(found)

    def lines(self, length: int) -> tuple[Path, ...]:
        """Return all straight lines of so many cells, each once: the rows that win a game.

        Lines run along `steps`: diagonal ones need a board with diagonal neighbours.

        Raises:
            ValueError: `length` is less than 2.

        >>> rows = square(3, 3, diagonal=True).lines(3)
        >>> len(rows), rows[0]
        (8, (0, 1, 2))
        """
        if length < 2:
            raise ValueError(f"a line has at least 2 cells, not {length}")
        forth = [step for step in self.steps if step > (0, 0)]
        rays = [(start, self.ray(start, step)) for step in forth for start in range(len(self))]
        return tuple((start, *ray[: length - 1]) for start, ray in rays if len(ray) >= length - 1)

    def rings(self, start: int) -> tuple[Path, ...]:
        """Group the cells by their distance from `start`: itself, its neighbours, and so on.

        `rings(start)[2]` are those two steps away; cells that no steps lead to are in no group.
        """
        found: list[Path] = [(start,)]
        seen = {start}
        while found[-1]:
            near = (place for one in found[-1] for place in self.neighbours[one])
            found.append(tuple(dict.fromkeys(place for place in near if place not in seen)))
            seen.update(found[-1])
        return tuple(found[:-1])

    def flood(self, start: int, inside: Callable[[int], object]) -> Path:
        """Return the cells connected to `start` through cells that are `inside`, ascending.

        `start` is one of them, whether it is `inside` or not. An area of stones of one colour:
        `BOARD.flood(cell, lambda it: stones[it] == stones[cell])`.
        """
        seen, waiting = {start}, [start]
        while waiting:
            for place in self.neighbours[waiting.pop()]:
                if place not in seen and inside(place):
                    seen.add(place)
                    waiting.append(place)
        return tuple(sorted(seen))

    def path(self, start: int, goal: int, free: Callable[[int], object]) -> Path | None:
        """Return a shortest path from `start` to `goal`, both included, or None when there is none.

        `free` says of a number whether that cell, between the two, may be entered. Of several
        shortest paths it is always the same one.

        >>> square(3, 2).path(0, 2, free=lambda cell: cell != 1)
        (0, 3, 4, 5, 2)
        """
        came_from: dict[int, int] = {start: start}
        waiting = deque([start])
        while waiting and goal not in came_from:
            here = waiting.popleft()
            for place in self.neighbours[here]:
                if place not in came_from and (place == goal or free(place)):
                    came_from[place] = here
                    waiting.append(place)
        if goal not in came_from:
            return None
        back = [goal]
        while back[-1] != start:
            back.append(came_from[back[-1]])
        return tuple(reversed(back))

    @cached_property
    def symmetries(self) -> tuple[Path, ...]:
        """All rotations and reflections of the board onto itself, the identity first.

        Each maps every cell to its new place: `turned[symmetry[place]] = cells[place]`.
        """
        hexagonal = set(self.steps) == set(SIX)
        turns = _TURNS_OF_HEXAGONS if hexagonal else _TURNS_OF_SQUARES
        # A reflection is a swap of both coordinates, before the turn.
        mirrored = tuple((b, a, d, c) for a, b, c, d in turns)
        images = (self._image(matrix) for matrix in turns + mirrored)
        return tuple(dict.fromkeys(image for image in images if image is not None))

    def _image(self, matrix: _Matrix) -> Path | None:
        """Map each cell by a matrix and a shift; None when the image is another board."""
        a, b, c, d = matrix
        moved = [(a * x + b * y, c * x + d * y) for x, y in self.cells]
        left, top = _corner(self.cells)
        new_left, new_top = _corner(moved)
        shifted = [(x - new_left + left, y - new_top + top) for x, y in moved]
        if any(cell not in self.number for cell in shifted):
            return None
        return tuple(self.number[cell] for cell in shifted)


def _corner(cells: Iterable[Cell]) -> Cell:
    columns, rows = zip(*cells, strict=True)
    return min(columns), min(rows)


def square(width: int, height: int, *, diagonal: bool = False) -> Grid:
    """Make a board of squares, numbered row by row from the upper left corner.

    The cell in column x and row y, both from 0, has the number `y * width + x`. With `diagonal` a
    cell has eight neighbours, not four.

    Raises:
        ValueError: it has no column or no row.

    >>> square(3, 3).neighbours[0]
    (1, 3)
    >>> square(3, 3, diagonal=True).neighbours[0]
    (1, 3, 4)
    """
    cells = tuple((x, y) for y in range(height) for x in range(width))
    return Grid(cells, EIGHT if diagonal else FOUR)


def hexagon(radius: int) -> Grid:
    """Make a board of hexagons round a middle one, `radius` rings of them, in axial coordinates.

    They are numbered row by row, along q. The hexagons lie with a corner upwards; for boards in
    which a flat side is up, take q for the column.

    Raises:
        ValueError: `radius` is less than 0.

    >>> len(hexagon(2)), hexagon(1).cells
    (19, ((0, -1), (1, -1), (-1, 0), (0, 0), (1, 0), (-1, 1), (0, 1)))
    """
    reach = range(-radius, radius + 1)
    return Grid(tuple((q, r) for r in reach for q in reach if abs(q + r) <= radius), SIX)
