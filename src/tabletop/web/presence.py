"""Who is here: people come and go, and whoever is gone for long may be replaced by a bot."""

from __future__ import annotations

from asyncio import AbstractEventLoop, TimerHandle
from collections.abc import Callable, Iterable

from tabletop.outcome import Seat


class Presence:
    """Notes for how long the people of a table have been gone.

    Args:
        seats: the seats that have a link; nobody has come to them yet.
        patience: after so many seconds a seat is offered.
        loop: tells the time.
        offer: told of a seat whose person has been gone for that long.

    Attributes:
        seen: the seats that somebody has come to.
        offered: the seats that may be given to a bot.
    """

    def __init__(
        self,
        seats: Iterable[Seat],
        patience: float,
        loop: AbstractEventLoop,
        offer: Callable[[Seat], object],
    ) -> None:
        self.seen: set[Seat] = set()
        self.offered: set[Seat] = set()
        self._patience = patience
        self._loop = loop
        self._offer = offer
        self._timers: dict[Seat, TimerHandle] = {}
        for seat in seats:
            self.left(seat)

    def came(self, seat: Seat) -> None:
        """Somebody is there for a seat."""
        self.seen.add(seat)
        self.offered.discard(seat)
        timer = self._timers.pop(seat, None)
        if timer is not None:
            timer.cancel()

    def left(self, seat: Seat) -> None:
        """Nobody is there for a seat any more."""
        if seat not in self._timers and seat not in self.offered:
            self._timers[seat] = self._loop.call_later(self._patience, self._is_gone, seat)

    def _is_gone(self, seat: Seat) -> None:
        self._timers.pop(seat, None)
        self.offered.add(seat)
        self._offer(seat)

    def close(self) -> None:
        """Wait for nobody any more."""
        for timer in self._timers.values():
            timer.cancel()
        self._timers.clear()
