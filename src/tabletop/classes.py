"""Dataclasses with slots that are made sooner than `dataclass` makes them, and are the same.

`dataclass` compiles each method of a class by itself, when its module is imported, and that was a
third of what a program took to start. Here a class has one compilation, which classes with the same
fields share. What is not simple (fields of base classes, methods of one's own in the place of the
written ones, `__post_init__`, `InitVar`) is left to `dataclass`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import (
    MISSING,
    Field,
    FrozenInstanceError,
    dataclass,
    field,
    fields,
    is_dataclass,
)
from functools import cache, partial
from reprlib import recursive_repr
from sys import modules
from types import CodeType
from typing import Any, Final, TypeVar

from typing_extensions import dataclass_transform

T = TypeVar("T")

_NOT_SIMPLE: Final = frozenset(
    {
        "__delattr__",
        "__eq__",
        "__getstate__",
        "__hash__",
        "__init__",
        "__post_init__",
        "__repr__",
        "__setattr__",
        "__setstate__",
        "__slots__",
    }
)
"""What a class has of its own, so that not all methods are written for it."""


class _Like:
    """How a class is made: as `dataclass` would with these words, which makes an example of it."""

    def __init__(self, **words: bool) -> None:
        self.standard: Any = partial(dataclass, slots=True, **words)
        self.example: Any = self.standard(type("Example", (), {"__doc__": "An example."}))
        self.is_frozen = "frozen" in words
        self.is_hashed = bool(words)


_FROZEN: Final = _Like(frozen=True)
_HASHED: Final = _Like(unsafe_hash=True)
_PLAIN: Final = _Like()


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def frozen(kind: type[T]) -> type[T]:
    """Decorate a class with annotated fields as `dataclass(frozen=True, slots=True)` does.

    >>> @frozen
    ... class Step:
    ...     \"\"\"A step to a square.\"\"\"
    ...     square: int
    ...     jumps: bool = False
    >>> Step(3), Step(3) == Step(3, jumps=True), {Step(3): "three"}[Step(3)]
    (Step(square=3, jumps=False), False, 'three')
    """
    return _made(kind, _FROZEN)


def hashed(kind: type[T]) -> type[T]:
    """Make of a class what `dataclass(slots=True, unsafe_hash=True)` makes of it."""
    return _made(kind, _HASHED)


def plain(kind: type[T]) -> type[T]:
    """Make of a class what `dataclass(slots=True)` makes of it."""
    return _made(kind, _PLAIN)


def _made(kind: type[T], like: _Like) -> type[T]:
    result: type[T]
    declared = {name: it for name, it in vars(kind).items() if isinstance(it, Field)}
    if not _is_simple(kind):
        result = like.standard(kind)
        return result
    made: Any = dataclass(init=False, repr=False, eq=False, slots=True)(kind)
    own = fields(made)
    if len(own) != len(made.__dataclass_fields__) or not _are_simple(own):
        for name, it in declared.items():  # as it was: an InitVar, a ClassVar, or a mistake
            setattr(kind, name, it)
        result = like.standard(kind)
        return result
    for method in _methods(made, own, like):
        method.__qualname__ = f"{made.__qualname__}.{method.__name__}"
        setattr(made, method.__name__, method)
    if not like.is_hashed:
        made.__hash__ = None
    made.__init__.__annotations__ = {it.name: it.type for it in own if it.init} | {"return": None}
    made.__dataclass_params__ = like.example.__dataclass_params__
    if like.is_frozen:
        made.__getstate__ = like.example.__getstate__
        made.__setstate__ = like.example.__setstate__
    result = made
    return result


def _is_simple(kind: type[Any]) -> bool:
    """Whether all methods can be written here; `dataclass` describes a class without a doc."""
    has_fields = any(is_dataclass(base) for base in kind.__mro__[1:])
    return bool(kind.__doc__) and not has_fields and _NOT_SIMPLE.isdisjoint(vars(kind))


def _are_simple(own: Sequence[Field[Any]]) -> bool:
    """Whether fields are given by place, those without a default first, and names are plain."""
    optional = [_has_default(it) for it in own if it.init]
    is_odd = any(it.kw_only or it.name == "self" or it.name.startswith("_") for it in own)
    return optional == sorted(optional) and not is_odd


def _has_default(it: Field[Any]) -> bool:
    return it.default is not MISSING or it.default_factory is not MISSING


def _methods(kind: Any, own: Sequence[Field[Any]], like: _Like) -> Iterator[Callable[..., Any]]:
    """The methods of a class."""
    lines = "\n".join(_lines(own, like))
    space = vars(modules[kind.__module__]) if kind.__module__ in modules else {}
    local: dict[str, Any] = {}
    # What is run was written here, from the names of fields: no text of a stranger.
    exec(_compiled(lines), space, local)  # noqa: S102
    given = [it.default if it.default is not MISSING else it.default_factory for it in own]
    init, represent, *others = local["make"](object.__setattr__, MISSING, *given)
    yield init
    yield recursive_repr()(represent)
    yield from others
    if like.is_frozen:
        yield from _guards(kind, frozenset(it.name for it in own))


@cache
def _compiled(lines: str) -> CodeType:
    """The code of these lines, which classes with the same fields share."""
    return compile(lines, "<tabletop class>", "exec")


def _lines(own: Sequence[Field[Any]], like: _Like) -> Iterator[str]:
    """A function that makes the methods; it takes the defaults, and what makes them, by place."""
    yield f"def make(_set, _missing{''.join(f', _{at}' for at in range(len(own)))}):"
    parameters = [_parameter(at, it) for at, it in enumerate(own) if it.init]
    yield f" def __init__({', '.join(['self', *parameters])}):"
    yield "  pass"
    for at, it in enumerate(own):
        value = _value(at, it)
        if value and like.is_frozen:
            yield f"  _set(self, {it.name!r}, {value})"
        elif value:
            yield f"  self.{it.name} = {value}"
    shown = ", ".join(f"{it.name}={{self.{it.name}!r}}" for it in own if it.repr)
    yield " def __repr__(self):"
    yield f'  return f"{{self.__class__.__qualname__}}({shown})"'
    compared = [it.name for it in own if it.compare]
    yield " def __eq__(self, other):"
    yield "  if other.__class__ is self.__class__:"
    yield f"   return {_tuple_of('self', compared)} == {_tuple_of('other', compared)}"
    yield "  return NotImplemented"
    hashed = [it.name for it in own if (it.compare if it.hash is None else it.hash)]
    if not like.is_hashed:
        yield " return __init__, __repr__, __eq__"
        return
    yield " def __hash__(self):"
    yield f"  return hash({_tuple_of('self', hashed)})"
    yield " return __init__, __repr__, __eq__, __hash__"


def _parameter(at: int, it: Field[Any]) -> str:
    if it.default_factory is not MISSING:
        return f"{it.name}=_missing"
    return it.name if it.default is MISSING else f"{it.name}=_{at}"


def _value(at: int, it: Field[Any]) -> str:
    """What a field is set to by `__init__`; empty when it is not set."""
    if it.default_factory is not MISSING:
        return f"_{at}() if {it.name} is _missing else {it.name}" if it.init else f"_{at}()"
    if it.init:
        return it.name
    return "" if it.default is MISSING else f"_{at}"


def _tuple_of(owner: str, names: Sequence[str]) -> str:
    return f"({''.join(f'{owner}.{name},' for name in names)})"


def _guards(kind: Any, names: frozenset[str]) -> Iterator[Callable[..., None]]:
    """What refuses to change an object: `__setattr__` and `__delattr__`."""

    def __setattr__(self: Any, name: str, value: object) -> None:  # noqa: N807
        if type(self) is kind or name in names:
            raise FrozenInstanceError(f"cannot assign to field {name!r}")
        super(kind, self).__setattr__(name, value)

    def __delattr__(self: Any, name: str) -> None:  # noqa: N807
        if type(self) is kind or name in names:
            raise FrozenInstanceError(f"cannot delete field {name!r}")
        super(kind, self).__delattr__(name)

    yield __setattr__
    yield __delattr__
