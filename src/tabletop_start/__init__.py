"""The doors of the programs, and what ends them from outside.

Ctrl-C, SIGTERM and SIGHUP (a terminal that is closed) all mean the same: come to an end now, and
lose nothing. What was ignored when the process was started stays ignored, as `nohup` wants it.

A program comes in here before it imports anything else, so that it can be interrupted from its
first moments on: until it has begun something, a signal ends the process at once. From then on a
signal is a `KeyboardInterrupt`, and whoever has something open closes it. Nothing is imported here
but what Python has imported by itself already, and `signal`.
"""

import os
import sys

try:
    import atexit
    import gc
    import signal
    from time import monotonic
except (KeyboardInterrupt, RuntimeError):  # the latter is what Python 3.11 makes of it in an enum
    try:
        os.write(2, b"interrupted\n")
    finally:  # also when nobody is there to read it
        os._exit(130)

TYPE_CHECKING = False  # as in `typing`, which takes longer to import than all of this
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from types import FrameType

    Handler = Callable[[int, FrameType | None], object] | int

OK, INTERRUPTED = 0, 130
"""Exit statuses after a signal: where a command may be left at any time; else as shells have it."""

CALM = 5.0
"""For how many seconds after a signal others are ignored, while what is open is closed."""

CALM_HEAP = 50_000
"""How many more objects there are before garbage is looked for; Python's own number is 700."""

SIGNALS = tuple(
    getattr(signal, name)
    for name in ("SIGINT", "SIGTERM", "SIGHUP", "SIGBREAK")
    if hasattr(signal, name)
)


class _Door:
    """What a signal does now.

    Attributes:
        program: what this process was started as; empty when it is somebody else's process.
        status: what the process ends with when it is interrupted before it has begun anything.
        running: whether a program's main part runs.
        interrupted: whether a signal has come since it began.
        opened: whether it has something open.
        calm_until: before this moment signals change nothing.
        final: what the process ends with once its work is done.
    """

    def __init__(self) -> None:
        self.program = ""
        self.status = INTERRUPTED
        self.running = False
        self.interrupted = False
        self.opened = False
        self.calm_until = 0.0
        self.final: int | None = None


_door = _Door()


def left_at_will(words: "Sequence[str]") -> bool:
    """Whether the words after `tabletop` are a command that one may leave at any time."""
    stepping = words[:1] == ["replay"] and "--step" in words
    return words[:1] in (["play"], ["resume"], ["serve"]) or stepping


def begin(program: str, words: "Sequence[str]") -> None:
    """Have this process be `program`: until it has begun something, signals end it at once."""
    if _door.program:
        return
    _door.program = program
    if program == "tabletop" and left_at_will(words):
        _door.status = OK
    _install_handlers()
    atexit.register(_ignore_signals)


def run(program: str) -> int:
    """Run `program`, the function `main` in `cli` of the package with its name; its exit status."""
    begin(program, sys.argv[1:])
    # What is imported stays until the end. Looking through it for garbage, again and again while it
    # grows and twice before the process ends, took a fifth of a short command.
    gc.set_threshold(CALM_HEAP)
    atexit.register(gc.freeze)
    from importlib import import_module

    main: Callable[[], int] = import_module(f"{program}.cli").main
    _door.final = main()
    return _door.final


def tabletop() -> int:
    """The program `tabletop`."""
    return run("tabletop")


def lcr() -> int:
    """The program `lcr`."""
    return run("lcr")


def constructor() -> int:
    """The program `constructor`."""
    return run("constructor")


def sorcery() -> int:
    """The program `sorcery`."""
    return run("sorcery")


class InterruptOnSignal:
    """Has signals raise `KeyboardInterrupt` in a `with` statement; afterwards all is as before.

    In a thread that is not the main one nothing changes.
    """

    def __enter__(self) -> None:
        _door.interrupted = _door.opened = False
        _door.calm_until = 0.0
        self._former = {} if _door.program else _install_handlers()
        _door.running = True

    def __exit__(self, *_: object) -> None:
        _door.running = False
        for number, handler in self._former.items():
            signal.signal(number, handler)


def opened() -> None:
    """Note that something is open from now on that has to be closed in good order."""
    _door.opened = True


def closing() -> None:
    """Say that what is open is being closed: for some seconds signals change nothing."""
    _door.calm_until = monotonic() + CALM


def going_on() -> None:
    """Say that what was being closed is closed, and that the program goes on: signals count."""
    _door.calm_until = 0.0


def was_interrupted() -> bool:
    """Whether a signal has come since the main part of the program began."""
    return _door.interrupted


def _install_handlers() -> "dict[int, Handler]":
    """Have `_handle` called for every signal that is not ignored; what was called before."""
    former: dict[int, Handler] = {}
    for number in SIGNALS:
        handler = signal.getsignal(number)
        if handler is None or handler == signal.SIG_IGN:
            continue
        try:
            signal.signal(number, _handle)
        except ValueError:  # not the main thread
            break
        former[number] = handler
    return former


def _ignore_signals() -> None:
    """Ignore signals between the end of the work and that of the process."""
    for number in SIGNALS:
        if signal.getsignal(number) is _handle:
            signal.signal(number, signal.SIG_IGN)


def _handle(number: int, frame: "FrameType | None") -> None:
    """Handle a deferred signal as it is handled now."""
    if _door.running:
        if monotonic() < _door.calm_until:
            return
        if not _door.program or _door.opened or not _is_importing(frame):
            _door.interrupted = True
            closing()
            raise KeyboardInterrupt
    elif _door.final is not None:
        os._exit(_door.final)
    _leave()


def _is_importing(frame: "FrameType | None") -> bool:
    """Whether a module is being imported, which is no place for an exception to come from."""
    while frame is not None:
        if frame.f_code.co_filename.startswith("<frozen importlib"):
            return True
        frame = frame.f_back
    return False


def _leave() -> None:
    """End the process: nothing has been begun, so nothing is lost."""
    try:
        if _door.status != OK:
            os.write(2, f"{_door.program}: interrupted\n".encode())
    finally:  # also when nobody is there to read it
        os._exit(_door.status)
