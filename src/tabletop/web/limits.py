"""How much a client may do: messages, connections, tables."""

from __future__ import annotations

from asyncio import AbstractEventLoop
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from ipaddress import IPv6Address, ip_address
from typing import Final

FORGOTTEN: Final = 20.0
"""After so many seconds nobody knows any more what came from an address where nobody is."""


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits of a server; times are seconds.

    Attributes:
        rate, burst: so many messages a second from one connection, and so many at once; whoever
            sends more is disconnected. All screens of one link share as many: more wait.
        address_rate, address_burst: the same of all connections from one address; more wait.
        arrivals, arrivals_at_once: so many connections a second from one address, and so many at
            once; more wait.
        screens: so many connections with the link of a seat.
        spectators: so many with the link for spectators.
        connections: so many connections in all, of those who have said hello.
        address_connections: so many from one address, whether they have or not.
        strangers: so many that have not; of more, those that have waited longest are closed.
        tables: so many tables in memory.
        openings, openings_at_once: so many tables are opened a second, and so many at once.
        hello: within this time a connection says who it is, or what it asks for.
        sending: a connection that takes longer to receive something is closed.
        waiting: so many answers wait for a connection that does not read; then it is closed.
        pause: between the moves of bots, so that people see each; see `tabletop.web.bots`.
        patience: whoever has been gone for so long may be replaced by a bot.
        idle: a table at which nobody has been for so long leaves memory.
        finished: and so does one whose match is over.
        sweep: how often that is looked for.
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
    strangers: int = 200
    tables: int = 1000
    openings: float = 2
    openings_at_once: int = 50
    hello: float = 5
    sending: float = 10
    waiting: int = 100
    pause: float = 0.4
    patience: float = 120
    idle: float = 600
    finished: float = 60
    sweep: float = 5


class Bucket:
    """Lets so many things happen a second, and so many at once.

    Args:
        rate: how many a second.
        burst: how many at once.
        now: the time, in seconds from any point on; it may be any time before the first use.
    """

    def __init__(self, rate: float, burst: int, now: float = 0) -> None:
        self._rate = rate
        self._burst = burst
        self._level = float(burst)
        self._at = now

    def take(self, now: float) -> bool:
        """Whether one more may happen now."""
        self._fill(now)
        if self._level < 1:
            return False
        self._level -= 1
        return True

    def wait(self, now: float) -> float:
        """How many seconds the next one has to wait, behind all that wait already."""
        self._fill(now)
        self._level -= 1
        return max(0.0, -self._level / self._rate)

    def is_full(self, now: float) -> bool:
        """Whether nothing has happened for so long that it does not matter any more."""
        self._fill(now)
        return self._level >= self._burst

    def _fill(self, now: float) -> None:
        self._level = min(self._burst, self._level + (now - self._at) * self._rate)
        self._at = now


@dataclass(slots=True)
class Caller:
    """Whoever connects from one address: how often, what they send, and how many are there."""

    arrivals: Bucket
    messages: Bucket
    connections: int = 0


class Callers:
    """Counts connections and messages by the address they come from.

    Args:
        limits: how much may come from one address.
    """

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._callers: dict[str, Caller] = {}

    @contextmanager
    def connect(self, address: str, loop: AbstractEventLoop) -> Iterator[Caller]:
        """Count a connection from an address as long as the block runs.

        Raises:
            TooManyConnections: there are too many from there already.
        """
        limits, key = self._limits, network_of(address)
        arrivals = Bucket(limits.arrivals, limits.arrivals_at_once)
        messages = Bucket(limits.address_rate, limits.address_burst)
        caller = self._callers.setdefault(key, Caller(arrivals, messages))
        if caller.connections >= limits.address_connections:
            raise TooManyConnections
        caller.connections += 1
        try:
            yield caller
        finally:
            caller.connections -= 1
            if not caller.connections:
                loop.call_later(FORGOTTEN, self._forget, key, loop)

    def _forget(self, key: str, loop: AbstractEventLoop) -> None:
        """Forget who has been gone for so long that they may do as much as a newcomer."""
        caller, now = self._callers.get(key), loop.time()
        if caller is None or caller.connections:
            return
        if caller.arrivals.is_full(now) and caller.messages.is_full(now):
            del self._callers[key]
        else:
            loop.call_later(FORGOTTEN, self._forget, key, loop)


class TooManyConnections(Exception):
    """There are too many connections from one address."""


def network_of(address: str) -> str:
    """What addresses count as one: of IPv6 the first 64 bits, as one customer has all the rest."""
    try:
        number = ip_address(address)
    except ValueError:  # whatever a proxy calls it
        return address
    if isinstance(number, IPv6Address):
        return str(number.ipv4_mapped or IPv6Address(int(number) >> 64 << 64))
    return str(number)
