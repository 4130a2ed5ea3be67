"""The observers of a match, and its recorder."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Generic, NamedTuple, Protocol, TypeVar

from tabletop.rules.concessions import Concession
from tabletop.rules.events import (
    ALL,
    PUBLIC_EVENTS,
    ActionPlayed,
    Event,
    MatchEnded,
    ObserverFailure,
    Observers,
    Views,
    Watcher,
)
from tabletop.rules.game import AnyGame, Table
from tabletop.states.bounds import Seat

S = TypeVar("S")


class DeliveredEvent(NamedTuple):
    """An event as delivered to an observer, masked for the observer's seat.

    Attributes:
        ply: The number of actions played when the event was delivered, including the action that
            caused the event.
        event: The event.
    """

    ply: int
    event: Event


class SeatHistory(NamedTuple, Generic[S]):
    """The current view of a seat or spectator, and all events that they have received.

    Attributes:
        view: The current view.
        events: All events that were delivered since the start of the match, in order.
    """

    view: S
    events: tuple[DeliveredEvent, ...]


class Recorder(Protocol):
    """The interface of recorders, which record a match while it is played.

    See `Match.set_recorder`.

    If `played` or `undone` raises an exception, the match reverts the action or the undo, unless
    `plies` already includes the change. In that case, the line was written before the exception
    (such as a KeyboardInterrupt) was raised.
    """

    @property
    def plies(self) -> int:
        """The number of recorded actions in effect, or -1 after recording has stopped."""

    def played(self, match: Any, seat: Seat, action: Any) -> None:
        """Record an action of `seat` that was applied. Observers have not been notified yet."""

    def undone(self, match: Any, count: int) -> None:
        """Record that `count` actions were undone. Observers have not been notified yet."""

    def conceded(self, match: Any, concession: Concession) -> None:
        """Record a concession, and the outcome if it has ended the match.

        If this raises, the concession has no effect.
        """

    def seated(self, seat: Seat, player: str) -> None:
        """Record that `player` ("human" or the name of a bot) plays for `seat` from now on.

        Sessions call this method before `Match.set_player`. `Match` itself never calls it.
        """


class MatchObservers:
    """The observers and the recorder of a match. Created on first use.

    Attributes:
        observers: The observers. Several matches may share them.
        recorder: Records every action before observers are notified.
        actions_observed: Whether any observer receives `ActionPlayed`.
        end_observed: Whether any observer receives `MatchEnded`.
    """

    __slots__ = (
        "_delivering",
        "_game",
        "_table",
        "_views",
        "actions_observed",
        "end_observed",
        "observers",
        "recorder",
    )

    def __init__(self, game: AnyGame, table: Table, observers: Observers) -> None:
        self.observers: Observers = observers
        self.recorder: Recorder | None = None
        self._game = game
        self._table = table
        self._delivering = 0  # number of events of the rules that are being delivered
        self._views: list[Views] = []
        self.refresh()

    def refresh(self) -> None:
        """Update which event types are observed, after a subscription was added or removed."""
        self.actions_observed: bool = self.observers.is_observed(ActionPlayed)
        self.end_observed: bool = self.observers.is_observed(MatchEnded)
        self._table.watch(self.observers.rules_observed)

    def notify(self, state: Any) -> None:
        """Deliver the queued events.

        A nested call from an observer leaves the delivery to the outer call.
        """
        events, observers = self._table.events, self.observers
        played = next(iter(events[self._delivering :]), None)
        if isinstance(played, ActionPlayed):
            played.look_after = state.clone().clone
        if observers.seats:
            self._mask(events, state)
        # An observer may play an action. Its events are appended to the list that the outer call
        # is delivering.
        delivering, self._delivering = self._delivering, len(events)
        if delivering or not events:
            return
        try:
            observers.notify(events, self._views)
        finally:
            self._delivering = 0
            events.clear()
            self._views.clear()

    def _mask(self, events: Sequence[Event], state: Any) -> None:
        """Mask the events for each seat before delivery, because observers may play actions."""
        # Events from before the first subscription of a seat are not delivered to any seat.
        self._views.extend({} for _ in range(len(self._views), self._delivering))
        seats = self.observers.seats
        for event in events[len(self._views) :]:
            self._views.append({seat: self._view_event(event, state, seat) for seat in seats})

    def _view_event(self, event: Event, state: Any, seat: Watcher) -> Event | None:
        """Return the event as `seat` may see it, or None if it is hidden or masking fails."""
        if seat == ALL or isinstance(event, PUBLIC_EVENTS):
            return event
        try:
            masked = self._game.view_event(event, state, seat)
        except Exception as error:  # the action stays; a dropped event reveals no secret
            self.observers.report(ObserverFailure(self._game.view_event, event, error))
            return None
        if isinstance(event, ActionPlayed) and isinstance(masked, ActionPlayed):
            masked = ActionPlayed(masked.ply, masked.seat, masked.action)  # `event` may be shared
            masked.look_before = partial(self._view, event.look_before, seat)
            masked.look_after = partial(self._view, event.look_after, seat)
        return masked

    def _view(self, look: Callable[[], Any], seat: Seat | None) -> Any:
        return self._game.view(look(), seat)

    def drop_pending(self) -> None:
        """Drop queued events that have not been delivered, because their action was undone."""
        del self._table.events[self._delivering :]
        del self._views[self._delivering :]
