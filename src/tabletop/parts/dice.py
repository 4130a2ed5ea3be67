"""Dice in the usual notation: `2d6+1` is the sum of two dice with six sides, and one."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from tabletop.rng.stream import Stream

MOST_DICE = 1000
"""Maximum dice of one roll."""

MOST_SIDES = 1_000_000
"""Maximum number of sides: more than any game rolls, and a limit for typed numbers."""

_NOTATION = re.compile(r"([0-9]{0,4})d([0-9]{1,7})(?:([+-])([0-9]{1,7}))?", re.ASCII)


@dataclass(frozen=True, slots=True)
class Dice:
    """Some equal dice that are thrown together; `dice("2d6+1")` makes them.

    Attributes:
        count: the number of dice.
        sides: the faces of each, 1 to `sides`.
        plus: the number added to their sum; may be negative.
    """

    count: int
    sides: int
    plus: int = 0

    def __str__(self) -> str:
        """Format in dice notation: `2d6+1`."""
        return f"{self.count}d{self.sides}{f'{self.plus:+}' if self.plus else ''}"

    @property
    def lowest(self) -> int:
        """The lowest possible roll."""
        return self.count + self.plus

    @property
    def highest(self) -> int:
        """The highest possible roll."""
        return self.count * self.sides + self.plus

    def faces(self, rng: Stream) -> list[int]:
        """Throw the dice and return the face of each, without `plus`."""
        return [rng.roll(self.sides) for _ in range(self.count)]

    def roll(self, rng: Stream) -> int:
        """Throw the dice and return their sum, with `plus`.

        >>> from tabletop import Streams
        >>> dice("2d6+1").roll(Streams("old oak")["dice"])
        7
        """
        return rng.roll(self.sides, self.count) + self.plus


@lru_cache(maxsize=256)
def dice(notation: str) -> Dice:
    """Parse dice: `d20`, `2d6+1`, `3d4-2`; capitals and blanks do not matter.

    Raises:
        ValueError: it is no such text, there are not 1 to 1,000 dice, or not 1 to 1,000,000 sides.

    >>> dice("2D6 + 1")
    Dice(count=2, sides=6, plus=1)
    >>> dice("2d6+1").lowest, dice("2d6+1").highest
    (3, 13)
    """
    found = _NOTATION.fullmatch("".join(notation.split()).lower())
    if found is None:
        raise ValueError(f"{notation!r} names no dice: write them as d20, 2d6 or 2d6+1")
    count, sides = int(found[1] or 1), int(found[2])
    if not (1 <= count <= MOST_DICE and 1 <= sides <= MOST_SIDES):
        raise ValueError(
            f"{notation!r}: there are 1 to {MOST_DICE} dice of 1 to {MOST_SIDES} sides"
        )
    return Dice(count, sides, int(f"{found[3]}{found[4]}") if found[3] else 0)
