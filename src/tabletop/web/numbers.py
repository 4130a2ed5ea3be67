"""Metrics of a server, for its host's page and for Prometheus."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Iterable
from pathlib import Path
from typing import Final, Literal

from msgspec import Struct

MINUTE: Final = 60

CONTENT_TYPE: Final = "text/plain; version=0.0.4; charset=utf-8"
"""The media type of the text that `prometheus` returns."""


class Number(Struct, frozen=True):
    """A metric of a server: its name, its description, its value and its kind."""

    name: str
    help: str
    value: float
    kind: Literal["gauge", "counter"] = "gauge"


def prometheus(numbers: Iterable[Number]) -> str:
    """Return the metrics in the text format of Prometheus, version 0.0.4."""
    return "".join(
        f"# HELP {it.name} {it.help}\n# TYPE {it.name} {it.kind}\n{it.name} {it.value}\n"
        for it in numbers
    )


def memory() -> int | None:
    """Return the memory of this process in bytes, or None if the system does not report it."""
    try:
        pages = int(Path("/proc/self/statm").read_text("ascii").split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError, IndexError):
        return None


class Meter:
    """Counts events in total and in the last minute."""

    def __init__(self) -> None:
        self.total: int = 0
        self._recent: deque[tuple[float, int]] = deque()  # times and counts

    def add(self, count: int, now: float) -> None:
        """Count events that happen now."""
        if not count:
            return
        self.total += count
        self._recent.append((now, count))
        while self._recent[0][0] <= now - MINUTE:
            self._recent.popleft()

    def last_minute(self, now: float) -> int:
        """Return the number of events in the last minute."""
        return sum(count for at, count in self._recent if at > now - MINUTE)
