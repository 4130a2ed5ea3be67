"""Tables in memory: opened, come back to, and put away when nobody is there."""

from __future__ import annotations

import logging
from asyncio import AbstractEventLoop, Lock
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from pathlib import Path
from time import monotonic
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from tabletop.errors import RegistryError, TabletopError
from tabletop.match import Match
from tabletop.records.entries import HUMAN
from tabletop.records.journal import Journal
from tabletop.scores.sheets import FRESH
from tabletop.session import Session
from tabletop.storage.origins import note_origin
from tabletop.storage.places import new_record_path, utc_now
from tabletop.web.clocks import Clocks
from tabletop.web.films import Film
from tabletop.web.front import WebFront
from tabletop.web.games import Games
from tabletop.web.limits import Bucket, Limits
from tabletop.web.opening import Setup, Wish, header_of, salt_for, set_up
from tabletop.web.register import Register, film_link
from tabletop.web.reloading import MORE, TableLost, go_on
from tabletop.web.shelf import DAY, Kept, Shelf
from tabletop.web.showing import commitment_of
from tabletop.web.table import WebTable, turn
from tabletop.web.tokens import Doors, NotAdmitted, new_doors, new_token

KEEP_CLOCKS: Final = 5.0
"""The clocks of a table are written down every so many seconds."""

_log = logging.getLogger("tabletop")


class TooMany(TabletopError):
    """There is no room for more now."""


class Opened(Struct, frozen=True):
    """A table that has been opened.

    Attributes:
        table: its public name.
        links: for each seat, the path of its page; None for a bot.
        spectators: the path for whoever watches.
        commitment: what the salt of the match is held to, where it has one.
    """

    table: str
    links: tuple[str | None, ...]
    spectators: str
    commitment: str | None = None


class Summary(Struct, frozen=True):
    """A table, as the lobby lists it.

    Attributes:
        table, title, names: its public name, what is played there, and who.
        ply: how many actions have been played.
        over: whether the match is over.
        people: how many people have a seat there.
        here: how many of them are connected.
    """

    table: str
    title: str
    names: tuple[str, ...]
    ply: int
    over: bool
    people: int
    here: int


@dataclass(slots=True)
class Housed:
    """A table in memory, with what is to be closed with it."""

    kept: Kept
    table: WebTable
    journal: Journal
    written: float = 0.0


