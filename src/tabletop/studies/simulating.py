"""Play the matches of a series: in batches, on any workers, with the same rows everywhere."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from concurrent.futures import (
    FIRST_COMPLETED,
    BrokenExecutor,
    CancelledError,
    Executor,
    Future,
    wait,
)
from contextlib import closing
from itertools import islice
from pathlib import Path
from time import monotonic
from typing import Any, Final, NamedTuple

from tabletop.errors import TabletopError, UsageError
from tabletop.host.extras import require
from tabletop.registry import Plugin, load
from tabletop.scores.save_score import program_version
from tabletop.studies.series import Row, Series, StudyError
from tabletop.studies.store import Study, lock_folder
from tabletop.studies.workers import MAIN_GUARD, Workers, check_main_guard, workers_for

TRIES: Final = 3
"""A batch is played again so often, where the process that plays it dies."""

SECONDS: Final = 2.0
"""A batch lasts so long: a cluster takes up to 42 ms to hand one out."""

_MOST_SECONDS: Final = 60.0
_SHARE: Final = 0.01
"""In long studies a batch lasts this share of the time so far, up to so many seconds."""

_FEW: Final = 25
_MANY: Final = 100
"""With more workers the shortest and the longest batches last longer: one process writes them."""

_MOST_MATCHES: Final = 20_000
"""A batch has so many matches at most: it stays in memory, up to a kilobyte a match."""

_GROWTH: Final = 8
"""A batch is so many times as large as one before at most: some matches are much shorter."""


_WINDOW: Final = 30.0
"""The rate of a study is measured over this time, in seconds."""

_KNOWN: Final = 5.0
"""Seconds of play before the rate is reported.

