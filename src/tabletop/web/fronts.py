"""The fronts of a table, one behind each door, and who looks at it there."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from tabletop.outcome import Seat
from tabletop.session import News, Session
from tabletop.web.front import WebFront
from tabletop.web.limits import Bucket, Limits
from tabletop.web.messages import NoteTold, TableTold
from tabletop.web.showing import picture_for


class Fronts:
    """All fronts of a table.

    Args:
        session: where they sit.
        limits: how much each may ask for.
        told: says what a front is told of the table.
        hears: told of news that concern more than a front.

    Attributes:
        awaited: the doors with seats of their own, to which somebody is to come.
    """

    def __init__(
        self,
        session: Session,
        limits: Limits,
        *,
        told: Callable[[WebFront], TableTold],
        hears: Callable[[WebFront, News], object],
    ) -> None:
        self.awaited: set[Seat] = set()
        self._session = session
        self._limits = limits
        self._picture = picture_for(session.plugin)
        self._told = told
        self._hears = hears
        self._by_door: dict[Seat | None, WebFront] = {}

    def open(self, door: Seat | None, seats: Iterable[Seat] | None) -> None:
        """Let a front join.

        Args:
            door: what it sits behind; None for spectators.
            seats: its seats; None for all that no other front has.
        """
        if door is not None and seats is not None:
            self.awaited.add(door)
        self._by_door[door] = WebFront(
            self._session,
            seats,
            self._picture,
            table=self._told,
            hears=self._hears,
            bucket=Bucket(self._limits.rate, self._limits.burst),
        )

    def __iter__(self) -> Iterator[WebFront]:
        return iter(self._by_door.values())

    def behind(self, door: Seat | None) -> WebFront:
        """What sits behind a door."""
        return self._by_door[door]

    @property
    def spectators(self) -> WebFront | None:
        """The front of spectators, once it has joined."""
        return self._by_door.get(None)

    def asking_for(self, seat: Seat) -> WebFront | None:
        """Who can say that somebody else decides for a seat: who has it, else anybody who acts."""
        having = (front for front in self if seat in all_seats(front))
        acting = (front for front in self if front.place.may_request)
        return next(having, None) or next(acting, None)

    @property
    def has_due(self) -> bool:
        """Whether something is still to be sent to some screen."""
        return any(viewer.wake.is_set() for front in self for viewer in front.viewers)

    @property
    def connections(self) -> int:
        """How many screens look."""
        return sum(len(front.viewers) for front in self)

    @property
    def present(self) -> set[Seat]:
        """The seats for which somebody is connected."""
        return {seat for front in self if front.is_here for seat in all_seats(front)}

    def set_films(self, films: Sequence[str | None]) -> None:
        """Tell each seat, and then spectators, where the match can be watched again."""
        for door, front in self._by_door.items():
            front.film = films[-1 if door is None else door]
            front.renew()

    def set_next(self, page: str) -> None:
        """Tell everybody where the same people play again."""
        for front in self:
            front.next = page
            front.renew()

    def note(self, text: str, *, logged: bool = False) -> None:
        """Tell everybody something, which may belong into the log as well."""
        for front in self:
            front.tell(NoteTold(text))
            if logged:
                front.remark(text)

    def retell(self) -> None:
        """Tell everybody of the table anew."""
        for front in self:
            front.retell()

    def close(self, code: int, message: str) -> None:
        """Send every screen away, and leave the session."""
        for front in self:
            for viewer in front.viewers:
                viewer.leave(code, message)
            front.place.leave()


def all_seats(front: WebFront) -> set[Seat]:
    """The seats that a front decides for, or would if no bot did."""
    return {*front.place.seats, *(front.place.own or ())}
