"""The program `constructor` and its options (Constructor §5).

All files that options name are read and checked before the first question.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from contextlib import ExitStack
from functools import partial
from io import FileIO
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from constructor.program.match_series import DEFAULT_SEED, Program, begin, layout_options
from constructor.rules.game import PATIENCE, VARIANT
from constructor.rules.production import VARIANTS
from constructor.rules.state import COLOURS
from constructor.text.event_log import EventLog
from tabletop import Plugin
from tabletop.errors import UsageError
from tabletop.host import TextFileError, expand_user, print_error, read_text, reason
from tabletop.records import HUMAN
from tabletop.registry import load
from tabletop.rng import fresh_phrase
from tabletop.rules import OptionValue
from tabletop.scores import FRESH, GIVEN
from tabletop.terminal import (
    CONTESTS,
    OK,
    Console,
    ProgramParser,
    add_contest_options,
    add_record_options,
    check_alone,
    choose_record,
    find_record,
    guarded,
    read_bots,
    read_contest,
    with_programs,
)
from tabletop.web import add_graphics_option, graphics_session
from tabletop.wording import quote

if TYPE_CHECKING:
    from tabletop.terminal import OpenWindow

DEFAULT_LAYOUT: Final = "layout.txt"  # used unless an option names another
MOST_SECONDS: Final = 3600  # the longest pause for a bot, in seconds

GAME: Final = "constructor"
"""The game of this package that the program plays, as `tabletop` finds it."""

IN_RECORDS: Final = ("seed", *CONTESTS, "load", "board", "random-board", "fair", "variant", "bot")
"""The options that a record already contains."""

NEW_SEED: Final = "new"  # the value of -seed for a new seed phrase
MOST_BYTES: Final = 1 << 20  # maximum size of a layout or a save, in bytes

SEATS: Final = {colour: (seat,) for seat, colour in enumerate(COLOURS)} | {
    "all": tuple(range(len(COLOURS)))
}
"""The seats that -bot can name."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run the program, and return its exit status."""
    words = list(sys.argv[1:] if argv is None else argv)
    return guarded("constructor", lambda: _run(words))


def _run(words: Sequence[str]) -> int:
    arguments = build_parser().read(words)
    plugin = load(GAME)
    with graphics_session(arguments.graphics) as graphics:
        console = Console(ends_lines=False, loop=graphics.loop)
        if arguments.resume is not None:
            resume(arguments, plugin, console, graphics.beside)
        else:
            play(arguments, plugin, console, graphics.beside)
    return OK


def build_parser() -> ProgramParser:
    """Return the parser of the program."""
    parser = ProgramParser(
        prog="constructor",
        description="Play Constructor: four builders, and the first with 10 building points wins."
        " Type `help` at the prompt for the commands. `resign [BOT]` works at every prompt and lets"
        " a bot continue for the builder. When input ends, the game is saved in backup.sv.",
        epilog="Options start with one or two dashes and can be in any order."
        " `tabletop replay`, `tabletop resume` and `tabletop scores` also work with the records and"
        " scores of this program. `tabletop play constructor-small` uses a smaller board.",
    )

    def option(name: str, text: str, **how: Any) -> None:
        parser.add_argument(f"-{name}", f"--{name}", help=text, **how)

    option(
        "seed",
        "any text, or `new` for a new seed phrase (without it, every game is the same)",
        metavar="TEXT",
    )
    add_contest_options(parser, ", on a random board with fair dice")
    option("load", "resume the game saved in FILE", metavar="FILE")
    option(
        "board",
        f"use the layout in FILE (default: {DEFAULT_LAYOUT} in the current directory,"
        " or the course's own layout if that file does not exist)",
        metavar="FILE",
    )
    option(
        "random-board",
        "place the tiles at random (ignored with -load or -board)",
        action="store_true",
    )
    option(
        "fair",
        "start with fair dice, also after -load, and forbid loaded dice",
        action="store_true",
    )
    option(
        "variant",
        "whether tiles can be improved (rich), run dry (scarce), or both (living)",
        metavar="NAME",
        choices=tuple(VARIANTS),
    )
    option(
        "bot",
        "let a bot play for a builder, or for `all` (can be repeated). The default bot is"
        " `builder`. easy, fair and hard are increasingly strong, search:2s thinks for 2 seconds"
        " about each move, random plays at random, and exec:COMMAND is a program of your own",
        metavar="COLOUR[=NAME]",
        action="append",
        default=[],
    )
    option(
        "pause",
        "seconds to wait after a bot's turn (default: 1 at a terminal, otherwise 0)",
        metavar="SECONDS",
        type=_seconds,
    )
    option("log", "append all events to FILE, one per line", metavar="FILE")
    add_graphics_option(parser, "-graphics", "--graphics")
    add_record_options(parser)
    return parser


def _seconds(word: str) -> float:
    """Return the number of seconds in the value of an option, from 0 to `MOST_SECONDS`."""
    try:
        seconds = float(word)
    except ValueError:
        seconds = -1.0
    if not 0 <= seconds <= MOST_SECONDS:
        message = f"{quote(word)} is not a number of seconds from 0 to {MOST_SECONDS}"
        raise argparse.ArgumentTypeError(message)
    return seconds


