"""The server: it listens, runs the web application in uvicorn, and keeps tables and a lobby."""

from __future__ import annotations

import asyncio
import errno
import logging
import socket
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from ipaddress import ip_address
from pathlib import Path
from typing import Final

import h11
import uvicorn
from starlette.types import ASGIApp
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from tabletop.errors import TabletopError
from tabletop.host.paths import tables_directory
from tabletop.web.app import WebApp
from tabletop.web.hosting import Hosting
from tabletop.web.limits import AddressLimits, Bucket, Limits
from tabletop.web.lobby import OfferedGames
from tabletop.web.store import TableStore
from tabletop.web.table_manager import TableManager
from tabletop.web.tokens import hash_token

MAX_FRAME: Final = 1 << 16
"""uvicorn closes the connection of a longer message; see `tabletop.protocol.MAX_BYTES`."""

MAX_HEAD: Final = 1 << 14
"""The longest request, without its body."""

NO_REQUEST: Final = "the request must be HTTP/1.1 with a Content-Length"
"""The answer to what is none."""

FRAMES: Final = 50.0
FRAMES_AT_ONCE: Final = 100
"""So many frames, the pieces of messages, a socket may send per second, and at once: more close it.
An empty one takes as long as a whole message, and no message may ever come of it.
"""

PIECE: Final = 1 << 10
"""So many bytes of a socket are taken apart before its frames are counted."""

BACKLOG: Final = 256
"""Maximum connections that wait to be accepted."""

_ANSWER: Final = "HTTP/1.1 {}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n"

TOO_MANY: Final = _ANSWER.format("503 Service Unavailable").encode()
"""The answer to a connection for which there is no room."""

TOO_LATE: Final = _ANSWER.format("408 Request Timeout").encode()
"""The answer to a connection that asks for nothing."""

SPARE: Final = 2 * BACKLOG + 128
"""Descriptors that connections leave to records, processes, and those not yet counted."""

SELDOM: Final = 60.0
"""Seconds between two complaints that there are no descriptors."""

FAREWELL: Final = 0.2
"""Screens have so many seconds to hear that the server ends."""


class CannotListen(TabletopError):
    """The server cannot listen there: the port is taken, or there is no such address."""


