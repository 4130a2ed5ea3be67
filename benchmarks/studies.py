"""Studies: matches per second with one worker and with two, and the overhead of a study."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable, Iterator, Sequence
from itertools import islice, pairwise
from tempfile import TemporaryDirectory
from time import perf_counter, process_time

from benchmarks.common import Row, Target, fresh_interpreter, optional_module
from tabletop import Match
from tabletop.studies import Cluster, LocalWorkers, Pool, Series, Workers, simulate
from tabletop.studies.simulating import play_missing

TITLE = "Studies: matches per second of one worker and of two, after their start"

SUBJECTS: Sequence[tuple[Series, int]] = (
    (Series.of("constructor", ["builder"], seats=4, metrics=()), 5),
    (Series.of("sorcery", ["duelist"], metrics=()), 60),
)
"""Series to play, with the number of matches in a batch of one or two seconds."""

TWO: Sequence[tuple[str, Callable[[], Workers]]] = (
    ("the pool", lambda: Pool(2)),
    ("Dask", lambda: Cluster("local:2")),
)

TURNS = 12
"""Factor for the duration of each measurement, because it ends with a whole batch."""

NEARLY_TWICE = Target(1.8, at_least=True)
NEARLY_NOTHING = Target(0.95, at_least=True)
LEVEL = Target(1.1, at_least=False)

PEAK = """
import resource, sys
from tabletop.studies import simulate
simulate("lcr", int(sys.argv[1]), sys.argv[2], metrics=(), workers=1).digest()
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
"""

QUIET = 0.25
"""Load per core at the start above which the machine counts as busy."""


def run(seconds: float) -> Iterator[Row]:
    """Play with one worker, then with two of each kind, then compare a study with a plain loop."""
    busy = os.getloadavg()[0]
    if busy > QUIET * (os.cpu_count() or 1):
        note = "at the start, so the results are not those of an idle machine"
        yield Row("load of other programs", busy, note=note)
    for series, size in SUBJECTS:
        what = f"{series.game}, {series.seats} of {series.bots[0]}"
        with LocalWorkers() as single:
            alone = _rate(series, size, single, TURNS * seconds)
        yield Row(f"{what}: this process", alone, "matches/s")
        for name, begin in TWO:
            if name == "Dask" and optional_module("distributed") is None:
                yield Row(f"{what}: two of {name}", note="Dask is not installed")
                continue
            with begin() as two:
                rate = _rate(series, size, two, TURNS * seconds)
            compared = rate / alone, "times this process", NEARLY_TWICE
            yield Row(f"{what}: two of {name}", rate, "matches/s", *compared)
    yield from _beside_a_loop(Series.of("lcr", metrics=()), seconds)
    yield from _memory_of_more(seconds)


def _rate(series: Series, size: int, workers: Workers, seconds: float) -> float:
    """Return the matches per second of some workers, after each of them has started."""
    parts = [range(*pair) for pair in pairwise(range(0, 1_000_000, size))]
    batches = play_missing(series, parts, workers)
    for _ in islice(batches, 4 * workers.number):
        pass
    began, matches = perf_counter(), 0
    for batch in batches:
        matches += len(batch.rows)
        if perf_counter() > began + seconds:
            break
    return matches / (perf_counter() - began)


def _beside_a_loop(series: Series, seconds: float) -> Iterator[Row]:
    """Play the same matches in a plain loop and as a study, and compare their processor time."""
    plugin = series.plugin()

    def loop(matches: int) -> float:
        started = process_time()
        for number in range(matches):
            match = Match(plugin.game, seed=series.seed(number), seats=series.seats)
            for seat, name in enumerate(series.players(number)):
                match.set_player(seat, plugin.bot(name, match.bot_stream(seat), seat))
            match.run()
        return matches / (process_time() - started)

    def study(matches: int) -> float:
        with TemporaryDirectory() as folder:
            started = process_time()
            simulate(series.game, matches, folder, metrics=(), workers=1)
            return matches / (process_time() - started)

    study(100)  # imports the libraries before the measurement
    matches = max(100, round(loop(100) * seconds * 2))
    plain, stored = loop(matches), study(matches)
    yield Row(f"{series.game}: a plain loop", plain, "matches/s")
    compared = stored / plain, "times the loop", NEARLY_NOTHING
    yield Row(f"{series.game}: simulate, stored", stored, "matches/s", *compared)


def _memory_of_more(seconds: float) -> Iterator[Row]:
    """Compare the memory of a study with that of a study of five times as many matches."""
    few = max(100, round(30_000 * seconds))  # from 60,000 matches, batches have their maximum size
    peaks = []
    with fresh_interpreter() as (python, environment):
        for matches in (few, 5 * few):
            with TemporaryDirectory() as folder:
                command = [*python, PEAK, str(matches), folder]
                process = subprocess.run(command, env=environment, capture_output=True, check=True)
            peaks.append(float(process.stdout))
    yield Row(f"memory of a study of {few:,} of lcr", peaks[0], "MB")
    compared = peaks[1] / peaks[0], "times as much", LEVEL
    yield Row(f"memory of a study of {5 * few:,}", peaks[1], "MB", *compared)
