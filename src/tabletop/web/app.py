"""The web application: pages, the lobby's requests, and the sockets of tables."""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import Awaitable, Callable, Sequence
from functools import cached_property
from hashlib import sha256
from ipaddress import ip_address
from pathlib import Path
from typing import Final, Protocol
from urllib.parse import quote, urlsplit

from starlette.applications import Starlette
from starlette.datastructures import Headers, MutableHeaders
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.requests import HTTPConnection, Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocket, WebSocketState
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from tabletop.errors import TabletopError
from tabletop.registry import Plugin
from tabletop.web.answers import (
    address_of,
    answered,
    bearer,
    json_answer,
    read_body,
    refusal,
    shows,
)
from tabletop.web.client import Client
from tabletop.web.faces import Face
from tabletop.web.films import Films, ReplayPage
from tabletop.web.hosting import Hosting
from tabletop.web.limits import (
    AddressLimits,
    AddressUse,
    DoorClosed,
    Limits,
    TooFast,
    TooManyConnections,
    is_address,
    network_of,
)
from tabletop.web.listing import ASK_HOST, TableLost
from tabletop.web.lobby import JoinRequest, Mine, OfferedGames, TableRequest, read_as
from tabletop.web.packed import Packed
from tabletop.web.socket import PendingHellos, Transport, handle_socket, turn_away
from tabletop.web.table import WebTable
from tabletop.web.table_manager import TableManager, TooMany
from tabletop.web.tokens import NotAdmitted

_log = logging.getLogger("tabletop")

STATIC: Final = Path(__file__).parent / "static"
"""The folder of the files that browsers load."""

PAGE_POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:;"
    " connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
"""The Content-Security-Policy of pages: they load only what this server has."""

FRAME_POLICY: Final = f"{PAGE_POLICY}; frame-src 'self'"
"""The Content-Security-Policy of the page around a game's own page. The frame cannot leave this
server.
"""

