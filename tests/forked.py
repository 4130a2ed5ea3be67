"""Programs in a copy of the test process, which starts ten times as fast as a new Python.

A new Python is needed only for tests of imports, encodings or an installation.
"""

from __future__ import annotations

import ctypes
import gc
import os
import signal
import subprocess
import sys
import traceback
from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import IO, NoReturn, TypeAlias

from tabletop.terminal.editor import LineEditor
from tests.pages import unmeasured
from tests.program_runs import Printed
from tests.signals import default_signals

Main: TypeAlias = Callable[[Sequence[str]], int]
"""The function that runs a program of the project, such as `tabletop.cli.main`."""

IMPORTED = (LineEditor,)
"""What programs import at a terminal. The copies need not import it, because the tests have."""


def start(
    main: Main,
    *arguments: object,
    cwd: Path | None = None,
    environment: Mapping[str, str] | None = None,
    ignores_signals: bool = False,
    stdout: IO[str] | int = subprocess.PIPE,
    new_session: bool = False,
) -> subprocess.Popen[str]:
    """Start a program with pipes for its input and output.

    Args:
        main: The function that runs the program.
        arguments: The arguments of the program.
        cwd: The working directory, by default that of the tests.
        environment: Variables that differ from those of the tests.
        ignores_signals: Whether the program ignores the signals that the tests ignore.
        stdout: The standard output, by default a pipe.
        new_session: Whether the program leads a new process group, as at a terminal.
    """
    variables = {**unmeasured(), **(environment or {})}
    with nullcontext() if ignores_signals else default_signals():
        return subprocess.Popen(
            sys.executable,
            stdin=subprocess.PIPE,
            stdout=stdout,
            stderr=subprocess.PIPE,
            encoding="utf-8",
            cwd=cwd,
            start_new_session=new_session,
            preexec_fn=in_place_of_command(main, arguments, variables),  # noqa: PLW1509 (it takes no lock)
        )


def run(
    main: Main,
    *arguments: object,
    typed: str = "",
    cwd: Path | None = None,
    environment: Mapping[str, str] | None = None,
) -> Printed:
    """Run a program to its end, as `start` does. Fail if it shows a traceback."""
    return end_of(start(main, *arguments, cwd=cwd, environment=environment), typed)


def end_of(program: subprocess.Popen[str], typed: str = "") -> Printed:
    """Wait for the end of a program. Fail if it shows a traceback."""
    stdout, stderr = program.communicate(typed, timeout=120)
    assert "Traceback" not in f"{stdout}{stderr}"
    return Printed(stdout, stderr, program.returncode)


def in_place_of_command(
    main: Main,
    arguments: Sequence[object],
    environment: Mapping[str, str],
    first: Callable[[], None] = lambda: None,
) -> Callable[[], NoReturn]:
    """Return a `preexec_fn` that runs a program and never returns, so that no command starts.

    Args:
        main: The function that runs the program.
        arguments: The arguments of the program.
        environment: All environment variables of the program.
        first: Called first in the new process.
    """
    words = [str(argument) for argument in arguments]
    name = main.__module__.partition(".")[0]

    def run() -> NoReturn:
        # Nothing of the tests is collected, because it would close files of the program that have
        # the same descriptor.
        gc.freeze()
        # The tests wait until the pipe is closed on which a failing `preexec_fn` is reported.
        os.closerange(3, os.sysconf("SC_OPEN_MAX"))
        status: object = 1
        try:
            first()
            _start_like_python([name, *words], environment)
            status = main(words)
        except SystemExit as error:
            status = error.code
        except BaseException:
            traceback.print_exc()
        finally:
            _end(status)

    return run


def _start_like_python(command: Sequence[str], environment: Mapping[str, str]) -> None:
    """Set the variables, streams and signals of a new Python."""
    sys.settrace(None)  # A signal may come while a line is counted, and coverage holds a lock then.
    for number in (signal.SIGPIPE, signal.SIGXFSZ):
        signal.signal(number, signal.SIG_IGN)
    if (module := sys.modules.get("multiprocessing.resource_tracker")) is not None:
        module._resource_tracker.__init__()  # its pipe has been closed
    os.environ.clear()
    os.environ.update(environment)
    sys.argv[:] = command
    sys.stdin, sys.stdout, sys.stderr = _stream(0, "r"), _stream(1, "w"), _stream(2, "w")
    if (file := getattr(sys.modules.get("readline"), "__file__", None)) is not None:
        ctypes.CDLL(file).rl_reset_terminal(None)  # pytest imports readline with another TERM


def _stream(descriptor: int, mode: str) -> IO[str]:
    """Return a standard stream, which has lines at a terminal."""
    buffering = 1 if descriptor == 2 or os.isatty(descriptor) else -1
    return open(descriptor, mode, buffering, "utf-8", "surrogateescape", closefd=False)


def _end(status: object) -> NoReturn:
    """End the process at once, without what the tests do at their end."""
    try:
        sys.stdout.flush()
        sys.stderr.flush()
    except OSError:
        status = 120  # as that of a Python that cannot write its output
    os._exit(status if isinstance(status, int) else status is not None)
