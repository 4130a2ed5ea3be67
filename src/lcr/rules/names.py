"""The names of the players: the course's, or others, one a line."""

from __future__ import annotations

import unicodedata
from functools import cache
from importlib.resources import files

from lcr.rules.state import SEATS
from tabletop.host import TextFileError
from tabletop.wording import plural, quote


@cache
def course_names() -> tuple[str, ...]:
    """Return the course's eleven names, in seat order (LCR §5)."""
    return parse_names(files("lcr").joinpath("data", "names.txt").read_text("utf-8"))


def parse_names(text: str) -> tuple[str, ...]:
    """Read 3 to 11 names of `text`, one a line; ignore blank lines and blanks around names.

    A TextFileError says if there are fewer or more, or which line holds a control character.
    """
    names = []
    for number, line in enumerate(text.split("\n"), 1):
        name = line.strip()
        if any(unicodedata.category(letter) == "Cc" for letter in name):
            raise TextFileError(f"{quote(name)} holds a control character", line=number)
        if name:
            names.append(name)
    if len(names) not in SEATS:
        message = f"{plural(len(names), 'name')}; wanted are {SEATS[0]} to {SEATS[-1]}, one a line"
        raise TextFileError(message)
    return tuple(names)
