"""Read the values of the options that several programs have."""

from __future__ import annotations

import argparse
import shlex
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from tabletop.errors import ContractError, RegistryError, UsageError
from tabletop.host.paths import new_record_path, utc_now
from tabletop.host.user_files import file_exists
from tabletop.records.format import HUMAN
from tabletop.registry import Plugin, bot_name
from tabletop.rng.streams import Streams
from tabletop.rules.game import AnyGame
from tabletop.scores.sheets import seed_of_today
from tabletop.session.own_bots import with_own_bots
from tabletop.states.bounds import Seat
from tabletop.terminal.parsers import CONTESTS, LAST, as_text
from tabletop.wording import join_words, quote

if TYPE_CHECKING:
    from tabletop.match.match import AnyMatch
    from tabletop.records.file import Record


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
