"""What the server answers: pages, what the lobby asks for, and the sockets of tables."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Final, Protocol

import msgspec
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import FileResponse, HTMLResponse, Response
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles
from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from tabletop.errors import TabletopError
from tabletop.web.films import Film
from tabletop.web.front import WebFront
from tabletop.web.games import Games
from tabletop.web.guard import Addresses, Guard
from tabletop.web.house import House, TooMany
from tabletop.web.limits import Bucket, Callers, Limits, TooManyConnections
from tabletop.web.opening import BadWish, read_wish
from tabletop.web.reloading import MORE, TableLost
from tabletop.web.table import WebTable
from tabletop.web.talking import Strangers, WireClosed, talk
from tabletop.web.tokens import NotAdmitted, is_same

_log = logging.getLogger("tabletop")

STATIC: Final = Path(__file__).parent / "static"

MOST_BODY: Final = 1 << 18
"""What asks for a table is at most so long: the text of a deck may be in it."""

FILM_POLICY: Final = (
    "sandbox allow-scripts; default-src 'none'; script-src 'unsafe-inline';"
    " style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
"""What a film may do: run what is in it, which it names by hashes, and reach nothing."""


PROXIES: Final = ["127.0.0.1", "::1"]
"""Who may say for whom it asks (X-Forwarded-For): a server with TLS on this machine."""


class Tables(Protocol):
    """Where tables are found."""

    def admit(self, name: str, token: str) -> tuple[WebTable, WebFront]:
        """Where somebody with a token sits; see `tabletop.web.house.House.admit`."""

    def film(self, name: str) -> Film:
        """What makes a film; see `tabletop.web.house.House.film`."""


class Site:
    """The pages and sockets of a server.

    Args:
        tables: where tables are found.
        games: what their pictures look like.
        limits: how much a client may do.
        house: opens tables for the lobby; without it there is no lobby.
        key: the hash of the key that the lobby asks for; None when it is open to everybody.
    """

    def __init__(
        self,
        tables: Tables,
        games: Games,
        limits: Limits,
        *,
        house: House | None = None,
        key: str | None = None,
    ) -> None:
        self._tables = tables
        self._games = games
        self._limits = limits
        self._house = house
        self._key = key
        self._connections = 0
        self._strangers = Strangers(limits.strangers)
        self._callers = Callers(limits)
        self._style: str | None = None
        self._films = asyncio.Semaphore()

    def app(self, addresses: Addresses) -> Starlette:
        """The application that answers requests to a server at these addresses."""
        lobby = [
            Route("/", _page("index.html")),
            Route("/api/games", self.games),
            Route("/api/tables", self.open_table, methods=["POST"]),
            Route("/api/tables", self.list_tables),
        ]
        return Starlette(
            routes=[
                *(lobby if self._house is not None else ()),
                Route("/film/{film}", self.film),
                Route("/t/{table}", _page("table.html")),
                WebSocketRoute("/t/{table}/socket", self.socket),
                Route("/static/tokens.css", self.tokens),
                Mount("/static", StaticFiles(directory=STATIC, check_dir=False)),
            ],
            middleware=[
                Middleware(ProxyHeadersMiddleware, trusted_hosts=PROXIES),
                Middleware(Guard, addresses=addresses),
            ],
        )

    # The lobby.

    async def games(self, request: Request) -> Response:
        """What can be played."""
        return _json(self._games.told())

    async def open_table(self, request: Request) -> Response:
        """Open a table."""
        house = self._house
        if house is None or not self._is_host(request):
            return _error(401, "only who has the key of the host opens tables here")
        try:
            async with asyncio.timeout(self._limits.hello):
                body = await _body(request)
            wish = read_wish(body)
            return _json(house.open_wish(wish), 201)
        except TimeoutError:
            return _error(408, "what was asked for has not come in time")
        except TooMany as error:
            return _error(429, str(error))
        except TabletopError as error:
            return _error(400, str(error))

    async def list_tables(self, request: Request) -> Response:
        """The tables that are open."""
        if self._house is None or not self._is_host(request):
            return _error(401, "only who has the key of the host sees the tables here")
        return _json(self._house.summaries())

    def _is_host(self, request: Request) -> bool:
        if self._key is None:
            return True
        kind, _, token = request.headers.get("authorization", "").partition(" ")
        return kind.casefold() == "bearer" and is_same(token.strip(), self._key)

    # Tables.

    async def film(self, request: Request) -> Response:
        """A finished match, as a page that steps through it."""
        try:
            film = self._tables.film(request.path_params["film"])
            async with self._films:  # one at a time, and the tables go on meanwhile
                page = await asyncio.to_thread(film)
        except NotAdmitted as error:
            return _error(404, str(error))
        except TableLost as error:
            return _error(500, str(error))
        except Exception as error:  # paths are for the log, and so is what rules fail on
            _log.error("no film: %s", error, exc_info=not isinstance(error, TabletopError))
            return _error(500, f"this film cannot be shown; {MORE}")
        headers = {"content-security-policy": FILM_POLICY, "cache-control": "no-store"}
        return HTMLResponse(page, headers=headers)

    async def tokens(self, request: Request) -> Response:
        """The style sheet of pictures."""
        if self._style is None:
            self._style = self._games.style()
        return Response(self._style, media_type="text/css")

    async def socket(self, socket: WebSocket) -> None:
        """A screen at a table."""
        loop = asyncio.get_running_loop()
        try:
            with self._callers.connect(socket.client.host if socket.client else "", loop) as caller:
                await asyncio.sleep(caller.arrivals.wait(loop.time()))
                await self._talk(socket, caller.messages)
        except TooManyConnections:
            await socket.close()

    async def _talk(self, socket: WebSocket, address: Bucket) -> None:
        name: str = socket.path_params["table"]
        await socket.accept()
        wire = SocketWire(socket)
        admitted: list[WebFront] = []

        def admit(token: str) -> tuple[WebTable, WebFront]:
            if self._connections >= self._limits.connections:
                raise TooMany("too many people are here just now")
            table, front = self._tables.admit(name, token)
            admitted.append(front)
            self._connections += 1
            return table, front

        try:
            await talk(wire, admit, self._limits, self._strangers, address)
        finally:
            self._connections -= len(admitted)


class SocketWire:
    """A WebSocket as a wire.

    Args:
        socket: one that has been accepted.
    """

    def __init__(self, socket: WebSocket) -> None:
        self._socket = socket

    async def receive(self) -> str | bytes:
        """The next message."""
        try:
            message = await self._socket.receive()
        except (RuntimeError, WebSocketDisconnect) as error:
            raise WireClosed from error
        if message["type"] != "websocket.receive":
            raise WireClosed
        text: str | None = message.get("text")
        data: bytes | None = message.get("bytes")
        return text if text is not None else data or b""

    async def send(self, text: str) -> None:
        """Send a text."""
        await self._sent(self._socket.send_text(text))

    async def close(self, code: int) -> None:
        """Close it."""
        if self._socket.application_state is not WebSocketState.DISCONNECTED:
            await self._sent(self._socket.close(code))

    async def _sent(self, sending: Awaitable[None]) -> None:
        try:
            await sending
        except (RuntimeError, OSError, WebSocketDisconnect) as error:
            raise WireClosed from error


def _page(name: str) -> Callable[[Request], Awaitable[Response]]:
    async def page(request: Request) -> Response:
        return FileResponse(STATIC / name)

    return page


async def _body(request: Request) -> bytes:
    """What a request brings.

    Raises:
        BadWish: it is too long.
    """
    data = b""
    try:
        async for part in request.stream():
            data += part
            if len(data) > MOST_BODY:
                raise BadWish(f"more than {MOST_BODY} bytes: that is too long")
    except ClientDisconnect as error:
        raise BadWish("nobody is there") from error
    return data


def _json(value: object, status: int = 200) -> Response:
    data = msgspec.json.encode(value)
    headers = {"cache-control": "no-store"}
    return Response(data, status, headers, media_type="application/json")


def _error(status: int, message: str) -> Response:
    return _json({"error": message}, status)
