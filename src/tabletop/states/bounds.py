"""Bounds of the values in a state: notes for `Annotated`, by which observations are encoded.

They change nothing in the rules, in JSON or in records. `tabletop.envs` reads them: an observation
writes a number beyond its bounds as the nearest bound, and a value that is not listed as zeros.

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
"""A place at the table, counted from 0 clockwise. A field annotated with it is shown by name."""

Setting: TypeAlias = Callable[[Any], Any]
"""A function of a match that has not begun, for bounds that depend on the rules, the options or the
number of seats: `lambda match: match.seats`. It must give the same for every seed."""


@dataclass(frozen=True, slots=True, eq=False)
class Range:
    """The least and the greatest value of a number, both possible, from -2**24 to 2**24."""

    low: float | Setting
    high: float | Setting


@dataclass(frozen=True, slots=True, eq=False)
class OneOf:
    """Every possible value of a text or number that is compared, and not counted.

    Give a list, a tuple or a text of letters: a set, which has no order, is refused. An `Enum` or a
    `Literal` needs no note.
    """

    values: Iterable[Any] | Setting


@dataclass(frozen=True, slots=True, eq=False)
class Length:
    """The most items of a list, tuple, deque or set."""

    most: int | Setting


@dataclass(frozen=True, slots=True, eq=False)
class PerSeat:
    """A list with `each` items for each seat, those of seat 0 first; or a whole number with `each`
    bits for each seat, those of seat 0 lowest.
    """

    each: int = 1


@dataclass(frozen=True, slots=True, eq=False)
class SeatOr:
    """A seat, or the value `nobody` for none: `SeatOr(-1)`.

    `marks` has the value that stands for each seat, in order, where that is not its number:
    `SeatOr(".", marks="XO")`.
    """

    nobody: Any
    marks: Sequence[Any] | None = None


class Fields:
    """Notes on the fields of a class that another module defines: `Fields(what=OneOf(WORDS))`.

    The annotation of a field that holds such an object has it:
    `Annotated[Auction, Fields(highest=Range(0, 30))]`. One note for each field, by its name.
    """

    def __init__(self, **notes: Any) -> None:
        self.notes: dict[str, tuple[Any, ...]] = {name: (note,) for name, note in notes.items()}


class Mark:
    """A note without parameters: the class of the constants below."""

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
