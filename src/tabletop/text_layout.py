"""Layout of plain text: line wrapping, tables, columns and definition lists.

Lines break at spaces. Text pictures and shell commands are never broken.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import zip_longest
from typing import Final

from tabletop.wording import width_of

_GAP: Final = "  "
"""Gap between the columns of a table."""

_INDENT: Final = 4
"""Indentation of a meaning that is printed below its words."""

_COLOUR: Final = re.compile(r"\x1b\[[0-9;]*m")
"""Control sequences for colours, which take up no cells of the terminal."""

_PICTURE: Final = re.compile(r"[\u2500-\u259f]|^\s*\||\|\s*$")
"""Characters and line ends that occur only in text pictures."""

_COLUMN: Final = re.compile(r"\s*(?:\S.*\s{2,})?")
"""Text before the last column of a table, or the indentation of a line."""

_COMMAND: Final = re.compile(r"(?:(?<=: )|(?<=  ))(?!argument )(?:tabletop \S|[a-z]+ --?[a-z]).*$")
"""A shell command after a colon or in a column, such as `tabletop resume` or `sorcery -bot 2`.

`argument -seed`, which argparse writes, is not a command.
"""


def fit(text: str, columns: int) -> str:
    r"""Wrap lines that are too long, and indent their continuation lines.

    Lines of a table are wrapped in their last column, if that column takes up at least half of the
    width. A long word, such as a path, moves to the left if it does not fit otherwise. Text
    pictures, commands, and words longer than a line are unchanged.

    Args:
        text: Lines of text, which may contain colours.
        columns: Maximum width of a line in cells, or 0 for no limit.

    >>> print(fit("quit    Leave the match. You can resume it.", 30))
    quit    Leave the match. You
            can resume it.
    """
    if not columns or (len(text) <= columns and text.isascii()):
        return text
    return "\n".join(piece for line in text.split("\n") for piece in _fit_line(line, columns))


def _fit_line(line: str, columns: int) -> Iterator[str]:
    before = _COLUMN.match(line)
    start = before[0] if before else ""
    indent = _cells(start)
    if _cells(line) <= columns or _PICTURE.search(line) or indent > columns // 2:
        yield line
        return
    piece, blank = start, ""
    for word in _words(line[len(start) :]):
        # A word longer than a line would not fit on the next line either.
        is_column = not blank and _cells(word) > columns
        if _cells(piece + blank + word) > columns and piece.strip() and not is_column:
            yield piece.rstrip()
            piece, blank = " " * max(0, min(indent, columns - _cells(word))), ""
        piece, blank = piece + blank + word, " "
    yield piece


def _words(prose: str) -> Iterator[str]:
    """Yield the words of a line. A command at the end counts as one word."""
    command = _COMMAND.search(f"  {prose}")
    if command is None:
        yield from prose.split()
    else:
        yield from prose[: command.start() - 2].split()
        yield command[0]


def _cells(text: str) -> int:
    return width_of(_COLOUR.sub("", text))


def definitions(rows: Sequence[tuple[str, str]], columns: int = 0, *, least: int = 10) -> str:
    """Lay out words and their meanings in two columns.

    If the second column would be too narrow, each meaning is printed below its words.

    Args:
        rows: Pairs of words and their meaning. A meaning may have several lines.
        columns: Maximum width of a line in cells, or 0 for no limit.
        least: Minimum width of the second column.

    >>> rows = [("end", "End your turn."), ("attack", "Order an attack.")]
    >>> print(definitions(rows, 20))
    end     End your
            turn.
    attack  Order an
            attack.
    """
    width = max((_cells(words) for words, _ in rows), default=0) + len(_GAP)
    is_below = 0 < columns < width + least
    width = _INDENT if is_below else width
    lines = []
    for words, meaning in rows:
        pieces = [piece for line in meaning.split("\n") for piece in _wrap(line, columns - width)]
        first = words if is_below else _pad(words, width) + pieces.pop(0)
        lines += [first, *(" " * width + piece for piece in pieces)]
    return "\n".join(line.rstrip() for line in lines)


def table(
    titles: Sequence[str],
    rows: Sequence[Sequence[str]],
    columns: int = 0,
    *,
    right: Collection[int] = (),
) -> str:
    """Lay out a table. If it is too wide, the widest columns are wrapped first.

    If the columns do not fit even when every cell is wrapped at each space, each row becomes a
    block with one line per cell.

    Args:
        titles: Titles of the columns.
        rows: Rows, with one cell per column.
        columns: Maximum width of a line in cells, or 0 for no limit.
        right: Indices of right-aligned columns.

    >>> print(table(["SEED", "WON BY"], [["old oak", "Ada Lovelace"]], 17))
    SEED     WON BY
    old oak  Ada
             Lovelace
    """
    lines = [titles, *rows]
    by_column = list(zip(*lines, strict=True))
    widths = [max(map(_cells, cells)) for cells in by_column]
    room = columns - len(_GAP) * (len(titles) - 1)
    if columns and sum(widths) > room:
        least = [
            max(_cells(word) for cell in cells for word in cell.split(" ")) for cells in by_column
        ]
        if sum(least) > room:
            blocks = (list(zip(titles, row, strict=True)) for row in rows)
            return "\n\n".join(definitions(block, columns, least=1) for block in blocks)
        while sum(widths) > room:
            widest = max(range(len(widths)), key=lambda i: (widths[i] > least[i], widths[i]))
            widths[widest] -= 1
    return "\n".join(text for line in lines for text in _row(line, widths, right))


def in_columns(cells: Sequence[Sequence[str]]) -> list[str]:
    """Lay out columns of equal length side by side, and return the lines.

    Columns that contain only spaces are omitted.

    >>> in_columns([["Ann", "Cid"], ["", ""], ["12", "9"], ["qs", "-"]])
    ['Ann  12  qs', 'Cid  9   -']
    """
    kept = [column for column in cells if any(cell.strip() for cell in column)]
    widths = [max(map(_cells, column)) for column in kept]
    return [line for row in zip(*kept, strict=True) for line in _row(row, widths, ())]


def side_by_side(cells: Sequence[str], columns: int) -> list[str]:
    """Lay out short strings in as many columns as fit, from top to bottom, and return the lines.

    >>> side_by_side(["1  ask", "2  bet", "3  fold"], 18)
    ['1  ask   3  fold', '2  bet']
    """
    beside = fit_beside(map(_cells, cells), columns)
    rows = -(-len(cells) // beside)
    width = max(map(_cells, cells), default=0)
    return [
        _GAP.join(_pad(cell, width) for cell in cells[row::rows]).rstrip() for row in range(rows)
    ]


def fit_beside(widths: Iterable[int], columns: int) -> int:
    """Return the number of columns of these widths that fit into a line, at least 1."""
    return max(1, (columns + len(_GAP)) // (max(widths, default=1) + len(_GAP)))


def _row(cells: Sequence[str], widths: Sequence[int], right: Collection[int]) -> Iterator[str]:
    broken = [_wrap(cell, width) for cell, width in zip(cells, widths, strict=True)]
    for pieces in zip_longest(*broken, fillvalue=""):
        padded = [
            _pad(piece, width, right=index in right)
            for index, (piece, width) in enumerate(zip(pieces, widths, strict=True))
        ]
        yield _GAP.join(padded).rstrip()


def _pad(text: str, width: int, *, right: bool = False) -> str:
    blanks = " " * (width - _cells(text))
    return blanks + text if right else text + blanks


def _wrap(text: str, width: int) -> list[str]:
    """Wrap a text at spaces. A width below 1 means no limit."""
    if width <= 0 or _cells(text) <= width:
        return [text]
    lines = [""]
    for word in text.split():
        longer = f"{lines[-1]} {word}".lstrip()
        if lines[-1] and _cells(longer) > width:
            lines.append(word)
        else:
            lines[-1] = longer
    return lines
