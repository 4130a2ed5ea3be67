"""JSON for states, and digests of that JSON.

msgspec encodes dataclasses, and decodes and validates them. It is imported on first use. Values for
which JSON has no type, such as a dictionary with tuples as keys, are converted by the schema of
their class. `docs/concepts/state.md` lists the types that a state may use.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import fields, is_dataclass
from functools import cached_property
from hashlib import blake2b
from math import isfinite
from typing import Any, Final, Literal, TypeAlias, TypeVar

from tabletop.errors import ContractError
from tabletop.states.schema import Schema, check_schema, describe_value, quote_value, schema_of
from tabletop.states.type_hints import SchemaError, advice_instead, cached_by_class
from tabletop.wording import plural

__all__ = [
    "check_plain",
    "difference",
    "digest",
    "find_problem",
    "from_json",
    "in_fixed_order",
    "key",
    "to_builtins",
    "to_json",
]

T = TypeVar("T")

Order: TypeAlias = Literal["deterministic"] | None
"""The order of keys in JSON: sorted, so that equal values give equal bytes, or None to keep the
order.
"""

_COLLECTIONS: Final = (list, tuple, set, frozenset, deque)


def to_json(value: object, order: Order = "deterministic") -> bytes:
    """Encode `value` as JSON. Equal values give the same bytes in every version of Python.

    Args:
        value: A state, action, event or other plain data.
        order: Keys and sets are sorted by default. None keeps the order of keys, for display.

    Raises:
        ContractError: JSON cannot represent a part of the value. The message names the field and
            suggests a replacement.
    """
    try:
        return _writer(type(value), order)(value)
    except Exception as error:
        raise _as_contract_error(value, error) from error


def in_fixed_order(things: Iterable[T]) -> list[T]:
    """Sort items into an order that does not depend on their current order.

    `redeal` sorts hidden items before it shuffles them. Otherwise, a player who knows the draws of
    the shuffle could infer where each item was.
    """
    items: list[Any] = list(things)
    # Only numbers and strings have an order in which different items never compare as equal. Cards,
    # for example, may compare by rank alone.
    is_plain = {type(item) for item in items} in ({int}, {str})
    return sorted(items) if is_plain else sorted(items, key=to_json)


def digest(state: object, streams: Mapping[str, int]) -> str:
    """Return a hash of a state and the offsets of its streams: 32 hexadecimal digits.

    The digest is the same in every process. Records contain it.

    Raises:
        ContractError: JSON cannot represent a part of the state.
    """
    # `person` separates these digests from every other hash of the same data.
    data = b"[%b,%b]" % (to_json(state), to_json(streams))
    return blake2b(data, digest_size=16, person=b"tt.digest").hexdigest()


def key(state: object) -> bytes:
    """Return a lookup key for searches.

    Two states of the same class have equal keys if the states are equal.

    The key is the JSON of the state, so 1, 1.0 and `True` have different keys. Offsets of streams
    are not part of it. The key may differ between versions of `tabletop`.

    Raises:
        ContractError: JSON cannot represent a part of the state.

    >>> from tabletop import State, state
    >>> @state
    ... class Heaps(State):
    ...     sizes: list[int]
    ...     turn: int = 0
    >>> heaps = Heaps([3, 5])
    >>> key(heaps) == key(heaps.clone()), key(heaps) == key(Heaps([5, 3]))
    (True, False)
    """
    return to_json(state)


@cached_by_class
def _writer(kind: type[Any], order: Order) -> Callable[[object], bytes]:
    # Imported on first use and cached, which keeps `import tabletop` and each call fast.
    import msgspec

    encode, schema = msgspec.json.Encoder(order=order).encode, _needed_schema(kind)
    return encode if schema is None else lambda value: encode(schema.dump(value))


def _as_contract_error(value: object, error: Exception) -> Exception:
    """Return the error to raise if `value` cannot be encoded."""
    import msgspec

    name = type(value).__name__
    if isinstance(error, SchemaError):
        problem = error.at(name)
    elif isinstance(error, (TypeError, ValueError, RecursionError, msgspec.MsgspecError)):
        try:
            check_schema(schema_of(type(value)))
            problem = find_problem(value, name) or _bad_key(value, name) or str(error)
        except SchemaError as schema_error:
            problem = schema_error.at(name)
        except RecursionError:
            problem = "it is nested hundreds of levels deep: store the parts in a list, by index"
    else:
        return error
    return ContractError(f"{name} is not plain data: {problem}")


def from_json(data: bytes | str, kind: type[T], name: str = "") -> T:
    """Decode and validate a value from JSON.

    Args:
        data: The JSON.
        kind: The class of the value.
        name: The name of the value in error messages. By default, the name of its class.

    Raises:
        ContractError: The data does not describe such a value. The message names the wrong part.
    """
    import msgspec

    try:
        schema = _needed_schema(kind)
        if schema is None:
            return msgspec.json.decode(data, type=kind)
        value: T = schema.load(msgspec.json.decode(data))
    except SchemaError as error:
        raise ContractError(f"not a valid {name or kind.__name__}: {error.at('$')}") from error
    except (TypeError, ValueError, NameError, RecursionError, msgspec.MsgspecError) as error:
        raise ContractError(f"not a valid {name or kind.__name__}: {error}") from error
    return value


def to_builtins(value: object) -> Any:
    """Convert `value` to dictionaries, lists, strings and numbers.

    Raises:
        ContractError: JSON cannot represent a part of the value.
    """
    return from_json(to_json(value), object)


def check_plain(kind: type[Any]) -> None:
    r"""Check that states of a class can be written as JSON and read back.

    Raises:
        ContractError: A field has no annotation, or its type is not plain data. The message names
            the field and suggests a replacement.

    >>> from dataclasses import dataclass
    >>> @dataclass
    ... class Position:
    ...     rows: range
    >>> try:
    ...     check_plain(Position)
    ... except ContractError as error:
    ...     print(*str(error).split(": "), sep="\n")
    Position.rows
    range is not plain data
    write a tuple with the start and the stop of the range
    """
    try:
        check_schema(schema_of(kind))
    except SchemaError as error:
        raise ContractError(error.at(kind.__name__)) from error


@cached_by_class  # reading a class takes far longer than encoding a state
def _needed_schema(kind: type[Any]) -> Schema | None:
    """Return the schema of a class if msgspec cannot handle the class alone, or None."""
    try:
        schema = schema_of(kind)
        check_schema(schema)
    except SchemaError:  # msgspec may still encode it, and `check_plain` reports the problem
        return None
    return None if schema.native else schema


# Problems and differences.


def find_problem(value: object, path: str) -> str | None:
    """Describe the first part of `value` (at `path`) that cannot be encoded, with a replacement.

    Keys other than strings are not checked, because they are allowed if the annotation names their
    type.
    """
    return _first(_problem(*part) for part in _walk(value, path))


def _bad_key(value: object, path: str) -> str | None:
    """Describe the first unsupported key or set without an order, with a replacement."""
    for place, part, _ in _walk(value, path):
        if isinstance(part, (set, frozenset)) and len({type(item) for item in part}) > 1:
            return f"{place}: its items have no order: annotate their types, as in set[int | str]"
        for key in part if isinstance(part, dict) else ():
            if not isinstance(key, str):
                hint = f"annotate the type of the keys, as in dict[{type(key).__name__}, ...]"
                return f"{place}: the key {key!r} is not a text: {hint}"
    return None


def _walk(
    value: object, path: str, above: tuple[int, ...] = ()
) -> Iterator[tuple[str, object, bool]]:
    """Yield the path of each nested value, the value, and whether it contains itself."""
    # Compared by identity, because a value may contain others that are equal to it.
    contains_itself = id(value) in above
    yield path, value, contains_itself
    if not contains_itself:
        for step, item in _parts(value):
            yield from _walk(item, path + step, (*above, id(value)))


def _parts(value: Any) -> Iterator[tuple[str, object]]:
    """Yield the direct parts of a value, each with the step that leads to it, such as `[0]`."""
    if isinstance(value, dict):
        yield from ((f"[{key!r}]", item) for key, item in value.items())
    elif isinstance(value, _COLLECTIONS):
        names = getattr(value, "_fields", range(len(value)))
        steps = (f".{name}" if isinstance(name, str) else f"[{name}]" for name in names)
        yield from zip(steps, value, strict=True)
    elif _is_object(value):
        yield from ((f".{item.name}", getattr(value, item.name, None)) for item in fields(value))


def _is_object(value: object) -> bool:
    return is_dataclass(value) and not isinstance(value, type)


def _problem(path: str, value: object, contains_itself: bool) -> str | None:
    import msgspec

    if contains_itself:
        return f"{path}: it contains itself: in one of the two places, store an id instead"
    if isinstance(value, float) and not isfinite(value):
        return f"{path}: JSON cannot represent {value}: use None or a whole number"
    if isinstance(value, (dict, *_COLLECTIONS)) or _is_object(value):
        return None
    try:
        msgspec.json.encode(value)
    except UnicodeEncodeError:
        return f"{path}: {value!r} contains half a character (a lone surrogate): write it again"
    except (TypeError, ValueError, RecursionError, msgspec.MsgspecError):
        name = type(value).__name__
        hint = advice_instead(type(value)) or f"make {name} a dataclass, and annotate its fields"
        if isinstance(value, type) or callable(value):
            hint = "store a name, and let the rules look it up"
        return f"{path}: {quote_value(value)} is not plain data: {hint}"
    return None


def difference(before: object, after: object, path: str) -> str | None:
    """Describe the first difference between two values or their classes, or return None.

    Args:
        before: The first value.
        after: The second value.
        path: The name of the value in the description.
    """
    if type(before) is not type(after):
        return f"{path}: {describe_value(before)} becomes {describe_value(after)}"
    inside = None
    if isinstance(before, (dict, set, frozenset)):
        inside = _key_difference(before, after, path)
    elif isinstance(before, _COLLECTIONS) or _is_object(before):
        inside = _part_difference(before, after, path)
    if inside or before == after:
        return inside
    return f"{path}: {quote_value(before)} becomes {quote_value(after)}"


def _part_difference(before: Any, after: Any, path: str) -> str | None:
    if isinstance(before, _COLLECTIONS) and len(before) != len(after):
        return f"{path}: {plural(len(before), 'item')} become {len(after)}"
    pairs = zip(_parts(before), _parts(after), strict=True)
    inside = _first(difference(old, new, path + step) for (step, old), (_, new) in pairs)
    return inside or _lost_attribute(before, after, path)


def _key_difference(before: Any, after: Any, path: str) -> str | None:
    """Describe the first difference between two dictionaries or two sets."""
    word = "the key " if isinstance(before, dict) else ""
    # Look up the keys themselves, because equal keys may differ in class, such as 1 and True.
    kept = {key: key for key in after}
    for key in before:
        if key not in kept:
            return f"{path}: {word}{describe_value(key)} is lost"
        changed = difference(key, kept[key], f"{path}, {word}{key!r}")
        if changed is None and isinstance(before, dict):
            changed = difference(before[key], after[key], f"{path}[{key!r}]")
        if changed:
            return changed
    added = (key for key in after if key not in before)
    return _first(f"{path}: {word}{describe_value(key)} is added" for key in added)


def _lost_attribute(before: Any, after: Any, path: str) -> str | None:
    """Describe a changed attribute that is neither a field nor a `cached_property`."""
    names = {item.name for item in fields(before)} if _is_object(before) else set()
    for name, item in getattr(before, "__dict__", {}).items():
        if name in names or isinstance(getattr(type(before), name, None), cached_property):
            continue
        if name not in vars(after) or difference(item, vars(after)[name], path):
            hint = f"{name}: {type(item).__name__}"
            return f"{path}.{name}: lost because it is not a field: annotate it, as in `{hint}`"
    return None


def _first(problems: Iterable[str | None]) -> str | None:
    return next(filter(None, problems), None)
