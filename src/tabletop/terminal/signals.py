"""Signals that end a program: Ctrl-C, SIGTERM, and SIGHUP of a terminal that is closed.

All of them raise `KeyboardInterrupt`, so that everything open is closed. A signal that was ignored
when the process began stays ignored, as `nohup` wants it. While an event loop runs, a signal ends
the loop first: an exception in the middle of it would leave tasks behind, and a terminal that
echoes nothing.
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
"""The time after a signal during which others are ignored, for closing, in seconds."""

SIGNALS: Final = tuple(
    getattr(signal, name)
    for name in ("SIGINT", "SIGTERM", "SIGHUP", "SIGBREAK")
    if hasattr(signal, name)
)


class _Process:
    """The signals that this process has received; it has one handler for each of them."""

    interrupted: bool = False
    ignored_until: float = 0.0


_process: Final = _Process()


@contextmanager
def interrupts() -> Iterator[None]:
    """Have signals raise `KeyboardInterrupt` in a `with` statement; not in a thread of its own.

    Afterwards the former handlers are back, unless a signal has come: then the program ends, and
    nothing is to break that off.
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
    """Ignore signals for some seconds, while everything open is closed."""
    _process.ignored_until = monotonic() + GRACE


def end_critical() -> None:
    """Heed signals again: the closing is done, and the program goes on."""
    _process.ignored_until = 0.0


def was_interrupted() -> bool:
    """Check whether a signal has come since the main part of the program began."""
    return _process.interrupted


def _interrupt(number: int, frame: FrameType | None) -> None:
    if monotonic() >= _process.ignored_until:
        _process.interrupted = True
        begin_critical()
        raise KeyboardInterrupt


@contextmanager
def first_interrupt(action: Callable[[], object]) -> Iterator[None]:
    """Have the first Ctrl-C call `action`; another one is handled as ever.

    Not in a thread of its own, nor where Ctrl-C is ignored.
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
    """Have a signal call `leave`, which stops `loop`, and handle the signal afterwards.

    In another thread than the main one, signals are not deferred.
    """
    came: list[tuple[int, Handle]] = []
    former = {number: signal.getsignal(number) for number in SIGNALS}

    # Not the loop's own handlers: a signal that comes in its last round would be lost with them.
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
            leaving.cancel()  # what runs next in the loop is not to be left
        if came:
            number, _ = came[0]
            handler = signal.getsignal(number)  # as the signal is handled now
            if callable(handler):
                handler(number, None)
            else:
                os.kill(os.getpid(), number)


def run(loop: AbstractEventLoop, work: Coroutine[Any, Any, object]) -> None:
    """Run a loop until some work is done, or a signal has come, which is handled then."""
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
