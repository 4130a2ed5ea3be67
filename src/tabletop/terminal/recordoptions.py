"""Options that every program has alike: shared seeds, and which record it writes or goes on with.

At a terminal a match is recorded unless somebody says otherwise; where input is piped it is not,
unless they say so.
"""

from __future__ import annotations

import argparse
import shlex
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Final

from tabletop.errors import UsageError
from tabletop.game import AnyGame
from tabletop.host.files import user_path
from tabletop.records.reading import Record, read_end
from tabletop.scores.sheets import DAILY, WEEKLY, seed_of_today
from tabletop.storage.places import last_interrupted, new_record_path, utc_now
from tabletop.terminal.parsers import ProgramParser
from tabletop.wording import listed, shorten

CONTESTS: Final = {WEEKLY: "week", DAILY: "day"}
"""The options for a seed that everybody can play, and how long it stays the same."""

LAST: Final = True
"""What `-resume` alone stands for: the last record that can be gone on with."""


def add_contest_options(parser: ProgramParser, how: str = "") -> None:
    """Declare `-weekly` and `-daily`.

    Args:
        parser: of the program.
        how: how such a match is played; ends the help.
    """
    group = parser.add_mutually_exclusive_group()
    for origin, period in CONTESTS.items():
        group.add_argument(
            f"-{origin}",
            f"--{origin}",
            action="store_true",
            help=f"play the seed of this {period}, as everybody can{how}",
        )


def read_contest(arguments: argparse.Namespace, own: Mapping[str, str]) -> str:
    """Set the seed of the week or the day, if one is asked for; which, or an empty text.

    Args:
        arguments: what `add_contest_options` and `-seed` have read.
        own: options that make another match of it, with what it has of its own instead.

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


def add_record_options(parser: ProgramParser) -> None:
    """Declare `-record FILE`, `-no-record` and `-resume [FILE]`."""
    group = parser.add_mutually_exclusive_group()
    group.add_argument(
        "-record",
        "--record",
        metavar="FILE",
        type=user_path,
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
    """Accept nothing beside `-resume` that the record says already.

    Args:
        arguments: what `add_record_options` has read.
        told: the values of such options by their names; what is false was not given.

    Raises:
        UsageError: something is there; names it.
    """
    given = [f"-{name}" for name, value in told.items() if value]
    if arguments.resume is not None and given:
        verb = "makes" if len(given) == 1 else "make"
        raise UsageError(
            f"{listed(given, 'and')} {verb} no sense with -resume: the record says how it began"
        )


def choose_record(
    arguments: argparse.Namespace, game: AnyGame, *, interactive: bool
) -> Path | None:
    """Where the record of a new match goes; None when there is to be none.

    Raises:
        RecordError: there is no place for one.
    """
    if arguments.record is not None:
        path: Path = arguments.record
        return path
    if arguments.no_record or not interactive:
        return None
    return new_record_path(game, utc_now())


def find_record(arguments: argparse.Namespace, games: Collection[str]) -> Record:
    """The record that `-resume` names.

    Args:
        arguments: what `add_record_options` has read.
        games: the names of those that this program plays.

    Raises:
        UsageError: there is no such file; or the match has ended, or is of another game.
        RecordError: it cannot be read.
    """
    path = arguments.resume
    if path is LAST:
        return last_interrupted(games)
    if not path.exists():
        raise UsageError(f"-resume {path}: there is no such file")
    record = read_end(path)
    if record.header.game not in games:
        raise UsageError(f"-resume {path}: this is a record of {shorten(record.header.game)}")
    if record.ended:
        again = shlex.join(["tabletop", "replay", str(path)])
        raise UsageError(f"-resume {path}: this game has ended; see it with: {again}")
    return record
