"""Lines in, lines out: where a person sits. What goes out is harmless; see `tabletop.printable`."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Callable
from contextlib import suppress
from typing import Final, TextIO

from tabletop.printable import guard, harmless, trusted

CLOSED: Final = frozenset({errno.EIO, errno.ENXIO})
"""What reading and writing give where a terminal has been."""


class Console:
    """Lines in, lines out.

    A terminal that is closed is the end of input, and what is said from then on is not heard.

    Args:
        stdin: where lines come from; that of the process when not given.
        stdout: where they go; that of the process when not given.
        paint: adds colours of our own to what is shown at a terminal, where `shows_colours`; it is
            given text that is harmless already.
        ends_lines: whether the line of a prompt is ended where what is typed is not seen, so that
            the next text begins a line. The programs of courses do not: they go on behind it.
    """

    def __init__(
        self,
        stdin: TextIO | None = None,
        stdout: TextIO | None = None,
        *,
        paint: Callable[[str], str] | None = None,
        ends_lines: bool = True,
    ) -> None:
        self._stdin = stdin if stdin is not None else sys.stdin
        self._stdout = guard(stdout if stdout is not None else sys.stdout)
        self.interactive = self._stdin.isatty() and self._stdout.isatty()
        self._ends_lines = ends_lines
        self._paint = paint if self.interactive and shows_colours() else None
        self._forget: Callable[[], object] | None = None
        if self.interactive and self._stdin is sys.stdin:
            self._edit_lines()

    def _edit_lines(self) -> None:
        """Have `input` edit lines and remember them, where the platform can."""
        with suppress(ImportError):
            from readline import clear_history

            self._forget = clear_history

    def say(self, text: str = "") -> None:
        """Print `text` and a newline, at once."""
        if self._paint is None:
            self._show(text + "\n", self._stdout)
        else:
            self._show(self._paint(harmless(text)) + "\n", trusted(self._stdout))

    def _show(self, text: str, screen: TextIO) -> None:
        try:
            screen.write(text)
            screen.flush()
        except OSError as error:
            if error.errno not in CLOSED:
                raise
            nowhere = os.open(os.devnull, os.O_WRONLY)  # else the rest would fail at exit again
            os.dup2(nowhere, screen.fileno())
            os.close(nowhere)

    def read(self, prompt: str) -> str | None:
        """The next line without its newline; None when input has ended."""
        try:
            return self._read(prompt)
        except OSError as error:
            if error.errno not in CLOSED:
                raise
            return None

    def _read(self, prompt: str) -> str | None:
        if self._forget is not None:
            try:
                return input(harmless(prompt))
            except EOFError:
                self.say()
                return None
        self._show(prompt, self._stdout)
        line = self._stdin.readline()
        if self._ends_lines and not (self.interactive and line):
            self.say()  # what was typed is not seen: the next text begins a line
        return line.rstrip("\r\n") if line else None

    def wipe(self) -> None:
        """Leave nothing to be seen of what was shown and typed before."""
        if self.interactive:
            self._show("\x1b[2J\x1b[3J\x1b[H", trusted(self._stdout))
        if self._forget is not None:
            self._forget()


def shows_colours() -> bool:
    """Whether people want colours at their terminal (no-color.org), and it has them."""
    return not os.environ.get("NO_COLOR") and os.environ.get("TERM", "dumb") != "dumb"


def tell_all(lines: list[str], console: Console) -> None:
    """Say what is waiting to be said; empty lines need not be."""
    for line in filter(None, lines):
        console.say(line)
    lines.clear()
