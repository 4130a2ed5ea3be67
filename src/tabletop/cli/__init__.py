"""The `tabletop` program: one file a command.

It exits 0 when all went well, 1 when something failed, and 2 when it was used wrongly.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Sequence
from importlib import import_module

from tabletop.cli.parsing import PlainParser
from tabletop.errors import EndOfInput, OptionError, RegistryError, TabletopError
from tabletop.printable import guard, say_error

COMMANDS = (
    "games",
    "play",
    "replay",
    "resume",
    "diverge",
    "check",
    "seed",
    "scores",
    "catalog",
    "completion",
)

OK, FAILURE, USAGE = 0, 1, 2


class UsageError(TabletopError):
    """The program was used wrongly: an argument makes no sense."""


def build_parser() -> argparse.ArgumentParser:
    """The parser of the whole program."""
    parser = PlainParser(
        prog="tabletop",
        description="Play turn-based games, and replay, resume and check them.",
        epilog="A GAME is the name of an installed one, module:NAME, or a path to a .py file. A"
        " module and a file are Python, and are run: name only what you trust.",
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=_version())
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    for name in COMMANDS:
        module = import_module(f"tabletop.cli.{name}")
        command = commands.add_parser(
            name, help=module.HELP, description=module.__doc__, allow_abbrev=False
        )
        module.add_arguments(command)
        command.set_defaults(run=module.run)
    return parser


def _version() -> str:
    from importlib.metadata import version

    return f"tabletop {version('tabletop-rules')}"


def main(argv: Sequence[str] | None = None) -> int:
    """Run the program; its exit status."""
    return guarded("tabletop", lambda: _run(argv))


def _run(argv: Sequence[str] | None) -> int:
    arguments = build_parser().parse_args(argv)
    status: int = arguments.run(arguments)
    return status


def guarded(program: str, run: Callable[[], int]) -> int:
    """Run a program's main part: what goes wrong becomes one line and an exit status."""
    mend_streams()
    try:
        status = _status_of(program, run)
        sys.stdout.flush()  # here, where a failure can still be told
    except BrokenPipeError:  # whoever read our output has left
        _drop_output()
        return OK
    except OSError as error:
        _drop_output()
        return _fail(program, f"{error.filename or 'output'}: {error.strerror}", FAILURE)
    return status


def _status_of(program: str, run: Callable[[], int]) -> int:
    try:
        return run()
    except SystemExit as left:  # argparse has said why
        return left.code if isinstance(left.code, int) else OK
    except OSError:
        raise
    except (KeyboardInterrupt, EndOfInput):
        return OK
    except (UsageError, RegistryError, OptionError) as error:
        return _fail(program, str(error), USAGE)
    except TabletopError as error:
        return _fail(program, str(error), FAILURE)
    except Exception as error:
        if os.environ.get("TABLETOP_DEBUG"):
            raise
        hint = "set TABLETOP_DEBUG=1 to see where"
        return _fail(program, f"{type(error).__name__}: {error} ({hint})", FAILURE)


def _fail(program: str, message: str, status: int) -> int:
    say_error(f"{program}: {' '.join(message.splitlines())}")
    return status


def _drop_output() -> None:
    """Point the standard output elsewhere, so that nothing more fails at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def mend_streams() -> None:
    """Make the standard streams fit for use, whatever the program was started with.

    One that is closed is empty instead. What cannot be read or shown is replaced, not an error, and
    so is what a terminal would obey.
    """
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            nowhere = os.open(os.devnull, os.O_RDWR)
            setattr(sys, name, os.fdopen(nowhere, mode, encoding="utf-8", closefd=False))
        reconfigure = getattr(getattr(sys, name), "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="replace")
    sys.stdout, sys.stderr = guard(sys.stdout), guard(sys.stderr)
