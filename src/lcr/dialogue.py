"""The questions of the course's program, and its streams of text (LCR §5)."""

from __future__ import annotations

import os
from collections.abc import Callable, Container
from io import BytesIO
from typing import BinaryIO, TextIO

from lcr.reading import ByteReader


class Output:
    """Standard output or standard error, as C has them.

    Once a stream cannot be written, it stays silent and the program goes on. Characters that it
    cannot show are replaced.

    Args:
        stream: of the process; None when it was closed before the program began.

    Attributes:
        failure: why it went silent.
    """

    def __init__(self, stream: TextIO | None) -> None:
        self.failure: OSError | None = None
        self._stream = stream
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="replace")

    def write(self, text: str) -> None:
        """Add `text`; it may appear later."""
        if self._stream is not None:
            try:
                self._stream.write(text)
            except OSError as error:
                self._end(self._stream, error)

    def flush(self) -> None:
        """Have appear what was written."""
        if self._stream is not None:
            try:
                self._stream.flush()
            except OSError as error:
                self._end(self._stream, error)

    def _end(self, stream: TextIO, error: OSError) -> None:
        self.failure = error
        self._stream = None
        # What could not be written is still there, and would fail again when the process ends.
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, stream.fileno())
        os.close(nowhere)


class Dialogue:
    """Asks on one stream, complains on another, and reads the answers as `scanf` does.

    Args:
        source: where answers come from; None when it was closed before the program began. It may
            read ahead what has been typed already, but must not wait for more than it is asked for.
        out: where questions appear.
        complaints: where complaints do.
    """

    def __init__(self, source: BinaryIO | None, out: Output, complaints: Output) -> None:
        self._reader = ByteReader(BytesIO() if source is None else source)
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
        """The number that is answered; `default`, after a complaint, when it is none accepted."""
        self._out.write(prompt)
        self._out.flush()
        number = read(self._reader)
        if number is not None and number in accepted:
            return number
        self._complaints.write(complaint)
        self._complaints.flush()
        return default
