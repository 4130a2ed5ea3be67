"""How long people wait for somebody: who is away, or does not act, may be replaced by a bot."""

from __future__ import annotations

from asyncio import AbstractEventLoop, TimerHandle
from collections.abc import Callable, Container, Iterable
from dataclasses import dataclass
from typing import Final

from tabletop.states.bounds import Seat

NOTICE: Final = 60.0
"""Who does not act is warned so many seconds before, or after half the time if that is later."""


@dataclass(slots=True)
class _Wait:
    """Since when a seat is to act, and whether it has been warned, and the others told."""

    since: float
    warned: bool = False
    told: bool = False


class Patience:
    """Says which seats the others may give to a bot: their people are away, or do not act.

    Args:
        loop: tells the time.
        away: how many seconds people wait for who is away.
        idle: and for who is here and does not act; None for ever.
        on_away: called with a seat whose person has been away for so long.
        on_idle: called with a seat whose person has not acted for so long.
        warn: called with a seat some time before that, and the seconds that are left.
    """

    def __init__(
        self,
        loop: AbstractEventLoop,
        away: float,
        idle: float | None,
        *,
        on_away: Callable[[Seat], object],
        on_idle: Callable[[Seat], object],
        warn: Callable[[Seat, float], object],
    ) -> None:
        self.idle = idle
        self._loop = loop
        self._away_for = away
        self._on_away = on_away
        self._on_idle = on_idle
        self._warn = warn
        self._away: dict[Seat, TimerHandle] = {}
        self._gone: set[Seat] = set()
        self._waits: dict[Seat, _Wait] = {}
        self._asked: tuple[Seat, ...] = ()
        self._ply = 0
        self._timer = loop.call_later(0, bool)

    @property
    def offered(self) -> set[Seat]:
        """The seats that may be given to a bot."""
        return self._gone | {seat for seat in self._asked if self._waits[seat].told}

    # Who is away.

    def came(self, seat: Seat) -> None:
        """Note that the person of a seat is here."""
        self._gone.discard(seat)
        if seat in self._away:
            self._away.pop(seat).cancel()

    def left(self, seat: Seat) -> None:
        """Note that the person of a seat is not here."""
        if seat not in self._away:
            self._away[seat] = self._loop.call_later(self._away_for, self._is_gone, seat)

    def _is_gone(self, seat: Seat) -> None:
        self._gone.add(seat)
        self._on_away(seat)

    # Who does not act.

    def wait_for(self, seats: Iterable[Seat]) -> None:
        """Wait for these people, who are to act, and for no others."""
        if self.idle is None:
            return
        self._asked = tuple(seats)
        for seat in self._asked:
            self._waits.setdefault(seat, _Wait(self._loop.time()))
        self._look()

    def acted(self, seat: Seat, ply: int, to_act: Container[Seat]) -> None:
        """Note that a seat has acted, and who is to act now.

        Who takes an action back, and plays another one, has not gained time: `ply` has to be new.
        """
        if ply > self._ply:
            self._ply = ply
            self._waits = {
                it: wait for it, wait in self._waits.items() if it != seat and it in to_act
            }
            self._asked = tuple(it for it in self._asked if it in self._waits)

    def replaced(self, seat: Seat) -> None:
        """Note that somebody else has a seat now, who is not here yet: they have all the time."""
        self._waits.pop(seat, None)
        self._asked = tuple(it for it in self._asked if it != seat)
        self.came(seat)
        self.left(seat)

    def forget(self) -> None:
        """Begin anew to wait for people: there was a pause."""
        self._waits.clear()
        self._asked = ()

    def _look(self) -> None:
        """Warn who has not acted for long, and tell the others; look again when that is due."""
        self._timer.cancel()
        if self.idle is None or not self._asked:
            return
        now, notice = self._loop.time(), max(self.idle - NOTICE, self.idle / 2)
        for seat in self._asked:
            wait = self._waits[seat]
            left = wait.since + self.idle - now
            if left <= 0 and not wait.told:
                wait.told = True
                self._on_idle(seat)
            elif left > 0 and left <= self.idle - notice and not wait.warned:
                wait.warned = True
                self._warn(seat, left)
        waits = [self._waits[seat] for seat in self._asked]
        due = [it.since + (self.idle if it.warned else notice) for it in waits if not it.told]
        if due:
            self._timer = self._loop.call_at(min(due) + 0.01, self._look)

    def close(self) -> None:
        """Wait for nobody any more."""
        self._timer.cancel()
        for timer in self._away.values():
            timer.cancel()
