"""Runs of a program within this process."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from io import BytesIO, TextIOWrapper
from tempfile import TemporaryFile
from typing import IO, Final

from tools.fuzz.target import require

STATUSES: Final = (0, 1, 2, 130)
"""The exit codes that a program may have."""

_MOVES: Final = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]"
)
LAST_LINES: Final = 3
"""Number of output lines in the description of a run."""


def run_program(main: Callable[[Sequence[str]], int], words: Sequence[str], typed: bytes) -> str:
    """Run a program with input. Return its exit code with its error output or its last lines.

    Raises:
        BrokenPromiseError: If the exit code is not a documented one, if an error has no message, or
            if the output contains a traceback or control characters.
    """
    with TemporaryFile() as out, TemporaryFile() as err:
        with _streams(typed, out, err):
            status = main(words)
        output, errors = _read(out), _read(err)
    control = _MOVES.search(output + errors)
    require(control is None, f"it prints {control and control[0]!r}, a control character")
    require(status in STATUSES, f"it exits with {status}")
    require("Traceback (most" not in output + errors, f"a traceback:\n{output}{errors}")
    silent = status == 0 or (status == 1 and "diverge" in words)  # prints the difference to stdout
    require(silent or errors, f"it exits with {status}, without an error message")
    last = output.rstrip("\n").split("\n")[-LAST_LINES:]
    return f"{status}: {errors or ' / '.join(last)}"


@contextmanager
def _streams(typed: bytes, out: IO[bytes], err: IO[bytes]) -> Iterator[None]:
    before = sys.stdin, sys.stdout, sys.stderr
    sys.stdin = TextIOWrapper(BytesIO(typed), "utf-8")
    sys.stdout = TextIOWrapper(out, "utf-8", "strict", write_through=True)
    sys.stderr = TextIOWrapper(err, "utf-8", "backslashreplace", write_through=True)
    try:
        yield
    finally:
        for stream in (sys.stdout, sys.stderr):
            stream.flush()
            stream.detach()
        sys.stdin, sys.stdout, sys.stderr = before


def _read(file: IO[bytes]) -> str:
    file.seek(0)
    return file.read().decode("utf-8", "replace")
