"""Ask for numbers as the course's program does, and read them as C's `scanf` does (LCR §5).

White space is skipped. An optional sign and decimal digits follow. Reading stops at the first byte
that does not fit, which is the next byte of the next reader.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Container
from dataclasses import dataclass
from typing import BinaryIO, Final, TextIO

_WHITE_SPACE: Final = frozenset(b" \t\n\v\f\r")
_DIGITS: Final = frozenset(b"0123456789")
_MINUS: Final = ord("-")
_SIGNS: Final = frozenset(b"+-")
END: Final = -1  # the value of `peek` at the end of the stream

# Limits of the C library, in which `long` and `unsigned long` have 64 bits.
_LONG_BOUND: Final = 1 << 63
_UNSIGNED_LONG_BOUND: Final = 1 << 64
_INT_BOUND: Final = 1 << 31
_UNSIGNED_BOUND: Final = 1 << 32


class ByteReader:
    """A stream of bytes with one byte of look-ahead. A read error counts as the end."""

    def __init__(self, source: BinaryIO) -> None:
        self._source = source
        self._ahead: int | None = None

    def peek(self) -> int:
        """Return the next byte without taking it: 0 to 255, or `END`."""
        if self._ahead is None:
            self._ahead = self._fetch()
        return self._ahead

    def skip(self) -> int:
        """Take the next byte, and return the byte after it without taking it."""
        if self.peek() != END:
            self._ahead = None
        return self.peek()

    def _fetch(self) -> int:
        try:
            data = self._source.read(1)
        except (OSError, ValueError):  # a ValueError means that the stream is closed
            return END
        return data[0] if data else END


def _scan(reader: ByteReader) -> int | None:
    """Read the next number. Return None if there is none, after taking a sign if there is one."""
    byte = reader.peek()
    while byte in _WHITE_SPACE:
        byte = reader.skip()
    negative = byte == _MINUS
    if byte in _SIGNS:
        byte = reader.skip()
    if byte not in _DIGITS:
        return None
    magnitude = 0
    while byte in _DIGITS:
        # All numbers beyond 64 bits have the same result, so do not compute very large ones.
        if magnitude < _UNSIGNED_LONG_BOUND:
            magnitude = magnitude * 10 + byte - ord("0")
        byte = reader.skip()
    return -magnitude if negative else magnitude


def read_int(reader: ByteReader) -> int | None:
    """Read the value that `scanf("%d")` stores, from -2**31 to 2**31 - 1, or None.

    The number is clamped to 64 bits, and its low 32 bits are kept.

    >>> from io import BytesIO
    >>> read_int(ByteReader(BytesIO(b" -7 8"))), read_int(ByteReader(BytesIO(b"4294967299")))
    (-7, 3)
    """
    number = _scan(reader)
    if number is None:
        return None
    value = min(max(number, -_LONG_BOUND), _LONG_BOUND - 1)
    return (value + _INT_BOUND) % _UNSIGNED_BOUND - _INT_BOUND


def read_unsigned(reader: ByteReader) -> int | None:
    """Read the value that `scanf("%u")` stores, from 0 to 2**32 - 1, or None.

    A magnitude beyond 64 bits becomes 2**64 - 1, regardless of its sign. Otherwise, a minus sign
    negates the number modulo 2**64. The low 32 bits are kept.

    >>> from io import BytesIO
    >>> read_unsigned(ByteReader(BytesIO(b"-5")))
    4294967291
    """
    number = _scan(reader)
    if number is None:
        return None
    if abs(number) >= _UNSIGNED_LONG_BOUND:
        number = _UNSIGNED_LONG_BOUND - 1
    return number % _UNSIGNED_BOUND


class Output:
    """Standard output or standard error, as in C.

    After a write error, the stream ignores all output, `failure` is set, and the program continues.
    """

    def __init__(self, stream: TextIO) -> None:
        self.failure: OSError | None = None
        self._stream = stream

    def write(self, text: str) -> None:
        """Write `text`, which may be buffered."""
        self._attempt(lambda: self._stream.write(text))

    def flush(self) -> None:
        """Flush the stream."""
        self._attempt(self._stream.flush)

    def _attempt(self, act: Callable[[], object]) -> None:
        if self.failure is not None:
            return
        try:
            act()
        except OSError as error:
            self.failure = error
            # The unwritten text would cause another error when the process ends.
            null = os.open(os.devnull, os.O_WRONLY)
            os.dup2(null, self._stream.fileno())
            os.close(null)


@dataclass(frozen=True, slots=True)
class Dialogue:
    """Asks on one stream, complains on another, and reads the answers as `scanf` does."""

    answers: ByteReader
    out: Output
    complaints: Output

    def ask(
        self,
        prompt: str,
        read: Callable[[ByteReader], int | None],
        complaint: str,
        *,
        accepted: Container[int],
        default: int,
    ) -> int:
        """Ask for a number. After an answer that is not accepted, complain and return `default`."""
        try:
            self.out.write(prompt)
            self.out.flush()
            number = read(self.answers)
        except KeyboardInterrupt:
            self.out.write("\n")  # so that the shell's next output starts a line
            self.out.flush()
            raise
        if number is not None and number in accepted:
            return number
        self.complaints.write(complaint)
        self.complaints.flush()
        return default
