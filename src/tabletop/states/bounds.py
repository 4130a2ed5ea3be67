"""Bounds for the values in a state, used as metadata in `Annotated`.

`tabletop.envs` uses bounds to encode observations. A number out of bounds is encoded as the nearest
bound, and a value that `OneOf` does not list is encoded as zeros. Bounds do not affect rules, JSON
or records.

>>> from typing import Annotated
>>> from tabletop import Seat, State, state
>>> @state
... class Position(State):
...     coins: Annotated[list[Annotated[int, Range(0, 12)]], PER_SEAT]
...     row: Annotated[list[Annotated[str, OneOf("ABC")]], Length(5)]
...     turn: Seat = 0
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Final, TypeAlias

Seat: TypeAlias = Annotated[int, "a seat"]
"""A seat at the table, counted clockwise from 0. Text views display the player's name."""

MatchBound: TypeAlias = Callable[[Any], Any]
"""A function that returns a bound, given a match before its first action.

Use it for bounds that depend on the rules, the options or the number of seats, such as
`lambda match: match.seats`. The result must not depend on the seed.
"""


@dataclass(frozen=True, slots=True, eq=False)
class Range:
    """The smallest and largest possible value of a number, each from -2**24 to 2**24."""

    low: float | MatchBound
    high: float | MatchBound


@dataclass(frozen=True, slots=True, eq=False)
class OneOf:
    """All possible values of a string, or of a number that is an identifier and not a quantity.

    Give a list, a tuple, or a string whose characters are the values. A set is rejected because it
    has no order. An `Enum` or a `Literal` needs no note, because its values are known.
    """

    values: Iterable[Any] | MatchBound


@dataclass(frozen=True, slots=True, eq=False)
class Length:
    """The maximum number of items in a list, tuple, deque or set."""

    most: int | MatchBound


@dataclass(frozen=True, slots=True, eq=False)
class PerSeat:
    """A list with `each` items per seat, or an integer with `each` bits per seat.

    Items or bits of seat 0 come first. Its bits are the lowest.
    """

    each: int = 1


@dataclass(frozen=True, slots=True, eq=False)
class SeatOr:
    """A seat, or the value `nobody` for no seat: `SeatOr(-1)`.

    If seats are not represented by numbers, `marks` lists the value for each seat in order:
    `SeatOr(".", marks="XO")`.
    """

    nobody: Any
    marks: Sequence[Any] | None = None


class Fields:
    """Notes for the fields of a class from another module, one note per field.

    Use it in the annotation of a field that contains such an object:
    `Annotated[Auction, Fields(highest=Range(0, 30))]`.
    """

    def __init__(self, **notes: Any) -> None:
        self.notes: dict[str, tuple[Any, ...]] = {name: (note,) for name, note in notes.items()}


class Mark:
    """A note without parameters. The constants below are its only instances."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __repr__(self) -> str:
        return self._name


FIXED: Final = Mark("FIXED")
"""A list whose length never changes and is the same in every match."""

PER_SEAT: Final = PerSeat()
"""A list with one item per seat."""

BAG: Final = Mark("BAG")
"""A list whose order does not matter.

An observation contains the number of times that each value occurs in the list.
"""

UNOBSERVED: Final = Mark("UNOBSERVED")
"""A field that is not part of observations."""