REPLAY_POLICY: Final = (
    "sandbox allow-scripts; default-src 'none'; script-src 'unsafe-inline';"
    " style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
"""The Content-Security-Policy of replay pages: they run a script in a sandbox, and load nothing."""

STYLE: Final = "tokens.css"
"""The file that is no file: the style sheet of all pictures."""

TYPES: Final = {
    ".css": "text/css",
    ".html": "text/html",
    ".js": "text/javascript",
    ".ts": "application/typescript",
}
"""The media types of the files of pages."""

FOR_GOOD: Final = "public, max-age=31536000, immutable"
"""The Cache-Control of files whose address changes when they do."""

HEADERS: Final = {
    "content-security-policy": PAGE_POLICY,
    "cache-control": "no-cache",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=(), payment=(), usb=()",
}
"""The default headers of every answer."""

OPEN: Final = re.compile(r"/(?:tabletop\.(?:js|d\.ts)|t/[^/]+/page/.*)")
"""The files that a game's own page may load. The page has an opaque origin, which browsers send as
`null`.
"""

OF_HOST: Final = re.compile(r"/static/.*|/host|/api/host(?:/.*)?|/metrics")
"""What a host asks for, and the files of pages: the door is not closed to it."""

OPEN_HEADERS: Final = {
    "access-control-allow-origin": "*",
    "cross-origin-resource-policy": "cross-origin",
}
"""The default headers of open files, before those of every answer."""

LOOPBACK: Final = ("localhost", "127.0.0.1", "::1")
"""The names of this machine that only programs on it reach."""

PROXIES: Final = ["127.0.0.1", "::1", "::ffff:127.0.0.1"]
"""The proxies that may name the client's address (X-Forwarded-For): TLS on this machine. The last
is the first, as a server that listens at `::` sees it.
"""


class FoundTables(Protocol):
    """The tables that pages and sockets ask for: those of a server, or the one of a window."""

    def admit(self, name: str, token: str) -> tuple[WebTable, Client]:
        """Return the table of a name, and the client that a token opens there."""

    def replay_page(self, name: str) -> ReplayPage:
        """Return a function that makes the replay page of a finished match."""

    def plugin_at(self, name: str) -> Plugin | None:
        """Return the game that is played at a table; None where that is not known."""


class WebApp:
    """The routes of a server.

    Args:
        tables: finds tables.
        games: the games on offer.
        limits: the limits for clients.
        lobby: opens tables for the lobby; without it there is no lobby.
        key: the hash of the lobby's key; None when everybody may open tables.
        addresses: The limits for each address, and the blocked addresses.
        hosting: answers the host; without it there is no page for one.
    """

    def __init__(
        self,
        tables: FoundTables,
        games: OfferedGames,
        limits: Limits,
        *,
        lobby: TableManager | None = None,
        key: str | None = None,
        addresses: AddressLimits | None = None,
        hosting: Hosting | None = None,
    ) -> None:
        self._tables = tables
        self._games = games
        self._limits = limits
        self._lobby = lobby
        self._key = key
        self._connections = 0
        self._pending = PendingHellos(limits.pending)
        self._addresses = addresses or AddressLimits(limits)
        self._hosting = hosting
        self._files: dict[str, Packed] = {}  # those that somebody has asked for
        self._films = Films()

    def asgi(self, host: str, names: Sequence[str] = ()) -> Starlette:
        """The ASGI application for a server that listens at `host`.

        Args:
            host: a name or an address; `0.0.0.0` and `::` mean all addresses of the machine.
            names: more names that people reach it by.
        """
        lobby = [
            Route("/", self.lobby_page),
            Route("/api/games", self.list_games),
            Route("/api/tables", self.open_table, methods=["POST"]),
            Route("/api/tables", self.list_tables),
            Route("/api/tables/{table}/links", self.tell_links, methods=["POST"]),
            Route("/api/tables/{table}/join", self.join_table, methods=["POST"]),
            Route("/api/mine", self.list_mine, methods=["POST"]),
        ]
        trusted_host = AnyAddressMiddleware if is_everywhere(host) else TrustedHostMiddleware
        app = Starlette(
            routes=[
                Route("/{page:path}#{token:path}", self.mended_link),
                *(lobby if self._lobby is not None else ()),
                *([Route("/host", self.host_page), *self._hosting.routes] if self._hosting else ()),
                Route("/film/{name}", self.replay),
                Route("/t/{table}", self.table),
                Route("/t/{table}/plain", self.plain),
                Route("/t/{table}/page/{file:path}", GZipMiddleware(self.face)),
                WebSocketRoute("/t/{table}/socket", self.socket),
                Route("/static/{digest}/{name}", self.static),
                Route("/tabletop.{end}", self.client),
            ],
            middleware=[
                Middleware(ProxyHeadersMiddleware, trusted_hosts=PROXIES),
                Middleware(GuardMiddleware, names=names),
                Middleware(DoorMiddleware, addresses=self._addresses),
                Middleware(
                    trusted_host, allowed_hosts=allowed_hosts(host, names), www_redirect=False
                ),
            ],
        )
        app.router.redirect_slashes = False
        return app

    async def mended_link(self, request: Request) -> Response:
        """Redirect to a link whose `#` a mail or chat program has written as `%23`."""
        page, token = request.path_params["page"], request.path_params["token"]
        return RedirectResponse(f"/{quote(page.lstrip('/'))}#{quote(token)}")

    # The lobby.

    async def list_games(self, request: Request) -> Response:
        """Answer with the games on offer."""
        return json_answer(self._games.as_message())

    async def open_table(self, request: Request) -> Response:
        """Open a table."""
        lobby, address = self._lobby, address_of(request)
        if lobby is None or not self._has_key(request):
            return refusal(401, "opening a table requires the link of the lobby, with its key")

        async def do(use: AddressUse) -> Response:
            asked = read_as(await self._body(request), TableRequest)
            self._take_opening(use)
            return json_answer(lobby.open_requested(asked, network_of(address)), 201)

        return await self._answered(request, do)

    async def join_table(self, request: Request) -> Response:
        """Hand a free seat of a table over."""
        lobby = self._lobby
        if lobby is None or not self._has_key(request):
            return refusal(401, "joining a table requires the link of the lobby, with its key")

        async def do(use: AddressUse) -> Response:
            asked = read_as(await self._body(request) or b"{}", JoinRequest)
            self._take_opening(use)
            return json_answer(lobby.join(request.path_params["table"], asked.name))

        return await self._answered(request, do)

    async def tell_links(self, request: Request) -> Response:
        """Answer with the links of a table, for who has opened it."""
        lobby = self._lobby
        if lobby is None:
            return refusal(404, "this server has no lobby")

        async def do(use: AddressUse) -> Response:
            try:
                return json_answer(lobby.links(request.path_params["table"], bearer(request)))
            except NotAdmitted as error:
                return refusal(401, str(error))

        return await self._answered(request, do)

    async def list_mine(self, request: Request) -> Response:
        """Say how the tables stand that somebody has links of."""
        lobby = self._lobby
        if lobby is None:
            return refusal(404, "this server has no lobby")

        async def do(use: AddressUse) -> Response:
            mine = read_as(await self._body(request), Mine).tables
            now = asyncio.get_running_loop().time()
            if not all(use.lookups.take(now) for _ in mine):
                raise TooFast("too many requests; wait a moment and try again")
            return json_answer([lobby.listing.standing(it.table, it.token, it.seat) for it in mine])

        return await self._answered(request, do)

    async def _answered(
        self, request: Request, do: Callable[[AddressUse], Awaitable[Response]]
    ) -> Response:
        """The answer to a request, which counts as a connection of its address."""

        async def counted() -> Response:
            with self._addresses.connect(address_of(request), asyncio.get_running_loop()) as use:
                return await do(use)

        return await answered(counted)

    async def _body(self, request: Request) -> bytes:
        async with asyncio.timeout(self._limits.hello):
            return await read_body(request)

    def _take_opening(self, use: AddressUse) -> None:
        if not use.openings.take(asyncio.get_running_loop().time()):
            raise TooFast("you have opened too many tables; wait a moment and try again")

    async def list_tables(self, request: Request) -> Response:
        """Answer with the open tables."""
        if self._lobby is None or not self._has_key(request):
            return refusal(401, "the list of tables requires the link of the lobby, with its key")
        return json_answer(self._lobby.listing.summaries())

    def _has_key(self, request: Request) -> bool:
        return self._key is None or shows(request, self._key)

    # Tables.

    async def table(self, request: Request) -> Response:
        """Answer with the page of a table, which has a frame if the game has a page of its own."""
        if self.has_face(request.path_params["table"]):
            return self._answer("frame.html", request, policy=FRAME_POLICY)
        return self._answer("table.html", request)

    async def plain(self, request: Request) -> Response:
        """Answer with the usual page of a table whose game has a page of its own."""
        name: str = request.path_params["table"]
        if self.has_face(name):
            return self._answer("table.html", request)
        return RedirectResponse(f"/t/{quote(name, safe='')}")

    async def face(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer with a file of the own page of a table's game."""
        name: str = scope["path_params"]["table"]
        plugin = self._tables.plugin_at(name)
        answer: Response = PlainTextResponse("the game of this table has no page of its own\n", 404)
        if Headers(scope=scope).get("sec-fetch-dest") == "document":  # not in the frame
            answer = RedirectResponse(f"/t/{quote(name, safe='')}")
        elif plugin is not None and plugin.page is not None:
            answer = await Face(plugin.page).get_response(scope["path_params"]["file"], scope)
        await answer(scope, receive, send)

    def has_face(self, name: str) -> bool:
        """Return whether the game of a table has a page of its own."""
        plugin = self._tables.plugin_at(name)
        return plugin is not None and plugin.page is not None

    async def replay(self, request: Request) -> Response:
        """Answer with the page that replays a finished match."""
        name = request.path_params["name"]
        try:
            page = await self._films.film(name, self._tables.replay_page(name), request)
        except NotAdmitted as error:
            return refusal(404, str(error))
        except TableLost as error:
            return refusal(500, str(error))
        except Exception as error:  # paths and faults of rules are for the log alone
            _log.error("no replay: %s", error, exc_info=not isinstance(error, TabletopError))
            return refusal(500, f"this replay cannot be shown; {ASK_HOST}")
        headers = {"content-security-policy": REPLAY_POLICY, "cache-control": "private, no-cache"}
        return Response() if page is None else page.answer(request.headers, headers)

    async def static(self, request: Request) -> Response:
        """Answer with a file of the pages; browsers keep it, as its address has its digest."""
        is_ours = request.path_params["digest"] == self._digest
        return self._answer(request.path_params["name"] if is_ours else "", request, FOR_GOOD)

    async def client(self, request: Request) -> Response:
        """Answer with the client in JavaScript, or its types, at an address that stays."""
        return self._answer(f"tabletop.{request.path_params['end']}", request)

    async def lobby_page(self, request: Request) -> Response:
        """Answer with the page of the lobby."""
        return self._answer("index.html", request)

    async def host_page(self, request: Request) -> Response:
        """Answer with the page of the host."""
        return self._answer("host.html", request)

    def _answer(
        self, name: str, request: Request, keep: str = "no-cache", policy: str = PAGE_POLICY
    ) -> Response:
        """Return a file of the pages, with its Cache-Control (`keep`) and its policy."""
        if name not in self._names:
            return PlainTextResponse("file not found\n", 404)
        if name not in self._files:
            self._files[name] = Packed(self._text_of(name), TYPES[Path(name).suffix])
        headers = {"cache-control": keep, "content-security-policy": policy}
        return self._files[name].answer(request.headers, headers)

    def _text_of(self, name: str) -> str:
        if name == STYLE:
            return self._style
        text = (STATIC / name).read_text("utf-8")
        is_page = name.endswith(".html")
        return text.replace("/static/", f"/static/{self._digest}/") if is_page else text

    @cached_property
    def _names(self) -> set[str]:
        """The names of the files of pages."""
        return {STYLE, *(it.name for it in STATIC.iterdir() if it.suffix in TYPES)}

    @cached_property
    def _style(self) -> str:
        """The style sheet of all pictures."""
        return self._games.style()

    @cached_property
    def _digest(self) -> str:
        """What tells these files of the pages from those of another version, or of other games."""
        digest = sha256(self._style.encode())
        for file in sorted(STATIC.iterdir()):
            digest.update(file.read_bytes())
        return digest.hexdigest()[:16]

    async def socket(self, socket: WebSocket) -> None:
        """Serve a screen at a table."""
        loop = asyncio.get_running_loop()
        address = address_of(socket)
        admitted = 0

        def admit(token: str) -> tuple[WebTable, Client]:
            nonlocal admitted
            if self._connections >= self._limits.connections:
                raise TooMany("the server is full; try again later")
            found = self._tables.admit(socket.path_params["table"], token)
            admitted = 1
            self._connections += 1
            return found

        transport = Transport(socket)
        try:
            self._addresses.visit(address, loop.time())
            with self._addresses.connect(address, loop) as use:
                async with use.guest():
                    await asyncio.sleep(use.arrivals.wait(loop.time()))
                    await socket.accept()
                    await handle_socket(transport, admit, self._limits, self._pending, use)
        except DoorClosed as error:
            if socket.application_state is WebSocketState.CONNECTING:
                await socket.accept()
            await turn_away(transport, error, self._limits.sending)
        except TooManyConnections:
            await socket.close()
        finally:
            self._connections -= admitted


# Who may ask. A page of somebody else must not reach this server through a browser: neither under a
# name that was made to point here (DNS rebinding; the header Host), nor from elsewhere (Origin).


def allowed_hosts(host: str, names: Sequence[str] = ()) -> list[str]:
    """The names by which requests may call a server that listens at `host`."""
    own = LOOPBACK if is_everywhere(host) or is_loopback(host) else (host,)
    return [f"[{name}]" if ":" in name else name for name in (*own, *names)]


def is_loopback(host: str) -> bool:
    """Check whether only this machine reaches a server that listens at `host`."""
    return host.casefold() in LOOPBACK


def is_everywhere(host: str) -> bool:
    """Check whether a host to listen at stands for all addresses of the machine."""
    return not host or (is_address(host) and ip_address(host).is_unspecified)


def _host_name(netloc: str) -> str:
    """The host in `host:port`; empty when it cannot be read."""
    try:
        return urlsplit(f"//{netloc}").hostname or ""
    except ValueError:
        return ""


class AnyAddressMiddleware(TrustedHostMiddleware):
    """Trusts every IP address besides the allowed names: no name can be made to stand for one."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request pass, or refuse it."""
        if is_address(_host_name(Headers(scope=scope).get("host", ""))):
            await self.app(scope, receive, send)
        else:
            await super().__call__(scope, receive, send)


class DoorMiddleware:
    """Counts what each address asks for, and refuses those to which the host has closed the door.

    Sockets are told so themselves; and the host's own requests show a key.
    """

    def __init__(self, app: ASGIApp, addresses: AddressLimits) -> None:
        self._app = app
        self._addresses = addresses

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or refuse it."""
        answer = self._app
        if scope["type"] == "http" and not OF_HOST.fullmatch(scope["path"]):
            try:
                address = address_of(HTTPConnection(scope))
                self._addresses.visit(address, asyncio.get_running_loop().time())
            except DoorClosed as error:
                answer = refusal(403, str(error))
        await answer(scope, receive, send)


class GuardMiddleware:
    """Adds `HEADERS` to every answer that does not set them itself, and refuses requests from pages
    of other servers, except those that go by one of `names`. A game's own page may load the files
    that match `OPEN`, and nothing else.
    """

    def __init__(self, app: ASGIApp, names: Sequence[str] = ()) -> None:
        self._app = app
        self._names = {name.casefold() for name in names}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or refuse it."""
        asked = Headers(scope=scope)
        origin, is_open = asked.get("origin"), OPEN.fullmatch(scope["path"]) is not None
        trusted = self.trusts(origin, asked.get("host", "")) or (
            origin == "null" and is_open and scope["type"] == "http"
        )
        defaults = {**HEADERS, **OPEN_HEADERS} if is_open else HEADERS

        async def with_headers(message: Message) -> None:
            if message["type"] == "websocket.http.response.start":
                message = {"type": "websocket.close"}  # uvicorn logs a response as an error
            elif message["type"] == "websocket.http.response.body":
                return
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in defaults.items():
                    headers.setdefault(name, value)
            await send(message)

        answer = self._app
        if not trusted:
            answer = PlainTextResponse("requests from pages of other servers are refused\n", 403)
        await answer(scope, receive, with_headers)

    def trusts(self, origin: str | None, host: str) -> bool:
        """Check whether a request may come from a page at `origin`; None for no page."""
        if origin is None:
            return True
        try:
            netloc = urlsplit(origin).netloc.casefold() if origin.startswith("http") else ""
        except ValueError:  # as http://a[b
            return False
        return netloc != "" and (netloc == host.casefold() or _host_name(netloc) in self._names)
