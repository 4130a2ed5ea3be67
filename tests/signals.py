"""Starting programs that act on signals, wherever the tests themselves were started from."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

ENDING: Final = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
"""What ends a program: Ctrl-C, whoever ends processes, and a terminal that is closed."""


def reset_signals() -> None:
    """Undo what a shell does to its background jobs and `nohup` to everything: they ignore signals.

    A process inherits that. For pexpect, which calls it in the new process.
    """
    for number in ENDING:
        signal.signal(number, signal.SIG_DFL)


@contextmanager
def default_signals() -> Iterator[None]:
    """Reset signals while a process is started, which inherits that."""
    former = {number: signal.getsignal(number) for number in ENDING}
    reset_signals()
    yield
    for number, handler in former.items():
        signal.signal(number, handler)
