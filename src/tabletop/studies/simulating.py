"""Play the matches of a series in batches, on any workers, with reproducible rows."""

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

TRIES: Final = 3  # number of attempts to play a batch if worker processes die

SECONDS: Final = 2.0
"""Shortest duration of a batch, in seconds. A cluster takes up to 42 ms to assign one."""

_MOST_SECONDS: Final = 60.0
_SHARE: Final = 0.01
"""Duration of a batch, as a fraction of the duration of the study so far, up to `_MOST_SECONDS`."""

_FEW: Final = 25
_MANY: Final = 100
"""Numbers of workers above which the shortest batches (`_FEW`) and the longest batches (`_MANY`)
get longer, because a single process writes all batches and would be too slow for many short ones.
"""

_MOST_MATCHES: Final = 20_000
"""Maximum number of matches per batch, because a batch is held in memory (up to 1 kB per match)."""

_GROWTH: Final = 8
"""Maximum factor by which a batch is larger than the previous one.

Growth is limited because some matches are much shorter than others.
"""


_WINDOW: Final = 30.0  # seconds over which the rate of a study is measured

_KNOWN: Final = 5.0
"""Number of seconds to play before the rate is reported.

Earlier rates are unreliable, because workers start and the first batches are tiny.
"""


class Batch(NamedTuple):
    """A batch of played matches: their numbers, their rows, and the duration in seconds."""

    numbers: range
    rows: list[Row]
    seconds: float


class Progress(NamedTuple):
    """The progress of a study.

    Attributes:
        done, total: Number of matches played so far, and in total.
        rate: Matches per second over about the last 30 seconds, or 0.0 until the rate is known.
    """

    done: int
    total: int
    rate: float

    @property
    def seconds_left(self) -> float:
        """Estimated seconds until the study is complete, or infinite until the rate is known."""
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
    """Play many matches between bots, and store their results.

    The rows do not depend on the workers or the batches. With worker processes, the calling script
    needs an `if __name__ == "__main__":` guard, as with `multiprocessing`.

    Args:
        game: An installed name, `module:NAME`, a path to a `.py` file, or a loaded plugin.
        matches: Number of matches, at least 1.
        folder: Folder in which the study is stored; see `Study`.
        bots: Names of the bots, by seat. See `Series.of` for the default.
        resume: Whether to continue an existing study in the folder. The study must consist of the
            same matches, but `matches` may be larger than before. See `Study.begin`.
        workers: Number of processes; see `workers_for`.
        cluster: Address of a cluster; see `workers_for`.
        executor: An executor that plays the matches; see `workers_for`.
        progress: Called at the beginning and after each batch.
        others: `seats`, `seeds`, `options`, `metrics`, `rotated` and `plies`, as in `Series.of`.

    Raises:
        OptionError, RegistryError, UsageError: The matches cannot be played as described.
        StudyError: A match failed, processes died repeatedly, or the study cannot be stored.
            Stored matches are kept.

    >>> from tempfile import mkdtemp
    >>> study = simulate("lcr", 20, mkdtemp(), workers=1, seeds="example")
    >>> study.table(["plies"]).num_rows
    20
    """
    if matches < 1:
        raise UsageError(f"the number of matches must be at least 1, not {matches}")
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
    """Play matches of a series, and store them in a study."""
    columns = series.columns()
    for batch in play_missing(series, missing, workers):
        study.write(batch.numbers, batch.rows, columns)
        count.add(len(batch.rows))


class Count:
    """A counter of matches played that reports progress at the beginning and after each batch."""

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
        """Count played matches, and report the progress."""
        before, now = self.done, monotonic()
        self.done += played
        if (
            not self._seen and now - self._began >= _WINDOW
        ):  # the start of the workers is negligible by now
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
        """Subtract matches that will not be played from the total."""
        self.total -= matches
        self.add(0)


