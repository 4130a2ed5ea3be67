"""What an input may take: so much time of the processor, and so much memory."""

from __future__ import annotations

import resource
import signal
from typing import Final

SECONDS: Final = 60.0
"""So long may one input keep the processor busy; waiting is watched from outside."""

MOST_MEMORY: Final = 1 << 30
"""So many bytes may a process of targets hold, with all that it has loaded."""


def limit_time(seconds: float = SECONDS) -> None:
    """Have the system end this process once it has been busy for so long, counted from now.

    Nothing of Python runs then: a handler that raises leaves whatever was going on half done, such
    as a lock of coverage, which is never released.
    """
    signal.setitimer(signal.ITIMER_PROF, seconds)


def limit_memory(most: int = MOST_MEMORY) -> None:
    """Have whatever needs more memory fail with a MemoryError, in this process from now on."""
    _, hard = resource.getrlimit(resource.RLIMIT_DATA)
    resource.setrlimit(resource.RLIMIT_DATA, (most, hard))
