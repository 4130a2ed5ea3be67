"""The events that the people at one screen have seen."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tabletop.display.console_text import Entry
from tabletop.rules.events import Event, Watcher
from tabletop.states.bounds import Seat


class SeenEvents:
    """The events that each person at a screen has seen, and those on the screen.

    Args:
        line_of: Returns the line of an event for a reader. A person who takes the keyboard is not
            shown a line again that is still on the screen.
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

        Events whose lines are on the screen are left out, unless the screen was `wiped`.

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
        return [
            it
            for it in log
            if it.number > since
            and (
                it.number not in screen
                or self._line_of(*screen[it.number]) != self._line_of(it.event, seat)
            )
        ]
