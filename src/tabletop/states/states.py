"""States that copy themselves: `@state` makes a dataclass whose `clone` follows from its fields.

`docs/concepts/state.md` explains how each field is copied. This module generates the source of
`clone`, `tabletop.rules.secrets` that of views and redeals; `compile_functions` compiles both.
"""

from __future__ import annotations

import linecache
import sys
from collections import deque
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from itertools import count
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
"""Types that cannot change, by name: importing them would make `import tabletop` slower."""

_OWN_NAMES: Final = frozenset({"self", "copy", "it", "key"})


class State(Protocol):
    """The state of a match: plain data that can copy itself.

    Any class with a `clone` counts as one. A class below `@state` derives from it, so that type
    checkers know of its `clone`.
    """

    __slots__ = ()

    def __init_subclass__(cls) -> None:
        """Keep a class with fields of its own from inheriting the `clone` of its base."""
        super().__init_subclass__()
        own = vars(cls)
        if "clone" not in own and ("__annotations__" in own or "__annotate_func__" in own):
            derived: Any = cls
            derived.clone = State.clone

    def clone(self) -> Self:
        """Return an equal, independent copy. It may share what never changes.

        Raises:
            ContractError: the class has neither `@state` nor a `clone` of its own.
        """
        name = type(self).__name__
        raise ContractError(f"{name} has no clone: write @state above the class, or a clone in it")


@overload
def state(kind: type[T], /) -> type[T]: ...


@overload
def state(*, slots: bool = True, kw_only: bool = False) -> Callable[[type[T]], type[T]]: ...


@dataclass_transform(field_specifiers=(field, secret))
def state(kind: type[T] | None = None, /, *, slots: bool = True, kw_only: bool = False) -> Any:
    """Decorate a class with annotated fields as a state: a dataclass with a `clone`.

    `clone` is written from the annotations: immutable values are shared, and lists, dictionaries,
    sets, deques and other states are copied as deep as their types say. It sets the fields of a new
    object of the same class, without `__init__`. A class that has a `clone` of its own keeps it.

    Two states are equal if their fields are. They have no hash: `tabletop.states.key` makes a key
    of one. Derive the class from `State`, so that type checkers know of its `clone`.

    Args:
        kind: the class.
        slots: whether its objects have their fields and nothing else; False for a class with a
            `cached_property`, which a copy does not take along.
        kw_only: whether fields are given by name only.

    Raises:
        ContractError: a field cannot be copied safely, or the class is a dataclass already; names
            the field, and says what to write instead.
        ValueError: a default is a list, a dictionary or a set, which all matches would share: write
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
    # A class inside a function may name things of that function, unknown to `typing`.
    frame = sys._getframe(1)
    names = {**frame.f_globals, **frame.f_locals}

    def decorate(kind: type[T]) -> type[T]:
        if "__dataclass_fields__" in vars(kind):
            raise ContractError(
                f"{kind.__qualname__}: @state makes a dataclass; leave out the other decorator"
            )
        has_clone = vars(kind).get("clone", State.clone) is not State.clone
        made = dataclass(slots=slots, kw_only=kw_only)(kind)
        if not has_clone:
            type.__setattr__(made, "clone", _make_clone(made, names))
        return made

    return decorate if kind is None else decorate(kind)


def _make_clone(kind: type[Any], names: Mapping[str, Any]) -> Any:
    lines = [
        "def clone(self):",
        '    """An equal, independent copy."""',
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
        raise ContractError(f"{kind.__qualname__}: an annotation holds itself endlessly") from error
    lines.append("    return copy")
    title = f"clone of {kind.__module__}.{kind.__qualname__}"
    space = {"__name__": kind.__module__, **copier.names, "_new": object.__new__}
    clone = compile_functions(title, lines, space)["clone"]
    clone.__qualname__ = f"{kind.__qualname__}.clone"
    return clone


def is_immutable(part: Schema, above: tuple[Schema, ...] = ()) -> bool:
    """Check whether no value of a schema can change, so that copies may share it.

    `above` holds the classes being checked: one may hold its own kind.
    """
    frozen = True
    held: Sequence[Schema] | None = None
    match part:
        case schema.Variable():
            frozen, held = bool(part.members), part.members
        case schema.Scalar():
            return _is_immutable_class(part)
        case schema.Sequence():
            frozen = part.origin in (tuple, frozenset) and part.annotation is not tuple
            held = None if get_args(part.annotation) else ()
        case schema.Mapping():
            frozen = False
        case schema.Dataclass():
            frozen, held = part.is_frozen, () if part in above else None
    if held is None and frozen:
        held = [it for _, it in part.parts()]
    return frozen and all(is_immutable(it, (*above, part)) for it in held or ())


def _is_immutable_class(part: schema.Scalar) -> bool:
    if part.is_none or part.origin in (Literal, Hashable):
        return True
    kinds = getattr(part.origin, "__mro__", ())
    names = (f"{base.__module__}.{base.__qualname__}" for base in kinds)
    return any(it in _IMMUTABLE for it in kinds) or not _IMMUTABLE_BY_NAME.isdisjoint(names)


class Copier:
    """Writes the expressions that copy values; `names` maps the names in them to objects.

    `own` is the class being made, which will have a `clone`.
    """

    def __init__(self, own: type[Any] | None = None) -> None:
        self._own = own
        self.names: dict[str, Any] = {}

    def name(self, thing: Any) -> str:
        """Return the name of a class or another object in the expressions."""
        wanted = name = getattr(thing, "__name__", "value")
        if wanted in _OWN_NAMES:
            wanted = name = f"{wanted}_"
        number = 1
        while self.names.setdefault(name, thing) is not thing:
            number += 1
            name = f"{wanted}_{number}"
        return name

    def copy(self, part: Schema, value: str, depth: int = 0) -> str:
        """Return an expression for an independent copy of a value; the value itself if sharable.

        `value` is an expression such as `self.hands`, inside `depth` loops. A `SchemaError` names
        the part that cannot be copied safely, and what to write instead.
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
        if part.origin is self._own or callable(getattr(part.origin, "clone", None)):
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
        each = [at_step(step, self.copy, it, f"{value}{step}", depth) for step, it in part.parts()]
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
        """Return an expression that copies one of several kinds, told apart by class."""
        ways: dict[str, list[Schema]] = {}
        for member in part.members:
            ways.setdefault(self.copy(member, value, depth), []).append(member)
        # What is copied as itself is shared, whatever else there is: it needs no test.
        shared = ways.pop(value, [])
        if not ways:
            return value
        if len(ways) == 1 and not shared:
            [way] = ways
            return f"None if {value} is None else {way}" if part.optional else way
        _check_told_apart([*ways.values(), shared])
        tests = []
        for way, kinds in ways.items():
            names = [self.name(kind) for it in kinds for kind in it.classes()]
            classes = names[0] if len(names) == 1 else f"({', '.join(names)})"
            tests.append(f"{way} if isinstance({value}, {classes}) else ")
        return "".join([*tests, value])


