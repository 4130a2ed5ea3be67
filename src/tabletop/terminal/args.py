"""Command lines: parsers with one dash or two, and the options that several programs share."""

from __future__ import annotations

import argparse
import os
import re
import shlex
import sys
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NoReturn

from typing_extensions import override

from tabletop.errors import ContractError, RegistryError, UsageError
from tabletop.host.paths import new_record_path, utc_now
from tabletop.host.user_files import file_exists, user_path
from tabletop.records.format import HUMAN
from tabletop.registry import Plugin, bot_name
from tabletop.rng.build_in_use import build_in_use
from tabletop.rng.streams import Streams
from tabletop.rules.game import AnyGame
from tabletop.scores.sheets import DAILY, WEEKLY, seed_of_today
from tabletop.session.own_bots import with_own_bots
from tabletop.states.bounds import Seat
from tabletop.terminal.programs import Leave
from tabletop.wording import did_you_mean, join_words, nearest, quote

if TYPE_CHECKING:
    from tabletop.match.match import AnyMatch
    from tabletop.records.file import Record

_NEGATIVE: Final = re.compile(r"-\d+$|-\d*\.\d+$")
"""The form of words that argparse takes for numbers, not for options."""

_EXCLUDED: Final = re.compile(r"not allowed with argument ([^/\s]+)")
"""The message of argparse about two options of a group that takes one, with both spellings."""


