"""The wording of messages: suggestions, and texts and numbers in sentences."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final
from unicodedata import category, east_asian_width

MAX_DIGITS: Final = 18
"""Maximum digits of a number, which then fits into 64 bits; longer ones are never converted."""

SHOWN_LETTERS: Final = 60
"""Maximum letters of somebody else's text in a message; the rest is cut."""

_MESSAGE_LETTERS: Final = 500
"""The maximum of letters quoted in a message of an error, whatever a file holds."""


def nearest(word: str, options: Iterable[str], *, likeness: float = 0.6) -> str | None:
    """Return the one of `options` most similar to `word`; None when none is.

    Args:
        word: the word as typed.
        options: the right words.
        likeness: the least likeness, from 0, where the best of any will do, to 1.
    """
    from difflib import get_close_matches  # only needed after an error

    by_fold = {option.casefold(): option for option in options}
    matches = get_close_matches(word[:SHOWN_LETTERS].casefold(), by_fold, n=1, cutoff=likeness)
    return by_fold[matches[0]] if matches else None


def did_you_mean(word: str, options: Iterable[str], rest: str = "") -> str:
    """Return the end of a message about a wrong word: what was probably meant, then the rest.

    Args:
        word: the word as typed.
        options: the right words.
        rest: what is said in any case, mostly which words are right.

    >>> did_you_mean("fiar", ["fair", "hard"], "its bots: fair, hard")
    "; did you mean 'fair'? its bots: fair, hard"
    >>> did_you_mean("blue", ["fair", "hard"])
    ''
    """
    return meant_words(nearest(word, options), rest)


def meant_words(meant: str | None, rest: str = "") -> str:
    """Return the end of a message: what was probably meant, if anything, then the rest.

    >>> meant_words("fair"), meant_words(None)
    ("; did you mean 'fair'?", '')
    """
    said = [f"did you mean {meant!r}?" if meant else "", rest]
    return "; " + " ".join(filter(None, said)) if any(said) else ""


def quote(text: str) -> str:
    """Quote `text`, cut when very long; characters that cannot be printed are escaped."""
    return repr(text if len(text) <= SHOWN_LETTERS else text[:SHOWN_LETTERS] + "...")


def truncate(text: str, letters: int = _MESSAGE_LETTERS) -> str:
    """Return `text`, or its beginning when it is longer than so many letters."""
    return text if len(text) <= letters else f"{text[:letters]}..."


def slug(text: str) -> str:
    """Make a text the name of a game: lower case letters and digits, with hyphens between.

    Such a name stays as it is.

    >>> slug("My game!"), slug("my-game")
    ('my-game', 'my-game')
    """
    from re import findall  # only needed where a name is made or checked

    return "-".join(findall("[a-z0-9]+", text.casefold()))


def join_words(words: Sequence[str], conjunction: str) -> str:
    """Join `words` as a list in a sentence: `red, green or blue`."""
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} {conjunction} {words[-1]}"


def width_of(text: str) -> int:
    """Count the cells of a terminal that a text takes.

    >>> width_of("oak"), width_of("\N{CJK UNIFIED IDEOGRAPH-6A61}")
    (3, 2)
    """
    return len(text) if text.isascii() else sum(map(_width, text))


def _width(letter: str) -> int:
    # Combining marks and invisible characters share the cell of the letter before them.
    if category(letter) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if east_asian_width(letter) in ("W", "F") else 1


def number(value: float) -> str:
    """Format a number as people write it: `12`, `2.5`."""
    return str(value) if isinstance(value, int) else f"{value:g}"


def plural(number: int, thing: str) -> str:
    """Count things in words.

    >>> plural(1, "action"), plural(2, "action"), plural(3, "match")
    ('1 action', '2 actions', '3 matches')
    """
    if number == 1:
        return f"1 {thing}"
    ending = "es" if thing.endswith(("ch", "sh", "s", "x")) else "s"
    return f"{number} {thing}{ending}"


def no_seat(seat: int, seats: int) -> str:
    """Return the message that there is no such seat; `seat` counts from 0, the message from 1."""
    return (
        f"there is no seat {seat + 1} (index {seat}); seats are 1 to {seats}"
        f" (indices 0 to {seats - 1})"
    )
