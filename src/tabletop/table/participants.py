"""The participants of a session, and their notifications."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

from tabletop.errors import MatchOver, NotPermitted, NotYourTurn
from tabletop.match.match import AnyMatch
from tabletop.match.players import read_action
from tabletop.protocol.messages import MessageIn
from tabletop.rules.events import Event, ObserverFailure, Watcher
from tabletop.states.bounds import Seat
from tabletop.table.messages import Changed, Client, Notification, Observed
from tabletop.table.past import Past, look_back

WATCHING: Final = "you are watching and have no seat"
"""The reason why a spectator cannot make a request."""


@dataclass(frozen=True, slots=True)
class ClientFailure:
    """A client raised an exception while it received a notification.

    Attributes:
        client: The client.
        notification: The notification.
        error: The exception.
    """

    client: Client
    notification: Notification
    error: Exception


class Participant:
    """The place of a client at a table, created by `Session.join`.

    Attributes:
        client: The client.
        own: The seats of this client only, or None if it shares the seats that have no owner.
        taken: The seats of `own` that it has taken from a bot, until a bot decides for them again.
        watchers: The watchers for which it observes the match.
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
        """The seats of people for which this client decides."""
        return self._dispatcher.seats_of(self)

    @property
    def may_request(self) -> bool:
        """True for a client with a seat, False for a spectator."""
        return self.own is None or bool(self.own)

    def check_seat(self) -> None:
        """Raise `NotPermitted` for a spectator."""
        if not self.may_request:
            raise NotPermitted(WATCHING)

    def request(self, request: MessageIn) -> None:
        """Make a request. The clients are notified of the result before this returns or raises.

        Raises:
            TabletopError, ValueError: The request is refused. The class of the error identifies the
                reason, such as `NotYourTurn`, or `NotPermitted` for a spectator. Nothing has
                changed, and no other client is notified. After a `RecordLost`, nothing more can be
                recorded.
        """
        self.check_seat()
        self._carry_out(self, request)

    def view(self, seat: Seat | None = None) -> Any:
        """Return the present view of one of this participant's seats, or of a spectator.

        Raises:
            NotPermitted: The seat belongs to another client.
        """
        self._allow(seat)
        return self._match.view(seat)

    def past(self, ply: int, seat: Seat | None = None) -> Past:
        """Return the view of one of this participant's seats, or a spectator, after `ply` actions.

        Raises:
            NotPermitted: The seat belongs to another client.
            ValueError: The match has fewer actions.
        """
        self._allow(seat)
        return look_back(self._match, ply, seat)

    def legal_actions(self, seat: Seat) -> Sequence[Any]:
        """Return the legal actions of one of this participant's seats, empty if it is not to act.

        Raises:
            NotPermitted: The seat belongs to another client.
        """
        self._allow(seat)
        return self._match.legal_actions(seat)

    def check(self, line: str, seat: Seat | None = None) -> None:
        """Raise an error unless a line means a legal action for a seat now. Nothing changes.

        The default seat is the first of this participant's seats that is to act.

        Raises:
            CommandError: The line does not mean an action.
            IllegalAction: The action is not allowed now.
        """
        seat = acting_seat(self._match, self.seats, seat)
        self._match.check(parse_action(self._match, line, seat))

    def take(self, seat: Seat) -> None:
        """Take a seat until a bot decides for it again."""
        if self.own is not None and seat not in self.own:
            self.own.add(seat)
            self.taken.add(seat)

    def give_back(self, seat: Seat) -> None:
        """Give back a seat that was taken, and stop observing its events."""
        if self.own is not None and seat in self.taken:
            self.taken.remove(seat)
            self.own.remove(seat)
            self.watchers.discard(seat)

    def leave(self) -> None:
        """Leave the table. The client gets no more notifications, and people keep its seats."""
        self._dispatcher.leave(self)

    def _allow(self, watcher: Watcher) -> None:
        if watcher is not None and watcher not in self.watchers:
            raise NotPermitted("this is visible to another seat only")


