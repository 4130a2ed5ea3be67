"""Show a recorded match as it was played, or verify that it replays exactly."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tabletop.cli import UsageError
from tabletop.cli.play import count_of, title_of
from tabletop.console import Console, tell_all
from tabletop.errors import RecordError, RegistryError
from tabletop.events import Event, MatchEnded
from tabletop.record import Record, read, remake, replay, replay_entry
from tabletop.registry import Plugin, load
from tabletop.text import TextView

HELP = "show a recorded match, or verify it"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what the command takes."""
    parser.add_argument("file", metavar="FILE", type=Path, help="a record")
    parser.add_argument("--game", metavar="GAME", help="replay with this game instead")
    parser.add_argument(
        "--verify", action="store_true", help="show nothing; exit 1 unless it replays exactly"
    )
    parser.add_argument("--until", metavar="N", type=int, help="stop after N actions")
    parser.add_argument("--step", action="store_true", help="wait for Enter after each action")


def run(arguments: argparse.Namespace) -> int:
    """Replay the record."""
    if arguments.until is not None and arguments.until < 0:
        raise UsageError(f"--until {arguments.until}: give 0 or more")
    record = read_record(arguments.file)
    plugin = plugin_of(record, arguments.game)
    console = Console()
    tell_dropped(record, console)
    if arguments.verify:
        verify(record, plugin, console, until=arguments.until)
    else:
        try:
            show(record, plugin, console, until=arguments.until, step=arguments.step)
        except KeyboardInterrupt:
            console.say()  # the shell's prompt begins a line
    return 0


def tell_dropped(record: Record, console: Console) -> None:
    """Say that the last line of a record is incomplete, if it is."""
    if record.dropped:
        console.say(f"{record.path}: the last line is incomplete and was left out")


def verify(record: Record, plugin: Plugin, console: Console, *, until: int | None) -> None:
    """Say that a record replays exactly.

    Raises:
        RecordError: it does not, or nobody waited for it.
    """
    try:
        match = replay(record, plugin.game, until=until)
    except KeyboardInterrupt as error:
        raise RecordError(f"{record.path}: interrupted, and not verified") from error
    ending = "" if record.ended else "; the match has not ended"
    replays = "replays" if match.ply == 1 else "replay"
    console.say(f"{record.path}: {count_of(match.ply)} {replays} exactly{ending}")


def read_record(path: Path, reader: Callable[[Path], Record] = read) -> Record:
    """The record in a file: the whole of it, or what `reader` reads of it.

    Raises:
        UsageError: there is no such file.
        RecordError: it is no record.
    """
    if not path.exists():
        raise UsageError(f"{path}: there is no such file")
    return reader(path)


def plugin_of(record: Record, name: str | None = None) -> Plugin:
    """The game that a record is of: by `name`, else where it was found then, else by its name."""
    if name is not None:
        return load(name)
    try:
        return load(record.header.source or record.header.game)
    except RegistryError:
        if record.header.source in ("", record.header.game):
            raise
        try:
            return load(record.header.game)
        except RegistryError as error:
            raise RegistryError(
                f"{record.path}: its game, {record.header.game}, was found at"
                f" {record.header.source} and is not there now; say where with --game"
            ) from error


def show(
    record: Record, plugin: Plugin, console: Console, *, until: int | None, step: bool
) -> None:
    """Tell a recorded match, action by action; the position at its beginning and its end.

    Raises:
        RecordError: it does not replay.
    """
    match = remake(plugin.game, record.header)
    text: TextView[Any] = plugin.text
    said: list[str] = []

    def tell(event: Event) -> None:
        if not isinstance(event, MatchEnded):
            said.append(text.event(event, match.names))

    match.observe(tell)
    console.say(title_of(match))
    console.say(text.position(match.view(), match.names))
    for number, entry in enumerate(record.entries):
        if entry.do is not None and until is not None and match.ply >= until:
            break
        if entry.do is not None and step:
            if number:
                console.say(text.position(match.view(), match.names))
            if console.read(f"-- {match.ply} of {record.plies}, Enter for the next ") is None:
                break
        try:
            replay_entry(match, entry)
        except RecordError as error:
            raise type(error)(f"{record.path}: {error}", line=error.line) from error.__cause__
        tell_all(said, console)
    if match.ply:
        console.say(text.position(match.view(), match.names))
    ended = match.outcome
    console.say(text.outcome(ended, match.names) if ended else f"({count_of(match.ply)})")
