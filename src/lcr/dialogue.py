"""The questions of the course's program, and its streams of text (LCR §5)."""

from __future__ import annotations

import os
from collections.abc import Callable, Container
from typing import BinaryIO, TextIO

from lcr.reading import ByteReader


class Output:
    """Standard output or standard error, as C has them.

    Once a stream cannot be written, it stays silent and the program goes on.

    Args:
        stream: of the process.

    Attributes:
        failure: why it went silent.
    """

    def __init__(self, stream: TextIO) -> None:
        self.failure: OSError | None = None
        self._stream = stream

    def write(self, text: str) -> None:
        """Add `text`; it may appear later."""
        self._attempt(lambda: self._stream.write(text))

    def flush(self) -> None:
        """Flush the stream: everything written so far appears now."""
        self._attempt(self._stream.flush)

    def _attempt(self, act: Callable[[], object]) -> None:
        if self.failure is not None:
            return
        try:
            act()
        except OSError as error:
            self.failure = error
            # What could not be written is still there, and would fail again when the process ends.
            nowhere = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nowhere, self._stream.fileno())
            os.close(nowhere)


class Dialogue:
    """Asks on one stream, complains on another, and reads the answers as `scanf` does.

    Args:
        source: where answers come from. It may read ahead what has been typed already, but must not
            wait for more than it is asked for.
        out: where questions appear.
        complaints: where complaints do.
    """

    def __init__(self, source: BinaryIO, out: Output, complaints: Output) -> None:
        self._reader = ByteReader(source)
        self._out = out
        self._complaints = complaints

    def ask(
        self,
        prompt: str,
        read: Callable[[ByteReader], int | None],
        complaint: str,
        *,
        accepted: Container[int],
        default: int,
    ) -> int:
        """Ask for a number; an answer that is not accepted gets a complaint and means `default`."""
        try:
            self._out.write(prompt)
            self._out.flush()
            number = read(self._reader)
        except KeyboardInterrupt:
            self._out.write("\n")  # what the shell says next begins a line
            self._out.flush()
            raise
        if number is not None and number in accepted:
            return number
        self._complaints.write(complaint)
        self._complaints.flush()
        return default
