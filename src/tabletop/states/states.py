"""The `@state` decorator, which makes a dataclass with a generated `clone`.

`docs/concepts/state.md` explains how each field is copied. This module generates the source of
`clone`. `tabletop.states.masking` generates the source of views and redeals. `compile_functions`
compiles the source of both modules.
"""

from __future__ import annotations

import linecache
import sys
from collections import deque
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from itertools import count, product
from types import FunctionType, NoneType
from typing import Any, Final, Literal, Protocol, Self, TypeVar, get_args, overload

from typing_extensions import dataclass_transform

from tabletop.errors import ContractError
from tabletop.states import schema
from tabletop.states.schema import Schema
from tabletop.states.type_hints import SchemaError, advice_instead, at_step, type_name
from tabletop.states.visibility import secret

T = TypeVar("T")

_IMMUTABLE: Final = (int, float, complex, str, bytes, Enum, NoneType)
_IMMUTABLE_BY_NAME: Final = frozenset(
    {
        "datetime.date",
        "datetime.time",
        "datetime.timedelta",
        "decimal.Decimal",
        "fractions.Fraction",
        "uuid.UUID",
    }
)
"""Immutable types by name, because importing them would slow down `import tabletop`."""

_RESERVED_NAMES: Final = frozenset({"self", "copy", "it", "key"})


class State(Protocol):
    """The state of a match: plain data with a method `clone`.

    Any class with a `clone` is accepted as a state. Derive classes with the decorator `@state` from
    `State`, so that type checkers know about the generated `clone`.
    """

    __slots__ = ()

    def __init_subclass__(cls) -> None:
        """Prevent a class with additional fields from inheriting the `clone` of its base class."""
        super().__init_subclass__()
        attributes = vars(cls)
        is_annotated = "__annotations__" in attributes or "__annotate_func__" in attributes
        if "clone" not in attributes and is_annotated:
            derived: Any = cls
            derived.clone = State.clone

    def clone(self) -> Self:
        """Return an equal, independent copy. The copy may share immutable values.

        Raises:
            ContractError: The class has neither `@state` nor its own `clone`.
        """
        name = type(self).__name__
        raise ContractError(f"{name} has no clone: write @state above the class, or define clone")


@overload
def state(kind: type[T], /) -> type[T]: ...


@overload
def state(*, slots: bool = True, kw_only: bool = False) -> Callable[[type[T]], type[T]]: ...


@dataclass_transform(field_specifiers=(field, secret))
def state(kind: type[T] | None = None, /, *, slots: bool = True, kw_only: bool = False) -> Any:
    """Turn a class with annotated fields into a state: a dataclass with a `clone`.

    `clone` is generated from the annotations. A copy shares immutable values. Lists, dictionaries,
    sets, deques and other states are copied at every level. `clone` does not call `__init__`. A
    class that defines `clone` keeps its own.

    Two states are equal if their fields are equal. States are not hashable, but
    `tabletop.states.key` returns a key for lookups. Derive the class from `State`, so that type
    checkers know about its `clone`.

    Args:
        kind: The class.
        slots: Whether instances have slots, so that no attributes other than the fields can be set.
            Use False for a class with a `cached_property`, whose value is not copied.
        kw_only: Whether fields can be passed to the constructor only as keywords.

    Raises:
        ContractError: A field cannot be copied safely, or the class is already a dataclass. The
            message names the field and suggests a correction.
        ValueError: A default is a list, a dictionary or a set, which all matches would share. Write
            `field(default_factory=list)`.

    >>> from tabletop import State
    >>> @state
    ... class Trick(State):
    ...     hands: list[list[int]]
    ...     leader: int = 0
    >>> trick = Trick([[3, 1], [2]])
    >>> copy = trick.clone()
    >>> copy.hands[0].remove(3)
    >>> trick.hands, copy.hands
    ([[3, 1], [2]], [[1], [2]])
    """
    # Annotations of a class in a function may use local names, which `typing` cannot look up.
    frame = sys._getframe(1)
    names = {**frame.f_globals, **frame.f_locals}

    def decorate(kind: type[T]) -> type[T]:
        if "__dataclass_fields__" in vars(kind):
            raise ContractError(
                f"{kind.__qualname__} is already a dataclass: use @state without @dataclass"
            )
        has_clone = vars(kind).get("clone", State.clone) is not State.clone
        state_class = dataclass(slots=slots, kw_only=kw_only)(kind)
        if not has_clone:
            type.__setattr__(state_class, "clone", _make_clone(state_class, names))
        return state_class

    return decorate if kind is None else decorate(kind)


