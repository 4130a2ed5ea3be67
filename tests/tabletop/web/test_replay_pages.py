"""Replay pages: each is made once for all visitors who still wait."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from threading import Event

from starlette.requests import Request
from starlette.types import Message

from tabletop.web.replay_pages import KEPT, ReplayPages


class Reader:
    """Somebody who requests a replay page, and may leave."""

    def __init__(self) -> None:
        self.has_left = asyncio.Event()
        self.request = Request({"type": "http", "method": "GET", "headers": []}, self._receive)

    async def _receive(self) -> Message:
        await self.has_left.wait()
        return {"type": "http.disconnect"}


def looped(test: Callable[[], Awaitable[None]]) -> Callable[[], None]:
    """Run a test in a loop of its own."""

    def run() -> None:
        asyncio.run(asyncio.wait_for(_awaited(test()), 60))

    run.__name__ = getattr(test, "__name__", "run")
    return run


async def _awaited(work: Awaitable[None]) -> None:
    await work


@looped
async def test_a_film_is_made_once_and_kept() -> None:
    pages = ReplayPages()
    made: list[int] = []

    def make() -> str:
        made.append(1)
        return "page"

    both = [pages.get("a", make, Reader().request) for _ in range(2)]
    first, second = await asyncio.gather(*both)
    assert first is second is await pages.get("a", make, Reader().request)
    assert first is not None
    assert first.body == b"page"
    assert len(made) == 1


@looped
async def test_a_film_whose_reader_has_left_is_not_made() -> None:
    pages, go = ReplayPages(), Event()
    made: list[int] = []

    def slow() -> str:
        go.wait(60)
        return "slow"

    def make() -> str:
        made.append(1)
        return "page"

    first = asyncio.ensure_future(pages.get("a", slow, Reader().request))
    reader = Reader()
    second = asyncio.ensure_future(pages.get("b", make, reader.request))
    await asyncio.sleep(0)
    reader.has_left.set()
    assert await second is None
    go.set()
    page = await first
    assert page is not None
    assert page.body == b"slow"
    assert not made


@looped
async def test_only_the_latest_films_are_kept() -> None:
    pages = ReplayPages()
    for number in range(KEPT + 5):
        await pages.get(str(number), lambda: "page", Reader().request)
    assert list(pages._kept) == [str(number) for number in range(5, KEPT + 5)]
