"""What an input may take: so much time of the processor, and so much memory."""

from __future__ import annotations

import resource
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Final

SECONDS: Final = 5.0
"""So long may one input keep the processor busy; waiting is watched from outside."""

MOST_MEMORY: Final = 1 << 30
"""So many bytes may a process of targets hold, with all that it has loaded."""


class TooSlow(BaseException):
    """An input takes too long. Nothing that catches mistakes shall catch it."""


@contextmanager
def time_limit(seconds: float) -> Iterator[None]:
    """Raise `TooSlow` in the body once it has taken so much time of the processor."""

    def stop(number: int, frame: FrameType | None) -> None:
        raise TooSlow(f"more than {seconds:g} seconds of the processor's time")

    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def limit_memory(most: int = MOST_MEMORY) -> None:
    """Have whatever needs more memory fail with a MemoryError, in this process from now on."""
    _, hard = resource.getrlimit(resource.RLIMIT_DATA)
    resource.setrlimit(resource.RLIMIT_DATA, (most, hard))
