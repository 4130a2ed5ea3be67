"""From annotations to shapes: what a class of states is made of, or why it cannot be."""

from __future__ import annotations

import inspect
import typing
from collections import Counter, OrderedDict, defaultdict, deque
from collections.abc import (
    Callable,
    Collection,
    Iterator,
    Mapping,
    MutableMapping,
    MutableSequence,
    MutableSet,
    Sequence,
)
from collections.abc import (
    Set as AbstractSet,
)
from dataclasses import fields, is_dataclass
from enum import Enum
from types import MappingProxyType, NoneType, UnionType
from typing import Annotated, Any, Final, Literal, NewType, TypeVar, Union, get_args, get_origin

from tabletop.codec.shape import Leaf, Misfit, Named, Shape, has_order
from tabletop.codec.shapes import Choice, Fields, Items, Pairs, Row

_LISTS: Final = (list, Sequence, MutableSequence, Collection)
_SETS: Final = (set, AbstractSet, MutableSet)
_DICTS: Final = (dict, Mapping, MutableMapping)

INSTEAD: Final[dict[Any, str]] = {
    Callable: "keep a name or a number, and let the rules find the function by it",
    type: "keep a name, and let the rules find the class by it",
    Iterator: "write a list, and a number for how far it has been gone through",
    range: "write a tuple of its bounds",
    complex: "write a tuple of two numbers",
    OrderedDict: "write a list of pairs, if their order counts; else a dict",
    defaultdict: "write a dict, and ask it with get or setdefault",
    MappingProxyType: "write a dict; what never changes belongs into a module constant",
}
"""What to write in the place of what is no plain data."""

CHANCE: Final = ("tabletop.rng.stream.Stream", "tabletop.rng.streams.Streams", "random.Random")
DRAW: Final = "draw from table.rng; the match keeps the offsets of its streams"


def shape_of(kind: Any) -> Shape:
    """The shape that an annotation stands for; of a class, what its instances are made of.

    Raises:
        Misfit: something in it is no plain data; says where, and what to write instead.
    """
    known: dict[Any, Shape] = {}
    shape = _shape(kind, known)
    _settle(shape)
    return shape


def _settle(shape: Shape) -> None:
    """Decide for every shape whether msgspec alone can handle it: classes may hold each other."""
    found: dict[int, Shape] = {}
    waiting = [shape]
    while waiting:
        one = waiting.pop()
        if id(one) not in found:
            found[id(one)] = one
            waiting.extend(one.parts())
    changed = True
    while changed:
        changed = False
        for one in found.values():
            native = one.native and all(part.native for part in one.parts())
            changed = changed or native != one.native
            one.native = native


def _shape(annotation: Any, known: dict[Any, Shape]) -> Shape:
    annotation = bare(annotation)
    origin = get_origin(annotation) or annotation
    if annotation in (Any, object, NoneType, None) or isinstance(annotation, TypeVar):
        return Leaf(Any if annotation is object else annotation)
    if origin is Literal:
        return Leaf(annotation, sortable=len({type(it) for it in get_args(annotation)}) == 1)
    if origin in (Union, UnionType):
        return _choice(annotation, known)
    if origin in INSTEAD:
        raise Misfit(f"{spelled(annotation)} is no plain data; {INSTEAD[origin]}")
    if isinstance(origin, type) and issubclass(origin, Enum):
        return _enumeration(origin)
    if is_dataclass(origin) and isinstance(origin, type):
        return known.get(annotation) or _dataclass(annotation, origin, known)
    return _container(annotation, origin, known) or _leaf(annotation)


def bare(annotation: Any) -> Any:
    """An annotation without the names and notes that do not change what it stands for."""
    while True:
        if isinstance(annotation, NewType):
            annotation = annotation.__supertype__
        elif get_origin(annotation) in (Annotated, Final):
            annotation = get_args(annotation)[0]
        elif type(annotation).__name__ == "TypeAliasType":  # of Python 3.12
            annotation = annotation.__value__
        else:
            return annotation


def _enumeration(kind: type[Enum]) -> Shape:
    values = [member.value for member in kind]
    texts = all(type(value) is str for value in values)
    if texts or all(type(value) is int for value in values):
        return Leaf(kind, sortable=has_order(kind))
    return Named(kind)


def _container(annotation: Any, origin: Any, known: dict[Any, Shape]) -> Shape | None:
    """The shape of what holds several things; None when it is something else."""
    items = get_args(annotation)
    if isinstance(origin, type) and issubclass(origin, tuple) and hasattr(origin, "_fields"):
        return _named_tuple(annotation, origin, known)
    if origin is tuple and not (len(items) == 2 and items[1] is ...) and items != ():
        shapes = [_below(f"[{place}]", item, known) for place, item in enumerate(items)]
        return Row(annotation, tuple, shapes)
    for kind, names in ((list, _LISTS), (set, _SETS), (frozenset, (frozenset,)), (tuple, (tuple,))):
        if origin in names:
            return Items(annotation, kind, _below("[...]", items[0] if items else Any, known))
    if origin is deque:
        return Items(annotation, deque, _below("[...]", items[0] if items else Any, known))
    if origin in _DICTS or origin is Counter:
        return _dictionary(annotation, origin, known)
    return None


def _named_tuple(annotation: Any, kind: Any, known: dict[Any, Shape]) -> Shape:
    hints = _hints(kind)
    missing = [name for name in kind._fields if name not in hints]
    if missing:
        raise Misfit(_unannotated(missing[0]))
    shapes = [_below(f".{name}", hints[name], known) for name in kind._fields]
    return Row(annotation, kind, shapes, kind._fields)


