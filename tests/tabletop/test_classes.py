"""A class made by `frozen`, `hashed` or `plain` is what `dataclass` makes of it."""

from __future__ import annotations

import copy
import dataclasses
import inspect
import pickle
import typing
from collections.abc import Callable
from dataclasses import FrozenInstanceError, InitVar, dataclass, field
from functools import partial
from typing import Any, ClassVar

import pytest

from tabletop.classes import frozen, hashed, plain

MAKERS: list[tuple[Callable[[type[Any]], type[Any]], Any]] = [
    (frozen, partial(dataclass, frozen=True, slots=True)),
    (hashed, partial(dataclass, slots=True, unsafe_hash=True)),
    (plain, partial(dataclass, slots=True)),
]


class Empty:
    """Nothing."""


class Simple:
    """Two fields."""

    first: int
    second: str = "two"


class Own:
    """Has something to say for itself."""

    first: int

    def __str__(self) -> str:
        return f"own {self.first}"


class Shown:
    """Is shown in its own way."""

    first: int

    def __repr__(self) -> str:
        return "shown"


class Made:
    """Fields with factories, and what does not count or is not shown."""

    first: int
    items: list[int] = field(default_factory=list)
    aside: int = field(default=3, compare=False)
    hidden: int = field(default=4, repr=False)


class Named:
    """Fields that are given by name, or not at all."""

    first: int
    second: int = field(default=2, kw_only=True)
    third: int = field(default=3, init=False)


class Checked:
    """Does something at its beginning, with what is no field."""

    first: int
    start: InitVar[int] = 1  # type: ignore[assignment]  # mypy knows it in a dataclass alone

    def __post_init__(self, start: int) -> None:
        if start > 9:
            raise ValueError(start)


class Followed:
    """Refuses."""

    first: int

    def __post_init__(self) -> None:
        if self.first < 0:
            raise ValueError(self.first)


class Constant:
    """Has one thing for all."""

    kind: ClassVar[str] = "constant"
    first: int
    other: int = 1


class Undocumented:
    first: int


class Odd:
    """Names that the written methods use themselves."""

    self: int
    _set: int = 1
    other: int = 2


KINDS: list[tuple[type[Any], dict[str, Any]]] = [
    (Empty, {}),
    (Simple, {"first": 1}),
    (Own, {"first": 1}),
    (Shown, {"first": 1}),
    (Made, {"first": 1}),
    (Named, {"first": 1}),
    (Checked, {"first": 1}),
    (Followed, {"first": 1}),
    (Constant, {"first": 1}),
    (Undocumented, {"first": 1}),
]


def fresh(kind: type[Any]) -> type[Any]:
    """The same class once more, as if its definition was run again."""
    body = {
        name: copy.copy(it)
        for name, it in vars(kind).items()
        if name not in ("__dict__", "__weakref__")
    }
    return type(kind.__name__, kind.__bases__, body)


def told(kind: type[Any], words: dict[str, Any]) -> list[object]:
    """What can be seen of a class and of its objects."""
    one, same = kind(**words), kind(**words)
    numbers = [it for it in dataclasses.fields(kind) if it.name == "first"]
    other = dataclasses.replace(one, first=7) if numbers else None
    return [
        kind.__name__,
        kind.__doc__,
        kind.__slots__,
        kind.__match_args__,
        sorted(vars(kind)),
        [
            (it.name, it.type, it.default, it.init, it.repr, it.compare, it.hash, it.kw_only)
            for it in dataclasses.fields(kind)
        ],
        repr(vars(kind)["__dataclass_params__"]),
        str(inspect.signature(kind)),
        kind.__init__.__qualname__,
        str(typing.get_type_hints(kind.__init__)),
        repr(one),
        str(one),
        repr(other),
        one == same,
        one == other,
        one == 1,
        _hash_of(one),
        dataclasses.asdict(one),
        dataclasses.asdict(copy.deepcopy(one)),
    ]


def _hash_of(one: Any) -> object:
    try:
        return hash(one)
    except TypeError as error:
        return str(error)


@pytest.mark.parametrize(("kind", "words"), KINDS, ids=lambda it: getattr(it, "__name__", ""))
@pytest.mark.parametrize(("maker", "standard"), MAKERS, ids=["frozen", "hashed", "plain"])
def test_a_class_is_what_dataclass_makes_of_it(
    maker: Callable[[type[Any]], type[Any]], standard: Any, kind: type[Any], words: dict[str, Any]
) -> None:
    assert told(maker(fresh(kind)), words) == told(standard(fresh(kind)), words)


@pytest.mark.parametrize("maker", [frozen, hashed, plain])
def test_wrong_classes_are_refused_as_dataclass_refuses_them(maker: Any) -> None:
    class Wrong:
        """A field without a default after one with a default."""

        first: int = 1
        second: str

    with pytest.raises(TypeError, match="non-default argument 'second' follows"):
        maker(Wrong)

    nothing: list[int] = []

    class Shared:
        """A default that all objects would share."""

        first: list[int] = nothing

    with pytest.raises(ValueError, match="mutable default"):
        maker(Shared)


@pytest.mark.parametrize("maker", [frozen, hashed, plain])
def test_names_of_fields_do_not_meet_those_of_the_methods(maker: Any) -> None:
    made = maker(fresh(Odd))
    assert repr(made(5)) == "Odd(self=5, _set=1, other=2)"
    assert made(5) == made(5, 1, 2) != made(5, 1, 3)


@frozen
class Base:
    """A class to derive from."""

    first: int
    second: str = "two"


@frozen
class Derived(Base):
    """Has one field more."""

    third: int = 3


def test_an_object_of_a_frozen_class_cannot_be_changed() -> None:
    for one in (Base(1), Derived(1)):
        for name in ("first", "unheard_of"):
            with pytest.raises(FrozenInstanceError, match=f"cannot assign to field '{name}'"):
                setattr(one, name, 2)
        with pytest.raises(FrozenInstanceError, match="cannot delete field 'second'"):
            del one.second
        assert one.first == 1


def test_fields_of_a_base_class_come_first() -> None:
    assert repr(Derived(1, "b", 4)) == "Derived(first=1, second='b', third=4)"
    assert Derived(1) != Base(1)
    assert Derived(1) == Derived(1, "two", 3)
    assert hash(Derived(1)) == hash((1, "two", 3))
    assert vars(Derived)["__slots__"] == ("third",)


def test_frozen_classes_derive_from_frozen_ones_alone() -> None:
    class Loose(Base):
        """Could be changed."""

    with pytest.raises(TypeError, match="non-frozen dataclass from a frozen one"):
        dataclass(Loose)
    with pytest.raises(TypeError, match="non-frozen dataclass from a frozen one"):
        plain(Loose)


def test_objects_are_pickled_and_copied() -> None:
    one = Derived(1, "b", 4)
    assert pickle.loads(pickle.dumps(one)) == one
    assert copy.copy(one) == copy.deepcopy(one) == one
    assert dataclasses.replace(one, third=9) == Derived(1, "b", 9)


def test_an_object_that_holds_itself_can_be_shown() -> None:
    @frozen
    class Holder:
        """Holds a list."""

        items: list[object]

    holder = Holder([])
    holder.items.append(holder)
    assert repr(holder).endswith("Holder(items=[...])")


def test_what_follows_the_beginning_sees_the_fields() -> None:
    with pytest.raises(ValueError, match="-1"):
        frozen(fresh(Followed))(-1)
