"""Arguments that describe a match: its seed, seats, names, bots and options."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from datetime import datetime
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Final

from tabletop.errors import SeedError, UsageError
from tabletop.host.screen_text import distinct_names
from tabletop.host.user_files import TextFileError, file_exists, read_text, reason, user_path
from tabletop.registry import MODEL, Plugin
from tabletop.rng.seeds import read_salt
from tabletop.rules.game import AnyGame, default_names
from tabletop.rules.options import Option, OptionValue
from tabletop.terminal.parsers import as_text
from tabletop.terminal.programs import OK, Leave
from tabletop.wording import number, plural, quote

if TYPE_CHECKING:
    from tabletop.match.match import AnyMatch
    from tabletop.records.format import Header
    from tabletop.table.language_models import ModelSettings


def number_in(
    low: float, high: float = inf, kind: type[int | float] = int
) -> Callable[[str], float]:
    """Return an argument `type` that parses numbers from `low` to `high`."""
    wanted = f"{number(low)} or more" if high == inf else f"{number(low)} to {number(high)}"

    def read_number(word: str) -> float:
        with suppress(ValueError):
            if low <= kind(word) <= high:
                return kind(word)
        whole = "" if kind is float or word.lstrip("-").isdecimal() else "a whole number, "
        raise argparse.ArgumentTypeError(f"{quote(word)}: give {whole}{wanted}")

    return read_number


def add_game_argument(parser: argparse.ArgumentParser) -> None:
    """Add the argument that names the game."""
    parser.add_argument(
        "game", metavar="GAME", help="name of an installed game, module:NAME, or path of a .py file"
    )


def add_option_argument(parser: argparse.ArgumentParser) -> None:
    """Add the argument `--option`, for `choose_options`."""
    parser.add_argument(
        "--option",
        metavar="NAME=VALUE",
        action="append",
        default=[],
        help="set an option of the game (repeatable). NAME=@FILE reads a text from a file,"
        " `--option help` lists the options",
    )


def add_match_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments for the seed, the seats, the names, the bots and the options."""
    seed = parser.add_mutually_exclusive_group()
    seed.add_argument("--seed", metavar="TEXT", help="any text (default: a new random phrase)")
    seed.add_argument(
        "--weekly", action="store_true", help="play this week's seed, the same for everybody"
    )
    seed.add_argument(
        "--daily", action="store_true", help="play today's seed, the same for everybody"
    )
    seed.add_argument(
        "--like",
        metavar="FILE",
        type=user_path,
        help="use the setup of a recorded match: its seed, salt, seats and options",
    )
    parser.add_argument(
        "--salt",
        metavar="HEX",
        help="with --seed: salt of an earlier match, which the server published at its end",
    )
    parser.add_argument("--seats", metavar="N", type=int, help="number of seats")
    parser.add_argument(
        "--name",
        metavar="NAME",
        action="append",
        default=[],
        help="name of the next seat (repeatable)",
    )
    parser.add_argument(
        "--bot",
        metavar="SEAT[=BOT]",
        action="append",
        default=[],
        help="let a bot play seat 1, 2, ..., 2-5 or `all` (repeatable). BOT is a bot of the game"
        " (default: its best), a level (easy, fair, hard), search:2s for a search of 2 seconds per"
        " move, exec:COMMAND for your own program, learnt:FILE for a trained policy, or llm:MODEL"
        " for a language model",
    )
    add_option_argument(parser)


