"""Lines that fit a terminal: broken at blanks, where a terminal would break them within a word.

Pictures and commands are left alone: a board keeps its shape, and what is to be pasted into a shell
stays one line for it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from tabletop.wording import width_of

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
