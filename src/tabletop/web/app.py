"""The web application: pages, requests of the lobby, and sockets of tables."""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import Awaitable, Callable, Sequence
from functools import cached_property, partial
from hashlib import sha256
from ipaddress import ip_address
from pathlib import Path
from typing import Final, Protocol, TypeAlias, TypeVar
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

from tabletop.errors import RegistryError, TabletopError
from tabletop.registry import Plugin
from tabletop.table.bot_turns import ASK_HOST
from tabletop.table.inputs import Link
from tabletop.table.limits import Bucket, TooFast
from tabletop.web.answers import (
    address_of,
    answered,
    bearer,
    json_answer,
    read_request,
    refusal,
    shows,
)
from tabletop.web.faces import Face
from tabletop.web.gallery import gallery_picture, qr_code
from tabletop.web.hosting import Hosting
from tabletop.web.limits import (
    AddressBlocked,
    AddressLimits,
    AddressUse,
    Limits,
    TooManyConnections,
    is_address,
    network_of,
)
from tabletop.web.listing import TableLost
from tabletop.web.lobby import JoinRequest, LinkText, Mine, OfferedGames, TableRequest
from tabletop.web.packed import MadeOnce, Packed
from tabletop.web.replay_pages import MakePage
from tabletop.web.runner import TableRunner
from tabletop.web.socket import PendingHellos, Transport, handle_socket, turn_away
from tabletop.web.table_manager import TableManager, TooMany
from tabletop.web.tokens import NotAdmitted

T = TypeVar("T")

_log = logging.getLogger("tabletop")

STATIC: Final = Path(__file__).parent / "static"  # the folder of the files for browsers

MOST_PICTURES: Final = 1000  # pictures of games to keep
MOST_REPLAYS: Final = 32  # replay pages to keep, of about 0.3 MB each

PAGE_POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:;"
    " connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
"""The Content-Security-Policy of pages, which load only files of this server."""

FRAME_POLICY: Final = f"{PAGE_POLICY}; frame-src 'self'"
"""The Content-Security-Policy of the page around a game's own page.

The frame cannot navigate to another server.
"""

