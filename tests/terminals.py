"""Real programs at terminals of their own; what is expected of one comes soon or fails."""

from __future__ import annotations

import re
import shlex
import signal
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import pexpect

from tests.forked import in_place_of_command
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
    """Start a program, which the caller has to close.

    Args:
        command: The command, or the `main` of a program of the project, which starts much faster
            (see `tests.forked`).
        arguments: The arguments of the program.
        size: The lines and columns of its terminal.
        cwd: The working directory, by default that of the tests.
        environment: Variables that differ from those of the tests. The size of the terminal of the
            tests is never inherited.
        first: Called first in the new process.
    """
    # Unmeasured: a signal may come while a line is counted, and coverage holds a lock then.
    inherited = {name: it for name, it in unmeasured().items() if name not in {"COLUMNS", "LINES"}}
    variables = {**inherited, **(environment or {})}
    if callable(command):
        first = in_place_of_command(command, arguments, variables, first)
        command = sys.executable
    return pexpect.spawn(
        str(command) if arguments else shlex.quote(str(command)),  # without any it is split
        [str(argument) for argument in arguments],
        encoding="utf-8",
        timeout=60,
        dimensions=size,
        cwd=None if cwd is None else str(cwd),
        env=variables,
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
    """Start a program as `spawn` does, and end it at the end of the block."""
    child = spawn(command, *arguments, size=size, cwd=cwd, environment=environment, first=first)
    child.delaybeforesend = None
    child.ptyproc.delayafterclose = 0.01
    try:
        yield child
    finally:
        child.close(force=True)


def until_it_reads(child: pexpect.spawn[str]) -> None:
    """Wait until a program sleeps: `input` loses a signal between its prompt and its read."""
    state = Path(f"/proc/{child.pid}/stat")
    while state.exists() and state.read_text("utf-8").rpartition(")")[2].split()[0] == "R":
        time.sleep(0.01)


def leave_by(child: pexpect.spawn[str], way: str) -> None:
    """Leave a program by Ctrl-C, Ctrl-D, a signal such as SIGTERM, or a line that says so."""
    if way == "Ctrl-C":
        until_it_reads(child)
        child.sendintr()
    elif way == "Ctrl-D":
        child.sendeof()
    elif way.startswith("SIG"):
        child.kill(signal.Signals[way])
    else:
        child.sendline(way)


def abandon(child: pexpect.spawn[str]) -> None:
    """Leave a match that is not recorded, and confirm it."""
    child.sendline("quit")
    child.expect_exact("Quit anyway? (yes or no)")
    child.sendline("yes")


def left(child: pexpect.spawn[str], status: int = 0) -> str:
    """What a program shows until it ends, without sequences; it ends in good order."""
    child.expect(pexpect.EOF)
    child.wait()
    shown = SEQUENCE.sub("", child.before or "")
    assert child.exitstatus == status, shown
    assert "Traceback" not in shown
    return shown
