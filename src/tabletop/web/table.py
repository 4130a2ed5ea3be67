"""A table in the browser: a session with its clients, bots, clocks, chat, and people present."""

from __future__ import annotations

import logging
from asyncio import AbstractEventLoop, Handle, Lock
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from typing import Final, TypeVar

from msgspec import UnsetType
from msgspec.structs import replace

from tabletop.errors import NotPermitted, RecordError, RegistryError, TabletopError
from tabletop.host.screen_text import is_visible, sanitize
from tabletop.protocol.messages import NoteOut, PauseIn, ReseatIn, TableOut, UndoIn
from tabletop.protocol.settings import TableSettings
from tabletop.records.format import HUMAN
from tabletop.rules.events import ActionPlayed, ActionsUndone
from tabletop.session.bot_pool import Pool
from tabletop.session.hints import hint_bot
from tabletop.session.messages import BotFailed, Changed, Notification, Observed, Seated
from tabletop.session.players import ActionFailed
from tabletop.session.session import Session
from tabletop.states.bounds import Seat
from tabletop.web.bots import UNSAVED, TableBots, bots_of, refuse_bot
from tabletop.web.client import Client, Clients, Screen
from tabletop.web.clocks import Clocks
from tabletop.web.idle_timeout import IdleTimeout
from tabletop.web.limits import Bucket, Limits, TooFast
from tabletop.web.presence import Presence
from tabletop.web.render import commitment_of, seat_titles
from tabletop.web.tokens import SeatTokens
from tabletop.wording import join_words, plural

STOPPED: Final = 4404
"""The code of a connection that is closed because its table stands still, or its host ends it."""

GOING_AWAY: Final = 1001
"""The code of a connection that is closed because the server, or the table, comes to an end."""

COUNTED: Final = 1.0
"""Seconds between two messages about the number of spectators, because many may come and go."""

CLOCKS_RUN: Final = "the clocks are running again"
"""The beginning of a note about the end of a pause."""

T = TypeVar("T")

_log = logging.getLogger("tabletop")


