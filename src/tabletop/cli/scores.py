"""The command `tabletop scores`, which shows and imports the scores of matches."""

from __future__ import annotations

import argparse
import sys
from itertools import groupby, islice
from pathlib import Path
from shutil import get_terminal_size
from typing import Final

from tabletop.cli.match_args import number_in
from tabletop.cli.records import read_record
from tabletop.errors import TabletopError, UsageError
from tabletop.host.paths import utc_now
from tabletop.host.screen_text import printable
from tabletop.host.user_files import user_path
from tabletop.records.find_game import unknown_game
from tabletop.registry import load, load_installed
from tabletop.scores.save_score import open_book, program_version, warn
from tabletop.scores.score_tables import (
    score_board,
    score_table,
    scores_as_csv,
    scores_as_json,
    seed_of,
)
from tabletop.scores.sheets import DAILY, WEEKLY, ScoreSheet, ranked, seed_of_today
from tabletop.scores.verify import verified
from tabletop.terminal.parsers import as_text
from tabletop.terminal.programs import Interrupted
from tabletop.wording import plural

_IMPORT: Final = "import"
SHOWN: Final = 20  # default number of matches in a table


def add_scores_arguments(parser: argparse.ArgumentParser) -> None:
    parser.usage = (
        "tabletop scores [GAME] [--weekly | --daily] [--seed TEXT] [-n N]\n"
        "                       [--json | --csv]\n"
        "       tabletop scores import FILE... [--game GAME]"
    )
    parser.add_argument(
        "words",
        metavar="GAME|import",
        nargs="*",
        help="show only scores of this game, or `import FILE...`",
    )
    board_of = parser.add_mutually_exclusive_group()
    board_of.add_argument(
        "--weekly",
        action="store_true",
        help="show the leaderboard of this week, or of the week in --seed",
    )
    board_of.add_argument(
        "--daily",
        action="store_true",
        help="show the leaderboard of today, or of the day in --seed",
    )
    parser.add_argument("--seed", metavar="TEXT", help="show only scores of this seed")
    parser.add_argument(
        "-n",
        metavar="N",
        type=number_in(1),
        help="maximum number of scores, per kind of match on a leaderboard (default:"
        f" {SHOWN} in a table, all in JSON and CSV)",
    )
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="print JSON instead of a table")
    form.add_argument("--csv", action="store_true", help="print CSV instead of a table")
    parser.add_argument("--game", metavar="GAME", help="with `import`: the game of the records")


def run_scores(arguments: argparse.Namespace) -> int:
    """Show the scores of finished matches, or import them from the records of other players.

    With --weekly or --daily, the scores are a leaderboard, best first. `tabletop scores import
    FILE...` replays records, and saves the scores of those that replay exactly.
    """
    if arguments.words[:1] == [_IMPORT]:
        shown = ("weekly", "daily", "seed", "n", "json", "csv")
        if any(getattr(arguments, name) not in {None, False} for name in shown):
            raise UsageError("import accepts only: FILE... [--game GAME]")
        return _import_records([user_path(word) for word in arguments.words[1:]], arguments.game)
    if len(arguments.words) > 1:
        raise UsageError(f"{arguments.words[1]}: name only one game, or use `import FILE...`")
    if arguments.game is not None:
        raise UsageError("--game is only for `tabletop scores import FILE...`")
    _show(arguments)
    return 0


def _show(arguments: argparse.Namespace) -> None:
    book = open_book()
    name = arguments.words[0] if arguments.words else None
    origin = WEEKLY if arguments.weekly else DAILY if arguments.daily else None
    seed = None if arguments.seed is None else as_text(arguments.seed)
    if origin is not None and seed is None:
        seed = seed_of_today(origin, utc_now().date())
    most = arguments.n
    if most is None and not (arguments.json or arguments.csv):
        most = SHOWN
    if name is not None and not book.knows(name):  # a game need not be installed any more
        name = load(name).game.name
    found = book.find(
        game=name,
        seed_origin=origin,
        seed=seed,
        most=None if origin else most,
    )
    sheets = _best_of_each_kind(found, most) if origin else found
    if arguments.json:
        text = scores_as_json(sheets)
    elif arguments.csv:
        text = scores_as_csv(sheets)
    elif not sheets:
        text = "no matches" if seed is None else f"no matches with the seed {printable(seed)}"
    else:
        columns = get_terminal_size().columns if sys.stdout.isatty() else 0
        text = score_board(sheets, columns) if origin else score_table(sheets, columns)
    sys.stdout.write(text + "\n")


def _best_of_each_kind(sheets: list[ScoreSheet], most: int | None) -> list[ScoreSheet]:
    kinds = groupby(ranked(sheets), key=lambda sheet: sheet.kind)
    return [sheet for _, ranking in kinds for sheet in islice(ranking, most)]


def _import_records(paths: list[Path], game: str | None) -> int:
    """Replay records, save their scores, and print a line for each. Return the exit code."""
    if not paths:
        raise UsageError("import needs one or more records")
    if game is not None:
        load(game)  # raises an error if the game does not exist
    book = open_book()
    refused = 0
    for number, path in enumerate(paths):
        try:
            sheet = _verify_record(path, game)
        except KeyboardInterrupt as error:
            message = f"interrupted: {number} of {plural(len(paths), 'file')} done"
            raise Interrupted(message) from error
        except TabletopError as error:
            warn(f"refused: {printable(str(error))}")
            refused += 1
            continue
        saved = "saved" if book.add_new(sheet) else "already saved"
        sys.stdout.write(printable(f"{path}: {saved}: {sheet.game}, {seed_of(sheet)}") + "\n")
        sys.stdout.flush()
    return 1 if refused else 0


def _verify_record(path: Path, game: str | None) -> ScoreSheet:
    """Replay a record from another player and return its score sheet.

    Without `game`, only an installed game is used, because an untrusted record must not decide
    which code to run.
    """
    record = read_record(path, pipes=True)
    plugin = load_installed(record.header.game) if game is None else load(game)
    if plugin is None:
        raise unknown_game(record, "", "scores", _IMPORT, record.path)
    return verified(record, plugin.game, program=program_version())
