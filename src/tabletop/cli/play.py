"""Play a game at the terminal. The match is recorded as it goes, and can be resumed."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from tabletop.cli.gameoptions import describe_options
from tabletop.cli.matches import (
    add_match_arguments,
    choose_like,
    choose_seed,
    make_match,
    mend_texts,
    read_players,
)
from tabletop.errors import UsageError
from tabletop.graphics import add_graphics_option, opened_graphics
from tabletop.host.files import user_path
from tabletop.records.drawlog import DrawLog
from tabletop.records.entries import Header
from tabletop.records.record import remake
from tabletop.registry import load
from tabletop.storage.keeping import newcomers_hint
from tabletop.storage.places import new_record_path, utc_now
from tabletop.terminal.args import add_score_arguments
from tabletop.terminal.console import Console
from tabletop.terminal.play import TerminalGame
from tabletop.terminal.ui import load_ui


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what the command takes."""
    parser.add_argument("game", metavar="GAME", help="a name, module:NAME, or a path to a .py file")
    add_match_arguments(parser)
    parser.add_argument("--no-hints", action="store_true", help="say nothing to newcomers")
    _add_record_arguments(parser)
    add_score_arguments(parser)
    parser.add_argument(
        "--log",
        metavar="FILE",
        nargs="?",
        const="",
        help="write every draw there; by default beside the record",
    )
    add_graphics_option(parser)


def _add_record_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare where the record goes."""
    record = parser.add_mutually_exclusive_group()
    record.add_argument("--record", metavar="FILE", type=user_path, help="write the record there")
    record.add_argument("--no-record", action="store_true", help="write no record")


def run(arguments: argparse.Namespace) -> int:
    """Make the match, record it, and play it."""
    mend_texts(arguments)
    plugin = load(arguments.game)
    if "help" in arguments.option:
        sys.stdout.write(describe_options(plugin.game))
        return 0
    now = utc_now()
    like = choose_like(arguments, plugin.game)
    origin = choose_seed(arguments, now)
    match = make_match(plugin.game, arguments, like)
    players = read_players(arguments.bot, match, plugin)
    # To the microsecond, so that two matches that go alike are not taken for one.
    created = now.isoformat(timespec="microseconds")
    header = Header.of(
        match, source=plugin.source, players=players, created=created, seed_origin=origin
    )
    hint = "" if arguments.no_hints else newcomers_hint(plugin, players, origin)
    path: Path | None = None
    if not arguments.no_record:
        path = arguments.record or new_record_path(plugin.game, now)
    with opened_graphics(arguments.graphics) as graphics:
        sitting = TerminalGame(
            plugin,
            header.players,
            load_ui(plugin),
            Console(loop=graphics.loop),
            scored=not arguments.no_score,
            hint=hint,
            beside=graphics.beside,
        )
        if arguments.log is None:
            sitting.play(match, header, path)
            return 0
        with DrawLog.create(_log_path(arguments.log, path)) as log:
            match = remake(plugin.game, header, on_draw=log.draw)
            sitting.play(match, header, path, log)
    return 0


def _log_path(file: str, record: Path | None) -> Path:
    """Where every draw is logged: in `file`, or beside the record when that is empty.

    Raises:
        UsageError: there is no record to be beside.
    """
    if file:
        return user_path(file)
    if record is None:
        raise UsageError("--log: without a record, say where: --log FILE")
    return record.with_suffix(".draws")
