"""Where numbers end, and what becomes of an action that cannot be carried out.

Cards that double each other would make numbers that take minutes to add and cannot be written down.
"""

from __future__ import annotations

from sorcery.state import MOST
from tabletop import TabletopError


class BrokenOff(TabletopError):
    """An action cannot be carried out to its end. The match takes it back; nothing has changed."""


class EndlessChain(BrokenOff):
    """Triggers set each other off without end."""


class NumberTooGreat(BrokenOff):
    """A number of the game would grow beyond `sorcery.state.MOST`."""


class NoWholeNumber(BrokenOff):
    """Something that a card counts is no whole number."""


def too_great(what: str, number: int) -> str:
    """Why a number cannot be, as a sentence: `The life of a player would be 10,004: ...`."""
    bound = f"down to -{MOST:,}" if number < 0 else f"up to {MOST:,}"
    return f"{what} would be {number:,}: numbers go {bound}."


def check_number(what: str, number: int) -> None:
    """Break an action off that makes a number too great, or no whole one.

    Args:
        what: which number it is, as a sentence begins with it.
        number: its value.

    Raises:
        NumberTooGreat: it is beyond `MOST`, one way or the other.
        NoWholeNumber: it is a fraction, or no number at all.
    """
    if type(number) is not int:
        raise NoWholeNumber(f"{what} would be {number!r}, which is no whole number.")
    if not -MOST <= number <= MOST:
        raise NumberTooGreat(too_great(what, number))
