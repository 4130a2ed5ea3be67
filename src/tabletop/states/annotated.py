"""What the annotations of a class mean, by field: names found, variables of types filled in."""

from __future__ import annotations

import typing
from collections.abc import Mapping
from dataclasses import Field, fields
from functools import lru_cache
from sys import modules
from typing import Any, Final, Generic, Protocol, get_args, get_origin

from tabletop.codec.annotations import filled
from tabletop.codec.shape import Misfit

_SIMPLE: Final = {"bool": bool, "float": float, "int": int, "str": str}
"""What most fields are annotated with: `typing` takes long to say what it means."""


def field_hints(hint: Any, names: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """The annotations of the fields of a dataclass, resolved.

    Args:
        hint: the class, or what it is with its type variables filled in.
        names: what is to be found beside the names of the modules.

    Raises:
        Misfit: an annotation names what is not there.
    """
    if not names and isinstance(hint, type):
        return _hints_of(hint)
    return _hints(hint, names or {})


@lru_cache(maxsize=256)  # a class is asked about for its copies, for its views, and as a field
def _hints_of(kind: type[Any]) -> dict[str, Any]:
    return _hints(kind, {})


def _hints(hint: Any, names: Mapping[str, Any]) -> dict[str, Any]:
    kind = get_origin(hint) or hint
    given = _given(hint)
    return {item.name: _resolved(kind, item, names, given) for item in fields(kind)}


def tuple_hints(hint: Any) -> dict[str, Any]:
    """The annotations of a named tuple; those of a tuple of another kind are not known.

    Raises:
        Misfit: there are none.
    """
    kind: Any = get_origin(hint) or hint
    if not hasattr(kind, "_fields"):
        raise Misfit(f"{kind.__qualname__} is a tuple of its own; write a NamedTuple")
    hints = typing.get_type_hints(kind)
    given = _given(hint)
    return {name: filled(hints.get(name, Any), given) for name in kind._fields}


def _given(hint: Any) -> dict[Any, Any]:
    """What stands for the type variables of a class and of its bases."""
    kind = get_origin(hint) or hint
    given = dict(zip(getattr(kind, "__parameters__", ()), get_args(hint), strict=False))
    for base in vars(kind).get("__orig_bases__", ()):
        if get_origin(base) not in (None, Generic, Protocol):
            given = {**_given(filled(base, given)), **given}
    return given


def _resolved(
    kind: type[Any], item: Field[Any], names: Mapping[str, Any], given: Mapping[Any, Any]
) -> Any:
    owner = next(base for base in reversed(kind.__mro__) if _has(base, item))
    space = vars(modules[owner.__module__]) if owner.__module__ in modules else {}
    local = {it.__name__: it for it in getattr(owner, "__parameters__", ())}
    # The class is not there under its name as long as it is being made.
    local = {**names, **local, owner.__name__: owner, kind.__name__: kind}
    if item.type in _SIMPLE and item.type not in space and item.type not in local:
        return _SIMPLE[item.type]
    holder = type("Annotated", (), {"__annotations__": {item.name: item.type}})
    try:
        hints = typing.get_type_hints(holder, dict(space), local, include_extras=True)
    except NameError as error:
        hint = "define or import it above the class, and not under TYPE_CHECKING"
        what = f"{item.type} names {error.name}, which is not there yet; {hint}"
        raise Misfit(what, [f".{item.name}"]) from error
    except Exception as error:  # an annotation is code, and may do anything
        what = f"{item.type} cannot be read: {error}"
        raise Misfit(what, [f".{item.name}"]) from error
    return filled(hints[item.name], given)


def _has(base: type[Any], item: Field[Any]) -> bool:
    """Whether a class, or one that it derives from, has declared a field."""
    return vars(base).get("__dataclass_fields__", {}).get(item.name) is item
