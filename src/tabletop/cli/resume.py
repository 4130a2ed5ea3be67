"""Go on with an interrupted match: the one in FILE, or the last one."""

from __future__ import annotations

import argparse
import shlex

from tabletop.cli.records import read_record
from tabletop.errors import UsageError
from tabletop.graphics import add_graphics_option, opened_graphics
from tabletop.host.files import user_path
from tabletop.records.reading import read_end
from tabletop.storage.origins import plugin_of
from tabletop.storage.places import last_interrupted
from tabletop.terminal.args import add_score_arguments
from tabletop.terminal.console import Console
from tabletop.terminal.play import TerminalGame
from tabletop.terminal.ui import load_ui


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what the command takes."""
    parser.add_argument(
        "file", metavar="FILE", type=user_path, nargs="?", help="a record; by default the last one"
    )
    parser.add_argument("--game", metavar="GAME", help="the game: a name, module:NAME, or a path")
    add_score_arguments(parser)
    add_graphics_option(parser)


def run(arguments: argparse.Namespace) -> int:
    """Replay what follows the last checkpoint of the record, and play on."""
    file = arguments.file
    record = last_interrupted() if file is None else read_record(file, read_end)
    if record.ended:
        again = shlex.join(["tabletop", "replay", record.path])
        raise UsageError(f"{record.path}: this match has ended; see it with: {again}")
    plugin = plugin_of(record, arguments.game, "resume", record.path)
    with opened_graphics(arguments.graphics) as graphics:
        sitting = TerminalGame(
            plugin,
            record.players,
            load_ui(plugin),
            Console(loop=graphics.loop),
            scored=not arguments.no_score,
            beside=graphics.beside,
        )
        sitting.resume(record)
    return 0
