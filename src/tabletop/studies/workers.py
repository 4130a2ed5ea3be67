"""Who plays the matches of a study: this process, a pool of processes, a cluster, or an executor.

A pool is made anew when one of its processes dies. Its processes end with the one that started
them, whatever ends that.
"""

from __future__ import annotations

import os
import pickle
import signal
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError, Executor, Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import ExitStack, contextmanager, suppress
from importlib import import_module
from multiprocessing import current_process, get_context, resource_tracker
from multiprocessing.connection import Connection
from threading import Thread, current_thread, main_thread
from typing import Any, ClassVar, Final, Self, TypeVar

from typing_extensions import override

from tabletop.errors import TabletopError, UsageError
from tabletop.host.extras import require
from tabletop.host.screen_text import say_error
from tabletop.match.endless_rules import start_watching_rules
from tabletop.studies.series import StudyError
from tabletop.wording import quote

T = TypeVar("T")

MAIN_GUARD: Final = 'the script that starts workers lacks its `if __name__ == "__main__":`'
"""Why workers may not begin: each imports the script, which would start workers in turn."""


def check_main_guard() -> None:
    """Raise `StudyError` in a worker that is importing the script which starts workers."""
    if getattr(current_process(), "_inheriting", False):
        raise StudyError(MAIN_GUARD)


def cores() -> int:
    """Return how many cores this process may use."""
    # Of a container, or under taskset, there are fewer than the machine has.
    return len(os.sched_getaffinity(0)) if sys.platform == "linux" else os.cpu_count() or 1


class Workers:
    """An executor of somebody else's, who ends it; the base of those that end with a study.

    Args:
        executor: the executor.
        number: how many calls it makes at once.
    """

    can_begin_anew: ClassVar[bool] = False
    """Whether there are new workers after `close`."""

    def __init__(self, executor: Executor, number: int) -> None:
        self.number = number
        self._executor = executor

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def submit(self, work: Callable[..., T], *arguments: Any) -> Future[T]:
        """Have a worker call a function."""
        return self._executor.submit(work, *arguments)

    def has_lost(self, error: BaseException) -> bool:
        """Check whether a call failed because its worker has died, and can be made again."""
        return False

    def close(self) -> None:
        """End all workers at once, whatever they do; those of somebody else's go on."""


class Here(Workers):
    """This process: nothing is played beside anything else."""

    def __init__(self) -> None:
        self.number = 1

    @override
    def submit(self, work: Callable[..., T], *arguments: Any) -> Future[T]:
        done: Future[T] = Future()
        try:
            done.set_result(work(*arguments))
        except Exception as error:
            done.set_exception(error)
        return done


class Pool(Workers):
    """Processes of this machine.

    Args:
        number: how many; one on each core when not given.
    """

    can_begin_anew = True

    def __init__(self, number: int | None = None) -> None:
        check_main_guard()
        self.number: int = number or cores()
        self._pool: ProcessPoolExecutor | None = None
        self._alive: Connection | None = None

    @override
    def submit(self, work: Callable[..., T], *arguments: Any) -> Future[T]:
        # What cannot be read on the other side is the error of a call then, and ends no process.
        pickled = pickle.dumps((work, arguments))
        with _defer_interrupts():  # this may start a process, which must not receive Ctrl-C
            if self._pool is None:
                # Not forked: that would copy the locks of other threads, and the end of this pipe.
                context = get_context("spawn")
                watched, self._alive = context.Pipe(duplex=False)
                self._pool = ProcessPoolExecutor(
                    self.number, mp_context=context, initializer=_watch, initargs=(watched,)
                )
            try:
                return self._pool.submit(_call, pickled)
            except OSError as error:
                # A process has died this moment: what a new one is to share is closed already.
                raise BrokenProcessPool(str(error)) from error

    @override
    def close(self) -> None:
        if self._alive is not None:
            self._alive.close()
        if self._pool is not None:
            self._pool.shutdown(cancel_futures=True)
        self._alive = self._pool = None


def _call(pickled: bytes) -> Any:
    """Call a function that was sent to this process."""
    try:
        work, arguments = pickle.loads(pickled)  # noqa: S301 - from the process that began this one
    except Exception as error:
        hint = "a metric of your own stands in a file: FILE.py:NAME"
        raise StudyError(f"a worker does not find what it is to call ({error}); {hint}") from error
    return work(*arguments)


