"""The conversation with one screen: receive requests, send states, logs and answers."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from typing import Final

from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState

from tabletop.errors import TabletopError
from tabletop.protocol.incoming import PROTOCOL, HalfCharacter, HelloIn, InvalidMessage, decode
from tabletop.protocol.outgoing import ErrorOut, MessageOut, Reason, encode
from tabletop.table.inputs import Link, Refused, Wants, rounded_size
from tabletop.table.limits import Bucket
from tabletop.table.seat_holder import TOO_FAST
from tabletop.web.limits import AddressBlocked, AddressUse, Limits
from tabletop.web.listing import TableStopped
from tabletop.web.runner import STOPPED, Port, TableRunner
from tabletop.web.tokens import NotAdmitted, SeatTaken

INVALID: Final = 4400
NOT_ADMITTED: Final = 4401
NO_HELLO: Final = 4408
UNAVAILABLE: Final = 4503
"""The codes for closing a connection, in addition to those of the protocol."""

_log = logging.getLogger("tabletop")


class ConnectionLost(Exception):
    """The client has closed the connection."""


class CloseConnection(TabletopError):
    """The server closes a connection with a code, after it has sent the message of this error."""

    def __init__(self, code: int, message: str = "") -> None:
        super().__init__(message)
        self.code = code


class Transport:
    """A WebSocket that transports text. Each method may raise `ConnectionLost`."""

    def __init__(self, socket: WebSocket) -> None:
        self._socket = socket

    async def receive(self) -> str | bytes:
        """Return the next message."""
        try:
            message = await self._socket.receive()
        except (RuntimeError, WebSocketDisconnect) as error:
            raise ConnectionLost from error
        if message["type"] != "websocket.receive":
            raise ConnectionLost
        text: str | None = message.get("text")
        data: bytes | None = message.get("bytes")
        return text if text is not None else data or b""

    async def send(self, text: str) -> None:
        """Send a message."""
        await self._send(self._socket.send_text(text))

    async def close(self, code: int) -> None:
        """Close the connection."""
        if self._socket.application_state is not WebSocketState.DISCONNECTED:
            await self._send(self._socket.close(code))

    async def _send(self, sending: Awaitable[None]) -> None:
        try:
            await sending
        except (RuntimeError, OSError, WebSocketDisconnect) as error:
            raise ConnectionLost from error


class PendingHellos:
    """The connections without a hello message, at most `most`. The oldest are closed first."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._waiting: dict[asyncio.Timeout, None] = {}

    @asynccontextmanager
    async def wait(self, seconds: float) -> AsyncIterator[None]:
        """Wait up to `seconds` for a hello in the block. Raise `CloseConnection` if it is late."""
        try:
            async with asyncio.timeout(seconds) as timeout:
                self._waiting[timeout] = None
                if len(self._waiting) > self._most:
                    oldest = next(iter(self._waiting))
                    del self._waiting[oldest]
                    if not oldest.expired():  # its own time may have run out just now
                        oldest.reschedule(asyncio.get_running_loop().time())
                yield
        except TimeoutError:
            raise CloseConnection(NO_HELLO, "no hello message arrived in time") from None
        finally:
            self._waiting.pop(timeout, None)


async def handle_socket(
    transport: Transport,
    admit: Callable[[str], tuple[TableRunner, Link]],
    limits: Limits,
    pending: PendingHellos,
    use: AddressUse,
) -> None:
    """Serve a screen until it leaves or the server closes the connection.

    Args:
        admit: Returns the table and the client for a token.
        pending: All connections without a hello message.
        use: The resources used by the address of the connection.
    """
    with suppress(ConnectionLost):
        try:
            async with pending.wait(limits.hello):
                hello = decode(await transport.receive())
            if not isinstance(hello, HelloIn):
                raise InvalidMessage('the first message must be {"type":"hello","token":...}')
            if hello.protocol != PROTOCOL:
                supported = f"this server speaks version {PROTOCOL} of the protocol"
                raise InvalidMessage(f"{supported}, not version {hello.protocol}")
            table, link = admit(hello.token)
            await _serve(transport, table, link, use, hello)
        except TabletopError as error:
            await turn_away(transport, error, limits.sending)


