"""Who sits at a session, and notifying them: in one order, each of what their seat may know."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Final

from tabletop.events import ALL, Event, ObserverFailure, Watcher
from tabletop.match import AnyMatch
from tabletop.outcome import Seat
from tabletop.session.messages import Asked, Changed, Ended, Front, Notification, Observed
from tabletop.session.seats import Seats

if TYPE_CHECKING:
    from tabletop.session.session import Participant

_KEPT_EVENTS: Final = 1000
"""How many of the last events are kept for each seat, for fronts that join later."""


@dataclass(frozen=True, slots=True)
class FrontFailure:
    """A front raised an exception while it was notified.

    Attributes:
        front: which one.
        news: what it was notified of.
        error: what it raised.
    """

    front: Front
    news: Notification
    error: Exception


class Dispatcher:
    """The places at a table, and a queue of news for them.

    Args:
        match: what is played.
        holders: who decides for each seat.
        on_failure: called with each failure of a front; without it, failures are logged.
    """

    def __init__(
        self,
        match: AnyMatch,
        holders: Seats,
        on_failure: Callable[[FrontFailure | ObserverFailure], object] | None,
    ) -> None:
        self._match = match
        self._seats = holders
        self._on_failure = on_failure
        self._places: list[Participant] = []
        self._queue: deque[tuple[Participant, Notification]] = deque()
        self._delivers = False
        self._asked: set[Seat] = set()  # in this position
        self._number = 0
        self._events: dict[Watcher, deque[Event]] = {}
        # Observers are notified in order: this one numbers the events for the others.
        self._stops = [match.observe(self._count)]

    # Places.

    def join(self, place: Participant) -> None:
        """Add a place, whose seats nobody else has as their own; it is notified from now on."""
        self._places.append(place)
        self.subscribe()
        self._asked -= place.own or set()  # who was asked elsewhere before is asked here
        for seat in sorted(self._asked.intersection(self.seats_of(place))):
            self.send(place, Asked(seat))
        self.ask()
        if self._match.over:
            self.send(place, Ended(self._match.outcome))
        self.deliver()

    def leave(self, place: Participant) -> None:
        """Remove a place: it is notified no more."""
        if place in self._places:
            self._places.remove(place)
            self.subscribe()

    def places_of(self, seat: Seat) -> list[Participant]:
        """The places that decide for a seat, while it is a person's.

        The one that has it as its own; or all those that have what nobody else has, together: a
        terminal and the window beside it.
        """
        for place in self._places:
            if place.own is not None and seat in place.own:
                return [place]
        return [place for place in self._places if place.own is None]

    def places_among(self, seats: Iterable[Seat]) -> list[Participant]:
        """The places that decide for some of these seats, while they are people's."""
        wanted = set(seats)
        return [place for place in self._places if wanted.intersection(self.seats_of(place))]

    def is_owned(self, seat: Seat) -> bool:
        """Whether a place has that seat as its own."""
        return any(place.own is not None and seat in place.own for place in self._places)

    def seats_of(self, place: Participant) -> tuple[Seat, ...]:
        """The people's seats that a place decides for."""
        return tuple(seat for seat in self._seats.people if place in self.places_of(seat))

    def subscribe(self) -> None:
        """Subscribe one observer to the match for each seat that is watched here."""
        for place in self._places:
            seats = self.seats_of(place)
            place.watchers.update(seats, place.own or ())
            # Several people at one screen look at it as spectators before anybody has it.
            if not place.own and len(seats) != 1 and ALL not in place.watchers:
                place.watchers.add(None)
            for watcher in sorted(place.watchers - self._events.keys(), key=str):
                self._events[watcher] = deque(maxlen=_KEPT_EVENTS)
                note = partial(self._note, watcher)
                self._stops.append(self._match.observe(note, seat=watcher))

    # Notification.

    def events(self, watcher: Watcher) -> tuple[Event, ...]:
        """The last events that a watcher could observe, since some front watches for it."""
        return tuple(self._events.get(watcher, ()))

    def changed(self) -> None:
        """Queue the news that the position has changed, and who is to decide in it."""
        self._asked.clear()
        self.broadcast(Changed(self._match.ply))
        if self._match.over:
            self.broadcast(Ended(self._match.outcome))
        self.ask()
        self.deliver()

    def ask(self) -> None:
        """Notify fronts which of their seats are to decide, once for each position."""
        for seat in self._match.to_act:
            places = self.places_of(seat)
            if self._seats.is_person(seat) and places and seat not in self._asked:
                self._asked.add(seat)
                for place in places:
                    self.send(place, Asked(seat))

    def broadcast(self, news: Notification) -> None:
        """Queue news for every front."""
        for place in self._places:
            self.send(place, news)

    def send(self, place: Participant, news: Notification) -> None:
        """Queue news for one front."""
        self._queue.append((place, news))

    def deliver(self) -> None:
        """Deliver the queued news in order. Called by a front it returns: the outer one goes on."""
        if self._delivers:
            return
        self._delivers = True
        try:
            while self._queue:
                place, news = self._queue.popleft()
                if place in self._places:
                    self._deliver(place, news)
        finally:
            self._delivers = False

    def _deliver(self, place: Participant, news: Notification) -> None:
        try:
            place.front.notify(news)
        except Exception as error:
            failure = FrontFailure(place.front, news, error)
            (self._on_failure or _log)(failure)

    def close(self) -> None:
        """Notify nobody any more."""
        self._places.clear()
        while self._stops:
            self._stops.pop()()

    def _count(self, event: Event) -> None:
        self._number += 1

    def _note(self, watcher: Watcher, event: Event) -> None:
        self._events[watcher].append(event)
        for place in self._places:
            if watcher in place.watchers:
                self.send(place, Observed(self._number, watcher, event))


def _log(failure: FrontFailure | ObserverFailure) -> None:
    import logging  # only needed when something went wrong

    logging.getLogger("tabletop").error("a front failed: %r", failure, exc_info=failure.error)
