"""Read unedited lines from a pipe or a plain terminal while an event loop runs."""

from __future__ import annotations

import codecs
import os
from asyncio import AbstractEventLoop, Future
from io import IncrementalNewlineDecoder, UnsupportedOperation
from typing import Final, TextIO

from tabletop.terminal.signals import deferred

CHUNK: Final = 1 << 16


class LoopReader:
    """Reads the lines of a stream and runs an event loop while it waits. Nothing else may read it.

    Files, and streams without a file descriptor, cannot be waited for and are read immediately.
    """

    def __init__(self, stdin: TextIO, loop: AbstractEventLoop) -> None:
        self._stdin = stdin
        self._loop = loop
        self._fd = _descriptor(stdin)
        decoder = codecs.getincrementaldecoder(stdin.encoding or "utf-8")(stdin.errors or "strict")
        self._decoder = IncrementalNewlineDecoder(decoder, translate=True)
        self._text = ""  # text that was read after the end of the last line
        self._woken: Future[bool] | None = None
        self._cancelled = False

    @property
    def waits(self) -> bool:
        """True while the reader waits for a person to type a line."""
        return self._woken is not None

    def read(self) -> str | None:
        """Return the next line with its newline. At the end of input, the newline is missing.

        Return an empty text if no input is left, and None after `cancel_prompt`.
        """
        if self._fd is None:
            return self._stdin.readline()
        while "\n" not in self._text:
            if not self._wait(self._fd):
                return None
            data = os.read(self._fd, CHUNK)
            self._text += self._decoder.decode(data, final=not data)
            if not data:
                line, self._text = self._text, ""
                return line
        line, newline, self._text = self._text.partition("\n")
        return line + newline

    def cancel_prompt(self) -> None:
        """Make `read` return None. The next line starts with the text typed so far."""
        if self._woken is not None:
            self._cancelled = True
            self._wake()

    def _wait(self, fd: int) -> bool:
        """Run the loop until input is available. Return False if the prompt is cancelled."""
        try:
            self._loop.add_reader(fd, self._wake, True)
        except (OSError, NotImplementedError):  # a file, or Windows, which waits only for sockets
            return True
        try:
            is_readable = False
            while not is_readable:
                self._woken = self._loop.create_future()
                with deferred(self._loop, self._wake):
                    is_readable = self._loop.run_until_complete(self._woken)
                if self._cancelled:
                    return False
            return True
        finally:
            self._woken, self._cancelled = None, False
            self._loop.remove_reader(fd)

    def _wake(self, is_readable: bool = False) -> None:
        if self._woken is not None and not self._woken.done():
            self._woken.set_result(is_readable)


def _descriptor(stdin: TextIO) -> int | None:
    try:
        return stdin.fileno()
    except (UnsupportedOperation, OSError, ValueError):
        return None
