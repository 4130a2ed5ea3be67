"""The hash of what states begin with, where that stays the same from move to move.

A board or a scenario that never changes often stands in the first fields of a state. The hash of
everything goes on from the hash of that part, which is worked out once for each board.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import takewhile
from typing import TYPE_CHECKING, Any, Final

from tabletop.codec.mirrors import is_constant, native_shape
from tabletop.codec.shapes import Fields, Items

if TYPE_CHECKING:
    from hashlib import blake2b


class Beginning:
    """What the JSON of the states of a class begins with.

    Args:
        kind: the class; one that has a `beginning_of`.
        names: its first fields, which never change.
        nothing: the hash of no bytes.

    Attributes:
        known: the bytes that were begun with last, and their hash, which is not to be changed.
    """

    def __init__(self, kind: type[Any], names: list[str], nothing: blake2b) -> None:
        import msgspec

        self._names: Final = names
        self._nothing: Final = nothing
        self._holder: Final = msgspec.defstruct(kind.__name__, [(name, object) for name in names])
        self._encode: Final[Callable[[Any], bytes]] = msgspec.json.Encoder().encode
        self.known = b"", nothing

    def learn(self, said: Any, data: bytes) -> tuple[bytes, blake2b]:
        """What `data` begins with, and its hash: when it begins otherwise than what is known.

        Args:
            said: the state.
            data: JSON of a list with the state as its first item.
        """
        alone = self._encode(self._holder(*[getattr(said, name) for name in self._names]))
        start = b"[" + alone[:-1]  # the brace that ends it
        if not data.startswith(start):
            return b"", self._nothing
        hashed = self._nothing.copy()
        hashed.update(start)
        # Assigned at once: another thread finds either one or the other.
        self.known = known = start, hashed
        return known


def beginning_of(kind: type[Any], nothing: blake2b) -> Beginning | None:
    """What the states of a class begin with; None where that is not worth looking for."""
    shape = native_shape(kind)
    if shape is None:
        return None
    names = [*takewhile(lambda name: is_constant(shape.shapes[name]), shape.shapes)]
    return Beginning(kind, names, nothing) if _are_long(shape, names) else None


def _are_long(shape: Fields, names: list[str]) -> bool:
    # Numbers and words alone are hashed as fast as they are compared.
    parts = [shape.shapes[name] for name in names]
    return any(isinstance(part, Items) and isinstance(part.item, Fields) for part in parts)
