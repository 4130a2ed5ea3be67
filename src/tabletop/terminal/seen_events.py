"""The events that the people at one screen have seen."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from sys import maxsize

from tabletop.display.console_text import Entry
from tabletop.rules.events import ActionsUndone, Event, Watcher
from tabletop.states.bounds import Seat


class SeenEvents:
    """The events that each person at a screen has seen, and those on the screen.

    Args:
        line_of: Returns the line of an event for a reader.
    """

    def __init__(self, line_of: Callable[[Event, Watcher], str]) -> None:
        self._line_of = line_of
        self._seen: dict[Seat, int] = {}  # the number of the last event
        self._screen: dict[int, tuple[Event, Watcher]] = {}  # events not seen by all

    def show(self, entries: Sequence[Entry], reader: Watcher) -> None:
        """Note that events are on the screen, as a reader may see them."""
        self._screen |= {it.number: (it.event, reader) for it in entries}

    def catch_up(
        self, seat: Seat, log: Sequence[Entry], seats: Sequence[Seat], *, wiped: bool
    ) -> list[Entry]:
        """Return the events that the person of a seat, who takes the keyboard, has not seen yet.

        Events of undone actions are left out. Unless the screen was `wiped`, so are events on the
        screen, if their line is the same for this person, or was shown to the seat of the event,
        whose line has the most details.

        Args:
            seat: The seat.
            log: Its log.
            seats: The seats of all people at the screen.
            wiped: Whether the screen is empty.
        """
        screen, since = {} if wiped else self._screen, self._seen.get(seat, 0)
        if log:
            self._seen[seat] = log[-1].number
        oldest = min(self._seen.get(it, 0) for it in {seat, *seats})
        self._screen = {number: it for number, it in self._screen.items() if number > oldest}
        missed, remaining = list[Entry](), maxsize
        for entry in reversed(log):
            if entry.number <= since:
                break
            if entry.ply <= remaining and not self._is_on(screen, entry, seat):
                missed.append(entry)
            if isinstance(entry.event, ActionsUndone):
                remaining = min(remaining, entry.event.ply)
        return missed[::-1]

    def _is_on(self, screen: Mapping[int, tuple[Event, Watcher]], entry: Entry, seat: Seat) -> bool:
        """Return whether the line of an event on the screen has all details for a seat."""
        if entry.number not in screen:
            return False
        event, reader = screen[entry.number]
        line = self._line_of(event, reader)
        is_known = line and reader is not None and getattr(event, "seat", None) == reader
        return bool(is_known) or line == self._line_of(entry.event, seat)
