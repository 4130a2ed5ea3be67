"""Lines that are not edited, read while an event loop runs: from a pipe, or a plain terminal.

Reading waits in a thread of its own, so that other fronts of the session are served meanwhile. What
is read beyond a line is kept for the next.
"""

from __future__ import annotations

import codecs
import os
from asyncio import AbstractEventLoop, Future
from contextlib import suppress
from io import IncrementalNewlineDecoder, UnsupportedOperation
from threading import Thread
from typing import Final, TextIO

from tabletop.terminal.console import PromptCancelled
from tabletop.terminal.signals import deferred

CHUNK: Final = 1 << 16


class LoopReader:
    """Reads the lines of a stream, and runs a loop while it waits for them.

    A stream that is no file of the system is read at once: nobody waits for it.

    Args:
        stdin: what is read; nobody else may read it from now on.
        loop: runs while there is no line.
    """

    def __init__(self, stdin: TextIO, loop: AbstractEventLoop) -> None:
        self._stdin = stdin
        self._loop = loop
        self._fd = _descriptor(stdin)
        decoder = codecs.getincrementaldecoder(stdin.encoding or "utf-8")(stdin.errors or "strict")
        self._decoder = IncrementalNewlineDecoder(decoder, translate=True)
        self._text = ""
        self._fetched: Future[bytes] | None = None
        self._woken: Future[None] | None = None
        self._withdrawn = False

    @property
    def waits(self) -> bool:
        """Whether somebody is asked for a line."""
        return self._woken is not None

    def read(self) -> str:
        """The next line with its newline; without it at the end of input, and then empty.

        Raises:
            PromptCancelled: it is asked for no more; what has been typed belongs to the next.
            OSError: the stream cannot be read.
        """
        if self._fd is None:
            return self._stdin.readline()
        while "\n" not in self._text:
            data = self._fetch(self._fd)
            self._text += self._decoder.decode(data, final=not data)
            if not data:
                line, self._text = self._text, ""
                return line
        line, newline, self._text = self._text.partition("\n")
        return line + newline

    def cancel_prompt(self) -> None:
        """Ask no more for a line: `read` raises `PromptCancelled`."""
        if self._woken is not None:
            self._withdrawn = True
            self._wake()

    def _fetch(self, fd: int) -> bytes:
        """What comes next; nothing at the end. The loop runs until it is there."""
        if self._fetched is None:
            self._fetched = self._loop.create_future()
            Thread(target=self._read, args=(fd, self._fetched), daemon=True).start()
        fetched = self._fetched
        while not fetched.done():
            self._woken = self._loop.create_future()
            fetched.add_done_callback(self._wake)
            try:
                with deferred(self._loop, self._wake):
                    self._loop.run_until_complete(self._woken)
            finally:
                self._woken = None
                fetched.remove_done_callback(self._wake)
            if self._withdrawn:
                self._withdrawn = False
                raise PromptCancelled
        self._fetched = None
        return fetched.result()

    def _wake(self, _: object = None) -> None:
        if self._woken is not None and not self._woken.done():
            self._woken.set_result(None)

    def _read(self, fd: int, fetched: Future[bytes]) -> None:
        """In a thread that nobody waits for at the end of the program."""
        data, error = b"", None
        try:
            data = os.read(fd, CHUNK)
        except OSError as failure:
            error = failure
        with suppress(RuntimeError):  # the loop has been closed
            self._loop.call_soon_threadsafe(_settle, fetched, data, error)


def _settle(fetched: Future[bytes], data: bytes, error: OSError | None) -> None:
    if error is None:
        fetched.set_result(data)
    else:
        fetched.set_exception(error)


def _descriptor(stdin: TextIO) -> int | None:
    try:
        return stdin.fileno()
    except (UnsupportedOperation, OSError, ValueError):
        return None
