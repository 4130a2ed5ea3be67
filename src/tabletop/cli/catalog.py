"""Command that writes what seeds hold before the first move."""

from __future__ import annotations

import argparse
import csv
import json
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain, islice
from typing import Final

from tabletop.catalog import (
    CatalogError,
    Condition,
    Row,
    catalog,
    count_of,
    each_of,
    read_seeds,
)
from tabletop.cli.match_args import (
    add_game_argument,
    add_option_argument,
    check_seats,
    read_options,
)
from tabletop.cli.progress import ProgressLine
from tabletop.errors import UsageError
from tabletop.host.sanitize import csv_cell, printable
from tabletop.registry import load
from tabletop.terminal.args import as_text
from tabletop.terminal.programs import Interrupted
from tabletop.text_layout import table

_TABLE_ROWS: Final = 1000
"""How many rows are set as one table; each has its own heading."""


def add_catalog_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `tabletop catalog`."""
    add_game_argument(parser)
    parser.add_argument(
        "--seeds",
        metavar="SEED",
        nargs="+",
        action="extend",
        help="texts, or ranges like 1..1000 (by default 1..20)",
    )
    parser.add_argument("--seats", metavar="N", type=int, help="how many play")
    add_option_argument(parser)
    parser.add_argument(
        "--where",
        metavar="CONDITION",
        action="append",
        default=[],
        help="only rows of which this is true, like 'WIFI_pips >= 12'; repeat for more",
    )
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--csv", action="store_true", help="print CSV instead of a table")
    form.add_argument("--json", action="store_true", help="print JSON instead of a table")


def run_catalog(arguments: argparse.Namespace) -> int:
    """Write what each of many seeds holds before the first move: a catalogue of a game's worlds.

    A seed is a text, or a range of numbers: 1..1000. A condition is a column, one of
    = != < <= > >= or ~ for "contains", and a value: --where 'most=WIFI'.
    """
    game = load(arguments.game).game
    if arguments.seats is not None:
        check_seats(game, arguments.seats)
    options = read_options(game, [as_text(word) for word in arguments.option])
    words = arguments.seeds or ["1..20"]
    try:
        seeds = read_seeds(as_text(word) for word in words)
        conditions = [Condition.parse(as_text(word)) for word in arguments.where]
    except CatalogError as error:
        raise UsageError(str(error)) from error
    total = count_of(seeds)
    streamed = arguments.csv or arguments.json
    line = ProgressLine(shown=not (streamed and sys.stdout.isatty()))
    counted = _Count(each_of(seeds), total, line)
    rows = catalog(game, counted, seats=arguments.seats, options=options)
    try:
        first = next(rows)
        _fits(first, conditions)  # what makes no sense is told of before anything is written
        fitting = (row for row in chain([first], rows) if _fits(row, conditions))
        if arguments.csv:
            _write_csv(first, fitting)
        elif arguments.json:
            _write_json(fitting)
        else:
            count = _write_tables(fitting, line.wipe)
    except KeyboardInterrupt as error:
        message = f"interrupted, and not complete: {counted.done:,} of {total:,} seeds"
        raise Interrupted(message) from error
    finally:
        line.wipe()
    if conditions and not streamed:
        sys.stdout.write(f"{count:,} of {total:,} seeds\n")
    return 0


def _fits(row: Row, conditions: Sequence[Condition]) -> bool:
    """Whether a row fulfils all conditions."""
    try:
        return not [condition for condition in conditions if not condition.test(row)]
    except CatalogError as error:
        raise UsageError(str(error)) from error


def _write_tables(rows: Iterator[Row], before: Callable[[], object]) -> int:
    """Write tables, each after a call of `before`; how many rows there were."""
    count = 0
    while part := list(islice(rows, _TABLE_ROWS)):
        before()
        sys.stdout.write(_as_table(part))
        count += len(part)
    return count


def _as_table(rows: Sequence[Row]) -> str:
    """A table with a heading; numbers stand to the right."""
    lines = [[printable(str(value)) for value in row.values()] for row in rows]
    columns = enumerate(zip(*lines, strict=True))
    numbers = [
        index
        for index, cells in columns
        if all(cell.removeprefix("-").isdecimal() for cell in cells)
    ]
    return table([printable(name) for name in rows[0]], lines, right=numbers) + "\n"


def _write_csv(first: Row, rows: Iterable[Row]) -> None:
    """Write lines of CSV, the first with the columns."""
    writer = csv.writer(sys.stdout, lineterminator="\n")
    writer.writerow(map(csv_cell, first))
    writer.writerows(map(csv_cell, row.values()) for row in rows)


def _write_json(rows: Iterable[Row]) -> None:
    """Write a list of objects, one a line."""
    before = "["
    for row in rows:
        sys.stdout.write(f"{before}\n{json.dumps(row)}")
        before = ","
    sys.stdout.write("[]\n" if before == "[" else "\n]\n")


class _Count:
    """Seeds, counted as they are dealt with, on a line where somebody can see it."""

    def __init__(self, seeds: Iterable[str], total: int, line: ProgressLine) -> None:
        self.done = 0
        self._seeds, self._total, self._line = seeds, total, line

    def __iter__(self) -> Iterator[str]:
        for seed in self._seeds:
            percent = 100 * self.done // self._total
            self._line.show(f"seeds: {self.done:,} of {self._total:,}, {percent}%")
            yield seed
            self.done += 1
