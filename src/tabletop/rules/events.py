"""The events of a match, and their delivery to observers.

An event is a small immutable object derived from `Event`, handed to `table.emit` by the rules.
Observers are notified after the move is committed and recorded, in the order of events; a failing
observer stops neither the others nor the match.

An observer of a seat, or a spectator, receives the events as `Game.view_event` gives them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Literal, NamedTuple, TypeAlias, TypeVar, final

from typing_extensions import dataclass_transform

from tabletop.rules.outcome import Outcome
from tabletop.states.bounds import Seat
from tabletop.states.masking import check_layouts
from tabletop.states.visibility import secret


class Event:
    """The base of all events. Derive from it and decorate with `event`."""

    __slots__ = ()


E = TypeVar("E", bound=Event)


@dataclass_transform(frozen_default=True, field_specifiers=(field, secret))
def event(kind: type[E]) -> type[E]:
    """Decorate a class with annotated fields as an event: an immutable dataclass.

    Type checkers refuse assignments. Nothing is checked at run time, because a `frozen` dataclass
    takes three times as long to create, and every move creates events.

    Raises:
        ContractError: A field declares a secret that cannot be kept; says what to write instead.

    >>> @event
    ... class Rolled(Event):
    ...     seat: int
    ...     total: int
    >>> Rolled(0, 7)
    Rolled(seat=0, total=7)
    """
    made: type[E] = dataclass(slots=True, unsafe_hash=True)(kind)
    check_layouts(made)
    return made


@final
@event
class ActionPlayed(Event):
    """A seat has acted. Comes before the events that the rules emitted for it.

    Attributes:
        ply: the number of actions played, this one included; 1 for the first.
        seat: the seat that acted.
        action: the action; None, or masked in part, for watchers that may not know it.
    """

    ply: int
    seat: Seat
    action: Any


@final
@event
class ActionsUndone(Event):
    """Actions were taken back: the events they emitted no longer hold.

    Attributes:
        count: the number of actions taken back.
        ply: the number of actions that remain.
    """

    count: int
    ply: int


@final
@event
class MatchEnded(Event):
    """The match is over. Comes after all other events of the last action.

    Attributes:
        outcome: how it ended.
    """

    outcome: Outcome


_OWN_EVENTS: Final = (ActionPlayed, ActionsUndone, MatchEnded)
"""The events that a match itself emits; all others come from the rules."""

PUBLIC_EVENTS: Final = (ActionsUndone, MatchEnded)
"""The events that every seat receives unmasked."""

ALL: Final = "all"
"""A watcher that receives every event unmasked: a log, a simulation, a test."""

Watcher: TypeAlias = Seat | Literal["all"] | None
"""The watcher that an observer stands for: a seat, a spectator (None), or `ALL`, which sees all."""

Handler: TypeAlias = Callable[[Any], object]
"""A function that is called with an event; what it returns does not matter."""


@dataclass(frozen=True, slots=True)
class ObserverFailure:
    """An observer raised.

    Attributes:
        handler: the observer; or `Game.view_event`, if that raised.
        event: the event it was called with.
        error: the exception.
    """

    handler: Callable[..., object]
    event: Event
    error: Exception


def log_failure(failure: ObserverFailure) -> None:
    """Report a failed observer through the standard logger `tabletop`."""
    import logging  # only needed after a failure

    logging.getLogger("tabletop").error(
        "an observer failed on %r: %r", failure.event, failure.handler, exc_info=failure.error
    )


class Subscription(NamedTuple):
    """An observer: its handler, the types of events it receives, and its watcher."""

    handler: Handler
    types: tuple[type[Event], ...]
    seat: Watcher


Views: TypeAlias = Mapping[Watcher, Event | None]
"""An event as each watched seat receives it; None where a seat receives nothing."""


class Observers:
    """The observers of matches. Handlers are called in the order in which they subscribed.

    Attributes:
        on_failure: called with an `ObserverFailure` when a handler raises; logs it by default.
        rules_observed: whether any observer receives more than a match's own events.
        seats: the watchers other than `ALL`; usually none.
    """

    __slots__ = ("_subscriptions", "on_failure", "rules_observed", "seats")

    def __init__(self) -> None:
        self.on_failure: Callable[[ObserverFailure], object] = log_failure
        self._change([])

    def __bool__(self) -> bool:
        return bool(self._subscriptions)

    def subscribe(
        self, handler: Handler, *types: type[Event], seat: Watcher = ALL
    ) -> Callable[[], None]:
        """Call `handler` with every event of these types and subtypes; of all by default.

        Args:
            handler: called with each event.
            types: the types of the events as received: the masked form may be of another type.
            seat: the watcher: a seat, a spectator (None), or `ALL`.

        Returns:
            A function that ends the subscription; calling it again does nothing.
        """
        entry = Subscription(handler, types or (Event,), seat)
        self._change([*self._subscriptions, entry])
        # By identity: subscriptions may be equal, and each has its own end.
        return lambda: self._change([one for one in self._subscriptions if one is not entry])

    def notify(self, events: list[Event], views: Sequence[Views] = ()) -> None:
        """Deliver `events` to every observer, in order.

        A handler may play on: the new events are appended to the list, and every observer receives
        them after the earlier ones. Subscribing or leaving during an event takes effect at the
        next.

        Args:
            events: the events, in order.
            views: each event as each of `seats` receives it; empty when there are no `seats`.
        """
        for place, event in enumerate(events):
            seen = views[place] if place < len(views) else {}
            for handler, types, seat in self._subscriptions:
                # An observer that joined after this event was masked does not receive it.
                told = event if seat == ALL else seen.get(seat)
                if told is None or not isinstance(told, types):
                    continue
                try:
                    handler(told)
                except Exception as error:
                    self.report(ObserverFailure(handler, told, error))

    def is_observed(self, kind: type[Event]) -> bool:
        """Check whether any observer may receive something because of an event of this type."""
        # The masked form of an event of the rules may be of another type.
        return any(
            issubclass(kind, types) or not (seat == ALL or set(types).issubset(_OWN_EVENTS))
            for _, types, seat in self._subscriptions
        )

    def _change(self, subscriptions: list[Subscription]) -> None:
        self._subscriptions = subscriptions
        self.seats: tuple[Watcher, ...] = tuple(
            {one.seat: None for one in subscriptions if one.seat != ALL}
        )
        kinds = {kind for one in subscriptions for kind in one.types}
        self.rules_observed: bool = not kinds.issubset(_OWN_EVENTS)

    def report(self, failure: ObserverFailure) -> None:
        """Report a failure of an observer; a failure of the reporter itself is logged."""
        try:
            self.on_failure(failure)
        except Exception as error:  # the reporter itself fails: the log is what is left
            log_failure(ObserverFailure(self.on_failure, failure.event, error))
