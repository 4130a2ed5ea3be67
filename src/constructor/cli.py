"""The program `constructor`: the course's game at a prompt, with its options (Constructor §5).

Everything that the options name is read and judged before anything is asked.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from contextlib import ExitStack
from functools import partial
from io import FileIO
from pathlib import Path
from typing import Final

from constructor.beginning import DEFAULT_SEED, Start, layout_options
from constructor.layouts import FileError
from constructor.log import EventLog
from constructor.options import DEFAULT_LAYOUT, build_parser
from constructor.program import Program
from constructor.rules import PATIENCE
from constructor.state import COLOURS
from tabletop.errors import UsageError
from tabletop.graphics import opened_graphics
from tabletop.host.files import expanded
from tabletop.host.printable import say_error
from tabletop.options import OptionValue
from tabletop.phrases import fresh_phrase
from tabletop.records.entries import HUMAN
from tabletop.registry import Plugin, load
from tabletop.scores.sheets import FRESH, GIVEN
from tabletop.terminal.args import (
    CONTESTS,
    check_alone,
    choose_record,
    find_record,
    read_bots,
    read_contest,
)
from tabletop.terminal.client import OpenSecondView
from tabletop.terminal.console import Console
from tabletop.terminal.programs import OK, guarded
from tabletop.terminal.textfiles import TextFileError, read_text, reason

GAME: Final = "constructor"
"""The game of this package that the program plays, as `tabletop` finds it."""

IN_RECORDS: Final = ("seed", *CONTESTS, "load", "board", "random-board", "fair", "variant", "bot")
"""The options that a record has answered already."""

NEW_SEED: Final = "new"
"""The word that stands for a fresh phrase."""

MOST_BYTES: Final = 1 << 20
"""A layout or a save is never so long; what is, is something else."""

STANDARD_VARIANT: Final = "standard"
SEATS: Final = {colour: (seat,) for seat, colour in enumerate(COLOURS)} | {
    "all": tuple(range(len(COLOURS)))
}
"""What -bot can name."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run the program; its exit status."""
    words = list(sys.argv[1:] if argv is None else argv)
    return guarded("constructor", lambda: _run(words))


def _run(words: Sequence[str]) -> int:
    arguments = build_parser().read(words)
    plugin = load(GAME)
    with opened_graphics(arguments.graphics) as graphics:
        console = Console(ends_lines=False, loop=graphics.loop)
        if arguments.resume is not None:
            resume(arguments, plugin, console, graphics.beside)
        else:
            play(arguments, plugin, console, graphics.beside)
    return OK


def play(
    arguments: argparse.Namespace, plugin: Plugin, console: Console, beside: OpenSecondView | None
) -> None:
    """Play from the beginning, or from a save.

    Raises:
        UsageError: an option makes no sense, or a file cannot be read.
    """
    start = read_start(arguments, plugin, console)
    program = Program(plugin, start, console, beside=beside)
    try:
        first = program.first_game()
    except FileError as error:
        raise _refuse(*_source(arguments), error) from error
    with ExitStack() as closing:
        log = open_log(arguments.log, closing)
        if start.seed_origin in (*CONTESTS, FRESH):
            console.say(f"Seed: {start.seed}")
        program.run(first, log)


def resume(
    arguments: argparse.Namespace, plugin: Plugin, console: Console, beside: OpenSecondView | None
) -> None:
    """Go on with a record.

    Raises:
        UsageError: there is none, or an option makes no sense beside it.
        RecordError: it cannot be read, or does not replay.
    """
    given = {name: getattr(arguments, name.replace("-", "_")) for name in IN_RECORDS}
    check_alone(arguments, {name: it not in (None, False, []) for name, it in given.items()})
    record = find_record(arguments, (plugin.game.name,))
    bots = {seat: name for seat, name in enumerate(record.players) if name != HUMAN}
    start = Start(
        record.header.seed,
        {},
        bots,
        arguments.pause,
        record=partial(record_of_game, arguments, plugin, console),
        scored=console.interactive,
    )
    with ExitStack() as closing:
        log = open_log(arguments.log, closing)
        Program(plugin, start, console, beside=beside).resume(record, log)


