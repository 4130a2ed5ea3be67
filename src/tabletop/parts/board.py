"""Boards of squares or hexagons: names, neighbours, rays, lines, regions, paths, symmetries.

Create a grid once, as a module constant such as `BOARD = square(8, 8)`. The cells of a grid are
numbered from 0. A state contains lists that are indexed by cell number, but not the grid itself.
"""

from __future__ import annotations

import re
from collections import Counter, deque
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final, TypeAlias, TypeVar

from tabletop.wording import plural, quote

T = TypeVar("T")

Cell: TypeAlias = tuple[int, int]
"""Coordinates of a cell.

For squares, column and row from the upper left corner. For hexagons, the axial coordinates q and r
from the centre.
"""

Path: TypeAlias = tuple[int, ...]
"""A sequence of cell numbers."""

FOUR: Final[tuple[Cell, ...]] = ((0, -1), (1, 0), (0, 1), (-1, 0))
"""The four orthogonal steps to the neighbours of a square, clockwise from the top."""

DIAGONAL: Final[tuple[Cell, ...]] = ((1, -1), (1, 1), (-1, 1), (-1, -1))
"""The four diagonal steps on squares, clockwise from the upper right."""

EIGHT: Final[tuple[Cell, ...]] = (*FOUR, *DIAGONAL)
"""The steps to the eight neighbours of a square: `FOUR`, then `DIAGONAL`."""

KNIGHT: Final[tuple[Cell, ...]] = (
    *((1, -2), (2, -1), (2, 1), (1, 2)),
    *((-1, 2), (-2, 1), (-2, -1), (-1, -2)),
)
"""The eight jumps of a knight in chess, clockwise from the top."""

