"""A server on a thread of its own, for programs that sit at its tables."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from threading import Event, Thread
from typing import Any
from unittest import mock

import httpx

from tabletop.registry import load
from tabletop.web import OfferedGames, WebServer
from tabletop.web import server as server_module
from tests.tabletop.web.served import QUICK


class Elsewhere:
    """A server, which may go away and come back with the same tables at the same address."""

    def __init__(self, directory: Path, games: Sequence[str]) -> None:
        self._directory = directory
        self._games = OfferedGames([load(game) for game in games])
        self._port = 0
        self.start()

    def start(self) -> None:
        """Serve, as before if it has been stopped."""
        begun = Event()
        self._thread = Thread(target=lambda: asyncio.run(self._run(begun)))
        self._thread.start()
        assert begun.wait(30)

    async def _run(self, begun: Event) -> None:
        self._loop = asyncio.get_running_loop()
        self._server = WebServer(
            self._games,
            self._loop,
            port=self._port,
            limits=QUICK,
            directory=self._directory,
            open_lobby=True,
            scored=False,
        )
        self._port = int(self._server.address.rpartition(":")[2])
        begun.set()
        await self._server.run()

    def stop(self) -> None:
        """End the server, which saves its tables."""
        self._loop.call_soon_threadsafe(self._server.leave)
        self._thread.join(30)
        assert not self._thread.is_alive()

    @property
    def address(self) -> str:
        """The address of the server."""
        return self._server.address

    def open(self, game: str, *players: str, **wish: object) -> list[str]:
        """Open a table. Return the links of its people, and last the link to watch."""
        wish = {"game": game, "seed": "old oak", "players": players, **wish}
        answer = httpx.post(f"{self.address}/api/tables", json=wish, timeout=60)
        assert answer.status_code == 201, answer.text
        self.opened: dict[str, Any] = answer.json()
        links = (*self.opened["links"], self.opened["spectators"])
        return [self.address + it for it in links if it]

    def invite(self, game: str, *players: str, **wish: object) -> str:
        """Open a table, and return its invitation."""
        self.open(game, *players, **wish)
        return f"{self.address}{self.opened['invitation']}"


@contextmanager
def elsewhere(directory: Path, *games: str) -> Iterator[Elsewhere]:
    """A server with its tables in a directory, and with games in addition to installed ones."""
    with mock.patch.object(server_module, "FAREWELL", 0.0):
        server = Elsewhere(directory, games)
        try:
            yield server
        finally:
            server.stop()
