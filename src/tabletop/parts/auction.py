"""An auction with rising bids: seats bid in turn or pass, until all but the highest have passed."""

from __future__ import annotations

from dataclasses import dataclass, replace

from tabletop.outcome import Seat


@dataclass(frozen=True, slots=True)
class Auction:
    """How far an auction has come: plain data that never changes, so that a state shares it.

    Attributes:
        seats: who has not passed, in turn: the first is to bid or pass.
        highest: the highest bid; 0 before the first.
        leader: whose it is; None before the first.
    """

    seats: tuple[Seat, ...]
    highest: int = 0
    leader: Seat | None = None

    @property
    def to_act(self) -> tuple[Seat, ...]:
        """Who is to bid or pass; nobody when it is over."""
        return () if self.over else self.seats[:1]

    @property
    def over(self) -> bool:
        """Whether nobody is left who could outbid the leader; without a bid, whether all passed."""
        return not self.seats or self.seats == (self.leader,)

    def bid(self, amount: int) -> Auction:
        """The auction after a higher bid of the seat that is to act.

        Raises:
            ValueError: the bid is not higher, or the auction is over.

        >>> Auction((1, 2, 0)).bid(3).bid(5)
        Auction(seats=(0, 1, 2), highest=5, leader=2)
        """
        self._check_running()
        if amount <= self.highest:
            raise ValueError(f"a bid is higher than {self.highest}")
        first, *others = self.seats
        return replace(self, seats=(*others, first), highest=amount, leader=first)

    def drop(self) -> Auction:
        """The auction after a pass of the seat that is to act, which may not bid any more.

        Raises:
            ValueError: the auction is over.

        >>> Auction((1, 2, 0)).bid(3).drop().drop()
        Auction(seats=(1,), highest=3, leader=1)
        """
        self._check_running()
        return replace(self, seats=self.seats[1:])

    def _check_running(self) -> None:
        """Check that somebody is to act.

        Raises:
            ValueError: it is over.
        """
        if self.over:
            raise ValueError("the auction is over")
