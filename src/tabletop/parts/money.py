"""Money: purses, costs and payments, and auctions with rising bids.

A purse is a `Counter` or any other dictionary of whole numbers; so is a cost. A bank is a purse
like any other, or none at all for an endless supply.
"""

from __future__ import annotations

from collections.abc import Mapping, MutableMapping
from dataclasses import dataclass, replace
from typing import Annotated, TypeVar

from tabletop.states.bounds import Length, Seat

K = TypeVar("K")


def missing(purse: Mapping[K, int], cost: Mapping[K, int]) -> dict[K, int]:
    """Return the things that a purse lacks to pay a cost; empty when it can be paid.

    >>> missing({"wood": 1, "brick": 3}, {"wood": 2, "brick": 1})
    {'wood': 1}
    """
    lacks = {thing: count - purse.get(thing, 0) for thing, count in cost.items()}
    return {thing: count for thing, count in lacks.items() if count > 0}


def gain(purse: MutableMapping[K, int], things: Mapping[K, int]) -> None:
    """Put things into a purse, in place, out of an endless supply."""
    for thing, count in things.items():
        purse[thing] = purse.get(thing, 0) + count


def pay(
    purse: MutableMapping[K, int],
    cost: Mapping[K, int],
    to: MutableMapping[K, int] | None = None,
) -> None:
    """Pay a cost out of a purse, in place, into another one or into an endless supply.

    Things of which none is left stay in the purse, with 0.

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


@dataclass(frozen=True, slots=True)
class Auction:
    """The state of an auction: plain data that never changes, so that states share it.

    Attributes:
        seats: the seats that have not passed, in turn: the first is to bid or pass.
        highest: the highest bid; 0 before the first.
        leader: the seat that bid it; None before the first.
    """

    seats: Annotated[tuple[Seat, ...], Length(lambda match: match.seats)]
    highest: int = 0
    leader: Seat | None = None

    @property
    def to_act(self) -> tuple[Seat, ...]:
        """The seat that is to bid or pass; none when the auction is over."""
        return () if self.over else self.seats[:1]

    @property
    def over(self) -> bool:
        """True when no seat is left to outbid the leader; without a bid, when all have passed."""
        return not self.seats or self.seats == (self.leader,)

    def bid(self, amount: int) -> Auction:
        """Return the auction after a higher bid, of at least 1, of the seat that is to act.

        Raises:
            ValueError: the bid is not higher than `highest`, or the auction is over.

        >>> Auction((1, 2, 0)).bid(3).bid(5)
        Auction(seats=(0, 1, 2), highest=5, leader=2)
        """
        self._check_running()
        if amount <= self.highest:
            raise ValueError(f"a bid is higher than {self.highest}")
        first, *others = self.seats
        return replace(self, seats=(*others, first), highest=amount, leader=first)

    def drop(self) -> Auction:
        """Return the auction after a pass of the seat that is to act, which may not bid any more.

        Raises:
            ValueError: the auction is over.

        >>> Auction((1, 2, 0)).bid(3).drop().drop()
        Auction(seats=(1,), highest=3, leader=1)
        """
        self._check_running()
        return replace(self, seats=self.seats[1:])

    def _check_running(self) -> None:
        """Check that some seat is to act."""
        if self.over:
            raise ValueError("the auction is over")
