"""Listening, and running the server on an event loop that others use as well."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from ipaddress import ip_address
from typing import Any, Final, cast

import uvicorn
from starlette.types import ASGIApp
from uvicorn.middleware.message_logger import MessageLoggerMiddleware
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from tabletop.errors import TabletopError
from tabletop.web.compressing import Compression

MOST_MESSAGE: Final = 1 << 16
"""A longer message is not even read; see also `tabletop.web.messages.MOST_BYTES`."""

BACKLOG: Final = 256

REQUEST_TIME: Final = 10.0
"""A request has to come within so many seconds."""

MOST_ASKING: Final = 500
"""So many may be on their way; of more, those that have taken longest are closed."""


class CannotListen(TabletopError):
    """The server cannot listen there: somebody else does, or there is no such address."""


def listen(host: str, port: int) -> socket.socket:
    """A socket that listens.

    Args:
        host: a name or an address of this machine.
        port: 0 for any that is free.

    Raises:
        CannotListen: somebody else does, or there is no such address.
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
        hint = "; choose another with --port" if _is_taken(error) else ""
        raise CannotListen(f"{where}: {_reason(error)}{hint}") from error
    return listening


def _is_taken(error: Exception) -> bool:
    import errno

    return isinstance(error, OSError) and error.errno in {errno.EADDRINUSE, errno.EACCES}


def _reason(error: Exception) -> str:
    return (isinstance(error, OSError) and error.strerror) or str(error)


def address_of(listening: socket.socket, host: str) -> str:
    """What a browser on this machine is given: `http://127.0.0.1:8765`."""
    own, port, *_ = listening.getsockname()
    if ip_address(own).is_unspecified:  # all addresses of this machine
        host = "::1" if ":" in own else "127.0.0.1"
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


class _Server(uvicorn.Server):
    """A server that leaves signals to those who run the loop."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


class _Config(uvicorn.Config):
    """A configuration whose log holds no paths of requests, however talkative it is made.

    Attributes:
        asking: the connections whose requests have not come yet, from the oldest on.
    """

    def __init__(self, app: ASGIApp, **more: Any) -> None:
        super().__init__(app, **more)
        self.asking: dict[_Requests, asyncio.TimerHandle] = {}

    def load(self) -> None:
        super().load()
        if isinstance(self.loaded_app, MessageLoggerMiddleware):
            self.loaded_app = self.loaded_app.app


class _Requests(H11Protocol):
    """Requests that have to come in time, and of which not too many may be on their way."""

    config: _Config

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(cast("asyncio.Transport", transport))  # of a socket, always
        asking = self.config.asking
        if len(asking) >= MOST_ASKING:
            next(iter(asking)).give_up()
        asking[self] = self.loop.call_later(REQUEST_TIME, self.give_up)

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        waits = getattr(self.cycle, "response_complete", True)  # there may be no cycle yet
        upgraded = self not in self.connections
        if upgraded or not waits:
            self._has_asked()
        elif self not in self.config.asking:
            self.config.asking[self] = self.loop.call_later(REQUEST_TIME, self.give_up)

    def connection_lost(self, exc: Exception | None) -> None:
        self._has_asked()
        super().connection_lost(exc)

    def give_up(self) -> None:
        """Close the connection: nobody has asked for anything."""
        self._has_asked()
        self.transport.abort()

    def _has_asked(self) -> None:
        timer = self.config.asking.pop(self, None)
        if timer is not None:
            timer.cancel()


class _Sockets(WebSocketsSansIOProtocol):
    """Connections whose messages are never logged: tokens come in them."""

    def __init__(self, *arguments: Any, **more: Any) -> None:
        super().__init__(*arguments, **more)
        self.conn.debug = False
        self.conn.available_extensions = [Compression()]


class Serving:
    """A server that runs as a task of an event loop, as long as the loop does.

    Connections that come while the loop stands still wait.

    Args:
        app: what answers.
        listening: where it listens; it is closed at the end.
        loop: where it runs.
    """

    def __init__(
        self, app: ASGIApp, listening: socket.socket, loop: asyncio.AbstractEventLoop
    ) -> None:
        config = _Config(
            app,
            ws=_Sockets,
            http=_Requests,
            lifespan="off",
            log_config=None,
            log_level="error",
            access_log=False,
            proxy_headers=False,
            server_header=False,
            ws_max_size=MOST_MESSAGE,
            timeout_graceful_shutdown=2,
            h11_max_incomplete_event_size=1 << 14,
        )
        self._server = _Server(config)
        self._loop = loop
        self._listening = listening
        self._task = loop.create_task(self._server.serve(sockets=[listening]))

    async def until_it_ends(self) -> None:
        """Wait until the server has come to an end."""
        await asyncio.shield(self._task)

    def give_up(self) -> None:
        """Come to an end before anything was served, on a loop that does not run."""
        self._task.cancel()
        with suppress(asyncio.CancelledError):
            self._loop.run_until_complete(self._task)
        self._listening.close()

    def end(self) -> None:
        """Have the server come to an end soon: connections are closed, none is accepted."""
        self._server.should_exit = True

    def end_now(self) -> None:
        """Have the server come to an end, on a loop that does not run now."""
        self.end()
        with suppress(asyncio.CancelledError, TimeoutError):
            self._loop.run_until_complete(asyncio.wait_for(self._task, 5))
