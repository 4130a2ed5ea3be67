"""Dataclasses with slots that are made sooner than `dataclass` makes them, and are the same.

`dataclass` compiles each method of a class by itself, when its module is imported, and that was a
third of what a program took to start. Here classes with as many fields share one compilation. What
is not simple (methods of one's own in the place of the written ones, fields given by name only or
not at all, `InitVar`) is left to `dataclass`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
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
from types import FunctionType
from typing import Any, Final, TypeVar

from typing_extensions import dataclass_transform

T = TypeVar("T")

_NOT_SIMPLE: Final = frozenset(
    {
        "__delattr__",
        "__getstate__",
        "__hash__",
        "__setattr__",
        "__setstate__",
        "__slots__",
    }
)
"""What a class has of its own, so that not all methods are written for it."""


class _Like:
    """How a class is made: as `dataclass` would with these words."""

    def __init__(self, **words: bool) -> None:
        self.standard: Any = partial(dataclass, slots=True, **words)
        self.is_frozen = "frozen" in words
        self.is_hashed = bool(words)
        self.said = {"init": True, "repr": True, "eq": True, **words}


class _Made:
    """Stands for a value that is made when none is given, as `dataclass` shows it."""

    def __repr__(self) -> str:
        return "<factory>"


_MADE: Final = _Made()

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


@dataclass_transform(field_specifiers=(field,))
def plain(kind: type[T]) -> type[T]:
    """Make of a class what `dataclass(slots=True)` makes of it."""
    return _made(kind, _PLAIN)


def _made(kind: type[T], like: _Like) -> type[T]:
    result: type[T]
    before = {**vars(kind)}
    if not _is_simple(kind):
        result = like.standard(kind)
        return result
    # A guarded class may only derive from guarded ones, and the other way round: `dataclass` sees.
    guarded = like.is_frozen and any(map(is_dataclass, kind.__mro__[1:]))
    made: Any = dataclass(init=False, repr=False, eq=False, slots=True, frozen=guarded)(kind)
    own = fields(made)
    others = [it for it in made.__dataclass_fields__.values() if it not in own]
    if any("ClassVar" not in str(it.type) for it in others) or not _are_simple(own):
        _restore(kind, before)
        result = like.standard(kind)
        return result
    for method in _methods(made, own, like):
        if method.__name__ not in before:
            method.__module__ = made.__module__
            method.__qualname__ = f"{made.__qualname__}.{method.__name__}"
            setattr(made, method.__name__, method)
    if not like.is_hashed:
        made.__hash__ = None
    for word, value in like.said.items():
        setattr(made.__dataclass_params__, word, value)
    if like.is_frozen:
        made.__getstate__ = _state_of
        made.__setstate__ = _set_state
    result = made
    return result


def _state_of(one: Any) -> list[Any]:
    """What is pickled of a frozen object."""
    return [getattr(one, it.name) for it in fields(one)]


def _set_state(one: Any, state: Sequence[Any]) -> None:
    for it, value in zip(fields(one), state, strict=True):
        object.__setattr__(one, it.name, value)


def _restore(kind: type[Any], before: Mapping[str, Any]) -> None:
    """Have a class as it was before `dataclass` looked at its fields."""
    for name in vars(kind).keys() - before.keys():
        delattr(kind, name)
    for name, it in before.items():
        if isinstance(it, Field):
            setattr(kind, name, it)


def _is_simple(kind: type[Any]) -> bool:
    """Whether all methods can be written here; `dataclass` describes a class without a doc."""
    return bool(kind.__doc__) and _NOT_SIMPLE.isdisjoint(vars(kind))


def _are_simple(own: Sequence[Field[Any]]) -> bool:
    """Whether fields are given by place, those without a default first, and names are plain."""
    optional = [_is_optional(it) for it in own if it.init]
    return optional == sorted(optional) and all(map(_is_plain, own))


def _is_optional(it: Field[Any]) -> bool:
    return it.default is not MISSING or _has_factory(it)


def _has_factory(it: Field[Any]) -> bool:
    return it.default_factory is not MISSING


def _is_plain(it: Field[Any]) -> bool:
    is_named = it.name != "self" and not it.name.startswith("_")
    is_set = it.init or not _is_optional(it)
    return is_named and is_set and it.hash in (None, it.compare) and not it.kw_only


def _methods(kind: Any, own: Sequence[Field[Any]], like: _Like) -> Iterator[Callable[..., Any]]:
    """The methods of a class."""
    space = vars(modules[kind.__module__]) if kind.__module__ in modules else {}
    given = [it for it in own if it.init]
    factories = tuple((at, it.default_factory) for at, it in enumerate(given) if _has_factory(it))
    begin = _begin.__wrapped__ if factories else _begin
    init = begin(len(given), like.is_frozen, hasattr(kind, "__post_init__"), factories)
    defaults = [_MADE if _has_factory(it) else it.default for it in given if _is_optional(it)]
    init = _renamed(init, [it.name for it in given], space, tuple(defaults))
    init.__annotations__ = {it.name: it.type for it in given} | {"return": None}
    yield init
    compared = [it.name for it in own if it.compare]
    yield from (_renamed(method, compared, space) for method in _compare(len(compared)))
    yield _shown([it.name for it in own if it.repr])
    if like.is_frozen:
        yield from _guards(kind, frozenset(it.name for it in own))


@cache
def _begin(
    size: int, is_frozen: bool, is_followed: bool, factories: tuple[tuple[int, Any], ...]
) -> FunctionType:
    """The `__init__` of a class with so many fields, which are called `_0`, `_1`, and so on.

    Args:
        size: how many fields there are.
        is_frozen: whether they are set past a guard.
        is_followed: whether there is a `__post_init__`.
        factories: what makes the values of fields that are not given, by their numbers.
    """
    names = _places(size)
    values = dict(zip(names, names, strict=True))
    values.update({f"_{at}": f"_make{at}() if _{at} is _made else _{at}" for at, _ in factories})
    lines = [f"def __init__({', '.join(['self', *names])}):", " pass"]
    for name, value in values.items():
        lines.append(f" _set(self, {name!r}, {value})" if is_frozen else f" self.{name} = {value}")
    if is_followed:
        lines.append(" self.__post_init__()")
    made = {f"_make{at}": factory for at, factory in factories}
    return _compiled(lines, _set=object.__setattr__, _made=_MADE, **made)[0]


@cache
def _compare(size: int) -> tuple[FunctionType, ...]:
    """The `__eq__` and the `__hash__` of a class with so many fields that count."""
    own, others = (
        f"({''.join(f'{owner}.{it},' for it in _places(size))})" for owner in ("self", "other")
    )
    return _compiled(
        [
            "def __eq__(self, other):",
            " if other.__class__ is self.__class__:",
            f"  return {own} == {others}",
            " return NotImplemented",
            "def __hash__(self):",
            f" return hash({own})",
        ]
    )


def _places(size: int) -> list[str]:
    return [f"_{at}" for at in range(size)]


def _compiled(lines: Sequence[str], **names: object) -> tuple[FunctionType, ...]:
    """The functions that `lines` define, in which `names` mean what is given."""
    inner = "\n ".join([*lines, "return locals()"])
    space: dict[str, Any] = {}
    # What is run was written here, and is not about any class: no text of a stranger.
    exec(f"def make({', '.join(names)}):\n {inner}", space)  # noqa: S102
    made = space["make"](**names)
    return tuple(it for name, it in made.items() if name.startswith("__"))


def _renamed(
    method: FunctionType,
    names: Sequence[str],
    space: dict[str, Any],
    defaults: tuple[Any, ...] = (),
) -> FunctionType:
    """The same method with the names of a class's fields; to compile it anew takes far longer."""
    real = dict(zip(_places(len(names)), names, strict=True))
    code = method.__code__
    renamed = code.replace(
        co_names=tuple([real.get(it, it) for it in code.co_names]),
        co_varnames=tuple([real.get(it, it) for it in code.co_varnames]),
        co_consts=tuple([real.get(it, it) if type(it) is str else it for it in code.co_consts]),
    )
    return FunctionType(renamed, space, method.__name__, defaults, method.__closure__)


def _shown(names: Sequence[str]) -> Callable[[Any], str]:
    """A `__repr__` with these fields."""

    @recursive_repr()
    def __repr__(self: Any) -> str:  # noqa: N807  (a method of a class)
        shown = ", ".join([f"{name}={getattr(self, name)!r}" for name in names])
        return f"{self.__class__.__qualname__}({shown})"

    return __repr__


def _guards(kind: Any, names: frozenset[str]) -> Iterator[Callable[..., None]]:
    """What refuses to change an object: `__setattr__` and `__delattr__`."""

    def __setattr__(self: Any, name: str, value: object) -> None:  # noqa: N807  (a method of a class)
        if type(self) is kind or name in names:
            raise FrozenInstanceError(f"cannot assign to field {name!r}")
        super(kind, self).__setattr__(name, value)

    def __delattr__(self: Any, name: str) -> None:  # noqa: N807  (a method of a class)
        if type(self) is kind or name in names:
            raise FrozenInstanceError(f"cannot delete field {name!r}")
        super(kind, self).__delattr__(name)

    yield __setattr__
    yield __delattr__