class PlainParser(argparse.ArgumentParser):
    """An `argparse.ArgumentParser` that prints no colours."""

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        # Python 3.14 has colours, and suggests one of the choices in words of its own.
        vars(self).update(color=False, suggest_on_error=False)

    @override
    def parse_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Parse a command line; where a word means nothing, say which option was probably meant."""
        arguments, unknown = self.parse_known_args(args, namespace)
        if unknown:
            self.refuse(unknown)
        return arguments

    def refuse(self, words: Sequence[str]) -> NoReturn:
        """Complain of words that mean nothing."""
        name = words[0].partition("=")[0]
        dashes = name[: len(name) - len(name.lstrip("-"))]
        # Dashes alone make no word like another.
        known = [it.lstrip("-") for it in self._option_string_actions if dashes]
        meant = nearest(name.lstrip("-"), known)
        hint = did_you_mean(f"{dashes}{meant}", self._option_string_actions) if meant else ""
        self.error(f"unrecognized arguments: {' '.join(words)}{hint}")

    @override
    def _check_value(self, action: argparse.Action, value: Any) -> None:
        """Refuse what is none of the choices, and say which was probably meant."""
        try:
            super()._check_value(action, value)
        except argparse.ArgumentError as error:
            hint = did_you_mean(str(value), map(str, action.choices or ()))
            error.message = error.message.replace(" (choose from", f"{hint} (choose from")
            raise

    @override
    def exit(self, status: int = 0, message: str | None = None) -> NoReturn:
        """Print a message, if there is one, and end the program."""
        if message:
            sys.stderr.write(message)
        raise Leave(status)

    @override
    def print_help(self, file: Any = None) -> None:
        """Print the help, and fail where it cannot be written, which argparse would not tell."""
        (file or sys.stdout).write(self.format_help())


class _OneDash(argparse.HelpFormatter):
    """Spells an option with one dash, as the documents do."""

    @override
    def _format_action_invocation(self, action: argparse.Action) -> str:
        if not action.option_strings:
            return super()._format_action_invocation(action)
        first = action.option_strings[0]
        return first if action.nargs == 0 else f"{first} {self._format_args(action, action.dest)}"


class ProgramParser(PlainParser):
    """A parser of options that have one dash, and may be typed with two; complains in one line.

    Declare an option with both spellings, the documents' first: `parser.add_argument("-seed",
    "--seed", ...)`. Help, usage and complaints have the first.

    Args:
        prog: the name of the program.
        description: its purpose; begins the help.
        epilog: ends the help.
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

    @override
    def error(self, message: str) -> NoReturn:
        raise UsageError(f"{' '.join(message.split())} ({self.prog} -h lists the options)")

    def read(self, words: Sequence[str]) -> argparse.Namespace:
        """Parse a command line; `UsageError` where an option is unknown, lacks its value, or so."""
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
                raise UsageError(f"{both} do not go together") from error
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
    """Says the version, looked up only on request, and whether it is compiled."""

    @override
    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> None:
        from importlib.metadata import version

        sys.stdout.write(f"{parser.prog} {version('tabletop-rules')} ({build_in_use()})\n")
        parser.exit()


def as_text(word: str) -> str:
    """An argument read as UTF-8, whatever the locale; `UsageError` where it is not UTF-8."""
    if not any("\udc80" <= letter <= "\udcff" for letter in word):
        return word
    try:
        return os.fsencode(word).decode()
    except UnicodeError as error:
        raise UsageError(f"{word!a} is not UTF-8 text") from error


def with_programs(
    plugin: Plugin, words: Sequence[str], option: str = "-bot", match: AnyMatch | None = None
) -> Plugin:
    """Return the plugin with bots that words like `2=exec:./mybot` or `2=learnt:FILE` name.

    It is the only door for programs and files: what no such plugin has, a record or a page cannot
    start or open. So the words are those of the person who has typed the command line.

    Learnt values have to suit the seats and options of the match, by default those that are usual.

    Raises:
        UsageError: there is no such program or file, or it does not suit the game.
    """
    options, seats = (None, None) if match is None else (match.options, match.seats)
    for word in map(as_text, words):
        try:
            name = bot_name(word.partition("=")[2])
            plugin = with_own_bots(plugin, [name], options=options, seats=seats)
        except (ValueError, ContractError) as error:
            raise UsageError(f"{option} {quote(word)}: {error}") from error
    return plugin


def read_bots(
    words: Sequence[str],
    seats: Mapping[str, Sequence[Seat]],
    plugin: Plugin,
    option: str = "-bot",
) -> dict[Seat, str]:
    """Read the seats of bots from words like `2`, `red=random`, or `all` and `1=human`.

    Args:
        words: the values of the option; without a name, the game's best bot is meant.
        seats: the seats of each name that people use; letter case does not matter.
        plugin: the plugin with the bots.
        option: the spelling of the option.

    Raises:
        UsageError: there is no such seat, or no such bot.
    """
    known = {name.casefold(): numbers for name, numbers in seats.items()}
    bots: dict[Seat, str] = {}
    for word in map(as_text, words):
        place, equals, name = word.partition("=")
        name = bot_name(name) if equals else plugin.best_bot
        if place.casefold() not in known:
            *others, last = seats
            raise UsageError(f"{option} {quote(word)}: give {', '.join(others)}, or {last}")
        try:
            if name != HUMAN:
                plugin.bot(name, Streams(name)["unused"])  # only to know that there is one
        except RegistryError as error:
            raise UsageError(f"{option} {quote(word)}: {error}") from error
        bots.update(dict.fromkeys(known[place.casefold()], name))
    return {seat: name for seat, name in bots.items() if name != HUMAN}


CONTESTS: Final = {WEEKLY: "week", DAILY: "day"}
"""The options for a seed that everybody can play, and how long it stays the same."""

LAST: Final = True
"""The value of `-resume` alone: the last record that can be continued."""


def add_contest_options(parser: argparse.ArgumentParser, how: str = "") -> None:
    """Declare `-weekly` and `-daily`; `how` such a match is played ends their help."""
    group = parser.add_mutually_exclusive_group()
    for origin, period in CONTESTS.items():
        group.add_argument(
            f"-{origin}",
            f"--{origin}",
            action="store_true",
            help=f"play the seed of this {period}, as everybody can{how}",
        )


def read_contest(arguments: argparse.Namespace, own: Mapping[str, str]) -> str:
    """Set the seed of the week or the day, if asked for; return which, or an empty text.

    Args:
        arguments: the values of `add_contest_options` and `-seed`.
        own: the options that would change the match, with its own value for each.

    Raises:
        UsageError: one of these is given as well, or `-seed` is.
    """
    for origin, period in CONTESTS.items():
        if not getattr(arguments, origin):
            continue
        for other, what in {"seed": "seed", **own}.items():
            if getattr(arguments, other) not in (None, False, []):
                raise UsageError(
                    f"-{origin} and -{other} exclude each other: a {period} has its own {what}"
                )
        arguments.seed = seed_of_today(origin, utc_now().date())
        return origin
    return ""


def file_path(text: str) -> Path:
    """Read the path of a file to write, which must not be a folder."""
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
        help="write the record there; without it there is one among the user's records at a"
        " terminal, and none where input is piped",
    )
    group.add_argument("-no-record", "--no-record", action="store_true", help="write no record")
    group.add_argument(
        "-resume",
        "--resume",
        metavar="FILE",
        nargs="?",
        const=LAST,
        type=user_path,
        help="go on with a recorded game; by default with the last one that was left",
    )


def check_alone(arguments: argparse.Namespace, told: Mapping[str, object]) -> None:
    """Raise `UsageError` for an option beside `-resume` that the record decides already.

    Args:
        arguments: the values of `add_record_options`.
        told: the values of such options by their names; false for one not given.
    """
    given = [f"-{name}" for name, value in told.items() if value]
    if arguments.resume is not None and given:
        verb = "makes" if len(given) == 1 else "make"
        raise UsageError(
            f"{join_words(given, 'and')} {verb} no sense with -resume: the record says how it began"
        )


def choose_record(
    arguments: argparse.Namespace, game: AnyGame, *, interactive: bool
) -> Path | None:
    """Return the path for the record of a new match; None when it is not recorded."""
    if arguments.record is not None:
        path: Path = arguments.record
        return path
    if arguments.no_record or not interactive:
        return None
    return new_record_path(game.name, utc_now())


def find_record(arguments: argparse.Namespace, games: Collection[str]) -> Record:
    """The record that `-resume` names, of one of these `games`.

    Raises:
        UsageError: there is no such file; or the match has ended, or is of another game.
        RecordError: it cannot be read.
    """
    from tabletop.records.file import read
    from tabletop.records.find_game import last_interrupted

    path = arguments.resume
    if path is LAST:
        return last_interrupted(games)
    if not file_exists(path):
        raise UsageError(f"-resume {path}: there is no such file")
    record = read(path)
    if record.header.game not in games:
        raise UsageError(f"-resume {path}: this is a record of {quote(record.header.game)}")
    if record.ended:
        again = shlex.join(["tabletop", "replay", str(path)])
        raise UsageError(f"-resume {path}: this game has ended; see it with: {again}")
    return record