async def turn_away(transport: Transport, error: TabletopError, seconds: float) -> None:
    """Send the reason for closing a connection and close it. Give up after `seconds`."""
    code, reason = _ending_of(error)
    with suppress(TimeoutError, ConnectionLost):
        async with asyncio.timeout(seconds):
            if str(error):
                await transport.send(encode(ErrorOut(str(error), reason)))
            await transport.close(code)


def _ending_of(error: TabletopError) -> tuple[int, Reason]:
    """Return the code for closing a connection after an error, and the reason for the client."""
    match error:
        case CloseConnection(code=code):
            return code, "busy"
        case InvalidMessage():
            return INVALID, "invalid"
        case AddressBlocked() | SeatTaken():
            return NOT_ADMITTED, "refused"
        case NotAdmitted():
            return NOT_ADMITTED, "token"
        case TableStopped():
            return STOPPED, "stopped"
        case _:
            return UNAVAILABLE, "busy"


async def _serve(
    transport: Transport, table: TableRunner, link: Link, use: AddressUse, hello: HelloIn
) -> None:
    limits, holder = table.limits, table.table.holders[link]
    most = limits.screens if holder.may_request else limits.spectators
    if len(holder.screens) >= most:
        raise CloseConnection(UNAVAILABLE, "this link is open on too many screens")
    size = rounded_size(hello.columns, hello.rows)
    wants = Wants(hello.picture, hello.data, size, hello.lessons)
    port = table.open(link, wants, changes=hello.changes, openings=use.openings)
    try:
        async with asyncio.TaskGroup() as tasks:  # runs until a task raises an exception
            tasks.create_task(_receive(transport, table, port, use.messages))
            tasks.create_task(_send(transport, table, port))
    except ExceptionGroup as ended:
        raise ended.exceptions[0] from None
    finally:
        table.close_screen(port)


async def _send(transport: Transport, table: TableRunner, port: Port) -> None:
    """Send all due messages until the screen is closed."""
    while True:
        await port.wake.wait()
        port.wake.clear()
        cut = port.cut  # read first, because further messages may become due during the loop
        messages = _due(table, port)
        if cut is not None and cut.message:
            messages.append(ErrorOut(cut.message, "stopped"))
        for message in messages:
            try:
                async with asyncio.timeout(table.limits.sending):
                    await transport.send(encode(message))
            except TimeoutError:
                raise CloseConnection(TOO_FAST) from None
            await asyncio.sleep(0)  # detects a lost connection before asyncio logs a warning
        if cut is not None:
            raise CloseConnection(cut.code)


def _due(table: TableRunner, port: Port) -> list[MessageOut]:
    """Return the messages that are due, all of the same moment."""
    try:
        return table.due(port)
    except Exception as error:
        _log.exception("the position cannot be shown")
        message = "the rules of this game fail: the position cannot be shown"
        raise CloseConnection(UNAVAILABLE, message) from error


async def _receive(transport: Transport, table: TableRunner, port: Port, address: Bucket) -> None:
    """Process messages. A screen that sends too many is closed. A link or an address waits."""
    clock = asyncio.get_running_loop().time
    limits, messages = table.limits, table.table.holders[port.link].messages
    bucket = Bucket(limits.rate, limits.burst, clock())
    while True:
        text = await transport.receive()
        if not bucket.take(clock()):
            raise CloseConnection(TOO_FAST, "too many messages; slow down")
        try:
            message = decode(text)
        except HalfCharacter as error:
            table.receive(Refused(port.number, error.id, error))
            continue
        await asyncio.sleep(max(messages.wait(clock()), address.wait(clock())))
        if isinstance(message, HelloIn) and port.cut is None:
            raise InvalidMessage("a hello message was sent before")
        table.ask(port, message)
