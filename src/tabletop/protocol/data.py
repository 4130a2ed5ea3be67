"""Actions, events and outcomes as data, for clients in any language."""

from __future__ import annotations

from typing import Any

from tabletop.errors import ContractError
from tabletop.protocol.outgoing import ChoiceOut, DataOut, ItemOut, OverOut, SeveralOut
from tabletop.rules.events import ActionPlayed, Event, MatchEnded
from tabletop.rules.outcome import Outcome, fields_of
from tabletop.rules.selections import Selections
from tabletop.states.bounds import Seat
from tabletop.states.codec import to_builtins


def as_data(thing: object) -> DataOut:
    """Return an action or an event as data.

    Raises:
        ContractError: JSON cannot express it.
    """
    return DataOut(type(thing).__name__, to_builtins(thing))


def event_data(event: Event) -> DataOut | None:
    """Return an event as data, or None if JSON cannot express it.

    An action in it has a type and a value, because it may be of several classes.
    """
    try:
        if isinstance(event, ActionPlayed):
            action = None if event.action is None else as_data(event.action)
            value = {"ply": event.ply, "seat": event.seat, "action": action}
            return DataOut("ActionPlayed", value)
        if isinstance(event, MatchEnded):
            return DataOut("MatchEnded", {"outcome": _as_data(event.outcome)})
        return as_data(event)
    except ContractError:
        return None


def seat_of(event: Event, seats: int) -> Seat | None:
    """Return the seat of an event in a match with `seats` seats, or None if it has none."""
    seat = getattr(event, "seat", None)
    return seat if isinstance(seat, int) and 0 <= seat < seats else None


def _as_data(outcome: Outcome) -> dict[str, Any]:
    """Return the fields of an outcome as data, in their order."""
    data = to_builtins(outcome)
    return {name: data[name] for name in fields_of(outcome)}


def several_out(chosen: Selections[Any], seat: Seat) -> ChoiceOut:
    """Return the choice of several items as data, without a picture."""
    words = map(chosen.word, chosen.items)
    items = tuple(ItemOut(word, word, ()) for word in words)
    several = SeveralOut(chosen.low, chosen.high, items)
    return ChoiceOut(chosen.words, chosen.words, (), seat, several=several)


def outcome_data(outcome: Outcome | None, text: str) -> OverOut:
    """Return the end of a match as data, with its description `text`."""
    if outcome is None:
        return OverOut(text)
    return OverOut(
        text,
        winners=tuple(outcome.winners),
        # Points per seat make no sense if all seats have the same points together.
        points=outcome.points if outcome.best is None else (),
        reason=outcome.reason,
        outcome=_as_data(outcome),
    )
