"""The `tabletop` program: one file a command.

It exits 0 when all went well, 1 when something failed, and 2 when it was used wrongly.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import TextIO

from tabletop.errors import EndOfInput, OptionError, RegistryError, TabletopError

COMMANDS = ("games", "play", "replay", "resume", "check", "seed", "completion")

OK, FAILURE, USAGE = 0, 1, 2


class UsageError(TabletopError):
    """The program was used wrongly: an argument makes no sense."""


def build_parser() -> argparse.ArgumentParser:
    """The parser of the whole program."""
    parser = argparse.ArgumentParser(
        prog="tabletop",
        description="Play turn-based games, and replay, resume and check them.",
        epilog="A GAME is the name of an installed one, module:NAME, or a path to a .py file.",
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
    _make_printable(sys.stdout, sys.stderr)
    if "" not in sys.path and os.getcwd() not in sys.path:
        sys.path.insert(0, os.getcwd())  # module:NAME is looked for here, as with `python -m`
    arguments = build_parser().parse_args(argv)
    return guarded("tabletop", lambda: arguments.run(arguments))


def guarded(program: str, run: Callable[[], int]) -> int:
    """Run a program's main part: what goes wrong becomes one line and an exit status."""
    try:
        return run()
    except BrokenPipeError:
        # Whoever read our output has left. Point it elsewhere, so that nothing fails at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return OK
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
    sys.stderr.write(f"{program}: {message}\n")
    return status


def _make_printable(*streams: TextIO) -> None:
    """Have characters that a terminal cannot show replaced instead of failing."""
    for stream in streams:
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="replace")
