"""Read the values of the options that several programs have."""

from __future__ import annotations

import argparse
import shlex
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from tabletop.errors import ContractError, RecordError, RegistryError, UsageError
from tabletop.host.paths import new_record_path, utc_now
from tabletop.host.user_files import file_exists
from tabletop.records.format import HUMAN
from tabletop.registry import Plugin, bot_name
from tabletop.rng.streams import Streams
from tabletop.rules.game import AnyGame
from tabletop.scores.sheets import seed_of_today
from tabletop.states.bounds import Seat
from tabletop.table.local_bots import with_local_bots
from tabletop.terminal.parsers import CONTESTS, LAST, as_text
from tabletop.wording import join_words, quote

if TYPE_CHECKING:
    from tabletop.match.match import AnyMatch
    from tabletop.records.file import Record
    from tabletop.table.language_models import ModelSettings


def with_programs(
    plugin: Plugin,
    words: Sequence[str],
    option: str = "-bot",
    match: AnyMatch | None = None,
    models: ModelSettings | None = None,
) -> Plugin:
    """Return the plugin with the bots named by words such as `2=exec:./mybot` or `2=llm:MODEL`.

    Only a command line can name programs, files and language models. A record or a page cannot use
    them, because it has a plugin without such bots. Pass only words that the user has typed.

    Learnt values must fit the seats and options of `match`, by default the usual seats and options
    of the game.

    Raises:
        UsageError: The program or file does not exist or does not fit the game.
    """
    options, seats = (None, None) if match is None else (match.options, match.seats)
    for word in map(as_text, words):
        try:
            name = bot_name(word.partition("=")[2])
            plugin = with_local_bots(plugin, [name], options=options, seats=seats, models=models)
        except (ValueError, ContractError) as error:
            raise UsageError(f"{option} {quote(word)}: {error}") from error
    return plugin


def read_bots(
    words: Sequence[str],
    seats: Mapping[str, Sequence[Seat]],
    plugin: Plugin,
    option: str = "-bot",
) -> dict[Seat, str]:
    """Read the seats of bots from words like `2`, `2-5`, `red=random`, or `all` and `1=human`.

    Args:
        words: The values of the option. A word without a bot name means the best bot of the game.
        seats: The seats for each name that users can type. Letter case is ignored.
        plugin: The plugin with the bots.
        option: The spelling of the option.

    Raises:
        UsageError: The seat or the bot does not exist.
    """
    known = {name.casefold(): numbers for name, numbers in seats.items()}
    bots: dict[Seat, str] = {}
    for word in map(as_text, words):
        place, equals, name = word.partition("=")
        name = bot_name(name) if equals else plugin.best_bot
        first, dash, last = place.casefold().partition("-")
        low, high = known.get(first), known.get(last if dash else first)
        if low is None or high is None or low[0] > high[-1]:
            *each, every = seats
            some = f"{', '.join(each)}, a range such as {each[0]}-{each[-1]}"
            raise UsageError(f"{option} {quote(word)}: no such seat; give {some}, or {every}")
        try:
            if name != HUMAN:
                plugin.bot(name, Streams(name)["unused"])  # raises an error for an unknown bot
        except RegistryError as error:
            raise UsageError(f"{option} {quote(word)}: {error}") from error
        bots.update(dict.fromkeys(range(low[0], high[-1] + 1), name))
    return {seat: name for seat, name in bots.items() if name != HUMAN}


def read_contest(arguments: argparse.Namespace, fixed: Mapping[str, str]) -> str:
    """Set the seed of the week or day if requested. Return its period, or an empty text.

    Args:
        arguments: The values of `add_contest_options` and `-seed`.
        fixed: Options that would change the match, each with the noun for the value that the
            contest fixes.

    Raises:
        UsageError: `-seed` or an option of `fixed` is given, too.
    """
    for origin, period in CONTESTS.items():
        if not getattr(arguments, origin):
            continue
        for other, noun in {"seed": "seed", **fixed}.items():
            if getattr(arguments, other) not in (None, False, []):
                raise UsageError(
                    f"-{origin} and -{other} exclude each other: the {noun} of a {period} cannot"
                    " be changed"
                )
        arguments.seed = seed_of_today(origin, utc_now().date())
        return origin
    return ""


def check_alone(arguments: argparse.Namespace, options: Mapping[str, object]) -> None:
    """Raise `UsageError` if an option that the record determines is given with `-resume`.

    Args:
        arguments: The values of `add_record_options`.
        options: The values of such options by name, false for an option that is not given.
    """
    given = [f"-{name}" for name, value in options.items() if value]
    if arguments.resume is not None and given:
        raise UsageError(
            f"{join_words(given, 'and')} cannot be used with -resume,"
            " because the record contains the settings of the match"
        )


def choose_record(
    arguments: argparse.Namespace, game: AnyGame, *, interactive: bool
) -> Path | None:
    """Return the path for the record of a new match, or None if it is not recorded.

    Raises:
        RecordError: The file already exists. Players learn this before they answer any questions.
    """
    if arguments.record is not None:
        path: Path = arguments.record
        if file_exists(path):
            raise RecordError(f"{path}: the file already exists (choose a new name)")
        return path
    if not interactive or arguments.no_record:
        return None
    return new_record_path(game.name, utc_now())


def find_record(arguments: argparse.Namespace, games: Collection[str]) -> Record:
    """Return the record that `-resume` names. It must belong to one of `games`.

    Raises:
        UsageError: The file does not exist, the match is over, or its game is not one of `games`.
        RecordError: The file cannot be read as a record.
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
        raise UsageError(f"-resume {path}: this game has ended (replay it with: {again})")
    return record
