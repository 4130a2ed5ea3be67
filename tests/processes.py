"""Which tests start processes: those with the mark `slow`, and no others."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

STARTS: Final = frozenset({"subprocess.Popen", "os.fork", "os.forkpty", "os.posix_spawn"})

_quick: str | None = None
"""The quick test that is running: one that may start no process."""


class ProcessStarted(AssertionError):
    """A test without the mark `slow` has started a process."""


@contextmanager
def quick(test: str) -> Iterator[None]:
    """While it runs, `test` may start no process."""
    global _quick
    before, _quick = _quick, test
    try:
        yield
    finally:
        _quick = before


def _watch(event: str, arguments: tuple[Any, ...]) -> None:
    if _quick is not None and event in STARTS:
        raise ProcessStarted(f"{_quick} starts a process ({event}): mark it with pytest.mark.slow")


sys.addaudithook(_watch)
