"""Running the project's programs: in this process, or in one of their own."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from io import BytesIO, StringIO, TextIOWrapper
from pathlib import Path
from typing import NamedTuple

import pytest

PYTHON = [sys.executable, "-W", "error"]
"""What runs a program of the project, when `-m` and its name follow."""


class Printed(NamedTuple):
    """What a program has printed, and its exit status."""

    stdout: str
    stderr: str = ""
    status: int = 0


def run_here(
    main: Callable[[Sequence[str]], int],
    arguments: Sequence[str],
    typed: str | bytes = "",
    *,
    together: bool = False,
) -> Printed:
    """Run a program inside this process, which is much quicker; `together` on one stream."""
    out = StringIO()
    err = out if together else StringIO()
    with pytest.MonkeyPatch.context() as patch, redirect_stdout(out), redirect_stderr(err):
        patch.setattr(sys, "stdin", TextIOWrapper(BytesIO(as_bytes(typed)), "utf-8"))
        status = main(arguments)
    return Printed(out.getvalue(), "" if together else err.getvalue(), status)


def process(
    module: str,
    *arguments: str,
    typed: str | bytes = "",
    cwd: Path | None = None,
    environment: Mapping[str, str] | None = None,
) -> Printed:
    """Run `python -m MODULE` in a process of its own; it never shows a traceback."""
    done = subprocess.run(
        [*PYTHON, "-m", module, *arguments],
        input=as_bytes(typed),
        capture_output=True,
        cwd=cwd,
        check=False,
        timeout=60,
        env={**os.environ, **(environment or {})},
    )
    printed = Printed(done.stdout.decode(), done.stderr.decode(), done.returncode)
    assert "Traceback" not in printed.stdout + printed.stderr
    return printed


@contextmanager
def piped(text: str | bytes) -> Iterator[str]:
    """The path of a pipe with a text, as `<(printf ...)` of a shell gives it to a program."""
    reading, writing = os.pipe()
    os.write(writing, as_bytes(text))
    os.close(writing)
    try:
        yield f"/dev/fd/{reading}"
    finally:
        os.close(reading)


def as_bytes(typed: str | bytes) -> bytes:
    """What comes from a keyboard."""
    return typed.encode() if isinstance(typed, str) else typed
