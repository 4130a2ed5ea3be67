"""Helpers for messages: suggestions, quotes, lists, plurals and text widths."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

MAX_DIGITS: Final = 18
"""Maximum number of digits of a typed number, so that the number fits into 64 bits.

Longer numbers are rejected.
"""

SHOWN_LETTERS: Final = 60
"""Maximum number of characters of a quoted text in a message. The rest is truncated."""

_MESSAGE_LETTERS: Final = 500
"""Maximum number of characters of a message that contains text from a file."""


def nearest(word: str, options: Iterable[str], *, likeness: float = 0.6) -> str | None:
    """Return the option most similar to `word`, or None if none is similar enough.

    Args:
        likeness: Minimum similarity, from 0 (any option) to 1 (only the same word).
    """
    from difflib import get_close_matches  # loaded late, because only errors need it

    by_fold = {option.casefold(): option for option in options}
    matches = get_close_matches(word[:SHOWN_LETTERS].casefold(), by_fold, n=1, cutoff=likeness)
    return by_fold[matches[0]] if matches else None


def did_you_mean(word: str, options: Iterable[str], rest: str = "") -> str:
    """Return the end of a message about an unknown word: a suggestion (if any) and `rest`.

    Args:
        rest: Text that follows in any case, such as a list of the valid words.

    >>> did_you_mean("fiar", ["fair", "hard"], "its bots: fair, hard")
    "; did you mean 'fair'? its bots: fair, hard"
    >>> did_you_mean("blue", ["fair", "hard"])
    ''
    """
    return meant_words(nearest(word, options), rest)


def meant_words(meant: str | None, rest: str = "") -> str:
    """Return the end of a message: the suggestion `meant` (unless it is None) and `rest`.

    >>> meant_words("fair"), meant_words(None)
    ("; did you mean 'fair'?", '')
    """
    sentences = [f"did you mean {meant!r}?" if meant else "", rest]
    return "; " + " ".join(filter(None, sentences)) if any(sentences) else ""


def several_in_words(words: str, low: int, high: int, items: Iterable[str]) -> str:
    """Describe a choice of several items in a line.

    >>> several_in_words("trash", 0, 2, ["copper", "copper", "estate"])
    'trash, and 0 to 2 of: copper copper estate'
    """
    number = f"{low}" if low == high else f"{low} to {high}"
    return f"{words}, and {number} of: {' '.join(items)}"


def quote(text: str) -> str:
    """Quote `text`. Long text is truncated, and unprintable characters are escaped."""
    return repr(text if len(text) <= SHOWN_LETTERS else text[:SHOWN_LETTERS] + "...")


def truncate(text: str, letters: int = _MESSAGE_LETTERS) -> str:
    """Return `text`, truncated after the given number of characters."""
    return text if len(text) <= letters else f"{text[:letters]}..."


def slug(text: str) -> str:
    """Convert a string to a game name: lower-case letters and digits, joined by hyphens.

    Valid names are returned unchanged.

    >>> slug("My game!"), slug("my-game")
    ('my-game', 'my-game')
    """
    from re import findall  # loaded late, because most programs never call this function

    return "-".join(findall("[a-z0-9]+", text.casefold()))


def join_words(words: Sequence[str], conjunction: str) -> str:
    """Join `words` as a list in a sentence: `red, green or blue`."""
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} {conjunction} {words[-1]}"


def width_of(text: str) -> int:
    """Return the number of terminal cells that a text occupies.

    >>> width_of("oak"), width_of("\N{CJK UNIFIED IDEOGRAPH-6A61}"), width_of("\N{DECIDUOUS TREE}")
    (3, 2, 2)
    """
    if text.isascii():
        return len(text)
    from wcwidth import wcswidth, wcwidth  # loaded late, because few texts need it

    cells = wcswidth(text)
    # A text with control characters has a negative width.
    return cells if cells >= 0 else sum(max(0, wcwidth(letter)) for letter in text)


def number(value: float) -> str:
    """Format a number without trailing zeros: `12`, `2.5`."""
    return str(value) if isinstance(value, int) else f"{value:g}"


def plural(number: int, thing: str) -> str:
    """Return a number with its noun in the singular or plural.

    >>> plural(1, "action"), plural(2, "action"), plural(3, "match")
    ('1 action', '2 actions', '3 matches')
    """
    if number == 1:
        return f"1 {thing}"
    ending = "es" if thing.endswith(("ch", "sh", "s", "x")) else "s"
    return f"{number} {thing}{ending}"


def no_seat(seat: int, seats: int) -> str:
    """Return the message for a seat that does not exist. `seat` starts at 0, the message at 1."""
    return (
        f"there is no seat {seat + 1}, index {seat} (seats are 1 to {seats},"
        f" indices 0 to {seats - 1})"
    )
