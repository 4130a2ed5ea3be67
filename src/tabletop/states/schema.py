"""The schema of a state: a tree of its annotations, built once per class.

Copies (`tabletop.states.states`), JSON (`tabletop.states.codec`), and views and redeals
(`tabletop.rules.secrets`) are derived from this tree. A node also converts values for which JSON
has no type: a dictionary whose keys are not strings becomes a list of pairs, a value of one of
several classes is wrapped in an object with the name of its class, and sets are sorted. msgspec
encodes and decodes all other values directly (`native`).
"""

from __future__ import annotations

import inspect
import typing
from abc import ABC, abstractmethod
from collections import Counter, abc, deque
from collections.abc import Callable, Iterable
from dataclasses import MISSING, Field, fields, is_dataclass
from enum import Enum
from functools import cached_property
from types import NoneType, UnionType
from typing import Any, Final, Literal, TypeVar, get_args, get_origin

from typing_extensions import override

from tabletop.states.type_hints import (
    SchemaError,
    advice_instead,
    at_step,
    class_hints,
    field_type,
    strip_annotated,
    substitute,
    type_arguments,
    type_name,
)
from tabletop.wording import SHOWN_LETTERS

_SEQUENCES: Final[dict[Any, type[Any]]] = {
    list: list,
    abc.Sequence: list,
    abc.MutableSequence: list,
    abc.Collection: list,
    set: set,
    abc.Set: set,
    abc.MutableSet: set,
    frozenset: frozenset,
    tuple: tuple,
    deque: deque,
}
"""The supported annotations of collections, with the class of the decoded collection."""

_MAPPINGS: Final[dict[Any, type[Any]]] = {
    dict: dict,
    abc.Mapping: dict,
    abc.MutableMapping: dict,
    Counter: Counter,
}

# Reading annotations.


def schema_of(annotation: Any) -> Schema:
    """Return the schema of an annotation. The schema of a dataclass describes its instances."""
    annotation, notes = strip_annotated(annotation)
    schema = _schema_of(annotation)
    if notes:
        if isinstance(schema, Dataclass):  # shared by all fields of that class
            schema = schema.copy()
        schema.notes = notes
    return schema


def _schema_of(annotation: Any) -> Schema:
    origin = get_origin(annotation) or annotation
    if isinstance(annotation, TypeVar):
        return Variable(annotation)
    if origin in (typing.Union, UnionType):
        return _union(annotation)
    if isinstance(origin, type) and issubclass(origin, Enum):
        kinds = {type(member.value) for member in origin}
        return Scalar(origin) if kinds <= {str} or kinds <= {int} else EnumByName(origin)
    if isinstance(origin, type) and is_dataclass(origin):
        if annotation not in _dataclasses:
            _dataclasses[annotation] = Dataclass(annotation, origin)
        return _dataclasses[annotation]
    return _collection_of(annotation, origin) or Scalar(annotation)


def _collection_of(annotation: Any, origin: Any) -> Schema | None:
    """Return the schema of a collection, or None for any other annotation."""
    items = get_args(annotation)
    if isinstance(origin, type) and issubclass(origin, tuple) and hasattr(origin, "_fields"):
        return _named_tuple(annotation, origin)
    if origin is tuple and items and items[1:] != (...,):
        return Tuple(annotation, tuple, [at_step(n, schema_of, arg) for n, arg in enumerate(items)])
    if origin in _SEQUENCES:
        item = at_step("[...]", schema_of, items[0] if items else Any)
        return Sequence(annotation, _SEQUENCES[origin], item)
    if origin in _MAPPINGS:
        key = at_step(".keys()", schema_of, items[0] if items else Any)
        counts = int if origin is Counter else Any
        value = at_step("[...]", schema_of, items[1] if items[1:] else counts)
        return Mapping(annotation, _MAPPINGS[origin], key, value)
    return None


def _union(annotation: Any) -> Schema:
    members = [schema_of(item) for item in get_args(annotation)]
    flat: list[Schema] = []
    for member in members:
        flat += member.members if isinstance(member, Union) else [member]
    if any(member.is_any for member in flat):
        return Scalar(Any)
    optional = any(member.is_none for member in flat)
    optional |= any(isinstance(member, Union) and member.optional for member in members)
    return Union(annotation, [it for it in flat if not it.is_none], optional=optional)


def _named_tuple(annotation: Any, kind: Any) -> Schema:
    hints, given = class_hints(kind), type_arguments(annotation)
    types = [substitute(hints.get(name, Any), given) for name in kind._fields]
    steps = [f".{name}" for name in kind._fields]
    return Tuple(annotation, kind, [*map(at_step, steps, [schema_of] * len(types), types)])


