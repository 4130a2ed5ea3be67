"""Lines that are not edited, read while an event loop runs: from a pipe, or a plain terminal."""

from __future__ import annotations

import codecs
import os
from asyncio import AbstractEventLoop, Future
from io import IncrementalNewlineDecoder, UnsupportedOperation
from typing import Final, TextIO

from tabletop.terminal.signals import deferred

CHUNK: Final = 1 << 16


class LoopReader:
    """Reads the lines of a stream, which nobody else may read, and runs a loop meanwhile.

    What cannot be waited for (a file, or a stream that is none of the system's) is read at once.
    """

    def __init__(self, stdin: TextIO, loop: AbstractEventLoop) -> None:
        self._stdin = stdin
        self._loop = loop
        self._fd = _descriptor(stdin)
        decoder = codecs.getincrementaldecoder(stdin.encoding or "utf-8")(stdin.errors or "strict")
        self._decoder = IncrementalNewlineDecoder(decoder, translate=True)
        self._text = ""  # what is read beyond a line
        self._woken: Future[bool] | None = None
        self._cancelled = False

    @property
    def waits(self) -> bool:
        """True while a person is asked for a line."""
        return self._woken is not None

    def read(self, *, alone: bool = False) -> str | None:
        """The next line with its newline; without it at the end of input, and then empty.

        None after `cancel_prompt`. The loop stands still if `alone`.
        """
        if self._fd is None:
            return self._stdin.readline()
        while "\n" not in self._text:
            if not alone and not self._wait(self._fd):
                return None
            data = os.read(self._fd, CHUNK)
            self._text += self._decoder.decode(data, final=not data)
            if not data:
                line, self._text = self._text, ""
                return line
        line, newline, self._text = self._text.partition("\n")
        return line + newline

    def cancel_prompt(self) -> None:
        """Have `read` return None; the text typed so far begins the next line."""
        if self._woken is not None:
            self._cancelled = True
            self._wake()

    def _wait(self, fd: int) -> bool:
        """Run the loop until there is something to read; return False when that is cancelled."""
        try:
            self._loop.add_reader(fd, self._wake, True)
        except (OSError, NotImplementedError):  # a file; or Windows, where only sockets can wait
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
