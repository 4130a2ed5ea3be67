"""A table in the browser: a session, the screens that look at it, its bots and its clocks."""

from __future__ import annotations

import logging
from asyncio import AbstractEventLoop
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final

from tabletop.errors import TabletopError
from tabletop.outcome import Seat
from tabletop.records.entries import HUMAN
from tabletop.session import BotFailed, Changed, News, Request, Reseat, Seated, Session, UndoDropped
from tabletop.web.bots import BotRunner
from tabletop.web.clocks import Clocks
from tabletop.web.front import WebFront
from tabletop.web.limits import Limits
from tabletop.web.messages import NoteTold, TableTold
from tabletop.web.presence import Presence
from tabletop.web.showing import called, commitment_of, picture_for
from tabletop.web.tokens import Doors
from tabletop.web.viewer import Viewer
from tabletop.wording import listed

GOING_AWAY: Final = 1001
"""The code of a connection that is closed because the server, or the table, comes to an end."""

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
        on_change: called when something has changed that is to be kept.

    Attributes:
        session: the same.
        doors: the same.
        casual: the same.
        clocks: the same.
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
        on_change: Callable[[], object] = bool,
    ) -> None:
        self.session = session
        self.doors = doors
        self.limits = limits or Limits()
        self.casual = casual
        self.clocks = clocks or Clocks([None] * session.match.seats)
        self.quiet_since: float | None = loop.time()
        self._loop = loop
        self._on_change = on_change
        self._bots = BotRunner(session, self.limits.pause, self._bots_may_act, self._broke_off)
        self._runs_bots = runs_bots
        self._closed = False
        self._awake = False
        self._timer = loop.call_later(0, bool)
        self._failed: list[BotFailed] = []
        self._broken: dict[Seat, str] = {}  # the bots that nobody plays on for yet
        picture = picture_for(session.plugin)
        if sits is None:
            sits = {seat: [seat] for seat, kept in enumerate(doors.seats) if kept is not None}
        self._fronts: dict[Seat | None, WebFront] = {}
        for door, seats in (*sits.items(), (None, ())):
            front = WebFront(session, seats, picture, table=self._table_told, hears=self._hear)
            self._fronts[door] = front
        self._expected = frozenset(door for door, seats in sits.items() if seats is not None)
        self._presence = Presence(self._expected, self.limits.patience, loop, self._offer)
        self._wake()

    # Who is here.

    def front_of(self, token: str) -> WebFront:
        """Where somebody with a token sits.

        Raises:
            NotAdmitted: it opens nothing here.
        """
        return self._fronts[self.doors.admit(token)]

    def front_at(self, door: Seat | None) -> WebFront:
        """What sits behind a door; behind None, spectators."""
        return self._fronts[door]

    @property
    def has_due(self) -> bool:
        """Whether something is still to be sent to some screen."""
        fronts = self._fronts.values()
        return any(viewer.wake.is_set() for front in fronts for viewer in front.viewers)

    @property
    def connections(self) -> int:
        """How many screens look."""
        return sum(len(front.viewers) for front in self._fronts.values())

    def attach(self, front: WebFront, viewer: Viewer) -> None:
        """A screen looks from now on."""
        front.welcome(viewer)
        self.quiet_since = None
        self._set_presence()
        front.retell()

    def detach(self, front: WebFront, viewer: Viewer) -> None:
        """A screen looks no more."""
        front.viewers.discard(viewer)
        if not self.connections:
            self.quiet_since = self._loop.time()
        self._set_presence()

    def _set_presence(self) -> None:
        for seat in self._expected:
            if self._fronts[seat].is_here:
                self._presence.came(seat)
            else:
                self._presence.left(seat)
        self._retell()
        self._wake()

    def _offer(self, seat: Seat) -> None:
        match = self.session.match
        if match.over or self.session.players[seat] != HUMAN:
            return
        name = match.names[seat]
        self.note(f"{name} has been gone for long: this seat may be given to a bot")
        self._retell()

    def set_films(self, films: Sequence[str | None]) -> None:
        """Tell each seat, and then spectators, where the match can be watched again."""
        for door, front in self._fronts.items():
            front.film = films[-1 if door is None else door]
            front.renew()

    def note(self, text: str, *, logged: bool = False) -> None:
        """Tell everybody something, which may belong into the log as well."""
        for front in self._fronts.values():
            front.tell(NoteTold(text, logged))

    def _retell(self) -> None:
        for front in self._fronts.values():
            front.retell()

    @property
    def here(self) -> tuple[bool, ...]:
        """Whether somebody is connected for each seat; bots always are."""
        present = {seat for it in self._fronts.values() if it.is_here for seat in _all(it)}
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
            clock=self.clocks.left(self._loop.time()),
            running=self.clocks.running,
            salted=session.match.salt is not None,
            commitment=commitment_of(session.match),
        )

    # News.

    def _hear(self, front: WebFront, news: News) -> None:
        if isinstance(news, Changed | Seated | BotFailed) and front is self._fronts.get(None):
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
        self.note(why + (f"{name} plays again" if news.player == HUMAN else said), logged=True)

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
        return not self._closed and (bool(self.session.people) or self.connections > 0)

    def _broke_off(self, error: Exception) -> None:
        if not isinstance(error, TabletopError):
            _log.error("a bot has failed", exc_info=error)
        self.note(f"the bots cannot play on: {error}")

    def _replace(self, news: BotFailed) -> None:
        """Let the bot random play on for one that has failed."""
        name = self.session.match.names[news.seat]
        _log.error("the bot %s has failed", news.player, exc_info=news.error)
        if news.player == "random":
            waits = f"the bot {news.player} has failed: {name} waits for somebody to play on"
            self.note(waits, logged=True)
        elif self.reseat(news.seat, "random") is not None:
            self.note(f"the bot {news.player} has failed", logged=True)

    def reseat(self, seat: Seat, player: str) -> Exception | None:
        """Let somebody else decide for a seat, whoever sits there; why that cannot be done."""
        front = next((it for it in self._fronts.values() if seat in _all(it)), None)
        if front is None:
            front = next((it for it in self._fronts.values() if it.place.may_request), None)
        if front is None:
            return TabletopError("nobody sits at this table")
        return front.request(Reseat(seat, player))

    def seat_for(self, front: WebFront, seat: Seat, player: str) -> Exception | None:
        """Somebody at `front` wants somebody else to decide for a seat; why that cannot be."""
        session = self.session
        if not 0 <= seat < session.match.seats:
            return TabletopError(f"there is no seat {seat + 1}")
        is_own = seat in _all(front)
        if player.casefold() == HUMAN:
            if self.clocks.has_run_out(seat, self._loop.time()):
                return TabletopError("your time is up: the bot plays on")
            if not is_own and (seat in self._expected or len(session.people) != 1):
                return TabletopError("this seat is not yours to take")
        elif not is_own and seat in self._presence.offered and front.place.may_request:
            return self.reseat(seat, player)
        return front.request(Reseat(seat, player))

    # Clocks.

    def _wind_clocks(self) -> None:
        """Let the clocks of those run who are asked, once everybody has come."""
        now = self._loop.time()
        before = self.clocks.running
        people = {seat for seat in self.session.people if seat in self._expected}
        begun = people <= self._presence.seen
        self.clocks.run(self.session.waiting_for if begun else (), now)
        self._timer.cancel()
        end = self.clocks.ends_in(now)
        if end is not None:
            self._timer = self._loop.call_later(end + 0.01, self._time_is_up)
        if before != self.clocks.running:
            self._retell()

    def _time_is_up(self) -> None:
        now = self._loop.time()
        for seat in self.clocks.running:
            if self.clocks.has_run_out(seat, now):
                self.note(f"the time of {self.session.match.names[seat]} is up")
                error = self.reseat(seat, best_bot(self.session))
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
        for front in self._fronts.values():
            for viewer in front.viewers:
                viewer.leave(code, message)
            front.place.leave()


def _all(front: WebFront) -> set[Seat]:
    """The seats that a front decides for, or would if no bot did."""
    return {*front.place.seats, *(front.place.own or ())}


def best_bot(session: Session) -> str:
    """The bot that plays on for people: the first of the game's own, or random."""
    return next((name for name in session.plugin.bots if name != "random"), "random")


def ask(front: WebFront, request: Request) -> str:
    """Ask for something; why it was refused, in words; empty when it was done."""
    try:
        refused = front.request(request)
    except Exception:  # rules that fail on what somebody sends hurt nobody else
        _log.exception("%r has failed", request)
        return "the rules of the game have failed on this; nothing has been done"
    return "" if refused is None else str(refused)
