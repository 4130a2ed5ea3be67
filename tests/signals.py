"""Starting programs that heed signals, wherever the tests themselves were started from."""

from __future__ import annotations

import signal
from typing import Final

ENDING: Final = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
"""What ends a program: Ctrl-C, whoever ends processes, and a terminal that is closed."""


def heed_signals() -> None:
    """Undo what a shell does to its background jobs and `nohup` to everything: they ignore signals.

    A process inherits that. Called between fork and exec.
    """
    for number in ENDING:
        signal.signal(number, signal.SIG_DFL)