def _make_clone(kind: type[Any], names: Mapping[str, Any]) -> Any:
    lines = [
        "def clone(self):",
        '    """Return an equal, independent copy."""',
        "    copy = _new(self.__class__)",
    ]
    copier = Copier(kind)
    try:
        for name, part in schema.read_class(kind, names).fields.items():
            copied = at_step(f".{name}", copier.copy, part, f"self.{name}")
            lines.append(f"    copy.{name} = {copied}")
    except SchemaError as error:
        raise ContractError(error.at(kind.__qualname__)) from error
    except RecursionError as error:
        raise ContractError(f"{kind.__qualname__}: an annotation contains itself") from error
    lines.append("    return copy")
    title = f"clone of {kind.__module__}.{kind.__qualname__}"
    space = {"__name__": kind.__module__, **copier.names, "_new": object.__new__}
    clone = compile_functions(title, lines, space)["clone"]
    clone.__qualname__ = f"{kind.__qualname__}.clone"
    return clone


def is_immutable(part: Schema, above: tuple[Schema, ...] = ()) -> bool:
    """Return whether all values of a schema are immutable, so that copies may share them.

    `above` contains the enclosing classes, because a class may contain its own type.
    """
    frozen = True
    inner: Sequence[Schema] | None = None
    match part:
        case schema.Variable():
            frozen, inner = bool(part.members), part.members
        case schema.Scalar():
            return _is_immutable_class(part)
        case schema.Sequence():
            frozen = part.origin in (tuple, frozenset) and part.annotation is not tuple
            inner = None if get_args(part.annotation) else ()
        case schema.Mapping():
            frozen = False
        case schema.Dataclass():
            frozen, inner = part.is_frozen, () if part in above else None
    if inner is None and frozen:
        inner = [item for _, item in part.parts()]
    return frozen and all(is_immutable(item, (*above, part)) for item in inner or ())


def _is_immutable_class(part: schema.Scalar) -> bool:
    if part.is_none or part.origin in (Literal, Hashable):
        return True
    kinds = getattr(part.origin, "__mro__", ())
    names = (f"{base.__module__}.{base.__qualname__}" for base in kinds)
    return any(base in _IMMUTABLE for base in kinds) or not _IMMUTABLE_BY_NAME.isdisjoint(names)


class Copier:
    """Generates expressions that copy values.

    `names` maps the names in these expressions to objects.

    `unfinished` is the class that is being created, which will have a `clone`.
    """

    def __init__(self, unfinished: type[Any] | None = None) -> None:
        self._unfinished = unfinished
        self.names: dict[str, Any] = {}

    def name(self, thing: Any) -> str:
        """Return the name that the expressions use for a class or another object."""
        wanted = name = getattr(thing, "__name__", "value")
        if wanted in _RESERVED_NAMES:
            wanted = name = f"{wanted}_"
        number = 1
        while self.names.setdefault(name, thing) is not thing:
            number += 1
            name = f"{wanted}_{number}"
        return name

    def copy(self, part: Schema, value: str, depth: int = 0) -> str:
        """Return an expression for an independent copy of a value, or `value` if it is immutable.

        `value` is an expression such as `self.hands`, inside `depth` loops.

        Raises:
            SchemaError: A part cannot be copied safely. The message suggests a replacement.
        """
        if is_immutable(part):
            return value
        match part:
            case schema.Union() | schema.Variable() if part.members:
                return self._one_of(part, value, depth)
            case schema.Sequence() if part.origin is part.kind:
                return self._sequence(part, value, depth)
            case schema.Mapping() if part.origin is part.kind:
                return self._mapping(part, value, depth)
            case schema.Tuple():
                return self._tuple(part, value, depth)
        if part.origin is self._unfinished or callable(getattr(part.origin, "clone", None)):
            return f"{value}.clone()"
        raise SchemaError(_uncopyable(part))

    def _sequence(self, part: schema.Sequence, value: str, depth: int) -> str:
        kind = part.kind
        _check_collection(part, part.item if kind in (set, frozenset) else None)
        each = loop_name("it", depth)
        item = at_step("[...]", self.copy, part.item, each, depth + 1)
        items = f"[{item} for {each} in {value}]"
        if kind is tuple:
            return f"tuple({items})"
        if item == each:
            return f"{value}.copy()"
        return f"{self.name(deque)}({items}, {value}.maxlen)" if kind is deque else items

    def _tuple(self, part: schema.Tuple, value: str, depth: int) -> str:
        each = [
            at_step(step, self.copy, inner, f"{value}{step}", depth) for step, inner in part.parts()
        ]
        if part.kind is not tuple:
            return f"{self.name(part.kind)}({', '.join(each)})"
        return f"({', '.join(each)}{',' * (len(each) == 1)})"

    def _mapping(self, part: schema.Mapping, value: str, depth: int) -> str:
        _check_collection(part, part.key)
        each, key = loop_name("it", depth), loop_name("key", depth)
        item = at_step("[...]", self.copy, part.value, each, depth + 1)
        if item == each:
            return f"{value}.copy()"
        return f"{{{key}: {item} for {key}, {each} in {value}.items()}}"

    def _one_of(self, part: schema.Union | schema.Variable, value: str, depth: int) -> str:
        """Return an expression that copies a value of one of several types, chosen by class."""
        ways: dict[str, list[Schema]] = {}
        for member in part.members:
            ways.setdefault(self.copy(member, value, depth), []).append(member)
        # Immutable members are shared by the last `else` and need no test.
        shared = ways.pop(value, [])
        if not ways:
            return value
        if len(ways) == 1 and not shared:
            [way] = ways
            return f"None if {value} is None else {way}" if part.optional else way
        _check_distinguishable([*ways.values(), shared])
        tests = []
        for way, kinds in ways.items():
            names = [self.name(kind) for member in kinds for kind in member.classes()]
            classes = names[0] if len(names) == 1 else f"({', '.join(names)})"
            tests.append(f"{way} if isinstance({value}, {classes}) else ")
        return "".join([*tests, value])


