"""Play a game at the terminal. The match is recorded as it goes, and can be resumed."""

from __future__ import annotations

import argparse
import os
import shlex
import sys
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from time import monotonic
from typing import Any

from tabletop.cli import UsageError
from tabletop.cli.games import players_of
from tabletop.cli.keeping import (
    add_score_arguments,
    keep_recorded,
    keep_unrecorded,
    newcomers_hint,
)
from tabletop.cli.places import new_record_path, records_directory, utc_now
from tabletop.console import Console, Session
from tabletop.errors import EndOfInput
from tabletop.game import Game, OptionValue
from tabletop.journal import Journal
from tabletop.match import Match
from tabletop.record import HUMAN, Header
from tabletop.registry import Plugin, load
from tabletop.rng import Streams
from tabletop.scores import DAILY, FRESH, GIVEN, WEEKLY, Minutes, seed_of_today

HELP = "play a game at the terminal"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what the command takes."""
    parser.add_argument("game", metavar="GAME", help="a name, module:NAME, or a path to a .py file")
    add_seed_arguments(parser)
    parser.add_argument("--seats", metavar="N", type=int, help="how many play")
    parser.add_argument(
        "--name", metavar="NAME", action="append", default=[], help="name a seat, in order; repeat"
    )
    parser.add_argument(
        "--bot",
        metavar="SEAT[=BOT]",
        action="append",
        default=[],
        help="let a bot (by default: random) play seat 1, 2, ..., or `all`; repeat",
    )
    parser.add_argument(
        "--option",
        metavar="NAME=VALUE",
        action="append",
        default=[],
        help="set an option of the game; repeat. `--option help` lists them",
    )
    parser.add_argument("--no-hints", action="store_true", help="say nothing to newcomers")
    add_record_arguments(parser)
    add_score_arguments(parser)


def add_seed_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare where the seed comes from."""
    seed = parser.add_mutually_exclusive_group()
    seed.add_argument("--seed", metavar="TEXT", help="any text; a fresh phrase by default")
    seed.add_argument(
        "--weekly", action="store_true", help="play the seed of this week, as everybody can"
    )
    seed.add_argument(
        "--daily", action="store_true", help="play the seed of this day, as everybody can"
    )


