"""The die of the course and its pseudorandom number generator (LCR §3)."""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from typing_extensions import override

from tabletop import SeedError, Stream

PERIOD: Final = 1_000_000  # the generator returns each number from 0 to 999,999 once per period

_MULTIPLIER: Final = 9821
_INCREMENT: Final = 211_327
SIDES: Final = 6


class Face(StrEnum):
    """A side of the die, called a position in the document (LCR §3.1)."""

    DOT = "dot"
    LEFT = "left"
    CENTER = "center"
    RIGHT = "right"


DIE: Final = (Face.DOT, Face.DOT, Face.DOT, Face.LEFT, Face.CENTER, Face.RIGHT)
"""The face of each roll, 0 to 5 (LCR §3.1)."""


def jump(value: int, steps: int) -> int:
    """Return the number that the generator returns `steps` draws after `value`.

    The result is from 0 to 999,999. The function needs about log2(steps) multiplications.

    Args:
        value: The current number, taken modulo 1,000,000.
        steps: The number of draws, at least 0.

    >>> jump(0, 1), jump(0, 3), jump(4823, 2)
    (211327, 122201, 847537)
    """
    # One draw is x -> a*x + c, so n draws are x -> a**n * x + c * (a**n - 1) / (a - 1). Computing
    # the power modulo (a - 1) * PERIOD keeps the division exact.
    power = pow(_MULTIPLIER, steps, (_MULTIPLIER - 1) * PERIOD)
    return (power * value + _INCREMENT * ((power - 1) // (_MULTIPLIER - 1))) % PERIOD


class CourseStream(Stream):
    """The generator of the course as a random stream.

    A game with this stream is the same as the game that the course's program plays. A draw below a
    bound is the next number modulo the bound (LCR §3.2), which is very slightly biased unless the
    bound divides 1,000,000.

    Args:
        seed: The seed, from 0 to 2**32 - 1. Seeds that differ by a multiple of 1,000,000 produce
            the same numbers. An unseeded generator of the course has seed 0.
        offset: The number of draws to skip, at least 0.

    Raises:
        SeedError: The seed is out of range, or the offset is negative.

    >>> dice = CourseStream(0)
    >>> [dice.next() for _ in range(3)]
    [211327, 653794, 122201]
    """

    __slots__ = ("_drawn", "_seed", "_value")

    def __init__(self, seed: int, offset: int = 0) -> None:
        if not 0 <= seed < 1 << 32:
            raise SeedError(f"the course seed must be from 0 to {(1 << 32) - 1}, not {seed}")
        self._seed = seed
        self.offset = offset

    @property
    def seed(self) -> int:
        """The seed of the stream."""
        return self._seed

    @property
    def offset(self) -> int:
        """The number of draws so far. Set it to move the stream forwards or backwards."""
        return self._drawn

    @offset.setter
    def offset(self, value: int) -> None:
        if value < 0:
            raise SeedError(f"the offset must be at least 0, not {value}")
        self._drawn = value
        self._value = jump(self._seed, value)

    @override
    def copy(self) -> CourseStream:
        twin = CourseStream.__new__(CourseStream)
        twin._seed, twin._drawn, twin._value = self._seed, self._drawn, self._value
        return twin

    def next(self) -> int:
        """Return the next number, from 0 to 999,999."""
        self._drawn += 1
        value = self._value = (self._value * _MULTIPLIER + _INCREMENT) % PERIOD
        return value

    @override
    def below(self, bound: int) -> int:
        """Return the next number modulo `bound`.

        Raises:
            SeedError: `bound` is not from 1 to 1,000,000.
        """
        if not 0 < bound <= PERIOD:
            raise SeedError(f"below({bound}): the bound must be from 1 to {PERIOD}")
        return self.next() % bound
