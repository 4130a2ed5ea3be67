"""Money: purses, costs and payments, and ascending auctions.

Purses and costs are `Counter`s or other dictionaries of integers. The bank is an ordinary purse, or
None for an unlimited supply.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, MutableMapping
from dataclasses import dataclass, replace
from typing import Annotated, Self, TypeVar

from typing_extensions import override

from tabletop.states.bounds import Length, Seat

K = TypeVar("K")


def missing(purse: Mapping[K, int], cost: Mapping[K, int]) -> dict[K, int]:
    """Return the items that a purse lacks to pay a cost.

    >>> missing({"wood": 1, "brick": 3}, {"wood": 2, "brick": 1})
    {'wood': 1}
    """
    lacks = {thing: count - purse.get(thing, 0) for thing, count in cost.items()}
    return {thing: count for thing, count in lacks.items() if count > 0}


def gain(purse: MutableMapping[K, int], things: Mapping[K, int]) -> None:
    """Add items from an unlimited supply to a purse, in place."""
    for thing, count in things.items():
        purse[thing] = purse.get(thing, 0) + count


def pay(
    purse: MutableMapping[K, int],
    cost: Mapping[K, int],
    to: MutableMapping[K, int] | None = None,
) -> None:
    """Pay a cost from a purse, in place.

    Items that run out stay in the purse with a count of 0.

    Args:
        purse: The purse that pays.
        cost: The number of each item to pay.
        to: The purse that receives the payment, or None to discard it.

    Raises:
        ValueError: The purse has too little, or the cost is negative. Nothing has been paid.

    >>> mine, bank = {"coins": 5}, {"coins": 50}
    >>> pay(mine, {"coins": 3}, bank)
    >>> mine, bank
    ({'coins': 2}, {'coins': 53})
    """
    for thing, count in cost.items():
        if count < 0:
            raise ValueError(f"the cost in {thing} must be at least 0, not {count}")
    if lacks := missing(purse, cost):
        named = ", ".join(f"{count} {thing}" for thing, count in lacks.items())
        raise ValueError(f"missing: {named}")
    for thing, count in cost.items():
        purse[thing] = purse.get(thing, 0) - count
    if to is not None:
        gain(to, cost)


@dataclass(frozen=True, slots=True)
class Auction:
    """The state of an auction. It is immutable, so states can share it.

    Attributes:
        seats: The seats that have not passed, in turn order. The first seat is to bid or pass.
        highest: The highest bid, or 0 before the first bid.
        leader: The seat with the highest bid, or None before the first bid.
    """

    seats: Annotated[tuple[Seat, ...], Length(lambda match: match.seats)]
    highest: int = 0
    leader: Seat | None = None

    @property
    def to_act(self) -> tuple[Seat, ...]:
        """The seat that is to bid or pass, or () if the auction is over."""
        return () if self.over else self.seats[:1]

    @property
    def over(self) -> bool:
        """True if the leader is the only seat left, or if every seat has passed without a bid."""
        return not self.seats or self.seats == (self.leader,)

    def bids(self, allowed: Iterable[int]) -> list[int]:
        """Return the allowed bids that are higher than the highest bid.

        >>> Auction((1, 2, 0)).bid(20).bids([18, 20, 22, 23])
        [22, 23]
        """
        return [bid for bid in allowed if bid > self.highest]

    def bid(self, amount: int) -> Self:
        """Return the auction after the current seat bids.

        Raises:
            ValueError: The bid is not higher than `highest`, or the auction is over.

        >>> Auction((1, 2, 0)).bid(3).bid(5)
        Auction(seats=(0, 1, 2), highest=5, leader=2)
        """
        self._check_running()
        if amount <= self.highest:
            raise ValueError(f"the bid is too low (bid more than {self.highest})")
        return self._lead(amount)

    def _lead(self, amount: int) -> Self:
        first, *others = self.seats
        return replace(self, seats=(*others, first), highest=amount, leader=first)

    def drop(self) -> Self:
        """Return the auction after the current seat passes. This seat can no longer bid.

        Raises:
            ValueError: The auction is over.

        >>> Auction((1, 2, 0)).bid(3).drop().drop()
        Auction(seats=(1,), highest=3, leader=1)
        """
        self._check_running()
        return replace(self, seats=self.seats[1:])

    def _check_running(self) -> None:
        if self.over:
            raise ValueError("the auction is over")


@dataclass(frozen=True, slots=True)
class Duel(Auction):
    """An auction between two seats at a time, as in Skat.

    One seat bids, and the elder seat holds each bid or drops out. The next seat then bids against
    the seat that is left. If nobody has bid against the last seat, it may bid or drop.

    Attributes:
        seats: The seats that have not dropped out. The first seat is to act, and the second is its
            opponent. The others wait, in the order in which they enter.
        elder: The seat that holds bids. At the start, this is the second item of `seats`.

    >>> duel = Duel((1, 0, 2), elder=0).bid(18).hold().drop()
    >>> duel.to_act, duel.highest, duel.leader
    ((2,), 18, 0)
    >>> duel.bid(20).drop().leader
    2
    """

    elder: Seat = 0

    @property
    def may_hold(self) -> bool:
        """Whether the seat to act has to hold the highest bid or drop out."""
        return self.to_act == (self.elder,) and self.leader is not None

    @override
    def bids(self, allowed: Iterable[int]) -> list[int]:
        """Return the allowed bids above the highest bid, or none if `may_hold` is true."""
        return [] if self.may_hold else Auction.bids(self, allowed)

    @override
    def bid(self, amount: int) -> Self:
        """Return the auction after the current seat bids.

        Raises:
            ValueError: The bid is not higher than `highest`, the seat has to hold a bid, or the
                auction is over.
        """
        if self.may_hold:
            raise ValueError(f"there is a bid of {self.highest} to hold (or drop out)")
        return Auction.bid(self, amount)

    def hold(self) -> Self:
        """Return the auction after the elder seat accepts the highest bid as its own.

        Raises:
            ValueError: `may_hold` is false.
        """
        if not self.may_hold:
            raise ValueError("there is no bid to hold")
        return self._lead(self.highest)

    @override
    def drop(self) -> Self:
        """Return the auction after the current seat drops out. The next seat enters the duel.

        Raises:
            ValueError: The auction is over.
        """
        left = Auction.drop(self)
        elder, *waiting = left.seats or (self.elder,)
        seats = (*waiting[:1], *left.seats[:1], *waiting[1:])
        return replace(left, seats=seats, elder=elder)

    @override
    def _lead(self, amount: int) -> Self:
        first, *others = self.seats
        seats = (*others[:1], first, *others[1:])
        return replace(self, seats=seats, highest=amount, leader=first)