Earlier rates say little, because workers start and the first batches are tiny.
"""


class Batch(NamedTuple):
    """Matches that were played: their numbers, their rows in order, and how long that took."""

    numbers: range
    rows: list[Row]
    seconds: float


class Progress(NamedTuple):
    """How far a study is.

    Attributes:
        done, total: the matches that were played, and all of them.
        rate: Matches per second in about the last half minute; 0.0 while too little is known.
    """

    done: int
    total: int
    rate: float

    @property
    def seconds_left(self) -> float:
        """The time for the rest, in seconds; infinite while the rate is not known."""
        return (self.total - self.done) / self.rate if self.rate else float("inf")


def simulate(
    game: str | Plugin,
    matches: int,
    folder: Path | str,
    *,
    bots: Sequence[str] = (),
    resume: bool = False,
    workers: int | None = None,
    cluster: str | None = None,
    executor: Executor | None = None,
    progress: Callable[[Progress], object] | None = None,
    **others: Any,
) -> Study:
    """Play many matches between bots, and store what they came to.

    The rows are the same whoever plays the matches, in whatever batches. Where workers are
    processes, a program that calls this needs its `if __name__ == "__main__":`, as always then.

    Args:
        game: an installed name, `module:NAME`, a path to a `.py` file, or a loaded plugin.
        matches: how many, at least 1.
        folder: where the study is stored, see `Study`.
        bots: the names of the bots, by seat; the game's best one when not given.
        resume: whether to go on with a study that may be there already. It must be of the same
            matches, but may become larger; see `Study.begin`.
        workers: how many processes play; see `workers_for`.
        cluster: the address of a cluster that plays.
        executor: an executor that plays.
        progress: called at the beginning and after each batch.
        others: `seats`, `seeds`, `options`, `metrics`, `rotated` and `plies`, as in `Series.of`.

    Raises:
        OptionError, RegistryError, UsageError: the matches cannot be played as described.
        StudyError: a match failed, a process died again and again, or the study cannot be stored.
            What was played until then stays.

    >>> from tempfile import mkdtemp
    >>> study = simulate("lcr", 20, mkdtemp(), workers=1, seeds="example")
    >>> study.table(["plies"]).num_rows
    20
    """
    if matches < 1:
        raise UsageError(f"{matches} matches: give 1 or more")
    check_main_guard()
    if cluster:
        require("a study on a cluster", "cluster", "numpy", "pyarrow", "distributed")
    series = Series.of(game, bots, **others)
    with lock_folder(folder):
        study = Study.begin(folder, series, matches, resume=resume)
        missing = study.missing()
        count = Count(matches, progress, matches - sum(map(len, missing)))
        if missing:
            with workers_for(workers, cluster, executor) as pool:
                _play_into(study, series, missing, pool, count)
    return study


def _play_into(
    study: Study, series: Series, missing: Sequence[range], workers: Workers, count: Count
) -> None:
    """Play matches of a series, and store them."""
    columns = series.columns()
    for batch in play_missing(series, missing, workers):
        study.write(batch.numbers, batch.rows, columns)
        count.add(len(batch.rows))


class Count:
    """Counts matches as they are played, and tells how far that is.

    Args:
        total: how many are to be played.
        progress: what is told, after each batch.
        done: how many have been played before.
    """

    def __init__(
        self, total: int, progress: Callable[[Progress], object] | None = None, done: int = 0
    ) -> None:
        self.total: int = total
        self.done: int = done
        self._progress = progress
        self._began = monotonic()
        self._seen: list[tuple[float, int]] = []  # times, and the matches that were played by then
        if progress is not None:
            progress(Progress(done, total, 0.0))

    def add(self, played: int) -> None:
        """Count matches that were played, and report the progress."""
        before, now = self.done, monotonic()
        self.done += played
        if not self._seen and now - self._began >= _WINDOW:  # starting the workers hardly counts
            self._seen.append((self._began, before))
        self._seen.append((now, self.done))
        while len(self._seen) > 2 and self._seen[1][0] <= now - _WINDOW:
            del self._seen[0]
        began, before = self._seen[0]
        if self._progress is not None:
            is_known = now - began >= _KNOWN
            rate = (self.done - before) / (now - began) if is_known else 0.0
            self._progress(Progress(self.done, self.total, rate))

    def drop(self, matches: int) -> None:
        """Count matches that will not be played."""
        self.total -= matches
        self.add(0)


def play_missing(
    series: Series, missing: Sequence[range], workers: Workers
) -> Generator[Batch, None, None]:
    """Play matches, and yield them in batches as they are done, in any order.

    Args:
        series: the series.
        missing: the numbers of the matches.
        workers: who plays them.

    Raises:
        StudyError: a match failed, or a process died again and again.
    """
    plan = _Plan(missing, workers.number)
    running: dict[Future[Batch], _Job] = {}
    again: list[_Job] = []
    try:
        while True:
            while len(running) < plan.at_once and (job := again.pop() if again else plan.cut()):
                running[_submit(workers, series, job)] = job
            if not running:
                return
            lost: list[_Job] = []
            for future in wait(running, return_when=FIRST_COMPLETED).done:
                job = running.pop(future)
                error = CancelledError() if future.cancelled() else future.exception()
                if isinstance(error, BrokenExecutor):
                    lost.append(job)
                    broken = error
                    continue
                if error is not None and workers.has_lost(error) and job.lost < TRIES:
                    again.append(job._replace(lost=job.lost + 1))
                    continue
                batch = _result(future, job)
                plan.learn(len(batch.rows), batch.seconds)
                yield batch
            # One process that dies breaks its whole pool: the calls that still run are lost as
            # well.
            if lost:
                lost += running.values()
                running.clear()
                again += _begin_anew(lost, workers, broken)
                again.sort(key=lambda job: job.lost)  # the next one was lost most often
    finally:
        for future in running:
            future.cancel()


def rows_in_order(
    series: Series, numbers: range, workers: Workers, count: Count, study: Study | None = None
) -> Generator[Row, None, None]:
    """Play matches of a series, and yield their rows in order of their numbers.

    What takes only the first rows does so on any workers alike: close the iterator, to stop.

    Args:
        series: the series.
        numbers: the numbers of the matches.
        workers: who plays them.
        count: what counts them, those in the study aside.
        study: where they are stored, and those in it are not played again. It has all that come
            before these.

    Raises:
        StudyError: a match failed, a process died again and again, or the study cannot be stored.
    """
    if study is not None:
        parts = (
            range(max(it[0], numbers[0]), min(it[-1], numbers[-1]) + 1) for it in study.missing()
        )
        _play_into(study, series, [it for it in parts if it], workers, count)
        yield from islice(study.rows(), numbers.start, numbers.stop)
        return
    early: dict[int, list[Row]] = {}
    wanted = numbers.start
    with closing(play_missing(series, [numbers], workers)) as batches:
        for batch in batches:
            count.add(len(batch.rows))
            early[batch.numbers.start] = batch.rows
            while wanted in early:
                rows = early.pop(wanted)
                wanted += len(rows)
                yield from rows


class _Job(NamedTuple):
    """A batch to be played, and how often it was lost."""

    numbers: range
    lost: int = 0


def _versions(series: Series) -> str:
    """Return what plays here."""
    game = load(series.game).game
    return f"tabletop {program_version()} and {game.name} {game.version}"


def _play(series: Series, numbers: range, versions: str) -> Batch:
    """Play a batch; this is what a worker calls."""
    if (here := _versions(series)) != versions:
        raise StudyError(f"this worker has {here}, the study {versions}")
    began = monotonic()
    return Batch(numbers, series.play(numbers), monotonic() - began)


def _submit(workers: Workers, series: Series, job: _Job) -> Future[Batch]:
    try:
        return workers.submit(_play, series, job.numbers, _versions(series))
    except Exception as error:  # it has broken since the last look; or something cannot be sent
        failed: Future[Batch] = Future()
        failed.set_exception(error)
        return failed


def _begin_anew(lost: Sequence[_Job], workers: Workers, error: BrokenExecutor) -> list[_Job]:
    """End workers of which one has died; return the batches that were lost, to be played again."""
    worst = max(lost, key=lambda job: job.lost)
    if worst.lost == TRIES or not workers.can_begin_anew:
        often = f" {TRIES + 1} times" if worst.lost == TRIES else ""
        what = f"a process that plays {_name_matches(worst.numbers)} died{often}"
        why = f"perhaps memory ran out, or {MAIN_GUARD} ({error})"
        raise StudyError(f"{what}: {why}") from error
    workers.close()
    return [job._replace(lost=job.lost + 1) for job in lost]


def _result(future: Future[Batch], job: _Job) -> Batch:
    """Return what a worker has played; its error says which matches these were."""
    try:
        return future.result()
    except TabletopError:
        raise
    except Exception as error:  # of whatever runs the workers
        what = f"{_name_matches(job.numbers)} could not be played"
        raise StudyError(f"{what}: {type(error).__name__}: {error}") from error


def _name_matches(numbers: range) -> str:
    first, last = numbers[0], numbers[-1]
    return f"match {first}" if first == last else f"matches {first} to {last}"


class _Plan:
    """Cuts what is to be played into batches that last some seconds each."""

    def __init__(self, missing: Sequence[range], workers: int) -> None:
        # Two for each worker: whoever is done finds the next batch there. One plays at once, here.
        self.at_once = 1 if workers == 1 else 2 * workers
        self._left = [numbers for numbers in missing if numbers]
        # Nobody knows yet how long a match takes: the first batches find out.
        self._size = 1
        self._least = SECONDS * max(1.0, workers / _FEW)
        self._most = _MOST_SECONDS * max(1.0, workers / _MANY)
        self._began = monotonic()

    def cut(self) -> _Job | None:
        """Return the next batch; None when all have been handed out."""
        if not self._left:
            return None
        first = self._left[0]
        self._left[:1] = [rest] if (rest := first[self._size :]) else []
        return _Job(first[: self._size])

    def learn(self, matches: int, seconds: float) -> None:
        """Take note of how long a batch took."""
        wanted = min(max(self._least, _SHARE * (monotonic() - self._began)), self._most)
        fitting = int(matches * wanted / max(seconds, 1e-6))
        self._size = max(1, min(fitting, _GROWTH * matches, _MOST_MATCHES))
