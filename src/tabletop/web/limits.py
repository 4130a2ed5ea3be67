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

FORGOTTEN: Final = 60.0
"""So many seconds after a connection an address without one is forgotten: then it may do again what
a new one may.
"""

MOST_SEEN: Final = 200
"""The host is told of so many addresses: those that have asked for something last."""


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits of a server; times are seconds.

    Attributes:
        rate, burst: messages per second from one connection, and at once; more close it. All
            screens of one link together may send as many; more wait.
        address_rate, address_burst: messages from all connections of one address; more wait. So
            many tables may be asked for besides; more are refused.
        arrivals, arrivals_at_once: new connections per second from one address; more wait.
        screens: connections with the link of one seat.
        spectators: connections with the link for spectators of one table.
        connections: connections in all that have said hello.
        address_connections: connections from one address, before hello or after.
        pending: connections that have not said hello; with more, the oldest are closed.
        requests: connections and requests of all kinds; with more, new requests are answered
            with 503.
        tables: tables in memory.
        openings, openings_at_once: new tables, also to play again, and seats taken from the lobby,
            per second from one address, and at once.
        hints: a hint is refused while so many choices of bots wait for a process.
        words, words_at_once: what the people of one link may say, or ask the others, or who they
            may have play for a seat, per second, and at once; more is refused.
        undone: actions that are undone in one match; after so many nothing more is.
        looks, looks_at_once: earlier positions per second that are drawn for one link, and at once.
        samples: states that are drawn for one request of a bot at a distance.
        hello: a WebSocket must say hello, and the body of a request must be complete, within this
            time.
        sending: a connection that takes longer to receive a message is closed.
        waiting: unread answers of one connection; with more, it is closed.
        pause: time between the moves of bots.
        save_again: time until a bot repeats a move that could not be saved.
        patience: a person who is away for this time may be replaced by a bot, and at an open seat
            by Someone from the lobby. A table says itself how long people wait for who is here.
        idle: a table without people for this time is put away.
        finished: the same for a table whose match is over.
        sweep: time between two searches for such tables.
    """

    rate: float = 20
    burst: int = 40
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
    words: float = 1
    words_at_once: int = 10
    undone: int = 2000
    looks: float = 8
    looks_at_once: int = 40
    samples: int = 10
    hello: float = 5
    sending: float = 10
    waiting: int = 100
    pause: float = 0.4
    save_again: float = 5
    patience: float = 120
    idle: float = 600
    finished: float = 60
    sweep: float = 5


class Bucket:
    """A token bucket: so many things may happen per second (`rate`), and at once (`burst`)."""

    def __init__(self, rate: float, burst: int, now: float = 0) -> None:
        self._rate = rate
        self._burst = burst
        self._level = float(burst)
        self._at = now

    def take(self, now: float) -> bool:
        """Take one; False when the bucket is empty."""
        self._fill(now)
        if self._level < 1:
            return False
        self._level -= 1
        return True

    def wait(self, now: float) -> float:
        """Take one, and say how many seconds it has to wait behind those that wait already."""
        self._fill(now)
        self._level -= 1
        return max(0.0, -self._level / self._rate)

    def _fill(self, now: float) -> None:
        self._level = min(self._burst, self._level + (now - self._at) * self._rate)
        self._at = now


class AddressUse:
    """The resources that one address uses."""

    def __init__(self, limits: Limits) -> None:
        self.arrivals: Bucket = Bucket(limits.arrivals, limits.arrivals_at_once)
        self.messages: Bucket = Bucket(limits.address_rate, limits.address_burst)
        self.lookups: Bucket = Bucket(limits.address_rate, limits.address_burst)
        self.openings: Bucket = Bucket(limits.openings, limits.openings_at_once)
        self.connections = 0
        self.ended = 0  # how many connections have
        self._guests: set[asyncio.Timeout] = set()

    @asynccontextmanager
    async def guest(self) -> AsyncIterator[None]:
        """Let the block run until the host closes the door: then it is left with `DoorClosed`."""
        staying = asyncio.timeout(None)
        try:
            async with staying:
                self._guests.add(staying)
                yield
        except TimeoutError:
            raise DoorClosed if staying.expired() else TimeoutError from None
        finally:
            self._guests.discard(staying)

    def turn_out(self, now: float) -> None:
        """Have all guests leave."""
        for staying in self._guests:
            if not staying.expired():
                staying.reschedule(now)


@dataclass(slots=True)
class Visits:
    """What is known of an address: how often something was asked from there, and when last."""

    asked: int = 0
    last: float = 0


class AddressLimits:
    """Counts connections and messages by the address they come from.

    Args:
        limits: what an address may do.
        closed: The blocked addresses or networks.

    Attributes:
        closed: The networks that are blocked now.
        seen: the networks that have asked for something last, the newest at the end.
    """

    def __init__(self, limits: Limits, closed: Iterable[str] = ()) -> None:
        self.closed: set[str] = set(map(network_of, closed))
        self.seen: dict[str, Visits] = {}
        self._limits = limits
        self._uses: dict[str, AddressUse] = {}

    def visit(self, address: str, now: float) -> None:
        """Count a request, or raise `DoorClosed` if its network is blocked."""
        network = network_of(address)
        visits = self.seen.pop(network, None) or Visits()
        self.seen[network] = Visits(visits.asked + 1, now)
        if len(self.seen) > MOST_SEEN:
            del self.seen[next(iter(self.seen))]
        if network in self.closed:
            raise DoorClosed

    def close_door(self, network: str, now: float) -> None:
        """Refuse all that comes from a network, and have those leave who came from there."""
        self.closed.add(network)
        if network in self._uses:
            self._uses[network].turn_out(now)

    def connections(self) -> dict[str, int]:
        """The number of connections from each network that has any."""
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
        """Forget an address, unless another connection is there, or has ended since."""
        use = self._uses.get(key)
        if use is not None and not use.connections and use.ended == ended:
            del self._uses[key]


class TooFast(TabletopError):
    """Somebody has said too much at once; later it is allowed."""


class DoorClosed(TabletopError):
    """The host has closed the door to an address."""

    def __init__(self, message: str = "your address is blocked by the host") -> None:
        super().__init__(message)


class TooManyConnections(Exception):
    """There are too many connections from one address."""


def is_address(name: str) -> bool:
    """Check whether a name is an IP address."""
    try:
        ip_address(name)
    except ValueError:
        return False
    return True


def network_of(address: str) -> str:
    """The network that counts as one address: in IPv6 a /64, which one customer has."""
    try:
        number = ip_address(address)
    except ValueError:  # whatever a proxy calls it
        return address
    if isinstance(number, IPv6Address):
        return str(number.ipv4_mapped or IPv6Address(int(number) >> 64 << 64))
    return str(number)
