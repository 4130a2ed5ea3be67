"""The program `constructor`: the course's game at a prompt, with its options (Constructor §5).

Everything that the options name is read and judged before anything is asked.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from contextlib import ExitStack
from io import FileIO
from typing import Final

from constructor.board import STANDARD
from constructor.layouts import FileError, default_layout, parse_layout, spell_layout
from constructor.log import EventLog
from constructor.production import VARIANTS
from constructor.program import BEST_BOT, Program, Start
from constructor.saves import parse_save
from constructor.state import COLOURS
from tabletop.cli import OK, UsageError, guarded
from tabletop.cli.programs import ProgramParser, TextFileError, read_bots, read_text, reason
from tabletop.console import Console
from tabletop.files import expanded
from tabletop.game import Options
from tabletop.printable import say_error
from tabletop.registry import Plugin, load

DEFAULT_SEED: Final = "constructor"
"""Without a seed every game is the same one (Constructor §5)."""

DEFAULT_LAYOUT: Final = "layout.txt"
MOST_BYTES: Final = 1 << 20
"""A layout or a save is never so long; what is, is something else."""

STANDARD_VARIANT: Final = "standard"
SEATS: Final = {colour: (seat,) for seat, colour in enumerate(COLOURS)} | {
    "all": tuple(range(len(COLOURS)))
}
"""What -bot can name."""


def build_parser() -> ProgramParser:
    """The parser of the program."""
    parser = ProgramParser(
        prog="constructor",
        usage="constructor [-h] [-seed TEXT] [-load FILE | -board FILE | -random-board]\n"
        "                   [-variant NAME] [-bot COLOUR[=NAME]]... [-log FILE]",
        description="Play Constructor: four builders, and the first with 10 building points wins."
        " `help` at the prompt tells what can be typed. `resign [BOT]` is understood at every"
        " prompt: a bot plays on for the builder who is asked. When input ends, the game is kept"
        " in backup.sv.",
        epilog="Options may be spelled with one dash or two, and stand in any order."
        " `tabletop play constructor` plays the same game with undo and replay, and"
        " `tabletop play constructor-small` on a smaller board.",
    )
    parser.add_argument(
        "--seed",
        metavar="TEXT",
        default=DEFAULT_SEED,
        help="any text; without it, every game is the same",
    )
    parser.add_argument("--load", metavar="FILE", help="go on with the game saved in FILE")
    parser.add_argument(
        "--board",
        metavar="FILE",
        help=f"take the layout from FILE; by default from {DEFAULT_LAYOUT} in the current"
        " directory, or the course's own when there is none",
    )
    parser.add_argument(
        "--random-board",
        action="store_true",
        help="deal the tiles at random; with -load or -board this means nothing",
    )
    parser.add_argument(
        "--variant",
        metavar="NAME",
        choices=tuple(VARIANTS),
        help="whether tiles can be improved (rich), run dry (scarce), or both (living)",
    )
    parser.add_argument(
        "--bot",
        metavar="COLOUR[=NAME]",
        action="append",
        default=[],
        help="let a bot (builder, or random) play for a builder, or for `all`; repeat",
    )
    parser.add_argument("--log", metavar="FILE", help="add what happens to FILE, a line an event")
    return parser


def main(argv: Sequence[str] | None = None) -> int:
    """Run the program; its exit status."""
    words = list(sys.argv[1:] if argv is None else argv)
    return guarded("constructor", lambda: _run(words))


def _run(words: Sequence[str]) -> int:
    arguments = build_parser().read(words)
    plugin = load("constructor:GAME")
    start = read_start(arguments, plugin)
    with ExitStack() as closing:
        log = None if arguments.log is None else open_log(arguments.log, closing)
        Program(plugin, start, Console(ends_lines=False), log).run()
    return OK


def read_start(arguments: argparse.Namespace, plugin: Plugin) -> Start:
    """How games begin, by the options and the files that they name.

    Raises:
        UsageError: an option or a file makes no sense.
    """
    bots = read_bots(arguments.bot, SEATS, BEST_BOT, plugin)
    if arguments.load is None:
        options = read_board(arguments)
        return Start(arguments.seed, options, options, bots)
    for other in ("board", "variant"):
        if getattr(arguments, other) is not None:
            raise UsageError(f"-load and -{other} exclude each other: a saved game has its own")
    try:
        text = read_text(arguments.load, MOST_BYTES)
        state = parse_save(text, STANDARD)
    except (OSError, TextFileError, FileError) as error:
        raise _refuse("-load ", arguments.load, error) from error
    later = {"layout": spell_layout(state.tiles), "variant": state.variant}
    return Start(arguments.seed, {"load": text}, later, bots)


def read_board(arguments: argparse.Namespace) -> Options:
    """The options of a new game.

    Raises:
        UsageError: a layout cannot be read or makes no sense.
    """
    variant = arguments.variant or STANDARD_VARIANT
    if arguments.random_board and arguments.board is None:
        return {"random-board": True, "variant": variant}
    if arguments.board is not None:
        return {"layout": _layout("-board ", arguments.board), "variant": variant}
    try:
        layout = _layout("", DEFAULT_LAYOUT)
    except FileNotFoundError:
        layout = default_layout()
    return {"layout": layout, "variant": variant}


def _layout(option: str, path: str) -> str:
    """The layout in a file, once it is known to be one.

    Raises:
        FileNotFoundError: there is no such file, and no option asked for it.
        UsageError: it cannot be read or makes no sense.
    """
    try:
        text = read_text(path, MOST_BYTES)
        parse_layout(text, STANDARD)
    except (OSError, TextFileError, FileError) as error:
        if isinstance(error, FileNotFoundError) and not option:
            raise
        raise _refuse(option, path, error) from error
    return text


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
