"""Presence at a table: the seats whose players are connected, were connected, or are away."""

from __future__ import annotations

from collections.abc import Iterable
from math import inf

from tabletop.states.bounds import Seat


class Presence:
    """The times at which the players of the seats with links have come and left.

    Args:
        limit: The seconds after which the seat of an absent player may be given to a bot, or `inf`
            for no limit.

    Attributes:
        visited: The seats whose players have been connected at some time.
        absent: The seats whose players have been away for `limit` or longer.
    """

    def __init__(self, limit: float) -> None:
        self.visited: set[Seat] = set()
        self.absent: set[Seat] = set()
        self._limit = limit
        self._away: dict[Seat, float] = {}  # since when
        self._last_here: dict[Seat, float] = {}

    def came(self, seat: Seat) -> None:
        """Record that the player of a seat is connected."""
        self.visited.add(seat)
        self.absent.discard(seat)
        self._away.pop(seat, None)

    def left(self, seat: Seat, now: float) -> None:
        """Record that the player of a seat is not connected."""
        self._away.setdefault(seat, now)

    def reserve(self, seats: Iterable[Seat], now: float) -> None:
        """Keep seats for their players for `limit` from now on, as if they had just left."""
        self._last_here.update(dict.fromkeys(seats, now))

    def replaced(self, seat: Seat, now: float) -> None:
        """Keep a seat for its new player, who is not connected yet."""
        self.absent.discard(seat)
        self._away[seat] = now
        self.reserve([seat], now)

    def restart(self, limit: float, now: float) -> None:
        """Give all players a limit from now on."""
        self._limit = limit
        self.absent.clear()
        self._away = dict.fromkeys(self._away, now)
        self.reserve(self._last_here, now)

    def is_free(self, seat: Seat, now: float) -> bool:
        """Check whether nobody has come to a seat, or its last player has been away for `limit`."""
        return seat in self._away and now - self._last_here.get(seat, -inf) >= self._limit

    @property
    def deadline(self) -> float | None:
        """The time at which the next seat becomes absent, or None if none is about to."""
        missing = [since for seat, since in self._away.items() if seat not in self.absent]
        return min(missing) + self._limit if missing and self._limit < inf else None

    def tick(self, now: float) -> list[Seat]:
        """Return the seats whose players have been away for `limit` since the last call."""
        absent = [
            seat
            for seat, since in self._away.items()
            if seat not in self.absent and now >= since + self._limit
        ]
        self.absent.update(absent)
        return absent
