"""The command `tabletop catalog`, which lists the initial setup for a range of seeds."""

from __future__ import annotations

import argparse
import csv
import json
import sys
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from shutil import get_terminal_size

from tabletop.cli.match_args import (
    add_game_argument,
    add_option_argument,
    check_seats,
    choose_options,
)
from tabletop.errors import UsageError
from tabletop.host.pager import show_pages
from tabletop.host.screen_text import csv_cell, printable
from tabletop.registry import load
from tabletop.studies.catalogues import (
    CatalogError,
    Condition,
    Row,
    catalog,
    count_seeds,
    expand_seeds,
    read_seeds,
)
from tabletop.terminal.parsers import as_text
from tabletop.terminal.programs import Interrupted
from tabletop.terminal.progress import ProgressLine
from tabletop.text_layout import table


def add_catalog_arguments(parser: argparse.ArgumentParser) -> None:
    add_game_argument(parser)
    parser.add_argument(
        "--seeds",
        metavar="SEED",
        nargs="+",
        action="extend",
        help="seeds, or ranges such as 1..1000 (default: 1..20)",
    )
    parser.add_argument("--seats", metavar="N", type=int, help="number of seats")
    add_option_argument(parser)
    parser.add_argument(
        "--where",
        metavar="CONDITION",
        action="append",
        default=[],
        help="show only rows that meet the condition, such as 'WIFI_pips >= 12' (repeatable)",
    )
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--csv", action="store_true", help="print CSV instead of a table")
    form.add_argument("--json", action="store_true", help="print JSON instead of a table")


def run_catalog(arguments: argparse.Namespace) -> int:
    """List the initial setup for a range of seeds.

    A seed is any text, and 1..1000 is a range of numbers. A condition consists of a column,
    an operator and a value, as in --where 'most=WIFI'. The operators are = != < <= > >= and ~ for
    "contains".
    """
    game = load(arguments.game).game
    if arguments.seats is not None:
        check_seats(game, arguments.seats)
    options = choose_options(arguments, game)
    words = arguments.seeds or ["1..20"]
    try:
        seeds = read_seeds(as_text(word) for word in words)
        conditions = [Condition.parse(as_text(word)) for word in arguments.where]
    except CatalogError as error:
        raise UsageError(str(error)) from error
    total = count_seeds(seeds)
    streamed = arguments.csv or arguments.json
    line = ProgressLine(shown=not (streamed and sys.stdout.isatty()))
    done = 0

    def report_seeds() -> Iterator[str]:
        nonlocal done
        for seed in expand_seeds(seeds):
            line.show_bar("seeds", done, total)
            yield seed
            done += 1

    rows = catalog(game, report_seeds(), seats=arguments.seats, options=options)
    try:
        first = next(rows)
        _fits(first, conditions)  # report an invalid condition before anything is written
        fitting = (row for row in chain([first], rows) if _fits(row, conditions))
        if arguments.csv:
            _write_csv(first, fitting)
        elif arguments.json:
            _write_json(fitting)
        else:
            listed = list(fitting)
            line.wipe()
            if listed:
                show_pages(_as_table(listed))
    except KeyboardInterrupt as error:
        message = f"interrupted after {done:,} of {total:,} seeds"
        raise Interrupted(message) from error
    finally:
        line.wipe()
    if conditions and not streamed:
        sys.stdout.write(f"{len(listed):,} of {total:,} seeds\n")
    return 0


def _fits(row: Row, conditions: Sequence[Condition]) -> bool:
    """Return whether a row meets all conditions."""
    try:
        return not [condition for condition in conditions if not condition.test(row)]
    except CatalogError as error:
        raise UsageError(str(error)) from error


def _as_table(rows: Sequence[Row]) -> str:
    """Format a table with a heading and right-aligned numbers."""
    lines = [[printable(str(value)) for value in row.values()] for row in rows]
    columns = enumerate(zip(*lines, strict=True))
    numbers = [
        index
        for index, cells in columns
        if all(cell.removeprefix("-").isdecimal() for cell in cells)
    ]
    width = get_terminal_size().columns if sys.stdout.isatty() else 0
    return table([printable(name) for name in rows[0]], lines, width, right=numbers)


def _write_csv(first: Row, rows: Iterable[Row]) -> None:
    """Write CSV with a header line."""
    writer = csv.writer(sys.stdout, lineterminator="\n")
    writer.writerow(map(csv_cell, first))
    writer.writerows(map(csv_cell, row.values()) for row in rows)


def _write_json(rows: Iterable[Row]) -> None:
    """Write a JSON array with one object per line."""
    separator = "["
    for row in rows:
        sys.stdout.write(f"{separator}\n{json.dumps(row)}")
        separator = ","
    sys.stdout.write("[]\n" if separator == "[" else "\n]\n")
