"""Command that prints a completion script for a shell."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator

from tabletop.errors import TabletopError
from tabletop.host.screen_text import raw_stream

# An installed game, or a file of one's own.
_BASH_GAMES = """
_tabletop_games() {
  compgen -W "$(tabletop games 2>/dev/null | tail -n +2 | cut -d' ' -f1)" -- "$1"
  compgen -f -X '!*.py' -- "$1"
  compgen -d -- "$1"
}
_tabletop_words() {
  _tabletop_games "$1"
  compgen -W import -- "$1"
  compgen -f -X '*.py' -- "$1"
}
"""


def add_completion_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `tabletop completion`."""
    parser.add_argument(
        "shell", metavar="SHELL", choices=("bash", "zsh", "tcsh"), help="bash, zsh, tcsh"
    )


def run_completion(arguments: argparse.Namespace) -> int:
    """Print a script that completes the arguments of `tabletop` in a shell.

    For bash: `tabletop completion bash > ~/.local/share/bash-completion/completions/tabletop`.
    """
    try:
        import shtab
    except ImportError as error:
        message = "completion needs shtab: pip install 'tabletop-rules[completion]'"
        raise TabletopError(message) from error
    parser: argparse.ArgumentParser = arguments.program
    for action in _actions(parser):
        if action.metavar == "FILE":
            vars(action)["complete"] = shtab.FILE  # where shtab looks
        elif action.metavar == "GAME":
            words = "_tabletop_games" if action.nargs in (None, "?") else "_tabletop_words"
            vars(action)["complete"] = {"bash": words, "zsh": "_files"}
    preamble = _BASH_GAMES if arguments.shell == "bash" else ""
    raw_stream(sys.stdout).write(shtab.complete(parser, arguments.shell, preamble=preamble))
    return 0


def _actions(parser: argparse.ArgumentParser) -> Iterator[argparse.Action]:
    """Yield the arguments of the parser and of its commands."""
    for action in parser._actions:  # argparse has no public way to ask
        yield action
        if isinstance(action, argparse._SubParsersAction):
            for command in action.choices.values():
                yield from _actions(command)
