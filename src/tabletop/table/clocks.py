"""The clocks of a table, for the whole match or for each action."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from tabletop.protocol.settings import TableSettings
from tabletop.states.bounds import Seat

MOMENT: Final = 0.001
"""Seconds left on a clock that ran out at the moment of an action."""


class Clocks:
    """The clocks of the seats. A clock runs while its seat is to act.

    Args:
        left: The seconds on each clock. None for a seat without a clock.
        settings: The settings of the table.

    Attributes:
        running: The seats whose clocks run.
    """

    def __init__(self, left: Sequence[float | None], settings: TableSettings) -> None:
        self.settings = settings
        self.running: tuple[Seat, ...] = ()
        self._left = list(left)
        self._since = 0.0
        self._ply = 0  # of the last action that a clock has gained for

    @property
    def are_per_action(self) -> bool:
        """True if a clock begins again with each action of its seat."""
        return self.settings.move_time is not None

    @property
    def exist(self) -> bool:
        """True if some seat has a clock."""
        return any(own is not None for own in self._left)

    def run(self, seats: Iterable[Seat], now: float) -> None:
        """Run only the clocks of these seats from now on."""
        self._stop(now)
        self.running = tuple(seat for seat in seats if self._left[seat])

    def acted(self, seat: Seat, ply: int, now: float) -> bool:
        """Give a seat its time for the next action. Return whether its clock has changed.

        An action that replaces an undone one gains no time, because its `ply` is not new.
        """
        self._stop(now)
        own, runs = self._left[seat], seat in self.running
        if own == 0 and runs:  # just in time: it runs out when the seat is asked again
            self._left[seat] = own = MOMENT
        is_new = runs and ply > self._ply
        if is_new:
            self._ply = ply
        if self.are_per_action and (is_new or own == 0):  # 0: a bot has acted in its place
            self._left[seat] = self.settings.move_time
        elif own is not None and is_new:
            self._left[seat] = own + self.settings.increment
        return self._left[seat] != own

    def left(self, now: float) -> tuple[float | None, ...]:
        """Return the remaining seconds of each seat, or None for a seat without a clock."""
        return tuple(
            max(0.0, self._since + own - now) if own is not None and seat in self.running else own
            for seat, own in enumerate(self._left)
        )

    @property
    def deadline(self) -> float | None:
        """The time at which the next clock runs out, or None if no clock runs."""
        left = [own for seat in self.running if (own := self._left[seat])]
        return self._since + min(left) if left else None

    def expired(self, now: float) -> list[Seat]:
        """Return the seats whose clocks have run out while they were to act."""
        return [seat for seat in self.running if self.has_run_out(seat, now)]

    def has_run_out(self, seat: Seat, now: float) -> bool:
        """Check whether a seat has no time left."""
        return self.left(now)[seat] == 0

    def _stop(self, now: float) -> None:
        """Take what has been spent from the clocks that run."""
        self._left = list(self.left(now))
        self._since = now
