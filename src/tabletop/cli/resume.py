"""Go on with an interrupted match: the one in FILE, or the last one."""

from __future__ import annotations

import argparse
from pathlib import Path
from time import monotonic

from tabletop.cli import UsageError
from tabletop.cli.keeping import add_score_arguments, keep_resumed
from tabletop.cli.origins import origin_of, plugin_of
from tabletop.cli.places import last_interrupted
from tabletop.cli.recording import Recording
from tabletop.cli.replay import read_record, tell_dropped
from tabletop.cli.sitting import converse, say_how_to_play_again
from tabletop.console import Console, Session
from tabletop.errors import ContractError, TabletopError
from tabletop.files import user_path
from tabletop.journal import Journal
from tabletop.record import read, read_end, replay
from tabletop_start import opened

HELP = "go on with an interrupted match"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what the command takes."""
    parser.add_argument(
        "file", metavar="FILE", type=user_path, nargs="?", help="a record; by default the last one"
    )
    parser.add_argument("--game", metavar="GAME", help="the game: a name, module:NAME, or a path")
    add_score_arguments(parser)


def run(arguments: argparse.Namespace) -> int:
    """Replay what follows the last checkpoint of the record, and play on."""
    file = arguments.file
    record = last_interrupted() if file is None else read_record(file, read_end)
    if record.ended:
        raise UsageError(f"{record.path}: this match has ended; see it with: tabletop replay")
    origin = origin_of(Path(record.path))
    plugin = plugin_of(record, arguments.game, "resume", record.path)
    match = replay(record, plugin.game)
    console = Console()
    opened()
    journal = Journal.resume(record, match, clock=monotonic)
    try:
        with Recording(journal, match, console, origin) as recording:
            tell_dropped(record, console)
            session = Session(match, plugin, record.players, console, recording)
            status = converse(session, match, console, recording, plugin.source)
    except Exception as error:
        if record.start is not None and _is_of_rules(error):
            replay(read(recording.path or record.path), plugin.game)  # the checkpoint is to blame?
        raise
    if arguments.no_score:
        say_how_to_play_again(match, plugin.source, console)
    elif recording.path is not None:
        is_own = origin is not None
        keep_resumed(match, recording.path, plugin.source, console, is_own=is_own)
    return status


def _is_of_rules(error: Exception) -> bool:
    """Whether rules have failed: they may, at a checkpoint where no match can come."""
    return isinstance(error, ContractError) or not isinstance(error, TabletopError | OSError)
