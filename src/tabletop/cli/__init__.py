"""The `tabletop` program: one file a command.

It exits 0 when all went well, 1 when something failed, 2 when it was used wrongly, and 130 when it
was interrupted before it had a result.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from importlib import import_module

import tabletop_start
from tabletop.terminal.parsers import PlainParser
from tabletop.terminal.programs import INTERRUPTED, OK, guarded

COMMANDS = (
    "games",
    "rules",
    "play",
    "serve",
    "replay",
    "resume",
    "picture",
    "film",
    "diverge",
    "check",
    "seed",
    "scores",
    "catalog",
    "completion",
)


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
        command.set_defaults(run=module.run, program=parser)
    return parser


def _version() -> str:
    from importlib.metadata import version

    return f"tabletop {version('tabletop-rules')}"


def main(argv: Sequence[str] | None = None) -> int:
    """Run the program; its exit status."""
    words = sys.argv[1:] if argv is None else argv
    at_will = tabletop_start.left_at_will(words)
    return guarded("tabletop", lambda: _run(argv), interrupted=OK if at_will else INTERRUPTED)


def _run(argv: Sequence[str] | None) -> int:
    arguments = build_parser().parse_args(argv)
    status: int = arguments.run(arguments)
    return status
