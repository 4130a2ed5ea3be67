"""Real programs at terminals of their own; what is expected of one comes soon or fails."""

from __future__ import annotations

import re
import shlex
import signal
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import pexpect

from tests.pages import unmeasured
from tests.signals import reset_signals

SEQUENCE: Final = re.compile(r"\x1b(?:\[[0-9;?]*[a-zA-Z]|[=>]|\][^\x07]*\x07)|\r")
"""What moves the cursor or has colours, and is not seen."""

WIPED: Final = "\x1b[2J\x1b[3J\x1b[H"
"""What clears a screen and what was scrolled away."""

WIDE: Final = (24, 999)
"""Lines and columns of a terminal on which no line is broken."""


def spawn(
    command: object,
    *arguments: object,
    size: tuple[int, int] = (24, 80),
    cwd: Path | None = None,
    environment: Mapping[str, str] | None = None,
    first: Callable[[], None] = reset_signals,
) -> pexpect.spawn[str]:
    """Start a program; whoever starts it closes it.

    Args:
        command: which one.
        arguments: of the program.
        size: lines and columns of its terminal.
        cwd: where it is started.
        environment: what differs from that of the tests without the size of their terminal.
        first: called in the new process.
    """
    # Unmeasured: a signal that comes while lines are counted can find the counter's lock taken.
    known = {name: it for name, it in unmeasured().items() if name not in {"COLUMNS", "LINES"}}
    return pexpect.spawn(
        str(command) if arguments else shlex.quote(str(command)),  # without any it is split
        [str(argument) for argument in arguments],
        encoding="utf-8",
        timeout=60,
        dimensions=size,
        cwd=None if cwd is None else str(cwd),
        env={**known, **(environment or {})},
        preexec_fn=first,
    )


@contextmanager
def at_terminal(
    command: object,
    *arguments: object,
    size: tuple[int, int] = (24, 80),
    cwd: Path | None = None,
    environment: Mapping[str, str] | None = None,
    first: Callable[[], None] = reset_signals,
) -> Iterator[pexpect.spawn[str]]:
    """A program that is ended when the block is left; its arguments are those of `spawn`."""
    child = spawn(command, *arguments, size=size, cwd=cwd, environment=environment, first=first)
    child.delaybeforesend = None
    try:
        yield child
    finally:
        child.close(force=True)


def leave_by(child: pexpect.spawn[str], way: str) -> None:
    """Leave a program by Ctrl-C, Ctrl-D, a signal such as SIGTERM, or a line that says so."""
    if way == "Ctrl-C":
        child.sendintr()
    elif way == "Ctrl-D":
        child.sendeof()
    elif way.startswith("SIG"):
        child.kill(signal.Signals[way])
    else:
        child.sendline(way)


def left(child: pexpect.spawn[str], status: int = 0) -> str:
    """What a program shows until it ends, without sequences; it ends in good order."""
    child.expect(pexpect.EOF)
    child.wait()
    shown = SEQUENCE.sub("", child.before or "")
    assert child.exitstatus == status, shown
    assert "Traceback" not in shown
    return shown
