"""Custom metrics, some of which fail. Workers import them from this file."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from tabletop import Event
from tabletop.match import AnyMatch

if TYPE_CHECKING:
    from tabletop import Outcome

FILE = str(Path(__file__))


def told(events: Sequence[Event]) -> int:
    return len(events)


def kinds(events: Sequence[Event]) -> Mapping[str, int]:
    names = [type(event).__name__ for event in events]
    return {name: names.count(name) for name in dict.fromkeys(names)}


def raising(events: Sequence[Event]) -> int:
    raise KeyError("no such card")


class Deaf:
    """A metric that fails while it observes, and fails again when its value is read."""

    def __init__(self, match: AnyMatch) -> None:
        match.observe(self._hear)

    def _hear(self, event: Event) -> None:
        raise ZeroDivisionError("heard nothing")

    def value(self) -> int:
        raise AttributeError("a consequence")


def lying(events: Sequence[Event]) -> int:
    return "many"  # type: ignore[return-value]


def unsaid(events: Sequence[Event]):  # type: ignore[no-untyped-def]
    return 1


def rounded(events: Sequence[Event]) -> int:
    return 0.5  # type: ignore[return-value]


def whether(events: Sequence[Event]) -> int:
    return len(events) > 0


def numbered(events: Sequence[Event]) -> Mapping[str, int]:
    return {1: 2}  # type: ignore[dict-item]


def huge(events: Sequence[Event]) -> int:
    return 1 << 64


def two(events: Sequence[Event]) -> tuple[int, ...]:
    return 1, 2


def other(events: Sequence[Event]) -> dict[str, int]:
    return {}


def unknown(events: Sequence[Event]) -> Nowhere:  # type: ignore[name-defined]  # noqa: F821
    return 1


class Empty:
    """A class without the method `value`."""


def typed(events: Sequence[Event | Outcome]) -> tuple[float, ...]:
    return 1.0, 2, 3


def deadly(events: Sequence[Event]) -> int:
    os._exit(3)
