"""The `tabletop` program.

It exits 0 when all went well, 1 when something failed, 2 when it was used wrongly, and 130 when it
was interrupted before it had a result.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Sequence
from importlib import import_module
from inspect import cleandoc
from typing import Any, Final

from typing_extensions import override

from tabletop.terminal.args import PlainParser, SayVersion
from tabletop.terminal.programs import INTERRUPTED, OK, guarded

__all__ = ["COMMANDS", "build_parser", "main"]

COMMANDS: Final = {
    "games": ("games_and_seeds", "list the installed games"),
    "rules": ("games_and_seeds", "print the rules of a game"),
    "play": ("play", "play a game at the terminal"),
    "join": ("join", "sit at somebody else's table, or let a bot sit there"),
    "serve": ("serve", "play in a browser: serve a table, or a lobby"),
    "replay": ("records", "show a recorded match, or verify it"),
    "resume": ("play", "go on with an interrupted match"),
    "picture": ("records", "draw a picture of a recorded match"),
    "film": ("records", "write a recorded match as a page with pictures"),
    "diverge": ("diverge", "say where two records, or logs of draws, differ"),
    "new": ("new", "make a package for a game of your own"),
    "schema": ("schema", "print what a game, or a table, says in JSON, as JSON Schema"),
    "check": ("check", "check that a game keeps the contract"),
    "compile": ("compile", "compile the rules of a game into a wheel"),
    "simulate": ("studies", "play very many matches between bots, and store their outcomes"),
    "report": ("studies", "write a page about a study: who wins, and why"),
    "tournament": ("studies", "say which of some bots is the strongest"),
    "compare": ("compare", "say what other options or rules change"),
    "tune": ("studies", "find better weights of a bot"),
    "train": ("train", "have a bot learn a game by playing against itself"),
    "seed": ("games_and_seeds", "print fresh seeds"),
    "scores": ("scores", "show how matches ended"),
    "catalog": ("catalog", "write what seeds hold before the first move"),
    "completion": ("completion", "print a completion script for a shell"),
}
"""Every command: its module, which has `add_..._arguments` and `run_...`, and what it does."""


class CommandParser(PlainParser):
    """The parser of one command, which refuses unknown words with its own usage line."""

    @override
    def parse_known_args(self, args: Iterable[str] | None = None, namespace: Any = None) -> Any:
        arguments, unknown = super().parse_known_args(args, namespace)
        if unknown:
            self.refuse(unknown)
        return arguments, unknown


def build_parser(words: Sequence[str] = ()) -> argparse.ArgumentParser:
    """The parser of the program, for a line with these words.

    Only the module of the command that they name is imported.
    """
    parser = PlainParser(
        prog="tabletop",
        description="Play turn-based games, and replay, resume and check them.",
        epilog="A GAME is the name of an installed one, module:NAME, or a path to a .py file. A"
        " module and a file are Python, and are run: name only what you trust.",
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
    asked = next((word for word in words if not word.startswith("-")), "")
    for name, (place, what) in COMMANDS.items():
        command = commands.add_parser(name, help=what, allow_abbrev=False)
        if asked in {name, "completion"}:  # the latter is about all of them
            module = import_module(f"tabletop.cli.{place}")
            run = getattr(module, f"run_{name}")
            command.description = cleandoc(run.__doc__ or what)  # python -OO drops docstrings
            getattr(module, f"add_{name}_arguments")(command)
            command.set_defaults(run=run, program=parser, typed=words)
    return parser


def main(argv: Sequence[str] | None = None) -> int:
    """Run the program; its exit status."""
    words = sys.argv[1:] if argv is None else argv
    is_replay = words[:1] == ["replay"] and "--step" in words
    may_be_left = is_replay or words[:1] in (["play"], ["resume"], ["join"], ["serve"])

    def run() -> int:
        is_empty = not words or list(words) == ["play"]  # then what can be played is the answer
        asked = ["games"] if is_empty else words
        arguments = build_parser(asked).parse_args(asked)
        status: int = arguments.run(arguments)
        if is_empty:
            sys.stdout.write("Play one: tabletop play NAME. All commands: tabletop --help.\n")
        return status

    return guarded("tabletop", run, interrupted=OK if may_be_left else INTERRUPTED)
