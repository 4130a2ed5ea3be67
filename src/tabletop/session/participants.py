"""The participants of a session, notified in one order of the events that their seats may know."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

from tabletop.errors import MatchOver, NotPermitted, NotYourTurn
from tabletop.match.match import AnyMatch
from tabletop.match.players import read_action
from tabletop.protocol.messages import MessageIn
from tabletop.rules.events import Event, ObserverFailure, Watcher
from tabletop.session.messages import (
    Asked,
    Changed,
    Client,
    Ended,
    Notification,
    Observed,
)
from tabletop.session.past import Past, look_back
from tabletop.states.bounds import Seat

_KEPT_EVENTS: Final = 1000
"""The number of last events kept for each seat, for clients that join later."""


@dataclass(frozen=True, slots=True)
class ClientFailure:
    """A client raised an exception while it was notified.

    Attributes:
        client: the client.
        notification: the notification.
        error: the exception.
    """

    client: Client
    notification: Notification
    error: Exception


class Participant:
    """The place of a client at a table. Made by `Session.join`.

    Attributes:
        client: the client.
        own: the seats that are its own; None when it shares the seats without an owner.
        taken: those of them that it has taken from a bot, until a bot decides for them again.
        watchers: the watchers that it observes the match for.
    """

    def __init__(
        self,
        client: Client,
        own: set[Seat] | None,
        match: AnyMatch,
        dispatcher: Dispatcher,
        carry_out: Callable[[Participant, MessageIn], None],
    ) -> None:
        self.client = client
        self.own = own
        self.taken: set[Seat] = set()
        self.watchers: set[Watcher] = set()
        self._match = match
        self._dispatcher = dispatcher
        self._carry_out = carry_out

    @property
    def seats(self) -> tuple[Seat, ...]:
        """The people's seats that this client decides for."""
        return self._dispatcher.seats_of(self)

    @property
    def may_request(self) -> bool:
        """True for a client with a seat at the table; without a seat it is a spectator."""
        return self.own is None or bool(self.own)

    def request(self, request: MessageIn) -> None:
        """Make a request. When it returns, or raises, the clients have been notified of its result.

        Only a client that makes one while it is notified itself hears the rest later.

        Raises:
            TabletopError, ValueError: it is refused, and the class of the error says why, such as
                `NotYourTurn`, or `NotPermitted` for a spectator. Nothing has changed, and no other
                client is told. After a `RecordLost` nothing more can be recorded.
        """
        if not self.may_request:
            raise NotPermitted("you are watching and have no seat")
        try:
            self._carry_out(self, request)
        finally:
            self._dispatcher.deliver()

    def events(self, watcher: Watcher) -> tuple[Event, ...]:
        """Return the last events that `watcher`, one of this participant's, could observe.

        They include events before this client joined, if another one watched for the seat.

        Raises:
            NotPermitted: the participant may not know it.
        """
        self._allow(watcher)
        return self._dispatcher.events(watcher)

    def view(self, seat: Seat | None = None) -> Any:
        """Return the present view of one of this participant's seats, or of a spectator.

        Raises:
            NotPermitted: the seat is another client's.
        """
        self._allow(seat)
        return self._match.view(seat)

    def past(self, ply: int, seat: Seat | None = None) -> Past:
        """Return what one of this participant's seats, or a spectator, saw after `ply` actions.

        Raises:
            NotPermitted: the seat is another client's.
            ValueError: so many have not been played.
        """
        self._allow(seat)
        return look_back(self._match, ply, seat)

    def legal_actions(self, seat: Seat) -> Sequence[Any]:
        """Return the legal actions of one of this participant's seats; none when it is not to act.

        Raises:
            NotPermitted: the seat is another client's.
        """
        self._allow(seat)
        return self._match.legal_actions(seat)

    def check(self, line: str, seat: Seat | None = None) -> None:
        """Accept the action that a line means for a seat now, or raise; nothing changes.

        Without a seat it is the first of this participant's that is to act.

        Raises:
            CommandError: it means no action.
            IllegalAction: it is not allowed now.
        """
        seat = acting_seat(self._match, self.seats, seat)
        self._match.check(parse_action(self._match, line, seat))

    def take(self, seat: Seat) -> None:
        """Have a seat as one's own until a bot decides for it again."""
        if self.own is not None and seat not in self.own:
            self.own.add(seat)
            self.taken.add(seat)

    def give_back(self, seat: Seat) -> None:
        """Have a seat that was taken no more, and know nothing more of what happens there."""
        if self.own is not None and seat in self.taken:
            self.taken.remove(seat)
            self.own.remove(seat)
            self.watchers.discard(seat)

    def leave(self) -> None:
        """Leave the table. The client is notified no more; the seats remain people's."""
        self._dispatcher.leave(self)

    def _allow(self, watcher: Watcher) -> None:
        if watcher is not None and watcher not in self.watchers:
            raise NotPermitted("this is visible to another seat only")


