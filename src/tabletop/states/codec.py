"""States as JSON, and the digests made of it.

msgspec does the work: dataclasses in, validated dataclasses out. It is imported at the first use.
Values for which JSON has no type (a dictionary with tuples as keys, one of two classes) are written
by the schema of their class. `docs/concepts/state.md` lists the types a state may use.
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
"""The order of keys in JSON: as they lie, or sorted, so that equal values give equal bytes."""

_COLLECTIONS: Final = (list, tuple, set, frozenset, deque)


def to_json(value: object, order: Order = "deterministic") -> bytes:
    """Encode `value` as JSON, the same bytes on every Python: keys and sets in sorted order.

    With None as `order`, keys keep their order, for people's eyes.

    Raises:
        ContractError: JSON cannot express a value in it; the message names the field and what to
            write instead.
    """
    try:
        return _writer(type(value), order)(value)
    except Exception as error:
        raise _as_contract_error(value, error) from error


def in_fixed_order(things: Iterable[T]) -> list[T]:
    """Sort things into an order that does not depend on the one in which they come.

    `redeal` shuffles hidden things from this order. Otherwise the draws of the shuffle would reveal
    where each thing lay.
    """
    found: list[Any] = list(things)
    # Numbers and texts are told apart by their own order; others may compare by rank alone.
    is_plain = {type(thing) for thing in found} in ({int}, {str})
    return sorted(found) if is_plain else sorted(found, key=to_json)


def digest(state: object, streams: Mapping[str, int]) -> str:
    """Hash a state and the offsets of its streams: 32 hexadecimal digits.

    Records contain it; it is the same in every process.

    Raises:
        ContractError: as `to_json`.
    """
    # `person` separates these digests from every other hash of the same data.
    data = b"[%b,%b]" % (to_json(state), to_json(streams))
    return blake2b(data, digest_size=16, person=b"tt.digest").hexdigest()


def key(state: object) -> bytes:
    """Return a lookup key for searches: equal for equal states of a class, else different.

    The key is the JSON of the state, without its streams: 1, 1.0 and `True` differ. It may change
    from one version of `tabletop` to the next.

    Raises:
        ContractError: as `to_json`.

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
    # Imported and made once, at the first use, to keep `import tabletop` and each call light.
    import msgspec

    encode, schema = msgspec.json.Encoder(order=order).encode, _needed_schema(kind)
    return encode if schema is None else lambda value: encode(schema.dump(value))


def _as_contract_error(value: object, error: Exception) -> Exception:
    """Return the error to raise for a `value` that cannot be written."""
    import msgspec

    name = type(value).__name__
    if isinstance(error, SchemaError):
        what = error.at(name)
    elif isinstance(error, (TypeError, ValueError, RecursionError, msgspec.MsgspecError)):
        try:
            check_schema(schema_of(type(value)))
            what = find_problem(value, name) or _bad_key(value, name) or str(error)
        except SchemaError as wrong:
            what = wrong.at(name)
        except RecursionError:
            what = "its parts hold parts, hundreds deep; keep them in one list, by number"
    else:
        return error
    return ContractError(f"a {name} is not plain data: {what}")


def from_json(data: bytes | str, kind: type[T], called: str = "") -> T:
    """Decode the `kind` that `data` describes, which messages call its class, or `called`.

    Raises:
        ContractError: the data does not describe one; the message says where.
    """
    import msgspec

    try:
        schema = _needed_schema(kind)
        if schema is None:
            return msgspec.json.decode(data, type=kind)
        read: T = schema.load(msgspec.json.decode(data))
    except SchemaError as error:
        raise ContractError(f"this is no {called or kind.__name__}: {error.at('$')}") from error
    except (TypeError, ValueError, NameError, RecursionError, msgspec.MsgspecError) as error:
        raise ContractError(f"this is no {called or kind.__name__}: {error}") from error
    return read


def to_builtins(value: object) -> Any:
    """Convert `value` to dicts, lists, texts and numbers.

    Raises:
        ContractError: JSON cannot express a value in it.
    """
    return from_json(to_json(value), object)


def check_plain(kind: type[Any]) -> None:
    """Accept a class of states, or raise an error for a field that JSON cannot write and read back.

    Raises:
        ContractError: a field has no annotation, or one that is no plain data; names the field, and
            says what to write instead.

    >>> from dataclasses import dataclass
    >>> @dataclass
    ... class Position:
    ...     hands: dict[str, range]
    >>> try:
    ...     check_plain(Position)
    ... except ContractError as error:
    ...     print(error)
    Position.hands[...]: range is no plain data; write a tuple of its bounds
    """
    try:
        check_schema(schema_of(kind))
    except SchemaError as error:
        raise ContractError(error.at(kind.__name__)) from error


@cached_by_class  # to read a class takes far longer than to write a state
def _needed_schema(kind: type[Any]) -> Schema | None:
    """Return the schema of a class where msgspec needs help with it; None elsewhere."""
    try:
        schema = schema_of(kind)
        check_schema(schema)
    except SchemaError:  # msgspec may still write it; `check_plain` reports the fault
        return None
    return None if schema.native else schema


