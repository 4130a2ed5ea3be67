"""Dice in the usual notation, such as `2d6+1`: the sum of two six-sided dice, plus one."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from tabletop.rng.stream import Stream

MOST_DICE = 1000
"""Maximum number of dice in one roll."""

MOST_SIDES = 1_000_000
"""Maximum number of sides of a die, a limit for typed notation."""

_NOTATION = re.compile(r"([0-9]{0,4})d([0-9]{1,7})(?:([+-])([0-9]{1,7}))?", re.ASCII)


@dataclass(frozen=True, slots=True)
class Dice:
    """A set of identical dice that are rolled together. `dice("2d6+1")` creates it from notation.

    Attributes:
        count: The number of dice.
        sides: The number of sides of each die. Faces are numbered from 1.
        plus: The number added to the sum. It may be negative.
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
        """Roll the dice and return the face of each, without `plus`."""
        return [rng.roll(self.sides) for _ in range(self.count)]

    def roll(self, rng: Stream) -> int:
        """Roll the dice and return their sum including `plus`.

        >>> from tabletop import Streams
        >>> dice("2d6+1").roll(Streams("old oak")["dice"])
        7
        """
        return rng.roll(self.sides, self.count) + self.plus


@lru_cache(maxsize=256)
def dice(notation: str) -> Dice:
    """Parse dice notation, such as `d20`, `2d6+1` or `3d4-2`. Case and spaces are ignored.

    Raises:
        ValueError: The text is not dice notation, or has more than 1,000 dice or 1,000,000 sides.

    >>> dice("2D6 + 1")
    Dice(count=2, sides=6, plus=1)
    >>> dice("2d6+1").lowest, dice("2d6+1").highest
    (3, 13)
    """
    found = _NOTATION.fullmatch("".join(notation.split()).lower())
    if found is None:
        raise ValueError(f"{notation!r} is not dice notation (examples: d20, 2d6, 2d6+1)")
    count, sides = int(found[1] or 1), int(found[2])
    if not (1 <= count <= MOST_DICE and 1 <= sides <= MOST_SIDES):
        limits = f"1 to {MOST_DICE} dice with 1 to {MOST_SIDES} sides"
        raise ValueError(f"{notation!r} is out of range (write {limits})")
    return Dice(count, sides, int(f"{found[3]}{found[4]}") if found[3] else 0)
