"""The web application: pages, the lobby's requests, and the sockets of tables."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from functools import cached_property
from hashlib import sha256
from ipaddress import ip_address
from pathlib import Path
from typing import Final, Protocol
from urllib.parse import urlsplit

import msgspec
from starlette.applications import Starlette
from starlette.datastructures import Headers, MutableHeaders
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocket
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from tabletop.errors import TabletopError
from tabletop.web.client import Client
from tabletop.web.films import Films, ReplayPage
from tabletop.web.limits import AddressLimits, Limits, TooManyConnections, network_of
from tabletop.web.lobby import InvalidRequest, OfferedGames, read_request
from tabletop.web.socket import PendingHellos, Transport, handle_socket
from tabletop.web.table import WebTable
from tabletop.web.table_manager import ASK_HOST, TableLost, TableManager, TooMany
from tabletop.web.tokens import NotAdmitted, matches

_log = logging.getLogger("tabletop")

STATIC: Final = Path(__file__).parent / "static"
"""The folder of the files that browsers load."""

MAX_BODY: Final = 1 << 18
"""The largest request for a table: it may hold the text of a deck."""

PAGE_POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:;"
    " connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
"""The Content-Security-Policy of pages: they load only what this server has."""

REPLAY_POLICY: Final = (
    "sandbox allow-scripts; default-src 'none'; script-src 'unsafe-inline';"
    " style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
"""The Content-Security-Policy of replay pages: they run a script in a sandbox, and load nothing."""

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

LOOPBACK: Final = ("localhost", "127.0.0.1", "::1")
"""The names of this machine that only programs on it reach."""

PROXIES: Final = ["127.0.0.1", "::1"]
"""The proxies that may name the client's address (X-Forwarded-For): TLS on this machine."""


class FoundTables(Protocol):
    """The tables that pages and sockets ask for: those of a server, or the one of a window."""

    def admit(self, name: str, token: str) -> tuple[WebTable, Client]:
        """Return the table of a name, and the client that a token opens there."""

    def replay_page(self, name: str) -> ReplayPage:
        """Return a function that makes the replay page of a finished match."""


