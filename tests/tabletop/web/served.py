"""A server on the loop of a test, and clients that talk with it over real sockets."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest import mock

import httpx
import pytest
import uvicorn
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from tabletop import Plugin
from tabletop.protocol import state_after
from tabletop.web import Limits, OfferedGames, WebServer
from tabletop.web import server as server_module

QUICK = Limits(pause=0.0, sweep=0.05)
"""Bots do not wait for people to see their moves."""


class Screen:
    """A screen of somebody: it remembers everything that it was sent."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket
        self.texts: list[str] = []
        self.heard: list[dict[str, Any]] = []
        self._state: dict[str, Any] | None = None

    async def say(self, **message: object) -> None:
        await self.socket.send(json.dumps(message))

    async def hear(self) -> dict[str, Any]:
        """The next message."""
        async with asyncio.timeout(60):
            text = await self.socket.recv()
        assert isinstance(text, str)
        self.texts.append(text)
        told: dict[str, Any] = json.loads(text)
        if told["type"] == "changes":
            assert self._state is not None, "the first state has to be whole"
            told = state_after(self._state, told)
        if told["type"] == "state":
            self._state = told
        self.heard.append(told)
        return told

    async def until(
        self, kind: str, fits: Callable[[dict[str, Any]], object] = lambda told: True
    ) -> dict[str, Any]:
        """The next message of a kind that fits."""
        while True:
            told = await self.hear()
            if told["type"] == kind and fits(told):
                return told

    async def at(self, ply: int) -> dict[str, Any]:
        """Return the next state with this number of actions."""
        return await self.until("state", lambda told: told["ply"] == ply)

    async def closed(self) -> int:
        """The code that the connection is closed with."""
        with suppress(ConnectionClosed):
            while True:
                await self.hear()
        return self.socket.close_code or 0

    def last(self, kind: str) -> dict[str, Any]:
        """The last message of a kind."""
        return next(told for told in reversed(self.heard) if told["type"] == kind)


class Server:
    """A server, with the requests of a browser."""

    def __init__(self, hosting: WebServer, directory: Path) -> None:
        self.hosting = hosting
        self.directory = directory
        self.address = hosting.address
        self.key = hosting.lobby.partition("#")[2]
        self.web = httpx.AsyncClient(base_url=hosting.address, timeout=60, verify=False)

    async def open(self, game: str = "lcr", **wish: object) -> dict[str, Any]:
        """Open a table, with dice that fall the same each time where only one person plays."""
        seed = "" if wish.get("weekly") else "old oak"
        answer = await self.post(game=game, **{"seed": seed, **wish})
        assert answer.status_code == 201, answer.text
        told: dict[str, Any] = answer.json()
        return told

    async def post(self, **wish: object) -> httpx.Response:
        headers = {"authorization": f"Bearer {self.key}"}
        return await self.web.post("/api/tables", json=wish, headers=headers)

    @asynccontextmanager
    async def socket(self, path: str, *, at: str = "", **more: Any) -> AsyncIterator[Screen]:
        """A connection to a table before its hello message, as if from an address."""
        address = self.address.replace("http", "ws") + path.partition("#")[0] + "/socket"
        if at:
            more["additional_headers"] = {"x-forwarded-for": at}
        more = {"max_size": 1 << 24, "max_queue": None, "close_timeout": 0.2, **more}
        async with connect(address, **more) as socket:
            yield Screen(socket)

    @asynccontextmanager
    async def screen(self, link: str, *, at: str = "", **hello: object) -> AsyncIterator[Screen]:
        """A screen that has opened a link, as if it came from an address."""
        async with self.socket(link, at=at) as screen:
            wanted = {"picture": "wide", "data": False, "changes": True, **hello}
            await screen.say(type="hello", token=link.partition("#")[2], **wanted)
            yield screen


def serving(
    test: Callable[[Server], Awaitable[None]],
    directory: Path,
    *,
    limits: Limits = QUICK,
    plugins: tuple[Plugin, ...] = (),
    open_lobby: bool = False,
) -> None:
    """Run a test with a server on its loop."""

    async def run() -> None:
        loop = asyncio.get_running_loop()
        hosting = WebServer(
            OfferedGames(plugins),
            loop,
            limits=limits,
            directory=directory,
            open_lobby=open_lobby,
            scored=False,
        )
        running = loop.create_task(hosting.run())
        server = Server(hosting, directory)
        try:
            await test(server)
        finally:
            await server.web.aclose()
            hosting.leave()
            await running

    impatient = SimpleNamespace(
        **{**vars(asyncio), "sleep": lambda seconds: asyncio.sleep(seconds / 20)}
    )
    with (
        mock.patch.object(server_module, "FAREWELL", 0.0),
        mock.patch.object(uvicorn.server, "asyncio", impatient),
    ):
        asyncio.run(run())


def with_server(
    *, quick: bool = False, **settings: Any
) -> Callable[[Callable[[Server], Awaitable[None]]], Callable[[Path], None]]:
    """Run a test with a server on its loop. It has the mark `slow` unless it is quick."""

    def decorate(test: Callable[[Server], Awaitable[None]]) -> Callable[[Path], None]:
        def run(tmp_path: Path) -> None:
            serving(test, tmp_path, **settings)

        return run if quick else pytest.mark.slow(run)

    return decorate
