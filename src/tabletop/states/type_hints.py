"""Resolve the annotations of a class: look up names and fill in type variables."""

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
    Callable: "store a name or a number, and let the rules look up the function",
    type: "store a name, and let the rules look up the class",
    Iterator: "write a list, and the index of the next item",
    range: "write a tuple with the start and the stop of the range",
    complex: "write a tuple of two numbers",
    OrderedDict: "write a list of pairs if their order matters, or else a dict",
    defaultdict: "write a dict, with its get and setdefault methods",
    MappingProxyType: "write a dict, or a module constant if it never changes",
    Mapping: "write dict[...]",
    Iterable: "write list[...] or tuple[..., ...]",
}
"""The suggested replacement for each type that a state cannot contain."""

_RANDOM: Final = ("tabletop.rng.stream.Stream", "tabletop.rng.streams.Streams", "random.Random")
_DRAW: Final = "draw from table.rng, whose offsets the match saves"

_SIMPLE: Final = {"bool": bool, "float": float, "int": int, "str": str}
"""The most common annotations by name. Resolving them with `typing` is slow."""


class SchemaError(ValueError):
    """A value does not match its annotation, or a state cannot contain a type.

    Attributes:
        problem: The problem, with a suggested correction.
        path: The steps to the wrong part, from the inside out.
    """

    def __init__(self, problem: str, path: Iterable[str] = ()) -> None:
        super().__init__(problem)
        self.problem = problem
        self.path: list[str] = list(path)

    def at(self, name: str) -> str:
        """Return the message with the full path to the wrong part, which begins with `name`."""
        return f"{name}{''.join(reversed(self.path))}: {self.problem}"


def cached_by_class(function: F) -> F:
    """Cache a function whose argument is a class, which mypy does not consider hashable."""
    return cast("F", cache(function))


def at_step(step: str | int, function: Callable[..., Any], *args: Any) -> Any:
    """Call a function for a part of a value, and add `step` to the path of a `SchemaError`."""
    try:
        return function(*args)
    except SchemaError as error:
        error.path.append(step if isinstance(step, str) else f"[{step}]")
        raise


def strip_annotated(annotation: Any) -> tuple[Any, tuple[Any, ...]]:
    """Return an annotation without aliases and notes, and the notes."""
    notes: tuple[Any, ...] = ()
    while True:
        if isinstance(annotation, NewType):
            annotation = annotation.__supertype__
        elif get_origin(annotation) is Annotated:
            notes += annotation.__metadata__
            annotation = get_args(annotation)[0]
        elif get_origin(annotation) is Final:
            annotation = get_args(annotation)[0]
        elif type(annotation).__name__ == "TypeAliasType":  # since Python 3.12
            annotation = annotation.__value__
        else:
            return annotation, notes


def class_hints(kind: Any) -> dict[str, Any]:
    """Return the resolved annotations of a class."""
    try:
        return typing.get_type_hints(kind, include_extras=True)
    except Exception as error:  # an annotation is code, and may raise anything
        hint = "import all names in them at run time, not only under TYPE_CHECKING"
        raise SchemaError(f"its annotations cannot be read: {error} ({hint})") from error


def type_arguments(annotation: Any) -> dict[Any, Any]:
    """Return the type arguments of a class and its bases, by type variable."""
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
    return annotation[tuple(given.get(variable, variable) for variable in variables)]


def field_type(kind: type[Any], item: Field[Any], names: Mapping[str, Any]) -> Any:
    """Return the resolved annotation of one field."""
    owner = next(
        base
        for base in reversed(kind.__mro__)
        if vars(base).get("__dataclass_fields__", {}).get(item.name) is item
    )
    space = vars(modules[owner.__module__]) if owner.__module__ in modules else {}
    local = {variable.__name__: variable for variable in getattr(owner, "__parameters__", ())}
    # While a class is being created, its name is not bound yet.
    local = {**names, **local, owner.__name__: owner, kind.__name__: kind}
    if item.type in _SIMPLE and item.type not in space and item.type not in local:
        return _SIMPLE[item.type]
    holder = type("Annotated", (), {"__annotations__": {item.name: item.type}})
    try:
        hints = typing.get_type_hints(holder, dict(space), local, include_extras=True)
    except NameError as error:
        hint = "define or import it above the class, and not under TYPE_CHECKING"
        problem = f"{item.type} refers to {error.name}, which is not defined yet: {hint}"
        raise SchemaError(problem) from error
    except Exception as error:  # an annotation is code, and may raise anything
        raise SchemaError(f"the annotation {item.type} cannot be read: {error}") from error
    return hints[item.name]


def type_name(annotation: Any) -> str:
    """Return an annotation as source text."""
    named = get_origin(annotation) is None and isinstance(annotation, type)
    return annotation.__qualname__ if named else str(annotation)


def advice_instead(annotation: Any) -> str:
    """Return the suggested replacement for a type that a state cannot contain, or ""."""
    origin = get_origin(annotation) or annotation
    for base in getattr(origin, "__mro__", (origin,)):
        if f"{base.__module__}.{base.__qualname__}" in _RANDOM:
            return _DRAW
        if base in _INSTEAD:
            return _INSTEAD[base]
    return ""