class Dispatcher:
    """The participants of a session, and a queue of notifications for them.

    Attributes:
        people: returns the seats that people decide for.
    """

    def __init__(
        self,
        match: AnyMatch,
        people: Callable[[], tuple[Seat, ...]],
        on_failure: Callable[[ClientFailure | ObserverFailure], object] | None,
    ) -> None:
        self.people = people
        self._match = match
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

    @property
    def has_clients(self) -> bool:
        """True while some client is notified."""
        return bool(self._participants)

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

    def is_owned(self, seat: Seat) -> bool:
        """Check whether a participant has that seat as its own."""
        return any(it.own is not None and seat in it.own for it in self._participants)

    def seats_of(self, participant: Participant) -> tuple[Seat, ...]:
        """Return the people's seats that a participant decides for."""
        return tuple(seat for seat in self.people() if participant in self.participants_of(seat))

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
        """Return the last events that a watcher could observe, since some client watches for it."""
        return tuple(self._events.get(watcher, ()))

    def changed(self) -> None:
        """Notify clients that the position has changed, and ask the seats that are to decide."""
        self._asked.clear()
        self.broadcast(Changed(self._match.ply))
        if self._match.over:
            self.broadcast(Ended(self._match.outcome))
        self.ask()
        self.deliver()

    def ask(self) -> None:
        """Notify clients which of their seats are to decide, once for each position."""
        for seat in self._match.to_act:
            participants = self.participants_of(seat)
            if seat in self.people() and participants and seat not in self._asked:
                self._asked.add(seat)
                for participant in participants:
                    self.send(participant, Asked(seat))

    def broadcast(self, notification: Notification) -> None:
        """Queue a notification for every client."""
        for participant in self._participants:
            self.send(participant, notification)

    def announce(self, notification: Notification, seats: Iterable[Seat]) -> None:
        """Queue a notification for the clients of some seats, even if a bot plays the seat."""
        wanted = set(seats)
        for participant in self._participants:
            if not wanted.isdisjoint((*self.seats_of(participant), *(participant.own or ()))):
                self.send(participant, notification)

    def send(self, participant: Participant, notification: Notification) -> None:
        """Queue a notification for one client."""
        self._queue.append((participant, notification))

    def deliver(self) -> None:
        """Deliver the queue, in order. A call by a client returns: the outer call goes on."""
        if self._delivers:
            return
        self._delivers = True
        try:
            while self._queue:
                participant, notification = self._queue.popleft()
                if participant not in self._participants:
                    continue
                try:
                    participant.client.notify(notification)
                except Exception as error:  # hurts no other client
                    failure = ClientFailure(participant.client, notification, error)
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


def _log(failure: ClientFailure | ObserverFailure) -> None:
    import logging  # only needed after a failure

    logging.getLogger("tabletop").error("a client failed: %r", failure, exc_info=failure.error)


def acting_seat(match: AnyMatch, own: Sequence[Seat], seat: Seat | None) -> Seat:
    """Return the seat that a client with its own seats acts for; without `seat`, the first to act.

    Raises:
        MatchOver: the match is over.
        NotPermitted: it is not one of them.
        NotYourTurn: it is not to act, or none of them is.
    """
    if match.over:
        raise MatchOver
    if seat is None:
        seat = next((it for it in match.to_act if it in own), None)
        if seat is None:
            raise NotYourTurn("it is not your turn")
    name = match.names[seat] if 0 <= seat < match.seats else f"seat {seat + 1}"
    if seat not in own:
        raise NotPermitted(f"you do not control {name}", seat=seat)
    if seat not in match.to_act:
        raise NotYourTurn(f"{name} is not to act now", seat=seat)
    return seat


def parse_action(match: AnyMatch, line: str, seat: Seat) -> Any:
    """Return the action that a line means for a seat.

    Raises:
        CommandError: it means no action.
    """
    actions, texts = match.legal_actions(seat), match.action_texts
    return read_action(match.game, line, match.view(seat), seat, actions, texts=texts)
