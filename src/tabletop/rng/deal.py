"""Deal items to places of limited capacity, so that every item gets a place."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from itertools import compress
from typing import TypeAlias, TypeVar

from tabletop.errors import SeedError

T = TypeVar("T")
P = TypeVar("P", bound=Hashable)

Capacity: TypeAlias = int | Mapping[P, int]
"""Maximum number of items at a place: one number for all places, or a number for each place."""


def deal(
    below: Callable[[int], int],
    things: Iterable[T],
    places: Sequence[P],
    *,
    fits: Callable[[T, P], object] | None = None,
    capacity: Capacity[P] | None = None,
) -> dict[P, list[T]]:
    """Deal `things` to `places`, drawing with `below`. See `Stream.deal`."""
    dealt: dict[P, list[T]] = {place: [] for place in places}
    if len(dealt) < len(places):
        raise SeedError("a place is given twice")
    waiting = list(things)
    left = _capacities(capacity, dealt, len(waiting))
    if fits is None:
        whole = sum(capacity for capacity in left if capacity > 0)
        if whole < len(waiting):
            raise _homeless(waiting[whole])
        _deal_anywhere(below, waiting, left, dealt)
    else:
        _deal_where_they_fit(below, waiting, left, dealt, fits)
    return dealt


def _capacities(capacity: Capacity[P] | None, dealt: Mapping[P, object], things: int) -> list[int]:
    """Return the capacities in the order of the places."""
    if not isinstance(capacity, Mapping):
        return [things if capacity is None else capacity] * len(dealt)
    for place in dealt:
        if place not in capacity:
            raise SeedError(f"`capacity` has no number for the place {place!r}")
    for place in capacity:
        if place not in dealt:
            raise SeedError(f"`capacity` has a number for {place!r}, which is not a place")
    return [capacity[place] for place in dealt]


def _homeless(thing: object) -> SeedError:
    return SeedError(f"there is no place left for {thing!r}")


def _deal_anywhere(
    below: Callable[[int], int], waiting: Sequence[T], left: list[int], dealt: dict[P, list[T]]
) -> None:
    held = list(dealt.values())
    free = [number for number, capacity in enumerate(left) if capacity > 0]
    for thing in waiting:
        place = below(len(free))
        number = free[place]
        held[number].append(thing)
        left[number] -= 1
        if not left[number]:
            del free[place]


def _deal_where_they_fit(
    below: Callable[[int], int],
    waiting: Sequence[T],
    left: list[int],
    dealt: dict[P, list[T]],
    fits: Callable[[T, P], object],
) -> None:
    held = list(dealt.values())
    plan = _Plan([[fits(thing, place) for place in dealt] for thing in waiting], left)
    # First find a place for every item without drawing. An impossible deal then fails before the
    # first draw, and a possible deal never fails half-way.
    for number in range(len(waiting)):
        if not plan.settle(number):
            raise _homeless(waiting[number])
    for number, thing in enumerate(waiting):
        free = plan.loosen(number)
        place = _nth(free, below(free.bit_count()))
        plan.put(number, place)
        held[place].append(thing)


class _Plan:
    """An assignment of items to places that respects `fits` and the capacities.

    Items and places are indices. A set of indices is an integer with one bit per index.

    Args:
        fits: One row per item: whether it may go to each place.
        left: The capacity of each place.
    """

    def __init__(self, fits: Sequence[Sequence[object]], left: Sequence[int]) -> None:
        self._choices = [_set_of(row) for row in fits]  # the places that each thing may go to
        self._fitting = [_set_of(column) for column in zip(*fits, strict=True)]
        self._left = list(left)
        self._spare = _set_of([capacity > 0 for capacity in left])
        self._at = [-1] * len(fits)  # the place of each thing, or -1
        self._movable = 0  # the placed things that may still move
        self._moves: dict[int, tuple[int, int]] = {}

    def settle(self, thing: int) -> bool:
        """Find a place for `thing`, moving others if necessary. Return whether there is one."""
        open_ = self._choices[thing] & self._spare or self._open_to(thing)
        if not open_:
            return False
        self.put(thing, (open_ & -open_).bit_length() - 1)
        self._movable |= 1 << thing
        return True

    def loosen(self, thing: int) -> int:
        """Remove `thing` from its place, and return the candidates for its final place.

        Each candidate leaves a place for all items without a final place. Call `put` next.
        """
        self._movable &= ~(1 << thing)
        place = self._at[thing]
        self._left[place] += 1
        self._spare |= 1 << place
        return self._open_to(thing)

    def _open_to(self, thing: int) -> int:
        """Return the places for `thing` that are free or become free if other things move.

        For each place to vacate, `_moves` then contains the item that moves and its new place.
        """
        spare, wanted, movable = self._spare, self._choices[thing], self._movable
        at, fitting = self._at, self._fitting
        self._moves = moves = {}
        reachable = spare
        if not wanted & ~reachable:
            return wanted
        # Search breadth-first, starting from the free places, so that the fewest things move. The
        # list grows during the loop.
        ways = list(_bits(spare))
        for place in ways:
            there = fitting[place] & movable
            movable ^= there
            while there:
                low = there & -there
                there ^= low
                other = low.bit_length() - 1
                origin = at[other]
                if not reachable >> origin & 1:
                    reachable |= 1 << origin
                    moves[origin] = other, place
                    ways.append(origin)
            if not wanted & ~reachable:
                break
        return wanted & reachable

    def put(self, thing: int, place: int) -> None:
        """Put `thing` at `place`. If it is full, first move another thing away as in `_moves`."""
        while not self._spare >> place & 1:
            other, goal = self._moves[place]
            self._at[thing] = place
            thing, place = other, goal
        self._at[thing] = place
        self._left[place] -= 1
        if not self._left[place]:
            self._spare &= ~(1 << place)


def _set_of(flags: Sequence[object]) -> int:
    """Return the indices of true values as a bit set."""
    return sum(compress([1 << number for number in range(len(flags))], flags))


def _nth(numbers: int, count: int) -> int:
    """Return the element of a bit set that is greater than exactly `count` others."""
    for _ in range(count):
        numbers &= numbers - 1
    return (numbers & -numbers).bit_length() - 1


def _bits(numbers: int) -> Iterator[int]:
    """Yield the elements of a bit set in ascending order."""
    while numbers:
        lowest = numbers & -numbers
        yield lowest.bit_length() - 1
        numbers ^= lowest