def read_start(arguments: argparse.Namespace, plugin: Plugin, console: Console) -> Start:
    """How games begin, by the options and the files that they name.

    What a file holds is judged when the first game begins.

    Raises:
        UsageError: an option makes no sense, or a file cannot be read.
    """
    contest = _check_together(arguments)
    bots = read_bots(arguments.bot, SEATS, plugin)
    origin = contest or origin_of(arguments)
    seed = choose_seed(arguments, plugin)
    options = {"fair": arguments.fair, **read_board(arguments, plugin, contest)}
    if contest or len(bots) == len(COLOURS):
        options["patience"] = PATIENCE.default
    return Start(
        seed,
        options,
        bots,
        arguments.pause,
        seed_origin=origin,
        record=partial(record_of_game, arguments, plugin, console),
        scored=console.interactive,
    )


def record_of_game(
    arguments: argparse.Namespace, plugin: Plugin, console: Console, number: int
) -> Path | None:
    """Where the record of a game goes, the first of the session being 1.

    With `-record FILE` those of later ones lie beside it: `FILE-2`, with the ending of FILE.
    """
    path = choose_record(arguments, plugin.game, interactive=console.interactive)
    if path is None or arguments.record is None or number == 1:
        return path
    return path.with_name(f"{path.stem}-{number}{path.suffix}")


def _check_together(arguments: argparse.Namespace) -> str:
    """Refuse options that exclude each other; the contest that is played, as `read_contest`.

    Raises:
        UsageError: two of them do.
    """
    for other in ("board", "variant"):
        if arguments.load is not None and getattr(arguments, other) is not None:
            raise UsageError(f"-load and -{other} exclude each other: a saved game has its own")
    return read_contest(arguments, {"load": "board", "board": "board"})


def choose_seed(arguments: argparse.Namespace, plugin: Plugin) -> str:
    """The seed of the first game."""
    if _is_new(arguments.seed):
        return fresh_phrase(plugin.game.vocabulary)
    return DEFAULT_SEED if arguments.seed is None else str(arguments.seed)


def origin_of(arguments: argparse.Namespace) -> str:
    """Where the seed of a game that is no contest comes from; see `tabletop.scores`."""
    if _is_new(arguments.seed):
        return FRESH
    return "" if arguments.seed is None else GIVEN


def _is_new(seed: str | None) -> bool:
    return seed is not None and seed.strip().casefold() == NEW_SEED


def read_board(
    arguments: argparse.Namespace, plugin: Plugin, contest: str
) -> dict[str, OptionValue]:
    """The options of the game for the position that it begins from.

    Args:
        arguments: of the program.
        plugin: the game.
        contest: the contest that is played; empty when none is.

    Raises:
        UsageError: a file cannot be read.
    """
    if arguments.load is not None:
        return {"load": _text(*_source(arguments))}
    variant = arguments.variant or STANDARD_VARIANT
    if contest:
        return {**plugin.game.catalog_options, "variant": variant}
    if arguments.random_board and arguments.board is None:
        return {"random-board": True, "variant": variant}
    try:
        layout = _text(*_source(arguments))
    except FileNotFoundError:
        return {"variant": variant}
    return {**layout_options(layout), "variant": variant}


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


def open_log(path: str | None, closing: ExitStack) -> EventLog | None:
    """The log that goes to the end of a file, which is closed with `closing`; None without one.

    Raises:
        UsageError: it cannot be written.
    """
    if path is None:
        return None
    try:
        # Not buffered: what has happened is in the file even if the program is killed.
        file = closing.enter_context(FileIO(expanded(path), "a"))
    except OSError as error:
        raise _refuse("-log ", path, error) from error

    def report(error: OSError) -> None:
        say_error(f"constructor: -log {path!r}: {reason(error)}; nothing more is logged")

    return EventLog(file, report)
