"""The server: it listens, runs the web application in uvicorn, and keeps tables and a lobby."""

from __future__ import annotations

import asyncio
import errno
import logging
import socket
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from ipaddress import ip_address
from pathlib import Path
from typing import Final

import uvicorn
from starlette.types import ASGIApp

from tabletop.errors import TabletopError
from tabletop.host.paths import tables_directory
from tabletop.web.app import WebApp
from tabletop.web.hosting import Hosting
from tabletop.web.limits import AddressLimits, Limits
from tabletop.web.lobby import OfferedGames
from tabletop.web.store import TableStore
from tabletop.web.table_manager import TableManager
from tabletop.web.tokens import hash_token

MAX_FRAME: Final = 1 << 16
"""The largest WebSocket message in bytes; see `tabletop.protocol.MAX_BYTES`."""

MAX_HEAD: Final = 1 << 14
"""The largest request in bytes, without its body."""

BACKLOG: Final = 256
"""Maximum connections that wait to be accepted."""

FAREWELL: Final = 0.2
"""Seconds for the last message to screens when the server ends."""


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


class _Uvicorn(uvicorn.Server):
    """uvicorn without its signal handlers: the owner of the event loop handles signals."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


def _is_public(record: logging.LogRecord) -> bool:
    """Check whether to log a record of uvicorn: its debug output has messages with tokens."""
    return record.levelno >= logging.INFO


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
        config = uvicorn.Config(
            app,
            http="h11",
            h11_max_incomplete_event_size=MAX_HEAD,
            limit_concurrency=limits.requests,
            ws="websockets-sansio",
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
