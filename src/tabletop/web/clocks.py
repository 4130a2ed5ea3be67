"""A clock for each seat: seconds for the whole match, which run while the seat is asked.

Nothing here looks at the time: whoever asks says what it is.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from tabletop.outcome import Seat


class Clocks:
    """The clocks of a table.

    Args:
        left: how many seconds each seat has left; None for a seat without a clock.
    """

    def __init__(self, left: Sequence[float | None]) -> None:
        self._left = list(left)
        self._running: tuple[Seat, ...] = ()
        self._since = 0.0

    @property
    def running(self) -> tuple[Seat, ...]:
        """The seats whose clocks run."""
        return self._running

    def run(self, seats: Iterable[Seat], now: float) -> None:
        """Let the clocks of these seats run from now on, and no others."""
        self._left = list(self.left(now))
        self._since = now
        self._running = tuple(seat for seat in seats if self._left[seat])

    def left(self, now: float) -> tuple[float | None, ...]:
        """How many seconds each seat has left; None for a seat without a clock."""
        spent = now - self._since
        return tuple(
            max(0.0, own - spent) if own is not None and seat in self._running else own
            for seat, own in enumerate(self._left)
        )

    def ends_in(self, now: float) -> float | None:
        """In how many seconds the next clock runs out; None when none runs."""
        left = self.left(now)
        return min((own for seat in self._running if (own := left[seat]) is not None), default=None)

    def has_run_out(self, seat: Seat, now: float) -> bool:
        """Whether a seat has no time left."""
        return self.left(now)[seat] == 0