def listen(host: str, port: int) -> socket.socket:
    """Open a socket that listens.

    Args:
        host: a name or an address of this machine.
        port: 0 for any free one.

    Raises:
        CannotListen: the port is taken, or there is no such address.
    """
    where = f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(
            host or None, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        listening = socket.socket(family, kind, protocol)
    except (OSError, UnicodeError, OverflowError) as error:
        raise CannotListen(f"{where}: {_reason(error)}") from error
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind(address)
        listening.listen(BACKLOG)
        listening.setblocking(False)
    except (OSError, OverflowError) as error:
        listening.close()
        is_taken = getattr(error, "errno", None) in {errno.EADDRINUSE, errno.EACCES}
        hint = "; choose another with --port" if is_taken else ""
        raise CannotListen(f"{where}: {_reason(error)}{hint}") from error
    return listening


def _reason(error: Exception) -> str:
    return (isinstance(error, OSError) and error.strerror) or str(error)


def address_of(listening: socket.socket, host: str) -> str:
    """The address for a browser on this machine: `http://127.0.0.1:8765`."""
    own, port, *_ = listening.getsockname()
    if ip_address(own).is_unspecified:  # all addresses of this machine
        host = "::1" if ":" in own else "127.0.0.1"
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


class _Config(uvicorn.Config):
    """The configuration of uvicorn, and the connections that have not asked for anything yet."""

    most: int  # connections at once
    patience: float  # seconds for the first request of each
    silent: dict[_Protocol, None]


class _Requests(h11.Connection):
    """Takes requests apart, but none in chunks: each is as much work as a request, even of a byte.

    Browsers, and proxies that wait for a whole request, say how long it is.
    """

    def next_event(self) -> type[h11.NEED_DATA | h11.PAUSED] | h11.Event:
        """Return what comes next, or raise an error of h11."""
        event = super().next_event()
        if isinstance(event, h11.Request) and b"transfer-encoding" in dict(event.headers):
            raise h11.RemoteProtocolError(NO_REQUEST)
        return event


class _Socket(WebSocketsSansIOProtocol):
    """A WebSocket that is cut when it sends too many frames, or one before it is accepted."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Begin to count."""
        super().connection_made(transport)
        self._frames = Bucket(FRAMES, FRAMES_AT_ONCE)

    def data_received(self, data: bytes) -> None:
        """Take in a few frames at a time: a quarter of a mebibyte may have come at once."""
        if self.handshake_initiated and not self.handshake_complete:
            self.transport.abort()
        for start in range(0, len(data), PIECE):
            if not self.transport.is_closing():
                super().data_received(data[start : start + PIECE])

    def handle_events(self) -> None:
        """Handle the frames that have come, if they are not too many."""
        now = self.loop.time()
        if all(self._frames.take(now) for _ in self.conn.events):
            super().handle_events()
        else:
            self.transport.abort()


class _Protocol(H11Protocol):
    """A connection that is closed if it asks for nothing in time, or when there are too many."""

    config: _Config

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Count a new connection; with too many, the oldest that is silent has to leave."""
        super().connection_made(transport)
        self.conn = _Requests(h11.SERVER, MAX_HEAD)
        self.config.silent[self] = None
        self._late = self.loop.call_later(self.config.patience, self._refuse, TOO_LATE)
        if len(self.connections) > self.config.most:
            next(iter(self.config.silent))._refuse(TOO_MANY)

    def data_received(self, data: bytes) -> None:
        """Take in a part of a request."""
        super().data_received(data)
        if self.scope is not None:
            self._count_no_more()

    def connection_lost(self, exc: Exception | None) -> None:
        """Note that the connection is closed."""
        self._count_no_more()
        super().connection_lost(exc)

    def send_400_response(self, msg: str) -> None:
        """Answer what is no request."""
        super().send_400_response(NO_REQUEST)

    def _refuse(self, answer: bytes) -> None:
        self._count_no_more()
        self.transport.write(answer)
        self.transport.close()

    def _count_no_more(self) -> None:
        self.config.silent.pop(self, None)
        self._late.cancel()


class _Seldom(logging.Filter):
    """Lets one complaint of asyncio that there are no descriptors pass in so many seconds."""

    _next = 0.0

    def filter(self, record: logging.LogRecord) -> bool:
        """Return whether to log a record."""
        if "out of system resource" not in record.getMessage():
            return True
        is_due, now = record.created >= self._next, record.created
        if is_due:
            self._next, record.exc_info = now + SELDOM, None
        return is_due


class _Uvicorn(uvicorn.Server):
    """uvicorn without its signal handlers: the owner of the event loop handles signals."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


def _is_public(record: logging.LogRecord) -> bool:
    """Check whether to log a record of uvicorn: its debug output has messages with tokens."""
    return record.levelno >= logging.INFO


def _room_for_connections() -> int:
    """Return how many connections the descriptors of this process are enough for."""
    try:
        import resource
    except ImportError:  # Windows has no such limit
        return sys.maxsize
    most, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return sys.maxsize if most == resource.RLIM_INFINITY else max(most // 2, most - SPARE)


class HttpServer:
    """Runs an ASGI application in uvicorn, as a task of an event loop, and closes its socket."""

    def __init__(
        self,
        app: ASGIApp,
        listening: socket.socket,
        loop: asyncio.AbstractEventLoop,
        limits: Limits,
    ) -> None:
        for name in ("uvicorn.error", "uvicorn.asgi"):
            logging.getLogger(name).addFilter(_is_public)
        logging.getLogger("asyncio").addFilter(_Seldom())
        config = _Config(
            app,
            http=_Protocol,
            ws=_Socket,
            ws_max_size=MAX_FRAME,
            ws_per_message_deflate=True,  # a quarter of the bytes, a twentieth of a move's work
            lifespan="off",
            log_config=None,
            log_level="error",
            access_log=False,
            proxy_headers=False,
            server_header=False,
            backlog=BACKLOG,
            timeout_graceful_shutdown=2,
        )
        config.most = min(limits.requests, _room_for_connections())
        config.patience, config.silent = limits.hello, {}
        self._uvicorn = _Uvicorn(config)
        self._loop = loop
        self._task = loop.create_task(self._uvicorn.serve(sockets=[listening]))

    async def wait(self) -> None:
        """Wait until the server has ended."""
        await asyncio.shield(self._task)

    def end(self) -> None:
        """Have the server end soon: it accepts nothing more, and closes connections."""
        self._uvicorn.should_exit = True

    def end_now(self) -> None:
        """End the server, on a loop that does not run now."""
        self.end()
        with suppress(asyncio.CancelledError, TimeoutError):
            self._loop.run_until_complete(asyncio.wait_for(self._task, 5))


class WebServer:
    """A server with a lobby and many tables.

    Args:
        games: the games on offer.
        loop: runs it.
        host: a name or an address of this machine.
        port: 0 for any free one.
        names: more names that people reach it by.
        open_lobby: whether everybody may open tables; else only people with the key.
        limits: the limits for clients.
        directory: the folder of saved tables and of the key that all links are derived from, those
            of the lobby and the host too; by default that of the user.
        scored: whether scores are kept.
        chat: whether people may say something at tables.

    Attributes:
        address: the address for a browser on this machine.
        tables: its tables.

    Raises:
        CannotListen: the port is taken, or there is no such address.
        FolderInUse: Another server uses the folder of saved tables.
        StoreError: the folder of saved tables cannot be read or written.
    """

    def __init__(
        self,
        games: OfferedGames,
        loop: asyncio.AbstractEventLoop,
        *,
        host: str = "127.0.0.1",
        port: int = 0,
        names: Sequence[str] = (),
        open_lobby: bool = False,
        limits: Limits | None = None,
        directory: Path | None = None,
        scored: bool = True,
        chat: bool = True,
    ) -> None:
        limits = limits or Limits()
        self._store = store = TableStore(directory or tables_directory())
        store.claim()
        try:
            self._link_key = store.link_key()
            listening = listen(host, port)
        except BaseException:
            store.release()
            raise
        self.address: str = address_of(listening, host)
        store.note_owner(self.address)
        self._loop = loop
        self._key = None if open_lobby else self._link_key.token("lobby")
        self.tables: TableManager = TableManager(
            games, store, loop, limits=limits, scored=scored, chat=chat
        )
        key = None if self._key is None else hash_token(self._key)
        addresses = AddressLimits(limits, store.closed_doors())
        hosting = Hosting(self.tables, addresses, store)
        app = WebApp(
            self.tables,
            games,
            limits,
            lobby=self.tables,
            key=key,
            addresses=addresses,
            hosting=hosting,
        )
        self._http = HttpServer(app.asgi(host, names), listening, loop, limits)

    @property
    def lobby(self) -> str:
        """The link of the lobby, with its key."""
        return f"{self.address}/" + ("" if self._key is None else f"#{self._key}")

    @property
    def host(self) -> str:
        """The link of the host's page, with its key, which is good for all that the host may do."""
        return f"{self.address}/host#{self._link_key.token('host')}"

    async def run(self) -> None:
        """Serve until `leave` is called, or the task is cancelled."""
        try:
            await self._http.wait()
        finally:
            self.close()

    def leave(self) -> None:
        """End soon: tell every screen, and close all records."""
        self.close()
        self._loop.call_later(FAREWELL, self._http.end)

    def end_now(self) -> None:
        """End, on a loop that does not run now."""
        self.close()
        self._http.end_now()

    def close(self) -> None:
        """Close all records, and let another server use the folder. Closing twice does no harm."""
        self.tables.close()
        self._store.release()
