"""The commands `tabletop play` and `tabletop resume`, which play at the terminal."""

from __future__ import annotations

import argparse
import shlex
from pathlib import Path

from tabletop.cli.match_args import (
    add_game_argument,
    add_match_arguments,
    add_model_arguments,
    bot_of,
    choose_like,
    choose_seed,
    make_match,
    mend_texts,
    model_settings,
    read_players,
)
from tabletop.cli.records import read_record
from tabletop.errors import UsageError
from tabletop.host.paths import utc_now
from tabletop.host.user_files import user_path
from tabletop.records.draw_log import DrawLog
from tabletop.records.find_game import last_interrupted, plugin_of
from tabletop.records.format import Header
from tabletop.records.replaying import match_from_header
from tabletop.registry import load
from tabletop.scores.save_score import newcomers_hint
from tabletop.terminal.args import choose_record, with_programs
from tabletop.terminal.console import Console
from tabletop.terminal.local_connection import Presentation
from tabletop.terminal.parsers import file_path
from tabletop.terminal.play import TerminalGame
from tabletop.web.graphics_option import add_graphics_option, graphics_session


def add_play_arguments(parser: argparse.ArgumentParser) -> None:
    add_game_argument(parser)
    add_match_arguments(parser)
    parser.add_argument("--no-hints", action="store_true", help="do not print hints for newcomers")
    record = parser.add_mutually_exclusive_group()
    record.add_argument("--record", metavar="FILE", type=file_path, help="record the match in FILE")
    record.add_argument("--no-record", action="store_true", help="do not record the match")
    parser.add_argument("--no-score", action="store_true", help="do not save or show the score")
    parser.add_argument(
        "--log",
        metavar="FILE",
        type=file_path,
        nargs="?",
        const=Path(),
        help="log every random draw to FILE (default: a file next to the record)",
    )
    add_model_arguments(parser)
    add_graphics_option(parser)


def run_play(arguments: argparse.Namespace) -> int:
    """Play a game at the terminal.

    The match is recorded while you play. You can resume it with `tabletop resume`.
    """
    mend_texts(arguments)
    plugin = load(arguments.game)
    now = utc_now()
    like = choose_like(arguments, plugin.game)
    origin = choose_seed(arguments, now)
    match = make_match(plugin.game, arguments, like)
    models = model_settings(arguments, map(bot_of, arguments.bot))
    plugin = with_programs(plugin, arguments.bot, "--bot", match, models)
    players = read_players(arguments.bot, match, plugin)
    # With microseconds, because two matches with the same actions must not count as one.
    created = now.isoformat(timespec="microseconds")
    header = Header.of(
        match, source=plugin.source, players=players, created=created, seed_origin=origin
    )
    hint = "" if arguments.no_hints else newcomers_hint(plugin, players, origin)
    path = choose_record(arguments, plugin.game, interactive=True)
    with graphics_session(arguments.graphics) as graphics:
        game = TerminalGame(
            plugin,
            header.players,
            Presentation(hint=hint),
            Console(loop=graphics.loop),
            scored=not arguments.no_score,
            beside=graphics.beside,
        )
        if arguments.log is None:
            game.play(match, header, path)
            return 0
        with DrawLog.create(_log_path(arguments.log, path)) as log:
            match = match_from_header(plugin.game, header, on_draw=log.draw)
            game.play(match, header, path, log)
    return 0


def _log_path(file: Path, record: Path | None) -> Path:
    """Return the path of the draw log: `file`, or one next to the record if it is `Path()`."""
    if file != Path():
        return file
    if record is None:
        raise UsageError("--log: the match is not recorded, so name a file with --log FILE")
    return record.with_suffix(".draws")


def add_resume_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "file",
        metavar="FILE",
        type=user_path,
        nargs="?",
        help="a record (default: the most recent one that no other process uses)",
    )
    parser.add_argument(
        "--game", metavar="GAME", help="the game: a name, module:NAME, or the path of a .py file"
    )
    parser.add_argument("--no-score", action="store_true", help="do not save or show the score")
    add_graphics_option(parser)


def run_resume(arguments: argparse.Namespace) -> int:
    """Resume the match in FILE, or the most recent interrupted match."""
    file = arguments.file
    record = last_interrupted() if file is None else read_record(file)
    if record.ended:
        again = shlex.join(["tabletop", "replay", record.path])
        raise UsageError(f"{record.path}: this match has ended (replay it with: {again})")
    plugin = plugin_of(record, arguments.game, "resume", record.path)
    with graphics_session(arguments.graphics) as graphics:
        game = TerminalGame(
            plugin,
            record.players,
            console=Console(loop=graphics.loop),
            scored=not arguments.no_score,
            beside=graphics.beside,
        )
        game.resume(record)
    return 0
