"""The observers of one match, and its recorder."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Generic, NamedTuple, Protocol, TypeVar

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
    """An event in the form in which a watcher was told it.

    Attributes:
        ply: the number of actions played at that time, that of the event included.
        event: the event.
    """

    ply: int
    event: Event


class SeatHistory(NamedTuple, Generic[S]):
    """All that a watcher has been shown and told of a match.

    Attributes:
        view: the present view.
        events: every event since the beginning, in order.
    """

    view: S
    events: tuple[DeliveredEvent, ...]


class Recorder(Protocol):
    """Records a match as it is played: the argument of `Match.set_recorder`.

    When it raises, the action (or the undo) is taken back, unless `plies` counts it as written: a
    KeyboardInterrupt may come between the writing and the return.

    """

    @property
    def plies(self) -> int:
        """The number of actions recorded, without those taken back; -1 when it has stopped."""

    def played(self, match: Any, seat: Seat, action: Any) -> None:
        """Record a committed action of `seat`; observers have not been notified yet."""

    def undone(self, match: Any, count: int) -> None:
        """Record that `count` actions are taken back; observers have not been notified yet."""

    def seated(self, seat: Seat, player: str) -> None:
        """Record that `player`, "human" or the name of a bot, decides for `seat` from now on.

        Sessions call it, before `Match.set_player`; a match never does.
        """


class MatchObservers:
    """The observers and the recorder of one match. An unobserved match has none.

    Attributes:
        observers: the observers; matches may share them.
        recorder: records every action before observers are notified.
        actions_observed: whether any observer receives `ActionPlayed`.
        end_observed: whether any observer receives `MatchEnded`.
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
        self._delivering = 0  # how many of the table's events are being delivered; 0 for none
        self._views: list[Views] = []
        self.refresh()

    def refresh(self) -> None:
        """Update which types of events are observed, after observers have come or gone."""
        self.actions_observed: bool = self.observers.is_observed(ActionPlayed)
        self.end_observed: bool = self.observers.is_observed(MatchEnded)
        self._table.watch(self.observers.rules_observed)

    def notify(self, state: Any) -> None:
        """Deliver the queued events. A call from within an observer leaves that to the outer call.

        Args:
            state: the state after the last action.
        """
        events, observers = self._table.events, self.observers
        if observers.seats:
            self._mask(events, state)
        # An observer may play on: its events are appended to the list that the outer call is
        # delivering.
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
        """Mask the events for each watched seat, before any is delivered.

        The state is theirs only now: observers may play on meanwhile.
        """
        # Events from before the first observer of a seat are delivered to no seat.
        self._views.extend({} for _ in range(len(self._views), self._delivering))
        seats = self.observers.seats
        for event in events[len(self._views) :]:
            self._views.append({seat: self._view_event(event, state, seat) for seat in seats})

    def _view_event(self, event: Event, state: Any, seat: Watcher) -> Event | None:
        """Return the event as `seat` may see it; None as well when the rules fail to mask it."""
        if seat == ALL or isinstance(event, PUBLIC_EVENTS):
            return event
        try:
            return self._game.view_event(event, state, seat)
        except Exception as error:  # the move stands: silence reveals no secret
            self.observers.report(ObserverFailure(self._game.view_event, event, error))
            return None

    def drop_pending(self) -> None:
        """Drop the queued events that are not yet delivered: their action was taken back."""
        del self._table.events[self._delivering :]
        del self._views[self._delivering :]
