"""Bounds of the values in a state: notes for `Annotated`, by which observations are encoded.

They change nothing in the rules, in JSON or in records. `tabletop.envs` reads them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

Setting: TypeAlias = Callable[[Any], Any]
"""A function of a match that has not begun, for bounds that depend on the rules, the options or the
number of seats: `lambda match: match.seats`. It must give the same for every seed."""


@dataclass(frozen=True, slots=True, eq=False)
class Range:
    """The least and the greatest value of a number, both possible."""

    low: float | Setting
    high: float | Setting


@dataclass(frozen=True, slots=True, eq=False)
class OneOf:
    """Every possible value of a text or number that is compared, and not counted."""

    values: Iterable[Any] | Setting


@dataclass(frozen=True, slots=True, eq=False)
class Length:
    """The most items of a list, tuple or deque."""

    most: int | Setting


@dataclass(frozen=True, slots=True, eq=False)
class PerSeat:
    """A list with so many items for each seat, those of seat 0 first; or a whole number with so
    many bits for each.
    """

    each: int = 1


@dataclass(frozen=True, slots=True, eq=False)
class SeatOr:
    """A seat, or a value that stands for none; `marks` stand for seats in the place of numbers."""

    nobody: Any
    marks: Sequence[Any] | None = None


class Fields:
    """Notes on the fields of a class that cannot say it itself: `Fields(what=OneOf(WORDS))`."""

    def __init__(self, **notes: Any) -> None:
        self.notes = {name: (note,) for name, note in notes.items()}


class Mark:
    """A note without parameters."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __repr__(self) -> str:
        return self._name


FIXED: Final = Mark("FIXED")
"""A list that stays as long as it is in the first state of every match."""

PER_SEAT: Final = PerSeat()
"""A list with one item for each seat."""

BAG: Final = Mark("BAG")
"""A list of which the order does not matter: how many there are of each is encoded."""

UNOBSERVED: Final = Mark("UNOBSERVED")
"""A field that is left out of observations."""
