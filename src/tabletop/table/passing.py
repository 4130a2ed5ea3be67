"""The passes that a table plays for people who need not decide whether to react."""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Callable, Iterable
from typing import Any, Final

from tabletop.errors import NotPermitted, RecordError, TabletopError
from tabletop.protocol.incoming import ActIn, PassIn
from tabletop.rng.streams import Streams
from tabletop.rules.game import Game
from tabletop.states.bounds import Seat
from tabletop.table.holders import Holders
from tabletop.table.inputs import Effect, Fault
from tabletop.table.limits import TableLimits
from tabletop.table.match_requests import MatchRequests
from tabletop.table.seat_holder import SeatHolder

FIRST_TIMES: Final = (2.0, 3.0, 4.0)
"""Seconds to decide, before people at a table have decided."""

LONGEST: Final = 8.0
"""Maximum number of seconds before a pass."""

_log = logging.getLogger("tabletop")


class Passing:
    """The passes of people without another action, and of people who pass until a turn ends.

    Such a pass takes as long as one of the last decisions of people at this table, so that the
    others do not learn whether the player could have reacted. It comes before the time of the
    player is up. The turn belongs to the seats that acted last without being asked for a reaction.

    Args:
        requests: The rules for requests.
        holders: The people.
        limits: The limits of the table.
        effects: The effects of the table, to which faults are added.
        secret: Returns the seed of a stream that nobody can know, for the times.
        time_to_act: Returns the seconds that some seats have left at a time, or None for no limit.
        hosted: Whether people play at machines of their own. Otherwise, passes take no time, and
            only a single person passes without being asked.

    Attributes:
        until_end: The seats that pass until the end of the turn.
        exists: Whether the game has reactions on which a player can pass.
    """

    def __init__(
        self,
        requests: MatchRequests,
        holders: Holders,
        limits: TableLimits,
        effects: list[Effect],
        secret: Callable[[], str],
        *,
        time_to_act: Callable[[Iterable[Seat], float], float | None],
        hosted: bool,
    ) -> None:
        self.until_end: set[Seat] = set()
        self._requests = requests
        self._players = requests.players
        self._match = requests.match
        self._holders = holders
        self._limits = limits
        self._effects = effects
        self._secret = secret
        self._time_to_act = time_to_act
        self._hosted = hosted
        self.exists: bool = type(requests.match.game).passing is not Game.passing
        self._turn: list[Seat] = []
        self._since: dict[Seat, float] = {}  # when the seats were asked
        self._due: dict[Seat, float] = {}  # when they pass
        self._times = deque(FIRST_TIMES, maxlen=len(FIRST_TIMES))
        self.changed()

    @property
    def deadline(self) -> float | None:
        """The time of the next pass, or None."""
        return min(self._due.values(), default=None)

    def _action(self, seat: Seat) -> Any:
        """Return the action with which a seat passes now, or None if it is not asked to react.

        None also if the rules fail.
        """
        match = self._match
        if seat not in match.to_act:
            return None
        try:
            return match.game.passing(match.state, seat)
        except Exception:
            _log.exception("`passing` of %s has failed", match.game.name)
            return None

    def changed(self) -> None:
        """Note a new position. In a new turn, everybody decides again."""
        if self.exists:
            to_act = self._match.to_act
            turn = [seat for seat in to_act if self._action(seat) is None]
            if turn and turn != self._turn:
                self._turn = turn
                self.until_end.clear()

    def tick(self, now: float) -> None:
        """Plan the passes of the people to act, and pass for those whose time has come."""
        if not self.exists:
            return
        self._plan(now)
        while (seat := next((it for it, at in self._due.items() if at <= now), None)) is not None:
            if not self._pass(seat, now):
                return
            self._plan(now)

    def _plan(self, now: float) -> None:
        plans_all = self._hosted or len(self._players.people) == 1
        waiting = () if self._requests.waits else self._players.waiting_for
        asked = [seat for seat in waiting if self._action(seat) is not None]
        self._since = {seat: self._since.get(seat, now) for seat in asked}
        self._due = {
            seat: self._due[seat] if seat in self._due else now + self._time(seat, now)
            for seat in asked
            if seat in self.until_end or (plans_all and len(self._match.legal_actions(seat)) == 1)
        }

    def _time(self, seat: Seat, now: float) -> float:
        """Return the seconds before a pass."""
        if not self._hosted:
            return 0
        time = Streams(self._secret())["passes"].choice(self._times)
        left = self._time_to_act([seat], now)
        return time if left is None else min(time, left / 2)

    def _pass(self, seat: Seat, now: float) -> bool:
        """Pass for a seat, or try again later. Return whether the seat has passed."""
        requests, ply = self._requests, self._match.ply
        try:
            for holder in self._holders:
                if seat in holder.played_seats:
                    requests.carry_out(holder, ActIn(str(self._action(seat)), seat=seat))
                    requests.undoing.automatic.add(ply)
                    return True
        except RecordError as error:
            self._effects.append(Fault(f"a table of {self._match.game.name}", error))
        self._due[seat] = now + max(self._limits.save_again, min(FIRST_TIMES))
        return False

    def acted(self, seat: Seat, now: float) -> None:
        """Note that a seat has acted, and how long a decision took."""
        since = self._since.pop(seat, None)
        if self._due.pop(seat, None) is None and since is not None:
            self._times.append(min(now - since, LONGEST))

    # Requests.

    def request(self, holder: SeatHolder, request: PassIn, now: float) -> None:
        """Let a person pass now and until the end of the turn, or decide again.

        Raises:
            TabletopError: The table is closed, the game has no reactions, the person does not have
                the seat, or it is to act and not asked for a reaction.
        """
        holder.check_open()
        if not self.exists:
            raise TabletopError("this game has no reactions on which you could pass")
        seat = holder.seat if request.seat is None else request.seat
        if seat is None or seat not in holder.played_seats:
            raise NotPermitted("this is not your seat")
        action = self._action(seat)
        if request.on and action is None and seat in self._match.to_act:
            raise TabletopError("you are not asked for a reaction now, so you cannot skip this")
        if request.on:
            self.until_end.add(seat)
            if action is not None:
                self._due[seat] = now
        else:
            self.until_end.discard(seat)
            self._due.pop(seat, None)
        holder.refresh()

    def mode(self, seats: Iterable[Seat]) -> bool | None:
        """Return whether one of these seats passes until the end of the turn.

        None if no seat does, and none is asked for a reaction.
        """
        own = set(seats)
        if own & self.until_end:
            return True
        is_asked = self.exists and any(self._action(seat) is not None for seat in own)
        return False if is_asked else None
