"""Lines that fit a terminal: broken at blanks, where a terminal would break them within a word.

Pictures and commands are left alone: a board keeps its shape, and what is to be pasted into a shell
stays one line for it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import zip_longest
from typing import Final

from tabletop.wording import width_of

_GAP: Final = "  "
"""What stands between the columns of a table."""

_COLOUR: Final = re.compile(r"\x1b\[[0-9;]*m")
"""What changes colours takes no cell."""

_PICTURE: Final = re.compile(r"[\u2500-\u259f]|^\s*\||\|\s*$")
"""What lines of pictures have in them: lines that are drawn."""

_COLUMN: Final = re.compile(r"\s*(?:\S.*\s{2,})?")
"""What stands before the last column of a table, or the indentation of a line."""

_COMMAND: Final = re.compile(r"(?:(?<=: )|(?<=  ))(?:tabletop \S|[a-z]+ --?[a-z]).*$")
"""A command for a shell, behind a colon or in a column: `tabletop resume`, `sorcery -bot 2`."""


def fitted(text: str, columns: int) -> str:
    r"""`text` with every line that is too long broken at blanks; the rest is set in below it.

    Lines of a table are broken in their last column, if that has half of the line; a long word,
    such as a path, goes to its left where it would not fit else. Pictures stay as they are, and so
    do commands, and words that are longer than a line.

    Args:
        text: lines of text, which may have colours.
        columns: how wide a line may be; 0 for any.

    >>> print(fitted("end     End your turn.\nquit    Leave the match, which can go on.", 30))
    end     End your turn.
    quit    Leave the match, which
            can go on.
    """
    if not columns or (len(text) <= columns and text.isascii()):
        return text
    return "\n".join(it for line in text.split("\n") for it in _broken(line, columns))


def _broken(line: str, columns: int) -> Iterator[str]:
    """A line in as many as it needs."""
    before = _COLUMN.match(line)
    start = before[0] if before else ""
    set_in = _cells(start)
    if _cells(line) <= columns or _PICTURE.search(line) or set_in > columns // 2:
        yield line
        return
    piece, blank = start, ""
    for word in _words(line[len(start) :]):
        is_column = not blank and _cells(word) > columns  # a line of its own would not help
        if _cells(piece + blank + word) > columns and piece.strip() and not is_column:
            yield piece.rstrip()
            piece, blank = " " * max(0, min(set_in, columns - _cells(word))), ""
        piece, blank = piece + blank + word, " "
    yield piece


def _words(prose: str) -> Iterator[str]:
    """The words of a line; a command at its end is one of them."""
    command = _COMMAND.search(f"  {prose}")
    if command is None:
        yield from prose.split()
    else:
        yield from prose[: command.start() - 2].split()
        yield command[0]


def _cells(text: str) -> int:
    return width_of(_COLOUR.sub("", text))


def tabled(titles: Sequence[str], rows: Sequence[Sequence[str]], columns: int) -> str:
    """A table; cells of one that is too wide are broken at blanks, the longest first.

    Where not even words have room side by side, each row is a block with a line for each cell.

    Args:
        titles: of the columns.
        rows: a cell for each of them.
        columns: how wide a line may be; 0 for any.

    >>> print(tabled(["SEED", "WON BY"], [["old oak", "Ada Lovelace"]], 17))
    SEED     WON BY
    old oak  Ada
             Lovelace
    """
    lines = [titles, *rows]
    by_column = list(zip(*lines, strict=True))
    widths = [max(map(_cells, cells)) for cells in by_column]
    if columns:
        least = [max(_cells(word) for it in cells for word in it.split(" ")) for cells in by_column]
        room = columns - len(_GAP) * (len(titles) - 1)
        if sum(least) > room:
            return "\n\n".join(_block(titles, row, columns) for row in rows)
        while sum(widths) > room:
            spare = [max(0, width - fewest) for width, fewest in zip(widths, least, strict=True)]
            widest = max(range(len(widths)), key=lambda it: (spare[it] > 0, widths[it]))
            widths[widest] -= 1
    return "\n".join(it for line in lines for it in _row(line, widths))


def _block(titles: Sequence[str], row: Sequence[str], columns: int) -> str:
    """A row of a table as a line or more for each cell, behind its title."""
    indent = max(map(_cells, titles)) + len(_GAP)
    lines = []
    for title, cell in zip(titles, row, strict=True):
        first, *more = _pieces(cell, columns - indent)
        lines += [f"{title:<{indent}}{first}", *(" " * indent + it for it in more)]
    return "\n".join(line.rstrip() for line in lines)


def _row(cells: Sequence[str], widths: Sequence[int]) -> Iterator[str]:
    """The lines of a row of a table."""
    broken = [list(_pieces(cell, width)) for cell, width in zip(cells, widths, strict=True)]
    for pieces in zip_longest(*broken, fillvalue=""):
        padded = (it + " " * (width - _cells(it)) for it, width in zip(pieces, widths, strict=True))
        yield _GAP.join(padded).rstrip()


def _pieces(cell: str, width: int) -> Iterator[str]:
    """A cell in as many lines as it needs; its words have room."""
    if _cells(cell) <= width:
        yield cell
        return
    piece = ""
    for word in cell.split():
        longer = f"{piece} {word}".lstrip()
        if piece and _cells(longer) > width:
            yield piece
            longer = word
        piece = longer
    yield piece
