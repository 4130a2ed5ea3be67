"""A front's place at a session: its seats, what it may see, and what it may ask."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol

from tabletop.errors import IllegalAction
from tabletop.events import Event, Watcher
from tabletop.match import AnyMatch
from tabletop.outcome import Seat
from tabletop.session.news import Front
from tabletop.session.requests import Request


class Host(Protocol):
    """What a place needs of its session."""

    @property
    def match(self) -> AnyMatch:
        """What is played."""

    def seats_of(self, place: Place) -> tuple[Seat, ...]:
        """The people's seats that a place decides for."""

    def events(self, watcher: Watcher) -> tuple[Event, ...]:
        """The last events that a watcher could observe."""

    def handle(self, place: Place, request: Request) -> None:
        """Carry out a request, or notify the front that it was refused."""

    def check(self, place: Place, line: str, seat: Seat | None) -> None:
        """Accept what a line means for a seat of a place now, or raise."""


class Place:
    """Where a front sits. Made by `Session.join`.

    Args:
        session: the table.
        front: who sits there.
        seats: the seats that are its own; None when it has all that nobody else has.
        leave: ends it.

    Attributes:
        front: who sits there.
        own: the seats that are its own; None when it has all that nobody else has.
        watchers: for whom it observes the match.
        leave: leave the table. Its seats stay people's.
    """

    def __init__(
        self,
        session: Host,
        front: Front,
        seats: set[Seat] | None,
        leave: Callable[[Place], None],
    ) -> None:
        self.front = front
        self.own = seats
        self.watchers: set[Watcher] = set()
        self._session = session
        self._leave = leave

    @property
    def seats(self) -> tuple[Seat, ...]:
        """The people's seats that this front decides for."""
        return self._session.seats_of(self)

    @property
    def may_request(self) -> bool:
        """Whether this front sits at the table; without a seat it is a spectator."""
        return self.own is None or bool(self.own)

    def request(self, request: Request) -> None:
        """Make a request. The result arrives as news: `Refused` when it cannot be done."""
        self._session.handle(self, request)

    def events(self, watcher: Watcher) -> tuple[Event, ...]:
        """The last events that `watcher`, one of this place's, could observe: also those before
        this front joined, as far as another one watched for the seat.

        Raises:
            IllegalAction: the place may not know it.
        """
        self._allow(watcher)
        return self._session.events(watcher)

    def view(self, seat: Seat | None = None) -> Any:
        """What one of this place's seats, or a spectator, may see now.

        Raises:
            IllegalAction: the seat is another front's.
        """
        self._allow(seat)
        return self._session.match.view(seat)

    def legal_actions(self, seat: Seat) -> Sequence[Any]:
        """What one of this place's seats may do now; nothing when it is not to act.

        Raises:
            IllegalAction: the seat is another front's.
        """
        self._allow(seat)
        return self._session.match.legal_actions(seat)

    def check(self, line: str, seat: Seat | None = None) -> None:
        """Accept what a line means for one of this place's seats now, or say why it cannot be done.

        Nothing changes either way.

        Args:
            line: the words of an action.
            seat: whose it would be; the first of this place's that is to act when None.

        Raises:
            CommandError: it does not mean any action.
            IllegalAction: it is not allowed now.
        """
        self._session.check(self, line, seat)

    def leave(self) -> None:
        """Leave the table. No more news arrives; the seats stay as they are."""
        self._leave(self)

    def _allow(self, watcher: Watcher) -> None:
        if watcher is not None and watcher not in self.watchers:
            raise IllegalAction("this is another seat's to know")
