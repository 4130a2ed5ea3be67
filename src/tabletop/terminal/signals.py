"""Signals that end a program: Ctrl-C, SIGTERM, and SIGHUP when a terminal is closed.

Each of them raises `KeyboardInterrupt`, so that all open resources are closed. A signal that was
ignored when the process started stays ignored, as `nohup` expects. While an event loop runs, a
signal first ends the loop, because an exception in the middle of it would leave unfinished tasks
and a terminal without echo.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager, suppress
from time import monotonic
from types import FrameType
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from asyncio import AbstractEventLoop, Handle

GRACE: Final = 5.0
"""Seconds during which further signals are ignored, so that resources can be closed."""

SIGNALS: Final = tuple(
    getattr(signal, name)
    for name in ("SIGINT", "SIGTERM", "SIGHUP", "SIGBREAK")
    if hasattr(signal, name)
)


class _Process:
    """The signals that this process has received. Each signal has one handler."""

    interrupted: bool = False
    ignored_until: float = 0.0


_process: Final = _Process()


@contextmanager
def interrupts() -> Iterator[None]:
    """Make signals raise `KeyboardInterrupt` in a `with` statement on the main thread.

    Afterwards the former handlers are restored, unless a signal was received. In that case the
    program is ending and must not be interrupted again.
    """
    _process.interrupted = False
    end_critical()
    former = {number: signal.getsignal(number) for number in SIGNALS}
    try:
        for number, handler in former.items():
            if handler not in (None, signal.SIG_IGN):
                signal.signal(number, _interrupt)
    except ValueError:  # not the main thread
        former = {}
    try:
        yield
    finally:
        if not _process.interrupted:
            for number, handler in former.items():
                if handler is not None:
                    signal.signal(number, handler)


def begin_critical() -> None:
    """Ignore signals for `GRACE` seconds while open resources are closed."""
    _process.ignored_until = monotonic() + GRACE


def end_critical() -> None:
    """React to signals again, because closing is done and the program continues."""
    _process.ignored_until = 0.0


def was_interrupted() -> bool:
    """Check whether a signal was received since the main part of the program started."""
    return _process.interrupted


def _interrupt(number: int, frame: FrameType | None) -> None:
    if monotonic() >= _process.ignored_until:
        _process.interrupted = True
        begin_critical()
        raise KeyboardInterrupt


@contextmanager
def first_interrupt(action: Callable[[], object]) -> Iterator[None]:
    """Call `action` on the first Ctrl-C and restore the former handler for the next.

    This has no effect outside the main thread, or if Ctrl-C is ignored.
    """
    former = signal.getsignal(signal.SIGINT)

    def once(number: int, frame: FrameType | None) -> None:
        signal.signal(number, former)
        action()

    try:
        if former not in (None, signal.SIG_IGN):
            signal.signal(signal.SIGINT, once)
    except ValueError:  # not the main thread
        former = None
    try:
        yield
    finally:
        if former is not None:
            signal.signal(signal.SIGINT, former)


@contextmanager
def deferred(loop: AbstractEventLoop, leave: Callable[[], object]) -> Iterator[None]:
    """On a signal, call `leave`, which stops `loop`, and handle the signal after the loop.

    Signals are deferred only on the main thread.
    """
    came: list[tuple[int, Handle]] = []
    former = {number: signal.getsignal(number) for number in SIGNALS}

    # The loop's own handlers would lose a signal that arrives in its last iteration.
    def note(number: int, frame: FrameType | None) -> None:
        came.append((number, loop.call_soon_threadsafe(leave)))

    listening = [
        number
        for number, handler in former.items()
        if handler not in (signal.SIG_IGN, None) and _set_handler(number, note)
    ]
    try:
        yield
    finally:
        for number in listening:
            signal.signal(number, former[number])
        for _, leaving in came:
            leaving.cancel()  # the next task in this loop must not be stopped
        if came:
            number, _ = came[0]
            handler = signal.getsignal(number)  # the restored handler
            if callable(handler):
                handler(number, None)
            else:
                os.kill(os.getpid(), number)


def run(loop: AbstractEventLoop, work: Coroutine[Any, Any, object]) -> None:
    """Run a loop until `work` is done or a signal is received, which is handled afterwards."""
    from asyncio import CancelledError  # most programs run no loop

    task = loop.create_task(work)
    with deferred(loop, task.cancel), suppress(CancelledError):
        loop.run_until_complete(task)


def _set_handler(number: int, handler: Callable[[int, FrameType | None], None]) -> bool:
    try:
        signal.signal(number, handler)
    except ValueError:  # not the main thread
        return False
    return True