class WebApp:
    """The routes of a server.

    Args:
        tables: finds tables.
        games: the games on offer.
        limits: the limits for clients.
        lobby: opens tables for the lobby; without it there is no lobby.
        key: the hash of the lobby's key; None when everybody may open tables.
    """

    def __init__(
        self,
        tables: FoundTables,
        games: OfferedGames,
        limits: Limits,
        *,
        lobby: TableManager | None = None,
        key: str | None = None,
    ) -> None:
        self._tables = tables
        self._games = games
        self._limits = limits
        self._lobby = lobby
        self._key = key
        self._connections = 0
        self._pending = PendingHellos(limits.pending)
        self._addresses = AddressLimits(limits)
        self._files = StaticFiles(directory=STATIC, check_dir=False)
        self._films = Films()

    def asgi(self, host: str, names: Sequence[str] = ()) -> Starlette:
        """The ASGI application for a server that listens at `host`.

        Args:
            host: a name or an address; `0.0.0.0` and `::` mean all addresses of the machine.
            names: more names that people reach it by.
        """
        lobby = [
            Route("/", self._page("index.html")),
            Route("/api/games", self.list_games),
            Route("/api/tables", self.open_table, methods=["POST"]),
            Route("/api/tables", self.list_tables),
        ]
        trusted_host = AnyAddressMiddleware if is_everywhere(host) else TrustedHostMiddleware
        app = Starlette(
            routes=[
                *(lobby if self._lobby is not None else ()),
                Route("/film/{name}", self.replay),
                Route("/t/{table}", self._page("table.html")),
                WebSocketRoute("/t/{table}/socket", self.socket),
                Mount("/static/{digest}", GZipMiddleware(self.static)),
            ],
            middleware=[
                Middleware(ProxyHeadersMiddleware, trusted_hosts=PROXIES),
                Middleware(GuardMiddleware, names=names),
                Middleware(
                    trusted_host, allowed_hosts=allowed_hosts(host, names), www_redirect=False
                ),
            ],
        )
        app.router.redirect_slashes = False
        return app

    # The lobby.

    async def list_games(self, request: Request) -> Response:
        """Answer with the games on offer."""
        return _json(self._games.as_message())

    async def open_table(self, request: Request) -> Response:
        """Open a table."""
        lobby = self._lobby
        if lobby is None or not self._has_key(request):
            return _error(401, "opening tables takes the key of the host")
        loop, address = asyncio.get_running_loop(), request.client.host if request.client else ""
        try:
            with self._addresses.connect(address, loop) as use:
                async with asyncio.timeout(self._limits.hello):
                    body = await _read_body(request)
                asked = read_request(body)
                if use.openings.take(loop.time()):
                    return _json(lobby.open_requested(asked, network_of(address)), 201)
                return _error(429, "you have opened many tables just now; try again soon")
        except TimeoutError:
            return _error(408, "the request has not come in time")
        except (TooMany, TooManyConnections) as error:
            return _error(429, str(error))
        except TabletopError as error:
            return _error(400, str(error))

    async def list_tables(self, request: Request) -> Response:
        """Answer with the open tables."""
        if self._lobby is None or not self._has_key(request):
            return _error(401, "seeing the tables takes the key of the host")
        return _json(self._lobby.summaries())

    def _has_key(self, request: Request) -> bool:
        if self._key is None:
            return True
        kind, _, token = request.headers.get("authorization", "").partition(" ")
        return kind.casefold() == "bearer" and matches(token.strip(), self._key)

    # Tables.

    async def replay(self, request: Request) -> Response:
        """Answer with the page that replays a finished match."""
        name = request.path_params["name"]
        try:
            page = await self._films.film(name, self._tables.replay_page(name), request)
        except NotAdmitted as error:
            return _error(404, str(error))
        except TableLost as error:
            return _error(500, str(error))
        except Exception as error:  # paths and faults of rules are for the log alone
            _log.error("no replay: %s", error, exc_info=not isinstance(error, TabletopError))
            return _error(500, f"this film cannot be shown; {ASK_HOST}")
        headers = {"content-security-policy": REPLAY_POLICY, "cache-control": "no-store"}
        return HTMLResponse(page or "", headers=headers)

    async def static(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer with a file of the pages; browsers keep it, as its address has its digest."""
        answer: ASGIApp = self._files
        if scope["path_params"]["digest"] != self._digest:
            answer = PlainTextResponse("there is no such file\n", 404)
        elif scope["path"].endswith("/tokens.css"):
            answer = Response(self._style, media_type="text/css")

        async def kept(message: Message) -> None:
            if message["type"] == "http.response.start" and message["status"] == 200:
                MutableHeaders(scope=message)["cache-control"] = FOR_GOOD
            await send(message)

        await answer(scope, receive, kept)

    def _page(self, name: str) -> Callable[[Request], Awaitable[Response]]:
        async def page(request: Request) -> Response:
            text = (STATIC / name).read_text(encoding="utf-8")
            return HTMLResponse(text.replace("/static/", f"/static/{self._digest}/"))

        return page

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
        address = socket.client.host if socket.client else ""
        admitted = 0

        def admit(token: str) -> tuple[WebTable, Client]:
            nonlocal admitted
            if self._connections >= self._limits.connections:
                raise TooMany("too many people are here just now")
            found = self._tables.admit(socket.path_params["table"], token)
            admitted = 1
            self._connections += 1
            return found

        try:
            with self._addresses.connect(address, loop) as use:
                await asyncio.sleep(use.arrivals.wait(loop.time()))
                await socket.accept()
                transport = Transport(socket)
                await handle_socket(transport, admit, self._limits, self._pending, use.messages)
        except TooManyConnections:
            await socket.close()
        finally:
            self._connections -= admitted


async def _read_body(request: Request) -> bytes:
    data = b""
    try:
        async for part in request.stream():
            data += part
            if len(data) > MAX_BODY:
                raise InvalidRequest(f"the request is too long: {MAX_BODY} bytes are the most")
    except ClientDisconnect as error:
        raise InvalidRequest("the connection was closed") from error
    return data


def _json(value: object, status: int = 200) -> Response:
    data = msgspec.json.encode(value)
    headers = {"cache-control": "no-store"}
    return Response(data, status, headers, media_type="application/json")


def _error(status: int, message: str) -> Response:
    return _json({"error": message}, status)


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
    return not host or (_is_address(host) and ip_address(host).is_unspecified)


def _is_address(name: str) -> bool:
    try:
        ip_address(name)
    except ValueError:
        return False
    return True


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
        if _is_address(_host_name(Headers(scope=scope).get("host", ""))):
            await self.app(scope, receive, send)
        else:
            await super().__call__(scope, receive, send)


class GuardMiddleware:
    """Adds `HEADERS` to every answer that does not set them itself, and refuses requests from pages
    of other servers, except those that go by one of `names`.
    """

    def __init__(self, app: ASGIApp, names: Sequence[str] = ()) -> None:
        self._app = app
        self._names = {name.casefold() for name in names}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or refuse it."""
        asked = Headers(scope=scope)
        refusal = PlainTextResponse("pages of other servers may not ask this one\n", 403)
        trusted = self.trusts(asked.get("origin"), asked.get("host", ""))

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        await (self._app if trusted else refusal)(scope, receive, with_headers)

    def trusts(self, origin: str | None, host: str) -> bool:
        """Check whether a request may come from a page at `origin`; None for no page."""
        if origin is None:
            return True
        try:
            netloc = urlsplit(origin).netloc.casefold() if origin.startswith("http") else ""
        except ValueError:  # as http://a[b
            return False
        return netloc != "" and (netloc == host.casefold() or _host_name(netloc) in self._names)
