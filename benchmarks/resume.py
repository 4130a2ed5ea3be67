"""Going on with a long match: from a checkpoint of its record, and from its beginning."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

from benchmarks.common import Row, Target
from benchmarks.long_match import Endless
from tabletop import Match, Random
from tabletop.game import AnyGame
from tabletop.match import AnyMatch
from tabletop.records.journal import CHECKPOINT_LINES, Journal
from tabletop.records.reading import Record, read, read_end
from tabletop.records.record import replay

TITLE = "Going on with a recorded match of 100,000 moves; the best of several times"

PLIES = 100_000
PART = 10_000
LEAST_TIMES = 3

UNDER_A_SECOND = Target(1, at_least=False)
NO_SLOWER = Target(1.25, at_least=False)
"""The last moves beside the first ones; the quarter is for the noise of the machine."""


def run(seconds: float) -> Iterator[Row]:
    """Record a match, and go on with it."""
    game = Endless()
    with TemporaryDirectory() as folder:
        path = Path(folder) / "match.jsonl"
        first, last, size = _record(game, path)
        yield Row(f"a recorded move, the first {PART:,}", 1e6 * first / PART, "µs")
        yield Row(
            f"a recorded move, the last {PART:,}",
            1e6 * last / PART,
            "µs",
            last / first,
            "times the first",
            NO_SLOWER,
        )
        yield Row(
            "the record", size / 1e6, "MB", note=f"a checkpoint every {CHECKPOINT_LINES:,} lines"
        )
        times = max(LEAST_TIMES, round(2 * seconds))
        end = min(_time_resume(game, path, read_end) for _ in range(times))
        yield Row("resume from a checkpoint", end, "s", target=UNDER_A_SECOND)
        whole = _time_resume(game, path, read)
        yield Row("replay from the beginning", whole, "s", whole / end, "times the former")
        yield Row("undo below the checkpoint, once", _time_undo(game, path), "s")


def _record(game: AnyGame, path: Path) -> tuple[float, float, int]:
    """Record a match; the seconds that its first and its last moves took, and the record's size."""
    match = Match(game, seed="benchmark", players=(Random("first"), Random("second")))
    with Journal.create(path, match):
        first = _time_run(match)
        match.run(PLIES - 2 * PART)
        last = _time_run(match)
    return first, last, path.stat().st_size


def _time_run(match: AnyMatch) -> float:
    started = perf_counter()
    match.run(PART)
    return perf_counter() - started


def _time_resume(game: AnyGame, path: Path, reader: Callable[[Path], Record]) -> float:
    started = perf_counter()
    record = reader(path)
    match = replay(record, game)
    Journal.resume(record, match).close()
    return perf_counter() - started


def _time_undo(game: AnyGame, path: Path) -> float:
    match = replay(read_end(path), game)
    started = perf_counter()
    match.undo(PLIES // 2)
    return perf_counter() - started
