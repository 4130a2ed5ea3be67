"""Command-line parsers for options with one dash or two, and options of several programs.

This module does not import the rest of the framework, because `--help` and `--version` do not need
it. `tabletop.terminal.args` reads the values of the options.
"""

from __future__ import annotations

import argparse
import os
import re
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final, NoReturn

from tabletop.errors import UsageError
from tabletop.host.user_files import user_path
from tabletop.rng.build_in_use import build_in_use
from tabletop.terminal.programs import Leave
from tabletop.wording import did_you_mean, nearest, quote

_NEGATIVE: Final = re.compile(r"-\d+$|-\d*\.\d+$")
"""Pattern of words that argparse reads as numbers, not as options."""

_EXCLUDED: Final = re.compile(r"not allowed with argument ([^/\s]+)")
"""The message of argparse about two options that exclude each other, with both spellings."""


class PlainParser(argparse.ArgumentParser):
    """An `argparse.ArgumentParser` that prints no colours."""

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        # Python 3.14 prints colours and its own suggestions.
        vars(self).update(color=False, suggest_on_error=False)

    def parse_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Parse a command line. The error for an unknown word suggests a similar option."""
        arguments, unknown = self.parse_known_args(args, namespace)
        if unknown:
            self.refuse(unknown)
        return arguments

    def refuse(self, words: Sequence[str]) -> NoReturn:
        """Report words that the parser does not know."""
        name = words[0].partition("=")[0]
        dashes = name[: len(name) - len(name.lstrip("-"))]
        # Compare only words with dashes, and without the dashes.
        known = [it.lstrip("-") for it in self._option_string_actions if dashes]
        meant = nearest(name.lstrip("-"), known)
        hint = did_you_mean(f"{dashes}{meant}", self._option_string_actions) if meant else ""
        self.error(f"unrecognized arguments: {' '.join(words)}{hint}")

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        """Refuse a value that is not one of the choices, and suggest a similar choice."""
        try:
            super()._check_value(action, value)
        except argparse.ArgumentError as error:
            hint = did_you_mean(str(value), map(str, action.choices or ()))
            error.message = error.message.replace(" (choose from", f"{hint} (choose from")
            raise

    def exit(self, status: int = 0, message: str | None = None) -> NoReturn:
        """Print `message`, if any, and end the program."""
        if message:
            sys.stderr.write(message)
        raise Leave(status)

    def print_help(self, file: Any = None) -> None:
        """Print the help. Unlike argparse, raise an error if writing fails."""
        (file or sys.stdout).write(self.format_help())


class _OneDash(argparse.HelpFormatter):
    """Formats an option with its first spelling, which has one dash as in the specifications."""

    def _format_action_invocation(self, action: argparse.Action) -> str:
        if not action.option_strings:
            return super()._format_action_invocation(action)
        first = action.option_strings[0]
        return first if action.nargs == 0 else f"{first} {self._format_args(action, action.dest)}"


class ProgramParser(PlainParser):
    """A parser for options with one dash, also accepted with two, that reports errors in one line.

    Declare an option with both spellings, first the one with one dash:
    `parser.add_argument("-seed", "--seed", ...)`. Help, usage and errors use the first spelling.

    Args:
        prog: The name of the program.
        description: The purpose of the program, the first text of the help.
        epilog: The last text of the help.
    """

    def __init__(self, prog: str, description: str, epilog: str) -> None:
        super().__init__(
            prog=prog,
            description=description,
            epilog=epilog,
            allow_abbrev=False,
            add_help=False,
            exit_on_error=False,
            formatter_class=_OneDash,
        )
        self.add_argument(
            "-h", "-help", "--help", action="help", help="show this help message and exit"
        )
        self.add_argument(
            *("-version", "--version", "-V"),
            action=SayVersion,
            nargs=0,
            help="show the version and exit",
        )

    def error(self, message: str) -> NoReturn:
        """Raise a `UsageError`."""
        raise UsageError(f"{' '.join(message.split())} ({self.prog} -h lists the options)")

    def read(self, words: Sequence[str]) -> argparse.Namespace:
        """Parse a command line. Raise `UsageError` if it is not valid."""
        for word in words:  # argparse would read `-hand` as `-h`
            if self._is_option(word) and word.partition("=")[0] not in self._option_string_actions:
                self._refuse(word)
        try:
            arguments, unknown = self.parse_known_args(words)
        except argparse.ArgumentError as error:
            name = (error.argument_name or "").partition("/")[0]
            if other := _EXCLUDED.match(error.message):
                declared = list(self._option_string_actions)
                both = " and ".join(sorted((other[1], name), key=declared.index))
                raise UsageError(f"{both} exclude each other") from error
            self.error(f"argument {name}: {error.message}" if name else str(error))
        if unknown:
            self._refuse(unknown[0])
        return arguments

    def _is_option(self, word: str) -> bool:
        is_option = word[:1] == "-" and len(word) > 1 and " " not in word
        return is_option and _NEGATIVE.match(word) is None and word != "--"

    def _refuse(self, word: str) -> NoReturn:
        names = [name for name in self._option_string_actions if name[:2] != "--"]
        hint = did_you_mean(f"-{word.lstrip('-')}", names) if word[:1] == "-" else ""
        self.error(f"there is no option {quote(word)}{hint}")


class SayVersion(argparse.Action):
    """Prints the version, which is looked up only on request, and whether the build is compiled."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> None:
        """Print the version, and end the program."""
        from importlib.metadata import version

        sys.stdout.write(f"{parser.prog} {version('tabletop-rules')} ({build_in_use()})\n")
        parser.exit()


def as_text(word: str) -> str:
    """Return an argument decoded as UTF-8 in any locale. Raise `UsageError` if that fails."""
    if not any("\udc80" <= letter <= "\udcff" for letter in word):
        return word
    try:
        return os.fsencode(word).decode()
    except UnicodeError as error:
        raise UsageError(f"{word!a} is not UTF-8 text") from error


CONTESTS: Final = {"weekly": "week", "daily": "day"}
"""The options for a seed that all players share, and the period for which it is valid."""

LAST: Final = True
"""The value of `-resume` without a file: the last record that can be resumed."""


def add_contest_options(parser: argparse.ArgumentParser, how: str = "") -> None:
    """Declare `-weekly` and `-daily`. `how` is appended to their help."""
    group = parser.add_mutually_exclusive_group()
    for origin, period in CONTESTS.items():
        group.add_argument(
            f"-{origin}",
            f"--{origin}",
            action="store_true",
            help=f"play the seed of this {period}, the same for everybody{how}",
        )


def file_path(text: str) -> Path:
    """Read the path of a file to write, for `add_argument(type=...)`. `~` is the home.

    Raises:
        argparse.ArgumentTypeError: The path is a folder.
    """
    path = user_path(text)
    if os.path.isdir(path):
        raise argparse.ArgumentTypeError(f"{text!r} is a folder; name a file")
    return path


def add_record_options(parser: ProgramParser) -> None:
    """Declare `-record FILE`, `-no-record` and `-resume [FILE]`."""
    group = parser.add_mutually_exclusive_group()
    group.add_argument(
        "-record",
        "--record",
        metavar="FILE",
        type=file_path,
        help="write the record to this file (default: a new file in the user's records at a"
        " terminal, no record if input is piped)",
    )
    group.add_argument("-no-record", "--no-record", action="store_true", help="write no record")
    group.add_argument(
        "-resume",
        "--resume",
        metavar="FILE",
        nargs="?",
        const=LAST,
        type=user_path,
        help="resume a recorded game, by default the last unfinished one",
    )
