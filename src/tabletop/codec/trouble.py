"""Where a value is not plain data, and where a value that was read differs from the written one."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import fields, is_dataclass
from enum import Enum
from functools import cached_property
from math import isfinite
from typing import Any

from tabletop.wording import SHOWN_LETTERS, counted


def trouble(value: object, path: str) -> str | None:
    """The first thing in `value` that cannot be written: where, and what to write instead.

    Keys that are no texts are not named; whether they can be written is for annotations to say.

    Args:
        value: what was to be written.
        path: what it is called.
    """
    return next(_troubles(value, path, ()), None)


def odd_key(value: object, path: str) -> str | None:
    """The first key of a dictionary in `value` that is no text: where, and what to annotate."""
    if isinstance(value, dict):
        for key in value:
            if not isinstance(key, str):
                hint = f"annotate the keys as what they are: dict[{type(key).__name__}, ...]"
                return f"{path}: the key {key!r} is no text; {hint}"
    if not _has_parts(value):
        return None
    return _first(odd_key(item, path + step) for step, item in _parts(value))


def _troubles(value: object, path: str, above: tuple[int, ...]) -> Iterator[str]:
    # By identity: a value may hold others that are equal to it, but not itself.
    if id(value) in above:
        yield f"{path}: it holds itself; let one of the two keep an id of the other"
    elif isinstance(value, float):
        if not isfinite(value):
            yield f"{path}: {value} is no number that JSON can say; write None, or a whole number"
    elif _has_parts(value):
        for step, item in _parts(value):
            yield from _troubles(item, path + step, (*above, id(value)))
    else:
        yield from _leaf_troubles(value, path)


def _is_object(value: object) -> bool:
    return is_dataclass(value) and not isinstance(value, type)


def _has_parts(value: object) -> bool:
    return isinstance(value, (dict, list, tuple, set, frozenset, deque)) or _is_object(value)


def _parts(value: Any) -> Iterator[tuple[str, object]]:
    """The values inside of a value, each with the text of the step to it."""
    if isinstance(value, dict):
        yield from ((f"[{key!r}]", item) for key, item in value.items())
    elif isinstance(value, (list, tuple, set, frozenset, deque)):
        names = getattr(value, "_fields", range(len(value)))
        steps = (f".{name}" if isinstance(name, str) else f"[{name}]" for name in names)
        yield from zip(steps, value, strict=True)
    else:
        yield from ((f".{item.name}", getattr(value, item.name, None)) for item in fields(value))


def _leaf_troubles(value: object, path: str) -> Iterator[str]:
    import msgspec

    try:
        msgspec.json.encode(value)
    except UnicodeEncodeError:
        yield f"{path}: {value!r} holds half a character"
    except (TypeError, ValueError, RecursionError, msgspec.MsgspecError):
        what = f"{path}: {_shown(value)} is no plain data"
        if isinstance(value, type) or callable(value):
            yield f"{what}; keep a name, and let the rules find it by that"
        else:
            hint = "an annotation for all that it holds"
            yield f"{what}; make {type(value).__name__} a dataclass with {hint}"


def difference(one: object, other: object, path: str) -> str | None:
    """The first thing in which two values differ, or their classes do; None when nothing does.

    Args:
        one: a value.
        other: what it should be equal to.
        path: what they are called.
    """
    if type(one) is not type(other):
        return f"{path}: {described(one)} becomes {described(other)}"
    if isinstance(one, dict) and isinstance(other, dict):
        return _dict_difference(one, other, path)
    if isinstance(one, (set, frozenset)):
        return _set_difference(one, other, path)
    if isinstance(one, (list, tuple)) or _is_object(one):
        return _part_difference(one, other, path)
    return None if one == other else f"{path}: {_shown(one)} becomes {_shown(other)}"


def _part_difference(one: Any, other: Any, path: str) -> str | None:
    if isinstance(one, (list, tuple)) and len(one) != len(other):
        return f"{path}: {counted(len(one), 'item')} become {len(other)}"
    if type(one) in (list, tuple) and all(map(_are_same, one, other)):
        return None
    pairs = zip(_parts(one), _parts(other), strict=True)
    what = _first(difference(mine, its, path + step) for (step, mine), (_, its) in pairs)
    what = what or _lost_attribute(one, other, path)
    return what or (None if one == other else f"{path}: {_shown(one)} becomes {_shown(other)}")


def _are_same(one: object, other: object) -> bool:
    """Whether two values are the same text or number, as most are: there is nothing to name."""
    return type(one) is type(other) and type(one) in (str, int) and one == other


def _dict_difference(one: dict[Any, Any], other: dict[Any, Any], path: str) -> str | None:
    # The keys themselves: those that are equal may still be of different classes, as 1 and True.
    kept = {key: key for key in other}
    for key, item in one.items():
        if key not in kept:
            return f"{path}: the key {described(key)} is lost"
        what = difference(key, kept[key], f"{path}, the key {key!r}")
        what = what or difference(item, other[key], f"{path}[{key!r}]")
        if what:
            return what
    return _first(f"{path}: the key {described(key)} is new" for key in other if key not in one)


def _set_difference(one: Any, other: Any, path: str) -> str | None:
    kept = {item: item for item in other}
    lost = (f"{path}: {described(item)} is lost" for item in one if item not in kept)
    new = (f"{path}: {described(item)} is new" for item in other if item not in one)
    both = (item for item in one if item in kept)
    changed = (difference(item, kept[item], f"{path}, {item!r}") for item in both)
    return _first([*lost, *new, *changed])


def _lost_attribute(one: Any, other: Any, path: str) -> str | None:
    """An attribute that an object has beside its fields, unless it can be computed again."""
    names = {item.name for item in fields(one)} if _is_object(one) else set()
    for name, item in getattr(one, "__dict__", {}).items():
        if name in names or isinstance(getattr(type(one), name, None), cached_property):
            continue
        if name not in vars(other) or difference(item, vars(other)[name], path):
            hint = f"{name}: {type(item).__name__}"
            return f"{path}.{name}: it is no field, and lost; annotate it in the class: {hint}"
    return None


def _first(found: Iterable[str | None]) -> str | None:
    return next(filter(None, found), None)


def described(value: object) -> str:
    """A value and its class, for messages."""
    return f"{_shown(value)} ({type(value).__name__})"


def _shown(value: object) -> str:
    text = str(value) if isinstance(value, Enum) else repr(value)
    return text if len(text) <= SHOWN_LETTERS else f"{text[:SHOWN_LETTERS]}..."
