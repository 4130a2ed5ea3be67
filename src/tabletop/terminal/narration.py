"""What the readers at one screen have seen of a match, and what is new to each."""

from __future__ import annotations

from collections.abc import Iterable

from tabletop.events import Watcher


class Narrator:
    """Collects the lines of events for each reader at a screen, and what the screen shows."""

    def __init__(self) -> None:
        self._number = 0  # of the last event
        self._lines: list[dict[Watcher, str]] = []  # of each event, its line for each reader
        self._shown: list[str] = []  # of each event, what was on the screen last; "" for nothing
        self._before = 0  # how many events all readers have seen, which were dropped
        self._known: dict[Watcher, int] = {}  # up to where each reader has seen the events

    def set_readers(self, readers: Iterable[Watcher]) -> None:
        """Collect the events for these readers from now on, and for no others."""
        now = self._before + len(self._lines)
        self._known = {reader: self._known.get(reader, now) for reader in readers}

    def note(self, number: int, reader: Watcher, line: str) -> None:
        """Add the line of event `number` for one reader; see `session.Observed`."""
        if reader not in self._known:
            return
        if number != self._number:
            self._number = number
            self._lines.append({})
        self._lines[-1][reader] = line

    def news(self, reader: Watcher) -> list[str]:
        """The lines of the events since the last update of the screen, as `reader` may see them.

        Lines that are empty need not be said, and are left out.
        """
        fresh = [lines.get(reader, "") for lines in self._lines[len(self._shown) :]]
        self._shown.extend(fresh)
        return list(filter(None, fresh))

    def catch_up(self, reader: Watcher, *, wiped: bool) -> list[str]:
        """The lines that `reader` has not seen yet; called when they take the keyboard.

        Args:
            reader: who it is.
            wiped: whether the screen was cleared of the lines of others.
        """
        start = self._known.get(reader, self._before) - self._before
        texts = [lines.get(reader, "") for lines in self._lines]
        if not wiped:  # what stands on the screen in the same words is known
            for place, line in enumerate(self._shown):
                texts[place] = "" if texts[place] == line else texts[place]
        self._known[reader] = self._before + len(self._lines)
        missed = list(filter(None, texts[start:]))
        self._forget()
        return missed

    def _forget(self) -> None:
        """Drop what all readers have seen: a match may have a hundred thousand actions."""
        old = min([len(self._shown), *(known - self._before for known in self._known.values())])
        del self._lines[:old], self._shown[:old]
        self._before += old