def _dictionary(annotation: Any, origin: Any, known: dict[Any, Shape]) -> Shape:
    kind = Counter if origin is Counter else dict
    items = get_args(annotation) or (Any, Any)
    key = _below(".keys()", items[0], known)
    value = _below("[...]", items[1] if kind is dict else int, known)
    return Pairs(annotation, kind, key, value, texts=_are_texts(key.annotation))


def _are_texts(annotation: Any) -> bool:
    """Whether keys of this kind are words of JSON; of a kind not given, nothing else can be."""
    if annotation is Any or annotation is str:
        return True
    if get_origin(annotation) is Literal:
        return all(type(value) is str for value in get_args(annotation))
    return isinstance(annotation, type) and issubclass(annotation, str)


def _choice(annotation: Any, known: dict[Any, Shape]) -> Shape:
    import msgspec

    alternatives = [bare(item) for item in get_args(annotation)]
    if Any in alternatives or object in alternatives:
        return _shape(Any, known)
    shapes = [_shape(item, known) for item in alternatives if item is not NoneType]
    kinds: dict[type[Any], Shape] = {}
    for shape in shapes:
        for kind in _kinds(shape):
            if any(kind.__name__ == other.__name__ for other in kinds):
                what = f"{spelled(annotation)}: nothing tells two kinds of {kind.__name__} apart"
                raise Misfit(f"{what}; write one kind, or dataclasses with names of their own")
            kinds[kind] = shape
    try:
        native = len(kinds) == 1 or bool(msgspec.json.Decoder(annotation))
    except (TypeError, NameError):
        native = False
    return Choice(annotation, kinds, optional=NoneType in alternatives, native=native)


def _kinds(shape: Shape) -> list[type[Any]]:
    """The classes whose instances have that shape."""
    if get_origin(shape.annotation) is Literal:
        return list({type(value) for value in get_args(shape.annotation)})
    kind = getattr(shape, "kind", get_origin(shape.annotation) or shape.annotation)
    return [*getattr(shape, "kinds", [kind])]


def _dataclass(annotation: Any, kind: type[Any], known: dict[Any, Shape]) -> Shape:
    shape = known[annotation] = Fields(annotation, kind)
    own = vars(kind)
    if "__dataclass_fields__" not in own:
        raise Misfit(f"{kind.__name__} is no dataclass itself; write @dataclass above it")
    names = {item.name for item in fields(kind)} | inspect.get_annotations(kind).keys()
    for name, value in own.items():
        if name in names or name.startswith("__") or not name.islower():
            continue  # a constant is spelled in capitals
        if isinstance(value, (list, dict, set, deque)):
            raise Misfit(_unannotated(name, type(value)), [f".{name}"])
    hints = _hints(kind)
    given = dict(zip(getattr(kind, "__parameters__", ()), get_args(annotation), strict=False))
    for item in fields(kind):
        hint = filled(hints[item.name], given)
        shape.shapes[item.name] = _below(f".{item.name}", hint, known)
    return shape


def _unannotated(name: str, kind: type[Any] | None = None) -> str:
    if kind is None:
        return f"{name} has no annotation; write {name}: and what it holds"
    factory = f"{name}: {kind.__name__}[...] = field(default_factory={kind.__name__})"
    return (
        f"it has no annotation, and so is no field but one thing for all matches; write {factory}"
    )


def filled(hint: Any, given: Mapping[Any, Any]) -> Any:
    """An annotation with what a generic class was given in the place of its variables."""
    if isinstance(hint, TypeVar):
        return given.get(hint, hint)
    variables = getattr(hint, "__parameters__", ())
    return hint[tuple(given.get(it, it) for it in variables)] if variables and given else hint


def _hints(kind: type[Any]) -> dict[str, Any]:
    try:
        return typing.get_type_hints(kind, include_extras=True)
    except Exception as error:  # an annotation is code, and may do anything
        what = f"its annotations cannot be read: {error}"
        raise Misfit(f"{what}; what they name must be there when the rules run") from error


def _leaf(annotation: Any) -> Shape:
    """The shape of a type that msgspec handles by itself, if it does."""
    import msgspec

    name = spelled(annotation)
    try:
        info = msgspec.inspect.type_info(annotation)
        msgspec.json.Decoder(annotation)
    except (TypeError, NameError) as error:
        raise Misfit(f"{name} is no plain data: {error}") from error
    if isinstance(info, msgspec.inspect.CustomType):
        for base in getattr(annotation, "__mro__", ()):
            if f"{base.__module__}.{base.__qualname__}" in CHANCE:
                raise Misfit(f"{name} is no plain data; {DRAW}")
            if base in INSTEAD:
                raise Misfit(f"{name} is no plain data; {INSTEAD[base]}")
        what = "write @dataclass above it, and an annotation for all that it holds"
        raise Misfit(f"{name} is no plain data; {what}, or keep an id of it")
    return Leaf(annotation, sortable=isinstance(annotation, type) and has_order(annotation))


def _below(step: str, annotation: Any, known: dict[Any, Shape]) -> Shape:
    """The shape of a part; `step` is added to the path of an error in it."""
    try:
        return _shape(annotation, known)
    except Misfit as error:
        error.path.append(step)
        raise


def spelled(annotation: Any) -> str:
    """An annotation as one would write it."""
    named = get_origin(annotation) is None and isinstance(annotation, type)
    return annotation.__qualname__ if named else str(annotation)