def fields_of(kind: type[Any]) -> abc.Mapping[str, Schema]:
    """Return the schemas of a dataclass's fields by name. Other classes have none."""
    schema = schema_of(kind)
    return schema.fields if isinstance(schema, Dataclass) else {}


def read_class(kind: type[Any], names: abc.Mapping[str, Any]) -> Dataclass:
    """Return the schema of a new dataclass, whose annotations may also refer to `names`."""
    schema = _dataclasses[kind] = Dataclass(kind, kind)
    schema.fields = _fields(kind, names)
    return schema


def _fields(annotation: Any, names: abc.Mapping[str, Any]) -> dict[str, Schema]:
    """Return the schemas of a dataclass's fields, with type variables filled in."""
    kind, given = get_origin(annotation) or annotation, type_arguments(annotation)
    schemas = {}
    for item in fields(kind):
        step = f".{item.name}"
        hint = at_step(step, field_type, kind, item, names)
        schemas[item.name] = at_step(step, schema_of, substitute(hint, given))
    return schemas


def check_schema(schema: Schema) -> None:
    """Check that JSON can represent the values of a schema, and set `native` of its nodes.

    Raises:
        SchemaError: A part is not plain data. The message suggests a replacement.
    """
    nodes: dict[int, Schema] = {}
    _check(schema, nodes)
    changed = True
    while changed:  # repeated, because classes may contain each other
        changed = False
        for node in nodes.values():
            native = node.native and all(part.native for _, part in node.parts())
            changed = changed or native != node.native
            node.native = native
    for node in nodes.values():
        node.is_checked = True


def _check(schema: Schema, nodes: dict[int, Schema]) -> None:
    if schema.is_checked or id(schema) in nodes:
        return
    nodes[id(schema)] = schema
    schema.check()
    for step, part in schema.parts():
        at_step(step, _check, part, nodes)


# The nodes.


class Schema(ABC):
    """A node of the tree: the representation of an annotation.

    Attributes:
        annotation: The annotation without aliases and notes.
        origin: The class of the annotation, without type arguments.
        notes: The notes in `Annotated`.
        is_checked: Whether `check_schema` has accepted the schema.
        native: Whether msgspec encodes and decodes the values directly. Set by `check_schema`.
        sortable: Whether any two values can be compared with `<`.
    """

    is_checked: bool = False
    native: bool = True
    sortable: bool = False
    notes: tuple[Any, ...] = ()

    def __init__(self, annotation: Any) -> None:
        self.annotation = annotation
        self.origin: Any = get_origin(annotation) or annotation

    @property
    def is_none(self) -> bool:
        """Whether None is the only value."""
        return self.annotation in (None, NoneType)

    @property
    def is_any(self) -> bool:
        """Whether any value matches the schema."""
        return self.annotation in (Any, object)

    def parts(self) -> Iterable[tuple[str, Schema]]:
        """Return the schema of each part, with the step that leads to the part, such as `[0]`."""
        return ()

    def classes(self) -> list[Any]:
        """Return the classes of the values."""
        return [NoneType if self.origin is None else self.origin]

    def check(self) -> None:  # noqa: B027 - most have nothing to check
        """Raise a `SchemaError` if JSON cannot represent the values, regardless of their parts."""

    @abstractmethod
    def dump(self, value: Any) -> Any:
        """Return `value` in a form that msgspec can encode, or raise a `SchemaError`."""

    @abstractmethod
    def load(self, data: Any) -> Any:
        """Return the value that `data` from JSON describes, or raise a `SchemaError`."""


class Scalar(Schema):
    """A value without parts: a number, a string, an enumeration member, or another class."""

    def __init__(self, annotation: Any) -> None:
        super().__init__(annotation)
        if self.origin is Literal:
            self.sortable = len(self.classes()) == 1
        else:
            self.sortable: bool = isinstance(annotation, type) and _has_order(annotation)

    @override
    def classes(self) -> list[Any]:
        if self.origin is Literal:
            return list({type(value) for value in get_args(self.annotation)})
        return super().classes()

    @override
    def check(self) -> None:
        kind = self.annotation
        if self.is_none or self.is_any or self.origin is Literal:
            return
        if isinstance(kind, type) and issubclass(kind, Enum):
            return
        import msgspec

        try:
            info = msgspec.inspect.type_info(kind)
            msgspec.json.Decoder(kind)
        except (TypeError, NameError) as error:
            raise SchemaError(f"{type_name(kind)} is not plain data: {error}") from error
        if isinstance(info, msgspec.inspect.CustomType):
            general = "write numbers, texts and collections of them, or put @dataclass above it"
            advice = advice_instead(kind) or general
            raise SchemaError(f"{type_name(kind)} is not plain data: {advice}")

    @override
    def dump(self, value: Any) -> Any:
        return value

    @override
    def load(self, data: Any) -> Any:
        return load_value(self, data)


