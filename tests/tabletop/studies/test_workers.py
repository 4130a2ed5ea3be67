"""The rows of a study do not depend on the workers, even if workers die."""

from __future__ import annotations

import os
import random
import re
import resource
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import suppress
from multiprocessing import current_process, get_context
from pathlib import Path
from threading import Timer
from time import monotonic, sleep
from typing import Any, TypeVar

import pytest
from typing_extensions import override

from tabletop import TabletopError
from tabletop.cli import main
from tabletop.errors import UsageError
from tabletop.studies import (
    Cluster,
    LocalWorkers,
    Pool,
    Progress,
    Row,
    Series,
    Study,
    StudyError,
    Workers,
    simulate,
    workers_for,
)
from tabletop.studies.simulating import play_missing
from tabletop.studies.workers import _defer_interrupts
from tests.forked import run
from tests.signals import default_signals
from tests.tabletop.cli.program import TICTACTOE
from tests.tabletop.studies.own_metrics import FILE
from tests.tabletop.studies.test_simulate import LONG

T = TypeVar("T")

pytestmark = pytest.mark.slow

SERIES = Series.of("lcr", metrics=[f"{FILE}:told", f"{FILE}:kinds"])
MATCHES = 300
KILLS = 4


@pytest.fixture(scope="module")
def expected() -> list[Row]:
    """The rows, played in this process one after the other."""
    return SERIES.play(range(MATCHES))


def children(parent: int) -> list[int]:
    """Return the processes that a process has started, directly or indirectly."""
    processes = []
    for child in map(int, filter(str.isdecimal, os.listdir("/proc"))):
        try:
            fields = Path(f"/proc/{child}/stat").read_text("utf-8").rpartition(")")[2].split()
        except OSError:  # the process has just ended
            continue
        if int(fields[1]) == parent and fields[0] != "Z":
            processes += [child, *children(child)]
    return processes


def is_worker(process: int) -> bool:
    """Return whether a process is a worker, not the resource tracker of multiprocessing."""
    try:
        return b"spawn_main" in Path(f"/proc/{process}/cmdline").read_bytes()
    except OSError:
        return False


def wait_until(condition: Callable[[], object], seconds: float = 30) -> None:
    until = monotonic() + seconds
    while not condition():
        assert monotonic() < until, "timeout"
        sleep(0.02)


def play_with(workers: Workers, size: int, meanwhile: Callable[[range], object] = str) -> list[Row]:
    """Play the series in batches of at most `size` matches, and return its rows."""
    parts = [range(first, min(first + size, MATCHES)) for first in range(0, MATCHES, size)]
    rows: dict[int, list[Row]] = {}
    for batch in play_missing(SERIES, parts, workers):
        rows[batch.numbers[0]] = batch.rows
        meanwhile(batch.numbers)
    return [row for first in sorted(rows) for row in rows[first]]


def test_several_processes_play_the_same_matches(expected: list[Row]) -> None:
    with Pool(3) as workers:
        assert play_with(workers, 17) == expected


class Counting(Pool):
    """Two processes, with a count of how often each batch is submitted."""

    def __init__(self) -> None:
        super().__init__(2)
        self.handed_out: Counter[range] = Counter()

    @override
    def submit(self, work: Callable[..., T], *arguments: Any) -> Future[T]:
        self.handed_out[arguments[1]] += 1
        return super().submit(work, *arguments)


def test_killed_workers_are_replaced_and_their_batches_repeated(
    expected: list[Row],
) -> None:
    moments = random.Random("kills")
    killed: list[int] = []
    done: set[range] = set()

    def kill() -> None:
        # A batch that is lost too often ends the study, see the next test.
        if any(often > 2 and it not in done for it, often in workers.handed_out.copy().items()):
            return
        if playing := [child for child in children(os.getpid()) if is_worker(child)]:
            victim = moments.choice(playing)
            with suppress(ProcessLookupError):  # another thread has killed it since it was listed
                os.kill(victim, signal.SIGKILL)
                killed.append(victim)

    def plan(numbers: range) -> None:
        done.add(numbers)
        if len(killed) < KILLS and moments.random() < 0.5:
            kill() if moments.random() < 0.3 else Timer(moments.uniform(0, 0.01), kill).start()

    with Counting() as workers:
        assert play_with(workers, 3, plan) == expected
        again = [often for often in workers.handed_out.values() if often > 1]
    assert len(killed) >= KILLS
    assert len(again) > 1  # including those of the worker that survived