SIX: Final[tuple[Cell, ...]] = ((1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1))
"""The steps to the neighbours of a hexagon in axial coordinates, clockwise from the upper right."""

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
    """A finite set of cells, numbered from 0 in the given order.

    Use `square` and `hexagon` to create the common grids.

    Attributes:
        cells: The coordinates of each cell.
        steps: The steps from a cell to its neighbours. The opposite of each step must also be a
            step.
        names: The name of each cell, such as `e4`, or () if cells have no names.

    Raises:
        ValueError: The grid has no cells, a cell is given twice, a step has no opposite, or the
            names do not distinguish all cells.
    """

    cells: tuple[Cell, ...]
    steps: tuple[Cell, ...] = FOUR
    names: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if not self.cells:
            raise ValueError("a grid needs at least one cell")
        for cell, count in Counter(self.cells).items():
            if count > 1:
                raise ValueError(f"the cell {cell} appears twice in the grid")
        for x, y in self.steps:
            if (-x, -y) not in self.steps:
                raise ValueError(f"the step {x, y} has no opposite (add {-x, -y} to the steps)")
        if self.names and len({*self.names}) != len(self.cells):
            raise ValueError("the names of a grid need a different name for each cell")

    def __len__(self) -> int:
        return len(self.cells)

    @cached_property
    def number(self) -> dict[Cell, int]:
        """The number of each cell by its coordinates."""
        return {cell: number for number, cell in enumerate(self.cells)}

    @cached_property
    def place(self) -> dict[str, int]:
        """The number of each cell by its name."""
        return {name: number for number, name in enumerate(self.names)}

    @cached_property
    def columns(self) -> tuple[str, ...]:
        """The names of the columns of a `square` grid.

        Raises:
            ValueError: The cells have no names.
        """
        if not self.names:
            raise ValueError("the cells of this grid have no names: create it with square(...)")
        width = 1 + max(x for x, _ in self.cells)
        return tuple(name.rstrip("0123456789") for name in self.names[-width:])

    def diagram(
        self, marks: Sequence[str], *, turned: bool = False, last: Container[str] = ()
    ) -> str:
        """Return the board of a `square` grid as text, with the names of rows and columns.

        Args:
            marks: A letter for each cell, by cell number.
            turned: Whether the board is seen from the opposite side.
            last: The names of the cells of the last action, which are put in brackets. On a board
                with at most nine rows, this can be the text of the action, such as `e2e4`.

        >>> print(square(3, 2).diagram("x..o..", last="a1"))
        2 x . .
        1[o]. .
          a b c
        """
        order, width = -1 if turned else 1, len(self.columns)
        pad, lines = len(str(len(self) // width)), list[str]()
        for at in range(0, len(self), width):
            row = range(at, at + width)[::order]
            line = f"{(len(self) - at) // width:{pad}} " + " ".join(marks[cell] for cell in row)
            for place, cell in enumerate(row):
                if self.names[cell] in last:
                    start = pad + 2 * place
                    line = f"{line[:start]}[{marks[cell]}]{line[start + 3 :]}"
            lines.append(line)
        return "\n".join([*lines[::order], f"{'':{pad}} {' '.join(self.columns[::order])}"])

    def parse(self, text: str, men: Container[str], free: str = ".") -> str:
        """Return the contents of the cells of a `square` grid, as a letter for each cell.

        Args:
            text: The rows from the top, separated by `/`, such as `r3k/5`. A number is a number of
                free cells.
            men: The letters of the men.
            free: The letter of a free cell in the result.

        Raises:
            ValueError: The number of rows, a row or a letter is wrong. The message is for players.

        >>> square(3, 2).parse("x2/1o1", "xo")
        'x...o.'
        """
        width, rows = len(self.columns), text.split("/")
        height = len(self) // width
        if len(rows) != height:
            raise ValueError(f"the board has {plural(len(rows), 'row')} instead of {height}")
        spread = [re.sub("[0-9]{1,3}", lambda it: free * int(it[0]), row) for row in rows]
        for number, row in zip(range(height, 0, -1), spread, strict=True):
            if odd := [letter for letter in row if letter != free and letter not in men]:
                raise ValueError(f"row {number} contains {quote(odd[0])}, which is not a piece")
            if len(row) != width:
                squares = plural(len(row), "square")
                raise ValueError(f"row {number} has {squares} instead of {width}")
        return "".join(spread)

    @cached_property
    def neighbours(self) -> tuple[Path, ...]:
        """The neighbours of each cell, by cell number, in the order of `steps`."""
        near = ([(x + dx, y + dy) for dx, dy in self.steps] for x, y in self.cells)
        return tuple(
            tuple(self.number[cell] for cell in cells if cell in self.number) for cells in near
        )

    def ray(self, start: int, step: Cell) -> Path:
        """Return the cells in a straight line from `start` (excluded) to the edge or a gap.

        Args:
            start: The cell number.
            step: The direction. Any step except (0, 0) is possible, such as the move of a knight.

        Raises:
            ValueError: The step is (0, 0).
        """
        if step == (0, 0):
            raise ValueError("a ray needs a step other than (0, 0)")
        x, y = self.cells[start]
        ray: list[int] = []
        while (place := self.number.get((x := x + step[0], y := y + step[1]))) is not None:
            ray.append(place)
        return tuple(ray)

    def rays(self, steps: Iterable[Cell], reach: int | None = None) -> tuple[tuple[Path, ...], ...]:
        """Return the rays from each cell in several directions, by cell number, for `slide`.

        Create them once, as a module constant. Empty rays are omitted.

        Args:
            steps: The directions, such as `DIAGONAL`.
            reach: The maximum number of cells of a ray. By default, there is no limit.

        >>> rooks = square(8, 8).rays(FOUR)
        >>> knights = square(8, 8).rays(KNIGHT, 1)
        >>> rooks[0]
        ((1, 2, 3, 4, 5, 6, 7), (8, 16, 24, 32, 40, 48, 56))
        >>> knights[0]
        ((10,), (17,))
        """
        directions = tuple(steps)
        return tuple(
            tuple(ray for step in directions if (ray := self.ray(start, step)[:reach]))
            for start in range(len(self))
        )

    def lines(self, length: int) -> tuple[Path, ...]:
        """Return all straight lines of `length` cells, such as the winning lines of a game.

        Lines follow `steps`, so diagonal lines require a board with diagonal neighbours.

        Raises:
            ValueError: `length` is less than 2.

        >>> rows = square(3, 3, diagonal=True).lines(3)
        >>> len(rows), rows[0]
        (8, (0, 1, 2))
        """
        if length < 2:
            raise ValueError(f"length must be at least 2, not {length}")
        forth = [step for step in self.steps if step > (0, 0)]
        rays = [(start, self.ray(start, step)) for step in forth for start in range(len(self))]
        return tuple((start, *ray[: length - 1]) for start, ray in rays if len(ray) >= length - 1)

    def rings(self, start: int) -> tuple[Path, ...]:
        """Group the cells by their distance from `start`.

        `rings(start)[2]` contains the cells that are two steps away. Unreachable cells are omitted.
        """
        rings: list[Path] = [(start,)]
        seen = {start}
        while rings[-1]:
            near = (place for cell in rings[-1] for place in self.neighbours[cell])
            rings.append(tuple(dict.fromkeys(place for place in near if place not in seen)))
            seen.update(rings[-1])
        return tuple(rings[:-1])

    def flood(self, start: int, inside: Callable[[int], object]) -> Path:
        """Return the region of `start`: the cells connected to it through `inside` cells.

        The result is sorted and always contains `start`. For example, to find a group of stones of
        one colour: `BOARD.flood(cell, lambda other: stones[other] == stones[cell])`.

        Args:
            start: The number of the first cell.
            inside: Whether the cell with a given number belongs to the region.
        """
        seen, waiting = {start}, [start]
        while waiting:
            for place in self.neighbours[waiting.pop()]:
                if place not in seen and inside(place):
                    seen.add(place)
                    waiting.append(place)
        return tuple(sorted(seen))

    def path(self, start: int, goal: int, free: Callable[[int], object]) -> Path | None:
        """Return a shortest path from `start` to `goal`, both included, or None if none exists.

        If there are several shortest paths, the choice is always the same.

        Args:
            start: The number of the first cell.
            goal: The number of the last cell.
            free: Whether the path may pass through the cell with a given number. This function is
                not called for `start` and `goal`.

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
        """All rotations and reflections of the board onto itself, starting with the identity.

        Each symmetry maps every cell to its new cell: `turned[symmetry[cell]] = cells[cell]`.
        """
        hexagonal = set(self.steps) == set(SIX)
        turns = _TURNS_OF_HEXAGONS if hexagonal else _TURNS_OF_SQUARES
        # A reflection is a swap of both coordinates, before the turn.
        mirrored = tuple((b, a, d, c) for a, b, c, d in turns)
        images = (self._image(matrix) for matrix in turns + mirrored)
        return tuple(dict.fromkeys(image for image in images if image is not None))

    def _image(self, matrix: _Matrix) -> Path | None:
        """Map each cell by a matrix and a shift, or return None for a different board."""
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


def slide(rays: Iterable[Path], cells: Sequence[T], free: T) -> Iterator[int]:
    """Yield the cells of each ray up to the first occupied cell, which is included.

    Args:
        rays: The rays from a cell: an item of `Grid.rays`.
        cells: The contents of each cell, by cell number.
        free: The content of a free cell.

    >>> [*slide([(1, 2, 3, 4, 5)], "r..P....", ".")]
    [1, 2, 3]
    """
    for ray in rays:
        for place in ray:
            yield place
            if cells[place] != free:
                break


def short_move(
    piece: str, start: str, goal: str, rivals: Iterable[str], *, takes: bool = False
) -> str:
    """Return a move in short notation, such as `Nbd7` or `R1xa3`.

    The column, the row or the whole square of origin is included if rivals make it necessary. A
    capture by a piece without a letter always has the column, such as `exd5`.

    Args:
        piece: The letter of the piece, or "" for a pawn.
        start: The name of the square of origin.
        goal: The name of the square where the piece goes.
        rivals: The squares of origin of all moves of equal pieces to this square. They may include
            `start`.
        takes: Whether the piece captures another one.

    >>> short_move("N", "b8", "d7", ["f6"])
    'Nbd7'
    >>> short_move("R", "a1", "a3", ["a5"], takes=True)
    'R1xa3'
    >>> short_move("", "e4", "d5", [], takes=True)
    'exd5'
    """
    others = {*rivals} - {start}
    origin = start if others else ""
    is_capture_by_pawn = takes and not piece
    if (others or is_capture_by_pawn) and all(other[0] != start[0] for other in others):
        origin = start[0]
    elif others and all(other[1:] != start[1:] for other in others):
        origin = start[1:]
    return f"{piece}{origin}{'x' if takes else ''}{goal}"


def square(width: int, height: int, *, diagonal: bool = False, columns: str = "") -> Grid:
    """Create a board of squares, numbered row by row from the upper left corner.

    The cell in column x and row y, both from 0, has the number `y * width + x`. The name of a cell
    is the letter of its column and the number of its row from the bottom: `a1` is at the lower
    left.

    Args:
        width: The number of columns.
        height: The number of rows.
        diagonal: Whether a cell has eight neighbours instead of four.
        columns: The letters of the columns, if they are not `abc...`. Go omits the letter i.

    Raises:
        ValueError: The board has no columns or no rows, or `columns` does not have a different
            letter for each column.

    >>> square(3, 2).names
    ('a2', 'b2', 'c2', 'a1', 'b1', 'c1')
    >>> square(3, 3).neighbours[0]
    (1, 3)
    >>> square(3, 3, diagonal=True).neighbours[0]
    (1, 3, 4)
    """
    cells = tuple((x, y) for y in range(height) for x in range(width))
    if columns and len({*columns}) != width:
        raise ValueError(f"columns must have {width} different letters, not {columns!r}")
    letters = columns or [chr(ord("a") + x % 26) * (1 + x // 26) for x in range(width)]
    names = tuple(f"{letters[x]}{height - y}" for x, y in cells)
    return Grid(cells, EIGHT if diagonal else FOUR, names)


def hexagon(radius: int) -> Grid:
    """Create a hexagonal board of hexagons in axial coordinates, numbered row by row along q.

    In a drawing, a corner of each hexagon points up. For hexagons with a flat top, use q as the
    column.

    Args:
        radius: The number of rings around the central cell, 0 or more.

    Raises:
        ValueError: `radius` is negative.

    >>> len(hexagon(2)), hexagon(1).cells
    (19, ((0, -1), (1, -1), (-1, 0), (0, 0), (1, 0), (-1, 1), (0, 1)))
    """
    reach = range(-radius, radius + 1)
    return Grid(tuple((q, r) for r in reach for q in reach if abs(q + r) <= radius), SIX)
