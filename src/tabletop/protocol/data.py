"""Actions and events as data, for clients in any language."""

from __future__ import annotations

from tabletop.errors import ContractError
from tabletop.protocol.messages import DataOut
from tabletop.rules.events import ActionPlayed, Event
from tabletop.states.codec import to_builtins


def as_data(thing: object) -> DataOut:
    """Return an action, or an event, as data.

    Raises:
        ContractError: JSON cannot express it.
    """
    return DataOut(type(thing).__name__, to_builtins(thing))


def event_data(event: Event) -> DataOut | None:
    """Return an event as data; None where JSON cannot express it.

    An action in it has a type and a value, as it may be of several classes.
    """
    try:
        if isinstance(event, ActionPlayed):
            action = None if event.action is None else as_data(event.action)
            value = {"ply": event.ply, "seat": event.seat, "action": action}
            return DataOut("ActionPlayed", value)
        return as_data(event)
    except ContractError:
        return None
