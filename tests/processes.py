"""Which tests start processes: those with the mark `slow`, and no others."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

STARTS: Final = frozenset({"subprocess.Popen", "os.fork", "os.forkpty", "os.posix_spawn"})

_running: Final[list[str]] = []
"""The quick tests that are running, one within the other: they may start no process."""


class ProcessStarted(AssertionError):
    """A test without the mark `slow` has started a process."""


@contextmanager
def quick(test: str) -> Iterator[None]:
    """While it runs, `test` may start no process."""
    _running.append(test)
    try:
        yield
    finally:
        _running.pop()


def _watch(event: str, arguments: tuple[Any, ...]) -> None:
    if _running and event in STARTS:
        test = _running[-1]
        raise ProcessStarted(f"{test} starts a process ({event}): mark it with pytest.mark.slow")


sys.addaudithook(_watch)
