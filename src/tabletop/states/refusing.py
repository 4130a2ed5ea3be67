"""Why something cannot be copied safely, and what to write instead."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from typing import Any, TypeVar, get_origin

from tabletop.codec.annotations import CHANCE, DRAW, INSTEAD, spelled
from tabletop.states.annotated import field_hints
from tabletop.states.fixed import is_fixed, is_frozen


def trouble(hint: Any) -> str:
    """Why something cannot be copied safely, and what to write instead, of an annotation."""
    origin, name = get_origin(hint) or hint, spelled(hint)
    if isinstance(hint, TypeVar):
        bounds = "bound=Hashable where it never changes, bound=State where it has a clone"
        return f"{name} may be anything; give the type variable a bound: {bounds}"
    if hint in (Any, object):
        return f"{name} may be anything; write what it is"
    for base in getattr(origin, "__mro__", (origin,)):
        if base in INSTEAD:
            return f"{name} is no plain data; {INSTEAD[base]}"
        if f"{base.__module__}.{base.__qualname__}" in CHANCE:
            return f"{name} is no plain data; {DRAW}"
    return _class_trouble(hint, origin, name)


def _class_trouble(hint: Any, origin: Any, name: str) -> str:
    if getattr(origin, "__abstractmethods__", None):
        concrete = "dict[...]" if issubclass(origin, Mapping) else "list[...] or tuple[..., ...]"
        return f"{name} may be a thing of several kinds; write {concrete}"
    if is_dataclass(origin):
        return _dataclass_trouble(hint, origin, name)
    instead = "@state above the class, @dataclass(frozen=True) if it never changes"
    return f"{name} cannot be copied safely; write {instead}, or give it a method clone"


def _dataclass_trouble(hint: Any, origin: Any, name: str) -> str:
    if not is_frozen(origin):
        return f"{name} can change and has no clone; write @state in the place of its @dataclass"
    held = {item.name: field_hints(hint)[item.name] for item in fields(origin)}
    field, kind = next((at, it) for at, it in held.items() if not is_fixed(it, (hint,)))
    return (
        f"{name} is frozen, but its {field} ({spelled(kind)}) can change; write what never changes"
        " there, such as a tuple, or @state in the place of its @dataclass"
    )