def _check_collection(part: Schema, hashed: Schema | None) -> None:
    """Check that the types of items are known, and that keys and set items are immutable."""
    name = type_name(part.annotation)
    if not get_args(part.annotation):
        raise SchemaError(f"{name} needs the types of its items in brackets, as in list[int]")
    if hashed is not None and not is_immutable(hashed):
        raise SchemaError(f"{name} has mutable keys or items: use an immutable type")


def loop_name(word: str, depth: int) -> str:
    """Return the name of a loop variable inside `depth` other loops."""
    return word if not depth else f"{word}{depth + 1}"


def _check_distinguishable(ways: Sequence[Sequence[Schema]]) -> None:
    """Raise an error if the class of a value does not determine how to copy it."""
    for index, members in enumerate(ways):
        later = [member for way in ways[index + 1 :] for member in way]
        for first, second in product(members, later):
            pairs = product(first.classes(), second.classes())
            if any(issubclass(a, b) or issubclass(b, a) for a, b in pairs):
                both = f"{type_name(first.annotation)} and {type_name(second.annotation)}"
                raise SchemaError(f"{both} cannot be distinguished: use one type, or dataclasses")


def _uncopyable(part: Schema) -> str:
    """Describe why values of a schema cannot be copied safely, with a suggested correction."""
    name = type_name(part.annotation)
    if isinstance(part, schema.Variable):
        bounds = "bound=Hashable if it is immutable, or bound=State if it has a clone"
        return f"{name} may be any type: give the type variable a bound ({bounds})"
    if part.is_any:
        return f"{name} may be any type: write a specific type"
    if isinstance(part, schema.Dataclass):
        return _uncopyable_dataclass(part, name)
    general = "write numbers, texts and collections of them, or put @state above your own class"
    return f"{name} cannot be copied safely: {advice_instead(part.annotation) or general}"


def _uncopyable_dataclass(part: schema.Dataclass, name: str) -> str:
    if not part.is_frozen:
        return f"{name} can change and has no clone: use @state instead of @dataclass"
    field_name, inner = next(
        (field_name, inner)
        for field_name, inner in part.fields.items()
        if not is_immutable(inner, (part,))
    )
    return (
        f"{name} is frozen, but its {field_name} ({type_name(inner.annotation)}) can change: use an"
        " immutable type, such as a tuple, or @state instead of @dataclass"
    )


# Generated source.


def compile_functions(title: str, lines: Sequence[str], names: Mapping[str, Any]) -> dict[str, Any]:
    """Compile `lines` and return the functions in them by name.

    `names` are the other names that the lines use. Tracebacks, `inspect.getsource` and debuggers
    show the lines as if they were in a file.
    """
    source = "\n".join([*lines, ""])
    # A notebook may define a class again. Each definition keeps the lines that it runs.
    paths = (f"<tabletop {title}{f', {n}' if n > 1 else ''}>" for n in count(1))
    path = next(path for path in paths if path not in linecache.cache)
    # Without a modification time, `linecache` does not look for the file.
    linecache.cache[path] = (len(source), None, source.splitlines(keepends=True), path)
    space = {**names}
    # The source was generated above from annotations, so it contains no untrusted text.
    exec(compile(source, path, "exec"), space)  # noqa: S102
    return {name: it for name, it in space.items() if isinstance(it, FunctionType)}
