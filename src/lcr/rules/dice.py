"""The course's die and its generator of pseudorandom numbers (LCR §3)."""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from typing_extensions import override

from tabletop import SeedError, Stream

PERIOD: Final = 1_000_000
"""The period of the generator: it gives every number from 0 to 999,999 once, then repeats."""

_MULTIPLIER: Final = 9821
_INCREMENT: Final = 211_327
SIDES: Final = 6


def dice_of(seed: int | str) -> dict[str, int]:
    """Return the options of a match of a seed: a number is for the course's dice."""
    return {"course-seed": seed} if isinstance(seed, int) else {}


class Face(StrEnum):
    """A side of the die; the document calls it a position (LCR §3.1)."""

    DOT = "dot"
    LEFT = "left"
    CENTER = "center"
    RIGHT = "right"


DIE: Final = (Face.DOT, Face.DOT, Face.DOT, Face.LEFT, Face.CENTER, Face.RIGHT)
"""The meaning of each roll, 0 to 5 (LCR §3.1)."""


def jump(value: int, steps: int) -> int:
    """Return the number `steps` draws after `value`, from 0 to 999,999.

    Takes about log2(`steps`) multiplications. `value` counts modulo 1,000,000; `steps` is at
    least 0.

    >>> jump(0, 1), jump(0, 3), jump(4823, 2)
    (211327, 122201, 847537)
    """
    # One draw is x -> a*x + c, so n draws are x -> a**n * x + c * (a**n - 1) / (a - 1). Taken
    # modulo (a - 1) * PERIOD, the power leaves that division exact.
    power = pow(_MULTIPLIER, steps, (_MULTIPLIER - 1) * PERIOD)
    return (power * value + _INCREMENT * ((power - 1) // (_MULTIPLIER - 1))) % PERIOD


class CourseStream(Stream):
    """The course's generator as a stream: a game played with it can be compared with the course's.

    A draw below a bound is the generator's next number modulo that bound (LCR §3.2), very slightly
    unfair for bounds that do not divide 1,000,000. Going to any offset takes a few multiplications.

    Args:
        seed: from 0 to 2**32 - 1; seeds that differ by a multiple of 1,000,000 draw the same. The
            unseeded generator is that of seed 0.
        offset: how many numbers have been drawn already.

    Raises:
        SeedError: the seed is out of range, or the offset negative.

    >>> dice = CourseStream(0)
    >>> [dice.next() for _ in range(3)]
    [211327, 653794, 122201]
    """

    __slots__ = ("_drawn", "_seed", "_value")

    def __init__(self, seed: int, offset: int = 0) -> None:
        if not 0 <= seed < 1 << 32:
            raise SeedError(f"course seed {seed} is not from 0 to {(1 << 32) - 1}")
        self._seed = seed
        self.offset = offset

    @property
    def seed(self) -> int:
        """The seed it was made from."""
        return self._seed

    @property
    def offset(self) -> int:
        """The count of numbers drawn. Settable, in either direction."""
        return self._drawn

    @offset.setter
    def offset(self, value: int) -> None:
        if value < 0:
            raise SeedError(f"the offset {value} is negative")
        self._drawn = value
        self._value = jump(self._seed, value)

    @override
    def copy(self) -> CourseStream:
        twin = CourseStream.__new__(CourseStream)
        twin._seed, twin._drawn, twin._value = self._seed, self._drawn, self._value
        return twin

    def next(self) -> int:
        """Return the next number: from 0 to 999,999."""
        self._drawn += 1
        value = self._value = (self._value * _MULTIPLIER + _INCREMENT) % PERIOD
        return value

    @override
    def below(self, bound: int) -> int:
        """Return the next number modulo `bound`.

        Raises:
            SeedError: `bound` is less than 1, or more than the 1,000,000 numbers there are.
        """
        if not 0 < bound <= PERIOD:
            raise SeedError(f"below({bound}): the bound must be from 1 to {PERIOD}")
        # `next`, written out: every die of every course game is rolled here.
        self._drawn += 1
        value = self._value = (self._value * _MULTIPLIER + _INCREMENT) % PERIOD
        return value % bound
