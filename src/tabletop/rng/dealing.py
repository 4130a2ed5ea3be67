"""Dealing limited things out to places, so that there is a place for each."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from typing import TypeVar

from tabletop.errors import SeedError
from tabletop.rng.stream import Stream

T = TypeVar("T")
P = TypeVar("P", bound=Hashable)


def deal_out(
    chance: Stream,
    things: Iterable[T],
    places: Sequence[P],
    *,
    fits: Callable[[T, P], object] | None = None,
    room: int | None = None,
) -> dict[P, list[T]]:
    """Deal `things` out to `places`; see `Streams.deal`.

    Raises:
        SeedError: there is no place for a thing, or a place is there twice.
    """
    dealt: dict[P, list[T]] = {place: [] for place in places}
    if len(dealt) < len(places):
        raise SeedError("a place is there twice")
    waiting = list(things)
    left = dict.fromkeys(dealt, len(waiting) if room is None else room)
    choices = [
        [place for place in dealt if fits is None or fits(thing, place)] for thing in waiting
    ]
    homeless = _first_without_place(choices, left)
    if homeless is not None:
        raise SeedError(f"there is no place left for {waiting[homeless]!r}")
    for number, thing in enumerate(waiting):
        free = [place for place in choices[number] if left[place]]
        if fits is not None and room is not None:
            # What is dealt now must leave a place for everything that comes later.
            later = choices[number + 1 :]
            free = [
                place
                for place in free
                if _first_without_place(later, {**left, place: left[place] - 1}) is None
            ]
        place = chance.choice(free)
        dealt[place].append(thing)
        left[place] -= 1
    return dealt


def _first_without_place(choices: Sequence[Sequence[P]], left: Mapping[P, int]) -> int | None:
    """The first of several things that cannot lie anywhere, however those before it lie.

    Args:
        choices: the places that each of the things may go to.
        left: how many things each place still holds.
    """
    lying: dict[P, list[int]] = {place: [] for place in left}

    def settle(thing: int, asked: set[P]) -> bool:
        """Find a place for `thing`; things that lie there may have to move on."""
        for place in choices[thing]:
            if place in asked:
                continue
            asked.add(place)
            if len(lying[place]) < left[place]:
                lying[place].append(thing)
                return True
            for other in lying[place]:
                if settle(other, asked):
                    lying[place][lying[place].index(other)] = thing
                    return True
        return False

    return next((thing for thing in range(len(choices)) if not settle(thing, set())), None)
