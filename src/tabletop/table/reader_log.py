"""The log of a table as the people behind one link may read it."""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Iterator
from itertools import chain, islice, takewhile
from typing import Any, Final

from msgspec.structs import replace

from tabletop.display.console_text import Entry
from tabletop.display.text_view import TextView
from tabletop.host.screen_text import sanitize
from tabletop.protocol.data import event_data, seat_of
from tabletop.protocol.outgoing import LineOut
from tabletop.rules.events import ActionsUndone, Conceded, Event, MatchEnded, Watcher
from tabletop.states.bounds import Seat
from tabletop.table.past import MAX_EVENTS

MAX_LINES: Final = 200
"""The number of last lines of the log that a new screen receives."""

MAX_ENTRIES: Final = 1000
"""The number of last events that each reader of a table can see (`Reading.log`)."""

_log = logging.getLogger("tabletop")


class ReaderLog:
    """The events that the people behind a link have observed, and lines about them.

    Args:
        text: The texts of the game.
        names: The names of the seats, as they can be printed.

    Attributes:
        names: The names of the seats in new lines.
        last_event: The number of the last event.
    """

    def __init__(self, text: TextView[Any], names: tuple[str, ...]) -> None:
        self.names = names
        self.last_event: int = 0
        self._text = text
        self._unworded: dict[Watcher, deque[tuple[Event, int, int]]] = {}
        self._lines: dict[Watcher, deque[LineOut]] = {}
        self._remarks: deque[LineOut] = deque(maxlen=MAX_LINES)
        self._chat: deque[LineOut] = deque(maxlen=MAX_LINES)  # separate, so that remarks stay
        self._remark_count = 0
        self._headings: dict[Watcher, tuple[Seat, str] | None] = {}
        self._new_events: list[tuple[Watcher, Event]] = []
        self._recent: list[tuple[Watcher, Event]] = []
        self._entries: dict[Watcher, deque[Entry]] = {}

    # Writing.

    def observe(self, watcher: Watcher, entry: Entry) -> None:
        """Add an event as a watcher has seen it."""
        self._new_events.append((watcher, entry.event))
        self._entries.setdefault(watcher, deque(maxlen=MAX_ENTRIES)).append(entry)
        self.last_event = entry.number
        unworded = self._unworded.setdefault(watcher, deque(maxlen=MAX_LINES))
        unworded.append((entry.event, self.last_line, entry.ply))

    def position_changed(self) -> None:
        """Note that the events since the last position belong together."""
        new, self._new_events = self._new_events, []
        is_concession = new and all(isinstance(it, Conceded | MatchEnded) for _, it in new)
        # After a concession, the picture still marks the last action.
        self._recent = self._recent + new if is_concession else new

    def remark(self, text: str, ply: int) -> None:
        """Add a line about the table."""
        self._remarks.append(self._line(sanitize(text), None, "remark", ply))

    def hear(self, text: str, seat: Seat | None, ply: int) -> None:
        """Add a chat message."""
        self._chat.append(self._line(text, seat, "chat", ply))

    def _line(self, text: str, seat: Seat | None, kind: str, ply: int) -> LineOut:
        """Return the next line, which is not about an event."""
        self._remark_count += 1
        return LineOut(self.last_line, text, seat, kind, ply)

    # Reading.

    @property
    def last_line(self) -> int:
        """The number of the last line, the same for all readers."""
        return self.last_event + self._remark_count

    def entries(self, watcher: Watcher) -> list[Entry]:
        """Return the last events that a watcher has seen."""
        return [*self._entries.get(watcher, ())]

    def recent_events(self, watcher: Watcher) -> list[Event]:
        """Return the events since the last position, as a watcher has seen them."""
        return [event for observer, event in self._recent if observer == watcher]

    def past_events(self, watcher: Watcher) -> tuple[Event, ...]:
        """Return the last events up to now, as a watcher has seen them."""
        last = islice(reversed(self._entries.get(watcher, ())), MAX_EVENTS)
        return tuple(entry.event for entry in last)[::-1]

    def line_at(self, ply: int, watcher: Watcher) -> int:
        """Return the number of the last line up to the position after `ply` actions.

        After an undo it is the line about the undo, because earlier lines may be about undone
        actions.
        """
        lines = chain(*self._lines_of(watcher))
        return max((line.number for line in lines if line.ply <= ply), default=0)

    def lines_after(self, number: int, watcher: Watcher, *, data: bool) -> tuple[LineOut, ...]:
        """Return the lines with higher numbers for a watcher. Without `data`, only their words."""
        if self.last_line <= number:
            return ()
        new = list[LineOut]()
        for lines in self._lines_of(watcher):
            new += [*takewhile(lambda line: line.number > number, reversed(lines))][::-1]
        new.sort(key=lambda line: line.number)
        if not data:
            new = [replace(line, event=None) if line.event else line for line in new if line.text]
        return tuple(new)

    def _lines_of(self, watcher: Watcher) -> tuple[deque[LineOut], ...]:
        """Return the kept lines for a watcher by kind. New events are put into words now."""
        lines = self._lines.setdefault(watcher, deque(maxlen=MAX_LINES))
        unworded = self._unworded.get(watcher, ())
        while unworded:
            lines.extend(self._put_into_words(watcher, *unworded.popleft()))
        return lines, self._remarks, self._chat

    def _put_into_words(
        self, watcher: Watcher, event: Event, number: int, ply: int
    ) -> Iterator[LineOut]:
        text, heading = "", None
        try:
            text = self._text.event(event, self.names, watcher)
            heading = self._text.heading(event, self.names)
        except Exception:  # the match continues without the line
            _log.exception("%s cannot be put into words", type(event).__name__)
        if heading is not None and heading[1] == text:
            text = ""
        seat, data = seat_of(event, len(self.names)), event_data(event)
        yield LineOut(number, sanitize(text), seat, ply=ply, event=data)
        if isinstance(event, ActionsUndone):
            self._headings[watcher] = None
        if heading is not None and heading != self._headings.get(watcher):
            self._headings[watcher] = heading
            yield LineOut(number, sanitize(heading[1]), heading[0], "turn", ply)