def _check_collection(part: Schema, hashed: Schema | None) -> None:
    """Check that an annotation names its items' types, and that keys or set items never change."""
    name = type_name(part.annotation)
    if not get_args(part.annotation):
        raise SchemaError(f"{name} does not say what it holds; write that in brackets: list[int]")
    if hashed is not None and not is_immutable(hashed):
        raise SchemaError(f"{name} has keys or items that can change; write what never changes")


def loop_name(word: str, depth: int) -> str:
    """Return the name of the variable of a loop inside `depth` others."""
    return word if not depth else f"{word}{depth + 1}"


def _check_told_apart(ways: Sequence[Sequence[Schema]]) -> None:
    """Raise an error where a value may be of two kinds that are copied in different ways."""
    for at, own in enumerate(ways):
        for one in own:
            for other in [it for way in ways[at + 1 :] for it in way]:
                pairs = ((mine, its) for mine in one.classes() for its in other.classes())
                if any(issubclass(mine, its) or issubclass(its, mine) for mine, its in pairs):
                    both = f"{type_name(one.annotation)} and {type_name(other.annotation)}"
                    raise SchemaError(f"nothing tells {both} apart; write one kind, or dataclasses")


def _uncopyable(part: Schema) -> str:
    """Explain why values of a schema cannot be copied safely, and what to write instead."""
    name = type_name(part.annotation)
    if isinstance(part, schema.Variable):
        bounds = "bound=Hashable where it never changes, bound=State where it has a clone"
        return f"{name} may be anything; give the type variable a bound: {bounds}"
    if part.is_any:
        return f"{name} may be anything; write what it is"
    if isinstance(part, schema.Dataclass):
        return _uncopyable_dataclass(part, name)
    own = "write numbers, texts and collections of them; or @state above your own class"
    return f"{name} cannot be copied safely; {advice_instead(part.annotation) or own}"


def _uncopyable_dataclass(part: schema.Dataclass, name: str) -> str:
    if not part.is_frozen:
        return f"{name} can change and has no clone; write @state in the place of its @dataclass"
    changing = ((at, it) for at, it in part.fields.items() if not is_immutable(it, (part,)))
    field_name, held = next(changing)
    return (
        f"{name} is frozen, but its {field_name} ({type_name(held.annotation)}) can change; write"
        " what never changes there, such as a tuple, or @state in the place of its @dataclass"
    )


# Generated source.


def compile_functions(title: str, lines: Sequence[str], names: Mapping[str, Any]) -> dict[str, Any]:
    """Compile `lines`; return their functions by name. `names` are other names in the lines.

    Tracebacks, `inspect.getsource` and debuggers show their lines as if they were in a file.
    """
    source = "\n".join([*lines, ""])
    # A class may be made anew under its name, in a notebook: each keeps the lines it runs.
    places = (f"<tabletop {title}{f', {n}' if n > 1 else ''}>" for n in count(1))
    place = next(it for it in places if it not in linecache.cache)
    # Without a modification time, it is never looked for on a disk.
    linecache.cache[place] = (len(source), None, source.splitlines(keepends=True), place)
    space = {**names}
    # The source was generated here, from the annotations of a class: no text of a stranger.
    exec(compile(source, place, "exec"), space)  # noqa: S102
    return {name: it for name, it in space.items() if isinstance(it, FunctionType)}
