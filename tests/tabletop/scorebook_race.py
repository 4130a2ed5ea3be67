"""A race of programs that keep scores in a damaged book, all of them at once.

    python -m tests.tabletop.scorebook_race 1000

plays so many rounds, and tells how many sheets were lost and how many good books set aside. Each
round begins with a damaged book; six programs find that out while others keep sheets already.
"""

from __future__ import annotations

import multiprocessing
import random
import sqlite3
import sys
import tempfile
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from multiprocessing.synchronize import Barrier
from pathlib import Path
from time import sleep
from typing import Final

from tabletop import Outcome
from tabletop.scores.book import ScoreBook
from tabletop.scores.sheets import ScoreSheet

PROGRAMS: Final = 6
SHEETS: Final = 2
BOOK: Final = "scores.sqlite3"
LATEST: Final = 0.01
"""So many seconds after the first, the last of them begins a round."""

SECONDS: Final = 120.0
"""Nobody waits longer for the others."""


@dataclass(frozen=True, slots=True)
class Result:
    """What became of the rounds.

    Attributes:
        lost: the sheets that are not found in the end, and were not kept or not kept well.
        asides: how many files were set aside, beside the damaged book of each round.
    """

    lost: tuple[str, ...]
    asides: int


def sheet(name: str) -> ScoreSheet:
    """A sheet that is known by its seed."""
    return ScoreSheet("race", "1", name, ("Ann",), ("human",), Outcome(((0,),)), 1)


def noise(path: Path) -> None:
    """No database at all."""
    path.write_bytes(b"no database " * 100)


def without_tables(path: Path) -> None:
    """A book whose tables are gone."""
    ScoreBook(path).add(sheet("before"))
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("DROP TABLE sheets")


def no_text(path: Path) -> None:
    """A book whose schema is no text in UTF-8."""
    ScoreBook(path).add(sheet("before"))
    path.write_bytes(path.read_bytes().replace(b"tablesheets", b"table\xff\xfeeets"))


def somebody_elses(path: Path) -> None:
    """A database of something else."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("CREATE TABLE recipes (name TEXT)")


DAMAGES: Final[tuple[Callable[[Path], None], ...]] = (
    noise,
    without_tables,
    no_text,
    somebody_elses,
)


def run_program(folder: Path, number: int, rounds: int, barrier: Barrier) -> None:
    """What each of the programs does."""
    moments = random.Random(number)
    for at in range(rounds):
        barrier.wait(SECONDS)
        sleep(moments.uniform(0, LATEST))
        book = ScoreBook(folder / str(at) / BOOK)
        for it in range(SHEETS):
            try:
                book.finished_here("race")
                book.add(sheet(f"{number} {it}"))
            except Exception as error:
                print(f"round {at}: {error!r}", file=sys.stderr)
        barrier.wait(SECONDS)


def race(folder: Path, rounds: int) -> Result:
    """Have the programs keep scores in so many damaged books, one after the other."""
    context = multiprocessing.get_context("spawn")
    barrier = context.Barrier(PROGRAMS + 1)
    programs = [
        context.Process(target=run_program, args=(folder, number, rounds, barrier))
        for number in range(PROGRAMS)
    ]
    for program in programs:
        program.start()
    kept = {f"{number} {it}" for number in range(PROGRAMS) for it in range(SHEETS)}
    lost: list[str] = []
    asides = 0
    for at in range(rounds):
        path = folder / str(at) / BOOK
        path.parent.mkdir()
        DAMAGES[at % len(DAMAGES)](path)
        barrier.wait(SECONDS)
        barrier.wait(SECONDS)
        found = [it.seed for it in ScoreBook(path).find()]
        lost += [f"round {at}: {name}" for name in sorted(kept.difference(found))]
        asides += len(list(path.parent.glob("*.damaged-*"))) - 1
    for program in programs:
        program.join(SECONDS)
    assert [program.exitcode for program in programs] == [0] * PROGRAMS
    return Result(tuple(lost), asides)


def main() -> None:
    """Race, and tell how it went."""
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    with tempfile.TemporaryDirectory() as folder:
        result = race(Path(folder), rounds)
    print(
        f"{rounds} rounds of {PROGRAMS} programs, {SHEETS} sheets each:"
        f" {len(result.lost)} sheets lost, {result.asides} good books set aside"
    )
    sys.exit(bool(result.lost or result.asides))


if __name__ == "__main__":
    main()
