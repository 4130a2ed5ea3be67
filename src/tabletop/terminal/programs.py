"""Parts of every program: exit statuses, usage errors, and a guard around the main part.

    def main(argv: Sequence[str] | None = None) -> int:
        words = list(sys.argv[1:] if argv is None else argv)
        return guarded("highest", lambda: run(words))

Any error in `run` becomes one line on the standard error and an exit status, so a user never sees a
traceback. `tabletop.terminal.args` reads options, `tabletop.host.user_files` reads files.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Final, TextIO

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

if TYPE_CHECKING:
    from tabletop.rules.events import ObserverFailure

OK: Final = 0
"""The exit status of success."""

FAILURE: Final = 1
"""The exit status of a failure."""

_USAGE: Final = 2

INTERRUPTED: Final = 130
"""The exit status of a program that was interrupted before it had a result."""


class Leave(SystemExit):
    """Ends a program that is done, as `--help` does. A `sys.exit` in rules is an error."""


class Interrupted(TabletopError):
    """A command was interrupted before it had a result, which the message names."""


def guarded(program: str, run: Callable[[], int], *, interrupted: int = INTERRUPTED) -> int:
    """Run the main part of a program. An error becomes one line and an exit status.

    Args:
        program: The name of the program.
        run: The main part, which returns the exit status. SIGTERM and SIGHUP raise
            `KeyboardInterrupt` in `run`, as Ctrl-C does.
        interrupted: The exit status if `run` raises `KeyboardInterrupt`. A message is printed
            unless the status is 0.
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
        sys.stdout.flush()  # here, where a failure can still be reported
    except BrokenPipeError:  # the reader of our output has closed the pipe
        _drop(sys.stdout)
        return OK
    except OSError as error:
        _drop(sys.stdout)
        if was_interrupted():  # the terminal was closed, so the output is lost
            return _interrupted(program, interrupted)
        return _fail(program, f"{error.filename or 'output'}: {error.strerror}", FAILURE)
    return status


def _interrupted(program: str, status: int) -> int:
    return _fail(program, "interrupted", status) if status else status


def _status_of(program: str, run: Callable[[], int], interrupted: int) -> int:
    stop_watching = start_watching_rules(lambda warning: print_error(f"{program}: {warning}"))
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
    """Return the message of an error, followed by file and line if rules have failed."""
    cause = error.__cause__ if isinstance(error, ContractError) else None
    where = "" if cause is None else _place_of(cause)
    return f"{error} ({where})" if where else str(error)


def _place_of(error: BaseException) -> str:
    """Return the file and line of the game code that raised an error, or an empty text."""
    from tabletop.host.modules import place_of  # only needed when something went wrong

    return place_of(error)


def report_observer(program: str, failure: ObserverFailure) -> None:
    """Print on standard error that an observer of a match, such as a log or a client, has failed.

    Args:
        program: The name of the program, which starts the line.
        failure: The failure.
    """
    report_error(program, failure.error)


def report_error(program: str, error: Exception) -> None:
    """Print on standard error that an observer or the text of a match has failed."""
    from tabletop.host.modules import bad_text_in  # only needed when something went wrong

    where = _place_of(error)
    reason = bad_text_in(error) or f"{error!r}{f' in {where}' if where else ''}"
    print_error(f"{program}: an observer failed: {reason}")


def bot_failure(bot: str, error: Exception) -> str:
    """Return the message that a bot has failed.

    The last output of a program that was started as a bot follows on lines of its own.
    """
    from tabletop.match.contract_errors import short_repr  # only needed when something went wrong

    message = str(error)
    if not isinstance(error, TabletopError):
        where = _place_of(error)
        message = f"{short_repr(error)}{f' in {where}' if where else ''}"
    reason, newline, output = message.partition("\n")
    return f"The bot {bot} has failed: {reason}.{newline}{output}"


def _describe(error: BaseException) -> str:
    """Describe an unexpected error, and name the place in the game's code that raised it."""
    from tabletop.host.modules import bad_text_in  # only needed when something went wrong

    if bad_text := bad_text_in(error):
        return bad_text
    where = _place_of(error)
    more = f"{where}; set TABLETOP_DEBUG=1 to see {'all' if where else 'where'}".lstrip("; ")
    message = f"{type(error).__name__}: {error}".removesuffix(": ")
    return f"{message} ({more})"


def _fail(program: str, message: str, status: int) -> int:
    try:
        print_error(f"{program}: {' '.join(message.splitlines())}")
    except OSError:  # the standard error is closed
        _drop(sys.stderr)
    return status


def _drop(stream: TextIO) -> None:
    """Redirect a stream to the null device, so that flushing it at exit does not fail."""
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, stream.fileno())
    os.close(null)


def _mend_streams() -> None:
    """Make the standard streams usable, however the program was started.

    A closed stream is replaced by the null device. Text that cannot be decoded or encoded, and
    control characters for the terminal, are replaced without an error.
    """
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            null = os.open(os.devnull, os.O_RDWR)
            setattr(sys, name, os.fdopen(null, mode, encoding="utf-8", closefd=False))
        reconfigure = getattr(getattr(sys, name), "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="replace")
    sys.stdout, sys.stderr = sanitized_stream(sys.stdout), sanitized_stream(sys.stderr)
