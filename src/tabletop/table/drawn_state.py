"""The states of a table as they are sent, whole or as changes."""

from __future__ import annotations

from tabletop.protocol.changes import changes_of
from tabletop.protocol.outgoing import ChangesOut, StateOut


class DrawnState:
    """A state as it is sent: whole, or as changes of the state before it."""

    def __init__(self, version: int, state: StateOut, before: DrawnState | None) -> None:
        self.version = version
        self.state = state
        self._before = None if before is None else (before.version, before.state)
        self._changes: ChangesOut | None = None

    def message(self, since: int | None) -> StateOut | ChangesOut:
        """The message for a screen that shows a version, or nothing if `since` is None."""
        if self._before is None or self._before[0] != since:
            return self.state
        if self._changes is None:
            self._changes = changes_of(self._before[1], self.state)
        return self._changes
