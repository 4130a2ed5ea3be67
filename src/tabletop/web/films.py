"""Films: the pages that replay finished matches, made in threads and kept."""

from __future__ import annotations

import asyncio
from asyncio import Semaphore, Task
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Final, TypeAlias

from starlette.requests import Request

from tabletop.display.replay_page import MatchSteps, replay_page
from tabletop.match.match import AnyMatch
from tabletop.records.file import read
from tabletop.records.replaying import Stepper
from tabletop.registry import Plugin
from tabletop.states.bounds import Seat
from tabletop.web.packed import Packed
from tabletop.web.render import picture_for

KEPT: Final = 32
"""So many films are kept, of about 0.3 MB each, and a tenth of that as gzip."""

ReplayPage: TypeAlias = Callable[[], str]
"""Makes the page that replays a finished match; it runs in a thread of its own."""


def replay_of_record(plugin: Plugin, path: Path, seat: Seat | None) -> str:
    """The page that replays a record, as a seat or spectators saw it."""
    return replay_page(Stepper(read(path), plugin.game), picture_for(plugin), plugin.text, seat)


def replay_of_match(plugin: Plugin, match: AnyMatch, seat: Seat | None) -> str:
    """The page that replays a match without a record; actions that were undone are not in it."""
    return replay_page(MatchSteps(match), picture_for(plugin), plugin.text, seat)


class Films:
    """Makes films, one at a time, each once for all who wait for it, and keeps the latest."""

    def __init__(self) -> None:
        self._kept: dict[str, Packed] = {}
        self._making: dict[str, Task[Packed]] = {}
        self._waiting: Counter[str] = Counter()
        self._one = Semaphore()

    async def film(self, name: str, make: ReplayPage, request: Request) -> Packed | None:
        """Return the film of a name; None when its reader has left before.

        A film that nobody waits for any more is not begun.
        """
        if name in self._kept:
            return self._kept[name]
        task = self._making.get(name)
        if task is None:
            task = self._making[name] = asyncio.ensure_future(self._made(name, make))
        self._waiting[name] += 1
        leaves = asyncio.ensure_future(_leaves(request))
        try:
            await asyncio.wait({task, leaves}, return_when=asyncio.FIRST_COMPLETED)
            return task.result() if task.done() else None
        finally:
            leaves.cancel()
            self._waiting[name] -= 1
            if not self._waiting[name]:
                del self._waiting[name]
                del self._making[name]
                task.cancel()

    async def _made(self, name: str, make: ReplayPage) -> Packed:
        async with self._one:  # in a thread: tables go on meanwhile
            page = await asyncio.to_thread(lambda: Packed(make(), "text/html"))
        self._kept[name] = page
        for oldest in list(self._kept)[:-KEPT]:
            del self._kept[oldest]
        return page


async def _leaves(request: Request) -> None:
    """Wait until the client of a request has closed its connection."""
    while (await request.receive())["type"] != "http.disconnect":
        pass
