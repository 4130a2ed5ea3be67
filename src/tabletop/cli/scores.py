"""The command that shows the scores of matches, and imports scores."""

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
from tabletop.scores.book import ScoreBook
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
from tabletop.terminal.args import as_text
from tabletop.terminal.programs import Interrupted
from tabletop.wording import plural

_IMPORT: Final = "import"
SHOWN: Final = 20
"""The default number of matches shown in a table."""


def add_scores_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `tabletop scores`."""
    parser.usage = (
        "tabletop scores [GAME] [--weekly | --daily] [--seed TEXT] [-n N]\n"
        "                       [--json | --csv]\n"
        "       tabletop scores import FILE... [--game GAME]"
    )
    parser.add_argument(
        "words",
        metavar="GAME|import",
        nargs="*",
        help="scores of this game alone, or `import FILE...`",
    )
    board_of = parser.add_mutually_exclusive_group()
    board_of.add_argument(
        "--weekly", action="store_true", help="the board of this week, or of the week in --seed"
    )
    board_of.add_argument(
        "--daily", action="store_true", help="the board of today, or of the day in --seed"
    )
    parser.add_argument("--seed", metavar="TEXT", help="of this seed alone")
    parser.add_argument(
        "-n",
        metavar="N",
        type=number_in(1),
        help=f"at most so many, on a board of each kind; by default {SHOWN} in a table",
    )
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="print JSON instead of a table")
    form.add_argument("--csv", action="store_true", help="print CSV instead of a table")
    parser.add_argument(
        "--game", metavar="GAME", help="of `import`: the game that the records are of"
    )


def run_scores(arguments: argparse.Namespace) -> int:
    """Show the scores of matches that have ended, or take those of records from others.

    `tabletop scores import FILE...` plays records again and keeps the scores of those that verify.
    With --weekly or --daily the scores stand on a board: the best first.
    """
    if arguments.words[:1] == [_IMPORT]:
        shown = ("weekly", "daily", "seed", "n", "json", "csv")
        if any(getattr(arguments, name) not in {None, False} for name in shown):
            raise UsageError("import takes only: FILE... [--game GAME]")
        return _import_records([user_path(word) for word in arguments.words[1:]], arguments.game)
    if len(arguments.words) > 1:
        raise UsageError(f"{arguments.words[1]}: name one game, or write: import FILE...")
    if arguments.game is not None:
        raise UsageError("--game belongs to: tabletop scores import FILE...")
    _show(arguments)
    return 0


def _show(arguments: argparse.Namespace) -> None:
    """Print the scores that the arguments ask for."""
    book = open_book()
    name = arguments.words[0] if arguments.words else None
    origin = WEEKLY if arguments.weekly else DAILY if arguments.daily else None
    seed = None if arguments.seed is None else as_text(arguments.seed)
    if origin is not None and seed is None:
        seed = seed_of_today(origin, utc_now().date())
    most = arguments.n
    if most is None and not (arguments.json or arguments.csv):
        most = SHOWN
    found = book.find(
        game=None if name is None else _game_called(name, book),
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


def _game_called(name: str, book: ScoreBook) -> str:
    """Return the name of a game in scores: that of an installed game, or of one found there."""
    if book.knows(name):
        return name  # which may not be installed any more
    return load(name).game.name


def _import_records(paths: list[Path], game: str | None) -> int:
    """Play records again and keep their scores; print a line for each. Return 1 if one fails."""
    if not paths:
        raise UsageError("import: give the FILE of a record, or several")
    if game is not None:
        load(game)  # raises when there is none
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
        kept = "kept" if book.add_new(sheet) else "kept already"
        sys.stdout.write(printable(f"{path}: {kept}: {sheet.game}, {seed_of(sheet)}") + "\n")
        sys.stdout.flush()
    return 1 if refused else 0


def _verify_record(path: Path, game: str | None) -> ScoreSheet:
    """Make the sheet of a record from somebody else.

    Its game is an installed one unless we say which: a record does not say what is run here.
    """
    record = read_record(path, pipes=True)
    plugin = load_installed(record.header.game) if game is None else load(game)
    if plugin is None:
        raise unknown_game(record, "", "scores", _IMPORT, record.path)
    return verified(record, plugin.game, program=program_version())
