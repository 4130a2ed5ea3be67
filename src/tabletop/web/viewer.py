"""One screen that looks at a table, and what is still to be sent to it.

Nothing piles up for a screen that reads slowly: of states and tables only the newest is sent, of
the log what is missing, and whoever leaves too many answers unread is dropped.
"""

from __future__ import annotations

from asyncio import Event
from collections import deque
from collections.abc import Iterator
from typing import Protocol

from tabletop.web.messages import ErrorTold, LineTold, LogTold, Told, as_json


class Shown(Protocol):
    """What a viewer needs of the front that it looks at."""

    @property
    def version(self) -> int:
        """Rises whenever there is another state to be shown."""

    @property
    def table_version(self) -> int:
        """Rises whenever there is something new to be told of the table."""

    def table_text(self) -> str:
        """The message about the table, as a text."""

    def state_text(self, *, narrow: bool, since: int | None) -> str:
        """The message about the state, as a text."""

    def lines_after(self, number: int) -> tuple[LineTold, ...]:
        """The lines of the log with higher numbers."""


class Viewer:
    """A screen.

    Args:
        front: what it shows.
        waiting: so many answers may wait.
        narrow: whether it is as narrow as a phone's.

    Attributes:
        front: what it shows.
        wake: set when there is something to send.
        leaving: the code that the connection is to be closed with; None while it stays.
    """

    def __init__(self, front: Shown, *, waiting: int, narrow: bool = False) -> None:
        self.front = front
        self.wake = Event()
        self.leaving: int | None = None
        self._narrow = narrow
        self._most = waiting
        self._answers: deque[Told] = deque()
        self._shown: tuple[int, bool] | None = None
        self._table = -1
        self._line = 0
        self.wake.set()

    @property
    def narrow(self) -> bool:
        """Whether the screen is as narrow as a phone's."""
        return self._narrow

    @narrow.setter
    def narrow(self, narrow: bool) -> None:
        self._narrow = narrow
        self.wake.set()

    def tell(self, message: Told) -> None:
        """Have a message sent to this screen alone."""
        if len(self._answers) >= self._most:
            self.leave(4429)
        else:
            self._answers.append(message)
            self.wake.set()

    def leave(self, code: int, message: str = "") -> None:
        """Have the connection closed, when what waits has been sent.

        Args:
            code: of the WebSocket protocol.
            message: says why.
        """
        if self.leaving is None:
            self.leaving = code
            if message:
                self._answers.append(ErrorTold(message))
        self.wake.set()

    def due(self) -> Iterator[str]:
        """What is to be sent now."""
        front = self.front
        if self._table != front.table_version:
            self._table = front.table_version
            yield front.table_text()
        lines = front.lines_after(self._line)
        if lines:
            self._line = lines[-1].n
            yield as_json(LogTold(lines))
        shown = (front.version, self._narrow)
        if self._shown != shown:
            last, self._shown = self._shown, shown
            since = last[0] if last and last[1] == self._narrow else None
            yield front.state_text(narrow=self._narrow, since=since)
        while self._answers:
            yield as_json(self._answers.popleft())