def _watch(parent: Connection) -> None:
    """Prepare a worker: it ends when its parent closes the pipe, or is no more."""
    # At a terminal Ctrl-C reaches all processes of a program; this one, where it was not blocked.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    start_watching_rules(lambda what: say_error(f"tabletop: {what}"))

    def wait() -> None:
        with suppress(EOFError, OSError):
            parent.recv()
        os._exit(1)

    Thread(target=wait, daemon=True).start()


class Cluster(Workers):
    """The workers of Dask.

    Args:
        address: that of a scheduler, as `tcp://host:8786`; or `local:4` for workers here.
        patience: how long a scheduler may take to answer, in seconds.

    Raises:
        TabletopError: Dask is not installed, or there is no such cluster.
        UsageError: the address is none.
    """

    def __init__(self, address: str, patience: float = 30.0) -> None:
        require("a cluster", "cluster", "distributed")
        # By name, so that type checkers do not read Dask.
        distributed = import_module("distributed")
        kind, _, number = address.partition(":")
        is_local = kind == "local" and number.isdecimal() and int(number)
        if not is_local and "://" not in address:
            raise UsageError(f"{quote(address)}: write local:4, or tcp://HOST:PORT of a scheduler")
        with ExitStack() as opened:
            scheduler: Any = address
            if is_local:
                with _defer_interrupts():
                    scheduler = opened.enter_context(_local_cluster(int(number)))
            try:
                client = opened.enter_context(distributed.Client(scheduler, timeout=patience))
            except (OSError, ValueError) as error:
                raise TabletopError(f"no cluster answers at {quote(address)}: {error}") from error
            cores = client.ncores()
            if not cores:
                raise TabletopError(f"the cluster at {quote(address)} has no workers")
            super().__init__(client.get_executor(pure=False), sum(cores.values()))
            self._opened = opened.pop_all()

    @override
    def has_lost(self, error: BaseException) -> bool:
        # Dask may send what a killed worker has failed with in parts, which it then takes for an
        # error.
        is_in_parts = isinstance(error, AttributeError) and "'with_traceback'" in str(error)
        return is_in_parts or isinstance(error, CancelledError)

    @override
    def close(self) -> None:
        self._opened.close()


def _local_cluster(workers: int) -> Any:
    """Start a local Dask cluster that does not log worker shutdowns."""
    try:
        return import_module("distributed").LocalCluster(
            n_workers=workers,
            threads_per_worker=1,
            dashboard_address=None,
            silence_logs="CRITICAL",
        )
    except RuntimeError as error:
        raise StudyError(f"Dask starts no workers: perhaps {MAIN_GUARD} ({error})") from error


@contextmanager
def _defer_interrupts() -> Iterator[None]:
    """Handle signals that end the program at the end of a `with` statement.

    Processes that start meanwhile never receive Ctrl-C or SIGHUP. They end with this process.
    """
    if current_thread() is not main_thread() or not hasattr(signal, "pthread_sigmask"):
        yield
        return
    came: list[int] = []
    numbers = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
    former = {number: signal.getsignal(number) for number in numbers}
    for number, handler in former.items():
        if callable(handler):
            signal.signal(number, lambda number, _: came.append(number))
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGHUP])
    try:
        # Its process must outlive SIGHUP: a second one complains of what the first one knew.
        resource_tracker.ensure_running()
        signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])  # unblocked by that start
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)
        for number, handler in former.items():
            if callable(handler):
                signal.signal(number, handler)
        if came:
            signal.raise_signal(came[0])


def workers_for(
    workers: int | None = None, cluster: str | None = None, executor: Executor | None = None
) -> Workers:
    """Return who plays: a cluster, an executor of the caller's, or processes of this machine.

    Args:
        workers: the number of processes; 1 is this process alone. By default one on each core. Of
            an executor it says how many calls that makes at once.
        cluster: as `Cluster` takes it.
        executor: any of `concurrent.futures`; its owner ends it.
    """
    if executor is not None:
        return Workers(executor, workers or cores())
    if cluster is not None:
        return Cluster(cluster)
    return Here() if workers == 1 else Pool(workers)
