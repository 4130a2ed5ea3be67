"""The people behind one link of a table, for tests."""

from __future__ import annotations

from typing import Any

from tabletop import Watcher
from tabletop.protocol import ConsentOut, MessageIn, MessageOut, RefusedOut
from tabletop.table import Link, Wants
from tests.tabletop.table.sittings import WORDS, Sitting


class Client:
    """A screen of a link, which reads all its messages.

    Attributes:
        holder: The people at the table.
        heard: All messages so far.
        refused: The reasons for refused requests.
    """

    def __init__(self, at: Sitting, link: Link = 0, wants: Wants = WORDS) -> None:
        self.holder = at.table.holders[link]
        self.heard: list[MessageOut] = []
        self.refused: list[str] = []
        self._at = at
        self._link = link
        at.open(link, wants=wants)

    def ask(self, *requests: MessageIn) -> None:
        """Make requests at the screen."""
        for request in requests:
            self._at.ask(self._link, request)
            self.hear()

    def hear(self) -> list[MessageOut]:
        """Read and return the messages since the last call."""
        messages = self._at.hear(self._link)
        self.heard += messages
        self.refused += [it.message for it in messages if isinstance(it, RefusedOut)]
        return messages

    def votes(self) -> list[ConsentOut]:
        """Return the unread messages about votes."""
        return [it for it in self.hear() if isinstance(it, ConsentOut)]

    def events(self, watcher: Watcher) -> list[Any]:
        """Return the events that one of its seats, or a spectator, has seen."""
        return [entry.event for entry in self.holder.perspective.log.entries(watcher)]
