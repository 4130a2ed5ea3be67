"""Amounts of things in purses: what somebody has, what something costs, and paying for it.

A purse is a `Counter` or any other dictionary of whole numbers; so is a cost. A bank is a purse
like any other, or none at all where there is no end of what it has.
"""

from __future__ import annotations

from collections.abc import Mapping, MutableMapping
from typing import TypeVar

K = TypeVar("K")


def missing(purse: Mapping[K, int], cost: Mapping[K, int]) -> dict[K, int]:
    """What a purse lacks to pay a cost; empty when it can be paid.

    >>> missing({"wood": 1, "brick": 3}, {"wood": 2, "brick": 1})
    {'wood': 1}
    """
    lacks = {thing: count - purse.get(thing, 0) for thing, count in cost.items()}
    return {thing: count for thing, count in lacks.items() if count > 0}


def gain(purse: MutableMapping[K, int], things: Mapping[K, int]) -> None:
    """Put things into a purse, out of a supply that has no end."""
    for thing, count in things.items():
        purse[thing] = purse.get(thing, 0) + count


def pay(
    purse: MutableMapping[K, int],
    cost: Mapping[K, int],
    to: MutableMapping[K, int] | None = None,
) -> None:
    """Pay a cost out of a purse, into another one or into a supply that has no end.

    Raises:
        ValueError: the purse has too little, or the cost is negative; nothing has been paid.

    >>> mine, bank = {"coins": 5}, {"coins": 50}
    >>> pay(mine, {"coins": 3}, bank)
    >>> mine, bank
    ({'coins': 2}, {'coins': 53})
    """
    for thing, count in cost.items():
        if count < 0:
            raise ValueError(f"{count} {thing} cannot be paid")
    if lacks := missing(purse, cost):
        named = ", ".join(f"{count} {thing}" for thing, count in lacks.items())
        raise ValueError(f"missing: {named}")
    for thing, count in cost.items():
        purse[thing] = purse.get(thing, 0) - count
    if to is not None:
        gain(to, cost)
