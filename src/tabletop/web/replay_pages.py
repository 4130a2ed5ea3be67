"""Pages that replay finished matches. They are made in threads and kept in memory."""

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
from tabletop.table.presenter import picture_for
from tabletop.web.packed import Packed

KEPT: Final = 32
"""Replay pages to keep in memory. A page takes about 0.3 MB, and a tenth of that as gzip."""

MakePage: TypeAlias = Callable[[], str]
"""A function that makes the replay page of a finished match. It runs in its own thread."""


def replay_of_record(plugin: Plugin, path: Path, seat: Seat | None) -> str:
    """Return the replay page of a record as a seat, or a spectator, saw the match."""
    return replay_page(Stepper(read(path), plugin.game), picture_for(plugin), plugin.text, seat)


def replay_of_match(plugin: Plugin, match: AnyMatch, seat: Seat | None) -> str:
    """Return the replay page of a match without a record. It leaves out undone actions."""
    return replay_page(MatchSteps(match), picture_for(plugin), plugin.text, seat)


class ReplayPages:
    """The replay pages that were requested last.

    Pages are made one at a time, each once for all readers that wait for it.
    """

    def __init__(self) -> None:
        self._kept: dict[str, Packed] = {}
        self._making: dict[str, Task[Packed]] = {}
        self._waiting: Counter[str] = Counter()
        self._one = Semaphore()

    async def get(self, name: str, make: MakePage, request: Request) -> Packed | None:
        """Return the page with a name, or None if its reader disconnects first.

        A page is not begun after its last reader has disconnected.
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

    async def _made(self, name: str, make: MakePage) -> Packed:
        async with self._one:  # in a thread, so that tables are served meanwhile
            page = await asyncio.to_thread(lambda: Packed(make(), "text/html"))
        self._kept[name] = page
        for oldest in list(self._kept)[:-KEPT]:
            del self._kept[oldest]
        return page


async def _leaves(request: Request) -> None:
    """Wait until the client of a request has closed its connection."""
    while (await request.receive())["type"] != "http.disconnect":
        pass