class Variable(Scalar):
    """An unbound type variable."""

    optional = False

    @cached_property
    def members(self) -> list[Schema]:
        """The schemas of the bound or the constraints. Empty if the variable may be any type."""
        bounds = self.annotation.__constraints__ or (self.annotation.__bound__,)
        return [schema_of(bound) for bound in bounds if bound is not None]

    @override
    def classes(self) -> list[Any]:
        return [kind for member in self.members for kind in member.classes()]

    @override
    def check(self) -> None:
        return


class EnumByName(Scalar):
    """An enumeration member whose value JSON cannot represent. It is encoded by name."""

    native = False

    @override
    def dump(self, value: Any) -> Any:
        expect(value, self.origin)
        return value.name

    @override
    def load(self, data: Any) -> Any:
        if not isinstance(data, str) or data not in self.origin.__members__:
            raise SchemaError(f"{data!r} is not a {self.origin.__name__}")
        return self.origin[data]


class Dataclass(Schema):
    """A dataclass. Its fields are read on first use, because classes may contain each other."""

    def __init__(self, annotation: Any, kind: type[Any]) -> None:
        super().__init__(annotation)
        self.kind = kind
        self.sortable: bool = _has_order(kind)

    @cached_property
    def fields(self) -> dict[str, Schema]:
        """The schemas of the fields, by name."""
        shared = _dataclasses.get(self.annotation, self)
        return _fields(self.annotation, {}) if shared is self else shared.fields

    def copy(self) -> Dataclass:
        """Return a new schema of the same class, for a field with notes."""
        return Dataclass(self.annotation, self.kind)

    @property
    def is_frozen(self) -> bool:
        """Whether the class is a frozen dataclass."""
        kind: Any = self.kind
        return bool(kind.__dataclass_params__.frozen)

    @override
    def parts(self) -> Iterable[tuple[str, Schema]]:
        return [(f".{name}", part) for name, part in self.fields.items()]

    @override
    def check(self) -> None:
        attributes = vars(self.kind)
        if "__dataclass_fields__" not in attributes:
            problem = "derives from a dataclass but is not one: write @dataclass above it"
            raise SchemaError(f"{self.kind.__name__} {problem}")
        names = {item.name for item in fields(self.kind)}
        names |= inspect.get_annotations(self.kind).keys()
        for name, value in attributes.items():
            if name in names or name.startswith("__") or not name.islower():
                continue  # a constant is in capitals
            if isinstance(value, (list, dict, set, deque)):
                kind = type(value).__name__
                factory = f"{name}: {kind}[...] = field(default_factory={kind})"
                problem = f"without an annotation, all matches share it: write {factory}"
                raise SchemaError(problem, [f".{name}"])
        class_hints(self.kind)  # msgspec resolves them in the same way when it decodes a value

    @override
    def dump(self, value: Any) -> Any:
        expect(value, self.kind)
        return {
            name: at_step(f".{name}", dump_value, part, getattr(value, name))
            for name, part in self.fields.items()
        }

    @override
    def load(self, data: Any) -> Any:
        expect(data, dict, "an object")
        # `__init__` may leave fields out, and a frozen class refuses `setattr`.
        value = object.__new__(self.kind)
        for item in fields(self.kind):
            object.__setattr__(value, item.name, self._field(item, data))
        # Lets the class recompute derived fields and reject invalid values.
        after = getattr(value, "__post_init__", None)
        if after is not None:
            after()
        return value

    def _field(self, item: Field[Any], data: dict[str, Any]) -> Any:
        if item.name in data:
            return at_step(f".{item.name}", load_value, self.fields[item.name], data[item.name])
        if item.default is not MISSING:
            return item.default
        if item.default_factory is not MISSING:
            return item.default_factory()
        raise SchemaError(f"missing required field `{item.name}`")


_dataclasses: dict[Any, Dataclass] = {}  # all schemas of dataclasses, by annotation


