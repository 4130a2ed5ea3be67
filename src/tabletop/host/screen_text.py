r"""Text that is safe for a terminal: it moves no cursor, and reads in order.

Names, seeds, titles, paths and records may come from anybody, and a terminal obeys some characters
instead of showing them: control characters (ESC and what begins with it, backspace, C1), lone
surrogates, and those that turn around the order in which the others are read. Everything that the
programs say goes through a `sanitized_stream`, which replaces them, whoever wrote them.

>>> sanitize("\x1b[2Jold\toak")
'�[2Jold oak'
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable
from shutil import get_terminal_size
from typing import Any, Final, TextIO, cast
from unicodedata import category, normalize

from tabletop.text_layout import fit

REPLACEMENT: Final = "\N{REPLACEMENT CHARACTER}"
"""Stands for a character that is not shown."""

# C0 but for tab and newline, DEL, C1, line and paragraph separators, and what overrides or isolates
# the direction of writing.
_HARMFUL: Final = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u206f]")
_SURROGATE: Final = re.compile(r"[\ud800-\udfff]")
"""Half a character, or a byte of a path that is no text; `?` stands for it, as for all that an
encoding cannot say."""

_NUMBER: Final = re.compile(r"[+-]?\d+(\.\d+)?")
_BEGINS_FORMULA: Final = (*"=+-@", *"\uff1d\uff0b\uff0d\uff20", *"\t\r\n")
"""The middle ones are those before them as East Asian keyboards have them."""


def sanitize(text: str) -> str:
    """Remove from `text` all that a terminal would obey; tabs become blanks, lines stay lines."""
    # Nearly every text ends here: two looks at flags and bytes in place of two regular expressions.
    if text.isascii() and text.isprintable():
        return text
    return _SURROGATE.sub("?", _HARMFUL.sub(REPLACEMENT, text.expandtabs()))


def printable(text: str) -> str:
    """Put `text` on one line, without anything that a terminal would obey."""
    return sanitize(text.replace("\n", REPLACEMENT))


def is_visible(text: str) -> bool:
    """Check whether a text shows anything: some characters have no shape."""
    return any(category(letter)[0] in "LNPS" for letter in text)


def distinct_names(names: Iterable[str]) -> list[str]:
    """Return the names of the seats so that each is visible and no two look the same.

    >>> distinct_names(["Ada", "", "ada"])
    ['Ada', 'Player 2', 'ada (3)']
    """
    distinct: dict[str, str] = {}
    for number, name in enumerate(names, 1):
        label = name if is_visible(name) else f"Player {number}"
        while _shape(label) in distinct:
            label = f"{label} ({number})"
        distinct[_shape(label)] = label
    return [*distinct.values()]


def _shape(name: str) -> str:
    """Return the visible letters of a name, in one letter case."""
    folded = normalize("NFKC", name).casefold()
    return " ".join("".join(it for it in folded if category(it) != "Cf").split())


def printable_names(names: Iterable[str]) -> tuple[str, ...]:
    """Names made safe to print, each within one line."""
    return tuple(map(printable, names))


def csv_cell(value: object) -> object:
    """Format a value as a cell of CSV: numbers as they are, texts on one line, and no formulas.

    An apostrophe in front of a formula makes it a text for a spreadsheet. So it does after a
    semicolon, which separates cells where numbers have commas.
    """
    if not isinstance(value, str):
        return value
    return ";".join(map(_escape_formula, value.split(";")))


def _escape_formula(text: str) -> str:
    is_formula = text.lstrip(" ").startswith(_BEGINS_FORMULA) and not _NUMBER.fullmatch(text)
    return f"'{printable(text)}" if is_formula else printable(text)


class SanitizedStream:
    """A text stream that writes sanitized text to the one beneath, which does all else."""

    def __init__(self, beneath: TextIO) -> None:
        self.beneath = beneath

    def write(self, text: str) -> int:
        """Write `text` sanitized."""
        self.beneath.write(sanitize(text))
        return len(text)

    def writelines(self, lines: Iterable[str]) -> None:
        """Write texts one after the other."""
        for line in lines:
            self.write(line)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.beneath, name)


def sanitized_stream(stream: TextIO) -> TextIO:
    """Wrap `stream`, so that only harmless text can be written to it."""
    is_sanitized = isinstance(stream, SanitizedStream)
    return stream if is_sanitized else cast("TextIO", SanitizedStream(stream))


def raw_stream(stream: TextIO) -> TextIO:
    """Return the stream beneath `stream`, for text that moves the cursor or has colours.

    Use it for the program's own text alone: it may contain nothing from outside.
    """
    anything: object = stream
    return anything.beneath if isinstance(anything, SanitizedStream) else stream


def print_error(line: str) -> None:
    """Write a line to the standard error; at a terminal, in as many lines as it needs."""
    columns = get_terminal_size().columns if sys.stderr.isatty() else 0
    sanitized_stream(sys.stderr).write(f"{fit(line, columns)}\n")