# Faults, and differences.


def find_problem(value: object, path: str) -> str | None:
    """Name the first part of `value` (at `path`) that cannot be written, and what to write instead.

    Keys other than texts are left out: only annotations decide whether they can be written.
    """
    return _first(_problem(*found) for found in _walk(value, path))


def _bad_key(value: object, path: str) -> str | None:
    """Describe the first key in `value` that is no text, or set without an order, with a fix."""
    for at, held, _ in _walk(value, path):
        if isinstance(held, (set, frozenset)) and len({type(item) for item in held}) > 1:
            return f"{at}: its items have no order; annotate what they are: set[int | str]"
        for key in held if isinstance(held, dict) else ():
            if not isinstance(key, str):
                hint = f"annotate the keys as what they are: dict[{type(key).__name__}, ...]"
                return f"{at}: the key {key!r} is no text; {hint}"
    return None


def _walk(
    value: object, path: str, above: tuple[int, ...] = ()
) -> Iterator[tuple[str, object, bool]]:
    """Yield the path of each value inside a value, that value, and whether it contains itself."""
    # By identity: a value may hold others that are equal to it, but not itself.
    holds_itself = id(value) in above
    yield path, value, holds_itself
    if not holds_itself:
        for step, item in _parts(value):
            yield from _walk(item, path + step, (*above, id(value)))


def _parts(value: Any) -> Iterator[tuple[str, object]]:
    """Yield the values inside a value, each with the text of the step to it."""
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


def _problem(path: str, value: object, holds_itself: bool) -> str | None:
    import msgspec

    if holds_itself:
        return f"{path}: it holds itself; let one of the two keep an id of the other"
    if isinstance(value, float) and not isfinite(value):
        return f"{path}: {value} is no number that JSON can say; write None, or a whole number"
    if isinstance(value, (dict, *_COLLECTIONS)) or _is_object(value):
        return None
    try:
        msgspec.json.encode(value)
    except UnicodeEncodeError:
        return f"{path}: {value!r} holds half a character"
    except (TypeError, ValueError, RecursionError, msgspec.MsgspecError):
        own = f"make {type(value).__name__} a dataclass with an annotation for all that it holds"
        hint = advice_instead(type(value)) or own
        if isinstance(value, type) or callable(value):
            hint = "keep a name, and let the rules find it by that"
        return f"{path}: {quote_value(value)} is no plain data; {hint}"
    return None


def difference(one: object, other: object, path: str) -> str | None:
    """Describe the first difference (of values or classes) of two values called `path`, or None."""
    if type(one) is not type(other):
        return f"{path}: {describe_value(one)} becomes {describe_value(other)}"
    what = None
    if isinstance(one, (dict, set, frozenset)):
        what = _key_difference(one, other, path)
    elif isinstance(one, _COLLECTIONS) or _is_object(one):
        what = _part_difference(one, other, path)
    return what or (
        None if one == other else f"{path}: {quote_value(one)} becomes {quote_value(other)}"
    )


def _part_difference(one: Any, other: Any, path: str) -> str | None:
    if isinstance(one, _COLLECTIONS) and len(one) != len(other):
        return f"{path}: {plural(len(one), 'item')} become {len(other)}"
    pairs = zip(_parts(one), _parts(other), strict=True)
    what = _first(difference(mine, its, path + step) for (step, mine), (_, its) in pairs)
    return what or _lost_attribute(one, other, path)


def _key_difference(one: Any, other: Any, path: str) -> str | None:
    """Describe the first difference of two dictionaries, or of two sets."""
    word = "the key " if isinstance(one, dict) else ""
    # The keys themselves: equal keys may still be of different classes, as 1 and True.
    kept = {key: key for key in other}
    for key in one:
        if key not in kept:
            return f"{path}: {word}{describe_value(key)} is lost"
        what = difference(key, kept[key], f"{path}, {word}{key!r}")
        if what is None and isinstance(one, dict):
            what = difference(one[key], other[key], f"{path}[{key!r}]")
        if what:
            return what
    return _first(f"{path}: {word}{describe_value(key)} is new" for key in other if key not in one)


def _lost_attribute(one: Any, other: Any, path: str) -> str | None:
    """Find an attribute that an object has beside its fields, unless it can be computed again."""
    names = {item.name for item in fields(one)} if _is_object(one) else set()
    for name, item in getattr(one, "__dict__", {}).items():
        if name in names or isinstance(getattr(type(one), name, None), cached_property):
            continue
        if name not in vars(other) or difference(item, vars(other)[name], path):
            hint = f"{name}: {type(item).__name__}"
            return f"{path}.{name}: it is no field, and lost; annotate it in the class: {hint}"
    return None


def _first(found: Iterable[str | None]) -> str | None:
    return next(filter(None, found), None)
