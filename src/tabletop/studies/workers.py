"""Workers that play the matches of a study: this process, a pool, a Dask cluster or an executor.

A pool is restarted when one of its processes dies. The processes of a pool exit when the process
that started them exits, even if that process is killed.
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
from threading import Thread
from typing import Any, ClassVar, Final, Self, TypeVar

from typing_extensions import override

from tabletop.errors import TabletopError, UsageError
from tabletop.host.extras import require
from tabletop.host.screen_text import print_error
from tabletop.match.endless_rules import start_watching_rules
from tabletop.studies.series import StudyError
from tabletop.wording import quote

T = TypeVar("T")

MAIN_GUARD: Final = 'the script that starts the workers has no `if __name__ == "__main__":`'
"""The usual reason why workers fail.

Without this guard, each worker imports the script, which then starts workers again.
"""


def check_main_guard() -> None:
    """Raise `StudyError` in a worker process that imports the script that started it."""
    if getattr(current_process(), "_inheriting", False):
        raise StudyError(MAIN_GUARD)


def cores() -> int:
    """Return the number of cores that this process may use."""
    # A container or taskset may allow fewer cores than the machine has.
    return len(os.sched_getaffinity(0)) if sys.platform == "linux" else os.cpu_count() or 1


class Workers:
    """Base class of workers. An instance of this class wraps the caller's executor.

    Args:
        executor: The executor.
        number: Number of calls that the executor runs in parallel.
    """

    can_restart: ClassVar[bool] = False
    """Whether `submit` starts new workers after `close`."""

    def __init__(self, executor: Executor, number: int) -> None:
        self.number = number
        self._executor = executor

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def submit(self, work: Callable[..., T], *arguments: Any) -> Future[T]:
        """Call a function in a worker, and return the future of its result."""
        return self._executor.submit(work, *arguments)

    def has_lost(self, error: BaseException) -> bool:
        """Return whether a call failed only because its worker died, so that it can be repeated."""
        return False

    def close(self) -> None:
        """Stop all workers immediately, including busy workers.

        A caller's executor keeps running.
        """


class LocalWorkers(Workers):
    """Plays all batches in the current process, one after the other."""

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
    """Worker processes on this machine.

    Args:
        number: Number of processes. By default, one per core.
    """

    can_restart = True

    def __init__(self, number: int | None = None) -> None:
        check_main_guard()
        self.number: int = number or cores()
        self._pool: ProcessPoolExecutor | None = None
        self._alive: Connection | None = None

    @override
    def submit(self, work: Callable[..., T], *arguments: Any) -> Future[T]:
        # Pickled here, so that a function which the worker cannot unpickle raises an error of the
        # call instead of killing the worker.
        pickled = pickle.dumps((work, arguments))
        with _defer_interrupts():  # this may start a process, which must not receive Ctrl-C
            if self._pool is None:
                # Spawned, because a fork would copy the locks of other threads, and also this end
                # of the pipe.
                context = get_context("spawn")
                watched, self._alive = context.Pipe(duplex=False)
                self._pool = ProcessPoolExecutor(
                    self.number, mp_context=context, initializer=_watch, initargs=(watched,)
                )
            try:
                return self._pool.submit(_call, pickled)
            except OSError as error:
                # A process has just died, and the pool has already closed the pipes that a new
                # process would share.
                raise BrokenProcessPool(str(error)) from error

    @override
    def close(self) -> None:
        if self._alive is not None:
            self._alive.close()
        if self._pool is not None:
            self._pool.shutdown(cancel_futures=True)
        self._alive = self._pool = None


def _call(pickled: bytes) -> Any:
    try:
        work, arguments = pickle.loads(pickled)  # noqa: S301 - sent by the parent process
    except Exception as error:
        hint = "write your own metric in a file and name it FILE.py:NAME"
        raise StudyError(
            f"a worker cannot import the function to call ({error}); {hint}"
        ) from error
    return work(*arguments)


def _watch(parent: Connection) -> None:
    """Prepare a worker process: ignore Ctrl-C, and exit when the parent closes the pipe or dies."""
    # At a terminal, Ctrl-C goes to all processes of the program. This covers the workers that were
    # started without `_defer_interrupts`.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    start_watching_rules(lambda what: print_error(f"tabletop: {what}"))

    def exit_with_parent() -> None:
        with suppress(EOFError, OSError):
            parent.recv()
        os._exit(1)

    Thread(target=exit_with_parent, daemon=True).start()


class Cluster(Workers):
    """The workers of a Dask cluster.

    Args:
        address: Address of the scheduler, such as `tcp://host:8786`, or `local:4` for 4 workers on
            this machine.
        patience: Seconds to wait for the scheduler to answer.

    Raises:
        TabletopError: Dask is not installed, or no cluster answers at this address.
        UsageError: The address is invalid.
    """

    def __init__(self, address: str, patience: float = 30.0) -> None:
        require("a cluster", "cluster", "distributed")
        # Imported by name, so that type checkers skip Dask.
        distributed = import_module("distributed")
        kind, _, number = address.partition(":")
        is_local = kind == "local" and number.isdecimal() and int(number)
        if not is_local and "://" not in address:
            raise UsageError(
                f"invalid cluster address {quote(address)}: write local:4, or tcp://HOST:PORT of a"
                " scheduler"
            )
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
        # When a worker is killed, Dask may deliver its exception incompletely, and then fails
        # itself with this AttributeError.
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
        raise StudyError(f"Dask cannot start workers: perhaps {MAIN_GUARD} ({error})") from error


@contextmanager
def _defer_interrupts() -> Iterator[None]:
    """Delay Ctrl-C and SIGHUP until the block is complete.

    Processes that start inside never receive these signals. They exit when this process exits.
    """
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGHUP])
    try:
        # The process of the resource tracker must outlive SIGHUP. If it died, its successor would
        # complain about resources that it does not know.
        resource_tracker.ensure_running()
        signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])  # unblocked by that start
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)


def workers_for(
    workers: int | None = None, cluster: str | None = None, executor: Executor | None = None
) -> Workers:
    """Return workers: a cluster, the caller's executor, or processes on this machine.

    Args:
        workers: Number of processes. With 1, all matches are played in the current process. By
            default, one process per core. With `executor`, the number of calls that the executor
            runs in parallel.
        cluster: Address of a cluster; see `Cluster`.
        executor: Any executor of `concurrent.futures`. The caller shuts it down.
    """
    if executor is not None:
        return Workers(executor, workers or cores())
    if cluster is not None:
        return Cluster(cluster)
    return LocalWorkers() if workers == 1 else Pool(workers)
