"""The program `constructor`: the course's game at a prompt, with its options (Constructor §5).

Everything that the options name is read and judged before anything is asked.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from contextlib import ExitStack
from io import FileIO
from typing import Final

from constructor.beginning import Start
from constructor.colours import inks_of, paint
from constructor.layouts import FileError, default_layout
from constructor.log import EventLog
from constructor.production import VARIANTS
from constructor.program import BEST_BOT, Program
from constructor.state import COLOURS
from tabletop.errors import UsageError
from tabletop.host.files import expanded
from tabletop.host.printable import say_error
from tabletop.options import OptionValue
from tabletop.registry import Plugin, load
from tabletop.scores.sheets import WEEKLY, seed_of_today
from tabletop.seeds import fresh_phrase
from tabletop.storage.places import utc_now
from tabletop.terminal.console import Console
from tabletop.terminal.parsers import ProgramParser, read_bots
from tabletop.terminal.programs import OK, guarded
from tabletop.terminal.textfiles import TextFileError, read_text, reason
from tabletop.wording import shorten

DEFAULT_SEED: Final = "constructor"
"""Without a seed every game is the same one (Constructor §5)."""

NEW_SEED: Final = "new"
"""The word that stands for a fresh phrase."""

DEFAULT_LAYOUT: Final = "layout.txt"
MOST_BYTES: Final = 1 << 20
"""A layout or a save is never so long; what is, is something else."""

MOST_SECONDS: Final = 3600
"""Nobody waits longer for a bot."""

STANDARD_VARIANT: Final = "standard"
SEATS: Final = {colour: (seat,) for seat, colour in enumerate(COLOURS)} | {
    "all": tuple(range(len(COLOURS)))
}
"""What -bot can name."""


def build_parser() -> ProgramParser:
    """The parser of the program."""
    parser = ProgramParser(
        prog="constructor",
        usage="constructor [-h] [-seed TEXT | -seed new | -weekly] [-load FILE | -board FILE |"
        " -random-board]\n                   [-fair] [-variant NAME] [-bot COLOUR[=NAME]]..."
        " [-pause SECONDS] [-log FILE]",
        description="Play Constructor: four builders, and the first with 10 building points wins."
        " `help` at the prompt tells what can be typed. `resign [BOT]` is understood at every"
        " prompt: a bot plays on for the builder who is asked. When input ends, the game is kept"
        " in backup.sv.",
        epilog="Options may be spelled with one dash or two, and stand in any order."
        " `tabletop play constructor` plays the same game with undo and replay, and"
        " `tabletop play constructor-small` on a smaller board.",
    )
    parser.add_argument(
        "-seed",
        "--seed",
        metavar="TEXT",
        help="any text; `new` for a fresh phrase. Without it, every game is the same",
    )
    parser.add_argument(
        "-weekly",
        "--weekly",
        action="store_true",
        help="play the seed of this week, as everybody can, on a random board",
    )
    parser.add_argument("-load", "--load", metavar="FILE", help="go on with the game saved in FILE")
    parser.add_argument(
        "-board",
        "--board",
        metavar="FILE",
        help=f"take the layout from FILE; by default from {DEFAULT_LAYOUT} in the current"
        " directory, or the course's own when there is none",
    )
    parser.add_argument(
        "-random-board",
        "--random-board",
        action="store_true",
        help="deal the tiles at random; with -load or -board this means nothing",
    )
    parser.add_argument(
        "-fair",
        "--fair",
        action="store_true",
        help="begin with fair dice, and let nobody take loaded ones",
    )
    parser.add_argument(
        "-variant",
        "--variant",
        metavar="NAME",
        choices=tuple(VARIANTS),
        help="whether tiles can be improved (rich), run dry (scarce), or both (living)",
    )
    parser.add_argument(
        "-bot",
        "--bot",
        metavar="COLOUR[=NAME]",
        action="append",
        default=[],
        help="let a bot (builder, or random) play for a builder, or for `all`; repeat",
    )
    parser.add_argument(
        "-pause",
        "--pause",
        metavar="SECONDS",
        type=_seconds,
        help="how long to wait after a bot's turn; by default 1 at a terminal, and 0 elsewhere",
    )
    parser.add_argument(
        "-log", "--log", metavar="FILE", help="add what happens to FILE, a line an event"
    )
    return parser


def main(argv: Sequence[str] | None = None) -> int:
    """Run the program; its exit status."""
    words = list(sys.argv[1:] if argv is None else argv)
    return guarded("constructor", lambda: _run(words))


def _seconds(word: str) -> float:
    """The seconds that an option says."""
    try:
        seconds = float(word)
    except ValueError:
        seconds = -1.0
    if not 0 <= seconds <= MOST_SECONDS:
        message = f"{shorten(word)} is not a number of seconds from 0 to {MOST_SECONDS}"
        raise argparse.ArgumentTypeError(message)
    return seconds


def _run(words: Sequence[str]) -> int:
    arguments = build_parser().read(words)
    plugin = load("constructor:GAME")
    start = read_start(arguments, plugin)
    inks = inks_of(os.environ.get("TERM", ""))
    console = Console(paint=lambda text: paint(text, inks), ends_lines=False)
    try:
        program = Program(plugin, start, console)
    except FileError as error:
        raise _refuse(*_source(arguments), error) from error
    with ExitStack() as closing:
        log = None if arguments.log is None else open_log(arguments.log, closing)
        if arguments.weekly or _is_new(arguments.seed):
            console.say(f"Seed: {start.seed}")
        program.run(log)
    return OK


def read_start(arguments: argparse.Namespace, plugin: Plugin) -> Start:
    """How games begin, by the options and the files that they name.

    What a file holds is judged when the first game begins.

    Raises:
        UsageError: an option makes no sense, or a file cannot be read.
    """
    _check_together(arguments)
    bots = read_bots(arguments.bot, SEATS, BEST_BOT, plugin)
    seed = choose_seed(arguments, plugin)
    again = ["-fair"] if arguments.fair else []
    if seed != DEFAULT_SEED:
        again += ["-seed", seed] if seed[:1] != "-" else [f"-seed={seed}"]
    options = {**read_board(arguments), "fair": arguments.fair}
    return Start(seed, options, bots, again, arguments.pause)


def _check_together(arguments: argparse.Namespace) -> None:
    """Refuse options that exclude each other.

    Raises:
        UsageError: two of them do.
    """
    if arguments.weekly and arguments.seed is not None:
        raise UsageError("-weekly and -seed exclude each other: a week has its own seed")
    for other in ("board", "variant"):
        if arguments.load is not None and getattr(arguments, other) is not None:
            raise UsageError(f"-load and -{other} exclude each other: a saved game has its own")
    for other in ("load", "board"):
        if arguments.weekly and getattr(arguments, other) is not None:
            raise UsageError(f"-weekly and -{other} exclude each other: a week has its own board")


def choose_seed(arguments: argparse.Namespace, plugin: Plugin) -> str:
    """The seed of the first game."""
    if arguments.weekly:
        return seed_of_today(WEEKLY, utc_now().date())
    if _is_new(arguments.seed):
        return fresh_phrase(plugin.game.vocabulary)
    return DEFAULT_SEED if arguments.seed is None else str(arguments.seed)


def _is_new(seed: str | None) -> bool:
    return seed is not None and seed.strip().casefold() == NEW_SEED


def read_board(arguments: argparse.Namespace) -> dict[str, OptionValue]:
    """The options of the game that say where it begins.

    Raises:
        UsageError: a file cannot be read.
    """
    if arguments.load is not None:
        return {"load": _text(*_source(arguments))}
    variant = arguments.variant or STANDARD_VARIANT
    if (arguments.random_board or arguments.weekly) and arguments.board is None:
        return {"random-board": True, "variant": variant}
    try:
        layout = _text(*_source(arguments))
    except FileNotFoundError:
        layout = default_layout()
    return {"layout": layout, "variant": variant}


def _source(arguments: argparse.Namespace) -> tuple[str, str]:
    """Which option names the file that the game begins from, and the file; no option by default."""
    for option in ("load", "board"):
        if getattr(arguments, option) is not None:
            return f"-{option} ", getattr(arguments, option)
    return "", DEFAULT_LAYOUT


def _text(option: str, path: str) -> str:
    """The text in a file.

    Raises:
        FileNotFoundError: there is no such file, and no option asked for it.
        UsageError: it cannot be read.
    """
    try:
        return read_text(path, MOST_BYTES)
    except (OSError, TextFileError) as error:
        if isinstance(error, FileNotFoundError) and not option:
            raise
        raise _refuse(option, path, error) from error


def _refuse(option: str, path: str, error: OSError | TextFileError | FileError) -> UsageError:
    why = reason(error) if isinstance(error, OSError) else str(error)
    return UsageError(f"{option}{path!r}: {why}")


def open_log(path: str, closing: ExitStack) -> EventLog:
    """The log that goes to the end of a file, which is closed with `closing`.

    Raises:
        UsageError: it cannot be written.
    """
    try:
        file = closing.enter_context(FileIO(expanded(path), "a"))
    except OSError as error:
        raise _refuse("-log ", path, error) from error

    def report(error: OSError) -> None:
        say_error(f"constructor: -log {path!r}: {reason(error)}; nothing more is logged")

    return EventLog(file, report)
