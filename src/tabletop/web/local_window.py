"""A server for one session that is played elsewhere as well: the window beside a terminal.

    loop = asyncio.new_event_loop()
    console = Console(loop=loop)  # runs the loop while a line is typed
    window = LocalWindow(session.plugin, loop)
    window.show(session)
    webbrowser.open(window.new_link())
    TerminalLoop(TerminalClient(session, console)).run()
    window.close()

Everything happens on one thread: the window answers whenever the loop runs. What is done there is
shown at the terminal at once, and the other way round. Whoever runs the session has the bots act.
"""

from __future__ import annotations

import asyncio
from asyncio import AbstractEventLoop
from collections.abc import Callable
from functools import partial
from typing import Final

from starlette.requests import Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route

from tabletop.errors import TabletopError
from tabletop.registry import Plugin
from tabletop.session.session import Session
from tabletop.web.app import WebApp
from tabletop.web.client import Client
from tabletop.web.films import ReplayPage, replay_of_match
from tabletop.web.limits import Limits
from tabletop.web.lobby import OfferedGames
from tabletop.web.server import HttpServer, address_of, listen
from tabletop.web.table import WebTable
from tabletop.web.tokens import NotAdmitted, hash_token, matches, new_seat_tokens, new_token

HOST: Final = "127.0.0.1"
"""The address that the server listens at, for browsers of this machine alone."""

NAME: Final = "here"
"""The name of the only table in addresses."""

ENDED: Final = 4410
"""The code of a connection that is closed because the program ends: the page stays as it is."""

RESTARTED: Final = 1012
"""The code of a connection that comes back at once: another match begins."""

PATIENCE: Final = 0.5
"""A terminal waits so many seconds for screens that take long."""

FAREWELL: Final = 2.0
"""A terminal waits so many seconds until screens have heard that the program ends."""

USED: Final = "this link has already been used; open the address that the program has printed\n"
"""The answer to a link that was opened already."""


class LocalWindow:
    """A page that shows a session, and at which it can be played on.

    Args:
        plugin: the game.
        loop: runs the server, whenever it runs itself.

    Attributes:
        address: a link with a token, for one's own browser alone.
        client: the window's client of the session, once `show` was called.

    Raises:
        CannotListen: The server cannot listen on this machine.
    """

    client: Client
    _session: Session

    def __init__(self, plugin: Plugin, loop: AbstractEventLoop) -> None:
        limits = Limits()
        self._tokens, tokens, _ = new_seat_tokens([True])
        listening = listen(HOST, 0)
        self._root = address_of(listening, HOST)
        self._link = f"/t/{NAME}#{tokens[0]}"
        self.address: str = self._root + self._link
        self._ticket = self._film = ""  # hashes; empty for none
        self._table: WebTable | None = None
        self._loop = loop
        self._plugin = plugin
        app = WebApp(self, OfferedGames([plugin], all_installed=False), limits).asgi(HOST)
        app.router.routes.insert(0, Route("/open/{ticket}", self._open))
        self._server = HttpServer(app, listening, loop, limits)

    def new_link(self) -> str:
        """A link that works once, to start a browser with: others may see how it was started."""
        ticket = new_token()
        self._ticket = hash_token(ticket)
        return f"{self._root}/open/{ticket}"

    async def _open(self, request: Request) -> Response:
        if not matches(request.path_params["ticket"], self._ticket):
            return PlainTextResponse(USED, 404)
        self._ticket = ""
        return RedirectResponse(self._link, 303, {"cache-control": "no-store"})

    def show(self, session: Session, *, covers: bool = False) -> None:
        """Show a session, in place of the one that was shown.

        The window decides, together with the terminal, for all people's seats that no other front
        has as its own, and shows what the seat may know that is to act.

        Args:
            session: it may be closed before the window or after it.
            covers: whether people who share the screen say that they have sat down before it shows
                what only they may see.
        """
        if self._table is not None:
            self._table.close(RESTARTED)
        self._table = WebTable(session, self._tokens, self._loop, seating={0: None}, casual=True)
        self._session, self._film = session, ""
        self.client = self._table.clients[0]
        self.client.covers = covers

    def freeze(self) -> None:
        """Show the session as it is from now on, and offer its film if the match is over."""
        if self._table is not None and self._session.match.over:
            film = new_token()
            self._film = hash_token(film)
            self._table.clients.set_films([f"/film/{film}"])
        self.client.freeze()

    def replay_page(self, name: str) -> ReplayPage:
        """Return the maker of the match's replay page, as its only person or spectators saw it.

        Raises:
            NotAdmitted: there is no such page.
        """
        if not matches(name, self._film):
            raise NotAdmitted("replay not found")
        session, people = self._session, self._session.people
        seat = people[0] if len(people) == 1 else None
        return partial(replay_of_match, session.plugin, session.match, seat)

    def admit(self, name: str, token: str) -> tuple[WebTable, Client]:
        """Return the table of a name, and the client that a token opens there.

        Raises:
            NotAdmitted: the token opens nothing here.
            TabletopError: there is no session yet.
        """
        if name != NAME:
            raise NotAdmitted("table not found; copy the whole link, including the part after #")
        if self._table is None:  # who comes early tries again
            raise TabletopError("the match has not begun yet")
        return self._table, self._table.client_of(token)

    def plugin_at(self, name: str) -> Plugin | None:
        """Return the game of the window's table; None for any other."""
        return self._plugin if name == NAME else None

    @property
    def screens(self) -> int:
        """The number of open screens."""
        return 0 if self._table is None else self._table.clients.connections

    async def delivered(self) -> None:
        """Serve until every screen has been sent its messages; not for long."""
        for _ in range(3):
            await asyncio.sleep(0)  # who comes or asks just now is heard
        table = self._table
        await self._until(lambda: table is None or not table.clients.has_due, PATIENCE)

    async def screen_came(self, seconds: float) -> None:
        """Serve until a screen is open; not longer than that."""
        await self._until(lambda: self.screens > 0, seconds)
        await self.delivered()

    async def screens_left(self) -> None:
        """Serve until no screen is open, also not after a while: a page may be loaded anew."""
        while self.screens:
            await self._until(lambda: self.screens == 0, 3600)
            await asyncio.sleep(PATIENCE * 2)

    async def _until(self, done: Callable[[], bool], seconds: float) -> None:
        end = self._loop.time() + seconds
        while not done() and self._loop.time() < end:
            await asyncio.sleep(0.005)

    async def farewell(self, message: str) -> None:
        """Tell every screen that the program ends: it stays as it is."""
        await self.delivered()
        if self._table is not None:
            self._table.close(ENDED, message)
            await self._until(lambda: self.screens == 0, FAREWELL)

    def close(self) -> None:
        """Close all connections and stop listening. The loop must not run just now."""
        if self._table is not None:
            self._table.close()
        self._server.end_now()
