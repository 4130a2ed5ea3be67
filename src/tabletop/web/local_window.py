"""A server for one table that also has a terminal: the window next to the terminal.

    loop = asyncio.new_event_loop()  # which the console runs while a line is typed
    window = LocalWindow(plugin, loop)
    window.show(table, elsewhere)
    webbrowser.open(window.new_link())
    ...  # play at the terminal
    window.close()

Everything runs on one thread, and the window responds whenever the loop runs. The terminal and the
window are two screens of one table, and the terminal lets the bots act.
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
from tabletop.table.inputs import Effect, Freeze, Input, Link, ReplayPages
from tabletop.table.match_table import MatchTable
from tabletop.web.app import WebApp
from tabletop.web.limits import Limits
from tabletop.web.lobby import OfferedGames
from tabletop.web.replay_pages import MakePage, replay_of_match
from tabletop.web.runner import TableRunner
from tabletop.web.server import HttpServer, address_of, listen
from tabletop.web.tokens import (
    NO_REPLAY,
    NotAdmitted,
    hash_token,
    matches,
    new_seat_tokens,
    new_token,
)

HOST: Final = "127.0.0.1"
"""The address of the server, which only browsers on this machine can reach."""

NAME: Final = "here"  # the name of the only table in addresses

ENDED: Final = 4410
"""The code for closing a connection because the program ends. The page keeps its last position."""

RESTARTED: Final = 1012
"""The code for closing a connection that reconnects at once, because another match begins."""

DELIVERY_TIMEOUT: Final = 0.5  # seconds for which a terminal waits for slow pages

FAREWELL: Final = 2.0
"""Seconds for which a terminal waits until screens have received the last message."""

USED: Final = "this link has already been used; open the address that the program has printed\n"
"""The response to a link that was opened before."""


class LocalWindow:
    """A page that displays a table and lets people play at it.

    Args:
        plugin: The game.
        loop: The event loop that runs the server. The owner runs the loop.

    Attributes:
        address: A link with a token, for the user's own browser only.

    Raises:
        CannotListen: The server cannot listen on this machine.
    """

    def __init__(self, plugin: Plugin, loop: AbstractEventLoop) -> None:
        limits = Limits()
        self._tokens, tokens, _ = new_seat_tokens([True])
        listening = listen(HOST, 0)
        self._root = address_of(listening, HOST)
        self._link = f"/t/{NAME}#{tokens[0]}"
        self.address: str = self._root + self._link
        self._ticket = self._replay = ""  # hashes, or empty texts for no link
        self._runner: TableRunner | None = None
        self._limits = limits
        self._loop = loop
        self._plugin = plugin
        app = WebApp(self, OfferedGames([plugin], all_installed=False), limits).asgi(HOST)
        app.router.routes.insert(0, Route("/open/{ticket}", self._open))
        self._server = HttpServer(app, listening, loop, limits)

    def new_link(self) -> str:
        """Return a link that works once. Other users can see the command line of a browser."""
        ticket = new_token()
        self._ticket = hash_token(ticket)
        return f"{self._root}/open/{ticket}"

    async def _open(self, request: Request) -> Response:
        if not matches(request.path_params["ticket"], self._ticket):
            return PlainTextResponse(USED, 404)
        self._ticket = ""
        return RedirectResponse(self._link, 303, {"cache-control": "no-store"})

    def show(
        self, table: MatchTable, elsewhere: Callable[[Effect], bool] = lambda effect: False
    ) -> None:
        """Display a table in place of the previous one.

        Args:
            table: The table, whose link 0 the window opens.
            elsewhere: Carries out the effects that concern the terminal (`TableRunner`).
        """
        if self._runner is not None:
            self._runner.close(RESTARTED)
        self._replay = ""
        self._runner = TableRunner(table, self._loop, self._limits, elsewhere=elsewhere)

    def receive(self, given: Input) -> None:
        """Pass an input to the table."""
        if self._runner is not None:
            self._runner.receive(given)

    def freeze(self) -> None:
        """Keep displaying the current position, and offer a replay page if the match is over."""
        if self._runner is None:
            return
        if self._runner.table.match.over:
            replay = new_token()
            self._replay = hash_token(replay)
            self._runner.receive(ReplayPages([f"/replay/{replay}"]))
        self._runner.receive(Freeze())

    def replay_page(self, name: str) -> MakePage:
        """Return a function that makes the match's replay page for its only person or spectators.

        Raises:
            NotAdmitted: The page does not exist.
        """
        if self._runner is None or not matches(name, self._replay):
            raise NotAdmitted(NO_REPLAY)
        table = self._runner.table
        people = table.people
        seat = people[0] if len(people) == 1 else None
        return partial(replay_of_match, table.plugin, table.match, seat)

    def admit(self, name: str, token: str) -> tuple[TableRunner, Link]:
        """Return the table with a name, and the link whose token this is.

        Raises:
            NotAdmitted: The token is not valid here.
            TabletopError: There is no table yet.
        """
        if name != NAME:
            raise NotAdmitted
        if self._runner is None:  # an early client tries again
            raise TabletopError("the match has not begun yet")
        return self._runner, self._tokens.admit(token)

    def plugin_at(self, name: str) -> Plugin | None:
        """Return the game of the window's table, or None for another table."""
        return self._plugin if name == NAME else None

    @property
    def screens(self) -> int:
        """The number of open screens."""
        return 0 if self._runner is None else len(self._runner.ports)

    async def delivered(self) -> None:
        """Serve until every screen has its messages, for at most `DELIVERY_TIMEOUT` seconds."""
        runner = self._runner
        for _ in range(3):
            await asyncio.sleep(0)  # handle new connections and requests
        await self._until(lambda: runner is None or not runner.has_due, DELIVERY_TIMEOUT)

    async def screen_came(self, seconds: float) -> None:
        """Serve until a screen is open, for at most `seconds`."""
        await self._until(lambda: self.screens > 0, seconds)
        await self.delivered()

    async def screens_left(self) -> None:
        """Serve until no screen is open for a while, because a page may be reloaded."""
        while self.screens:
            await self._until(lambda: self.screens == 0, 3600)
            await asyncio.sleep(DELIVERY_TIMEOUT * 2)

    async def _until(self, done: Callable[[], bool], seconds: float) -> None:
        end = self._loop.time() + seconds
        while not done() and self._loop.time() < end:
            await asyncio.sleep(0.005)

    async def farewell(self, message: str) -> None:
        """Send every screen a message that the program ends. The page keeps its position."""
        await self.delivered()
        if self._runner is not None:
            self._runner.close(ENDED, message)
            await self._until(lambda: self.screens == 0, FAREWELL)

    def close(self) -> None:
        """Close all connections and stop listening. The loop must not be running."""
        if self._runner is not None:
            self._runner.close()
        self._server.end_now()
