"""Values as a person would write them down, seats by name.

Where a seat is meant is given by annotations: `turn: Seat`, `claim: tuple[Seat, int] | None`,
`coins: dict[Seat, int]`. What is declared as `secret` to `OWNER` is said by name as well, and the
backs of cards are counted.
"""

from __future__ import annotations

import dataclasses
import types
import typing
from collections import deque
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from enum import Enum
from functools import cache
from itertools import groupby
from typing import Annotated, Any, Final, TypeAlias, Union, get_args, get_origin

from tabletop.fields import OWNER, secrets_of
from tabletop.outcome import Seat

Names: TypeAlias = Sequence[str]
"""The name of each seat."""

_UNIONS: Final = (Union, types.UnionType)


_NO_BACK: Final = object()


def format_fields(value: Any, names: Names, *, owned: bool = False) -> dict[str, str]:
    """The fields of an object, or its attributes, as a person would write them down.

    Args:
        value: the object.
        names: what the seats are called.
        owned: whether it is known whose it is, as of an event; else a secret with `OWNER` has an
            item for each seat, which is said by name.
    """
    kind: Any = type(value)
    hints, secrets = _hints(kind), secrets_of(kind)
    said = {}
    for name, it in _fields(value).items():
        declared, hint = secrets.get(name), hints.get(name)
        back = declared.back if declared else _NO_BACK
        if declared and declared.to is OWNER and not owned and isinstance(it, list | tuple):
            item = (*_parts(hint, type(it)), None)[0]
            rows = [format_value(own, names, item, back) for own in it]
            said[name] = "; ".join(map("{}: {}".format, names, rows))
        else:
            said[name] = format_value(it, names, hint, back)
    return said


def format_value(value: Any, names: Names, hint: Any = None, back: Any = _NO_BACK) -> str:
    """A value as a person would write it down.

    Args:
        value: plain data.
        names: what the seats are called.
        hint: how it is annotated, if that is known.
        back: what stands in the place of a card that is not seen; none when not given.
    """
    if value == back:
        return "hidden"
    if isinstance(value, int) and 0 <= value < len(names) and _may_be_seat(hint):
        return names[value]
    if isinstance(value, list | tuple | deque | AbstractSet) and not hasattr(value, "_fields"):
        return _format_items(value, names, hint, back)
    if isinstance(value, Mapping):
        key, item, *_ = (*_parts(hint, type(value)), None, None)
        pairs = (
            (format_value(k, names, key), format_value(v, names, item, back))
            for k, v in value.items()
        )
        return ", ".join(f"{k}: {v}" for k, v in pairs) or "-"
    if dataclasses.is_dataclass(value) and type(value).__str__ is object.__str__:
        said = format_fields(value, names, owned=True)
        fields = [it for it in said.items() if getattr(value, it[0]) is not None]
        return f"({', '.join(f'{name} {it}' for name, it in fields)})"
    return _format_word(value)


def _format_word(value: Any) -> str:
    """Format a value without parts, such as a number or a text."""
    if isinstance(value, Enum) and type(value).__str__ is Enum.__str__:
        return value.name.lower().replace("_", " ")
    return "-" if value is None else str(value)


def _format_items(value: Any, names: Names, hint: Any, back: Any) -> str:
    """The items of a container in one line; rows are separated by semicolons.

    Backs that lie side by side are counted: `44 hidden`, `7 (3 hidden) 5`.
    """
    parts = _parts(hint, type(value))
    if isinstance(value, tuple) and parts and Ellipsis not in parts:
        hints = (*parts, *[None] * len(value))
    else:
        hints = (parts[:1] or (None,)) * len(value)
    texts = []
    pairs = zip(_in_order(value), hints, strict=False)
    for is_back, run in groupby(pairs, key=lambda pair: bool(pair[0] == back)):
        own = list(run)
        if not is_back:
            texts += [format_value(item, names, hint, back) for item, hint in own]
        else:
            hidden = f"{len(own)} hidden"
            texts.append(hidden if len(own) == len(value) else f"({hidden})")
    if any(isinstance(item, list | tuple) for item in value):
        return "; ".join(texts)
    all_seats = bool(parts) and all(_may_be_seat(it) for it in parts if it is not Ellipsis)
    return (", " if all_seats else " ").join(texts) or "-"


def _in_order(value: Any) -> Sequence[Any]:
    """The items in order; those of a set are sorted."""
    if not isinstance(value, AbstractSet):
        return list(value)
    whole = all(isinstance(item, int) for item in value)
    return sorted(value) if whole else sorted(value, key=str)


def _alternatives(hint: Any) -> tuple[Any, ...]:
    """The alternatives of an annotation; one, unless it is a union."""
    return get_args(hint) if get_origin(hint) in _UNIONS else (hint,)


def _may_be_seat(hint: Any) -> bool:
    return any(it == Seat for it in _alternatives(hint))


def _parts(hint: Any, kind: type[Any]) -> tuple[Any, ...]:
    """The type arguments of an annotation that fit `kind`; empty if there are none."""
    for it in _alternatives(hint):
        origin = get_origin(it)
        if origin is Annotated:
            return _parts(get_args(it)[0], kind)
        if isinstance(origin, type) and (issubclass(kind, origin) or issubclass(origin, kind)):
            return get_args(it)
    return ()


@cache
def _hints(kind: type[Any]) -> Mapping[str, Any]:
    """The annotations of a class's fields, as far as they can be resolved."""
    try:
        return typing.get_type_hints(kind, include_extras=True)
    except Exception:  # an annotation is code, and may name what is not to be found here
        own = getattr(kind, "__annotations__", {})
        return {name: Seat for name, it in own.items() if it in ("Seat", "Seat | None")}


def _fields(value: Any) -> dict[str, object]:
    if not dataclasses.is_dataclass(value):
        return dict(getattr(value, "__dict__", {}))
    return {field.name: getattr(value, field.name) for field in dataclasses.fields(value)}