def test_workers_that_die_repeatedly_end_the_study(tmp_path: Path) -> None:
    series = Series.of("lcr", metrics=[f"{FILE}:deadly"])
    message = r"\bmatch 0 .*\b4 times: .*\bmemory\b"
    with Pool(1) as workers, pytest.raises(StudyError, match=message):
        list(play_missing(series, [range(5)], workers))


def test_a_metric_that_workers_cannot_import_is_an_error(tmp_path: Path) -> None:
    def here(events: object) -> int:
        return 0

    with pytest.raises(StudyError, match=r"\bmatch \d .*: .*local object"):
        simulate("lcr", 20, tmp_path, metrics=[here], workers=2)


def test_a_game_in_a_file_is_played_by_other_processes(tmp_path: Path) -> None:
    series = Series.of(TICTACTOE, ["random"], metrics=[f"{FILE}:told"])
    with Pool(1) as workers:
        [batch] = play_missing(series, [range(1)], workers)
    assert batch.rows == series.play(range(1))


def test_a_script_without_a_main_guard_is_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(current_process(), "_inheriting", True, raising=False)
    with pytest.raises(StudyError, match="`if __name__ == "):
        simulate("lcr", 1, tmp_path)


# The program, ended by signals.


def begin(folder: Path, workers: int = 2, matches: int = 100_000) -> subprocess.Popen[str]:
    """Start a study in a new process, and wait until the first matches are stored."""
    words = [*command(folder, matches), "--workers", str(workers)]
    with default_signals():
        program = subprocess.Popen(
            [sys.executable, "-m", "tabletop", *words], stderr=subprocess.PIPE, text=True
        )
    wait_until(lambda: len(list(folder.rglob("*.parquet"))) > 2)
    return program


def command(folder: Path, matches: int = 100_000) -> list[str]:
    return ["simulate", "lcr", "-n", str(matches), "--metric", "none", "-o", str(folder)]


def check_kept(folder: Path) -> None:
    """Check that the stored rows are those of the series."""
    study, series = Study(folder), Series.of("lcr", metrics=())
    missing = study.missing()
    rows = list(study.rows())
    assert 0 < len(rows) == 100_000 - sum(map(len, missing))
    first = missing[0][0]
    again = [{**row, **_lists(row)} for row in series.play(range(min(first, 50)))]
    assert rows[: min(first, 50)] == again


def _lists(row: Row) -> Row:
    """Return a row with lists in place of tuples, as it is stored."""
    return {name: list(value) for name, value in row.items() if isinstance(value, tuple)}


def test_a_killed_study_leaves_no_workers_and_can_be_resumed(tmp_path: Path) -> None:
    program = begin(tmp_path, matches=3000)
    workers = [child for child in children(program.pid) if is_worker(child)]
    assert len(workers) == 2
    program.kill()
    program.communicate()
    wait_until(lambda: not any(map(is_worker, workers)), 10)
    done = 3000 - sum(map(len, Study(tmp_path).missing()))
    reports: list[Progress] = []
    words: dict[str, Any] = {"metrics": [], "workers": 1, "resume": True}
    study = simulate("lcr", 3000, tmp_path, progress=reports.append, **words)
    assert 0 < reports[0].done == done < 3000
    assert study.digest() == LONG


@pytest.mark.parametrize(("number", "many"), [(signal.SIGINT, 2), (signal.SIGTERM, 1)])
def test_a_signal_keeps_the_stored_matches_and_prints_how_to_resume(
    number: signal.Signals, many: int, tmp_path: Path
) -> None:
    program = begin(tmp_path, many)
    workers = children(program.pid)
    program.send_signal(number)
    _, output = program.communicate(timeout=30)
    assert program.returncode == 130
    line = re.search(  # below the progress of a slow machine
        r"^tabletop: interrupted; ([\d,]+) of 100,000 matches are stored in (\S+)\. Resume with:"
        r" tabletop simulate --resume lcr -n 100000 --metric none -o \2 --workers [12]\n\Z",
        output,
        re.MULTILINE,
    )
    assert line is not None, output
    assert "Traceback" not in output
    assert not any(map(is_worker, workers))
    check_kept(tmp_path)
    assert int(line[1].replace(",", "")) <= Study(tmp_path).table(["plies"]).num_rows


