"""The program `constructor`: the course's game at a prompt, with its options (Constructor §5).

Everything that the options name is read and judged before anything is asked.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from contextlib import ExitStack
from io import FileIO
from typing import Final, NoReturn

from typing_extensions import override

from constructor.board import STANDARD
from constructor.files import read_text, reason
from constructor.layouts import FileError, default_layout, parse_layout, spell_layout
from constructor.log import EventLog
from constructor.production import VARIANTS
from constructor.program import BEST_BOT, Program, Start
from constructor.saves import parse_save
from constructor.state import COLOURS
from tabletop import RegistryError, Seat, Streams
from tabletop.cli import OK, UsageError, guarded
from tabletop.commands import shorten
from tabletop.console import Console
from tabletop.game import Options
from tabletop.registry import Plugin, load

DEFAULT_SEED: Final = "constructor"
"""Without a seed every game is the same one (Constructor §5)."""

DEFAULT_LAYOUT: Final = "layout.txt"
STANDARD_VARIANT: Final = "standard"


class Parser(argparse.ArgumentParser):
    """A parser that takes one dash for two, and whose complaints are one line."""

    @override
    def error(self, message: str) -> NoReturn:
        raise UsageError(f"{' '.join(message.split())} (constructor -h tells the options)")

    def two_dashes(self, words: Sequence[str]) -> list[str]:
        """The words with every option spelled with two dashes."""
        known = {option for action in self._actions for option in action.option_strings}
        return [
            f"-{word}" if f"-{word}".partition("=")[0] in known and word[:2] != "--" else word
            for word in words
        ]


def build_parser() -> Parser:
    """The parser of the program."""
    parser = Parser(
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
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=_version())
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


def _version() -> str:
    from importlib.metadata import version

    return f"constructor {version('tabletop-rules')}"


def main(argv: Sequence[str] | None = None) -> int:
    """Run the program; its exit status."""
    words = list(sys.argv[1:] if argv is None else argv)
    return guarded("constructor", lambda: _run(words))


def _run(words: Sequence[str]) -> int:
    parser = build_parser()
    arguments = parser.parse_args(parser.two_dashes(words))
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
    bots = read_bots(arguments.bot, plugin)
    if arguments.load is None:
        options = read_board(arguments)
        return Start(arguments.seed, options, options, bots)
    for other in ("board", "variant"):
        if getattr(arguments, other) is not None:
            raise UsageError(f"-load and -{other} exclude each other: a saved game has its own")
    try:
        text = read_text(arguments.load)
        state = parse_save(text, STANDARD)
    except (OSError, FileError) as error:
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
        text = read_text(path)
        parse_layout(text, STANDARD)
    except (OSError, FileError) as error:
        if isinstance(error, FileNotFoundError) and not option:
            raise
        raise _refuse(option, path, error) from error
    return text


def _refuse(option: str, path: str, error: OSError | FileError) -> UsageError:
    why = reason(error) if isinstance(error, OSError) else str(error)
    return UsageError(f"{option}{path!r}: {why}")


def read_bots(words: Sequence[str], plugin: Plugin) -> dict[Seat, str]:
    """The seats that bots play for, from words like `Red`, `red=random` or `all`.

    Raises:
        UsageError: there is no such builder, or no such bot.
    """
    seats = {colour.casefold(): [seat] for seat, colour in enumerate(COLOURS)}
    seats["all"] = list(range(len(COLOURS)))
    bots = {}
    for word in words:
        colour, equals, name = word.partition("=")
        name = name.casefold() if equals else BEST_BOT
        chosen = seats.get(colour.casefold())
        if chosen is None:
            raise UsageError(f"-bot {shorten(colour)}: give {', '.join(COLOURS)}, or all")
        try:
            plugin.bot(name, Streams(name)["unused"])  # only to know that there is one
        except RegistryError as error:
            raise UsageError(f"-bot {shorten(word)}: {error}") from error
        bots.update(dict.fromkeys(chosen, name))
    return bots


def open_log(path: str, closing: ExitStack) -> EventLog:
    """The log that goes to the end of a file, which is closed with `closing`.

    Raises:
        UsageError: it cannot be written.
    """
    try:
        file = closing.enter_context(FileIO(path, "a"))
    except OSError as error:
        raise _refuse("-log ", path, error) from error

    def report(error: OSError) -> None:
        sys.stderr.write(f"constructor: -log {path!r}: {reason(error)}; nothing more is logged\n")

    return EventLog(file, report)
