"""The participants of a session, notified in one order of the events that their seats may know."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Final

from tabletop.rules.events import Event, ObserverFailure, Watcher
from tabletop.rules.outcome import Seat
from tabletop.session.messages import Asked, Changed, Ended, Front, Notification, Observed

if TYPE_CHECKING:
    from tabletop.session.session import Participant, Session

_KEPT_EVENTS: Final = 1000
"""The number of last events kept for each seat, for fronts that join later."""


@dataclass(frozen=True, slots=True)
class FrontFailure:
    """A front raised an exception while it was notified.

    Attributes:
        front: the front.
        notification: the notification.
        error: the exception.
    """

    front: Front
    notification: Notification
    error: Exception


class Dispatcher:
    """The participants of a session, and a queue of notifications for them."""

    def __init__(
        self,
        session: Session,
        on_failure: Callable[[FrontFailure | ObserverFailure], object] | None,
    ) -> None:
        self._session = session
        self._match = session.match
        self._on_failure = on_failure
        self._participants: list[Participant] = []
        self._queue: deque[tuple[Participant, Notification]] = deque()
        self._delivers = False
        self._asked: set[Seat] = set()  # in this position
        self._number = 0
        self._events: dict[Watcher, deque[Event]] = {}
        # Observers are notified in order: this one numbers the events for the others.
        self._stops = [self._match.observe(self._count)]

    # Participants.

    def join(self, participant: Participant) -> None:
        """Add a participant, whose own seats no other one has; notify it from now on."""
        self._participants.append(participant)
        self.subscribe()
        self._asked -= participant.own or set()  # a seat asked elsewhere before is asked here
        for seat in sorted(self._asked.intersection(self.seats_of(participant))):
            self.send(participant, Asked(seat))
        self.ask()
        if self._match.over:
            self.send(participant, Ended(self._match.outcome))
        self.deliver()

    def leave(self, participant: Participant) -> None:
        """Remove a participant: it is notified no more."""
        if participant in self._participants:
            self._participants.remove(participant)
            self.subscribe()

    def participants_of(self, seat: Seat) -> list[Participant]:
        """Return the participants that decide for a seat, while it is a person's.

        This is the owner of the seat; or else all participants that share the seats without an
        owner, such as a terminal and the window beside it.
        """
        for participant in self._participants:
            if participant.own is not None and seat in participant.own:
                return [participant]
        return [participant for participant in self._participants if participant.own is None]

    def participants_among(self, seats: Iterable[Seat]) -> list[Participant]:
        """Return the participants that decide for some of these seats, while they are people's."""
        wanted = set(seats)
        return [it for it in self._participants if wanted.intersection(self.seats_of(it))]

    def is_owned(self, seat: Seat) -> bool:
        """Check whether a participant has that seat as its own."""
        return any(it.own is not None and seat in it.own for it in self._participants)

    def seats_of(self, participant: Participant) -> tuple[Seat, ...]:
        """Return the people's seats that a participant decides for."""
        people = self._session.people
        return tuple(seat for seat in people if participant in self.participants_of(seat))

    def subscribe(self) -> None:
        """Subscribe one observer to the match for each seat with a watcher here."""
        for participant in self._participants:
            seats = self.seats_of(participant)
            participant.watchers.update(seats, participant.own or ())
            # Several people at one screen look at it as spectators before anybody has it.
            if not participant.own and len(seats) != 1:
                participant.watchers.add(None)
            for watcher in sorted(participant.watchers - self._events.keys(), key=str):
                self._events[watcher] = deque(maxlen=_KEPT_EVENTS)
                note = partial(self._note, watcher)
                self._stops.append(self._match.observe(note, seat=watcher))

    # Notification.

    def events(self, watcher: Watcher) -> tuple[Event, ...]:
        """Return the last events that a watcher could observe, since some front watches for it."""
        return tuple(self._events.get(watcher, ()))

    def changed(self) -> None:
        """Notify fronts that the position has changed, and ask the seats that are to decide."""
        self._asked.clear()
        self.broadcast(Changed(self._match.ply))
        if self._match.over:
            self.broadcast(Ended(self._match.outcome))
        self.ask()
        self.deliver()

    def ask(self) -> None:
        """Notify fronts which of their seats are to decide, once for each position."""
        for seat in self._match.to_act:
            participants = self.participants_of(seat)
            if self._session.is_person(seat) and participants and seat not in self._asked:
                self._asked.add(seat)
                for participant in participants:
                    self.send(participant, Asked(seat))

    def broadcast(self, notification: Notification) -> None:
        """Queue a notification for every front."""
        for participant in self._participants:
            self.send(participant, notification)

    def send(self, participant: Participant, notification: Notification) -> None:
        """Queue a notification for one front."""
        self._queue.append((participant, notification))

    def deliver(self) -> None:
        """Deliver the queue, in order. A call by a front returns: the outer call goes on."""
        if self._delivers:
            return
        self._delivers = True
        try:
            while self._queue:
                participant, notification = self._queue.popleft()
                if participant not in self._participants:
                    continue
                try:
                    participant.front.notify(notification)
                except Exception as error:  # hurts no other front
                    failure = FrontFailure(participant.front, notification, error)
                    (self._on_failure or _log)(failure)
        finally:
            self._delivers = False

    def close(self) -> None:
        """Stop all notifications."""
        self._participants.clear()
        while self._stops:
            self._stops.pop()()

    def _count(self, event: Event) -> None:
        self._number += 1

    def _note(self, watcher: Watcher, event: Event) -> None:
        self._events[watcher].append(event)
        for participant in self._participants:
            if watcher in participant.watchers:
                self.send(participant, Observed(self._number, watcher, event))


def _log(failure: FrontFailure | ObserverFailure) -> None:
    import logging  # only needed after a failure

    logging.getLogger("tabletop").error("a front failed: %r", failure, exc_info=failure.error)
