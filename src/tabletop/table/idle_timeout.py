"""The idle timeout of a table: a bot may replace a player who is present and does not act."""

from __future__ import annotations

from collections.abc import Container, Iterable
from dataclasses import dataclass
from typing import Final

from tabletop.states.bounds import Seat

NOTICE: Final = 60.0
"""Seconds before the end at which a player is warned, or at half the time if that is later."""


@dataclass(slots=True)
class _Wait:
    """The time since which a seat is to act, and the notices sent about it."""

    since: float
    warned: bool = False
    expired: bool = False


class IdleTimeout:
    """The idle times of the seats that are to act.

    Args:
        seconds: The time after which the seat of an idle player may be given to a bot, or None
            for no limit.
    """

    def __init__(self, seconds: float | None) -> None:
        self.seconds = seconds
        self._notice = 0.0 if seconds is None else max(seconds - NOTICE, seconds / 2)
        self._waits: dict[Seat, _Wait] = {}
        self._asked: tuple[Seat, ...] = ()
        self._ply = 0

    @property
    def expired(self) -> set[Seat]:
        """The seats to act whose time is over."""
        return {seat for seat in self._asked if self._waits[seat].expired}

    @property
    def deadline(self) -> float | None:
        """The time of the next warning or expiry, or None if no seat with a limit is to act."""
        waits = [self._waits[seat] for seat in self._asked]
        return min((self._due(wait) for wait in waits if not wait.expired), default=None)

    def _due(self, wait: _Wait) -> float:
        return wait.since + ((self.seconds or 0.0) if wait.warned else self._notice)

    def wait_for(self, seats: Iterable[Seat], now: float) -> None:
        """Count the idle time of these seats, and of no others."""
        if self.seconds is None:
            return
        self._asked = tuple(seats)
        for seat in self._asked:
            self._waits.setdefault(seat, _Wait(now))

    def acted(self, seat: Seat, ply: int, to_act: Container[Seat]) -> None:
        """Record an action of a seat, and the seats that are to act after it.

        An action gives new time only if its `ply` is new. Undoing an action and playing another
        one gives none.
        """
        if ply > self._ply:
            self._ply = ply
            self._waits = {
                it: wait for it, wait in self._waits.items() if it != seat and it in to_act
            }
            self._asked = tuple(it for it in self._asked if it in self._waits)

    def replaced(self, seat: Seat) -> None:
        """Give the full time to a new player of a seat."""
        self._waits.pop(seat, None)
        self._asked = tuple(it for it in self._asked if it != seat)

    def reset(self) -> None:
        """Give the full time to all players, because the table waits or continues."""
        self._waits.clear()
        self._asked = ()

    def tick(self, now: float) -> list[tuple[Seat, float]]:
        """Return the seats to notify now, with the seconds that each has left.

        A player is warned once while time is left, and reported once with 0 seconds at the end.
        """
        notices = []
        for seat in self._asked:
            wait = self._waits[seat]
            if wait.expired or now < self._due(wait):
                continue
            left = max(0.0, wait.since + (self.seconds or 0.0) - now)
            wait.warned, wait.expired = True, left == 0
            notices.append((seat, left))
        return notices
