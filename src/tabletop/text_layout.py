"""Text in lines and columns: lines that fit a terminal, tables, and lists of words with meanings.

Lines are broken at blanks. Pictures keep their shape, and a command to paste into a shell stays one
line.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import zip_longest
from typing import Final

from tabletop.wording import width_of

_GAP: Final = "  "
"""The gap between the columns of a table."""

_INDENT: Final = 4
"""The indentation of a meaning below its words."""

_COLOUR: Final = re.compile(r"\x1b\[[0-9;]*m")
"""Control sequences for colours, which take no cell."""

_PICTURE: Final = re.compile(r"[\u2500-\u259f]|^\s*\||\|\s*$")
"""A character, or an edge, that only lines of pictures have."""

_COLUMN: Final = re.compile(r"\s*(?:\S.*\s{2,})?")
"""The text before the last column of a table, or the indentation of a line."""

_COMMAND: Final = re.compile(r"(?:(?<=: )|(?<=  ))(?!argument )(?:tabletop \S|[a-z]+ --?[a-z]).*$")
"""A command for a shell, behind a colon or in a column: `tabletop resume`, `sorcery -bot 2`; not
`argument -seed`, as argparse names an option."""


def fit(text: str, columns: int) -> str:
    r"""Break every line that is too long at blanks; indent the rest below it.

    Lines of a table are broken in their last column, if that has half of the line. A long word,
    such as a path, moves to the left where it would not fit otherwise. Pictures, commands, and
    words that are longer than a line stay as they are.

    Args:
        text: lines of text, which may have colours.
        columns: the maximum width of a line; 0 for no limit.

    >>> print(fit("quit    Leave the match, which can go on.", 30))
    quit    Leave the match, which
            can go on.
    """
    if not columns or (len(text) <= columns and text.isascii()):
        return text
    return "\n".join(it for line in text.split("\n") for it in _fit_line(line, columns))


def _fit_line(line: str, columns: int) -> Iterator[str]:
    before = _COLUMN.match(line)
    start = before[0] if before else ""
    indent = _cells(start)
    if _cells(line) <= columns or _PICTURE.search(line) or indent > columns // 2:
        yield line
        return
    piece, blank = start, ""
    for word in _words(line[len(start) :]):
        is_column = not blank and _cells(word) > columns  # else no gain
        if _cells(piece + blank + word) > columns and piece.strip() and not is_column:
            yield piece.rstrip()
            piece, blank = " " * max(0, min(indent, columns - _cells(word))), ""
        piece, blank = piece + blank + word, " "
    yield piece


def _words(prose: str) -> Iterator[str]:
    """Yield the words of a line; a command at its end is one of them."""
    command = _COMMAND.search(f"  {prose}")
    if command is None:
        yield from prose.split()
    else:
        yield from prose[: command.start() - 2].split()
        yield command[0]


def _cells(text: str) -> int:
    return width_of(_COLOUR.sub("", text))


def definitions(rows: Sequence[tuple[str, str]], columns: int = 0, *, least: int = 10) -> str:
    """Lay out words and their meanings side by side; later lines of a meaning are below its first.

    Where there is no room beside the words, the meanings are put below them.

    Args:
        rows: the words, and their meanings, in one line or more.
        columns: the maximum width of a line; 0 for no limit.
        least: the minimum width of the column of meanings; below it, they are put below the words.

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
        pieces = [it for line in meaning.split("\n") for it in _wrap(line, columns - width)]
        first = words if is_below else _pad(words, width) + pieces.pop(0)
        lines += [first, *(" " * width + it for it in pieces)]
    return "\n".join(line.rstrip() for line in lines)


def table(
    titles: Sequence[str],
    rows: Sequence[Sequence[str]],
    columns: int = 0,
    *,
    right: Collection[int] = (),
) -> str:
    """Lay out a table; in one that is too wide, the longest cells are broken first.

    If not even words have room side by side, each row is a block with a line for each cell.

    Args:
        titles: the titles of the columns.
        rows: the rows, with a cell for each column.
        columns: the maximum width of a line; 0 for no limit.
        right: the indices of columns that are aligned to the right.

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
        least = [max(_cells(word) for it in cells for word in it.split(" ")) for cells in by_column]
        if sum(least) > room:
            blocks = (list(zip(titles, row, strict=True)) for row in rows)
            return "\n\n".join(definitions(block, columns, least=1) for block in blocks)
        while sum(widths) > room:
            widest = max(range(len(widths)), key=lambda it: (widths[it] > least[it], widths[it]))
            widths[widest] -= 1
    return "\n".join(it for line in lines for it in _row(line, widths, right))


def in_columns(cells: Sequence[Sequence[str]]) -> list[str]:
    """Lay out columns of as many cells side by side; return the lines. One of blanks is left out.

    >>> in_columns([["Ann", "Cid"], ["", ""], ["12", "9"], ["qs", "-"]])
    ['Ann  12  qs', 'Cid  9   -']
    """
    kept = [column for column in cells if any(it.strip() for it in column)]
    widths = [max(map(_cells, column)) for column in kept]
    return [line for row in zip(*kept, strict=True) for line in _row(row, widths, ())]


def side_by_side(cells: Sequence[str], columns: int) -> list[str]:
    """Lay out short texts in as many columns as fit, read from top to bottom; return the lines.

    >>> side_by_side(["1  ask", "2  bet", "3  fold"], 18)
    ['1  ask   3  fold', '2  bet']
    """
    beside = fit_beside(map(_cells, cells), columns)
    rows = -(-len(cells) // beside)
    width = max(map(_cells, cells), default=0)
    return [_GAP.join(_pad(it, width) for it in cells[row::rows]).rstrip() for row in range(rows)]


def fit_beside(widths: Iterable[int], columns: int) -> int:
    """Return how many texts of these widths, in cells, fit a line side by side: at least one."""
    return max(1, (columns + len(_GAP)) // (max(widths, default=1) + len(_GAP)))


def _row(cells: Sequence[str], widths: Sequence[int], right: Collection[int]) -> Iterator[str]:
    broken = [_wrap(cell, width) for cell, width in zip(cells, widths, strict=True)]
    for pieces in zip_longest(*broken, fillvalue=""):
        padded = [
            _pad(it, width, right=index in right)
            for index, (it, width) in enumerate(zip(pieces, widths, strict=True))
        ]
        yield _GAP.join(padded).rstrip()


def _pad(text: str, width: int, *, right: bool = False) -> str:
    blanks = " " * (width - _cells(text))
    return blanks + text if right else text + blanks


def _wrap(text: str, width: int) -> list[str]:
    """Wrap a text into as many lines as it needs; a width below 1 is any width."""
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
