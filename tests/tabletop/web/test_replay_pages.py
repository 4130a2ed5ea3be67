"""Replay pages: each is made once for all visitors."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from tabletop.web.packed import MadeOnce


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
    pages = MadeOnce("text/html", 32)
    made: list[int] = []

    def make() -> str:
        made.append(1)
        return "page"

    both = [pages.get("a", make) for _ in range(2)]
    first, second = await asyncio.gather(*both)
    assert first is second is await pages.get("a", make)
    assert first.body == b"page"
    assert len(made) == 1


@looped
async def test_only_the_latest_films_are_kept() -> None:
    pages = MadeOnce("text/html", 32)
    for number in range(37):
        await pages.get(str(number), lambda: "page")
    assert list(pages._made) == [str(number) for number in range(5, 37)]


@looped
async def test_a_page_that_failed_is_made_again() -> None:
    pages = MadeOnce("text/html", 32)

    def fail() -> str:
        raise ValueError("no page")

    both = await asyncio.gather(*(pages.get("a", fail) for _ in range(2)), return_exceptions=True)
    assert [type(it) for it in both] == [ValueError, ValueError]
    assert (await pages.get("a", lambda: "page")).body == b"page"
