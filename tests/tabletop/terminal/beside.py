"""The parts of a terminal with a window, in the process of a test."""

from __future__ import annotations

from collections.abc import Sequence
from io import TextIOWrapper

from typing_extensions import override

from tabletop import Seat
from tabletop.protocol import MessageIn
from tabletop.table import Notification, Session
from tabletop.terminal import SecondView


class Keyboard(TextIOWrapper):
    """The keyboard of a terminal."""

    @override
    def isatty(self) -> bool:
        return True


class Window(SecondView):
    """The window: the same people sit at it.

    Attributes:
        meanwhile: what is done there when it is shown the next events.
    """

    where = ""

    def __init__(self, session: Session) -> None:
        self._place = session.join(self)
        self._taken: Seat | None = None
        self.meanwhile: list[MessageIn] = []

    def notify(self, news: Notification) -> None:
        """Show the news."""

    def do(self, requests: Sequence[MessageIn]) -> None:
        for request in requests:
            self._place.request(request)

    @override
    def catch_up(self) -> None:
        requests, self.meanwhile = self.meanwhile, []
        self.do(requests)

    @override
    def pause(self, seconds: float) -> None:
        self.catch_up()

    @override
    def taken(self, seat: Seat) -> None:
        self._taken = seat

    @override
    def has_taken(self, seat: Seat) -> bool:
        return self._taken == seat

    @override
    def freeze(self) -> None:
        self._taken = None

    @override
    def stay(self) -> None:
        self._taken = None
