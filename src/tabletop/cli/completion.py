"""The command `tabletop completion`, which prints a completion script for a shell."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterable, Iterator
from contextlib import suppress
from importlib import import_module
from importlib.metadata import distribution
from typing import Any, Final

from tabletop.errors import RegistryError
from tabletop.host.extras import require
from tabletop.host.screen_text import raw_stream
from tabletop.registry import Plugin, installed, load_point

SHELLS: Final = ("bash", "zsh", "tcsh", "fish", "powershell")  # the shells that shtab supports
_BOTS: Final = ("BOT", "A,B,...")  # the metavars of arguments that name a bot

_SEATS: Final = ("SEAT[=BOT]", "SEAT[=NAME]", "COLOUR[=NAME]")
"""The metavars of arguments that name a seat and its bot."""

_COMMAND: Final = re.compile(r"build_(\w+)_parser")
"""The names of functions that return the parser of a command of a game's program."""

_WORD: Final = re.compile(r"[\w-]+")  # words that need no quotes in any shell

_BASH: Final = """
# Bash splits words at `=`, but the functions of shtab expect whole words.
_tabletop_completion() {
  local -a joined=()
  local word last glue=
  for word in "${COMP_WORDS[@]:0:COMP_CWORD+1}"; do
    last=$((${#joined[@]} - 1))
    if [[ $word == = && ${joined[last]} == -* ]]; then
      joined+=("")
      glue=yes
    elif [[ $word == = ]]; then
      joined[last]+=$word
      glue=yes
    elif [[ -n $glue ]]; then
      joined[last]+=$word
      glue=
    else
      joined+=("$word")
    fi
  done
  last=$((${#joined[@]} - 1))
  local -a COMP_WORDS=("${joined[@]}")
  local COMP_CWORD=$last
  "$1"
  if [[ $COMP_WORDBREAKS == *=* && ${joined[last]} == *=* ]]; then
    COMPREPLY=("${COMPREPLY[@]#"${joined[last]%=*}="}")
  fi
}
_tabletop_completion_PROGRAM() { _tabletop_completion _shtab_PROGRAM; }
complete -o bashdefault -F _tabletop_completion_PROGRAM PROGRAM"""

_WORDS_OR_FILES: Final = {
    "bash": """
_tabletop_NAME_files() {
  compgen -W "WORDS" -- "$1"
  compgen -f -X '!GLOB' -- "$1"
  compgen -d -- "$1"
}""",
    "zsh": """
_tabletop_NAME_files() {
  _alternative 'words:word:(WORDS)' 'files:file:_files -g "GLOB"'
}""",
    "powershell": """
function _tabletop_NAME_files {
  param([string]$WordToComplete)
  -split 'WORDS' | Where-Object { $_ -like "$WordToComplete*" }
  _shtab_powershell_compgen_files $WordToComplete
}""",
}
"""Functions for an argument that is a word or a file."""


def add_completion_arguments(parser: argparse.ArgumentParser) -> None:
    points = distribution("tabletop-rules").entry_points.select(group="console_scripts")
    programs = [point.name for point in points]
    parser.add_argument("shell", metavar="SHELL", choices=SHELLS, help=", ".join(SHELLS))
    parser.add_argument(
        "completed",
        metavar="PROGRAM",
        nargs="?",
        choices=programs,
        default="tabletop",
        help=f"{', '.join(programs)} (default: %(default)s)",
    )


