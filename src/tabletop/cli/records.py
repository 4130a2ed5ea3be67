"""What commands that show a record share: its arguments, opening it, and writing what they made."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from tabletop.errors import TabletopError, UsageError
from tabletop.events import ALL, Watcher
from tabletop.host.files import user_path, write_bytes
from tabletop.records.reading import Record, read
from tabletop.records.stepping import Stepper
from tabletop.registry import Plugin
from tabletop.storage.origins import plugin_of
from tabletop.terminal.console import Console
from tabletop.terminal.play import warn_dropped


class Opened(NamedTuple):
    """A record that is to be shown.

    Attributes:
        record: the whole of it.
        plugin: its game.
        stepper: the match, where no step has been done.
        watcher: whose view is shown.
        console: where there is something to be said.
    """

    record: Record
    plugin: Plugin
    stepper: Stepper
    watcher: Watcher
    console: Console


def add_record_argument(parser: argparse.ArgumentParser, called: str = "RECORD") -> None:
    """Declare which record is meant, and how its game is found."""
    parser.add_argument("file", metavar=called, type=user_path, help="a record")
    parser.add_argument("--game", metavar="GAME", help="the game: a name, module:NAME, or a path")


def add_view_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare whose view is shown, and what is done where the rules have changed."""
    parser.add_argument(
        "--seat",
        metavar="N",
        help="show what seat 1, 2, ... sees; or `all`: everything (by default what all can see)",
    )
    parser.add_argument(
        "--anyway",
        action="store_true",
        help="also with other rules than it was made with, up to the first difference",
    )


def check_steps(**given: int | None) -> None:
    """Accept numbers of steps, by the names of their options.

    Raises:
        UsageError: one is negative.
    """
    for name, steps in given.items():
        if steps is not None and steps < 0:
            raise UsageError(f"--{name} {steps}: give 0 or more")


def open_record(arguments: argparse.Namespace, command: str, *, until: int | None = None) -> Opened:
    """Open the record that the arguments name.

    Args:
        arguments: `file`, `game`, `seat` and `anyway`.
        command: what was typed, for the hint where the game is not found.
        until: the last step that there is to be.

    Raises:
        UsageError: there is no such file or seat.
        RecordError, RegistryError: it is no record, or its game is not there.
    """
    record = read_record(arguments.file)
    watcher = watcher_of(arguments.seat, record)
    plugin = plugin_of(record, arguments.game, command, record.path)
    console = Console()
    warn_dropped(record, console)
    stepper = Stepper(record, plugin.game, until=until, anyway=arguments.anyway)
    return Opened(record, plugin, stepper, watcher, console)


def write_output(path: Path, data: bytes) -> None:
    """Write what a command has made, as a whole.

    Raises:
        TabletopError: it cannot be written.
    """
    try:
        write_bytes(str(path), data)
    except OSError as error:
        raise TabletopError(f"{path}: cannot be written: {error.strerror or error}") from error


def watcher_of(word: str | None, record: Record) -> Watcher:
    """Whose view is shown.

    Raises:
        UsageError: there is no such seat.
    """
    if word is None:
        return None
    seats = len(record.header.seats)
    if word.casefold() == "all":
        return ALL
    if word.isascii() and word.isdecimal() and 1 <= int(word[:9]) <= seats:
        return int(word) - 1
    raise UsageError(f"--seat {word}: seats are 1 to {seats}, or all")


def read_record(path: Path, reader: Callable[[Path], Record] = read) -> Record:
    """The record in a file: the whole of it, or what `reader` reads of it.

    Raises:
        UsageError: there is no such file.
        RecordError: it is no record.
    """
    if not path.exists():
        raise UsageError(f"{path}: there is no such file")
    return reader(path)
