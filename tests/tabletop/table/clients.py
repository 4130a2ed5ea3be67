"""A client for tests, which remembers its notifications and refusals."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tabletop import TabletopError, Watcher
from tabletop.protocol import MessageIn
from tabletop.table.messages import Notification, Observed
from tabletop.table.session import Session


class Client:
    """Joins a session, by default for all seats that have no other client."""

    def __init__(self, session: Session, seats: Sequence[int] | None = None) -> None:
        self.heard: list[Notification] = []
        self.refused: list[str] = []
        self.place = session.join(self, seats)

    def notify(self, notification: Notification) -> None:
        self.heard.append(notification)

    def ask(self, *requests: MessageIn) -> None:
        for request in requests:
            try:
                self.place.request(request)
            except (TabletopError, ValueError) as error:
                self.refused.append(str(error))

    def said(self) -> list[Notification]:
        """Return the notifications since the last call."""
        heard, self.heard = self.heard, []
        return heard

    def about(self, *kinds: type[Notification]) -> list[Notification]:
        return [it for it in self.heard if isinstance(it, kinds)]

    def events(self, watcher: Watcher) -> list[Any]:
        return [it.event for it in self.heard if isinstance(it, Observed) and it.watcher == watcher]
