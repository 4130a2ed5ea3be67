"""A conversation with one screen: what it asks for is done, and what it is to see is sent."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from typing import Final, Protocol

from tabletop.errors import TabletopError
from tabletop.web.front import WebFront
from tabletop.web.limits import Bucket, Limits
from tabletop.web.messages import (
    ErrorTold,
    Hello,
    Nonsense,
    Sent,
    as_json,
    read_message,
)
from tabletop.web.obeying import obey
from tabletop.web.table import WebTable
from tabletop.web.tokens import NotAdmitted
from tabletop.web.viewer import Viewer

NONSENSE: Final = 4400
NOT_ADMITTED: Final = 4401
NO_HELLO: Final = 4408
TOO_FAST: Final = 4429
UNAVAILABLE: Final = 4503
"""The codes that a connection is closed with, besides those of the protocol."""

_log = logging.getLogger("tabletop")


class Wire(Protocol):
    """A connection: texts in, texts out."""

    async def receive(self) -> str | bytes:
        """The next text.

        Raises:
            WireClosed: there is none.
        """
        ...

    async def send(self, text: str) -> None:
        """Send a text.

        Raises:
            WireClosed: nobody is there.
        """
        ...

    async def close(self, code: int) -> None:
        """Close it."""
        ...


class WireClosed(Exception):
    """A connection has been closed by who is at its other end."""


class Dismissed(Exception):
    """A connection is to be closed.

    Args:
        code: what it is closed with.
        message: why; empty to say nothing.
    """

    def __init__(self, code: int, message: str = "") -> None:
        super().__init__(message)
        self.code = code
        self.message = message


class Strangers:
    """The connections that have not said hello yet: whoever opens many keeps nobody else out.

    Args:
        most: so many may wait; of more, those that have waited longest are closed.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._waiting: dict[asyncio.Timeout, None] = {}

    @asynccontextmanager
    async def wait(self, seconds: float) -> AsyncIterator[None]:
        """Wait for a hello, for so long at most.

        Raises:
            TimeoutError: there was none in time, or others wanted to come in.
        """
        async with asyncio.timeout(seconds) as patience:
            self._waiting[patience] = None
            if len(self._waiting) > self._most:
                oldest = next(iter(self._waiting))
                del self._waiting[oldest]
                oldest.reschedule(asyncio.get_running_loop().time())
            try:
                yield
            finally:
                self._waiting.pop(patience, None)


async def talk(
    wire: Wire,
    admit: Callable[[str], tuple[WebTable, WebFront]],
    limits: Limits,
    strangers: Strangers | None = None,
    address: Bucket | None = None,
) -> None:
    """Talk with a screen until it leaves, or is dismissed.

    Args:
        wire: the connection.
        admit: where somebody with a token sits.
        limits: how much may be asked for, and how fast.
        strangers: those who have not said hello yet, to other connections of the server.
        address: how much all connections from the same address may send.
    """
    address = address or Bucket(limits.address_rate, limits.address_burst)
    strangers = strangers or Strangers(limits.strangers)
    with suppress(WireClosed):
        try:
            await _talk(wire, admit, limits, strangers, address)
        except Dismissed as dismissed:
            with suppress(TimeoutError):
                async with asyncio.timeout(limits.sending):
                    if dismissed.message:
                        await wire.send(as_json(ErrorTold(dismissed.message)))
                    await wire.close(dismissed.code)


async def _talk(
    wire: Wire,
    admit: Callable[[str], tuple[WebTable, WebFront]],
    limits: Limits,
    strangers: Strangers,
    address: Bucket,
) -> None:
    hello = await _hello(wire, limits, strangers)
    try:
        table, front = admit(hello.token)
    except NotAdmitted as error:
        raise Dismissed(NOT_ADMITTED, str(error)) from error
    except TabletopError as error:
        raise Dismissed(UNAVAILABLE, str(error)) from error
    most = limits.screens if front.place.may_request else limits.spectators
    if len(front.viewers) >= most:
        raise Dismissed(UNAVAILABLE, "too many screens have opened this link already")
    viewer = Viewer(front, waiting=limits.waiting, narrow=hello.narrow)
    table.attach(front, viewer)
    try:
        listening = _listen(wire, table, front, viewer, address)
        await _first(listening, _show(wire, viewer, limits.sending))
    finally:
        table.detach(front, viewer)


async def _first(*works: Awaitable[None]) -> None:
    """Do several things until one of them ends; what it raises is raised."""
    tasks = [asyncio.ensure_future(work) for work in works]
    try:
        done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
    for task in done:
        task.result()


async def _hello(wire: Wire, limits: Limits, strangers: Strangers) -> Hello:
    try:
        async with strangers.wait(limits.hello):
            message = _read(await wire.receive())
    except TimeoutError:
        raise Dismissed(NO_HELLO, "nobody has said hello in time") from None
    if not isinstance(message, Hello):
        raise Dismissed(NONSENSE, 'the first message has to be {"type":"hello","token":...}')
    return message


def _read(text: str | bytes) -> Sent:
    try:
        return read_message(text)
    except Nonsense as error:
        raise Dismissed(NONSENSE, str(error)) from error


def _due(viewer: Viewer) -> list[str]:
    """What is to be sent now: all of it as of one moment.

    Raises:
        Dismissed: the rules of the game fail on what is to be shown.
    """
    try:
        return list(viewer.due())
    except Exception as error:
        _log.exception("what lies on the table cannot be shown")
        message = "the rules of this game fail: what lies on the table cannot be shown"
        raise Dismissed(UNAVAILABLE, message) from error


async def _show(wire: Wire, viewer: Viewer, patience: float) -> None:
    """Send what is due, as long as the screen stays."""
    while True:
        await viewer.wake.wait()
        viewer.wake.clear()
        for text in _due(viewer):
            try:
                async with asyncio.timeout(patience):
                    await wire.send(text)
            except TimeoutError:
                raise Dismissed(TOO_FAST) from None
            await asyncio.sleep(0)  # to hear that nobody is there: asyncio logs what is sent then
        if viewer.leaving is not None:
            raise Dismissed(viewer.leaving)


async def _listen(
    wire: Wire, table: WebTable, front: WebFront, viewer: Viewer, address: Bucket
) -> None:
    """Do what is asked for, as long as it is not too much.

    Where all screens of a link, or all from an address, ask for too much together, they wait.
    """
    clock = asyncio.get_running_loop().time
    bucket = Bucket(table.limits.rate, table.limits.burst, clock())
    while True:
        text = await wire.receive()
        if not bucket.take(clock()):
            raise Dismissed(TOO_FAST, "too many messages at once: slow down")
        message = _read(text)
        if isinstance(message, Hello):
            raise Dismissed(NONSENSE, "hello has been said already")
        await asyncio.sleep(max(front.bucket.wait(clock()), address.wait(clock())))
        obey(table, front, viewer, message)
