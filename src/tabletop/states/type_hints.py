"""Resolve the annotations of a class: find names, fill in type variables."""

from __future__ import annotations

import typing
from collections import OrderedDict, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import Field
from functools import cache
from sys import modules
from types import MappingProxyType
from typing import Annotated, Any, Final, NewType, TypeVar, cast, get_args, get_origin

F = TypeVar("F", bound=Callable[..., Any])

_INSTEAD: Final[dict[Any, str]] = {
    Callable: "keep a name or a number, and let the rules find the function by it",
    type: "keep a name, and let the rules find the class by it",
    Iterator: "write a list, and a number for how far it has been gone through",
    range: "write a tuple of its bounds",
    complex: "write a tuple of two numbers",
    OrderedDict: "write a list of pairs, if their order counts; else a dict",
    defaultdict: "write a dict, and ask it with get or setdefault",
    MappingProxyType: "write a dict; what never changes belongs into a module constant",
    Mapping: "write dict[...]",
    Iterable: "write list[...] or tuple[..., ...]",
}
"""The replacement to suggest for each type that no state can hold."""

_CHANCE: Final = ("tabletop.rng.stream.Stream", "tabletop.rng.streams.Streams", "random.Random")
_DRAW: Final = "draw from table.rng; the match keeps the offsets of its streams"

_SIMPLE: Final = {"bool": bool, "float": float, "int": int, "str": str}
"""The most common annotations, by name: resolving these by `typing` takes long."""


class SchemaError(ValueError):
    """A value does not fit its annotation, or a state cannot hold what an annotation says.

    Attributes:
        what: the fault, and what to write instead.
        path: the steps to the place, from the inside out.
    """

    def __init__(self, what: str, path: Iterable[str] = ()) -> None:
        super().__init__(what)
        self.what = what
        self.path: list[str] = list(path)

    def at(self, name: str) -> str:
        """Return the message, with the full path to the value below `name`."""
        return f"{name}{''.join(reversed(self.path))}: {self.what}"


def cached_by_class(function: F) -> F:
    """`functools.cache` for functions of a class, which mypy does not take to be hashable."""
    return cast("F", cache(function))


def at_step(step: str | int, function: Callable[..., Any], *args: Any) -> Any:
    """Call a function on a part; a `SchemaError` gets the step to the part in its path."""
    try:
        return function(*args)
    except SchemaError as error:
        error.path.append(step if isinstance(step, str) else f"[{step}]")
        raise


def strip_annotated(annotation: Any) -> tuple[Any, tuple[Any, ...]]:
    """Strip an annotation of names and notes that do not change its meaning; return both."""
    notes: tuple[Any, ...] = ()
    while True:
        if isinstance(annotation, NewType):
            annotation = annotation.__supertype__
        elif get_origin(annotation) is Annotated:
            notes += annotation.__metadata__
            annotation = get_args(annotation)[0]
        elif get_origin(annotation) is Final:
            annotation = get_args(annotation)[0]
        elif type(annotation).__name__ == "TypeAliasType":  # of Python 3.12
            annotation = annotation.__value__
        else:
            return annotation, notes


def class_hints(kind: Any) -> dict[str, Any]:
    """Return the annotations of a class, as `typing` reads them."""
    try:
        return typing.get_type_hints(kind, include_extras=True)
    except Exception as error:  # an annotation is code, and may do anything
        what = f"its annotations cannot be read: {error}"
        raise SchemaError(f"{what}; what they name must be there when the rules run") from error


def type_arguments(annotation: Any) -> dict[Any, Any]:
    """Return the arguments for the type variables of a class and of its bases."""
    kind = get_origin(annotation) or annotation
    given = dict(zip(getattr(kind, "__parameters__", ()), get_args(annotation), strict=False))
    for base in vars(kind).get("__orig_bases__", ()):
        if get_origin(base) not in (None, typing.Generic, typing.Protocol):
            given = {**type_arguments(substitute(base, given)), **given}
    return given


def substitute(annotation: Any, given: Mapping[Any, Any]) -> Any:
    """Fill in the type variables of an annotation with the arguments of a generic class."""
    if isinstance(annotation, TypeVar):
        return given.get(annotation, annotation)
    variables = getattr(annotation, "__parameters__", ())
    if not variables or not given:
        return annotation
    return annotation[tuple(given.get(it, it) for it in variables)]


def field_type(kind: type[Any], item: Field[Any], names: Mapping[str, Any]) -> Any:
    """Return the annotation of one field, with the names in it resolved."""
    owner = next(
        base
        for base in reversed(kind.__mro__)
        if vars(base).get("__dataclass_fields__", {}).get(item.name) is item
    )
    space = vars(modules[owner.__module__]) if owner.__module__ in modules else {}
    local = {it.__name__: it for it in getattr(owner, "__parameters__", ())}
    # The name of a class is not bound while the class is being made.
    local = {**names, **local, owner.__name__: owner, kind.__name__: kind}
    if item.type in _SIMPLE and item.type not in space and item.type not in local:
        return _SIMPLE[item.type]
    holder = type("Annotated", (), {"__annotations__": {item.name: item.type}})
    try:
        hints = typing.get_type_hints(holder, dict(space), local, include_extras=True)
    except NameError as error:
        hint = "define or import it above the class, and not under TYPE_CHECKING"
        what = f"{item.type} names {error.name}, which is not there yet; {hint}"
        raise SchemaError(what) from error
    except Exception as error:  # an annotation is code, and may do anything
        raise SchemaError(f"{item.type} cannot be read: {error}") from error
    return hints[item.name]


def type_name(annotation: Any) -> str:
    """Return an annotation as source text."""
    named = get_origin(annotation) is None and isinstance(annotation, type)
    return annotation.__qualname__ if named else str(annotation)


def advice_instead(annotation: Any) -> str:
    """Return what to write instead of a type that no state can hold; empty if unknown."""
    origin = get_origin(annotation) or annotation
    for base in getattr(origin, "__mro__", (origin,)):
        if f"{base.__module__}.{base.__qualname__}" in _CHANCE:
            return _DRAW
        if base in _INSTEAD:
            return _INSTEAD[base]
    return ""
