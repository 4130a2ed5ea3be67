"""The board in characters, as the document's Figure 3 draws it (Constructor §2.1)."""

from __future__ import annotations

from typing import Final

from constructor.board import Board
from constructor.state import COLOURS, LEVEL_LETTERS, NOBODY, ConstructorState, Resource

CELL_WIDTH: Final = 10
"""From one vertex to the next one on its right, in characters."""

ROW_LINES: Final = {2: 4, 1: 6}
"""From one row of vertices to the next, in lines, by the rows that a tile covers."""

TEXT_LINE: Final = {2: 2, 1: 1}
"""How far below a tile's upper edge its number stands, in lines, by the same."""

ROAD_LETTER: Final = "R"


class _Canvas:
    """Lines of characters that can be written anywhere."""

    def __init__(self, lines: int, columns: int) -> None:
        self._lines = [[" "] * columns for _ in range(lines)]

    def write(self, line: int, column: int, text: str) -> None:
        self._lines[line][column : column + len(text)] = text

    def __str__(self) -> str:
        return "\n".join("".join(line).rstrip() for line in self._lines)


def draw_board(state: ConstructorState) -> str:
    """The board with what is built on it, without a final newline. No line ends in blanks.

    A vertex without a residence and an edge without a road show their numbers; the others show the
    first letter of the owner's colour and what stands there. `GEESE` stands below a tile's value.
    """
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
