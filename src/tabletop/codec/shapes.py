"""The shapes of what has parts: how it is written in JSON, where JSON has no type for it.

A dictionary whose keys are no texts becomes a list of pairs, one of several classes is named in
front of its fields, and sets stand in an order that does not depend on hashes.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import MISSING, Field, fields
from typing import Any

from typing_extensions import override

from tabletop.codec.shape import Misfit, Shape, dumped, expect, has_order, loaded, rank
from tabletop.codec.trouble import described
from tabletop.wording import counted


class Fields(Shape):
    """A dataclass. It is made before its fields are known: it may hold others of its kind."""

    def __init__(self, annotation: Any, kind: type[Any]) -> None:
        self.annotation = annotation
        self.kind = kind
        self.shapes: dict[str, Shape] = {}
        self.sortable = has_order(kind)

    @override
    def parts(self) -> Iterable[Shape]:
        return self.shapes.values()

    @override
    def dump(self, value: Any) -> Any:
        expect(value, self.kind)
        said = {}
        for name, shape in self.shapes.items():
            try:
                said[name] = dumped(shape, getattr(value, name))
            except Misfit as error:
                error.path.append(f".{name}")
                raise
        return said

    @override
    def load(self, data: Any) -> Any:
        expect(data, dict, "an object")
        # Not by `__init__`, which may leave fields out; and a frozen class refuses `setattr`.
        value = object.__new__(self.kind)
        for item in fields(self.kind):
            object.__setattr__(value, item.name, self._field(item, data))
        # What a class works out from its fields is worked out again, and what it refuses is
        # refused.
        after = getattr(value, "__post_init__", None)
        if after is not None:
            after()
        return value

    def _field(self, item: Field[Any], data: dict[str, Any]) -> Any:
        if item.name in data:
            try:
                return loaded(self.shapes[item.name], data[item.name])
            except Misfit as error:
                error.path.append(f".{item.name}")
                raise
        if item.default is not MISSING:
            return item.default
        if item.default_factory is not MISSING:
            return item.default_factory()
        raise Misfit(f"missing required field `{item.name}`")


class Items(Shape):
    """A list, a tuple of any length, a set, a deque: so many of one kind."""

    def __init__(self, annotation: Any, kind: type[Any], item: Shape) -> None:
        self.annotation = annotation
        self.kind = kind
        self.item = item
        self.is_set = kind in (set, frozenset)
        # msgspec sorts what it can compare; sets of anything else are sorted here, by `rank`.
        self.native = kind is not deque and not (self.is_set and not item.sortable)
        self.sortable = kind is tuple and item.sortable

    @override
    def parts(self) -> Iterable[Shape]:
        return (self.item,)

    @override
    def dump(self, value: Any) -> Any:
        expect(value, self.kind)
        if getattr(value, "maxlen", None) is not None:
            raise Misfit("a deque with a maxlen is not plain data; leave the maxlen to the rules")
        said = _each(dumped, self.item, value)
        return sorted(said, key=rank) if self.is_set else said

    @override
    def load(self, data: Any) -> Any:
        expect(data, list, "an array")
        return self.kind(_each(loaded, self.item, data))


class Row(Shape):
    """A tuple with something else at each place, or a named tuple."""

    def __init__(
        self, annotation: Any, kind: type[Any], items: Sequence[Shape], names: Sequence[str] = ()
    ) -> None:
        self.annotation = annotation
        self.kind = kind
        self.items = items
        self.names = names
        self.sortable = all(item.sortable for item in items)

    @override
    def parts(self) -> Iterable[Shape]:
        return self.items

    @override
    def dump(self, value: Any) -> Any:
        expect(value, self.kind)
        return self._row(dumped, value)

    @override
    def load(self, data: Any) -> Any:
        expect(data, list, "an array")
        row = self._row(loaded, data)
        return self.kind(*row) if self.names else tuple(row)

    def _row(self, act: Callable[[Shape, Any], Any], values: Sequence[Any]) -> list[Any]:
        if len(values) != len(self.items):
            raise Misfit(f"{counted(len(values), 'item')}; the annotation says {len(self.items)}")
        row = []
        for place, (shape, value) in enumerate(zip(self.items, values, strict=True)):
            try:
                row.append(act(shape, value))
            except Misfit as error:
                error.path.append(f".{self.names[place]}" if self.names else f"[{place}]")
                raise
        return row


class Pairs(Shape):
    """A dictionary. With keys that are not texts it becomes a list of pairs, sorted by key."""

    def __init__(
        self, annotation: Any, kind: type[Any], key: Shape, value: Shape, *, texts: bool
    ) -> None:
        self.annotation = annotation
        self.kind = kind
        self.key = key
        self.value = value
        self.texts = texts
        self.native = texts and kind is dict

    @override
    def parts(self) -> Iterable[Shape]:
        return self.key, self.value

    @override
    def dump(self, value: Any) -> Any:
        expect(value, self.kind)
        said = [self._pair(dumped, key, item) for key, item in value.items()]
        return dict(said) if self.texts else sorted(said, key=rank)

    @override
    def load(self, data: Any) -> Any:
        if self.texts:
            pairs = expect(data, dict, "an object").items()
        else:
            pairs = [_two(pair) for pair in expect(data, list, "an array")]
        return self.kind(dict(self._pair(loaded, *pair) for pair in pairs))

    def _pair(self, act: Callable[[Shape, Any], Any], key: Any, item: Any) -> list[Any]:
        try:
            said = act(self.key, key)
        except Misfit as error:
            error.path[:] = [f".keys()[{key!r}]"]
            raise
        try:
            return [said, act(self.value, item)]
        except Misfit as error:
            error.path.append(f"[{key!r}]")
            raise


class Choice(Shape):
    """One of several kinds, or None. Where msgspec cannot tell them apart, the kind is named."""

    def __init__(
        self, annotation: Any, kinds: dict[type[Any], Shape], *, optional: bool, native: bool
    ) -> None:
        self.annotation = annotation
        self.kinds = kinds
        self.optional = optional
        self.native = native
        self.by_name = {kind.__name__: shape for kind, shape in kinds.items()}

    @override
    def parts(self) -> Iterable[Shape]:
        return self.kinds.values()

    @override
    def dump(self, value: Any) -> Any:
        if value is None and self.optional:
            return None
        shape = self.kinds.get(type(value))
        if shape is None:
            names = " or ".join(self.by_name)
            raise Misfit(f"{described(value)} is no {names}; write its class into the annotation")
        said = dumped(shape, value)
        return said if len(self.kinds) == 1 else {type(value).__name__: said}

    @override
    def load(self, data: Any) -> Any:
        if data is None and self.optional:
            return None
        if len(self.kinds) == 1:
            [only] = self.kinds.values()
            return loaded(only, data)
        expect(data, dict, "an object")
        if len(data) != 1 or next(iter(data)) not in self.by_name:
            raise Misfit(f"expected one of {', '.join(self.by_name)}, by name")
        [(name, said)] = data.items()
        return loaded(self.by_name[name], said)


def _two(pair: Any) -> Any:
    if type(pair) is not list or len(pair) != 2:
        raise Misfit("expected pairs of a key and a value")
    return pair


def _each(act: Callable[[Shape, Any], Any], shape: Shape, values: Iterable[Any]) -> list[Any]:
    return [_at(place, act, shape, value) for place, value in enumerate(values)]


def _at(place: int, act: Callable[[Shape, Any], Any], shape: Shape, value: Any) -> Any:
    try:
        return act(shape, value)
    except Misfit as error:
        error.path.append(f"[{place}]")
        raise
