"""How much time people have at a table: clocks for the match, or for each action."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from msgspec import Struct

from tabletop.states.bounds import Seat

LONGEST: Final = 10_000_000
"""The most seconds that a clock begins with, and that people wait for somebody."""

MOST_INCREMENT: Final = 86_400
"""The most seconds that a clock gains with an action."""

IDLE_TIMEOUT: Final = 300.0
"""Default of the idle timeout in seconds at a table without clocks."""

LEAST_IDLE_TIMEOUT: Final = 10
"""The shortest idle timeout in seconds."""


MOMENT: Final = 0.001
"""The seconds that are left on a clock which has run out at the moment of an action."""


class Pace(Struct, frozen=True):
    """How much time people have at a table; times are seconds.

    Attributes:
        clock: of each person for the whole match; None without such clocks.
        increment: what these clocks gain with each action.
        move_time: of each person for each action; None without such clocks.
        idle_timeout: After this time the other players may replace a player who is to act but does
            not, with a bot. None for never.
    """

    clock: float | None = None
    increment: float = 0
    move_time: float | None = None
    idle_timeout: float | None = None

    @property
    def first(self) -> float | None:
        """The seconds that a clock begins with; None without clocks."""
        return self.clock if self.move_time is None else self.move_time

    @property
    def fault(self) -> str:
        """What is wrong with it, as `field: words`; empty when nothing is."""
        if self.clock is not None and self.move_time is not None:
            return "move_time: for each action or, with `clock`, for the match; leave one out"
        if self.increment and self.clock is None:
            return "increment: it is added to a clock for the whole match, and there is none"
        return ""


def default_idle_timeout(*clocks: float | None) -> float | None:
    """Return the default idle timeout: none if clocks run, because they are enough."""
    return None if any(clocks) else IDLE_TIMEOUT


class Clocks:
    """A clock for each seat, or None: its seconds run while the seat is to act.

    Args:
        left: the seconds on each clock; None for a seat without one.
        increment: the seconds that a clock gains with each action of its seat.
        move_time: the seconds for each action; None where they are for the whole match.

    Attributes:
        running: the seats whose clocks run.
        paused: whether all stand still, as everybody has agreed.
    """

    def __init__(
        self,
        left: Sequence[float | None],
        *,
        increment: float = 0,
        move_time: float | None = None,
    ) -> None:
        self.increment = increment
        self.move_time = move_time
        self.running: tuple[Seat, ...] = ()
        self.paused = False
        self._left = list(left)
        self._since = 0.0
        self._ply = 0  # of the last action that a clock has gained for

    @property
    def exist(self) -> bool:
        """True if some seat has a clock."""
        return any(own is not None for own in self._left)

    def run(self, seats: Iterable[Seat], now: float) -> None:
        """Run the clocks of these seats from now on, and no others; none while they are paused."""
        self._stop(now)
        self.running = tuple(seat for seat in seats if self._left[seat] and not self.paused)

    def acted(self, seat: Seat, ply: int, now: float) -> bool:
        """Give a seat its time for the next action; return whether its clock has changed.

        Who takes an action back, and plays another one, gets nothing for it: `ply` has to be new.
        """
        self._stop(now)
        own, runs = self._left[seat], seat in self.running
        if own == 0 and runs:  # just in time: it runs out when the seat is asked again
            self._left[seat] = own = MOMENT
        is_new = runs and ply > self._ply
        if is_new:
            self._ply = ply
        if self.move_time is not None and (is_new or own == 0):  # 0: a bot has acted in its place
            self._left[seat] = self.move_time
        elif own is not None and is_new:
            self._left[seat] = own + self.increment
        return self._left[seat] != own

    def left(self, now: float) -> tuple[float | None, ...]:
        """Return the seconds that each seat has left; None for a seat without a clock."""
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
