"""Limits for clients: the numbers of messages, connections and tables."""

from __future__ import annotations

import asyncio
from asyncio import AbstractEventLoop
from collections.abc import AsyncIterator, Iterable, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from ipaddress import IPv6Address, ip_address
from typing import Final

from tabletop.errors import TabletopError
from tabletop.table.limits import Bucket, TableLimits

FORGOTTEN: Final = 60.0
"""Seconds after the last connection of an address until its counters start from zero."""

MOST_SEEN: Final = 200
"""The number of networks displayed to the host, those with the most recent requests."""


@dataclass(frozen=True, slots=True)
class Limits(TableLimits):
    """The limits of a server, including those of its tables. Times are in seconds.

    Attributes:
        address_rate, address_burst: Messages from all connections of one address. Further messages
            wait. The same limit applies to lookups of tables in the lobby, which are refused.
        arrivals, arrivals_at_once: New connections from one address, per second and at once.
            Further connections wait.
        screens: Connections with the link of one seat.
        spectators: Connections with the link for spectators of one table.
        connections: Connections of the whole server that have sent a hello message.
        address_connections: Connections from one address, with or without a hello message.
        pending: Connections that have not sent a hello message. If there are more, the oldest are
            closed.
        requests: Connections and requests of all kinds. New requests beyond this limit are answered
            with 503.
        tables: Tables in memory.
        openings, openings_at_once: New tables (including rematches), seats taken from the lobby or
            with an invitation, and QR codes for one address, per second and at once.
        hints: Choices of bots that wait for a process. If there are as many, a hint is refused.
        hello: Time in which a WebSocket must send its hello message, and a request its whole body.
        sending: Time in which a connection must receive a message before it is closed.
        unload: Time after which a table without people is unloaded.
        unload_finished: Time after which a table without people is unloaded if its match is over.
        sweep: Time between two searches for tables to unload.
    """

    address_rate: float = 200
    address_burst: int = 400
    arrivals: float = 20
    arrivals_at_once: int = 100
    screens: int = 8
    spectators: int = 200
    connections: int = 2000
    address_connections: int = 500
    pending: int = 200
    requests: int = 3000
    tables: int = 1000
    openings: float = 2
    openings_at_once: int = 50
    hints: int = 8
    hello: float = 5
    sending: float = 10
    unload: float = 600
    unload_finished: float = 60
    sweep: float = 5


class AddressUse:
    """The resources that one address uses."""

    def __init__(self, limits: Limits) -> None:
        self.arrivals: Bucket = Bucket(limits.arrivals, limits.arrivals_at_once)
        self.messages: Bucket = Bucket(limits.address_rate, limits.address_burst)
        self.lookups: Bucket = Bucket(limits.address_rate, limits.address_burst)
        self.openings: Bucket = Bucket(limits.openings, limits.openings_at_once)
        self.connections = 0
        self.ended = 0  # the number of closed connections
        self._guests: set[asyncio.Timeout] = set()

    @asynccontextmanager
    async def guest(self) -> AsyncIterator[None]:
        """Run the block until the host blocks the address, then raise `AddressBlocked` in it."""
        staying = asyncio.timeout(None)
        try:
            async with staying:
                self._guests.add(staying)
                yield
        except TimeoutError:
            raise AddressBlocked if staying.expired() else TimeoutError from None
        finally:
            self._guests.discard(staying)

    def turn_out(self, now: float) -> None:
        """End the blocks of all `guest` contexts."""
        for staying in self._guests:
            if not staying.expired():
                staying.reschedule(now)


@dataclass(slots=True)
class Visits:
    """The number of requests from an address, and the time of the last one."""

    requests: int = 0
    last: float = 0


class AddressLimits:
    """Counts connections and messages by the address of the client.

    Attributes:
        blocked: The networks that are blocked now.
        seen: The networks that have sent requests, the most recent at the end.
    """

    def __init__(self, limits: Limits, blocked: Iterable[str] = ()) -> None:
        self.blocked: set[str] = set(map(network_of, blocked))
        self.seen: dict[str, Visits] = {}
        self._limits = limits
        self._uses: dict[str, AddressUse] = {}

    def visit(self, address: str, now: float) -> None:
        """Count a request, or raise `AddressBlocked` if its network is blocked."""
        network = network_of(address)
        visits = self.seen.pop(network, None) or Visits()
        self.seen[network] = Visits(visits.requests + 1, now)
        if len(self.seen) > MOST_SEEN:
            del self.seen[next(iter(self.seen))]
        if network in self.blocked:
            raise AddressBlocked

    def block(self, network: str, now: float) -> None:
        """Block a network and close its connections."""
        self.blocked.add(network)
        if network in self._uses:
            self._uses[network].turn_out(now)

    def connections(self) -> dict[str, int]:
        """Return the number of connections from each network that has any."""
        return {network: it.connections for network, it in self._uses.items() if it.connections}

    @contextmanager
    def connect(self, address: str, loop: AbstractEventLoop) -> Iterator[AddressUse]:
        """Count a connection while the block runs, or raise `TooManyConnections`."""
        key = network_of(address)
        use = self._uses.setdefault(key, AddressUse(self._limits))
        if use.connections >= self._limits.address_connections:
            raise TooManyConnections("there are too many connections from your address")
        use.connections += 1
        try:
            yield use
        finally:
            use.connections -= 1
            use.ended += 1
            loop.call_later(FORGOTTEN, self._forget, key, use.ended)

    def _forget(self, key: str, ended: int) -> None:
        """Forget an address unless it has an open connection or one has been closed since."""
        use = self._uses.get(key)
        if use is not None and not use.connections and use.ended == ended:
            del self._uses[key]


class AddressBlocked(TabletopError):
    """The host has blocked an address."""

    def __init__(self, message: str = "your address is blocked by the host") -> None:
        super().__init__(message)


class TooManyConnections(Exception):
    """An address has too many connections."""


def is_address(name: str) -> bool:
    """Check whether a name is an IP address."""
    try:
        ip_address(name)
    except ValueError:
        return False
    return True


def network_of(address: str) -> str:
    """Return the network that counts as one address, in IPv6 the /64 of a customer."""
    try:
        number = ip_address(address)
    except ValueError:  # a proxy may send any name
        return address
    if isinstance(number, IPv6Address):
        return str(number.ipv4_mapped or IPv6Address(int(number) >> 64 << 64))
    return str(number)
