"""Run the web application in uvicorn, with a lobby and many tables."""

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
from tabletop.web.app import WebApp, is_everywhere, is_loopback
from tabletop.web.hosting import Hosting
from tabletop.web.limits import AddressLimits, Limits
from tabletop.web.lobby import OfferedGames
from tabletop.web.store import TableStore
from tabletop.web.table_manager import TableManager
from tabletop.web.tokens import hash_token

MAX_FRAME: Final = 1 << 16
"""The maximum size of a WebSocket message in bytes. See `tabletop.protocol.MAX_BYTES`."""

MAX_HEAD: Final = 1 << 14  # maximum size of a request in bytes, without its body
BACKLOG: Final = 256  # maximum connections that wait to be accepted
FAREWELL: Final = 0.2  # seconds for the last message to screens when the server ends


class CannotListen(TabletopError):
    """The server cannot listen at an address, for example because the port is in use."""


def listen(host: str, port: int) -> socket.socket:
    """Open a listening socket.

    Args:
        host: A name or an address of this machine.
        port: The port, or 0 for any free port.

    Raises:
        CannotListen: The port is in use, or the address does not exist.
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
        hint = "; choose another port" if is_taken else ""
        raise CannotListen(f"{where}: {_reason(error)}{hint}") from error
    return listening


def _reason(error: Exception) -> str:
    return (isinstance(error, OSError) and error.strerror) or str(error)


def address_of(listening: socket.socket, host: str) -> str:
    """Return the address for a browser on this machine, such as `http://127.0.0.1:8765`."""
    address, port, *_ = listening.getsockname()
    if ip_address(address).is_unspecified:  # all addresses of this machine
        host = "::1" if ":" in address else "127.0.0.1"
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def shared_address(address: str, host: str, names: Sequence[str]) -> str:
    """Return the address in links for other people.

    With `names`, the address contains the first name, with https if the server listens only on this
    machine, because there must be a TLS proxy. If the server listens on all addresses, the result
    contains the address of this machine on the network.

    Args:
        address: The address for a browser on this machine.
        host: The name or the address that the server listens at.
        names: Further names under which people reach the server.
    """
    port = address.rpartition(":")[2]
    if names:
        return f"https://{names[0]}" if is_loopback(host) else f"http://{names[0]}:{port}"
    return f"http://{_own_address()}:{port}" if is_everywhere(host) else address


def _own_address() -> str:
    """Return the address of this machine on the network, or 127.0.0.1 without a network."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            # Connecting a UDP socket looks up a route and sends nothing. The address is reserved.
            probe.connect(("192.0.2.1", 9))
        except OSError:
            return "127.0.0.1"
        address: str = probe.getsockname()[0]
        return address


class _Uvicorn(uvicorn.Server):
    """uvicorn without its signal handlers, because the owner of the event loop handles signals."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


def _is_public(record: logging.LogRecord) -> bool:
    """Check whether to log a record of uvicorn. Its debug output contains messages with tokens."""
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
            ws_per_message_deflate=True,  # 25 % of the bytes for 5 % more work per move
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
        """End the server soon: accept no new connections and close the open ones."""
        self._uvicorn.should_exit = True

    def end_now(self) -> None:
        """End the server, on a loop that is not running."""
        self.end()
        with suppress(asyncio.CancelledError, TimeoutError):
            self._loop.run_until_complete(asyncio.wait_for(self._task, 5))


class WebServer:
    """A server with a lobby and many tables.

    Args:
        games: The games on offer.
        loop: The event loop that runs the server.
        host: A name or an address of this machine.
        port: The port, or 0 for any free port.
        names: Further names under which people reach the server.
        open_lobby: Whether everybody may open tables. By default a key is needed.
        limits: The limits for clients.
        directory: The folder of saved tables and of the key from which all links are derived, by
            default in the user's data folder.
        scored: Whether scores are kept.

    Attributes:
        address: The address for a browser on this machine.
        shared_address: The address in links for other people.
        tables: The tables of the server.

    Raises:
        CannotListen: The port is in use, or the address does not exist.
        FolderInUse: Another server uses the folder of saved tables.
        StoreError: The folder of saved tables cannot be read or written.
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
        self.shared_address: str = shared_address(self.address, host, names)
        store.note_owner(self.address)
        self._loop = loop
        self._key = None if open_lobby else self._link_key.token("lobby")
        self.tables: TableManager = TableManager(games, store, loop, limits=limits, scored=scored)
        key = None if self._key is None else hash_token(self._key)
        addresses = AddressLimits(limits, store.blocked_addresses())
        hosting = Hosting(self.tables, addresses, store)
        app = WebApp(
            self.tables,
            games,
            limits,
            lobby=self.tables,
            key=key,
            addresses=addresses,
            hosting=hosting,
            address=self.shared_address,
            only_here=is_loopback(host) and not names,
        )
        self._http = HttpServer(app.asgi(host, names), listening, loop, limits)

    @property
    def lobby(self) -> str:
        """The link of the lobby, with its key."""
        return f"{self.address}/" + ("" if self._key is None else f"#{self._key}")

    @property
    def host(self) -> str:
        """The link of the host's page, with a key that permits everything a host may do."""
        return f"{self.address}/host#{self._link_key.token('host')}"

    async def run(self) -> None:
        """Serve until `leave` is called or the task is cancelled."""
        try:
            await self._http.wait()
        finally:
            self.close()

    def leave(self) -> None:
        """End soon: notify every screen, and close all records."""
        self.close()
        self._loop.call_later(FAREWELL, self._http.end)

    def end_now(self) -> None:
        """End the server, on a loop that is not running."""
        self.close()
        self._http.end_now()

    def close(self) -> None:
        """Close all records and release the folder for other servers. Closing twice is harmless."""
        self.tables.close()
        self._store.release()