class Dispatcher:
    """The participants of a session, which are notified of events and changes.

    Attributes:
        people: Returns the seats of people.
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
        self._number = 0
        self._watched: set[Watcher] = set()
        # Observers are notified in order, so this one numbers the events for the others.
        self._stops = [self._match.observe(self._count)]

    # Participants.

    @property
    def has_clients(self) -> bool:
        """True if there are clients."""
        return bool(self._participants)

    def join(self, participant: Participant) -> None:
        """Add a participant and notify it from now on. Nobody else may own its own seats."""
        self._participants.append(participant)
        self.subscribe()

    def leave(self, participant: Participant) -> None:
        """Remove a participant, which gets no more notifications."""
        if participant in self._participants:
            self._participants.remove(participant)
            self.subscribe()

    def participants_of(self, seat: Seat) -> list[Participant]:
        """Return the participants that decide for a seat, if a person plays it.

        This is the owner of the seat. If there is none, they are all participants that share the
        seats without an owner, such as a terminal and the window next to it.
        """
        for participant in self._participants:
            if participant.own is not None and seat in participant.own:
                return [participant]
        return [participant for participant in self._participants if participant.own is None]

    def is_owned(self, seat: Seat) -> bool:
        """Check whether a seat has an owner."""
        return any(it.own is not None and seat in it.own for it in self._participants)

    def seats_of(self, participant: Participant) -> tuple[Seat, ...]:
        """Return the seats of people for which a participant decides."""
        return tuple(seat for seat in self.people() if participant in self.participants_of(seat))

    def subscribe(self) -> None:
        """Subscribe one observer to the match for each seat with a watcher."""
        for participant in self._participants:
            seats = self.seats_of(participant)
            participant.watchers.update(seats, participant.own or ())
            # Several people at one screen see it as spectators until one of them takes a turn.
            if not participant.own and len(seats) != 1:
                participant.watchers.add(None)
            for watcher in sorted(participant.watchers - self._watched, key=str):
                self._watched.add(watcher)
                note = partial(self._note, watcher)
                self._stops.append(self._match.observe(note, seat=watcher))

    # Notification.

    def changed(self) -> None:
        """Notify clients of a changed position."""
        self.broadcast(Changed(self._match.ply))

    def broadcast(self, notification: Notification) -> None:
        """Notify every client."""
        for participant in self._participants:
            self.send(participant, notification)

    def announce(self, notification: Notification, seats: Iterable[Seat]) -> None:
        """Notify the clients of some seats, even if a bot plays the seat."""
        wanted = set(seats)
        for participant in self._participants:
            if not wanted.isdisjoint((*self.seats_of(participant), *(participant.own or ()))):
                self.send(participant, notification)

    def send(self, participant: Participant, notification: Notification) -> None:
        """Notify one client."""
        try:
            participant.client.notify(notification)
        except Exception as error:  # must not affect other clients
            failure = ClientFailure(participant.client, notification, error)
            (self._on_failure or _log)(failure)

    def close(self) -> None:
        """Stop all notifications."""
        self._participants.clear()
        while self._stops:
            self._stops.pop()()

    def _count(self, event: Event) -> None:
        self._number += 1

    def _note(self, watcher: Watcher, event: Event) -> None:
        for participant in self._participants:
            if watcher in participant.watchers:
                self.send(participant, Observed(self._number, watcher, event))


def _log(failure: ClientFailure | ObserverFailure) -> None:
    import logging  # only needed after a failure

    logging.getLogger("tabletop").error("a client failed: %r", failure, exc_info=failure.error)


def acting_seat(match: AnyMatch, own: Sequence[Seat], seat: Seat | None) -> Seat:
    """Return the seat for which a client with seats `own` acts, by default the first to act.

    Raises:
        MatchOver: The match is over.
        NotPermitted: The seat is not one of `own`.
        NotYourTurn: The seat is not to act, or none of them is.
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
        CommandError: The line does not mean an action.
    """
    actions, texts = match.legal_actions(seat), match.action_texts
    return read_action(match.game, line, match.view(seat), seat, actions, texts=texts)
