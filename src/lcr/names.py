"""The names of the players: the course's, or those of a file."""

from __future__ import annotations

import unicodedata
from functools import cache
from importlib.resources import files
from typing import Final

from lcr.state import SEATS
from tabletop import TabletopError
from tabletop.host.files import user_path
from tabletop.wording import plural, quote

MOST_BYTES: Final = 1 << 16
"""A file beyond this is no list of names."""


class NamesError(TabletopError, ValueError):
    """A file of names cannot be read, or does not hold names for a game."""


@cache
def course_names() -> tuple[str, ...]:
    """The course's eleven names, in seat order (LCR §5)."""
    return parse_names(files("lcr").joinpath("data", "names.txt").read_text("utf-8"))


def read_names(path: str) -> tuple[str, ...]:
    """The names in a file: UTF-8, one a line; blank lines and blanks around names do not count.

    Returns:
        3 to 11 names.

    Raises:
        NamesError: the file cannot be read, or holds something else; says what and where.
    """
    data = _load(path)
    try:
        return parse_names(data.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise NamesError(f"{path!r}, line {line}: this is not UTF-8 text") from error
    except NamesError as error:
        raise NamesError(f"{path!r}: {error}") from error


def _load(path: str) -> bytes:
    try:
        with user_path(path).open("rb") as file:
            data = file.read(MOST_BYTES + 1)
    except (OSError, ValueError) as error:  # ValueError: a name that no file can have
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise NamesError(f"{path!r} cannot be read: {reason}") from error
    if len(data) > MOST_BYTES:
        raise NamesError(f"{path!r}: more than {MOST_BYTES} bytes are no list of names")
    return data


def parse_names(text: str) -> tuple[str, ...]:
    """The names in `text`, one a line.

    Raises:
        NamesError: there are fewer than 3 or more than 11, or one holds a control character.
    """
    names = []
    for number, line in enumerate(text.split("\n"), 1):
        name = line.strip()
        if any(unicodedata.category(letter) == "Cc" for letter in name):
            raise NamesError(f"line {number}, {quote(name)}, holds a control character")
        if name:
            names.append(name)
    if len(names) not in SEATS:
        message = f"{plural(len(names), 'name')}; wanted are {SEATS[0]} to {SEATS[-1]}, one a line"
        raise NamesError(message)
    return tuple(names)