def run_completion(arguments: argparse.Namespace) -> int:
    """Print a script that completes the arguments of a program in a shell.

    For bash: `tabletop completion bash > ~/.local/share/bash-completion/completions/tabletop`. The
    script contains the installed games and bots. Create it again after you install another game.
    """
    require("completion", "completion", "shtab")
    import shtab

    program, shell = arguments.completed, arguments.shell
    parser: argparse.ArgumentParser = arguments.program
    package = ""
    seats: list[str] | None = None
    if program != parser.prog:
        package = program
        cli = import_module(f"{package}.program.cli")
        parser = _parser_of(cli)
        if isinstance(named := getattr(cli, "SEATS", None), dict):
            seats = [name.lower() for name in named]
    _set_completers(parser, dict(_plugins(package)), seats)
    script = shtab.complete(parser, shell)
    if shell == "bash":
        script += _BASH.replace("PROGRAM", program)
    elif shell == "fish":  # shtab writes `-s` for `-seed`, which fish calls `-o`
        script = re.sub(r" -s (?=\w[\w-])", " -o ", script)
    raw_stream(sys.stdout).write(f"{script}\n")
    return 0


def _parser_of(cli: Any) -> argparse.ArgumentParser:
    """Return the parser of a game's program, with the parsers of its commands."""
    parser: argparse.ArgumentParser = cli.build_parser()
    if names := [found for name in vars(cli) if (found := _COMMAND.fullmatch(name))]:
        commands = parser.add_subparsers()
        for name in names:
            command = getattr(cli, name[0])()
            about = command.description
            commands.add_parser(name[1], parents=[command], add_help=False, help=about)
    return parser


def _plugins(package: str) -> Iterator[tuple[str, Plugin]]:
    """Yield the installed games by name, or those of one package, without broken games."""
    for name, point in installed().items():
        if package in {"", point.module.partition(".")[0]}:
            with suppress(RegistryError):
                yield name, load_point(point)


def _set_completers(
    parser: argparse.ArgumentParser, plugins: dict[str, Plugin], seats: list[str] | None
) -> None:
    """Set the completions of each argument for shtab.

    Args:
        parser: The parser of a program. Afterwards, the parser can no longer parse command lines.
        plugins: The games that can be named, by name.
        seats: The seats that can be named, or None for the seat numbers of each game.
    """
    import shtab

    bots: dict[str, None] = {}
    seated: dict[str, None] = {}
    for plugin in plugins.values():
        names = list(filter(_WORD.fullmatch, plugin.bot_names))
        bots |= dict.fromkeys(names)
        numbers = ["all", *(str(seat + 1) for seat in range(max(plugin.game.seats)))]
        for seat in numbers if seats is None else seats:
            seated |= dict.fromkeys([seat, *(f"{seat}={name}" for name in names)])
    completers = {
        "FILE": shtab.FILE,
        "DIR": shtab.DIRECTORY,
        "FOLDER": shtab.DIRECTORY,
        "GAME": _words_or_files("game", plugins, "*.py"),
        "GAME|import": _words_or_files("score", [*plugins, "import"], "*.jsonl"),
    }
    for action in _actions(parser):
        name = str(action.metavar)
        if name in _BOTS:
            action.choices = list(bots)
        elif name in _SEATS:
            action.choices = list(seated)
        elif found := completers.get(name.partition(".")[0]):  # FILE.html is a FILE
            vars(action)["complete"] = found  # the attribute that shtab reads


def _words_or_files(name: str, words: Iterable[str], glob: str) -> dict[str, Any]:
    """Return the completer for an argument that is a word or a file, in shtab's format.

    Args:
        name: The name of the argument, for the names of functions.
    """
    listed = " ".join(words)
    functions = {
        shell: text.replace("NAME", name).replace("WORDS", listed).replace("GLOB", glob)
        for shell, text in _WORDS_OR_FILES.items()
    }
    return {
        **dict.fromkeys(functions, f"_tabletop_{name}_files"),
        "tcsh": f"({listed})",
        "fish": f"{listed} (__fish_complete_suffix {glob.removeprefix('*')})",
        "preamble": functions,
    }


def _actions(parser: argparse.ArgumentParser) -> Iterator[argparse.Action]:
    """Yield the arguments of the parser and of its commands."""
    for action in parser._actions:  # argparse has no public way to ask
        yield action
        if isinstance(action, argparse._SubParsersAction):
            for command in action.choices.values():
                yield from _actions(command)
