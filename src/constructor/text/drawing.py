"""Draw the board in characters, as in Figure 3 of the document (Constructor §2.1)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from constructor.rules.board import Board, Cell
from constructor.rules.state import (
    COLOURS,
    LEVEL_LETTERS,
    NOBODY,
    NOWHERE,
    ConstructorState,
    Resource,
)
from tabletop.display import Size

CELL_WIDTH: Final = 10  # distance between neighbouring columns of vertices, in characters
ROW_LINES: Final = {2: 4, 1: 6}  # lines between neighbouring rows of vertices, by `Board.rows`
TEXT_LINE: Final = {2: 2, 1: 1}  # lines above the number of a tile, by `Board.rows`
COMPACT_WIDTH: Final = 14  # distance of columns on the compact board, in characters
MARGIN: Final = 2  # characters left of the first vertices, for the numbers of edges
LINES_BELOW: Final = 9  # reserved for the summary, the turn, the status and the prompt

ROAD_LETTER: Final = "R"


class _Canvas:
    def __init__(self, lines: int, columns: int) -> None:
        self._lines = [[" "] * columns for _ in range(lines)]

    def write(self, line: int, column: int, text: str) -> None:
        self._lines[line][column : column + len(text)] = text

    def __str__(self) -> str:
        return "\n".join("".join(line).rstrip() for line in self._lines)


def draw_board(state: ConstructorState) -> str:
    """Draw the board and its buildings, without trailing spaces and without a final newline."""
    board = state.topology
    step = ROW_LINES[board.rows]
    rows = max(row for row, _ in board.vertices)
    columns = max(column for _, column in board.vertices)
    canvas = _Canvas(rows * step + 1, columns * CELL_WIDTH + 4)
    _draw_edges(canvas, state, board, step)
    for vertex, (row, column) in enumerate(board.vertices):
        canvas.write(row * step, column * CELL_WIDTH, f"|{_residence(state, vertex):>2}|")
    for number, (row, column) in enumerate(board.tiles):
        _draw_tile(canvas, state, number, row * step + TEXT_LINE[board.rows], column * CELL_WIDTH)
    return str(canvas)


def _draw_edges(canvas: _Canvas, state: ConstructorState, board: Board, step: int) -> None:
    for number, edge in enumerate(board.edges):
        row, column = edge.cell
        label = f"{_road(state, number):>2}"
        line, left = row * step, column * CELL_WIDTH
        if edge.level:
            canvas.write(line, left + 4, f"--{label}--")
            continue
        for down in range(1, step):
            canvas.write(line + down, left + 2, "|")
        canvas.write(line + step // 2, left + 1, label)


def _draw_tile(
    canvas: _Canvas, state: ConstructorState, number: int, line: int, column: int
) -> None:
    tile = state.tiles[number]
    canvas.write(line, column + 6, f"{number:>2}")
    canvas.write(line + 1, column + 5, f"{tile.kind.name:<7}")
    if tile.kind is not Resource.PARK:
        canvas.write(line + 2, column + 6, f"{tile.value:>2}")
    if number == state.geese:
        canvas.write(line + 3, column + 5, "GEESE")


def _residence(state: ConstructorState, vertex: int) -> str:
    owner = state.homes[vertex]
    if owner == NOBODY:
        return str(vertex)
    return COLOURS[owner][0] + LEVEL_LETTERS[state.levels[vertex] - 1]


def _road(state: ConstructorState, edge: int) -> str:
    owner = state.roads[edge]
    return str(edge) if owner == NOBODY else COLOURS[owner][0] + ROAD_LETTER


def draw_fitting(state: ConstructorState, size: Size) -> str:
    """Draw the board with `draw_board`, or with `draw_compact` if the terminal is too small."""
    for drawn in (draw_board(state), draw_compact(state, roomy=True)):
        lines = drawn.split("\n")
        if len(lines) + LINES_BELOW <= size.rows and max(map(len, lines)) < size.columns:
            return drawn
    return draw_compact(state)


def draw_compact(state: ConstructorState, *, roomy: bool = False) -> str:
    """Draw the board with one line for each row of vertices, for small terminals.

    The standard board takes 12 lines of at most 79 columns, instead of 41 lines. `|20|31-27-32|21|`
    shows the vertices 20 and 21, the horizontal edge 27 between them, and next to each vertex the
    number of the edge below it. If these numbers would overlap tiles, or the board is to be
    `roomy`, they have separate lines. Then the standard board takes 22 lines of 86 columns.
    """
    board = state.topology
    middles = {(row + 1, column) for row, column in board.tiles if board.rows == 2}
    level = {edge.cell for edge in board.edges if edge.level}
    apart = not any((row, column - 1) in middles for row, column in middles)
    merged = bool(middles) and apart and not roomy
    step, width = (1, COMPACT_WIDTH) if merged else (2, COMPACT_WIDTH + 2)

    def shift(cell: Cell) -> int:
        """Return the number of columns to move a vertex right, to make room for a tile."""
        return merged and (2 if cell in level else (cell[0], cell[1] - 1) in middles)

    def left_of(cell: Cell) -> int:
        return MARGIN + cell[1] * width + shift(cell)

    rows = max(row for row, _ in board.vertices)
    canvas = _Canvas(rows * step + 1, max(map(left_of, board.vertices)) + 4 + MARGIN)
    for vertex, cell in enumerate(board.vertices):
        canvas.write(cell[0] * step, left_of(cell), f"|{_residence(state, vertex):>2}|")
    for number, edge in enumerate(board.edges):
        line, left, label = edge.cell[0] * step, left_of(edge.cell), f"{_road(state, number):>2}"
        if edge.level and merged:
            canvas.write(line, left + 6, f"-{label}-")
        elif edge.level:
            canvas.write(line, left + 4, f"-{label}-".center(width - 4, "-"))
        elif merged:
            canvas.write(line, left + 4 if shift(edge.cell) else left - MARGIN, label)
        else:
            canvas.write(line + 1, left + 1, label)
    for number, (row, column) in enumerate(board.tiles):
        tile, mark = state.tiles[number], " *"[number == state.geese]
        value = "" if tile.kind is Resource.PARK else tile.value
        text = f"{number:>2}{mark}{tile.kind.name}{value:>{8 - len(tile.kind.name)}}"
        canvas.write(row * step + 1, MARGIN + column * width + 4, text)
    geese = f"* GEESE on tile {state.geese}. " if state.geese != NOWHERE else ""
    legend = "A number beside |a vertex| is the edge below it." if merged else ""
    return f"{canvas}\n{geese}{legend}".rstrip()


RESET: Final = "\x1b[0m"
INKS: Final[Mapping[str, str]] = {
    "Blue": "\x1b[1;94m",
    "Red": "\x1b[1;91m",
    "Orange": "\x1b[1;38;5;208m",
    "Yellow": "\x1b[1;93m",
}
"""Escape sequence of each colour.

