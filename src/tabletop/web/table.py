"""A table in the browser: a session with its clients, bots, clocks, and people present."""

from __future__ import annotations

import logging
from asyncio import AbstractEventLoop, Lock, TimerHandle
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final, TypeVar

from tabletop.errors import TabletopError
from tabletop.protocol.messages import TableOut
from tabletop.records.format import HUMAN
from tabletop.session.bot_pool import Pool
from tabletop.session.hints import hint_bot
from tabletop.session.messages import BotFailed, Changed, Notification, Observed, Reseat, Seated
from tabletop.session.session import Session
from tabletop.states.bounds import Seat
from tabletop.web.bots import TableBots, bots_of, refuse_bot
from tabletop.web.client import Client, Clients, Screen
from tabletop.web.limits import Limits
from tabletop.web.render import commitment_of, seat_titles
from tabletop.web.tokens import SeatTokens
from tabletop.wording import join_words

GOING_AWAY: Final = 1001
"""The code of a connection that is closed because the server, or the table, comes to an end."""

T = TypeVar("T")

_log = logging.getLogger("tabletop")


class WebTable:
    """A session with its clients in the browser, and a front of its own, which only listens.

    All of it happens on the thread of the loop.

    Args:
        session: the session.
        tokens: the tokens of those admitted.
        loop: runs the bots and tells the time.
        seating: for each link, the seats behind it; None for all that no other client has. By
            default each seat that has a link has its own.
        limits: the limits for clients.
        casual: whether people may undo even actions with draws.
        clocks: the clocks of the seats; none run without it.
        pool: where bots think; without it the program that runs the session has them act.
        turn: held by the table whose bot acts; all tables of a server share it.
        on_change: called after changes that are to be saved.
        reopen: opens a table for the same people; they cannot play again without it.
        shares: whose time of the processes of bots it takes; see `tabletop.session.Asker`.
    """

    def __init__(
        self,
        session: Session,
        tokens: SeatTokens,
        loop: AbstractEventLoop,
        *,
        seating: Mapping[Seat, Iterable[Seat] | None] | None = None,
        limits: Limits | None = None,
        casual: bool = False,
        clocks: Clocks | None = None,
        pool: Pool | None = None,
        turn: Lock | None = None,
        on_change: Callable[[], object] = lambda: None,
        reopen: Callable[[], object] | None = None,
        shares: tuple[str, ...] = (),
    ) -> None:
        self.session = session
        self.tokens = tokens
        self.limits: Limits = limits or Limits()
        self.casual = casual
        self.clocks: Clocks = clocks or Clocks([None] * session.match.seats)
        self.quiet_since: float | None = loop.time()  # None while somebody is here
        self._loop = loop
        self._on_change = on_change
        self._reopen = reopen
        self.shares = shares
        self._closed = False
        self._update_due = False
        self._here: tuple[bool, ...] = ()  # as everybody was told last
        self._clock_timer = loop.call_later(0, bool)
        self._failed = ""  # the bot that has failed, until it is told who plays on
        self._seen: set[Seat] = set()  # that somebody has come to
        self._away: dict[Seat, TimerHandle] = {}
        self._replaceable: set[Seat] = set()
        if seating is None:
            seating = {seat: [seat] for seat, it in enumerate(tokens.seats) if it is not None}
        self.clients: Clients = Clients(self, seating)
        self.bots: TableBots = TableBots(
            session,
            self.clients,
            self.limits,
            pool=pool,
            turn=turn,
            shares=shares,
        )
        self._place = session.join(self, seats=())  # after its clients, which are told first
        self._update_presence()

    # Who is here.

    def client_of(self, token: str) -> Client:
        """The client that a token opens, or `NotAdmitted`."""
        return self.clients[self.tokens.admit(token)]

    def connect(self, client: Client, screen: Screen) -> None:
        """Add a screen."""
        client.add_screen(screen)
        self.quiet_since = None
        self._update_presence()

    def disconnect(self, client: Client, screen: Screen) -> None:
        """Remove a screen."""
        client.screens.discard(screen)
        if not self.clients.connections:
            self.quiet_since = self._loop.time()
        self._update_presence()

    def _update_presence(self) -> None:
        for seat in self.clients.expected:
            if self.clients[seat].screens:
                self._seen.add(seat)
                self._replaceable.discard(seat)
                if seat in self._away:
                    self._away.pop(seat).cancel()
            elif seat not in self._away and not self._closed:
                wait, offer = self.limits.patience, self._offer_replacement
                self._away[seat] = self._loop.call_later(wait, offer, seat)
        if self._here != self.here:
            self._here = self.here
            self.clients.refresh_table()
        self._schedule_update()

    def _offer_replacement(self, seat: Seat) -> None:
        self._replaceable.add(seat)
        match = self.session.match
        if match.over or self.session.players[seat] != HUMAN:
            return
        name = match.names[seat]
        self.clients.note(f"{name} has been gone for long: this seat may be given to a bot")
        self.clients.refresh_table()

    @property
    def here(self) -> tuple[bool, ...]:
        """For each seat, whether its person is connected; true for a bot."""
        present = self.clients.present
        players = enumerate(self.session.players)
        return tuple(player != HUMAN or seat in present for seat, player in players)

    def message_to(self, client: Client) -> TableOut:
        """The message about the table to a client."""
        session, plugin = self.session, self.session.plugin
        replaceable = [it for it in self._replaceable if session.players[it] == HUMAN]
        return TableOut(
            game=plugin.game.name,
            title=plugin.game.title or plugin.game.name,
            version=plugin.game.version,
            names=session.match.names,
            called=seat_titles(plugin, session.match.names),
            players=session.players,
            you=client.seats,
            spectator=not client.seats,
            bots=bots_of(plugin),
            here=self.here,
            offered=tuple(sorted(replaceable)),
            casual=self.casual,
            free_undo=session.undo_is_free,
            clock=self.clocks.left(self._loop.time()),
            running=self.clocks.running,
            commitment=commitment_of(session.match),
            hosted=self._reopen is not None,
            hints=session.gives_hints and hint_bot(plugin) != "",
            thinking=self.bots.thinking,
        )

    # Notifications of the session.

    def notify(self, news: Notification) -> None:
        """Receive a notification; see `tabletop.session.Front`."""
        match news:
            case Observed(event=event):
                self.bots.pause(self.session.plugin.text.pause(event))
            case BotFailed():
                self._failed = news.player
                self.bots.log_failure(news)
            case Changed() | Seated():
                self.bots.changed()
                if isinstance(news, Seated):
                    self._note_seated(news)
                self._schedule_update()

    def _note_seated(self, news: Seated) -> None:
        name = self.session.match.names[news.seat]
        failed, self._failed = self._failed, ""
        said = f"the bot {news.player} plays for {name} now"
        if news.player == HUMAN:
            said = f"{name} {'waits for somebody to play on' if failed else 'plays again'}"
        why = f"the bot {failed} has failed: " if failed else ""
        self.clients.note(why + said, logged=True)

    def _schedule_update(self) -> None:
        """Update bots and clocks soon, after everybody has been notified."""
        if not self._update_due and not self._closed:
            self._update_due = True
            self._loop.call_soon(self._update)

    def _update(self) -> None:
        self._update_due = False
        if self._closed:
            return
        self._update_clocks()
        self.bots.act()
        self._on_change()

    # Who decides for a seat.

    def reseat(self, seat: Seat, player: str) -> None:
        """Change the player of a seat.

        Raises:
            TabletopError, ValueError: that is impossible.
        """
        client = self.clients.who_can_reseat(seat)
        if client is None:
            raise TabletopError("nobody sits at this table")
        client.request(Reseat(seat, player))

    def reseat_for(self, client: Client, seat: Seat, player: str) -> None:
        """Change the player of a seat for a client.

        Raises:
            TabletopError, ValueError: that is impossible, or the client may not.
        """
        session = self.session
        if not 0 <= seat < session.match.seats:
            raise TabletopError(f"there is no seat {seat + 1}")
        is_own = seat in client.all_seats
        if player.casefold() == HUMAN:
            if self.clocks.has_run_out(seat, self._loop.time()):
                raise TabletopError("your time is up: the bot plays on")
            if not is_own and (seat in self.clients.expected or len(session.people) != 1):
                raise TabletopError("this seat is not yours to take")
            client.request(Reseat(seat, player))
            return
        refusal = refuse_bot(session.plugin, player)
        if refusal is not None:
            raise refusal
        if not is_own and seat in self._replaceable and client.place.may_request:
            self.reseat(seat, player)
        else:
            client.request(Reseat(seat, player))

    # Playing again.

    def play_again(self, client: Client) -> None:
        """Open a table for the same people, if none is open yet.

        Raises:
            TabletopError: it cannot be opened, or not now, or not by this client.
        """
        if self._reopen is None:
            raise TabletopError("this table cannot be opened again")
        if not client.place.may_request:
            raise TabletopError("you only watch here: you have no seat")
        if not self.session.match.over:
            raise TabletopError("the match is not over yet")
        if client.next is None:
            self._reopen()
            names = self.session.match.names
            who = join_words([names[seat] for seat in client.all_seats], "and")
            self.clients.note(f"{who} would like to play again: the table is open")

    def next_seating(self) -> tuple[list[str], list[str]]:
        """The names and players of the next match, where everybody sits a seat further."""
        match, players = self.session.match, []
        for seat, player in enumerate(self.session.players):
            if self.tokens.seats[seat] is None:  # nobody could come to sit there
                players.append(self.session.plugin.best_bot if player == HUMAN else player)
            else:
                players.append(HUMAN if seat in self.clients.present else player)
        usual = [f"Player {number}" for number in range(1, match.seats + 1)]
        names = rotate(["" if it in usual else it for it in match.names])
        return [it or usual[seat] for seat, it in enumerate(names)], rotate(players)

    # Clocks.

    def _update_clocks(self) -> None:
        """Run the clocks of the seats that are to act, once everybody has come."""
        now = self._loop.time()
        before = self.clocks.running
        people = self.clients.expected.intersection(self.session.people)
        has_begun = people <= self._seen
        self.clocks.run(self.session.waiting_for if has_begun else (), now)
        self._clock_timer.cancel()
        end = self.clocks.ends_in(now)
        if end is not None:
            self._clock_timer = self._loop.call_later(end + 0.01, self._time_is_up)
        if before != self.clocks.running:
            self.clients.refresh_table()

    def _time_is_up(self) -> None:
        now = self._loop.time()
        for seat in self.clocks.running:
            if self.clocks.has_run_out(seat, now):
                self.clients.note(f"the time of {self.session.match.names[seat]} is up")
                try:
                    self.reseat(seat, self.session.plugin.best_bot)
                except (TabletopError, ValueError) as error:
                    _log.error("no bot can play on: %s", error)
        self._schedule_update()

    # The end.

    def close(self, code: int = GOING_AWAY, message: str = "") -> None:
        """Close every connection, and leave the match as it is. Closing twice does no harm."""
        if self._closed:
            return
        self._closed = True
        self._clock_timer.cancel()
        self.bots.close()
        for timer in self._away.values():
            timer.cancel()
        self.clients.close(code, message)
        self._place.leave()


