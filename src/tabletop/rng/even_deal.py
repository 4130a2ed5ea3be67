"""Deal items to places where they fit, with equal probability for all possible deals."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterator, Sequence
from math import factorial, prod
from operator import mul
from typing import Any, Final, Generic, NamedTuple, TypeVar

from tabletop.rng.stream import Stream

T = TypeVar("T", bound=Hashable)

_MOST: Final = 100_000
"""Maximum number of splits to count. If there are more, counting takes too long."""

_SWAPS: Final = 20
"""Number of attempted swaps per place if there are too many deals to count."""


class _Batch(NamedTuple):
    """Items that may go to exactly the same groups, whose indices are in `goals`."""

    goals: tuple[int, ...]
    things: list[Any]


class _Ways(NamedTuple):
    """The ways to split a batch among its goals.

    Attributes:
        splits: The number of things for each goal.
        after: The number of free places in each group after the split.
        deals: The number of deals that begin with the split.
    """

    splits: list[tuple[int, ...]]
    after: list[int]
    deals: list[int]


class EvenDeal(Generic[T]):
    """A random deal of items to places where they fit, one item per place.

    Places that accept the same items form a group, and items that fit into the same groups form a
    batch. The deals are counted batch by batch, for each possible number of free places in the
    groups. A split of a batch is then drawn with a probability proportional to the number of deals
    that begin with it. If there are too many splits to count, `draw` starts from `Stream.deal` and
    swaps things at random. The probabilities of the deals are then only approximately equal.

    Args:
        things: The items, in an order that does not depend on their current places.
        fitting: The things that fit at each place, or None if all fit. The number of places must
            equal the number of things, and there must be a deal in which everything fits.
    """

    def __init__(self, things: Sequence[T], fitting: Sequence[Collection[T] | None]) -> None:
        self._things = things
        every = frozenset(things)
        self._fitting = [every if row is None else frozenset(row) for row in fitting]
        groups: dict[frozenset[T], list[int]] = {}
        for place, row in enumerate(self._fitting):
            groups.setdefault(row, []).append(place)
        # The largest group comes last, because it takes the rest of a batch in exactly one way.
        by_size = sorted(groups.items(), key=lambda item: len(item[1]))
        self._groups = [places for _, places in by_size]
        batches: dict[tuple[int, ...], list[T]] = {}
        for thing in things:
            goals = tuple([goal for goal, (row, _) in enumerate(by_size) if thing in row])
            batches.setdefault(goals, []).append(thing)
        # Batches that fit into few groups come first, so that dead ends are found early.
        ordered = sorted(batches.items(), key=lambda item: len(item[0]))
        self._batches = [_Batch(*item) for item in ordered]
        # The room left in all groups is encoded as one number with a digit for each group.
        self._units = [1]
        for places in self._groups:
            self._units.append(self._units[-1] * (len(places) + 1))
        self._steps = self._count()

    def draw(self, rng: Stream) -> list[T]:
        """Draw a deal, and return the thing at each place in the order of the places."""
        if not self._steps:
            return self._draw_nearly(rng)
        room, held = self._units[-1] - 1, list[list[T]]([] for _ in self._groups)
        for (goals, things), step in zip(self._batches, self._steps, strict=True):
            ways = step[room]
            way = rng.weighted(range(len(ways.deals)), ways.deals) if len(ways.deals) > 1 else 0
            room, split, mixed = ways.after[way], ways.splits[way], list(things)
            if sum(map(bool, split)) > 1:
                rng.shuffle(mixed)
            for goal, number in zip(goals, split, strict=True):
                held[goal] += mixed[:number]
                del mixed[:number]
        dealt = list(self._things)
        for places, mixed in zip(self._groups, held, strict=True):
            rng.shuffle(mixed)
            for place, thing in zip(places, mixed, strict=True):
                dealt[place] = thing
        return dealt

    def _count(self) -> list[dict[int, _Ways]]:
        """Count the deals for each batch and the free places before it. Return [] if too many."""
        rooms, steps, counted = [self._units[-1] - 1], list[dict[int, _Ways]](), 0
        for batch in self._batches:
            step = {room: self._ways(batch, room) for room in rooms}
            steps.append(step)
            rooms = list(dict.fromkeys(after for ways in step.values() for after in ways.after))
            counted += sum(len(ways.after) for ways in step.values())
            if counted > _MOST:
                return []
        totals = {0: 1}
        for step in reversed(steps):
            for ways in step.values():
                ways.deals[:] = [
                    deals * totals[after]
                    for deals, after in zip(ways.deals, ways.after, strict=True)
                ]
            totals = {room: sum(ways.deals) for room, ways in step.items()}
        return steps

    def _ways(self, batch: _Batch, room: int) -> _Ways:
        """Return all ways to split a batch over free places, even if a later batch then does not
        fit.
        """
        goals, number = batch.goals, len(batch.things)
        units = [self._units[goal] for goal in goals]
        free = [room // self._units[goal] % (len(self._groups[goal]) + 1) for goal in goals]
        ways = _Ways([], [], [])
        for split in _split(number, free):
            ways.splits.append(split)
            ways.after.append(room - sum(map(mul, split, units)))
            ways.deals.append(factorial(number) // prod(map(factorial, split)))
        return ways

    def _draw_nearly(self, rng: Stream) -> list[T]:
        places, fitting = range(len(self._things)), self._fitting
        drawn = rng.deal(
            places,
            places,
            fits=lambda thing, place: self._things[thing] in fitting[place],
            capacity=1,
        )
        dealt = [self._things[drawn[place][0]] for place in places]
        for _ in range(_SWAPS * len(dealt)):
            first, second = rng.below(len(dealt)), rng.below(len(dealt))
            if dealt[first] in fitting[second] and dealt[second] in fitting[first]:
                dealt[first], dealt[second] = dealt[second], dealt[first]
        return dealt


def _split(number: int, rooms: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """Yield the ways to split `number` things over the free places of several groups."""
    if not number or len(rooms) < 2:
        if number <= sum(rooms):
            yield (number, *[0] * (len(rooms) - 1))
        return
    for first in range(max(0, number - sum(rooms[1:])), min(number, rooms[0]) + 1):
        for others in _split(number - first, rooms[1:]):
            yield (first, *others)
