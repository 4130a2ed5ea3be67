"""Processes in which bots think, so that the program that asks them goes on meanwhile.

    pool = Pool()
    answer = await pool.ask(question)

See `tabletop.bots.questions` for what is asked and answered.
"""

from __future__ import annotations

import asyncio
import os
import pickle
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from threading import Thread
from typing import IO, Final, cast

from tabletop.bots.questions import Answer, Question

TRIES: Final = 3
"""A choice is made so often, where the process that makes it dies."""

PATIENCE: Final = 120.0
"""A bot has so many seconds for a choice."""

_PROGRAM: Final = "from tabletop.bots.questions import serve; serve()"


class Pool:
    """Processes in which bots think, each started when it is needed.

    Args:
        size: how many there are at most; by default one less than the machine has processors, and
            at least one.

    Attributes:
        waiting: how many questions wait for a process.
    """

    def __init__(self, size: int | None = None) -> None:
        self.size = size or max(1, (os.cpu_count() or 1) - 1)
        self.waiting = 0
        self._free = asyncio.Semaphore(self.size)
        self._idle: list[Worker] = []
        self._all: set[Worker] = set()
        self._closed = False

    async def ask(self, question: Question, begins: Callable[[], object] = bool) -> Answer:
        """Have a bot choose. Who asks first is answered first, as soon as a process is free.

        When this is cancelled, nobody waits for the answer any more: its process is ended.

        Args:
            question: what is to be chosen.
            begins: called when a process begins with it.
        """
        self.waiting += 1
        try:
            await self._free.acquire()
        finally:
            self.waiting -= 1
        try:
            begins()
            return await self._answer(question)
        finally:
            self._free.release()

    async def _answer(self, question: Question) -> Answer:
        for _ in range(TRIES):
            if self._closed:
                break
            try:
                worker = self._idle.pop() if self._idle else Worker()
            except OSError as error:
                return Answer(error=f"no process can be started for it: {error.strerror}")
            self._all.add(worker)
            is_done = False
            try:
                async with asyncio.timeout(PATIENCE):
                    found = await asyncio.to_thread(worker.ask, question)
                is_done = True
            except WorkerDied:
                continue
            except TimeoutError:
                return Answer(error=f"it has not chosen within {PATIENCE:.0f} seconds")
            finally:
                if is_done:
                    self._idle.append(worker)
                else:
                    self._all.discard(worker)
                    worker.end()
            return found
        why = "the processes are closed" if self._closed else f"its process has died {TRIES} times"
        return Answer(error=why)

    def close(self) -> None:
        """End all processes at once, and start no more."""
        self._closed = True
        for worker in self._all:
            worker.end()


class Worker:
    """A process that makes one choice at a time.

    It is a Python of its own. One of `concurrent.futures` would run the user's program once more to
    find what it is sent, and could not be ended alone: a bot that hangs or crashes would take those
    of other tables with it.
    """

    def __init__(self) -> None:
        path = os.pathsep.join(place or os.curdir for place in sys.path)
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-c", _PROGRAM],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": path},
            start_new_session=True,  # Ctrl-C at a terminal is not for it
        )
        self._questions = cast("IO[bytes]", self._process.stdin)
        self._answers = cast("IO[bytes]", self._process.stdout)

    def ask(self, question: Question) -> Answer:
        """Return the answer, or raise `WorkerDied`; for a thread, which waits for it."""
        try:
            pickle.dump(question, self._questions)
            self._questions.flush()
            found: Answer = pickle.load(self._answers)
        except (EOFError, OSError, ValueError, pickle.UnpicklingError) as error:
            raise WorkerDied from error
        return found

    def end(self) -> None:
        """End the process at once, whatever it does; nobody waits for that."""
        self._process.kill()
        Thread(target=self._clean_up).start()

    def _clean_up(self) -> None:
        with suppress(BrokenPipeError), self._process:
            pass


class WorkerDied(Exception):
    """The process has ended, and has not answered."""
