"""A game whose views, masked events and redeals follow from what its fields say."""

from __future__ import annotations

from dataclasses import is_dataclass
from functools import cache
from types import ModuleType
from typing import Any, TypeVar, get_args

from typing_extensions import override

from tabletop.events import ActionPlayed, Event
from tabletop.game import Game, State
from tabletop.outcome import Seat
from tabletop.rng import Stream

S = TypeVar("S", bound=State)
A = TypeVar("A")


@cache
def _secrecy() -> ModuleType:
    """What works out what is declared; imported with the first game that declares something."""
    from tabletop.secrets import secrecy

    return secrecy


class SecretGame(Game[S, A]):
    """A game whose states, events and actions say with `secret` who sees what.

    `view` masks every card that a seat does not see with the back that its field names. `redeal`
    collects those cards by pools, shuffles each, and deals them to the same places; known cards
    stay. `view_event` masks the secret fields of events, and tells of an action with a secret field
    only that somebody has chosen. Each can be overridden, and asked with `super()`.

    What a class of states declares is looked at when the class of the game is made.
    """

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        for base in getattr(cls, "__orig_bases__", ()):
            for kind in get_args(base)[:1]:
                if isinstance(kind, type) and is_dataclass(kind):
                    _secrecy().secrecy_of(kind)

    @override
    def view(self, state: S, seat: Seat | None) -> S:
        """What `seat`, or a spectator (None), sees of the state."""
        shown: S = _secrecy().secrecy_of(type(state)).view(state, seat)
        return shown

    @override
    def view_event(self, event: Event, state: S, seat: Seat | None) -> Event | None:
        """The event with its secret fields masked, as far as `seat` does not see them."""
        thing: Any = event.action if isinstance(event, ActionPlayed) else event
        telling = _secrecy().telling_of(type(thing))
        if telling is None:
            return event
        told = telling(thing, state, getattr(event, "seat", None), seat)
        if told is thing:
            return event
        if isinstance(event, ActionPlayed):
            return ActionPlayed(event.ply, event.seat, None)
        masked: Event = told
        return masked

    @override
    def redeal(self, state: S, seat: Seat | None, rng: Stream) -> S:
        """Another state that looks the same to `seat`, with what it does not see dealt anew."""
        other: S = _secrecy().secrecy_of(type(state)).redeal(state, seat, rng)
        return other
