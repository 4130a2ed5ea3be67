"""Names of the players, from the course or from a file."""

from __future__ import annotations

import unicodedata
from functools import cache
from pathlib import Path

from lcr.rules.state import SEATS
from tabletop.host import TextFileError
from tabletop.wording import plural, quote


@cache
def course_names() -> tuple[str, ...]:
    """Return the eleven names of the course, in seat order (LCR §5)."""
    return parse_names((Path(__file__).parents[1] / "data" / "names.txt").read_text("utf-8"))


def parse_names(text: str) -> tuple[str, ...]:
    """Parse 3 to 11 names, one per line, ignoring blank lines and spaces around names.

    Raises:
        TextFileError: The number of names is out of range, or a line contains a control character.
    """
    names = []
    for number, line in enumerate(text.split("\n"), 1):
        name = line.strip()
        if any(unicodedata.category(letter) == "Cc" for letter in name):
            raise TextFileError(f"{quote(name)} contains a control character", line=number)
        if name:
            names.append(name)
    if len(names) not in SEATS:
        message = (
            f"{plural(len(names), 'name')} (write {SEATS[0]} to {SEATS[-1]} names, one per line)"
        )
        raise TextFileError(message)
    return tuple(names)
