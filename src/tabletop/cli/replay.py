"""Show a recorded match as it was played, or verify that it replays exactly."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from tabletop.cli import UsageError
from tabletop.console import Console
from tabletop.errors import RegistryError
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
    if record.dropped:
        console.say(f"{record.path}: the last line is incomplete and was left out")
    if arguments.verify:
        match = replay(record, plugin.game, until=arguments.until)
        ending = "" if record.ended else "; the match has not ended"
        console.say(f"{record.path}: {match.ply} actions replay exactly{ending}")
    else:
        show(record, plugin, console, until=arguments.until, step=arguments.step)
    return 0


def read_record(path: Path) -> Record:
    """The record in a file.

    Raises:
        UsageError: there is no such file.
        RecordError: it is no record.
    """
    if not path.exists():
        raise UsageError(f"{path}: there is no such file")
    return read(path)


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
    """Tell a recorded match, action by action."""
    match = remake(plugin.game, record.header)
    text: TextView[Any] = plugin.text
    title = plugin.game.title or plugin.game.name
    console.say(f"{title}, seed: {match.seed.text}")
    console.say(text.position(match.view(), match.names))

    def tell(event: Event) -> None:
        said = "" if isinstance(event, MatchEnded) else text.event(event, match.names)
        if said:
            console.say(said)

    match.observe(tell)
    for entry in record.entries:
        if entry.do is not None and until is not None and match.ply >= until:
            break
        if entry.do is not None and step:
            console.say(text.position(match.view(), match.names))
            if console.read(f"-- {match.ply} of {record.plies}, Enter for the next ") is None:
                break
        replay_entry(match, entry)
    console.say(text.position(match.view(), match.names))
    if match.outcome is not None:
        console.say(text.outcome(match.outcome, match.names))
    else:
        console.say(f"({match.ply} actions)")
