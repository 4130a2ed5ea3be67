"""Parts of every program: exit statuses, wrong use, and a guard around its main part.

    def main(argv: Sequence[str] | None = None) -> int:
        words = list(sys.argv[1:] if argv is None else argv)
        return guarded("highest", lambda: run(words))

Any error in `run` becomes one line on the standard error and an exit status: a user never sees a
traceback. `tabletop.terminal.args` reads options, `tabletop.host.user_files` reads files.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from typing import Final, TextIO

from tabletop.errors import (
    ContractError,
    EndOfInput,
    OptionError,
    RegistryError,
    TabletopError,
    UsageError,
)
from tabletop.host.screen_text import print_error, sanitized_stream
from tabletop.match.endless_rules import start_watching_rules
from tabletop.terminal.signals import interrupts, was_interrupted

OK: Final = 0
"""The exit status when all went well."""

FAILURE: Final = 1
"""The exit status when something failed."""

_USAGE: Final = 2
INTERRUPTED: Final = 130
"""Exit statuses: all went well; something failed; wrong use; interrupted without a result (130)."""


class Leave(SystemExit):
    """Ends a program that is done, as after `--help`. Rules that call `sys.exit` fail instead."""


class Interrupted(TabletopError):
    """A command was interrupted before it had a result; the message names the missing result."""


def guarded(program: str, run: Callable[[], int], *, interrupted: int = INTERRUPTED) -> int:
    """Run a program's main part; an error becomes one line and an exit status.

    Args:
        program: its name.
        run: its main part; returns the exit status. SIGTERM and SIGHUP reach it as Ctrl-C does, as
            a `KeyboardInterrupt`.
        interrupted: the exit status when that leaves `run`. A message is printed, unless it is 0.
    """
    _mend_streams()
    try:
        with interrupts():
            return _guarded(program, run, interrupted)
    except KeyboardInterrupt:  # between the end of the work and here
        return _interrupted(program, interrupted)


def _guarded(program: str, run: Callable[[], int], interrupted: int) -> int:
    try:
        status = _status_of(program, run, interrupted)
        sys.stdout.flush()  # here, where a failure can still be told
    except BrokenPipeError:  # the reader of our output has left
        _drop(sys.stdout)
        return OK
    except OSError as error:
        _drop(sys.stdout)
        if was_interrupted():  # its terminal has gone, and took the output with it
            return _interrupted(program, interrupted)
        return _fail(program, f"{error.filename or 'output'}: {error.strerror}", FAILURE)
    return status


def _interrupted(program: str, status: int) -> int:
    return _fail(program, "interrupted", status) if status else status


def _status_of(program: str, run: Callable[[], int], interrupted: int) -> int:
    stop_watching = start_watching_rules(lambda what: print_error(f"{program}: {what}"))
    try:
        return run()
    except Leave as left:
        return left.code if isinstance(left.code, int) else OK
    except OSError:
        raise
    except KeyboardInterrupt:
        return _interrupted(program, interrupted)
    except EndOfInput:
        return OK
    except TabletopError as error:
        is_usage = isinstance(error, (UsageError, RegistryError, OptionError))
        failed = INTERRUPTED if isinstance(error, Interrupted) else FAILURE
        return _fail(program, with_place(error), _USAGE if is_usage else failed)
    except (Exception, SystemExit) as error:
        if os.environ.get("TABLETOP_DEBUG"):
            raise
        return _fail(program, _describe(error), FAILURE)
    finally:
        stop_watching()


def with_place(error: TabletopError) -> str:
    """The message of an error; where rules have failed, with the file and the line."""
    cause = error.__cause__ if isinstance(error, ContractError) else None
    where = "" if cause is None else _place_of(cause)
    return f"{error} ({where})" if where else str(error)


def _place_of(error: BaseException) -> str:
    """The file and the line of a game that raised an error, if one did."""
    from tabletop.host.modules import place_of  # only needed when something went wrong

    return place_of(error)


def _describe(error: BaseException) -> str:
    """Describe an error that is not one of `tabletop`, and where a game raised it."""
    from tabletop.host.modules import bad_text_in  # only needed when something went wrong

    if named := bad_text_in(error):
        return named
    where = _place_of(error)
    more = f"{where}; set TABLETOP_DEBUG=1 to see {'all' if where else 'where'}".lstrip("; ")
    what = f"{type(error).__name__}: {error}".removesuffix(": ")
    return f"{what} ({more})"


def _fail(program: str, message: str, status: int) -> int:
    try:
        print_error(f"{program}: {' '.join(message.splitlines())}")
    except OSError:  # nobody is there to read it
        _drop(sys.stderr)
    return status


def _drop(stream: TextIO) -> None:
    """Point an output elsewhere, so that nothing more fails at exit."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, stream.fileno())
    os.close(nowhere)


def _mend_streams() -> None:
    """Make the standard streams fit for use, whatever the program was started with.

    A closed one becomes an empty one. Text that cannot be read or shown, or that a terminal would
    obey, is replaced without an error.
    """
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            nowhere = os.open(os.devnull, os.O_RDWR)
            setattr(sys, name, os.fdopen(nowhere, mode, encoding="utf-8", closefd=False))
        reconfigure = getattr(getattr(sys, name), "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="replace")
    sys.stdout, sys.stderr = sanitized_stream(sys.stdout), sanitized_stream(sys.stderr)
