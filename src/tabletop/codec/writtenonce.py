"""What has been made of values that never change, found again without looking into them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from enum import Enum
from threading import Lock
from types import NoneType
from typing import Any, Final, Generic, TypeVar

T = TypeVar("T")

MOST_KNOWN: Final = 4096
"""How many values are known at a time; then all are forgotten."""

MOST_PARTS: Final = 1_000_000
"""How many parts all known values may have together, so that they take some dozen megabytes."""

MOST_SEEN: Final = 256
"""How many are remembered to have been seen once."""

_PLAIN: Final = frozenset({int, float, str, bytes, bool, NoneType})


class WrittenOnce(Generic[T]):
    """Remembers what was made of values, by which objects they are.

    For a value that is equal it is made anew: `True` equals 1, and is written in another way. A
    value that could change is never remembered, whatever its annotation says.

    Args:
        make: makes something of a value; always the same of the same, and nothing false.

    Attributes:
        made: what was made, by the `id` of its value. No other object can have that one: the value
            is kept as long as this stands here. Look here first, then ask `learn`.
    """

    def __init__(self, make: Callable[[Any], T]) -> None:
        self.made: dict[int, T] = {}
        self._make = make
        self._kept: dict[int, object] = {}
        self._parts = 0  # of all that are kept
        self._seen: dict[int, object] = {}
        self._lock = Lock()

    def learn(self, value: object) -> T:
        """What is made of a value; remembered when it is asked for the second time."""
        made, name = self._make(value), id(value)
        # Much is made for one move, and not seen again.
        if self._seen.get(name) is not value:
            if len(self._seen) >= MOST_SEEN:
                self._seen.clear()
            self._seen[name] = value
        elif parts := fixed_parts(value):
            self._remember(name, value, made, parts)
        return made

    def _remember(self, name: int, value: object, made: T, parts: int) -> None:
        with self._lock:
            if name in self._kept:  # another thread was faster
                return
            # In this order: who finds something in `made`, without the lock, relies on `_kept`.
            if len(self.made) >= MOST_KNOWN or self._parts + parts > MOST_PARTS:
                self.made.clear()
                self._kept.clear()
                self._parts = 0
            self._parts += parts
            self._kept[name] = value
            self.made[name] = made


def fixed_parts(value: object) -> int:
    """How many parts a value has, itself counted; 0 where it or anything in it can be changed."""
    kind = type(value)
    if kind in _PLAIN:
        return 1
    if kind is tuple or kind is frozenset:
        parts: Any = value
        return _counted(parts)
    if isinstance(value, Enum):
        return int(type(value.value) in (int, str))
    said = vars(kind).get("__dataclass_params__")
    if said is None or not said.frozen:
        return 0
    return _counted(getattr(value, name) for name in vars(kind)["__dataclass_fields__"])


def _counted(values: Iterable[object]) -> int:
    """The parts of something that holds such values."""
    number = 1
    for value in values:
        parts = fixed_parts(value)
        if not parts:
            return 0
        number += parts
    return number
