"""Running a program in this process, as if it had one of its own."""

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
"""The exit statuses that a program may have."""

_MOVES: Final = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]"
)
LAST_LINES: Final = 3
"""So many of the lines that a program has said tell what came of an input."""


def run_program(main: Callable[[Sequence[str]], int], words: Sequence[str], typed: bytes) -> str:
    """Run a program on what is typed; its status, with its complaint or the last it has said.

    Raises:
        BrokenPromiseError: it ends with a status of no meaning, fails in silence, shows a
            traceback, or moves the terminal.
    """
    with TemporaryFile() as out, TemporaryFile() as err:
        with _streams(typed, out, err):
            status = main(words)
        said, complaint = _read(out), _read(err)
    moves = _MOVES.search(said + complaint)
    require(moves is None, f"it says {moves and moves[0]!r}, which moves a terminal")
    require(status in STATUSES, f"it exits with {status}")
    require("Traceback (most" not in said + complaint, f"a traceback:\n{said}{complaint}")
    silent = status == 0 or (status == 1 and "diverge" in words)  # which says what it has found
    require(silent or complaint, f"it exits with {status}, and does not say why")
    last = said.rstrip("\n").split("\n")[-LAST_LINES:]
    return f"{status}: {complaint or ' / '.join(last)}"


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