class Sequence(Schema):
    """A list, tuple of any length, set or deque. `kind` is the class of the decoded collection."""

    def __init__(self, annotation: Any, kind: type[Any], item: Schema) -> None:
        super().__init__(annotation)
        self.kind = kind
        self.item = item
        self.is_set: bool = kind in (set, frozenset)
        # msgspec sorts comparable items. All other sets are sorted here, by `_rank`.
        self.native: bool = kind is not deque and not (self.is_set and not item.sortable)
        self.sortable: bool = kind is tuple and item.sortable

    @override
    def parts(self) -> Iterable[tuple[str, Schema]]:
        return [("[...]", self.item)]

    @override
    def classes(self) -> list[Any]:
        return [self.kind]

    @override
    def dump(self, value: Any) -> Any:
        expect(value, self.kind)
        if getattr(value, "maxlen", None) is not None:
            raise SchemaError("a deque with a maxlen is not plain data: limit it in the rules")
        items = [at_step(n, dump_value, self.item, item) for n, item in enumerate(value)]
        return sorted(items, key=_rank) if self.is_set else items

    @override
    def load(self, data: Any) -> Any:
        expect(data, list, "an array")
        return self.kind([at_step(n, load_value, self.item, item) for n, item in enumerate(data)])


class Tuple(Schema):
    """A tuple with a schema for each item, or a named tuple."""

    def __init__(self, annotation: Any, kind: Any, items: abc.Sequence[Schema]) -> None:
        super().__init__(annotation)
        self.kind = kind
        self.items = items
        names = getattr(kind, "_fields", None)
        self.steps: list[str] = (
            [f".{name}" for name in names] if names else [f"[{n}]" for n in range(len(items))]
        )
        self.sortable: bool = all(item.sortable for item in items)

    @override
    def parts(self) -> Iterable[tuple[str, Schema]]:
        return zip(self.steps, self.items, strict=True)

    @override
    def check(self) -> None:
        hints = {} if self.kind is tuple else class_hints(self.kind)
        for name in getattr(self.kind, "_fields", ()):
            if name not in hints:
                raise SchemaError(f"the field {name} has no annotation: add one")

    @override
    def dump(self, value: Any) -> Any:
        expect(value, self.kind)
        return self._each(dump_value, value)

    @override
    def load(self, data: Any) -> Any:
        expect(data, list, "an array")
        row = self._each(load_value, data)
        return tuple(row) if self.kind is tuple else self.kind(*row)

    def _each(self, convert: Callable[[Schema, Any], Any], values: abc.Sequence[Any]) -> list[Any]:
        if len(values) != len(self.items):
            raise SchemaError(f"expected {len(self.items)} items, got {len(values)}")
        each = zip(self.steps, self.items, values, strict=True)
        return [at_step(step, convert, item, value) for step, item, value in each]


class Mapping(Schema):
    """A dictionary, encoded as a list of pairs, sorted by key, unless its keys are strings."""

    def __init__(self, annotation: Any, kind: type[Any], key: Schema, value: Schema) -> None:
        super().__init__(annotation)
        self.kind = kind
        self.key = key
        self.value = value
        self.has_texts: bool = _is_text(key)
        self.native: bool = self.has_texts and kind is dict

    @override
    def parts(self) -> Iterable[tuple[str, Schema]]:
        return [(".keys()", self.key), ("[...]", self.value)]

    @override
    def classes(self) -> list[Any]:
        return [self.kind]

    @override
    def dump(self, value: Any) -> Any:
        expect(value, self.kind)
        pairs = [self._pair(dump_value, key, item) for key, item in value.items()]
        return dict(pairs) if self.has_texts else sorted(pairs, key=_rank)

    @override
    def load(self, data: Any) -> Any:
        pairs: Iterable[Any]
        if self.has_texts:
            pairs = expect(data, dict, "an object").items()
        else:
            pairs = expect(data, list, "an array")
            if any(type(pair) is not list or len(pair) != 2 for pair in pairs):
                raise SchemaError("expected pairs of a key and a value")
        return self.kind(dict(self._pair(load_value, *pair) for pair in pairs))

    def _pair(self, convert: Callable[[Schema, Any], Any], key: Any, item: Any) -> list[Any]:
        try:
            converted = convert(self.key, key)
        except SchemaError as error:
            error.path[:] = [f".keys()[{key!r}]"]
            raise
        return [converted, at_step(f"[{key!r}]", convert, self.value, item)]


def _is_text(key: Schema) -> bool:
    """Return whether all keys are strings or have no annotation."""
    if not isinstance(key, Scalar) or isinstance(key, Variable):
        return False
    return key.is_any or all(
        isinstance(kind, type) and issubclass(kind, str) for kind in key.classes()
    )


