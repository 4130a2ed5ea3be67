"""Signals that come while an event loop runs, at whatever moment: none is lost."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Iterator

import pytest

from tabletop.terminal.signals import deferred, interrupts, run
from tests.signals import default_signals


@pytest.fixture
def loop() -> Iterator[asyncio.AbstractEventLoop]:
    """A loop of a program that heeds signals."""
    loop = asyncio.new_event_loop()
    with default_signals(), interrupts():
        yield loop
    loop.close()


def test_a_signal_in_the_last_round_of_a_loop_is_heeded(loop: asyncio.AbstractEventLoop) -> None:
    async def work() -> None:
        signal.raise_signal(signal.SIGTERM)

    with pytest.raises(KeyboardInterrupt):
        run(loop, work())


def test_a_signal_that_comes_before_the_loop_runs_ends_it(loop: asyncio.AbstractEventLoop) -> None:
    ended: asyncio.Future[None] = loop.create_future()

    def wait() -> None:
        with deferred(loop, lambda: ended.set_result(None)):
            signal.raise_signal(signal.SIGTERM)
            loop.run_until_complete(ended)

    with pytest.raises(KeyboardInterrupt):
        wait()
    assert ended.done()


def test_a_signal_that_came_too_late_to_end_a_loop_does_not_end_what_it_runs_next(
    loop: asyncio.AbstractEventLoop,
) -> None:
    left: list[str] = []
    with pytest.raises(KeyboardInterrupt), deferred(loop, lambda: left.append("left")):
        signal.raise_signal(signal.SIGTERM)
    loop.run_until_complete(asyncio.sleep(0))
    assert left == []