def play(
    arguments: argparse.Namespace, plugin: Plugin, console: Console, beside: OpenWindow | None
) -> None:
    """Play from the beginning, or from a save."""
    program = new_program(arguments, with_programs(plugin, arguments.bot), console)
    program.beside = beside
    try:
        first = begin(plugin.game, program.seed, program.options)
    except TextFileError as error:
        raise _refuse(*_source(arguments), error) from error
    with ExitStack() as closing:
        log = open_log(arguments.log, closing)
        if program.seed_origin in (*CONTESTS, FRESH):
            console.say(f"Seed: {program.seed}")
        program.run(first, log)


def resume(
    arguments: argparse.Namespace, plugin: Plugin, console: Console, beside: OpenWindow | None
) -> None:
    """Continue a game from its record."""
    given = {name: getattr(arguments, name.replace("-", "_")) for name in IN_RECORDS}
    check_alone(arguments, {name: it not in (None, False, []) for name, it in given.items()})
    record = find_record(arguments, (plugin.game.name,))
    program = Program(
        plugin,
        console,
        record.header.seed,
        bots={seat: name for seat, name in enumerate(record.players) if name != HUMAN},
        pause=arguments.pause,
        record=partial(record_of_game, arguments, plugin, console),
        scored=console.interactive,
        beside=beside,
    )
    with ExitStack() as closing:
        program.resume(record, open_log(arguments.log, closing))


def new_program(arguments: argparse.Namespace, plugin: Plugin, console: Console) -> Program:
    """Return a series of games that begins with the options and the files that they name."""
    for other in ("board", "variant"):
        if arguments.load is not None and getattr(arguments, other) is not None:
            raise UsageError(
                f"-load and -{other} exclude each other: a saved game has its own {other}"
            )
    contest = read_contest(arguments, {"load": "board", "board": "board"})
    bots = read_bots(arguments.bot, SEATS, plugin)
    seed, origin = _seed(arguments, plugin)
    options = {"fair": arguments.fair, **_position(arguments, plugin, contest)}
    if contest or len(bots) == len(COLOURS):
        options["patience"] = PATIENCE.default
    return Program(
        plugin,
        console,
        seed,
        options,
        bots,
        arguments.pause,
        seed_origin=contest or origin,
        record=partial(record_of_game, arguments, plugin, console),
        scored=console.interactive,
    )


def record_of_game(
    arguments: argparse.Namespace, plugin: Plugin, console: Console, number: int
) -> Path | None:
    """Return the path for the record of a game. The first game of a series has the number 1.

    With `-record FILE`, the records of later games are in the same folder: `FILE-2` and so on,
    with the extension of FILE.
    """
    path: Path | None = arguments.record
    if path is None or number == 1:
        return choose_record(arguments, plugin.game, interactive=console.interactive)
    return path.with_name(f"{path.stem}-{number}{path.suffix}")


def _seed(arguments: argparse.Namespace, plugin: Plugin) -> tuple[str, str]:
    seed = arguments.seed
    if seed is None:
        return DEFAULT_SEED, ""
    if seed.strip().casefold() == NEW_SEED:
        return fresh_phrase(plugin.game.vocabulary), FRESH
    return seed, GIVEN


def _position(
    arguments: argparse.Namespace, plugin: Plugin, contest: str
) -> dict[str, OptionValue]:
    if arguments.load is not None:
        return {"load": _text(*_source(arguments))}
    variant = arguments.variant or VARIANT.default
    if contest:
        return {**plugin.game.catalog_options, "variant": variant}
    if arguments.random_board and arguments.board is None:
        return {"random-board": True, "variant": variant}
    if arguments.board is None and not Path(DEFAULT_LAYOUT).exists():
        return {"variant": variant}
    return {**layout_options(_text(*_source(arguments))), "variant": variant}


def _source(arguments: argparse.Namespace) -> tuple[str, str]:
    """Return the option for the layout or save, which is empty by default, and the file."""
    for option in ("load", "board"):
        if getattr(arguments, option) is not None:
            return f"-{option} ", getattr(arguments, option)
    return "", DEFAULT_LAYOUT


def _text(option: str, path: str) -> str:
    try:
        return read_text(path, MOST_BYTES)
    except (OSError, TextFileError) as error:
        raise _refuse(option, path, error) from error


def _refuse(option: str, path: str, error: OSError | TextFileError) -> UsageError:
    return UsageError(f"{option}{path!r}: {reason(error)}")


def open_log(path: str | None, closing: ExitStack) -> EventLog | None:
    """Open the log that is appended to a file until `closing` closes it, or return None."""
    if path is None:
        return None
    try:
        # Without a buffer, past events are in the file even if the program is killed.
        file = closing.enter_context(FileIO(expand_user(path), "a"))
    except OSError as error:
        raise _refuse("-log ", path, error) from error

    def report(error: OSError) -> None:
        print_error(f"constructor: -log {path!r}: {reason(error)}, so logging has stopped")

    return EventLog(file, report)