def add_model_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments for bots `llm:MODEL`."""
    parser.add_argument(
        "--llm-url",
        metavar="URL",
        help="server of bots llm:MODEL with the chat interface of OpenAI, such as"
        " http://127.0.0.1:8000/v1. The key is in the environment variable OPENAI_API_KEY",
    )
    parser.add_argument(
        "--llm-tokens",
        metavar="N",
        type=number_in(1),
        help="maximum number of tokens of all bots llm:MODEL together",
    )


def model_settings(
    arguments: argparse.Namespace, bots: Iterable[str], folder: Path | None = None
) -> ModelSettings:
    """Return the settings of language models.

    Raises:
        UsageError: An option for models is given, but none of the bots is a model.
    """
    from tabletop.table.language_models import ModelSettings

    if not any(bot.casefold().startswith(MODEL) for bot in bots):
        for option, value in {"url": arguments.llm_url, "tokens": arguments.llm_tokens}.items():
            if value:
                raise UsageError(f"--llm-{option} is only for a bot llm:MODEL: name one")
    return ModelSettings(arguments.llm_url or "", arguments.llm_tokens, folder)


def bot_of(word: str) -> str:
    """Return the name of the bot in a value of `--bot`, such as `2=hard`, or an empty text."""
    return word.partition("=")[2]


def choose_seed(arguments: argparse.Namespace, now: datetime) -> str:
    """Set the seed for `--weekly` and `--daily`, and return the origin of the seed."""
    # `tabletop games` does not need it.
    from tabletop.scores.sheets import DAILY, FRESH, GIVEN, WEEKLY, seed_of_today

    if arguments.seed is not None:
        return GIVEN
    origin = WEEKLY if arguments.weekly else DAILY if arguments.daily else FRESH
    if origin != FRESH:
        arguments.seed = seed_of_today(origin, now.date())
    return origin


def mend_texts(arguments: argparse.Namespace) -> None:
    """Decode those arguments that are stored in records as UTF-8, regardless of the locale."""
    if arguments.seed is not None:
        arguments.seed = as_text(arguments.seed)
    arguments.name = [as_text(word) for word in arguments.name]


def choose_like(arguments: argparse.Namespace, game: AnyGame) -> Header | None:
    """Set the seed and the salt to those of the record in `--like`, and return its header."""
    from tabletop.records.file import read

    path: Path | None = arguments.like
    if path is None:
        return None
    if not file_exists(path):
        raise UsageError(f"--like {path}: there is no such file")
    header = read(path, pipes=True).header
    if header.game != game.name:
        raise UsageError(f"--like {path}: this is a record of {quote(header.game)}")
    if header.state is not None:
        raise UsageError(f"--like {path}: this match started from a given position")
    if arguments.salt is not None:
        raise UsageError("--salt cannot be combined with --like: the record contains the salt")
    arguments.seed, arguments.salt = header.seed, header.salt or None
    return header


def make_match(
    game: AnyGame,
    arguments: argparse.Namespace,
    like: Header | None = None,
    *,
    salt: bytes | None = None,
) -> AnyMatch:
    """Create the match that the arguments describe.

    Args:
        like: A header that supplies the seats and options if the arguments do not. By default, the
            game's default values are used.
        salt: The salt, unless the arguments set one.
    """
    names: list[str] = arguments.name
    seats: int | None = arguments.seats
    if seats is None:
        seats = max(len(names), game.seats[0]) if like is None else len(like.seats)
    check_seats(game, seats)
    if len(names) > seats:
        raise UsageError(f"{plural(len(names), 'name')} for {plural(seats, 'seat')}")
    everybody = distinct_names(names, default_names(game, seats))
    options = choose_options(arguments, game)
    if like is not None:
        options = {**like.options, **options}
    if arguments.weekly or arguments.daily:
        options = {**game.catalog_options, **options}  # each week or day then has its own setup
    salt = _salt_of(arguments) or salt
    from tabletop.match.match import Match  # `tabletop games` needs no match

    return Match(game, seed=arguments.seed, salt=salt, seats=everybody, options=options)


def _salt_of(arguments: argparse.Namespace) -> bytes | None:
    """Return the salt of `--salt`, or None. It is allowed only together with `--seed`."""
    text: str | None = arguments.salt
    if text is None:
        return None
    if arguments.weekly or arguments.daily:
        raise UsageError("--salt cannot be combined with --weekly or --daily, only with --seed")
    if arguments.seed is None:
        raise UsageError("--salt needs the seed that it belongs to: --seed TEXT")
    try:
        return read_salt(text)
    except SeedError as error:
        raise UsageError(f"--salt {quote(text)}: {error}") from error


def read_players(words: Sequence[str], match: AnyMatch, plugin: Plugin) -> list[str]:
    """Return the player of each seat, given the values of `--bot`."""
    # `tabletop games` does not need them.
    from tabletop.records.format import HUMAN
    from tabletop.terminal.args import read_bots

    seats = {str(seat + 1): [seat] for seat in range(match.seats)}
    bots = read_bots(words, {**seats, "all": range(match.seats)}, plugin, "--bot")
    return [bots.get(seat, HUMAN) for seat in range(match.seats)]


MOST_BYTES: Final = 1 << 20  # maximum size in bytes of a file with the value of an option


def choose_options(arguments: argparse.Namespace, game: AnyGame) -> dict[str, OptionValue]:
    """Return the options that the arguments set. With `--option help`, list them and exit."""
    if "help" in arguments.option:
        sys.stdout.write(describe_options(game))
        raise Leave(OK)
    return read_options(game, [as_text(word) for word in arguments.option])


def read_options(
    game: AnyGame, given: Sequence[str], argument: str = "--option"
) -> dict[str, OptionValue]:
    """Return the options that `NAME=VALUE` words set.

    For an option of type `str`, `NAME=@FILE` reads the text from a UTF-8 file, and `NAME=@@TEXT` is
    a text that starts with one `@`. The match and its record contain only the text.

    Args:
        argument: The command-line argument, for messages.
    """
    known = {option.name: option for option in game.options}
    values: dict[str, OptionValue] = {}
    for word in given:
        name, equals, text = word.partition("=")
        if not equals:
            raise UsageError(
                f"{argument} {word}: write NAME=VALUE (`--option help` lists the options)"
            )
        option = known.get(name)
        values[name] = text if option is None else option.parse(_read_option_text(option, text))
    return values


def _read_option_text(option: Option, text: str) -> str:
    """Return the value of an option: the text itself, or the contents of a file."""
    if option.type is not str or not text.startswith("@"):
        return text
    if text.startswith("@@"):
        return text[1:]
    path = text[1:]
    try:
        return read_text(path, MOST_BYTES)
    except TextFileError as error:
        raise UsageError(f"--option {option.name}: {path}: {error}") from error
    except (OSError, ValueError) as error:  # a ValueError means that the file name is not valid
        why = reason(error) if isinstance(error, OSError) else error
        message = f"--option {option.name}: {path} cannot be read: {why}"
        raise UsageError(f"{message} (write @@ for a text that starts with @)") from error


def describe_options(game: AnyGame) -> str:
    """Return a line for each option of the game."""
    if not game.options:
        return f"{game.name} has no options\n"
    lines = []
    for option in game.options:
        default = "" if option.default is None else f"; default: {option.default}"
        lines.append(f"{option.name}: {option.help} ({option.wanted}{default})\n")
    return "".join(lines)


def players_of(game: AnyGame) -> str:
    """Return the numbers of seats that a game allows as text: `2`, `3-11`, or `2, 4`."""
    seats = game.seats
    if len(seats) > 1 and seats.step == 1:
        return f"{seats[0]}-{seats[-1]}"
    return ", ".join(map(str, seats))


def check_seats(game: AnyGame, seats: int) -> None:
    """Raise `UsageError` unless the game allows this number of seats."""
    if seats not in game.seats:
        raise UsageError(f"{game.name} needs {players_of(game)} players, not {seats}")
