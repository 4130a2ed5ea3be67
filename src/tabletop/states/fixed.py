"""Whether what is annotated so can change."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import is_dataclass
from enum import Enum
from types import NoneType, UnionType
from typing import Any, Final, Literal, TypeVar, Union, get_args, get_origin

from tabletop.codec.annotations import bare
from tabletop.states.annotated import field_hints, tuple_hints

_FIXED: Final = (int, float, complex, str, bytes, Enum, NoneType)
_FIXED_BY_NAME: Final = frozenset(
    {
        "datetime.date",
        "datetime.time",
        "datetime.timedelta",
        "decimal.Decimal",
        "fractions.Fraction",
        "uuid.UUID",
    }
)
"""Types that cannot change, by name: importing them would make `import tabletop` slower."""

_UNIONS: Final = (Union, UnionType)


def is_union(hint: Any) -> bool:
    """Whether an annotation names alternatives."""
    return get_origin(hint) in _UNIONS


def is_fixed(hint: Any, known: tuple[Any, ...] = ()) -> bool:
    """Whether nothing that is annotated so can change, so that copies may share it.

    Args:
        hint: an annotation.
        known: classes that are being looked at: one may hold its own kind.
    """
    hint = bare(hint)
    origin = get_origin(hint) or hint
    if origin in (None, Literal, Hashable) or hint in known:
        return True
    if origin in _UNIONS:
        return all(is_fixed(it, known) for it in get_args(hint))
    if isinstance(hint, TypeVar):
        return any(bounds_of(hint)) and all(is_fixed(it, known) for it in bounds_of(hint))
    return isinstance(origin, type) and _is_fixed_class(hint, origin, (*known, hint))


def _is_fixed_class(hint: Any, origin: type[Any], known: tuple[Any, ...]) -> bool:
    if origin in (tuple, frozenset):
        items = [it for it in get_args(hint) if it is not ...]
        return hint is not tuple and all(is_fixed(it, known) for it in items)
    if issubclass(origin, tuple):
        return all(is_fixed(it, known) for it in tuple_hints(hint).values())
    if is_dataclass(origin):
        return is_frozen(origin) and all(is_fixed(it, known) for it in field_hints(hint).values())
    named = (f"{base.__module__}.{base.__qualname__}" for base in origin.__mro__)
    return issubclass(origin, _FIXED) or not _FIXED_BY_NAME.isdisjoint(named)


def is_frozen(kind: Any) -> bool:
    """Whether a dataclass refuses to be changed."""
    return bool(kind.__dataclass_params__.frozen)


def bounds_of(variable: TypeVar) -> Sequence[Any]:
    """What may stand for a type variable."""
    return variable.__constraints__ or (variable.__bound__,)
