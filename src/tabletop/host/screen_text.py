r"""Text that is safe to print in a terminal: it cannot move the cursor or change the reading order.

Names, seeds, titles, paths and records may come from untrusted sources. Some characters in them are
instructions to the terminal: control characters (ESC sequences, backspace, C1), lone surrogates,
and characters that change the direction of text. Programs print everything through a
`sanitized_stream`, which replaces these characters.

>>> sanitize("\x1b[2Jold\toak")
'�[2Jold oak'
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable
from itertools import zip_longest
from shutil import get_terminal_size
from typing import Any, Final, TextIO, cast
from unicodedata import category, normalize

from tabletop.text_layout import fit

REPLACEMENT: Final = "\N{REPLACEMENT CHARACTER}"  # the replacement for unsafe characters

# C0 except tab and newline, DEL, C1, line and paragraph separators, and characters that override or
# isolate the direction of text.
_HARMFUL: Final = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u206f]")
_SURROGATE: Final = re.compile(r"[\ud800-\udfff]")
"""A lone surrogate, such as an undecodable byte of a path.

Such a character is replaced with `?`, like every character that an encoding cannot represent.
"""

_NUMBER: Final = re.compile(r"[+-]?\d+(\.\d+)?")
_BEGINS_FORMULA: Final = (*"=+-@", *"\uff1d\uff0b\uff0d\uff20", *"\t\r\n")
"""The second group has the full-width forms of the first, as typed with East Asian keyboards."""


def sanitize(text: str) -> str:
    """Replace all characters that are instructions to a terminal.

    Tabs become spaces, and newlines are kept.
    """
    # Nearly every text takes this path, which is much faster than two regular expressions.
    if text.isascii() and text.isprintable():
        return text
    return _SURROGATE.sub("?", _HARMFUL.sub(REPLACEMENT, text.expandtabs()))


def printable(text: str) -> str:
    """Return `text` on one line, without characters that are instructions to a terminal."""
    return sanitize(text.replace("\n", REPLACEMENT))


def is_visible(text: str) -> bool:
    """Return whether text has any visible character."""
    return any(category(letter)[0] in "LNPS" for letter in text)


def distinct_names(names: Iterable[str], defaults: Iterable[str]) -> list[str]:
    """Return the names of all seats, changed so that all are visible and no two look alike.

    >>> distinct_names(["Ada", "", "ada"], ["White", "Black", "Player 3", "Player 4"])
    ['Ada', 'Black', 'ada (3)', 'Player 4']
    """
    distinct: dict[str, str] = {}
    for number, (name, default) in enumerate(zip_longest(names, defaults, fillvalue=""), 1):
        label = name if is_visible(name) else default
        while _shape(label) in distinct:
            label = f"{label} ({number})"
        distinct[_shape(label)] = label
    return [*distinct.values()]


def _shape(name: str) -> str:
    """Return the visible characters of a name in lower case."""
    folded = normalize("NFKC", name).casefold()
    return " ".join("".join(it for it in folded if category(it) != "Cf").split())


def printable_names(names: Iterable[str]) -> tuple[str, ...]:
    """Return the names without line breaks and control characters."""
    return tuple(map(printable, names))


def csv_cell(value: object) -> object:
    """Format a value as a CSV cell. Numbers stay numbers, and text is on one line without formulas.

    An apostrophe in front of a formula makes spreadsheets treat it as text. An apostrophe is also
    added after a semicolon, because semicolons separate cells in locales with decimal commas.
    """
    if not isinstance(value, str):
        return value
    return ";".join(map(_escape_formula, value.split(";")))


def _escape_formula(text: str) -> str:
    is_formula = text.lstrip(" ").startswith(_BEGINS_FORMULA) and not _NUMBER.fullmatch(text)
    return f"'{printable(text)}" if is_formula else printable(text)


class SanitizedStream:
    """A text stream that sanitizes its output. All other methods are those of `beneath`."""

    def __init__(self, beneath: TextIO) -> None:
        self.beneath = beneath

    def write(self, text: str) -> int:
        """Write sanitized text."""
        self.beneath.write(sanitize(text))
        return len(text)

    def writelines(self, lines: Iterable[str]) -> None:
        """Write several strings, each sanitized."""
        for line in lines:
            self.write(line)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.beneath, name)


def sanitized_stream(stream: TextIO) -> TextIO:
    """Return `stream` as a `SanitizedStream`."""
    is_sanitized = isinstance(stream, SanitizedStream)
    return stream if is_sanitized else cast("TextIO", SanitizedStream(stream))


def raw_stream(stream: TextIO) -> TextIO:
    """Return the unsanitized stream, for text that moves the cursor or sets colours.

    Write only the program's own text to it, never names or other external data.
    """
    anything: object = stream
    return anything.beneath if isinstance(anything, SanitizedStream) else stream


def print_error(line: str) -> None:
    """Print a line on standard error, wrapped to the width of the terminal."""
    columns = get_terminal_size().columns if sys.stderr.isatty() else 0
    sanitized_stream(sys.stderr).write(f"{fit(line, columns)}\n")
