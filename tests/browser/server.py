"""A server with tables, on a thread of the tests."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx

from tabletop import Plugin
from tabletop.protocol import ActIn, encode
from tabletop.table.inputs import WIDE, Tick
from tabletop.web import Limits, OfferedGames, WebServer
from tests.browser.screen import Policy

HASTY = Limits(pause=0.0, rate=500, burst=500, openings=100)
"""Bots move at once, and a test may click faster than people do."""


class Server:
    """A server that listens, and what a host does there.

    Attributes:
        address: where it is.
        lobby: the link of the lobby.
        host: the link of the host's page.
    """

    def __init__(self, hosting: WebServer, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self.address = hosting.address
        self.lobby = hosting.lobby
        self.host = hosting.host
        self.hosting = hosting

    def open(self, game: str, **wish: object) -> dict[str, Any]:
        """Open a table: its `links`, whole, None for bots, and the one of `spectators`."""
        headers = {"authorization": f"Bearer {self.lobby.partition('#')[2]}"}
        answer = httpx.post(
            f"{self.address}/api/tables", json={"game": game, **wish}, headers=headers, timeout=60
        )
        assert answer.status_code == 201, answer.text
        told: dict[str, Any] = answer.json()
        told["links"] = [link and self.address + link for link in told["links"]]
        told["spectators"] = told["spectators"] and self.address + told["spectators"]
        return told

    def play(self, id: str, policy: Policy, turns: int = 10_000) -> None:
        """Play so many actions of people, with those of bots between them."""

        async def play() -> None:
            runner = self.hosting.tables.listing.live[id].runner
            table = runner.table
            for _ in range(turns):
                while table.requests.advance():
                    pass
                if table.match.over:
                    break
                holder = table.holders[table.waiting_for[0]]
                state = runner.presenter.state(holder, WIDE, 0)
                choice = policy(json.loads(encode(state))["choices"])
                holder.request(ActIn(choice["words"], seat=choice["seat"]))
            runner.receive(Tick())

        asyncio.run_coroutine_threadsafe(play(), self._loop).result(60)

    def end(self, table: str) -> None:
        """End a table, as its host does."""
        self._loop.call_soon_threadsafe(self.hosting.tables.end, table)

    def cut(self) -> None:
        """Cut all lines, without a word of goodbye."""
        connections = self.hosting._http._uvicorn.server_state.connections
        for connection in list(connections):
            self._loop.call_soon_threadsafe(connection.transport.abort)


@contextmanager
def served(
    directory: Path,
    limits: Limits = HASTY,
    port: int = 0,
    games: Sequence[Plugin] = (),
    host: str = "127.0.0.1",
) -> Iterator[Server]:
    """A server as long as the block runs; it offers games besides the installed ones."""
    ready = threading.Event()
    made: list[tuple[WebServer, asyncio.AbstractEventLoop]] = []

    async def serve() -> None:
        loop = asyncio.get_running_loop()
        offered = OfferedGames(games)
        hosting = WebServer(
            offered,
            loop,
            host=host,
            port=port,
            limits=limits,
            directory=directory,
            scored=False,
        )
        made.append((hosting, loop))
        ready.set()
        await hosting.run()

    thread = threading.Thread(target=asyncio.run, args=(serve(),), name="server")
    thread.start()
    try:
        assert ready.wait(60)
        yield Server(*made[0])
    finally:
        for hosting, loop in made:
            loop.call_soon_threadsafe(hosting.leave)
        thread.join()
