"""The law of shape: what an author hands over is of the kind that `Game` asks for.

Each function says in an author's words what is wrong, and what to write instead; None when nothing
is. They come before the other laws, which would stumble over such a thing and blame another.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable
from enum import Enum
from typing import Any, Final

from tabletop.events import Event
from tabletop.game import AnyGame, Game, own_methods
from tabletop.match.answers import SHOWN, a_kind_of
from tabletop.wording import cut, nearest, slug

_INSTEAD: Final = {"list": "a tuple", "set": "a frozenset", "dict": "a tuple of pairs"}
"""What an action holds instead of what can change."""

_LIKE: Final = 0.87
"""How like two names are that differ in a letter; `reveal` and `redeal` are less."""


def wrong_declaration(game: AnyGame) -> str | None:
    """What is wrong with the attributes of a game."""
    name: object = game.name
    if not isinstance(name, str) or not name or slug(name) != name:
        meant = slug(str(name or type(game).__name__))
        return (
            f"name is {name!r}: write lower case letters, digits and hyphens, such as"
            f' name = "{meant or "my-game"}"'
        )
    for field in ("title", "version"):
        text: object = getattr(game, field)
        if not isinstance(text, str):
            return f'{field} is {text!r}: write a text, such as {field} = "{text}"'
    return _wrong_seats(game.seats) or _wrong_name(type(game))


def _wrong_name(kind: type[AnyGame]) -> str | None:
    """A method that is called nearly as one of `Game` which the rules leave out."""
    left_out = [name for name, item in vars(Game).items() if getattr(kind, name, None) is item]
    left_out = [name for name in left_out if callable(getattr(Game, name)) and name[0] != "_"]
    for name in own_methods(kind):
        meant = nearest(name, left_out, likeness=_LIKE)
        if meant is not None:
            return (
                f"there is a method {name}, and no {meant}: rename {name} to {meant}, or to"
                " something less like it"
            )
    return None


def _wrong_seats(seats: object) -> str | None:
    if not isinstance(seats, range):
        fewest, most = 2, 2
        if isinstance(seats, int):
            fewest = most = seats
        elif isinstance(seats, tuple | list) and seats and all(type(it) is int for it in seats):
            fewest, most = min(seats), max(seats)
        said = str(fewest) if fewest == most else f"{fewest} to {most}"
        return f"seats is {seats!r}: write a range; range({fewest}, {most + 1}) is for {said}"
    if not seats or min(seats) < 1:
        return f"seats is {seats!r}: nobody can play; range(2, 5) is for 2 to 4"
    return None


def wrong_action(action: object) -> str | None:
    """What keeps an action from being compared with others, and kept in sets."""
    kind = type(action)
    if kind.__eq__ is object.__eq__ and not isinstance(action, Enum):
        return (
            f"two actions {kind.__name__} with the same fields are not equal (no `__eq__`): write"
            f" @dataclass(frozen=True) above class {kind.__name__}"
        )
    try:
        hash(action)
    except TypeError as error:
        return f"the action {_plainly(action)} has no hash ({error}): {_hash_advice(action)}"
    return None


def _hash_advice(action: Any) -> str:
    kind = type(action)
    if getattr(kind, "__hash__", None) is None:
        own = kind.__module__ != "builtins"
        return (
            f"write @dataclass(frozen=True) above class {kind.__name__}" if own else "use a tuple"
        )
    if dataclasses.is_dataclass(action):
        for field in dataclasses.fields(action):
            value = getattr(action, field.name)
            try:
                hash(value)
            except TypeError:
                instead = _INSTEAD.get(type(value).__name__, "what is frozen")
                return (
                    f"{kind.__name__}.{field.name} holds {a_kind_of(value)}; let it hold {instead}"
                )
    return "let it hold nothing that can change"


def wrong_application(returned: object, state: object, events: Iterable[object]) -> str | None:
    """What is wrong with what `apply` returns, or emits.

    Args:
        returned: by `apply`; the state itself does no harm.
        state: what `apply` was given.
        events: what it has emitted.
    """
    if returned is not None and returned is not state:
        new = "a new state" if isinstance(returned, type(state)) else cut(repr(returned), SHOWN)
        return (
            f"apply returns {new}, which nobody looks at: change the state that it is given, and"
            " return nothing"
        )
    for event in events:
        if isinstance(event, type) and issubclass(event, Event):
            return f"apply emits the class {event.__name__}: make an event of it, with its fields"
        if not isinstance(event, Event):
            return (
                f"apply emits {cut(repr(event), SHOWN)}, which is no event: derive a class from"
                " Event, write @event above it, and emit an instance"
            )
    return None


def _plainly(action: object) -> str:
    return cut(str(action), SHOWN)