def rotate(seats: Sequence[T]) -> list[T]:
    """Move everybody up by a seat; the first becomes the last."""
    return [*seats[1:], *seats[:1]]


class Clocks:
    """A clock for each seat, or None: seconds for the match, which run while the seat is to act."""

    def __init__(self, left: Sequence[float | None]) -> None:
        self._left = list(left)
        self.running: tuple[Seat, ...] = ()
        self._since = 0.0

    def run(self, seats: Iterable[Seat], now: float) -> None:
        """Run the clocks of these seats from now on, and no others."""
        self._left = list(self.left(now))
        self._since = now
        self.running = tuple(seat for seat in seats if self._left[seat])

    def left(self, now: float) -> tuple[float | None, ...]:
        """Return the seconds that each seat has left; None for a seat without a clock."""
        spent = now - self._since
        return tuple(
            max(0.0, own - spent) if own is not None and seat in self.running else own
            for seat, own in enumerate(self._left)
        )

    def ends_in(self, now: float) -> float | None:
        """In how many seconds the next clock runs out; None when none runs."""
        left = self.left(now)
        return min((own for seat in self.running if (own := left[seat]) is not None), default=None)

    def has_run_out(self, seat: Seat, now: float) -> bool:
        """Check whether a seat has no time left."""
        return self.left(now)[seat] == 0
