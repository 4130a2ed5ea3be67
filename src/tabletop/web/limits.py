"""How much a client may do: messages, connections, tables."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits of a server; times are seconds.

    Attributes:
        rate, burst: so many messages a second from one connection, and so many at once.
        screens: so many connections with one link.
        connections: so many connections in all, of those who have said hello.
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
    screens: int = 200
    connections: int = 2000
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
        now: the time, in seconds from any point on.
    """

    def __init__(self, rate: float, burst: int, now: float) -> None:
        self._rate = rate
        self._burst = burst
        self._level = float(burst)
        self._at = now

    def take(self, now: float) -> bool:
        """Whether one more may happen now."""
        self._level = min(self._burst, self._level + (now - self._at) * self._rate)
        self._at = now
        if self._level < 1:
            return False
        self._level -= 1
        return True
