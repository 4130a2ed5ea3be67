"""Studies: matches a second of one worker and of two, and what a study takes beside its matches."""

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

TITLE = "Studies: matches a second of one worker and of two, once they have begun"

SUBJECTS: Sequence[tuple[Series, int]] = (
    (Series.of("constructor", ["builder"], seats=4, metrics=()), 5),
    (Series.of("sorcery", ["duelist"], metrics=()), 60),
)
"""What is played, and how many matches are a batch of one or two seconds."""

TWO: Sequence[tuple[str, Callable[[], Workers]]] = (
    ("the pool", lambda: Pool(2)),
    ("Dask", lambda: Cluster("local:2")),
)

TURNS = 12
"""Each plays for so many times the seconds that were asked for: a batch more or less matters."""

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
"""With more than this to do for each core before it begins, the machine is busy."""


def run(seconds: float) -> Iterator[Row]:
    """Play with one worker, and with two of each kind; then beside a plain loop."""
    busy = os.getloadavg()[0]
    if busy > QUIET * (os.cpu_count() or 1):
        note = "when it began: this is no measure of idle cores"
        yield Row("other programs that ran", busy, note=note)
    for series, size in SUBJECTS:
        what = f"{series.game}, {series.seats} of {series.bots[0]}"
        with LocalWorkers() as one:
            alone = _rate(series, size, one, TURNS * seconds)
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
    """Return the matches a second of some workers, once each of them has begun."""
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
    """Play the same matches in a plain loop and as a study; what is measured is processor time."""
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

    study(100)  # imports the libraries
    matches = max(100, round(loop(100) * seconds * 2))
    plain, stored = loop(matches), study(matches)
    yield Row(f"{series.game}: a plain loop", plain, "matches/s")
    compared = stored / plain, "times the loop", NEARLY_NOTHING
    yield Row(f"{series.game}: simulate, stored", stored, "matches/s", *compared)


def _memory_of_more(seconds: float) -> Iterator[Row]:
    """Play a study and one of five times as many matches: that takes time, and no memory."""
    few = max(100, round(30_000 * seconds))  # from 60,000 on, batches are as large as they become
    peaks = []
    with fresh_interpreter() as (python, environment):
        for matches in (few, 5 * few):
            with TemporaryDirectory() as folder:
                command = [*python, PEAK, str(matches), folder]
                said = subprocess.run(command, env=environment, capture_output=True, check=True)
            peaks.append(float(said.stdout))
    yield Row(f"memory of a study of {few:,} of lcr", peaks[0], "MB")
    compared = peaks[1] / peaks[0], "times as much", LEVEL
    yield Row(f"memory of a study of {5 * few:,}", peaks[1], "MB", *compared)