REPLAY_POLICY: Final = (
    "sandbox allow-scripts; default-src 'none'; script-src 'unsafe-inline';"
    " style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
"""The Content-Security-Policy of replay pages: a script in a sandbox, and no other files."""

PICTURE_POLICY: Final = (
    "sandbox; default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'"
)
"""The Content-Security-Policy of pictures of games, which contain their style and no script."""

NEEDS_KEY: Final = "{} requires the link of the lobby, with its key"
"""The refusal of a request of a person without the link of the lobby."""

STYLE: Final = "tokens.css"
"""The name of the style sheet of all pictures, which is generated."""

TYPES: Final = {
    ".css": "text/css",
    ".html": "text/html",
    ".js": "text/javascript",
    ".ts": "application/typescript",
}
"""The media types of the files of pages."""

FOR_GOOD: Final = "public, max-age=31536000, immutable"
"""The Cache-Control of files whose address changes with their content."""

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
"""The default headers of every response."""

OPEN: Final = re.compile(r"/(?:tabletop\.(?:js|d\.ts)|t/[^/]+/page/.*)")
"""The paths that a game's own page may load. Browsers send `null` as its opaque origin."""

OF_HOST: Final = re.compile(r"/static/.*|/host|/api/host(?:/.*)?|/metrics")
"""The paths of the host's requests and of files of pages, which blocked addresses may load, too."""

OPEN_HEADERS: Final = {
    "access-control-allow-origin": "*",
    "cross-origin-resource-policy": "cross-origin",
}
"""Default headers of open files. They take precedence over `HEADERS`."""

LOOPBACK: Final = ("localhost", "127.0.0.1", "::1")
"""The names of this machine that only its own programs can reach."""

PROXIES: Final = ["127.0.0.1", "::1", "::ffff:127.0.0.1"]
"""The proxies on this machine whose X-Forwarded-For header is trusted.

`::ffff:127.0.0.1` is how a server that listens at `::` sees 127.0.0.1.
"""


Handler: TypeAlias = Callable[[Request, AddressUse], Awaitable[Response]]
"""A function that answers a request, given the resources that its address uses."""


class FoundTables(Protocol):
    """The tables that pages and sockets can open: those of a server, or the table of a window."""

    def admit(self, name: str, token: str) -> tuple[TableRunner, Link]:
        """Return the table with a name, and the link whose token this is."""

    def replay_page(self, name: str) -> MakePage:
        """Return a function that makes the replay page of a finished match."""

    def plugin_at(self, name: str) -> Plugin | None:
        """Return the game of a table, or None if the table is unknown."""


class WebApp:
    """The routes of a server.

    Args:
        lobby: Opens tables for the lobby, or None for no lobby.
        key: The hash of the lobby's key, or None if everybody may open tables.
        addresses: The limits for each address, and the blocked addresses.
        hosting: Answers the host's requests, or None for no host's page.
        address: The address in links for other people.
        only_here: Whether only this machine can reach the server.
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
        address: str = "",
        only_here: bool = True,
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
        self._files: dict[str, Packed] = {}  # files that were requested before
        self._pictures = MadeOnce("image/svg+xml", MOST_PICTURES)
        self._replay_pages = MadeOnce("text/html", MOST_REPLAYS)
        self._address = address
        self._only_here = only_here

    def asgi(self, host: str, names: Sequence[str] = ()) -> Starlette:
        """Return the ASGI application for a server that listens at `host`.

        Args:
            host: A name or an address. `0.0.0.0` and `::` mean all addresses of the machine.
            names: Further names under which people reach the server.
        """
        trusted_host = AnyAddressMiddleware if is_everywhere(host) else TrustedHostMiddleware
        app = Starlette(
            routes=[
                Route("/{page:path}#{token:path}", self.mended_link),
                *([] if self._lobby is None else self._lobby_routes(self._lobby)),
                *(
                    [Route("/host", partial(self.page, "host.html")), *self._hosting.routes]
                    if self._hosting
                    else ()
                ),
                Route("/replay/{name}", self.replay),
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
                Middleware(BlockMiddleware, addresses=self._addresses),
                Middleware(
                    trusted_host, allowed_hosts=allowed_hosts(host, names), www_redirect=False
                ),
            ],
        )
        app.router.redirect_slashes = False
        return app

    def _lobby_routes(self, lobby: TableManager) -> list[Route]:
        posts = {
            "/api/tables": self.open_table,
            "/api/tables/{table}/links": self.tell_links,
            "/api/tables/{table}/join": self.join_table,
            "/api/mine": self.list_mine,
            "/api/invitations/{table}": self.read_invitation,
            "/api/invitations/{table}/sit": self.sit_down,
        }
        return [
            Route("/", partial(self.page, "index.html")),
            Route("/api/games", self.list_games),
            Route("/api/games/{game}/picture", self._counted(self.game_picture)),
            Route("/api/games/{game}/rules", self.game_rules),
            Route("/api/tables", partial(self.list_tables, lobby)),
            Route("/i/{table}", partial(self.page, "invitation.html")),
            Route("/api/qr", self._counted(self.qr_code), methods=["POST"]),
            *(
                Route(path, self._counted(partial(handle, lobby)), methods=["POST"])
                for path, handle in posts.items()
            ),
        ]

    async def mended_link(self, request: Request) -> Response:
        """Redirect from a link in which a mail or chat program has replaced `#` by `%23`."""
        page, token = request.path_params["page"], request.path_params["token"]
        return RedirectResponse(f"/{quote(page.lstrip('/'))}#{quote(token)}")

    # The lobby.

    async def list_games(self, request: Request) -> Response:
        """Return the games on offer, and the address of the server for other people."""
        place = {"address": self._address, "only_here": self._only_here}
        return json_answer({**self._games.as_message(), **place})

    async def game_picture(self, request: Request, use: AddressUse) -> Response:
        """Return the picture of a game for the lobby, drawn once, at the first request."""
        name: str = request.path_params["game"]
        _take(use.lookups)
        try:
            plugin = self._games.plugin(name)
        except RegistryError as error:
            return refusal(404, str(error))
        picture = await self._pictures.get(name, partial(_draw, name, plugin))
        if not picture.body:
            return refusal(500, f"this picture cannot be drawn; {ASK_HOST}")
        headers = {"cache-control": "no-cache", "content-security-policy": PICTURE_POLICY}
        return picture.answer(request.headers, headers)

    async def game_rules(self, request: Request) -> Response:
        """Return the rules of a game as Markdown."""
        try:
            return json_answer({"rules": self._games.plugin(request.path_params["game"]).rules})
        except RegistryError as error:
            _log.warning("%s", error)
            return refusal(404, "the rules of this game cannot be read")

    async def open_table(self, lobby: TableManager, request: Request, use: AddressUse) -> Response:
        """Open a table."""
        if not self._has_key(request):
            return refusal(401, NEEDS_KEY.format("opening a table"))
        wanted = await self._read(request, TableRequest)
        _take(use.openings)
        return json_answer(lobby.open_requested(wanted, network_of(address_of(request))), 201)

    async def join_table(self, lobby: TableManager, request: Request, use: AddressUse) -> Response:
        """Give a free seat of a table to a person from the lobby."""
        if not self._has_key(request):
            return refusal(401, NEEDS_KEY.format("joining a table"))
        wanted = await self._read(request, JoinRequest)
        _take(use.openings)
        return json_answer(lobby.join(request.path_params["table"], wanted.name))

    async def read_invitation(
        self, lobby: TableManager, request: Request, use: AddressUse
    ) -> Response:
        """Return the table of an invitation, whose token is in the header. It takes no seat."""
        _take(use.lookups)
        return json_answer(lobby.invitation(request.path_params["table"], bearer(request)))

    async def sit_down(self, lobby: TableManager, request: Request, use: AddressUse) -> Response:
        """Give a free seat of a table to a person with its invitation."""
        wanted = await self._read(request, JoinRequest)
        _take(use.openings)
        table = request.path_params["table"]
        return json_answer(lobby.sit_down(table, bearer(request), wanted.name))

    async def qr_code(self, request: Request, use: AddressUse) -> Response:
        """Return the QR code of a link. The link is in the body, so that no log contains it."""
        wanted = await self._read(request, LinkText)
        _take(use.openings)
        drawn = await asyncio.to_thread(qr_code, wanted.link)
        headers = {"cache-control": "no-store"}
        return Response(drawn, headers=headers, media_type="image/svg+xml")

    async def tell_links(self, lobby: TableManager, request: Request, use: AddressUse) -> Response:
        """Return the links of a table to the person who opened it."""
        try:
            return json_answer(lobby.links(request.path_params["table"], bearer(request)))
        except NotAdmitted as error:
            return refusal(401, str(error))

    async def list_mine(self, lobby: TableManager, request: Request, use: AddressUse) -> Response:
        """Return the state of tables for a person who has links of them."""
        mine = (await self._read(request, Mine)).tables
        _take(use.lookups, len(mine))
        return json_answer([lobby.listing.standing(it.table, it.token, it.seat) for it in mine])

    def _counted(self, handle: Handler) -> Callable[[Request], Awaitable[Response]]:
        """Return an endpoint that counts each request as a connection of its address."""

        async def endpoint(request: Request) -> Response:
            async def do() -> Response:
                loop = asyncio.get_running_loop()
                with self._addresses.connect(address_of(request), loop) as use:
                    return await handle(request, use)

            return await answered(do)

        return endpoint

    async def _read(self, request: Request, kind: type[T]) -> T:
        async with asyncio.timeout(self._limits.hello):
            return await read_request(request, kind)

    async def list_tables(self, lobby: TableManager, request: Request) -> Response:
        """Return the open tables."""
        if not self._has_key(request):
            return refusal(401, NEEDS_KEY.format("the list of tables"))
        return json_answer(lobby.listing.summaries())

    def _has_key(self, request: Request) -> bool:
        return self._key is None or shows(request, self._key)

    # Tables.

    async def table(self, request: Request) -> Response:
        """Return the page of a table, with a frame if the game has its own page."""
        if self.has_face(request.path_params["table"]):
            return self._answer("frame.html", request, policy=FRAME_POLICY)
        return self._answer("table.html", request)

    async def plain(self, request: Request) -> Response:
        """Return the standard page of a table whose game has its own page."""
        name: str = request.path_params["table"]
        if self.has_face(name):
            return self._answer("table.html", request)
        return RedirectResponse(f"/t/{quote(name, safe='')}")

    async def face(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Return a file of the own page of a table's game."""
        name: str = scope["path_params"]["table"]
        plugin = self._tables.plugin_at(name)
        answer: Response = PlainTextResponse("the game of this table has no page of its own\n", 404)
        if Headers(scope=scope).get("sec-fetch-dest") == "document":  # not in the frame
            answer = RedirectResponse(f"/t/{quote(name, safe='')}")
        elif plugin is not None and plugin.page is not None:
            answer = await Face(plugin.page).get_response(scope["path_params"]["file"], scope)
        await answer(scope, receive, send)

    def has_face(self, name: str) -> bool:
        """Return whether the game of a table has its own page."""
        plugin = self._tables.plugin_at(name)
        return plugin is not None and plugin.page is not None

    async def replay(self, request: Request) -> Response:
        """Return the page that replays a finished match."""
        name = request.path_params["name"]
        try:
            page = await self._replay_pages.get(name, self._tables.replay_page(name))
        except NotAdmitted as error:
            return refusal(404, str(error))
        except TableLost as error:
            return refusal(500, str(error))
        except Exception as error:  # paths and errors of rules belong only in the log
            _log.error("no replay: %s", error, exc_info=not isinstance(error, TabletopError))
            return refusal(500, f"this replay cannot be shown; {ASK_HOST}")
        headers = {"content-security-policy": REPLAY_POLICY, "cache-control": "private, no-cache"}
        return page.answer(request.headers, headers)

    async def static(self, request: Request) -> Response:
        """Return a file of the pages. Browsers cache it, because its address contains a digest."""
        is_ours = request.path_params["digest"] == self._digest
        return self._answer(request.path_params["name"] if is_ours else "", request, FOR_GOOD)

    async def client(self, request: Request) -> Response:
        """Return the client in JavaScript or its types, at an address that does not change."""
        return self._answer(f"tabletop.{request.path_params['end']}", request)

    async def page(self, name: str, request: Request) -> Response:
        """Return a page that is the same for all tables."""
        return self._answer(name, request)

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
        """A digest of all files of the pages, which differs between versions and sets of games."""
        digest = sha256(self._style.encode())
        for file in sorted(STATIC.iterdir()):
            digest.update(file.read_bytes())
        return digest.hexdigest()[:16]

    async def socket(self, socket: WebSocket) -> None:
        """Serve a screen at a table."""
        loop = asyncio.get_running_loop()
        address = address_of(socket)
        admitted = 0

        def admit(token: str) -> tuple[TableRunner, Link]:
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
        except AddressBlocked as error:
            if socket.application_state is WebSocketState.CONNECTING:
                await socket.accept()
            await turn_away(transport, error, self._limits.sending)
        except TooManyConnections:
            await socket.close()
        finally:
            self._connections -= admitted


def _draw(name: str, plugin: Plugin) -> str:
    """Return the picture of a game, or an empty text if it cannot be drawn."""
    try:
        return gallery_picture(plugin)
    except Exception:  # errors of rules belong only in the log
        _log.exception("no picture of %s", name)
        return ""


def _take(bucket: Bucket, count: int = 1) -> None:
    """Count requests of an address, or raise `TooFast`."""
    now = asyncio.get_running_loop().time()
    if not all(bucket.take(now) for _ in range(count)):
        raise TooFast("too many requests; wait a moment and try again")


# Trusted requests. Pages of other servers must not reach this server through a browser. The header
# Host is checked against DNS rebinding, and the header Origin against other pages.


def allowed_hosts(host: str, names: Sequence[str] = ()) -> list[str]:
    """Return the host names that requests may use for a server that listens at `host`."""
    hosts = LOOPBACK if is_everywhere(host) or is_loopback(host) else (host,)
    return [f"[{name}]" if ":" in name else name for name in (*hosts, *names)]


def is_loopback(host: str) -> bool:
    """Check whether only this machine can reach a server that listens at `host`."""
    return host.casefold() in LOOPBACK


def is_everywhere(host: str) -> bool:
    """Check whether `host` means all addresses of the machine."""
    return not host or (is_address(host) and ip_address(host).is_unspecified)


def _host_name(netloc: str) -> str:
    """Return the host in `host:port`, or an empty text if it cannot be parsed."""
    try:
        return urlsplit(f"//{netloc}").hostname or ""
    except ValueError:
        return ""


class AnyAddressMiddleware(TrustedHostMiddleware):
    """Trusts every IP address in addition to the allowed names, because DNS cannot rebind it."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or refuse it."""
        if is_address(_host_name(Headers(scope=scope).get("host", ""))):
            await self.app(scope, receive, send)
        else:
            await super().__call__(scope, receive, send)


class BlockMiddleware:
    """Counts the requests of each address, and refuses requests from blocked addresses.

    Sockets are checked elsewhere. The host's own requests are not refused, because they need a key.
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
            except AddressBlocked as error:
                answer = refusal(403, str(error))
        await answer(scope, receive, send)


class GuardMiddleware:
    """Adds default headers to every response, and refuses requests from pages of other servers.

    Pages at one of `names` are trusted. A game's own page may load only files that match `OPEN`.
    """

    def __init__(self, app: ASGIApp, names: Sequence[str] = ()) -> None:
        self._app = app
        self._names = {name.casefold() for name in names}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or refuse it."""
        headers = Headers(scope=scope)
        origin, is_open = headers.get("origin"), OPEN.fullmatch(scope["path"]) is not None
        trusted = self.trusts(origin, headers.get("host", "")) or (
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
        """Check whether to trust a request from a page at `origin`, or from no page (None)."""
        if origin is None:
            return True
        try:
            netloc = urlsplit(origin).netloc.casefold() if origin.startswith("http") else ""
        except ValueError:  # such as http://a[b
            return False
        return netloc != "" and (netloc == host.casefold() or _host_name(netloc) in self._names)
