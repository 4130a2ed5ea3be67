"""Format values as a person would write them down, seats by name.

Where a seat is meant is given by annotations: `turn: Seat`, `claim: tuple[Seat, int] | None`,
`coins: dict[Seat, int]`. What is declared as `secret` to `OWNER` is said by name as well, and the
backs of cards are counted.
"""

from __future__ import annotations

import dataclasses
import typing
from collections import deque
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from enum import Enum
from functools import cache
from itertools import groupby
from typing import Any, Final, TypeAlias

from tabletop import schema
from tabletop.outcome import Seat
from tabletop.schema import Schema, fields_of, schema_of
from tabletop.visibility import OWNER, secrets_of

Names: TypeAlias = Sequence[str]
"""The name of each seat."""

_SEAT: Final = schema_of(Seat)
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
    parts, secrets = _field_schemas(kind), secrets_of(kind)
    said = {}
    for name, it in _fields(value).items():
        declared, part = secrets.get(name), parts.get(name)
        back = declared.back if declared else _NO_BACK
        if declared and declared.to is OWNER and not owned and isinstance(it, list | tuple):
            items = _item_schemas(it, part)
            rows = [
                format_value(own, names, item, back) for own, item in zip(it, items, strict=False)
            ]
            said[name] = "; ".join(map("{}: {}".format, names, rows))
        else:
            said[name] = format_value(it, names, part, back)
    return said


def format_value(value: Any, names: Names, part: Schema | None = None, back: Any = _NO_BACK) -> str:
    """A value as a person would write it down.

    Args:
        value: plain data.
        names: what the seats are called.
        part: its schema, if that is known.
        back: what stands in the place of a card that is not seen; none when not given.
    """
    if value == back:
        return "hidden"
    if isinstance(value, int) and 0 <= value < len(names) and _may_be_seat(part):
        return names[value]
    if isinstance(value, list | tuple | deque | AbstractSet) and not hasattr(value, "_fields"):
        return _format_items(value, names, part, back)
    if isinstance(value, Mapping):
        held = _member(part, type(value))
        key, item = (held.key, held.value) if isinstance(held, schema.Mapping) else (None, None)
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


def _format_items(value: Any, names: Names, part: Schema | None, back: Any) -> str:
    """The items of a container in one line; rows are separated by semicolons.

    Backs that lie side by side are counted: `44 hidden`, `7 (3 hidden) 5`.
    """
    schemas = _item_schemas(value, part)
    texts = []
    pairs = zip(_in_order(value), schemas, strict=True)
    for is_back, run in groupby(pairs, key=lambda pair: bool(pair[0] == back)):
        own = list(run)
        if not is_back:
            texts += [format_value(item, names, held, back) for item, held in own]
        else:
            hidden = f"{len(own)} hidden"
            texts.append(hidden if len(own) == len(value) else f"({hidden})")
    if any(isinstance(item, list | tuple) for item in value):
        return "; ".join(texts)
    all_seats = all(map(_may_be_seat, schemas))
    return (", " if all_seats else " ").join(texts) or "-"


def _in_order(value: Any) -> Sequence[Any]:
    """The items in order; those of a set are sorted."""
    if not isinstance(value, AbstractSet):
        return list(value)
    whole = all(isinstance(item, int) for item in value)
    return sorted(value) if whole else sorted(value, key=str)


def _member(part: Schema | None, kind: type[Any]) -> Schema | None:
    """The schema of values of a class, where a schema may be one of several."""
    if not isinstance(part, schema.Union):
        return part
    return next((it for it in part.members if kind in it.classes()), None)


def _may_be_seat(part: Schema | None) -> bool:
    members = part.members if isinstance(part, schema.Union) else (part,)
    return any(it is not None and it.notes == _SEAT.notes for it in members)


def _item_schemas(value: Any, part: Schema | None) -> list[Schema | None]:
    """The schema of each item of a container, as far as it is known."""
    held, count = _member(part, type(value)), len(value)
    if isinstance(held, schema.Tuple):
        return [*held.items, *[None] * count][:count]
    return [held.item if isinstance(held, schema.Sequence) else None] * count


@cache
def _field_schemas(kind: type[Any]) -> Mapping[str, Schema]:
    """The schemas of a class's fields, as far as its annotations can be resolved."""
    try:
        if dataclasses.is_dataclass(kind):
            return fields_of(kind)
        hints = typing.get_type_hints(kind, include_extras=True)
        return {name: schema_of(it) for name, it in hints.items()}
    except Exception:  # an annotation is code, and may name what is not to be found here
        own = getattr(kind, "__annotations__", {})
        return {name: _SEAT for name, it in own.items() if it in ("Seat", "Seat | None")}


def _fields(value: Any) -> dict[str, object]:
    if not dataclasses.is_dataclass(value):
        return dict(getattr(value, "__dict__", {}))
    return {field.name: getattr(value, field.name) for field in dataclasses.fields(value)}
