"""What the people at one screen have been told of a match, each as their own seat."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

from tabletop.events import Event, MatchEnded, Watcher
from tabletop.match import Match
from tabletop.printable import printable_names
from tabletop.text import TextView


class Narrator:
    """Listens to a match for several readers, and keeps what each of them is told.

    How a match ended is not told: that belongs after the last position.

    Args:
        match: what is told.
        text: how the game reads.
    """

    def __init__(self, match: Match[Any, Any], text: TextView[Any]) -> None:
        self._match = match
        self._names = printable_names(match.names)
        self._text = text
        self._lines: list[dict[Watcher, str]] = []  # of each event, what each reader is told
        self._shown: list[str] = []  # of each event, what was on the screen last; "" for nothing
        self._before = 0  # events that everybody has been told of, and that are forgotten
        self._known: dict[Watcher, int] = {}  # up to where each reader has been told
        self._stops: list[Callable[[], None]] = []

    def listen(self, readers: Iterable[Watcher]) -> None:
        """Listen for these readers from now on, and for no others."""
        for stop in self._stops:
            stop()
        now = self._before + len(self._lines)
        self._known = {reader: self._known.get(reader, now) for reader in readers}
        # Observers are told in order: the first makes room for what the others hear.
        self._stops = [self._match.observe(self._begin)]
        for reader in self._known:
            self._stops.append(self._match.observe(partial(self._note, reader), seat=reader))

    def news(self, reader: Watcher) -> list[str]:
        """What has happened since the screen was last brought up to date, as `reader` is told it.

        Lines that are empty need not be said, and are left out.
        """
        fresh = [lines.get(reader, "") for lines in self._lines[len(self._shown) :]]
        self._shown.extend(fresh)
        return list(filter(None, fresh))

    def catch_up(self, reader: Watcher, *, wiped: bool) -> list[str]:
        """What `reader`, who takes the keyboard now, has not been told yet.

        Args:
            reader: who it is.
            wiped: whether nothing is to be seen any more of what was told to others.
        """
        start = self._known.get(reader, self._before) - self._before
        told = [lines.get(reader, "") for lines in self._lines]
        if not wiped:  # what stands on the screen in the same words is known
            for place, line in enumerate(self._shown):
                told[place] = "" if told[place] == line else told[place]
        self._known[reader] = self._before + len(self._lines)
        missed = list(filter(None, told[start:]))
        self._forget()
        return missed

    def _begin(self, event: Event) -> None:
        self._lines.append({})

    def _note(self, reader: Watcher, event: Event) -> None:
        if not isinstance(event, MatchEnded):
            self._lines[-1][reader] = self._text.event(event, self._names, reader)

    def _forget(self) -> None:
        """Drop what all have been told: a match may take a hundred thousand actions."""
        old = min([len(self._shown), *(known - self._before for known in self._known.values())])
        del self._lines[:old], self._shown[:old]
        self._before += old
