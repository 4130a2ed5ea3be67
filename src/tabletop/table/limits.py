"""Limits for the clients of a table."""

from __future__ import annotations

from dataclasses import dataclass

from tabletop.errors import TabletopError


class TooFast(TabletopError):
    """A client has sent too many requests. It may try again later."""

    def __init__(self, message: str = "too many messages; wait a moment and try again") -> None:
        super().__init__(message)


@dataclass(frozen=True, slots=True, kw_only=True)
class TableLimits:
    """The limits of a table. Times are in seconds.

    Attributes:
        rate, burst: Messages from one connection, per second and at once. A faster connection is
            closed. The same limit applies to all screens of one link together, whose messages wait
            instead.
        messages, messages_at_once: Chat messages, requests for consent, and replacements of players
            by bots from one link, per second and at once. Further requests are refused.
        undone: Undone actions in one match. Further undo requests are refused.
        looks, looks_at_once: Earlier positions drawn for one link, per second and at once.
        samples: States drawn for one request of a remote bot.
        waiting: Unread answers of one connection. If there are more, it is closed.
        pause: Time between the moves of bots.
        save_again: Time until a bot repeats a move that could not be saved. If it is 0, each
            failure is a `Fault`, so that the driver can solve the problem first.
        away_timeout: Time after which an absent player may be replaced by a bot, and at an open
            seat by a person from the lobby. Each table has its own limit for present players.
        chat: Whether players may chat, at tables whose settings allow it.
    """

    rate: float = 20
    burst: int = 40
    messages: float = 1
    messages_at_once: int = 10
    undone: int = 2000
    looks: float = 8
    looks_at_once: int = 40
    samples: int = 10
    waiting: int = 100
    pause: float = 0.4
    save_again: float = 5
    away_timeout: float = 120
    chat: bool = True


class Bucket:
    """A token bucket that refills at `rate` tokens per second, up to `burst` tokens."""

    def __init__(self, rate: float, burst: int, now: float = 0) -> None:
        self._rate = rate
        self._burst = burst
        self._level = float(burst)
        self._at = now

    def take(self, now: float) -> bool:
        """Take a token. Return False if the bucket is empty."""
        self._fill(now)
        if self._level < 1:
            return False
        self._level -= 1
        return True

    def wait(self, now: float) -> float:
        """Take a token and return the seconds to wait for it, after all who wait already."""
        self._fill(now)
        self._level -= 1
        return max(0.0, -self._level / self._rate)

    def _fill(self, now: float) -> None:
        self._level = min(self._burst, self._level + (now - self._at) * self._rate)
        self._at = now
