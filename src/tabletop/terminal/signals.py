"""Defers signals while an event loop runs, until the loop has ended in good order.

A handler that raises in the middle of a loop leaves tasks behind, and a terminal that echoes
nothing. So the loop is ended first, and then the signal is handled.
"""

from __future__ import annotations

import os
import signal
from asyncio import AbstractEventLoop, CancelledError
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager, suppress
from typing import Any

from tabletop_start import SIGNALS


@contextmanager
def deferred(loop: AbstractEventLoop, leave: Callable[[], object]) -> Iterator[None]:
    """Call `leave` on a signal while `loop` runs, and handle the signal afterwards.

    Where a loop cannot handle signals (another thread, Windows), they are not deferred.

    Args:
        loop: runs in the `with` statement.
        leave: called in the loop when a signal has come; must end what runs there.
    """
    came: list[int] = []
    former = {number: signal.getsignal(number) for number in SIGNALS}

    def note(number: int) -> None:
        came.append(number)
        leave()

    listening = [
        number
        for number, handler in former.items()
        if handler not in (signal.SIG_IGN, None) and _add_handler(loop, number, note)
    ]
    try:
        yield
    finally:
        for number in listening:
            loop.remove_signal_handler(number)
            signal.signal(number, former[number])
        if came:
            _raise_again(came[0])


def run(loop: AbstractEventLoop, work: Coroutine[Any, Any, object]) -> None:
    """Run a loop until some work is done, or a signal has come, which is handled then."""
    task = loop.create_task(work)
    with deferred(loop, task.cancel), suppress(CancelledError):
        loop.run_until_complete(task)


def _add_handler(loop: AbstractEventLoop, number: int, note: Callable[[int], None]) -> bool:
    try:
        loop.add_signal_handler(number, note, number)
    # Loops of Windows raise the first, and only the main thread may listen: the others then.
    except (NotImplementedError, RuntimeError, ValueError):
        return False
    return True


def _raise_again(number: int) -> None:
    """Handle a deferred signal as it is handled now."""
    handler = signal.getsignal(number)
    if callable(handler):
        handler(number, None)
    else:
        os.kill(os.getpid(), number)
