"""How long a check may take, and how far it is.

Nothing here decides whether a law holds: a check that has less time tests less, and says so.
"""

from __future__ import annotations

from collections.abc import Callable
from math import inf
from time import monotonic
from typing import Final, TypeAlias

from tabletop.testing.laws import Report

Progress: TypeAlias = Callable[[Report, str], object]
"""Called with what has been done so far, and with what is being done: `match 3 of 20`."""

_FOR_MATCHES: Final = 3 / 4
"""The share of the time that is for random matches; the other laws have the rest."""

_FOR_ONE: Final = 1 / 3
"""The share in which one match is tested: then it is played on to its end, and nothing else."""


class OutOfTime(Exception):
    """The time is over in the middle of something that cannot be used as far as it went."""


class Clock:
    """The time that a check has.

    Args:
        report: what has been done so far.
        seconds: how long it may take; None for as long as it takes.
        progress: told often how far it is.
    """

    def __init__(
        self, report: Report, seconds: float | None = None, progress: Progress | None = None
    ) -> None:
        self._report = report
        self._seconds = inf if seconds is None else seconds
        self._progress = progress
        self._began = self._match_began = monotonic()

    @property
    def left(self) -> float:
        """How many seconds there are; none are less than 0."""
        return max(0.0, self._began + self._seconds - monotonic())

    def begin_match(self) -> None:
        """A match begins, which has a share of its own."""
        self._match_began = monotonic()

    @property
    def tests(self) -> bool:
        """Whether there is time to test the laws in this match."""
        return monotonic() < self._match_began + self._seconds * _FOR_ONE

    @property
    def plays(self) -> bool:
        """Whether there is time to play matches."""
        return monotonic() < self._began + self._seconds * _FOR_MATCHES

    def tell(self, doing: str) -> None:
        """Say what is being done."""
        if self._progress is not None:
            self._progress(self._report, doing)

    def spend(self, doing: str) -> None:
        """Say what is being done, if there is time for it.

        Raises:
            OutOfTime: there is none left.
        """
        self.tell(doing)
        if not self.left:
            raise OutOfTime(doing)
