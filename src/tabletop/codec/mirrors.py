"""Other words for states, which are written faster: what never changes stands there as bytes.

Most of a state is what it was a move ago. The tiles of a board or a scenario, in tuples and frozen
dataclasses, are written once, and found again by which objects they are. What can be changed in
place, a list for instance, is written each time. The functions that do so are written from the
annotations of a class, at the first time that one of its states is written.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from functools import cache
from hashlib import blake2b
from types import NoneType
from typing import Any, Final, Literal, get_origin

from tabletop.codec.annotations import shape_of
from tabletop.codec.generating import made_functions
from tabletop.codec.shape import Leaf, Misfit, Shape
from tabletop.codec.shapes import Choice, Fields, Items, Row
from tabletop.codec.writtenonce import WrittenOnce

LONG: Final = 8
"""Tuples are looked for from this length on: shorter ones are written as fast."""

_PLAIN: Final = (int, float, str, bytes, bool, NoneType, None)


class Odd(Exception):
    """A value is not what its annotation says: it has to be written as it is."""


def json_mirror(kind: type[Any]) -> Callable[[Any], Any] | None:
    """What says a state of a class in words that msgspec writes faster, as the same JSON.

    Args:
        kind: the class.

    Returns:
        A function, which raises whatever comes where a state is not what its annotations say; None
        where nothing would be won.
    """
    return _mirror(kind, _known_json())


def packer(kind: type[Any]) -> Callable[[Any], bytes] | None:
    """What makes bytes of a state of a class: other ones for each state that differs.

    Args:
        kind: the class.

    Returns:
        A function, which raises whatever comes where a state is not what its annotations say; None
        where a class needs more than msgspec.
    """
    import msgspec

    shape = native_shape(kind)
    if shape is None:
        return None
    mirror = _mirror(kind, _known_marks())
    pack = msgspec.msgpack.Encoder(order="deterministic").encode
    return pack if mirror is None else lambda state: pack(mirror(state))


@cache
def _known_json() -> WrittenOnce[Any]:
    import msgspec

    encode = msgspec.json.Encoder(order="deterministic").encode
    return WrittenOnce(lambda value: msgspec.Raw(encode(value)))


@cache
def _known_marks() -> WrittenOnce[bytes]:
    import msgspec

    encode = msgspec.json.Encoder(order="deterministic").encode
    return WrittenOnce(lambda it: blake2b(encode(it), digest_size=16, person=b"tt.key").digest())


def native_shape(kind: type[Any]) -> Fields | None:
    """The shape of a class, if it is a dataclass that msgspec can write by itself."""
    try:
        shape = shape_of(kind)
    except Misfit:  # it is written, or refused, as it is
        return None
    return shape if isinstance(shape, Fields) and shape.native else None


def _mirror(kind: type[Any], known: WrittenOnce[Any]) -> Callable[[Any], Any] | None:
    shape = native_shape(kind)
    if shape is None or not _pays(shape):
        return None
    writing = _Writing({"get": known.made.get, "learn": known.learn, "Odd": Odd})
    name = writing.function(shape)
    title = f"mirror of {kind.__module__}.{kind.__qualname__}"
    mirror: Callable[[Any], Any] = made_functions(title, writing.lines, writing.names)[name]
    return mirror


class _Writing:
    """Writes the functions for a class and those that it holds.

    Args:
        names: what all of them use.

    Attributes:
        names: what the names in the lines stand for.
        lines: the functions.
    """

    def __init__(self, names: dict[str, Any]) -> None:
        self.names = names
        self.lines: list[str] = []
        self._functions: dict[int, str] = {}

    def function(self, shape: Fields) -> str:
        """The name of the function for a class; written if it is new."""
        if id(shape) in self._functions:
            return self._functions[id(shape)]
        number = len(self._functions) + 1
        name = self._functions[id(shape)] = f"mirror_{number}"
        kind, holder = f"Kind_{number}", f"Holder_{number}"
        self.names |= {kind: shape.kind, holder: _holder(shape)}
        lines = [f"def {name}(it):", f"    if it.__class__ is not {kind}: raise Odd"]
        values = [self._value(field, part, lines) for field, part in shape.shapes.items()]
        self.lines += [*lines, f"    return {holder}({', '.join(values)})"]
        return name

    def _value(self, field: str, shape: Shape, lines: list[str]) -> str:
        """An expression for a field; what is to be done before is added to `lines`."""
        if not _pays(shape):
            return f"it.{field}"
        value = f"it_{field}"
        lines.append(f"    {value} = it.{field}")
        if isinstance(shape, Choice):
            [only] = shape.kinds.values()
            return f"None if {value} is None else {self._said(only, value)}"
        if not isinstance(shape, Items):
            return self._said(shape, value)
        if shape.kind is tuple:
            return f"{value} if len({value}) < {LONG} else {self._said(shape, value)}"
        # Of a dictionary, which can be gone through as well, the keys alone would be written.
        lines.append(f"    if {value}.__class__ is not list: raise Odd")
        return f"[{self._said(shape.item, 'each')} for each in {value}]"

    def _said(self, shape: Shape, value: str) -> str:
        if isinstance(shape, Fields) and not is_constant(shape):
            return f"{self.function(shape)}({value})"
        return f"get(id({value})) or learn({value})"


def _holder(shape: Fields) -> Any:
    """What is written like a class, and made with the values of its fields."""
    import msgspec

    # Of all that msgspec writes as an object with names, its own structures are the fastest.
    fields = [(name, object) for name in shape.shapes]
    return msgspec.defstruct(shape.kind.__name__, fields, gc=False)


def _pays(shape: Shape, above: tuple[Shape, ...] = ()) -> bool:
    """Whether it is faster to look for parts of a value than to write it."""
    if shape in above:
        return False
    if isinstance(shape, Fields):
        parts = shape.shapes.values()
        return is_constant(shape) or any(_pays(part, (*above, shape)) for part in parts)
    if isinstance(shape, Items) and shape.kind is tuple:
        return is_constant(shape) and not isinstance(shape.item, Choice)
    if isinstance(shape, Items) and shape.kind is list:
        # Of a list of small values each would have to be looked for: writing them is as fast.
        within = shape.item
        return isinstance(within, Fields) and not is_constant(within) and _pays(within, above)
    if isinstance(shape, Choice) and len(shape.kinds) == 1:
        [only] = shape.kinds.values()
        return isinstance(only, Fields) and not is_constant(only) and _pays(only, above)
    return False


def is_constant(shape: Shape, above: tuple[Shape, ...] = ()) -> bool:
    """Whether what is annotated so never changes."""
    if shape in above:
        return True
    if isinstance(shape, Leaf):
        kind = shape.annotation
        enumeration = isinstance(kind, type) and issubclass(kind, Enum)
        return kind in _PLAIN or enumeration or get_origin(kind) is Literal
    if isinstance(shape, Fields):
        frozen = bool(shape.kind.__dataclass_params__.frozen)
    elif isinstance(shape, Items):
        frozen = shape.kind is tuple
    else:
        frozen = isinstance(shape, (Row, Choice))
    return frozen and all(is_constant(part, (*above, shape)) for part in shape.parts())
