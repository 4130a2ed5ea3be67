"""`@state`: a dataclass that copies itself as its annotations say."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar, overload

from typing_extensions import dataclass_transform

from tabletop.codec.generating import made_method
from tabletop.codec.shape import Misfit
from tabletop.errors import ContractError
from tabletop.fields import secret
from tabletop.game import State
from tabletop.states.annotated import field_hints
from tabletop.states.copying import Copying

T = TypeVar("T")


@overload
def state(kind: type[T], /) -> type[T]: ...


@overload
def state(*, slots: bool = True, kw_only: bool = False) -> Callable[[type[T]], type[T]]: ...


@dataclass_transform(field_specifiers=(field, secret))
def state(kind: type[T] | None = None, /, *, slots: bool = True, kw_only: bool = False) -> Any:
    """Decorate a class with annotated fields as a state: a dataclass with a `clone`.

    `clone` is written from the annotations: what cannot change is shared, and lists, dictionaries,
    sets, deques and other states are copied as deep as their types say. It sets the fields of a new
    object of the same class, without `__init__`. A class that has a `clone` of its own keeps it.

    Derive the class from `State`, so that type checkers know of its `clone`.

    Args:
        kind: the class.
        slots: whether its objects have their fields and nothing else; False for a class with a
            `cached_property`, which a copy does not take along.
        kw_only: whether fields are given by name only.

    Raises:
        ContractError: a field cannot be copied safely; names it, and says what to write instead.

    >>> from tabletop import State
    >>> @state
    ... class Trick(State):
    ...     hands: list[list[int]]
    ...     leader: int = 0
    >>> trick = Trick([[3, 1], [2]])
    >>> copy = trick.clone()
    >>> copy.hands[0].remove(3)
    >>> trick, copy
    (Trick(hands=[[3, 1], [2]], leader=0), Trick(hands=[[1], [2]], leader=0))
    """
    # A class inside of a function names what stands there, as `typing` cannot know.
    frame = sys._getframe(1)
    names = {**frame.f_globals, **frame.f_locals}

    def decorate(kind: type[T]) -> type[T]:
        return _made(kind, names, slots=slots, kw_only=kw_only)

    return decorate if kind is None else decorate(kind)


def _made(kind: type[T], names: Mapping[str, Any], *, slots: bool, kw_only: bool) -> type[T]:
    if "__dataclass_fields__" in vars(kind):
        raise ContractError(
            f"{kind.__qualname__}: @state makes a dataclass; leave out the other decorator"
        )
    own_clone = vars(kind).get("clone", State.clone) is not State.clone
    made = dataclass(slots=slots, kw_only=kw_only)(kind)
    if not own_clone:
        generated: Any = made  # `type[T]` knows of no `clone`
        generated.clone = _clone_of(made, names)
    return made


def _clone_of(kind: type[Any], names: Mapping[str, Any]) -> Any:
    """The method `clone` of a class.

    Raises:
        ContractError: a field cannot be copied safely.
    """
    copying = Copying(kind)
    try:
        lines = _clone_lines(copying, field_hints(kind, names))
    except Misfit as error:
        raise ContractError(error.at(kind.__qualname__)) from error
    except RecursionError as error:
        raise ContractError(f"{kind.__qualname__}: an annotation holds itself endlessly") from error
    return made_method(kind, lines, {**copying.names, "_new": object.__new__})


def _clone_lines(copying: Copying, hints: Mapping[str, Any]) -> list[str]:
    lines = [
        "def clone(self):",
        '    """An equal, independent copy."""',
        "    copy = _new(self.__class__)",
    ]
    for name, hint in hints.items():
        try:
            lines.append(f"    copy.{name} = {copying.copied(hint, f'self.{name}')}")
        except Misfit as error:
            error.path.append(f".{name}")
            raise
    return [*lines, "    return copy"]