def play_missing(
    series: Series, missing: Sequence[range], workers: Workers
) -> Generator[Batch, None, None]:
    """Play matches, and yield each batch as soon as it is done, in any order.

    Raises:
        StudyError: A match failed, or processes died repeatedly.
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
            # When one process dies, its whole pool breaks, so all running calls are lost.
            if lost:
                lost += running.values()
                running.clear()
                again += _requeue(lost, workers, broken)
                again.sort(
                    key=lambda job: job.lost
                )  # the batch that was lost most often is played next
    finally:
        for future in running:
            future.cancel()


def rows_in_order(
    series: Series, numbers: range, workers: Workers, count: Count, study: Study | None = None
) -> Generator[Row, None, None]:
    """Play matches of a series, and yield their rows in the order of their numbers.

    A caller that needs only the first rows can close the iterator. The rows do not depend on the
    workers.

    Args:
        count: Counter of the matches played. Matches that are already stored in the study are not
            counted.
        study: Study that stores the matches. Stored matches are not played again. The study must
            already contain all matches before `numbers`.

    Raises:
        StudyError: A match failed, processes died repeatedly, or the study cannot be stored.
    """
    if study is not None:
        parts = (
            range(max(gap[0], numbers[0]), min(gap[-1], numbers[-1]) + 1) for gap in study.missing()
        )
        _play_into(study, series, [part for part in parts if part], workers, count)
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
    """A batch to play, and the number of times it has been lost."""

    numbers: range
    lost: int = 0


def _versions(series: Series) -> str:
    """Return the versions of the program and the game in this process."""
    game = load(series.game).game
    return f"tabletop {program_version()} and {game.name} {game.version}"


def _play(series: Series, numbers: range, versions: str) -> Batch:
    """Play a batch in a worker."""
    if (here := _versions(series)) != versions:
        raise StudyError(f"this worker has {here}, but the study needs {versions}")
    began = monotonic()
    return Batch(numbers, series.play(numbers), monotonic() - began)


def _submit(workers: Workers, series: Series, job: _Job) -> Future[Batch]:
    try:
        return workers.submit(_play, series, job.numbers, _versions(series))
    except (
        Exception
    ) as error:  # the pool broke after the last check, or an argument cannot be pickled
        failed: Future[Batch] = Future()
        failed.set_exception(error)
        return failed


def _requeue(lost: Sequence[_Job], workers: Workers, error: BrokenExecutor) -> list[_Job]:
    """Stop a pool after one of its processes died, and return the lost batches to play again."""
    worst = max(lost, key=lambda job: job.lost)
    if worst.lost == TRIES or not workers.can_restart:
        times = f" {TRIES + 1} times" if worst.lost == TRIES else ""
        problem = f"the process that played {_name_matches(worst.numbers)} died{times}"
        why = f"perhaps memory ran out, or {MAIN_GUARD} ({error})"
        raise StudyError(f"{problem}: {why}") from error
    workers.close()
    return [job._replace(lost=job.lost + 1) for job in lost]


def _result(future: Future[Batch], job: _Job) -> Batch:
    """Return the batch that a worker played. If playing it failed, the error names the matches."""
    try:
        return future.result()
    except TabletopError:
        raise
    except Exception as error:  # from the pool, the cluster or the executor
        problem = f"{_name_matches(job.numbers)} could not be played"
        raise StudyError(f"{problem}: {type(error).__name__}: {error}") from error


def _name_matches(numbers: range) -> str:
    first, last = numbers[0], numbers[-1]
    return f"match {first}" if first == last else f"matches {first} to {last}"


class _Plan:
    """Divides the matches into batches of a few seconds."""

    def __init__(self, missing: Sequence[range], workers: int) -> None:
        # Two per worker, so that a worker finds its next batch waiting. The current process needs
        # only one.
        self.at_once = 1 if workers == 1 else 2 * workers
        self._left = [numbers for numbers in missing if numbers]
        # The first batches measure how long a match takes.
        self._size = 1
        self._least = SECONDS * max(1.0, workers / _FEW)
        self._most = _MOST_SECONDS * max(1.0, workers / _MANY)
        self._began = monotonic()

    def cut(self) -> _Job | None:
        """Return the next batch, or None if no matches are left."""
        if not self._left:
            return None
        first = self._left[0]
        self._left[:1] = [rest] if (rest := first[self._size :]) else []
        return _Job(first[: self._size])

    def learn(self, matches: int, seconds: float) -> None:
        """Adjust the batch size to the duration of a played batch."""
        wanted = min(max(self._least, _SHARE * (monotonic() - self._began)), self._most)
        fitting = int(matches * wanted / max(seconds, 1e-6))
        self._size = max(1, min(fitting, _GROWTH * matches, _MOST_MATCHES))
