"""The messages about a table: its players, their presence, and its clocks."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from tabletop.table.holders import Holders
from tabletop.table.perspective import TableFacts

COUNTED: Final = 1.0
"""Seconds between two messages about the number of spectators, because many may come and go."""


class Announcements:
    """Sends everybody a new message about the table when some of its facts have changed.

    Args:
        holders: The people.
        facts: Returns the facts at a time.
    """

    def __init__(self, holders: Holders, facts: Callable[[float], TableFacts]) -> None:
        self._holders = holders
        self._facts = facts
        self._shown: tuple[object, ...] = ()  # in the last message
        self._shown_watching = 0
        self._count_at: float | None = None  # when the number of spectators is sent

    @property
    def deadline(self) -> float | None:
        """The time of the next message about the number of spectators, if one is due."""
        return self._count_at if self._shown_watching != self._holders.watching else None

    def tick(self, now: float) -> None:
        """Send a new message if the last message is out of date."""
        facts = self._facts(now)
        shown = facts.present, facts.replaceable, facts.running, facts.paused
        if shown == self._shown and facts.spectator_count == self._shown_watching:
            return
        if shown == self._shown:
            if self._count_at is None:
                self._count_at = now + COUNTED
            if now < self._count_at:
                return
        self._shown, self._shown_watching = shown, facts.spectator_count
        self._count_at = None
        self._holders.refresh_table()

    def clocks_changed(self) -> None:
        """Note that a clock has changed, so that a new message is due."""
        self._shown = ()