class House:
    """Many tables.

    Args:
        games: what can be played.
        shelf: where tables are kept.
        loop: runs them, and tells the time.
        limits: how many there may be, and how much.
        now: tells when it is; in UTC.
        scored: whether the scores of matches that have ended are kept.
    """

    def __init__(
        self,
        games: Games,
        shelf: Shelf,
        loop: AbstractEventLoop,
        *,
        limits: Limits | None = None,
        now: Callable[[], datetime] = utc_now,
        scored: bool = True,
    ) -> None:
        self.games = games
        self.limits = limits or Limits()
        self._loop = loop
        self._now = now
        self._tables: dict[str, Housed] = {}
        self.register = Register(games, shelf, now, scored=scored)
        self._tidied = loop.time()
        openings = self.limits.openings, self.limits.openings_at_once
        self._openings = Bucket(*openings, loop.time())
        self._closed = False
        self._turn = Lock()
        self._timer = loop.call_later(self.limits.sweep, self._sweep)

    # Opening.

    def open_wish(self, wish: Wish) -> Opened:
        """Open the table that somebody wants.

        Raises:
            TooMany: there are too many, or too many were opened just now.
            TabletopError: it cannot be; see `tabletop.web.opening.set_up`.
        """
        if not self._openings.take(self._loop.time()):
            raise TooMany("too many tables have been opened just now; try again soon")
        return self.open(set_up(wish, self.games, self._now()))

    def open(self, setup: Setup, path: Path | None = None) -> Opened:
        """Open a table for a match.

        Args:
            setup: the match.
            path: where its record goes; among the user's own records when not given.

        Raises:
            TooMany: there are too many tables.
            RecordError: the record cannot be written.
            ShelfError: the table cannot be kept.
        """
        doors, tokens, spectators = new_doors([it == HUMAN for it in setup.header.players])
        name = self._open(setup, doors, path)
        links = tuple(None if token is None else f"/t/{name}#{token}" for token in tokens)
        return Opened(name, links, f"/t/{name}#{spectators}", commitment_of(setup.match))

    def _open(self, setup: Setup, doors: Doors, path: Path | None = None) -> str:
        """Open a table that admits those with certain tokens; its public name."""
        if len(self._tables) >= self.limits.tables:
            self._sweep_now()
        if len(self._tables) >= self.limits.tables:
            raise TooMany(f"there are {len(self._tables)} tables already: no more fit in here")
        match, plugin, header = setup.match, setup.plugin, setup.header
        kept = Kept(
            table=new_token(),
            game=setup.game,
            title=plugin.game.title or plugin.game.name,
            record=str((path or new_record_path(plugin.game, self._now())).absolute()),
            names=match.names,
            doors=doors,
            created=header.created,
            casual=setup.casual,
            clock=tuple(setup.clock if door else None for door in doors.seats),
            time=setup.clock,
        )
        journal = Journal.create(kept.record, match, header, clock=monotonic)
        try:
            self.register.enter(kept)
        except TabletopError:
            journal.detach()
            journal.close()
            raise
        note_origin(Path(kept.record), plugin.source)
        session = Session(match, plugin, header.players, recorder=journal, undo=kept.undo)
        self._house(kept, self._table(kept, session), journal)
        return kept.table

    def _open_again(self, name: str) -> None:
        """Open a table for the people of another, seats turned; the same tokens open it.

        Raises:
            TooMany: as in `open_wish`.
            TabletopError: as in `open`.
        """
        if not self._openings.take(self._loop.time()):
            raise TooMany("too many tables have been opened just now; try again soon")
        housed = self._tables[name]
        kept, table = housed.kept, housed.table
        names, players = table.turned
        match, plugin = table.session.match, table.session.plugin
        again = Match(plugin.game, salt=salt_for(players), seats=names, options=match.options)
        header = header_of(plugin, again, players, FRESH, self._now())
        setup = Setup(kept.game, plugin, again, header, kept.casual, kept.time)
        doors = Doors(tuple(turn(kept.doors.seats)), kept.doors.spectators)
        housed.kept = replace(kept, next=self._open(setup, doors))
        self._keep(housed)
        table.fronts.set_next(f"/t/{housed.kept.next}")

    def _table(self, kept: Kept, session: Session) -> WebTable:
        return WebTable(
            session,
            kept.doors,
            self._loop,
            limits=self.limits,
            casual=kept.casual,
            clocks=Clocks(kept.clock or [None] * session.match.seats),
            turn=self._turn,
            on_change=partial(self._note, kept.table),
            reopen=partial(self._open_again, kept.table),
        )

    def _house(self, kept: Kept, table: WebTable, journal: Journal) -> Housed:
        housed = self._tables[kept.table] = Housed(kept, table, journal)
        self.register.note(kept)
        return housed

    # Finding again.

    def admit(self, name: str, token: str) -> tuple[WebTable, WebFront]:
        """Where somebody with a token sits; a table that has left memory is read again.

        Raises:
            NotAdmitted: there is no such table, or the token opens nothing there.
            TabletopError: the table cannot be read.
        """
        housed = self._tables.get(name)
        if housed is None:
            kept = self.register.find(name)
            if kept is None:
                raise NotAdmitted("this link opens no table here")
            kept.doors.admit(token)  # raises before anything is loaded
            if len(self._tables) >= self.limits.tables:
                self._sweep_now()
            if len(self._tables) >= self.limits.tables:
                raise TooMany("there are too many tables just now; try again soon")
            housed = self._load(kept)
        return housed.table, housed.table.front_of(token)

    def _load(self, kept: Kept) -> Housed:
        """Go on with the match of a table.

        Raises:
            TableLost: its record is gone or damaged, or this server does not offer its game.
        """
        try:
            plugin = self.games.plugin(kept.game)
        except RegistryError as error:
            _log.error("table %s: %s", kept.table, error)
            raise TableLost(f"this server does not offer {kept.title} now; {MORE}") from error
        table, journal = go_on(kept, plugin, self._table)
        if kept.films:
            table.fronts.set_films([film_link(kept, film) for film in kept.films])
        if kept.next:
            table.fronts.set_next(f"/t/{kept.next}")
        return self._house(kept, table, journal)

    def film(self, name: str) -> Film:
        """What makes a film of a table; see `tabletop.web.register.Register.film`."""
        return self.register.film(name)

    # Keeping.

    def _note(self, name: str) -> None:
        """Write down what has become of a table, where it matters."""
        housed = self._tables.get(name)
        if housed is None:
            return
        match, kept, now = housed.table.session.match, housed.kept, self._loop.time()
        runs = housed.table.clocks.running and now - housed.written >= KEEP_CLOCKS
        housed.kept = self._as_kept(housed)
        if match.over and not kept.films:
            films = tuple(new_token() for _ in range(match.seats + 1))
            housed.kept = replace(housed.kept, films=films)
            housed.table.fronts.set_films([film_link(kept, film) for film in films])
        self.register.note(housed.kept)
        if match.over != kept.over or runs:
            self._keep(housed)

    def _as_kept(self, housed: Housed) -> Kept:
        match = housed.table.session.match
        clock = housed.table.clocks.left(self._loop.time())
        return replace(housed.kept, ply=match.ply, over=match.over, clock=clock)

    def _keep(self, housed: Housed) -> None:
        housed.written = self._loop.time()
        self.register.keep(housed.kept)

    def summaries(self) -> list[Summary]:
        """The tables whose matches are not over, or at which somebody still is; newest first."""
        return [self._summary(kept) for kept in self.register.listed()]

    def _summary(self, kept: Kept) -> Summary:
        housed = self._tables.get(kept.table)
        fronts = None if housed is None else housed.table.fronts
        here = 0 if fronts is None else sum(fronts.behind(it).is_here for it in fronts.awaited)
        people = sum(door is not None for door in kept.doors.seats)
        return Summary(kept.table, kept.title, kept.names, kept.ply, kept.over, people, here)

    # Leaving memory.

    def _sweep(self) -> None:
        try:
            self._sweep_now()
            if self._loop.time() - self._tidied > DAY:
                self._tidy()
        finally:
            if not self._closed:
                self._timer = self._loop.call_later(self.limits.sweep, self._sweep)

    def _tidy(self) -> None:
        """Forget old tables, once a day."""
        self._tidied = self._loop.time()
        self.register.tidy(self._tables)

    def _sweep_now(self) -> None:
        """Put away the tables at which nobody has been for long."""
        now = self._loop.time()
        for housed in list(self._tables.values()):
            since = housed.table.quiet_since
            over = housed.table.session.match.over
            patience = self.limits.finished if over else self.limits.idle
            if since is not None and now - since >= patience:
                self._put_away(housed)

    def _put_away(self, housed: Housed) -> None:
        """Close a table; it can be found again. What cannot be written is logged."""
        name = housed.kept.table
        housed.table.close()
        housed.kept = self._as_kept(housed)
        del self._tables[name]
        session, journal = housed.table.session, housed.journal
        session.close()
        try:
            journal.detach()
            journal.close()
        except TabletopError as error:
            _log.error("table %s: %s", name, error)
        housed.kept = self.register.put_away(housed.kept, session.match, session.plugin.source)

    def close(self) -> None:
        """Put all tables away; they can be found again by the next server."""
        self._closed = True
        self._timer.cancel()
        for housed in list(self._tables.values()):
            self._put_away(housed)
