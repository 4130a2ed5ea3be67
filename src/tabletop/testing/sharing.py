"""Whether two states share something that can change."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from enum import Enum
from types import FunctionType, ModuleType
from typing import Any, Final

_WHOLE: Final = (
    str,
    bytes,
    int,
    float,
    complex,
    bool,
    type(None),
    Enum,
    type,
    FunctionType,
    ModuleType,
)
"""Types without parts, or whose parts a state never changes."""


_PLAIN: Final = frozenset({str, int, bool, float, type(None)})
"""What most of a state is: nothing else is done with it, not even named."""


def shared_part(one: object, other: object) -> str | None:
    """The place of something in `one` that can change and is part of `other` as well; None if none.

    Two names for one list are two ways to change it: a copy must not have any of the original's.
    """
    theirs = {id(part) for _, part in _changeable(other, "it")}
    for place, part in _changeable(one, "it"):
        if id(part) in theirs:
            return f"{place.removeprefix('it.')} (a {type(part).__name__})"
    return None


def _changeable(value: object, place: str) -> Iterator[tuple[str, object]]:
    """Everything in `value` that can change, with where it stands."""
    seen: set[int] = set()
    waiting = [(place, value)]
    while waiting:
        place, value = waiting.pop()
        if isinstance(value, _WHOLE) or id(value) in seen:
            continue
        seen.add(id(value))
        if not _is_fixed(value):
            yield place, value
        waiting.extend(_parts(value, place))


def _is_fixed(value: Any) -> bool:
    """Whether `value` itself cannot change; its parts may."""
    if isinstance(value, tuple | frozenset):
        return True
    if dataclasses.is_dataclass(value):
        kind: Any = type(value)
        return bool(kind.__dataclass_params__.frozen)
    return not isinstance(value, list | dict | set | bytearray) and not _fields(value)


def _parts(value: Any, place: str) -> Iterator[tuple[str, object]]:
    if isinstance(value, dict):
        for key, item in value.items():
            if type(item) not in _PLAIN:
                yield f"{place}[{key!r}]", item
    elif isinstance(value, list | tuple | set | frozenset):
        for number, item in enumerate(value):
            if type(item) not in _PLAIN:
                yield f"{place}[{number}]", item
    else:
        for name, item in _fields(value):
            yield f"{place}.{name}", item


def _fields(value: Any) -> list[tuple[str, object]]:
    """The attributes that an object has of its own."""
    names = [*getattr(value, "__dict__", ())]
    for kind in type(value).__mro__:
        slots = kind.__dict__.get("__slots__", ())
        names += [slots] if isinstance(slots, str) else slots
    return [(name, getattr(value, name)) for name in names if hasattr(value, name)]
