"""How messages are worded: what was probably meant, and texts and numbers in sentences."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

SHOWN_LETTERS: Final = 60
MESSAGE_LETTERS: Final = 500
"""No message of an error quotes more, whatever a file holds."""


def nearest(word: str, options: Iterable[str], *, likeness: float = 0.6) -> str | None:
    """The one of `options` that `word` probably was meant to be, or None.

    Args:
        word: as it was typed.
        options: what would have been right.
        likeness: how like one has to be, from 0, where the best of any will do, to 1.
    """
    from difflib import get_close_matches  # only needed when something went wrong

    by_fold = {option.casefold(): option for option in options}
    matches = get_close_matches(word[:SHOWN_LETTERS].casefold(), by_fold, n=1, cutoff=likeness)
    return by_fold[matches[0]] if matches else None


def shorten(text: str) -> str:
    """`text` in quotes, cut when it is very long; what cannot be printed is escaped."""
    return repr(text if len(text) <= SHOWN_LETTERS else text[:SHOWN_LETTERS] + "...")


def cut(text: str, letters: int = MESSAGE_LETTERS) -> str:
    """`text`, or its beginning when it is longer than so many letters."""
    return text if len(text) <= letters else f"{text[:letters]}..."


def listed(words: Sequence[str], conjunction: str) -> str:
    """`words` as a list in a sentence: `red, green or blue`."""
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} {conjunction} {words[-1]}"


def number(value: float) -> str:
    """A number as people write it: `12`, `2.5`."""
    return str(value) if isinstance(value, int) else f"{value:g}"


def counted(number: int, thing: str) -> str:
    """So many things: `1 action`, `2 actions`."""
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"


def no_seat(seat: int, seats: int) -> str:
    """The message that there is no such seat; `seat` counts from 0, the message from 1."""
    return (
        f"there is no seat {seat + 1} (index {seat}); seats are 1 to {seats}"
        f" (indices 0 to {seats - 1})"
    )
