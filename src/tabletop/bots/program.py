"""A program that is talked to in lines, over its standard input and output, within a time.

It is started in a process group of its own, which is ended as a whole: no child of it remains, and
a Ctrl-C at the terminal is not for it. Nothing waits for it without a limit, whatever it does.
"""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Sequence
from contextlib import suppress
from selectors import EVENT_READ, EVENT_WRITE, DefaultSelector
from time import monotonic
from typing import Any, Final
from weakref import finalize

from tabletop.host.sanitize import printable
from tabletop.wording import truncate

MOST_BYTES: Final = 1 << 20
"""The longest line that a program may write."""

_GRACE: Final = 1.0
"""The time for a program to end by itself once its input has ended, in seconds."""

_NO_INPUT: Final = "it closed its input"
_NO_OUTPUT: Final = "it closed its output"
_TOO_EARLY: Final = "it answered before it had read the question"

_CHUNK: Final = 1 << 16
_KEPT: Final = 4096  # bytes of what it said last on its standard error
_LAST_LINES: Final = 3


class ProgramFault(Exception):
    """A program does not do what it is for; the message says what is wrong."""


class Program:
    """A running program.

    Args:
        words: the command: the program and its arguments. No shell reads them.

    Raises:
        OSError: it cannot be started.
    """

    def __init__(self, words: Sequence[str]) -> None:
        pipe = subprocess.PIPE
        self._process = subprocess.Popen(
            list(words), bufsize=0, stdin=pipe, stdout=pipe, stderr=pipe, start_new_session=True
        )
        # Also when nobody closes it, and at the exit of this process.
        self._kill = finalize(self, _kill, self._process)
        self._stdin, self._stdout, self._stderr = (
            it.fileno()
            for it in (self._process.stdin, self._process.stdout, self._process.stderr)
            if it is not None
        )
        self._selector = DefaultSelector()
        for file in (self._stdout, self._stderr):
            os.set_blocking(file, False)
            self._selector.register(file, EVENT_READ)
        os.set_blocking(self._stdin, False)
        self._unsent, self._unread, self._said = bytearray(), bytearray(), b""
        self._has_ended = False  # its output

    def ask(self, line: bytes) -> None:
        """Send it a line that it is to answer.

        Raises:
            ProgramFault: it has answered already.
        """
        if self._unread:
            raise ProgramFault(_TOO_EARLY)
        self.send(line)

    def send(self, line: bytes) -> None:
        """Send it a line: as much as it takes at once, and the rest while its answer is awaited."""
        self._unsent += line + b"\n"
        with suppress(ProgramFault):  # it is found out by `read` as well
            self._exchange(0)

    def read(self, until: float) -> bytes:
        """Return the next line that it writes.

        Args:
            until: the moment (`time.monotonic`) after which nobody waits for it.

        Raises:
            ProgramFault: there will be none.
            TimeoutError: there is none yet.
        """
        while (end := self._unread.find(b"\n")) < 0:
            if len(self._unread) > MOST_BYTES:
                raise ProgramFault(f"it wrote a line of more than {MOST_BYTES} bytes")
            if self._has_ended:
                raise ProgramFault(_NO_OUTPUT)
            left = until - monotonic()
            if left <= 0:
                raise TimeoutError
            self._exchange(left)
        if self._unsent:
            raise ProgramFault(_TOO_EARLY)
        line = bytes(self._unread[:end])
        del self._unread[: end + 1]
        return line

    def end(self, fault: str) -> str:
        """End it at once for a fault; return what to say of it, with its last words in lines."""
        self._kill()
        status = self._process.returncode
        if fault in {_NO_INPUT, _NO_OUTPUT} and status not in {None, -signal.SIGKILL}:
            how = f"with status {status}" if status >= 0 else f"by signal {-status}"
            fault = f"it ended {how}"  # by itself
        with suppress(OSError):  # there may be nothing more
            self._said += os.read(self._stderr, MOST_BYTES)
        self._close()
        lines = [
            line for line in self._said.decode("utf-8", "replace").splitlines() if line.strip()
        ]
        return "\n".join([fault, *(f"  | {_shown(line)}" for line in lines[-_LAST_LINES:])])

    def close(self) -> None:
        """Send it what is left, close its input, and end it if it does not end by itself soon."""
        until = monotonic() + _GRACE
        with suppress(ProgramFault):
            while self._unsent and not self._has_ended and monotonic() < until:
                self._exchange(until - monotonic())
        if self._process.stdin is not None:
            self._process.stdin.close()
        self._unsent.clear()
        while not self._has_ended and (left := until - monotonic()) > 0:
            self._exchange(left)
            self._unread.clear()
        self._kill()
        self._close()

    def _exchange(self, seconds: float) -> None:
        """Write and read what can be written and read, once something can, in so much time."""
        if self._unsent:
            self._selector.register(self._stdin, EVENT_WRITE)
        try:
            ready = self._selector.select(seconds)
        finally:
            if self._unsent:
                self._selector.unregister(self._stdin)
        for key, _ in ready:
            with suppress(BlockingIOError):
                self._write() if key.fd == self._stdin else self._read(key.fd)

    def _write(self) -> None:
        try:
            del self._unsent[: os.write(self._stdin, self._unsent[:_CHUNK])]
        except BrokenPipeError:
            raise ProgramFault(_NO_INPUT) from None

    def _read(self, file: int) -> None:
        data = os.read(file, _CHUNK)
        if not data:
            self._selector.unregister(file)
            self._has_ended = self._has_ended or file == self._stdout
        elif file == self._stdout:
            self._unread += data
        else:
            self._said = (self._said + data)[-_KEPT:]

    def _close(self) -> None:
        self._selector.close()
        for pipe in (self._process.stdin, self._process.stdout, self._process.stderr):
            if pipe is not None:
                pipe.close()


def _kill(process: subprocess.Popen[Any]) -> None:
    """End a program and what it has started, in its group, and wait for it."""
    # It has not been waited for before: its number, and its group's, are nobody else's.
    with suppress(ProcessLookupError, PermissionError):  # the latter on macOS: it has just ended
        os.killpg(process.pid, signal.SIGKILL)
    if process.stdin is not None:
        process.stdin.close()
    with suppress(subprocess.TimeoutExpired):  # another user's: it sees the end of its input
        process.wait(_GRACE)


def _shown(line: str) -> str:
    return truncate(printable(line.expandtabs()), 200)
