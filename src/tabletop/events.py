"""What can happen in a match, and telling those who watch.

An event is a small immutable object derived from `Event`, handed to `table.emit` by the rules.
Observers are told after the move is committed and recorded, in the order in which things happened;
one that fails neither stops the others nor the match.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias, TypeVar, final

from typing_extensions import dataclass_transform

from tabletop.game import Outcome, Seat


class Event:
    """The base of everything that can happen. Derive from it and decorate with `event`."""

    __slots__ = ()


E = TypeVar("E", bound=Event)


@dataclass_transform(frozen_default=True)
def event(kind: type[E]) -> type[E]:
    """Make an event of a class with annotated fields: a dataclass that nobody may change.

    Type checkers refuse assignments; nothing is checked at run time, because a guarded (`frozen`)
    dataclass takes three times as long to make, and events are made on every move.

    >>> @event
    ... class Rolled(Event):
    ...     seat: int
    ...     total: int
    >>> Rolled(0, 7)
    Rolled(seat=0, total=7)
    """
    return dataclass(slots=True, unsafe_hash=True)(kind)


@final
@event
class ActionPlayed(Event):
    """A seat has acted. Told before the events that the rules made of it.

    Attributes:
        ply: how many actions have been played, this one included; 1 for the first.
        seat: who acted.
        action: what was played.
    """

    ply: int
    seat: Seat
    action: Any


@final
@event
class ActionsUndone(Event):
    """Actions were taken back; what was told of them no longer holds.

    Attributes:
        count: how many.
        ply: how many remain.
    """

    count: int
    ply: int


@final
@event
class MatchEnded(Event):
    """The match is over. Told after everything else that the last action led to."""

    outcome: Outcome


OWN_EVENTS: Final = (ActionPlayed, ActionsUndone, MatchEnded)
"""What a match itself tells of; all other events come from the rules."""


Handler: TypeAlias = Callable[[Any], object]


@dataclass(frozen=True, slots=True)
class ObserverFailure:
    """An observer raised.

    Attributes:
        handler: the observer.
        event: what it was being told.
        error: what it raised.
    """

    handler: Handler
    event: Event
    error: Exception


def log_failure(failure: ObserverFailure) -> None:
    """Report a failed observer through the standard logger `tabletop`."""
    import logging  # only needed when something went wrong

    logging.getLogger("tabletop").error(
        "an observer failed on %r: %r", failure.event, failure.handler, exc_info=failure.error
    )


Subscription: TypeAlias = tuple[Handler, tuple[type[Event], ...]]


class Routes(dict[type[Event], tuple[Handler, ...]]):
    """The handlers for each type of event, worked out when it first occurs."""

    def __init__(self, subscriptions: Sequence[Subscription]) -> None:
        super().__init__()
        self._subscriptions = subscriptions

    def __missing__(self, kind: type[Event]) -> tuple[Handler, ...]:
        route = tuple(handler for handler, kinds in self._subscriptions if issubclass(kind, kinds))
        self[kind] = route
        return route


class Observers:
    """Who is told of what. Handlers are called in the order in which they subscribed.

    Attributes:
        on_failure: called with an `ObserverFailure` when a handler raises; logs it by default.
        hear_rules: whether anybody is told of more than a match's own events.
    """

    __slots__ = ("_handlers", "_lone", "_routes", "hear_rules", "on_failure")

    def __init__(self) -> None:
        self.on_failure: Callable[[ObserverFailure], object] = log_failure
        self._change([])

    def __bool__(self) -> bool:
        return bool(self._handlers)

    def subscribe(self, handler: Handler, *types: type[Event]) -> Callable[[], None]:
        """Tell `handler` of events of these types and their subtypes; of all, when none is named.

        Returns:
            A function that ends the subscription; calling it again does nothing.
        """
        entry = (handler, types or (Event,))
        self._change([*self._handlers, entry])
        # By identity: equal subscriptions may exist twice, and each has its own end.
        return lambda: self._change([other for other in self._handlers if other is not entry])

    def tell(self, events: list[Event]) -> None:
        """Tell every subscriber of `events`, in order.

        A handler may play on: what happens then is appended to the list, and so told when all
        before it has been, to everybody alike. Who subscribes or leaves while an event is told
        does so from the next event on.
        """
        for event in events:
            lone = self._lone
            if lone is not None:
                try:
                    lone(event)
                except Exception as error:
                    self._report(ObserverFailure(lone, event, error))
                continue
            for handler in self._routes[type(event)]:
                try:
                    handler(event)
                except Exception as error:
                    self._report(ObserverFailure(handler, event, error))

    def hear(self, kind: type[Event]) -> bool:
        """Whether anybody is told of events of this type."""
        return bool(self._routes[kind])

    def _change(self, handlers: list[Subscription]) -> None:
        self._handlers = handlers
        self._routes = Routes(handlers)
        self._lone: Handler | None = None
        if len(handlers) == 1 and handlers[0][1] == (Event,):
            self._lone = handlers[0][0]  # told of everything, and nobody else is of anything
        kinds = {kind for _, kinds in handlers for kind in kinds}
        self.hear_rules = not kinds.issubset(OWN_EVENTS)

    def _report(self, failure: ObserverFailure) -> None:
        try:
            self.on_failure(failure)
        except Exception as error:  # the reporter itself fails: the log is what is left
            log_failure(ObserverFailure(self.on_failure, failure.event, error))
