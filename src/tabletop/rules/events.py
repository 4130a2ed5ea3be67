"""The events of a match, and their delivery to observers.

An event is a small immutable object of a class derived from `Event`. The rules pass events to
`table.emit`. Observers receive events in order, after the action has been recorded. An exception in
an observer affects neither other observers nor the match.

For an observer that subscribes for a seat or a spectator, `Game.view_event` masks each event.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Literal, NamedTuple, TypeAlias, TypeVar, final

from typing_extensions import dataclass_transform

from tabletop.rules.concessions import LossReason
from tabletop.rules.outcome import Outcome
from tabletop.states.bounds import Seat
from tabletop.states.masking import check_layouts
from tabletop.states.visibility import secret


class Event:
    """The base class of all events. Derive from it, and decorate the class with `event`."""

    __slots__ = ()


E = TypeVar("E", bound=Event)


@dataclass_transform(frozen_default=True, field_specifiers=(field, secret))
def event(kind: type[E]) -> type[E]:
    """Decorate a class with annotated fields as an event: an immutable dataclass.

    Only type checkers reject assignments to the fields. At run time, assignments are not checked,
    because a frozen dataclass takes three times as long to create, and every action creates events.

    Raises:
        ContractError: The declaration of a secret field contradicts its annotation. The message
            suggests a correction.

    >>> @event
    ... class Rolled(Event):
    ...     seat: int
    ...     total: int
    >>> Rolled(0, 7)
    Rolled(seat=0, total=7)
    """
    event_class: type[E] = dataclass(slots=True, unsafe_hash=True)(kind)
    check_layouts(event_class)
    return event_class


class _BetweenPositions(Event):
    """An event with the positions before and after it, which are not fields of the event."""

    __slots__ = ("look_after", "look_before")

    look_before: Callable[[], Any]
    """Returns the observer's view of the position before the event. The match sets it."""

    look_after: Callable[[], Any]
    """Returns the observer's view of the position after the event. The match sets it."""


@final
@event
class ActionPlayed(_BetweenPositions):
    """A seat has acted. Observers receive it before the events that the rules emit for the action.

    Attributes:
        ply: The number of actions played so far, including this one.
        seat: The seat that acted.
        action: The action. Observers that may not see it receive a masked action or None instead.
    """

    ply: int
    seat: Seat
    action: Any

    @property
    def before(self) -> Any:
        """The observer's view of the position before the action, to describe the action in it.

        None if the event was not delivered by a match.
        """
        return self.look_before() if hasattr(self, "look_before") else None

    @property
    def after(self) -> Any:
        """The observer's view of the position after the action, for example to name its effects.

        None if the event was not delivered by a match.
        """
        return self.look_after() if hasattr(self, "look_after") else None

    def __reduce__(self) -> tuple[type[ActionPlayed], tuple[int, Seat, Any]]:
        """Pickle and copy the event without the positions."""
        return ActionPlayed, (self.ply, self.seat, self.action)


@final
@event
class ActionsUndone(Event):
    """Actions were undone. The events that they emitted are no longer valid.

    Attributes:
        count: The number of actions that were undone.
        ply: The number of actions that remain.
    """

    count: int
    ply: int


@final
@event
class Conceded(Event):
    """A seat has lost, although the rules have not ended the match (`Match.concede`).

    Attributes:
        seat: The seat that has lost.
        reason: "resigned", or "time" if it ran out of time.
    """

    seat: Seat
    reason: LossReason


@final
@event
class MatchEnded(Event):
    """The match is over. Observers receive it after all other events of the last action.

    Attributes:
        outcome: The outcome of the match.
    """

    outcome: Outcome


_MATCH_EVENTS: Final = (ActionPlayed, ActionsUndone, Conceded, MatchEnded)
"""The events that the match emits. The rules emit all other events."""

PUBLIC_EVENTS: Final = (ActionsUndone, Conceded, MatchEnded)
"""The events that all observers receive unmasked."""

ALL: Final = "all"
"""A watcher that receives every event unmasked. Use it only for logs, simulations and tests."""

Watcher: TypeAlias = Seat | Literal["all"] | None
"""The viewpoint of an observer: a seat, a spectator (None), or `ALL`."""

Handler: TypeAlias = Callable[[Any], object]
"""A function that is called with an event. Its result is ignored."""


@dataclass(frozen=True, slots=True)
class ObserverFailure:
    """A report of an observer that raised an exception.

    Attributes:
        handler: The handler that raised, or `Game.view_event`.
        event: The event with which it was called.
        error: The exception.
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
    """An observer: its handler, the types of the events that it receives, and its watcher."""

    handler: Handler
    types: tuple[type[Event], ...]
    seat: Watcher


Views: TypeAlias = Mapping[Watcher, Event | None]
"""The form in which each watcher receives an event, or None for a watcher that does not receive it.
"""


class Observers:
    """The observers of matches. Handlers are called in the order of their subscriptions.

    Attributes:
        on_failure: A function that is called with an `ObserverFailure` if a handler raises. By
            default, the failure is logged.
        rules_observed: Whether any observer receives events of the rules.
        seats: The watchers other than `ALL`, without duplicates.
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
        """Call `handler` with every event of the given types and their subtypes.

        Args:
            handler: A function that is called with each event.
            types: The types of the events. By default, all events. If an event is masked, the type
                of the masked event counts, which may differ from the original type.
            seat: The watcher: a seat, a spectator (None), or `ALL`.

        Returns:
            A function that ends the subscription. Calling it again has no effect.
        """
        entry = Subscription(handler, types or (Event,), seat)
        self._change([*self._subscriptions, entry])
        # Compared by identity, because two subscriptions may be equal.
        return lambda: self._change([other for other in self._subscriptions if other is not entry])

    def notify(self, events: list[Event], views: Sequence[Views] = ()) -> None:
        """Deliver `events` to every observer, in order.

        A handler may play further actions. The events of these actions are appended to the list and
        delivered after the earlier events. Changes to the subscriptions during an event take effect
        with the next event.

        Args:
            events: The events, in order.
            views: For each event, its form for each of the `seats`. Empty if there are no `seats`.
        """
        for place, event in enumerate(events):
            masked = views[place] if place < len(views) else {}
            for handler, types, seat in self._subscriptions:
                # An observer that subscribed after this event was masked does not receive it.
                received = event if seat == ALL else masked.get(seat)
                if received is None or not isinstance(received, types):
                    continue
                try:
                    handler(received)
                except Exception as error:
                    self.report(ObserverFailure(handler, received, error))

    def is_observed(self, kind: type[Event]) -> bool:
        """Return whether any handler may be called for an event of this type."""
        # The masked form of an event of the rules may have another type.
        return any(
            issubclass(kind, types) or not (seat == ALL or set(types).issubset(_MATCH_EVENTS))
            for _, types, seat in self._subscriptions
        )

    def _change(self, subscriptions: list[Subscription]) -> None:
        self._subscriptions = subscriptions
        self.seats: tuple[Watcher, ...] = tuple(
            {entry.seat: None for entry in subscriptions if entry.seat != ALL}
        )
        kinds = {kind for entry in subscriptions for kind in entry.types}
        self.rules_observed: bool = not kinds.issubset(_MATCH_EVENTS)

    def report(self, failure: ObserverFailure) -> None:
        """Report a failed observer to `on_failure`, or to the log if `on_failure` raises."""
        try:
            self.on_failure(failure)
        except Exception as error:
            log_failure(ObserverFailure(self.on_failure, failure.event, error))