Orange is one of the 256 colours, because the first 16 do not include it.
"""

KINDS: Final[Mapping[str, str]] = {
    "BRICK": "\x1b[31m",
    "ENERGY": "\x1b[33m",
    "GLASS": "\x1b[36m",
    "HEAT": "\x1b[38;5;172m",
    "WIFI": "\x1b[35m",
    "PARK": "\x1b[32m",
}
"""Escape sequence of each kind of tile. They are not bold, unlike the builders."""

_BY_LETTER: Final = {colour[0]: colour for colour in COLOURS}
_NAMES: Final = "|".join((*INKS, *KINDS))
_MARKS: Final = f"[{''.join(_BY_LETTER)}][{LEVEL_LETTERS}{ROAD_LETTER}]"
_PAINTED: Final = re.compile(rf"\b(?:({_NAMES})|{_MARKS})\b")


def paint(text: str) -> str:
    r"""Add escape sequences around builders, their marks and kinds of tiles, for terminals.

    >>> paint("|BB|-- 0--")
    '|\x1b[1;94mBB\x1b[0m|-- 0--'
    """

    def paint_word(match: re.Match[str]) -> str:
        word = match[0]
        ink = KINDS.get(word) or INKS[match[1] or _BY_LETTER[word[0]]]
        return f"{ink}{word}{RESET}"

    return _PAINTED.sub(paint_word, text)
