"""A table in the browser: a session, the screens that look at it, its bots and its clocks."""

from __future__ import annotations

import logging
from asyncio import AbstractEventLoop, Lock
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final, TypeVar

from tabletop.errors import TabletopError
from tabletop.outcome import Seat
from tabletop.records.entries import HUMAN
from tabletop.session import BotFailed, Changed, News, Reseat, Seated, Session, UndoDropped
from tabletop.web.bots import BotRunner
from tabletop.web.clocks import Clocks
from tabletop.web.front import WebFront
from tabletop.web.fronts import Fronts, all_seats
from tabletop.web.limits import Limits
from tabletop.web.messages import NoteTold, TableTold
from tabletop.web.presence import Presence
from tabletop.web.showing import called, commitment_of
from tabletop.web.tokens import Doors
from tabletop.web.viewer import Viewer
from tabletop.wording import listed

GOING_AWAY: Final = 1001
"""The code of a connection that is closed because the server, or the table, comes to an end."""

T = TypeVar("T")

_log = logging.getLogger("tabletop")


class WebTable:
    """A session with its fronts in the browser. All of it happens on the thread of the loop.

    Args:
        session: the match, and who sits at it.
        doors: who is admitted.
        loop: runs the bots and tells the time.
        sits: for each door, the seats behind it; None for all that no other front has. By default
            each seat that has a link has its own.
        limits: how much a client may do, and when.
        casual: whether actions may be taken back freely, also between people.
        clocks: the seconds that each seat has left; none run without it.
        runs_bots: whether the bots act here; else whoever runs the session has them act.
        turn: lets the bots of several tables act one after the other.
        on_change: called when something has changed that is to be kept.
        reopen: opens a table for the same people; none is opened without it.

    Attributes:
        session: the same.
        doors: the same.
        casual: the same.
        clocks: the same.
        fronts: who looks, and where they sit.
        quiet_since: since when nobody has been here; None while somebody is.
    """

    def __init__(
        self,
        session: Session,
        doors: Doors,
        loop: AbstractEventLoop,
        *,
        sits: Mapping[Seat, Iterable[Seat] | None] | None = None,
        limits: Limits | None = None,
        casual: bool = False,
        clocks: Clocks | None = None,
        runs_bots: bool = True,
        turn: Lock | None = None,
        on_change: Callable[[], object] = bool,
        reopen: Callable[[], object] | None = None,
    ) -> None:
        self.session = session
        self.doors = doors
        self.limits = limits or Limits()
        self.casual = casual
        self.clocks = clocks or Clocks([None] * session.match.seats)
        self.quiet_since: float | None = loop.time()
        self._loop = loop
        self._on_change = on_change
        self._reopen = reopen
        self._bots = BotRunner(
            session, self.limits.pause, self._bots_may_act, self._broke_off, turn
        )
        self._runs_bots = runs_bots
        self._closed = False
        self._awake = False
        self._here: tuple[bool, ...] = ()  # as everybody was told last
        self._timer = loop.call_later(0, bool)
        self._failed: list[BotFailed] = []
        self._broken: dict[Seat, str] = {}  # the bots that nobody plays on for yet
        if sits is None:
            sits = {seat: [seat] for seat, kept in enumerate(doors.seats) if kept is not None}
        self.fronts = Fronts(session, self.limits, told=self._table_told, hears=self._hear)
        for door, seats in (*sits.items(), (None, ())):
            self.fronts.open(door, seats)
        self._presence = Presence(self.fronts.awaited, self.limits.patience, loop, self._offer)
        self._wake()

    # Who is here.

    def front_of(self, token: str) -> WebFront:
        """Where somebody with a token sits.

        Raises:
            NotAdmitted: it opens nothing here.
        """
        return self.fronts.behind(self.doors.admit(token))

    def attach(self, front: WebFront, viewer: Viewer) -> None:
        """A screen looks from now on."""
        front.welcome(viewer)
        self.quiet_since = None
        self._set_presence()

    def detach(self, front: WebFront, viewer: Viewer) -> None:
        """A screen looks no more."""
        front.viewers.discard(viewer)
        if not self.fronts.connections:
            self.quiet_since = self._loop.time()
        self._set_presence()

    def _set_presence(self) -> None:
        """See who is here, and tell everybody where that has changed."""
        for seat in self.fronts.awaited:
            if self.fronts.behind(seat).is_here:
                self._presence.came(seat)
            else:
                self._presence.left(seat)
        if self._here != self.here:
            self._here = self.here
            self.fronts.retell()
        self._wake()

    def _offer(self, seat: Seat) -> None:
        match = self.session.match
        if match.over or self.session.players[seat] != HUMAN:
            return
        name = match.names[seat]
        self.fronts.note(f"{name} has been gone for long: this seat may be given to a bot")
        self.fronts.retell()

    @property
    def here(self) -> tuple[bool, ...]:
        """Whether somebody is connected for each seat; bots always are."""
        present = self.fronts.present
        players = enumerate(self.session.players)
        return tuple(player != HUMAN or seat in present for seat, player in players)

    def _table_told(self, front: WebFront) -> TableTold:
        session, plugin = self.session, self.session.plugin
        own = front.place.seats or tuple(sorted(front.place.own or ()))
        offered = [it for it in self._presence.offered if session.players[it] == HUMAN]
        return TableTold(
            game=plugin.game.name,
            title=plugin.game.title or plugin.game.name,
            names=session.match.names,
            called=called(plugin, session.match.names),
            players=session.players,
            you=own,
            spectator=not own,
            bots=tuple(plugin.bots),
            here=self.here,
            offered=tuple(sorted(offered)),
            casual=self.casual,
            free_undo=session.undo_is_free,
            clock=self.clocks.left(self._loop.time()),
            running=self.clocks.running,
            salted=session.match.salt is not None,
            commitment=commitment_of(session.match),
            hosted=self._reopen is not None,
        )

    # News.

    def _hear(self, front: WebFront, news: News) -> None:
        if isinstance(news, Changed | Seated | BotFailed) and front is self.fronts.spectators:
            if isinstance(news, Seated):
                self._say_seated(news)
            elif isinstance(news, BotFailed):
                self._broken[news.seat] = news.player
                if self._runs_bots:
                    self._failed.append(news)
            self._wake()
        elif isinstance(news, UndoDropped):
            self._say_dropped(front, news)

    def _say_dropped(self, front: WebFront, news: UndoDropped) -> None:
        """Tell those whom it concerns that nothing is taken back; one note for each front."""
        names = self.session.match.names
        if news.refused:
            who = listed([names[seat] for seat in news.refused], "and")
            front.tell(NoteTold(f"{who} said no: nothing is taken back"))
        else:
            front.tell(NoteTold("nothing is taken back: the match has gone on"))

    def _say_seated(self, news: Seated) -> None:
        name = self.session.match.names[news.seat]
        said = f"the bot {news.player} plays for {name} now"
        broken = self._broken.pop(news.seat, "")
        why = f"the bot {broken} has failed: " if broken else ""
        self.fronts.note(
            why + (f"{name} plays again" if news.player == HUMAN else said), logged=True
        )

    def _wake(self) -> None:
        """Look soon what is to be done: not while news are still being told."""
        if not self._awake and not self._closed:
            self._awake = True
            self._loop.call_soon(self._look_after)

    def _look_after(self) -> None:
        self._awake = False
        if self._closed:
            return
        failed, self._failed = self._failed, []
        for news in failed:
            self._replace(news)
        self._wind_clocks()
        if self._runs_bots:
            self._bots.run(self._loop)
        self._on_change()

    # Bots.

    def _bots_may_act(self) -> bool:
        """Where only bots play, they wait until somebody looks."""
        return not self._closed and (bool(self.session.people) or self.fronts.connections > 0)

    def _broke_off(self, error: Exception) -> None:
        if not isinstance(error, TabletopError):
            _log.error("a bot has failed", exc_info=error)
        self.fronts.note(f"the bots cannot play on: {error}")

    def _replace(self, news: BotFailed) -> None:
        """Let the bot random play on for one that has failed."""
        name = self.session.match.names[news.seat]
        _log.error("the bot %s has failed", news.player, exc_info=news.error)
        if news.player == "random":
            waits = f"the bot {news.player} has failed: {name} waits for somebody to play on"
            self.fronts.note(waits, logged=True)
        elif self.reseat(news.seat, "random") is not None:
            self.fronts.note(f"the bot {news.player} has failed", logged=True)

    def reseat(self, seat: Seat, player: str) -> Exception | None:
        """Let somebody else decide for a seat, whoever sits there; why that cannot be done."""
        front = self.fronts.asking_for(seat)
        if front is None:
            return TabletopError("nobody sits at this table")
        return front.request(Reseat(seat, player))

    def seat_for(self, front: WebFront, seat: Seat, player: str) -> Exception | None:
        """Somebody at `front` wants somebody else to decide for a seat; why that cannot be."""
        session = self.session
        if not 0 <= seat < session.match.seats:
            return TabletopError(f"there is no seat {seat + 1}")
        is_own = seat in all_seats(front)
        if player.casefold() == HUMAN:
            if self.clocks.has_run_out(seat, self._loop.time()):
                return TabletopError("your time is up: the bot plays on")
            if not is_own and (seat in self.fronts.awaited or len(session.people) != 1):
                return TabletopError("this seat is not yours to take")
        elif not is_own and seat in self._presence.offered and front.place.may_request:
            return self.reseat(seat, player)
        return front.request(Reseat(seat, player))

    # Playing again.

    def play_again(self, front: WebFront) -> TabletopError | None:
        """Open a table for the same people, if it is not open yet; why that cannot be done."""
        if self._reopen is None:
            return TabletopError("this table cannot be opened again")
        if not front.place.may_request:
            return TabletopError("who has no seat here only watches")
        if not self.session.match.over:
            return TabletopError("the match is not over yet")
        if front.next is None:
            try:
                self._reopen()
            except TabletopError as error:
                return error
            names = self.session.match.names
            who = listed([names[seat] for seat in sorted(all_seats(front))], "and")
            self.fronts.note(f"{who} would like to play again: the table is open")
        return None

    @property
    def turned(self) -> tuple[list[str], list[str]]:
        """The names and the players of a next match, from the second seat on; the first is last."""
        match, players = self.session.match, []
        for seat, player in enumerate(self.session.players):
            if self.doors.seats[seat] is None:  # nobody could come to sit there
                players.append(self.session.plugin.best_bot if player == HUMAN else player)
            else:
                players.append(HUMAN if seat in self.fronts.present else player)
        usual = [f"Player {number}" for number in range(1, match.seats + 1)]
        names = ["" if it in usual else it for it in match.names]
        names = [it or usual[seat] for seat, it in enumerate(turn(names))]
        return names, turn(players)

    # Clocks.

    def _wind_clocks(self) -> None:
        """Let the clocks of those run who are asked, once everybody has come."""
        now = self._loop.time()
        before = self.clocks.running
        people = self.fronts.awaited.intersection(self.session.people)
        begun = people <= self._presence.seen
        self.clocks.run(self.session.waiting_for if begun else (), now)
        self._timer.cancel()
        end = self.clocks.ends_in(now)
        if end is not None:
            self._timer = self._loop.call_later(end + 0.01, self._time_is_up)
        if before != self.clocks.running:
            self.fronts.retell()

    def _time_is_up(self) -> None:
        now = self._loop.time()
        for seat in self.clocks.running:
            if self.clocks.has_run_out(seat, now):
                self.fronts.note(f"the time of {self.session.match.names[seat]} is up")
                error = self.reseat(seat, self.session.plugin.best_bot)
                if error is not None:
                    _log.error("no bot can play on: %s", error)
        self._wake()

    # The end.

    def close(self, code: int = GOING_AWAY, message: str = "") -> None:
        """Close every connection, and leave the match as it is. Closing twice is no harm.

        Args:
            code: what connections are closed with.
            message: says why.
        """
        if self._closed:
            return
        self._closed = True
        self.clocks.run((), self._loop.time())
        self._timer.cancel()
        self._bots.stop()
        self._presence.close()
        self.fronts.close(code, message)


def turn(seats: Sequence[T]) -> list[T]:
    """What belongs to seats when everybody has moved up by one, and the first has become last."""
    return [*seats[1:], *seats[:1]]
