"""States as JSON, and the digests made of it.

msgspec does the work: dataclasses in, validated dataclasses out. It is imported here and in
`record`, and only when something is to be written or compared.
"""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import blake2b
from typing import Any, Literal, TypeVar

from tabletop.errors import ContractError

T = TypeVar("T")


def to_json(value: object, order: Literal["deterministic"] | None = "deterministic") -> bytes:
    """`value` as JSON, the same bytes on every Python: keys and sets in sorted order.

    Args:
        value: plain data.
        order: None keeps keys in the order they stand in, for people's eyes.

    Raises:
        ContractError: it holds something that JSON cannot say.
    """
    import msgspec

    try:
        return msgspec.json.encode(value, order=order)
    except (TypeError, ValueError, RecursionError, msgspec.MsgspecError) as error:
        message = f"a {type(value).__name__} is not plain data: {error}"
        raise ContractError(message) from error


def from_json(data: bytes | str, kind: type[T]) -> T:
    """The `kind` that `data` describes.

    Raises:
        ContractError: it describes none; the message says where.
    """
    import msgspec

    try:
        return msgspec.json.decode(data, type=kind)
    except (TypeError, ValueError, RecursionError, msgspec.MsgspecError) as error:
        raise ContractError(f"this is no {kind.__name__}: {error}") from error


def to_builtins(value: object) -> Any:
    """`value` as dicts, lists, texts and numbers.

    Raises:
        ContractError: it holds something that JSON cannot say.
    """
    return from_json(to_json(value), object)


def digest(state: object, streams: Mapping[str, int]) -> str:
    """32 hexadecimal digits that stand for a state and the positions of its streams."""
    return blake2b(to_json([state, streams]), digest_size=16, person=b"tt.digest").hexdigest()
