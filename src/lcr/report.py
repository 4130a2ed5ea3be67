"""How a sweep is shown: a table, JSON, and bars while it runs."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from typing import TypeAlias

from lcr.dice import PERIOD
from lcr.sweep import Sweep
from tabletop.host.printable import trusted

Progress: TypeAlias = Callable[[int, int], object]
"""Is called now and then with how much is done, and of how much."""


@contextmanager
def progress_bars() -> Iterator[Callable[[int], Progress | None]]:
    """Gives a function that begins a bar for a number of players.

    There are bars only where standard error is a terminal; they are wiped away at the end.

    Raises:
        ImportError: rich is missing, and there would be bars.
    """
    if sys.stderr is None or not sys.stderr.isatty():
        yield lambda players: None
        return
    from rich.console import Console
    from rich.progress import Progress as Bars

    with Bars(console=Console(file=trusted(sys.stderr)), transient=True) as bars:

        def begin(players: int) -> Progress:
            bar = bars.add_task(f"{players} players")
            return lambda done, total: bars.update(bar, completed=done, total=total)

        yield begin


def as_json(results: Sequence[Sweep]) -> str:
    """A list of objects with the fields of `Sweep`."""
    return json.dumps([asdict(result) for result in results], indent=1) + "\n"


def as_table(results: Sequence[Sweep]) -> str:
    """A column for each number of players, under what the rows mean; seats count from 1."""
    head = ["players", "shortest game", "  its seed", "longest game", "  its seed"]
    head += ["turns a game", "dice a game"]
    most = max((result.players for result in results), default=0)
    head += [f"seat {seat} wins" for seat in range(1, most + 1)]
    columns = [head, *map(_column, results)]
    widths = [max(map(len, column)) for column in columns]
    lines = []
    for row, meaning in enumerate(head):
        cells = [column[row] if row < len(column) else "" for column in columns[1:]]
        cells = [f"{cell:>{width}}" for cell, width in zip(cells, widths[1:], strict=True)]
        lines.append("  ".join([f"{meaning:<{widths[0]}}", *cells]).rstrip() + "\n")
    return "".join(lines)


def _column(result: Sweep) -> list[str]:
    return [
        f"{result.players}",
        f"{result.turns_min} turns",
        f"{result.turns_min_seed}",
        f"{result.turns_max} turns",
        f"{result.turns_max_seed}",
        f"{result.turns_total / PERIOD:.3f}",
        f"{result.rolls_total / PERIOD:.3f}",
        *(f"{wins / PERIOD:.2%}" for wins in result.winners),
    ]