class Union(Schema):
    """A value of one of several types, encoded with the class name if msgspec needs it."""

    def __init__(self, annotation: Any, members: abc.Sequence[Schema], *, optional: bool) -> None:
        super().__init__(annotation)
        self.members = members
        self.optional = optional

    @cached_property
    def _by_class(self) -> dict[type[Any], Schema]:
        return {kind: member for member in self.members for kind in member.classes()}

    @cached_property
    def _by_name(self) -> dict[str, Schema]:
        return {kind.__name__: member for kind, member in self._by_class.items()}

    @override
    def parts(self) -> Iterable[tuple[str, Schema]]:
        return [("", member) for member in self.members]

    @override
    def classes(self) -> list[Any]:
        return [*self._by_class, NoneType] if self.optional else [*self._by_class]

    @override
    def check(self) -> None:
        import msgspec

        names = [kind.__name__ for member in self.members for kind in member.classes()]
        for name, number in Counter(names).items():
            if number > 1:
                problem = f"{type_name(self.annotation)} has several types with the name {name}"
                raise SchemaError(f"{problem}: write one of them, or rename a class")
        try:
            self.native: bool = len(names) == 1 or bool(msgspec.json.Decoder(self.annotation))
        except (TypeError, NameError):
            self.native = False

    @override
    def dump(self, value: Any) -> Any:
        if value is None and self.optional:
            return None
        member = self._by_class.get(type(value))
        if member is None:
            names = " or ".join(self._by_name)
            raise SchemaError(f"{describe_value(value)} is not a {names}: correct the annotation")
        data = dump_value(member, value)
        return data if len(self._by_class) == 1 else {type(value).__name__: data}

    @override
    def load(self, data: Any) -> Any:
        if data is None and self.optional:
            return None
        if len(self._by_class) == 1:
            [only] = self._by_class.values()
            return load_value(only, data)
        expect(data, dict, "an object")
        if len(data) != 1 or next(iter(data)) not in self._by_name:
            raise SchemaError(f"expected one of {', '.join(self._by_name)}, by name")
        [(name, content)] = data.items()
        return load_value(self._by_name[name], content)


# Values.


def dump_value(schema: Schema, value: Any) -> Any:
    """Return `value` in a form that msgspec can encode."""
    return value if schema.native else schema.dump(value)


def load_value(schema: Schema, data: Any) -> Any:
    """Return the value that `data` describes."""
    if not schema.native:
        return schema.load(data)
    import msgspec

    try:
        # Keys in JSON are strings. `str_keys` converts those of a dictionary back to numbers.
        return msgspec.convert(data, schema.annotation, str_keys=True)
    except msgspec.ValidationError as error:
        problem, _, path = str(error).partition(" - at `$")
        raise SchemaError(problem, [path.rstrip("`")] if path else []) from error


def expect(value: Any, kind: type[Any], wanted: str = "") -> Any:
    """Return `value` if its class is exactly `kind`, or raise a `SchemaError`."""
    # A subclass is rejected, because its additional fields would be lost.
    if type(value) is kind:
        return value
    if wanted:
        raise SchemaError(f"expected {wanted}, got {type(value).__name__}")
    raise SchemaError(f"{describe_value(value)} is not a {kind.__name__}: correct the annotation")


def describe_value(value: object) -> str:
    """Return the text of a value and its class, for messages."""
    return f"{quote_value(value)} ({type(value).__name__})"


def quote_value(value: object) -> str:
    """Return the text of a value for messages, shortened if it is long."""
    text = str(value) if isinstance(value, Enum) else repr(value)
    return text if len(text) <= SHOWN_LETTERS else f"{text[:SHOWN_LETTERS]}..."


def _has_order(kind: Any) -> bool:
    """Return whether two instances of a class can be compared with `<`."""
    return getattr(kind, "__lt__", None) is not getattr(object, "__lt__", None)


# Numbers of all types are comparable with each other, but not with strings or None.
_ORDER: Final[dict[type[Any], int]] = {NoneType: 0, bool: 1, int: 1, float: 1, str: 2}


def _rank(value: Any) -> tuple[int, Any]:
    """Return a sort key for values of mixed types. It does not depend on hashes."""
    if isinstance(value, (list, tuple)):
        return 3, [_rank(item) for item in value]
    if isinstance(value, Enum):
        return _rank(value.value)
    place = _ORDER.get(type(value))
    if place is None:
        import msgspec

        return 4, msgspec.json.encode(value, order="deterministic")
    return place, 0 if value is None else value
