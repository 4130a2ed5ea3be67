"""The `tabletop` program.

Exit codes: 0 for success, 1 for a failure, 2 for a usage error, and 130 for an interrupt (Ctrl-C)
without a result.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Sequence
from importlib import import_module
from inspect import cleandoc
from typing import Any, Final

from tabletop.terminal.parsers import PlainParser, SayVersion
from tabletop.terminal.programs import INTERRUPTED, OK, guarded

__all__ = ["COMMANDS", "build_parser", "main"]

COMMANDS: Final = {
    "games": ("games_and_seeds", "list the installed games"),
    "rules": ("games_and_seeds", "print the rules of a game"),
    "play": ("play", "play a game at the terminal"),
    "join": ("join", "join a table on another server, in person or with a bot"),
    "serve": ("serve", "serve a table or a lobby to browsers"),
    "mcp": ("mcp", "let language models play, with the Model Context Protocol"),
    "replay": ("records", "show or verify a recorded match"),
    "resume": ("play", "resume an interrupted match"),
    "picture": ("records", "draw a position of a recorded match"),
    "replay-page": ("records", "write a recorded match as a web page with pictures"),
    "diverge": ("diverge", "find the first difference between two records or draw logs"),
    "new": ("new", "create a package for a new game"),
    "schema": ("schema", "print the JSON Schema of a game or of the protocol"),
    "check": ("check", "check that a game keeps the contract"),
    "simulate": ("studies", "play many matches between bots and store the results"),
    "report": ("studies", "write a report about a study"),
    "tournament": ("studies", "rank bots by letting them play against each other"),
    "compare": ("compare", "measure the effect of other options or rules"),
    "tune": ("studies", "search for better weights for a bot"),
    "train": ("train", "train a bot by self-play"),
    "seed": ("games_and_seeds", "generate seeds"),
    "scores": ("scores", "show the scores of finished matches"),
    "catalog": ("catalog", "list the initial setup for a range of seeds"),
    "completion": ("completion", "print a completion script for a shell"),
}
"""Map each command to its module and its summary.

The module defines `add_COMMAND_arguments`, which adds the arguments to a parser, and `run_COMMAND`,
whose docstring is the description in the help. Both names have `_` in place of `-`.
"""


class CommandParser(PlainParser):
    """The parser of a command, which reports unknown arguments with the usage of the command."""

    def parse_known_args(self, args: Iterable[str] | None = None, namespace: Any = None) -> Any:
        arguments, unknown = super().parse_known_args(args, namespace)
        if unknown:
            self.refuse(unknown)
        return arguments, unknown


def build_parser(words: Sequence[str] = ()) -> argparse.ArgumentParser:
    """Return the parser of the program.

    Args:
        words: The command line. Only the module of the command in it is imported, so the parsers of
            other commands have no arguments.
    """
    parser = PlainParser(
        prog="tabletop",
        description="Play turn-based games, and replay, resume and check them.",
        epilog="GAME is the name of an installed game, module:NAME, or the path of a .py file."
        " Modules and files are executed as Python code, so use only those that you trust.",
        allow_abbrev=False,
    )
    parser.add_argument(
        *("-V", "--version"),
        action=SayVersion,
        nargs=0,
        help="show program's version number and exit",
    )
    commands = parser.add_subparsers(
        title="commands", metavar="COMMAND", required=True, parser_class=CommandParser
    )
    chosen = next((word for word in words if not word.startswith("-")), "")
    for name, (module_name, summary) in COMMANDS.items():
        command = commands.add_parser(name, help=summary, allow_abbrev=False)
        if chosen in {name, "completion"}:  # a completion script covers all commands
            module = import_module(f"tabletop.cli.{module_name}")
            function = name.replace("-", "_")
            run = getattr(module, f"run_{function}")
            command.description = cleandoc(run.__doc__ or summary)  # python -OO drops docstrings
            getattr(module, f"add_{function}_arguments")(command)
            command.set_defaults(run=run, program=parser, typed=words)
    return parser


def main(argv: Sequence[str] | None = None) -> int:
    """Run the program and return its exit code."""
    words = sys.argv[1:] if argv is None else argv
    is_replay = words[:1] == ["replay"] and "--step" in words
    may_be_left = is_replay or words[:1] in (["play"], ["resume"], ["join"], ["serve"], ["mcp"])

    def run() -> int:
        # Without a command or a game, list the games that can be played.
        is_empty = not words or list(words) == ["play"]
        line = ["games"] if is_empty else words
        arguments = build_parser(line).parse_args(line)
        status: int = arguments.run(arguments)
        if is_empty:
            sys.stdout.write("Play a game: tabletop play NAME. All commands: tabletop --help.\n")
        return status

    return guarded("tabletop", run, interrupted=OK if may_be_left else INTERRUPTED)