def main_with_small_files(arguments: Sequence[str]) -> int:
    """Run the program, which cannot write a file of more than 2,500 bytes."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (2500, 2500))
    return main(arguments)


def test_a_full_disk_is_reported_and_stored_matches_are_kept(tmp_path: Path) -> None:
    done = run(main_with_small_files, *command(tmp_path), "--workers", "1")
    assert done.status == 1
    message = r"tabletop: \S+/matches-\d+-\d+-[\da-f]+\.parquet: File too large\n"
    assert re.fullmatch(message, done.stderr), done.stderr
    assert list(tmp_path.rglob(".tabletop-*")) == []
    check_kept(tmp_path)


# Dask.


class Unlucky(LocalWorkers):
    """Loses calls now and then, as Dask does after a worker was killed."""

    has_lost = Cluster.has_lost

    def __init__(self, every: int) -> None:
        super().__init__()
        self._calls, self._every = 0, every

    @override
    def submit(self, work: Callable[..., Any], *arguments: Any) -> Future[Any]:
        self._calls += 1
        if self._calls % self._every:
            return super().submit(work, *arguments)
        failed: Future[Any] = Future()
        failed.set_exception(AttributeError("'list' object has no attribute 'with_traceback'"))
        return failed


def test_a_batch_of_a_lost_dask_worker_is_repeated(expected: list[Row]) -> None:
    assert play_with(Unlucky(2), 50) == expected
    with pytest.raises(StudyError, match=r"with_traceback"):
        play_with(Unlucky(1), 50)


@pytest.mark.matrix
def test_dask_plays_the_same_matches_even_if_a_worker_is_killed(expected: list[Row]) -> None:
    pytest.importorskip("distributed")
    killed: list[int] = []

    def kill(_: range) -> None:
        if not killed:
            killed.append([child for child in children(os.getpid()) if is_worker(child)][-1])
            os.kill(killed[0], signal.SIGKILL)

    with Cluster("local:2") as workers:
        assert workers.number == 2
        assert play_with(workers, 50, kill) == expected
    assert killed


def test_ctrl_c_is_delayed_until_workers_have_started() -> None:
    blocked: set[int] = set()

    def begin() -> None:
        with _defer_interrupts():
            signal.raise_signal(signal.SIGINT)
            with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
                blocked.update(pool.submit(signal.pthread_sigmask, signal.SIG_BLOCK, []).result())

    former = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with pytest.raises(KeyboardInterrupt):
            begin()
    finally:
        signal.signal(signal.SIGINT, former)
    assert signal.SIGINT in blocked


def test_processes_of_a_pool_ignore_ctrl_c_from_their_start() -> None:
    with Pool(1) as workers:
        assert (
            signal.SIGINT in workers.submit(signal.pthread_sigmask, signal.SIG_BLOCK, []).result()
        )
    assert signal.SIGINT not in signal.pthread_sigmask(signal.SIG_BLOCK, [])


def test_a_local_cluster_that_cannot_start_mentions_the_main_guard(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    distributed = pytest.importorskip("distributed")

    def fail(**_: object) -> None:
        raise RuntimeError("Nanny failed to start.")

    monkeypatch.setattr(distributed, "LocalCluster", fail)
    with pytest.raises(StudyError, match=r"\bperhaps\b.*`if __name__ == "):
        Cluster("local:2")


@pytest.mark.parametrize("address", ["local", "local:0", "local:x", "here", ""])
def test_an_invalid_cluster_address_is_an_error(address: str) -> None:
    pytest.importorskip("distributed")
    with pytest.raises(UsageError, match=rf"'{address}'.*tcp://HOST:PORT"):
        workers_for(cluster=address)


def test_a_cluster_that_does_not_answer_is_an_error() -> None:
    pytest.importorskip("distributed")
    with pytest.raises(TabletopError, match=r"no cluster .*'tcp://127\.0\.0\.1:1'"):
        Cluster("tcp://127.0.0.1:1", patience=0.2)
