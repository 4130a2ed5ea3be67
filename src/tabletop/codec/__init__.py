"""States as JSON, and the digests made of it.

msgspec does the work: dataclasses in, validated dataclasses out. It is imported here, in `record`
and where a record is read, and only when something is to be written or compared. What JSON has no
word for (a dictionary with tuples as keys, a choice of two classes) is said by the shapes that the
annotations of a class stand for. What a state can be made of is told in `docs/guide/state.md`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cache
from hashlib import blake2b
from typing import Any, Literal, TypeAlias, TypeVar

from tabletop.codec.annotations import shape_of
from tabletop.codec.shape import Misfit, Shape
from tabletop.codec.trouble import difference, odd_key, trouble
from tabletop.errors import ContractError

__all__ = [
    "check_plain",
    "difference",
    "digest",
    "from_json",
    "in_fixed_order",
    "key",
    "to_builtins",
    "to_json",
    "trouble",
]

T = TypeVar("T")

Order: TypeAlias = Literal["deterministic"] | None

_shapes: dict[type[Any], Shape | None] = {}
"""For every class that was written or read: its shape, or None where msgspec needs no help."""


def to_json(value: object, order: Order = "deterministic") -> bytes:
    """`value` as JSON, the same bytes on every Python: keys and sets in sorted order.

    Args:
        value: plain data.
        order: None keeps keys in the order they stand in, for people's eyes.

    Raises:
        ContractError: it holds something that JSON cannot say; names the field, and says what to
            write instead.
    """
    kind = type(value)
    try:
        shape = _shapes[kind] if kind in _shapes else _learn(kind)
        return _encoder(order)(value if shape is None else shape.dump(value))
    except Exception as error:
        raise _as_contract_error(value, error) from error


def in_fixed_order(things: Iterable[T]) -> list[T]:
    """Things in an order that does not depend on the one in which they come.

    `redeal` shuffles what is hidden from there. Else whoever knows what the shuffle draws could
    work back to where each thing lay.
    """
    found: list[Any] = list(things)
    # Numbers and texts are told apart by their own order; others may compare by rank alone.
    is_plain = {type(thing) for thing in found} in ({int}, {str})
    return sorted(found) if is_plain else sorted(found, key=to_json)


def digest(state: object, streams: Mapping[str, int]) -> str:
    """A hash of a state and of the offsets of its streams: 32 hexadecimal digits.

    It stands in records, and is the same in every process. To look positions up in a search,
    `key` is faster.

    Raises:
        ContractError: as `to_json`.
    """
    # `person` makes digests differ from every other hash of the same data.
    data = b"[%b,%b]" % (to_json(state), to_json(streams))
    return blake2b(data, digest_size=16, person=b"tt.digest").hexdigest()


def key(state: object) -> bytes:
    """What a state is looked up by in a search: equal for equal states of a class, else different.

    1, 1.0 and `True` are different there, as in a digest. Fewer bytes than JSON, in less time than
    a `digest`; chance is left out. Like that it hangs on nothing but what is in the state, and is
    the same in every process; from one version of `tabletop` to the next it may change.

    Raises:
        ContractError: as `to_json`.

    >>> from tabletop import State, state
    >>> @state
    ... class Heaps(State):
    ...     sizes: list[int]
    ...     turn: int = 0
    >>> key(Heaps([3, 5])) == key(Heaps([3, 5]).clone()), key(Heaps([3, 5])) == key(Heaps([5, 3]))
    (True, False)
    """
    kind = type(state)
    shape = _shapes[kind] if kind in _shapes else _learn(kind)
    if shape is not None:
        return to_json(state)
    try:
        return _packer()(state)
    except Exception:  # what msgpack cannot say is written, or refused, as JSON
        return to_json(state)


@cache
def _encoder(order: Order) -> Callable[[object], bytes]:
    # Imported at the first use, and made once: `import tabletop` and each call stay light.
    import msgspec

    return msgspec.json.Encoder(order=order).encode


@cache
def _packer() -> Callable[[object], bytes]:
    import msgspec

    return msgspec.msgpack.Encoder(order="deterministic").encode


def _as_contract_error(value: object, error: Exception) -> Exception:
    """What to raise when `value` could not be written."""
    import msgspec

    name = type(value).__name__
    if isinstance(error, Misfit):
        what = error.at(name)
    elif isinstance(error, (TypeError, ValueError, RecursionError, msgspec.MsgspecError)):
        try:
            wrong = _oddity(value, name) or trouble(value, name) or odd_key(value, name)
        except RecursionError:
            wrong = "its parts hold parts, hundreds deep; keep them in one list, by number"
        what = wrong or str(error)
    else:
        return error
    return ContractError(f"a {name} is not plain data: {what}")


def _oddity(value: object, name: str) -> str:
    """What is wrong with the annotations of a state, if that is why it cannot be written."""
    try:
        shape_of(type(value))
    except Misfit as error:
        return error.at(name) if error.path else ""
    return ""


def from_json(data: bytes | str, kind: type[T]) -> T:
    """The `kind` that `data` describes.

    Raises:
        ContractError: the data does not describe one; the message says where.
    """
    import msgspec

    try:
        shape = _shapes[kind] if kind in _shapes else _learn(kind)
        if shape is None:
            return msgspec.json.decode(data, type=kind)
        read: T = shape.load(msgspec.json.decode(data))
    except Misfit as error:
        raise ContractError(f"this is no {kind.__name__}: {error.at('$')}") from error
    except (TypeError, ValueError, NameError, RecursionError, msgspec.MsgspecError) as error:
        raise ContractError(f"this is no {kind.__name__}: {error}") from error
    return read


def to_builtins(value: object) -> Any:
    """`value` as dicts, lists, texts and numbers.

    Raises:
        ContractError: it holds something that JSON cannot say.
    """
    return from_json(to_json(value), object)


def check_plain(kind: type[Any]) -> None:
    """Accept a class of states, or say what in it cannot be written down and read back.

    Raises:
        ContractError: a field has no annotation, or one that is no plain data; names the field, and
            says what to write instead.

    >>> from dataclasses import dataclass
    >>> @dataclass
    ... class Table:
    ...     hands: dict[str, range]
    >>> check_plain(Table)
    Traceback (most recent call last):
        ...
    tabletop.errors.ContractError: Table.hands[...]: range is no plain data; write a tuple of its \
bounds
    """
    try:
        shape_of(kind)
    except Misfit as error:
        raise ContractError(error.at(kind.__name__)) from error


def _learn(kind: type[Any]) -> Shape | None:
    """The shape of a class, where msgspec needs help with it; remembered."""
    try:
        shape = shape_of(kind)
    except Misfit:  # msgspec may still write it; `check_plain` tells what is wrong
        helped = None
    else:
        helped = None if shape.native else shape
    # Remembered for each class, because working it out takes far longer than writing a state.
    _shapes[kind] = helped
    return helped
