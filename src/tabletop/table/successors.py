"""The players who follow people who are away, idle, out of time or have lost."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from msgspec import UnsetType

from tabletop.errors import RecordError, TabletopError
from tabletop.protocol.incoming import ReseatIn
from tabletop.protocol.outgoing import NoteOut
from tabletop.protocol.settings import TableSettings
from tabletop.records.format import HUMAN
from tabletop.states.bounds import Seat
from tabletop.table.bot_names import refuse_bot
from tabletop.table.bot_turns import UNSAVED
from tabletop.table.clocks import Clocks
from tabletop.table.holders import Holders
from tabletop.table.idle_timeout import IdleTimeout
from tabletop.table.inputs import Effect, Fault
from tabletop.table.limits import TableLimits
from tabletop.table.match_requests import MatchRequests
from tabletop.table.presence import Presence
from tabletop.table.seat_holder import SeatHolder
from tabletop.wording import plural

RETRY: Final = 5.0
"""Seconds until a bot is started again for a person who has lost, if `save_again` is 0."""


class Successors:
    """Offers seats of people to the others, and lets bots play for people who have lost.

    Args:
        requests: The rules for requests.
        holders: The people.
        clocks: The clocks.
        settings: The settings of the table.
        limits: The limits of the table.
        effects: The effects of the table, to which faults are added.
        show: Shows everybody which seats are offered now.

    Attributes:
        presence: Who is away, and since when.
        idle: Who does not act, and since when.
    """

    def __init__(
        self,
        requests: MatchRequests,
        holders: Holders,
        clocks: Clocks,
        *,
        settings: TableSettings,
        limits: TableLimits,
        effects: list[Effect],
        show: Callable[[float], object],
    ) -> None:
        timeout = settings.idle_timeout
        self.presence: Presence = Presence(limits.away_timeout)
        self.idle: IdleTimeout = IdleTimeout(None if isinstance(timeout, UnsetType) else timeout)
        self._requests = requests
        self._match = requests.match
        self._players = requests.players
        self._holders = holders
        self._clocks = clocks
        self._settings = settings
        self._limits = limits
        self._effects = effects
        self._show = show
        self._replace_at: dict[Seat, float] = {}  # when to try again to seat bots

    @property
    def deadline(self) -> float | None:
        """The time of the next `tick`, or None."""
        deadlines = [part.deadline for part in (self.presence, self.idle, self._clocks)]
        deadlines += self._replace_at.values()
        return min((it for it in deadlines if it is not None), default=None)

    @property
    def offered(self) -> tuple[Seat, ...]:
        """The seats of people that the others may give to a bot."""
        offered = self.presence.absent | self.idle.expired
        return tuple(sorted(offered.intersection(self._players.people)))

    def lost(self, now: float) -> tuple[Seat, ...]:
        """Return the seats that have lost or whose time is up, so that no person may take them."""
        lost, has_run_out = self._match.lost, self._clocks.has_run_out
        return tuple(it for it in range(self._match.seats) if it in lost or has_run_out(it, now))

    def is_free(self, seat: Seat, now: float) -> bool:
        """Check whether a new player may take a seat, because nobody has come or is coming back."""
        has_lost = self._match.over or seat in self.lost(now)
        return not has_lost and self.presence.is_free(seat, now)

    # Time.

    def tick(self, now: float) -> None:
        """Offer and replace the seats whose time has come, and run the clocks."""
        for seat in self.presence.tick(now):
            if not self._match.over and self._players.is_person(seat):
                self._offer(f"{self._match.names[seat]} has been away for long", now)
        for seat, left in self.idle.tick(now):
            self._note_idle(seat, left, now)
        for seat in self._clocks.expired(now):
            if self._is_lenient:  # otherwise an event reports the loss
                self._holders.note(f"the time of {self._match.names[seat]} is up")
            self._replace_at[seat] = now
        self.replace(now)
        self.run_clocks(now)

    def run_clocks(self, now: float) -> None:
        """Run the clocks of the seats that are to act, once everybody has come."""
        self.note_losers(now)
        holders, people = self._holders, self._players.people
        has_begun = holders.expected.intersection(people) <= self.presence.visited
        waiting = () if self._requests.waits or not has_begun else self._players.waiting_for
        self._clocks.run(waiting, now)
        # Nobody else waits for a player who plays with bots alone.
        sitting = sum(bool(holder.played_seats) for holder in holders)
        self.idle.wait_for(waiting if sitting > 1 else (), now)

    def _note_idle(self, seat: Seat, left: float, now: float) -> None:
        """Warn a player who does not act, or offer the seat if no time is left."""
        holder = self._holders.reseating(seat)
        if not left:
            waited = _in_words(self.idle.seconds or 0)
            self._offer(f"{self._match.names[seat]} has not acted for {waited}", now)
        elif holder is not None:
            warning = f"in {_in_words(left)} the others may give your seat to a bot"
            holder.send(NoteOut(f"it is your turn: {warning}"))

    def _offer(self, why: str, now: float) -> None:
        self._show(now)
        self._holders.note(f"{why}: this seat may be given to a bot")

    @property
    def _is_lenient(self) -> bool:
        """Whether a bot plays on for people whose time is up, and they do not lose."""
        return self._settings.bot_on_time or not self._match.has_opponents

    def note_losers(self, now: float) -> None:
        """Note the people who have lost, so that bots play for them."""
        for seat in self._match.lost:
            if self._players.is_person(seat) and not self._match.over:
                self._replace_at.setdefault(seat, now)

    def replace(self, now: float) -> None:
        """Let bots play for people who have lost or whose time is up."""
        for seat in [seat for seat, at in self._replace_at.items() if at <= now]:
            self._give_to_bot(seat, now)

    def _give_to_bot(self, seat: Seat, now: float) -> None:
        """Let the best bot play for a person.

        Unless the setting `bot_on_time` is on, a person whose time is up loses first. Try again if
        this fails or cannot be saved.
        """
        del self._replace_at[seat]
        match = self._match
        if match.over or not self._players.is_person(seat):
            return
        try:
            if not self._is_lenient and seat not in match.lost:
                self._requests.concede(seat, "time")
            if not match.over:
                self.reseat(seat, self._players.plugin.best_bot)
        except Exception as error:  # also of a bot that fails to start
            self._effects.append(Fault("no bot can play on", error))
            if isinstance(error, RecordError):
                self._holders.note(f"no bot can play on, because {UNSAVED}")
            self._replace_at[seat] = now + (self._limits.save_again or RETRY)

    # Players of seats.

    def reseat(self, seat: Seat, player: str) -> None:
        """Change the player of a seat, or raise the reason against it."""
        holder = self._holders.reseating(seat)
        if holder is None:
            raise TabletopError("nobody plays at this table")
        holder.request(ReseatIn(seat, player))

    def reseat_for(self, holder: SeatHolder, seat: Seat, player: str, now: float) -> None:
        """Change the player of a seat for a holder, or raise the reason against it."""
        if holder.is_shared:  # people at one keyboard decide for each other
            holder.request(ReseatIn(seat, player))
            return
        expected = self._holders.expected
        if not 0 <= seat < self._match.seats:
            raise TabletopError(f"there is no seat {seat + 1}")
        is_own = seat in holder.all_seats
        if player.casefold() == HUMAN:
            if self._clocks.has_run_out(seat, now):
                does = "acts; then come back" if self._clocks.are_per_action else "plays on"
                raise TabletopError(f"your time is up: the bot {does}")
            # A player who comes back would not know that others have seen their secrets.
            if not is_own and (seat in expected or len(expected.union(self._players.people)) != 1):
                raise TabletopError("you may not take this seat")
        else:
            refusal = refuse_bot(self._players.plugin, player)
            if refusal is not None:
                raise refusal
            if not is_own and seat in self.offered and holder.has_seat:
                self.reseat(seat, player)
                return
        holder.request(ReseatIn(seat, player))


def _in_words(seconds: float) -> str:
    """Return a time in words, such as `5 minutes` or `90 seconds`."""
    minutes, rest = divmod(round(seconds), 60)
    if minutes > 1 and not rest:
        return plural(minutes, "minute")
    return plural(max(1, round(seconds)), "second")