class WebTable:
    """A session with its clients in the browser, and a listening client of its own.

    All of it happens on the thread of the loop.

    Args:
        session: the session.
        tokens: the tokens of those admitted.
        loop: runs the bots and tells the time.
        settings: The settings of the table.
        seating: for each link, the seats behind it; None for all that no other client has. By
            default each seat that has a link has its own.
        limits: the limits for clients.
        clock: The seconds that each seat has left, or empty without clocks.
        pool: where bots think; without it the program that runs the session has them act.
        turn: held by the table whose bot acts; all tables of a server share it.
        on_change: called after changes that are to be saved.
        reopen: opens a table for the same people; they cannot play again without it.
        watch: the path of its page for who watches, told to everybody here; empty to tell nobody.
        shares: whose time of the processes of bots it takes; see `tabletop.session.Asker`.
    """

    def __init__(
        self,
        session: Session,
        tokens: SeatTokens,
        loop: AbstractEventLoop,
        settings: TableSettings,
        *,
        seating: Mapping[Seat, Iterable[Seat] | None] | None = None,
        limits: Limits | None = None,
        clock: Sequence[float | None] = (),
        pool: Pool | None = None,
        turn: Lock | None = None,
        on_change: Callable[[], object] = lambda: None,
        reopen: Callable[[], object] | None = None,
        watch: str = "",
        shares: tuple[str, ...] = (),
    ) -> None:
        self.session = session
        self.tokens = tokens
        self.limits: Limits = limits or Limits()
        self.clocks: Clocks = Clocks(clock or [None] * session.match.seats, settings)
        self.quiet_since: float | None = loop.time()  # None while somebody is here
        self._loop = loop
        self._on_change = on_change
        self._reopen = reopen
        self.shares = shares
        self._watch = watch
        self._closed = False
        self._timer: Handle | None = None
        self._is_changed = False  # since the last tick
        self._told: tuple[object, ...] = ()  # what everybody was told last
        self._told_watching = 0
        self._count_at: float | None = None  # when the number of spectators is sent
        self._replace_at: dict[Seat, float] = {}  # when to try again to seat bots
        self._failed = ""  # the bot that has failed, until it is told who plays on
        self.presence: Presence = Presence(self.limits.away_timeout)
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
            on_idle=self._schedule_update,
        )
        chat = settings.chat and self.limits.chat and len(self.clients.expected) > 1
        self.settings: TableSettings = replace(settings.resolved(), chat=chat)
        idle = self.settings.idle_timeout
        self.idle: IdleTimeout = IdleTimeout(None if isinstance(idle, UnsetType) else idle)
        if self.clocks.exist:
            session.pausable = self
        self._undone = 0  # actions, in all: a record with many takes long to read
        self._stops = [
            session.match.observe(self._acted, ActionPlayed),
            session.match.observe(self._count_undone, ActionsUndone),
        ]
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
        self.presence.reserve(client.all_seats, self._loop.time())
        if not self.clients.connections:
            self.quiet_since = self._loop.time()
        self._update_presence()

    def _update_presence(self) -> None:
        now = self._loop.time()
        for seat in self.clients.expected:
            if self.clients[seat].screens:
                self.presence.came(seat)
            else:
                self.presence.left(seat, now)
        self._schedule_update()

    @property
    def here(self) -> tuple[bool, ...]:
        """For each seat, whether its person is connected; true for a bot."""
        present = self.clients.present
        players = enumerate(self.session.players)
        return tuple(player != HUMAN or seat in present for seat, player in players)

    @property
    def watching(self) -> int:
        """How many screens of spectators there are."""
        return len(self.clients[None].screens)

    @property
    def offered(self) -> tuple[Seat, ...]:
        """The seats of people that the others may give to a bot."""
        offered = self.presence.absent | self.idle.expired
        return tuple(sorted(offered.intersection(self.session.people)))

    def message_to(self, client: Client) -> TableOut:
        """The message about the table to a client."""
        session, plugin = self.session, self.session.plugin
        return TableOut(
            game=plugin.game.name,
            title=plugin.game.title or plugin.game.name,
            version=plugin.game.version,
            names=session.match.names,
            seat_titles=seat_titles(plugin, session.match.names),
            players=session.players,
            your_seats=client.seats,
            spectator=not client.seats,
            bots=bots_of(plugin),
            present=self.here,
            spectator_count=self.watching,
            replaceable=self.offered,
            settings=self.settings,
            free_undo=session.undo_is_free,
            clock=self.clocks.left(self._loop.time()),
            running=self.clocks.running,
            paused=self.clocks.paused,
            commitment=commitment_of(session.match),
            hosted=self._reopen is not None,
            hints=session.gives_hints and hint_bot(plugin) != "",
            rules=self.rules != "",
            thinking=self.bots.thinking,
            spectator_path=self._watch,
        )

    @cached_property
    def rules(self) -> str:
        """The rules of the game, as Markdown; empty where it has none, or they cannot be read."""
        try:
            return self.session.plugin.rules
        except RegistryError as error:
            _log.error("%s", error)
            return ""

    def time_to_act(self, seats: Iterable[Seat]) -> float | None:
        """The seconds in which one of these seats has to act; None for no limit."""
        left = self.clocks.left(self._loop.time())
        return min((own for seat in seats if (own := left[seat]) is not None), default=None)

    # Notifications of the session.

    def notify(self, news: Notification) -> None:
        """Receive a notification; see `tabletop.session.Client`."""
        match news:
            case Observed(event=event):
                pause = self.session.plugin.text.pause(event)
                self.bots.pacing.show(pause, self._loop.time())
            case BotFailed():
                self._failed = news.player
                self.bots.log_failure(news)
            case ActionFailed(seat, errors):
                self.bots.log_faults(errors)
                name = self.session.match.names[seat]
                self.clients.note(f"an action of {name} has failed: {errors[0]}", logged=True)
            case Changed():
                if self.paused:
                    self.set_paused(False, f"{CLOCKS_RUN}, because the match has continued")
                self._position_changed()
            case Seated():
                if self.paused and not self.session.people:
                    self.set_paused(False, f"{CLOCKS_RUN}, because only bots are playing")
                self._note_seated(news)
                self._position_changed()

    def _acted(self, event: ActionPlayed) -> None:
        """Give the seat that has acted its time for the next action."""
        if self.clocks.acted(event.seat, event.ply, self._loop.time()):
            self._told = ()
        self.idle.acted(event.seat, event.ply, self.session.match.to_act)

    def _count_undone(self, event: ActionsUndone) -> None:
        self._undone += event.count

    def _position_changed(self) -> None:
        self.bots.changed()
        self._schedule_update()

    def _note_seated(self, news: Seated) -> None:
        name = self.session.match.names[news.seat]
        failed, self._failed = self._failed, ""
        said = f"the bot {news.player} plays for {name} now"
        if news.player == HUMAN:
            said = f"{name} {'waits until somebody plays' if failed else 'plays again'}"
        why = f"the bot {failed} has failed: " if failed else ""
        self.clients.note(why + said, logged=True)

    # Time.

    @property
    def deadline(self) -> float | None:
        """When `tick` must be called at the latest, or None if nothing depends on the time."""
        deadlines = (
            self.presence.deadline,
            self.clocks.deadline,
            self.idle.deadline,
            self.bots.deadline,
            self._count_at if self._told_watching != self.watching else None,
            min(self._replace_at.values(), default=None),
        )
        return min((it for it in deadlines if it is not None), default=None)

    def tick(self, now: float) -> None:
        """Do everything whose time has come, and act on changes since the last call."""
        is_changed, self._is_changed = self._is_changed, False
        for seat in self.presence.tick(now):
            self._offer_absent(seat)
        for seat, left in self.idle.tick(now):
            self._note_idle(seat, left)
        for seat in self.clocks.expired(now):
            self.clients.note(f"the time of {self.session.match.names[seat]} is up")
            self._replace_at[seat] = now
        for seat in [seat for seat, at in self._replace_at.items() if at <= now]:
            self._give_to_bot(seat, now)
        self._run_clocks(now)
        self._tell(now)
        self.bots.tick(now)
        if is_changed:
            self._on_change()

    def _schedule_update(self) -> None:
        """Call `tick` soon, after everybody has been notified."""
        if not self._is_changed and not self._closed:
            self._is_changed = True
            self._set_timer(self._loop.call_soon(self._on_timer))

    def _on_timer(self) -> None:
        self.tick(self._loop.time())
        deadline = self.deadline
        if deadline is not None and not self._is_changed:
            self._set_timer(self._loop.call_at(deadline, self._on_timer))

    def _set_timer(self, timer: Handle | None) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer = timer

    def _tell(self, now: float) -> None:
        """Tell everybody what has changed about the table."""
        told = self.here, self.offered, self.clocks.running, self.clocks.paused
        if told != self._told:
            self._told = told
            self._refresh_table()
        elif self._told_watching != self.watching:
            if self._count_at is None:
                self._count_at = now + COUNTED
            elif self._count_at <= now:
                self._refresh_table()

    def _refresh_table(self) -> None:
        self._told_watching = self.watching
        self._count_at = None
        self.clients.refresh_table()

    # Who decides for a seat.

    def is_free(self, seat: Seat) -> bool:
        """Check whether nobody has come to a seat, or nobody for long, so that others may."""
        now = self._loop.time()
        is_playable = not self.session.match.over and not self.clocks.has_run_out(seat, now)
        return is_playable and self.presence.is_free(seat, now)

    def hand_over(self, seat: Seat, tokens: SeatTokens, said: str) -> None:
        """Let another person have a free seat: from now on these are the tokens of the table.

        Everybody is told so; and how the seat is called, as that may have changed.
        """
        self.tokens = tokens
        self.presence.replaced(seat, self._loop.time())
        self.idle.replaced(seat)
        self.session.handed_over()
        self.clients.note(said, logged=True)
        for client in self.clients:
            client.renamed()
        self._schedule_update()

    def reseat(self, seat: Seat, player: str) -> None:
        """Change the player of a seat.

        Raises:
            TabletopError, ValueError: that is impossible.
        """
        client = self.clients.who_can_reseat(seat)
        if client is None:
            raise TabletopError("nobody plays at this table")
        client.request(ReseatIn(seat, player))

    def reseat_for(self, client: Client, seat: Seat, player: str) -> None:
        """Change the player of a seat for a client.

        Raises:
            TabletopError, ValueError: that is impossible, or the client may not.
        """
        session, expected = self.session, self.clients.expected
        if not 0 <= seat < session.match.seats:
            raise TabletopError(f"there is no seat {seat + 1}")
        self._count_message(client)
        is_own = seat in client.all_seats
        if player.casefold() == HUMAN:
            if self.clocks.has_run_out(seat, self._loop.time()):
                does = "acts; then come back" if self.clocks.are_per_action else "plays on"
                raise TabletopError(f"your time is up: the bot {does}")
            # Who comes back would not know that a hand is seen: so those who are away count.
            if not is_own and (seat in expected or len(expected.union(session.people)) != 1):
                raise TabletopError("you may not take this seat")
            client.request(ReseatIn(seat, player))
            return
        refusal = refuse_bot(session.plugin, player)
        if refusal is not None:
            raise refusal
        if not is_own and seat in self.offered and client.place.may_request:
            self.reseat(seat, player)
        else:
            client.request(ReseatIn(seat, player))

    def _offer_absent(self, seat: Seat) -> None:
        match = self.session.match
        if not match.over and self.session.is_person(seat):
            self._offer(f"{match.names[seat]} has been away for long")

    def _note_idle(self, seat: Seat, left: float) -> None:
        """Warn a player who does not act, or offer their seat when no time is left."""
        if not left:
            waited = _in_words(self.idle.seconds or 0)
            self._offer(f"{self.session.match.names[seat]} has not acted for {waited}")
            return
        client = self.clients.who_can_reseat(seat)
        if client is not None:
            said = f"in {_in_words(left)} the others may give your seat to a bot"
            client.send(NoteOut(f"it is your turn: {said}"))

    def _offer(self, why: str) -> None:
        self._tell(self._loop.time())
        self.clients.note(f"{why}: this seat may be given to a bot")

    # What people say and ask.

    def say(self, client: Client, text: str) -> None:
        """Add what somebody says to the log of everybody; it is written nowhere else.

        Raises:
            TabletopError: nobody may say anything here, or not this client, or not so much.
        """
        seat = self.clients.seat_of(client)
        if seat is None:
            raise NotPermitted("you are watching and have no seat")
        if not self.settings.chat:
            raise TabletopError("chat is turned off at this table")
        said = sanitize(" ".join(text.split()))
        if not is_visible(said):
            raise TabletopError("the message is empty")
        self._count_message(client)
        for hearer in self.clients:
            hearer.hear(said, seat)

    def pause(self, client: Client, *, on: bool) -> None:
        """Pause all clocks for a client, ask the others about it, or start the clocks again.

        Raises:
            TabletopError: The request is refused.
        """
        self._count_message(client)
        client.request(PauseIn(on))

    def undo(self, client: Client, request: UndoIn) -> None:
        """Undo actions for a client, or ask the others for their consent.

        Raises:
            TabletopError, ValueError: it is refused.
        """
        if self._undone >= self.limits.undone:
            raise NotPermitted("the undo limit of this match is reached")
        if self.session.can_undo(client.place, request.actions).consent:
            self._count_message(client)
        client.request(request)

    def _count_message(self, client: Client) -> None:
        if not client.messages.take(self._loop.time()):
            raise TooFast("too many messages; wait a moment and try again")

    # Playing again.

    def play_again(self, client: Client, openings: Bucket | None = None) -> None:
        """Open a table for the same people, if none is open yet: one of so many `openings`.

        Raises:
            TabletopError: it cannot be opened, or not now, or not by this client.
        """
        if self._reopen is None:
            raise TabletopError("this table cannot be opened again")
        if not client.place.may_request:
            raise TabletopError("you are watching and have no seat")
        if not self.session.match.over:
            raise TabletopError("the match is not over yet")
        if client.next_table is None:
            if openings is not None and not openings.take(self._loop.time()):
                raise TooFast("you have opened too many tables; wait a moment and try again")
            self._reopen()
            names = self.session.match.names
            who = join_words([names[seat] for seat in client.all_seats], "and")
            self.clients.note(f"{who} would like to play again and has opened a table")

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

    def _run_clocks(self, now: float) -> None:
        """Run the clocks of the seats that are to act, once everybody has come."""
        session = self.session
        has_begun = self.clients.expected.intersection(session.people) <= self.presence.visited
        waiting = session.waiting_for if has_begun else ()
        self.clocks.run(waiting, now)
        # Nobody else waits for a player who plays with bots alone.
        sitting = sum(bool(client.place.seats) for client in self.clients)
        self.idle.wait_for(waiting if sitting > 1 and not self.clocks.paused else (), now)

    @property
    def paused(self) -> bool:
        """True while the clocks are paused."""
        return self.clocks.paused

    @property
    def present(self) -> set[Seat]:
        """The seats whose players are connected."""
        return self.clients.present

    def set_paused(self, paused: bool, note: str = "") -> None:
        """Pause the clocks or start them again, and add a note to the log of all clients.

        During a pause, bots wait, and no idle timer runs.
        """
        now = self._loop.time()
        self.clocks.paused = self.bots.held = paused
        self.idle.reset()
        self._run_clocks(now)
        self._tell(now)  # before the note
        self._schedule_update()
        for client in self.clients if note else ():
            client.remark(note)

    def _give_to_bot(self, seat: Seat, now: float) -> None:
        """Let the best bot play for a person without time, again later if that cannot be saved."""
        del self._replace_at[seat]
        if not self.session.is_person(seat):
            return
        try:
            self.reseat(seat, self.session.plugin.best_bot)
        except RecordError as error:
            _log.error("no bot can play on: %s", error)
            self.clients.note(f"no bot can play on, because {UNSAVED}")
            self._replace_at[seat] = now + self.limits.save_again
        except (TabletopError, ValueError) as error:
            _log.error("no bot can play on: %s", error)

    # The end.

    def close(self, code: int = GOING_AWAY, message: str = "") -> None:
        """Close every connection, and leave the match as it is. Closing twice does no harm."""
        if self._closed:
            return
        self._closed = True
        self._set_timer(None)
        self.bots.close()
        while self._stops:
            self._stops.pop()()
        self.clients.close(code, message)
        self._place.leave()


def rotate(seats: Sequence[T]) -> list[T]:
    """Move everybody up by a seat; the first becomes the last."""
    return [*seats[1:], *seats[:1]]


def _in_words(seconds: float) -> str:
    """A time in words: `5 minutes`, `90 seconds`."""
    minutes, rest = divmod(round(seconds), 60)
    if minutes > 1 and not rest:
        return plural(minutes, "minute")
    return plural(max(1, round(seconds)), "second")