def add_record_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare where the record goes."""
    record = parser.add_mutually_exclusive_group()
    record.add_argument("--record", metavar="FILE", type=Path, help="write the record there")
    record.add_argument("--no-record", action="store_true", help="write no record")


def run(arguments: argparse.Namespace) -> int:
    """Make the match, record it, and play it."""
    mend_texts(arguments)
    plugin = load(arguments.game)
    if "help" in arguments.option:
        sys.stdout.write(describe_options(plugin.game))
        return 0
    now = utc_now()
    origin = choose_seed(arguments, now)
    match = make_match(plugin.game, arguments)
    players = read_players(arguments.bot, match, plugin)
    # To the microsecond, so that two matches that go alike are not taken for one.
    created = now.isoformat(timespec="microseconds")
    header = Header.of(
        match, source=plugin.source, players=players, created=created, seed_origin=origin
    )
    hint = "" if arguments.no_hints else newcomers_hint(plugin, players, origin)
    if arguments.no_record:
        return _play_unrecorded(match, plugin, header, hint, scored=not arguments.no_score)
    path = arguments.record or new_record_path(plugin.game, now)
    console = Console()
    with Journal.create(path, match, header, clock=monotonic) as journal:
        session = Session(match, plugin, players, console, journal, hint=hint)
        status = converse(session, match, console, path)
    if not arguments.no_score:
        keep_recorded(match, path, console)
    return status


def _play_unrecorded(
    match: Match[Any, Any], plugin: Plugin, header: Header, hint: str, *, scored: bool
) -> int:
    console, minutes = Console(), Minutes()
    if scored:
        match.set_recorder(minutes)
    session = Session(match, plugin, header.players, console, minutes, hint=hint)
    began = monotonic()
    status = converse(session, match, console)
    if scored:
        keep_unrecorded(match, header, minutes, monotonic() - began, console)
    return status


def choose_seed(arguments: argparse.Namespace, now: datetime) -> str:
    """Set the seed that the arguments ask for; where it comes from."""
    if arguments.seed is not None:
        return GIVEN
    origin = WEEKLY if arguments.weekly else DAILY if arguments.daily else FRESH
    if origin != FRESH:
        arguments.seed = seed_of_today(origin, now.date())
    return origin


def mend_texts(arguments: argparse.Namespace) -> None:
    """Read those arguments that a record will hold as UTF-8, whatever the locale.

    Raises:
        UsageError: one is not UTF-8.
    """
    if arguments.seed is not None:
        arguments.seed = as_text(arguments.seed)
    arguments.name = [as_text(word) for word in arguments.name]
    arguments.option = [as_text(word) for word in arguments.option]


def as_text(word: str) -> str:
    """An argument read as UTF-8, whatever the locale.

    Raises:
        UsageError: it is not UTF-8.
    """
    if not any("\udc80" <= letter <= "\udcff" for letter in word):
        return word
    try:
        return os.fsencode(word).decode()
    except UnicodeError as error:
        raise UsageError(f"{word!a} is not UTF-8 text") from error


def make_match(game: Game[Any, Any], arguments: argparse.Namespace) -> Match[Any, Any]:
    """The match that the arguments ask for.

    Raises:
        UsageError: the game is not for so many players.
        OptionError: an option is unknown or out of range.
    """
    names: list[str] = arguments.name
    seats: int | None = arguments.seats
    if seats is None:
        seats = max(len(names), game.seats[0])
    if seats not in game.seats:
        raise UsageError(f"{game.name} is for {players_of(game)} players, not for {seats}")
    if len(names) > seats:
        raise UsageError(f"{len(names)} names for {seats} seats")
    everybody = [*names, *(f"Player {seat}" for seat in range(len(names) + 1, seats + 1))]
    options = read_options(game, arguments.option)
    return Match(game, seed=arguments.seed, seats=everybody, options=options)


def read_options(game: Game[Any, Any], given: Sequence[str]) -> dict[str, OptionValue]:
    """The options that `NAME=VALUE` words set.

    Raises:
        UsageError: a word is not of that form.
        OptionError: there is no such option, or it does not take that value.
    """
    known = {option.name: option for option in game.options}
    values: dict[str, OptionValue] = {}
    for word in given:
        name, equals, text = word.partition("=")
        if not equals:
            raise UsageError(f"--option {word}: write NAME=VALUE (`--option help` lists them)")
        values[name] = known[name].parse(text) if name in known else text
    return values


def describe_options(game: Game[Any, Any]) -> str:
    """A line for each option of the game."""
    if not game.options:
        return f"{game.name} has no options\n"
    lines = []
    for option in game.options:
        default = "" if option.default is None else f"; by default {option.default}"
        lines.append(f"{option.name}: {option.help} ({option.wanted}{default})\n")
    return "".join(lines)


def read_players(words: Sequence[str], match: Match[Any, Any], plugin: Plugin) -> list[str]:
    """Who decides for each seat, from words like `2` or `2=random`.

    Raises:
        UsageError: there is no such seat.
        RegistryError: there is no such bot.
    """
    players = [HUMAN] * match.seats
    for word in words:
        place, _, name = word.partition("=")
        name = name.casefold() or "random"
        plugin.bot(name, Streams(name)["unused"])  # raises when there is none
        if place.casefold() == "all":
            players = [name] * match.seats
        elif place.isascii() and place.isdecimal() and 1 <= int(place) <= match.seats:
            players[int(place) - 1] = name
        else:
            raise UsageError(f"--bot {word}: seats are 1 to {match.seats}, or all")
    return players


def converse(
    session: Session, match: Match[Any, Any], console: Console, path: Path | None = None
) -> int:
    """Run a session to its end, and say how to go on when it is left before."""
    console.say(title_of(match) + (f"; {count_of(match.ply)} so far" if match.ply else ""))
    try:
        session.run()
    except EndOfInput:
        pass
    except KeyboardInterrupt:
        console.say()  # what follows begins a line
    if not match.over:
        console.say(f"Left after {count_of(match.ply)}{how_to_go_on(path)}")
    return 0


def how_to_go_on(path: Path | None) -> str:
    """What a person types to resume a match; where its record lies, if it is not said by that."""
    if path is None:
        return ""
    if path.parent == records_directory():
        return f"; go on with: tabletop resume\nThe record: {path}"
    return f"; go on with: tabletop resume {shlex.quote(str(path))}"


def title_of(match: Match[Any, Any]) -> str:
    """What is played, in a line."""
    return f"{match.game.title or match.game.name}, seed: {match.seed.text}"


def count_of(plies: int) -> str:
    """A number of actions in words."""
    return "1 action" if plies == 1 else f"{plies} actions"
