"""The tables of a server: opened, found again, saved, and put away when nobody is there."""

from __future__ import annotations

import logging
from asyncio import AbstractEventLoop, Lock
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from pathlib import Path
from time import monotonic
from typing import Any, Final

from msgspec import Struct
from msgspec.structs import replace

from tabletop.errors import (
    RecordError,
    RecordInUse,
    RecordVersionError,
    RegistryError,
    TabletopError,
)
from tabletop.host.paths import new_record_path, utc_now
from tabletop.match.match import Match
from tabletop.records.file import Record, read
from tabletop.records.find_game import note_origin
from tabletop.records.format import HUMAN
from tabletop.records.journal import Journal
from tabletop.records.replaying import match_of, replay, replayed, versions
from tabletop.registry import Plugin
from tabletop.scores.save_score import keep_score
from tabletop.scores.sheets import FRESH
from tabletop.session.bot_pool import Pool
from tabletop.session.session import Session
from tabletop.web.client import Client
from tabletop.web.films import ReplayPage, replay_of_record
from tabletop.web.limits import Limits
from tabletop.web.lobby import NewTable, OfferedGames, TableRequest, header_of, new_table, salt_for
from tabletop.web.render import commitment_of
from tabletop.web.store import SavedTable, TableStore
from tabletop.web.table import Clocks, WebTable, rotate
from tabletop.web.tokens import (
    NotAdmitted,
    SeatTokens,
    hash_token,
    matches,
    new_seat_tokens,
    new_token,
)

SAVE_CLOCKS: Final = 5.0
"""The clocks of a table are saved every so many seconds."""

ASK_HOST: Final = "whoever runs the server finds more in what it says"

_log = logging.getLogger("tabletop")


class TooMany(TabletopError):
    """There is no room for more now."""


class TableLost(TabletopError):
    """A table cannot go on; the message is for the people at it, and holds no path."""


class TableStopped(TableLost):
    """A table stands still until its host does something: to ask again is in vain."""


class OpenedTable(Struct, frozen=True):
    """A table that has been opened: its name, and the paths of its pages; None for bots."""

    table: str
    links: tuple[str | None, ...]
    spectators: str
    commitment: str | None = None


@dataclass(slots=True)
class LiveTable:
    """A table in memory."""

    saved: SavedTable
    table: WebTable
    journal: Journal
    saved_at: float = 0.0


class TableManager:
    """All tables of a server, in memory and saved.

    At the start it goes through the saved tables: old ones are forgotten, and scores are kept that
    a killed server has not kept.
    """

    def __init__(
        self,
        games: OfferedGames,
        store: TableStore,
        loop: AbstractEventLoop,
        *,
        limits: Limits | None = None,
        now: Callable[[], datetime] = utc_now,  # in UTC
        scored: bool = True,
    ) -> None:
        self.games = games
        self.limits: Limits = limits or Limits()
        self._store = store
        self._loop = loop
        self._now = now
        self._scored = scored
        self._live: dict[str, LiveTable] = {}
        self._listed: dict[str, SavedTable] = {}  # not over, or in memory
        self._stopped: dict[str, str] = {}  # why, by the name of the table
        self._bots_turn = Lock()
        self._pool = Pool()
        self._take_over()
        self._timer = loop.call_later(self.limits.sweep, self._sweep)

    # Opening.

    def open_requested(self, request: TableRequest, visitor: str = "") -> OpenedTable:
        """Open the table of a request; raise the errors of `new_table` and of `open`."""
        return self.open(new_table(request, self.games, self._now()), visitor=visitor)

    def open(self, new: NewTable, path: Path | None = None, *, visitor: str = "") -> OpenedTable:
        """Open a table; its record goes to `path`, by default among the user's own.

        The bots of all tables of a `visitor` share what time they have.

        Raises:
            TooMany: there are too many tables.
            RecordError: the record cannot be written.
            StoreError: the table cannot be saved.
        """
        hashes, tokens, spectators = new_seat_tokens([it == HUMAN for it in new.header.players])
        name = self._open(new, hashes, path, visitor)
        links = tuple(None if token is None else f"/t/{name}#{token}" for token in tokens)
        return OpenedTable(name, links, f"/t/{name}#{spectators}", commitment_of(new.match))

    def _open(
        self, new: NewTable, tokens: SeatTokens, path: Path | None = None, visitor: str = ""
    ) -> str:
        """Open a table with known tokens; its name."""
        self._make_room(f"there are {len(self._live)} tables already: no more fit in here")
        match, plugin, header = new.match, new.plugin, new.header
        saved = SavedTable(
            table=new_token(),
            game=new.game,
            title=plugin.game.title or plugin.game.name,
            record=str((path or new_record_path(plugin.game.name, self._now())).absolute()),
            names=match.names,
            tokens=tokens,
            created=header.created,
            casual=new.casual,
            clock=tuple(new.clock if token else None for token in tokens.seats),
            time=new.clock,
        )
        journal = Journal.create(saved.record, match, header, clock=monotonic)
        try:
            self._store.put(saved)
        except TabletopError:
            journal.detach()
            journal.close()
            raise
        note_origin(Path(saved.record), plugin.source)
        session = Session(match, plugin, header.players, recorder=journal, undo=saved.undo)
        self._add(saved, self._web_table(saved, session, visitor), journal)
        return saved.table

    def _make_room(self, refusal: str) -> None:
        """Put away the table that has been without people for longest, if no more fit in."""
        if len(self._live) < self.limits.tables:
            return
        quiet = [
            (live.table.quiet_since, name)
            for name, live in self._live.items()
            if live.table.quiet_since is not None
        ]
        if not quiet:
            raise TooMany(refusal)
        self._put_away(self._live[min(quiet)[1]])

    def _open_again(self, name: str) -> None:
        """Open a table for the people of another, each a seat further; their tokens open it."""
        live = self._live[name]
        saved, table = live.saved, live.table
        names, players = table.next_seating()
        match, plugin = table.session.match, table.session.plugin
        again = Match(plugin.game, salt=salt_for(players), seats=names, options=match.options)
        header = header_of(plugin, again, players, FRESH, self._now())
        new = NewTable(saved.game, plugin, again, header, saved.casual, saved.time)
        tokens = SeatTokens(tuple(rotate(saved.tokens.seats)), saved.tokens.spectators)
        visitor = table.shares[0]
        live.saved = replace(saved, next=self._open(new, tokens, visitor=visitor))
        self._save(live)
        table.clients.set_next(f"/t/{live.saved.next}")

    def _web_table(self, saved: SavedTable, session: Session, visitor: str = "") -> WebTable:
        return WebTable(
            session,
            saved.tokens,
            self._loop,
            limits=self.limits,
            casual=saved.casual,
            clocks=Clocks(saved.clock or [None] * session.match.seats),
            pool=self._pool,
            turn=self._bots_turn,
            on_change=partial(self._update, saved.table),
            reopen=partial(self._open_again, saved.table),
            shares=(visitor or saved.table, saved.table),
        )

    def _add(self, saved: SavedTable, table: WebTable, journal: Journal) -> LiveTable:
        live = self._live[saved.table] = LiveTable(saved, table, journal)
        self._listed[saved.table] = saved
        return live

    # Finding.

    def admit(self, name: str, token: str) -> tuple[WebTable, Client]:
        """Return the table of a name, and the client that a token opens there.

        Raises:
            NotAdmitted: the token opens nothing.
            TableLost: the table cannot go on.
            TooMany: there are too many tables.
        """
        live = self._live.get(name)
        if live is None:
            saved = self._find(name)
            if saved is None:
                raise NotAdmitted("this link opens no table here")
            saved.tokens.admit(token)  # raises before anything is loaded
            self._make_room("there are too many tables just now; try again soon")
            live = self._load(saved)
        return live.table, live.table.client_of(token)

    def _find(self, name: str) -> SavedTable | None:
        try:
            return self._listed.get(name) or self._store.get(name)
        except TabletopError as error:
            _log.error("%s", error)
            raise TableLost(f"what was kept of this table cannot be read; {ASK_HOST}") from error

    def _load(self, saved: SavedTable) -> LiveTable:
        """Go on with a saved table, or raise `TableLost`."""
        try:
            plugin = self.games.plugin(saved.game)
        except RegistryError as error:
            _log.error("table %s: %s", saved.table, error)
            raise TableLost(f"this server does not offer {saved.title} now; {ASK_HOST}") from error
        path = Path(saved.record)
        try:
            live = self._replay(saved, plugin, read(path))
        except RecordInUse as error:
            _log.error("table %s: %s", saved.table, error)
            raise TableLost("another program goes on with this match just now") from error
        except Exception as error:
            if saved.table not in self._stopped:
                is_known = isinstance(error, TabletopError)
                _log.error("table %s stands still: %s", saved.table, error, exc_info=not is_known)
            self._stopped[saved.table] = reason = _why_stopped(saved, error)
            raise TableStopped(reason) from error
        clients = live.table.clients
        if saved.films:
            clients.set_films([saved.film_link(film) for film in saved.films])
        if saved.next:
            clients.set_next(f"/t/{saved.next}")
        return live

    def _replay(self, saved: SavedTable, plugin: Plugin, record: Record) -> LiveTable:
        match = match_of(record, plugin.game)
        session = Session(match, plugin, record.players, undo=saved.undo)
        table = self._web_table(saved, session)  # first: its clients observe what is replayed
        session.replayed()
        try:
            for entry in replayed(match, record.entries, record.path):
                if entry.do is not None or entry.undo is not None:
                    session.replayed()  # after each: pictures mark what the last action led to
            journal = Journal.resume(record, match, clock=monotonic)
        except RecordError:
            table.close()
            raise
        return self._add(saved, table, journal)

    def replay_page(self, name: str) -> ReplayPage:
        """Return a function that makes the replay page of a finished match.

        Its name is the table's, and the token that a seat, or spectators, were told in the end.

        Raises:
            NotAdmitted: there is no such page.
            TabletopError: the table cannot be read.
        """
        table, _, token = name.partition(".")
        saved = self._find(table)
        fits = [matches(token, hash_token(it)) for it in ([] if saved is None else saved.films)]
        if saved is None or not any(fits):
            raise NotAdmitted("there is no such film here")
        link = fits.index(True)
        seat = link if link < len(saved.names) else None
        return partial(replay_of_record, self.games.plugin(saved.game), Path(saved.record), seat)

    def summaries(self) -> list[dict[str, Any]]:
        """The tables whose matches are not over, or where somebody still is; the newest first."""
        newest_first = sorted(self._listed.values(), key=lambda saved: saved.created, reverse=True)
        return [self._summary(saved) for saved in newest_first]

    def _summary(self, saved: SavedTable) -> dict[str, Any]:
        live, here = self._live.get(saved.table), 0
        if live is not None:
            clients = live.table.clients
            here = sum(bool(clients[seat].screens) for seat in clients.expected)
        return {
            "table": saved.table,
            "title": saved.title,
            "names": saved.names,
            "ply": saved.ply,
            "over": saved.over,
            "people": sum(token is not None for token in saved.tokens.seats),
            "here": here,
            "stopped": self._stopped.get(saved.table, ""),
        }

    def outdated(self) -> list[str]:
        """Say of each match that is not over and was begun with other rules where it is kept.

        It stands still as long as the server has the present rules.
        """
        said = []
        for saved in self._listed.values():
            try:
                game, record = self.games.plugin(saved.game).game, read(saved.record)
            except TabletopError:
                continue  # whoever comes to the table is told
            if not saved.over and record.header.version != game.version:
                reason = RecordVersionError(versions(game, record.header))
                self._stopped[saved.table] = _why_stopped(saved, reason)
                said.append(f"{saved.record}: {reason}")
        return said

    # Saving.

    def _update(self, name: str) -> None:
        """Note how far a table is, and save it where that matters."""
        live = self._live.get(name)
        if live is None:
            return
        match, before = live.table.session.match, live.saved
        clocks_due = live.table.clocks.running and self._loop.time() - live.saved_at >= SAVE_CLOCKS
        live.saved = self._as_saved(live)
        if match.over and not before.films:
            films = tuple(new_token() for _ in range(match.seats + 1))
            live.saved = replace(live.saved, films=films)
            live.table.clients.set_films([before.film_link(film) for film in films])
        self._listed[name] = live.saved
        begins = match.ply > 0 and before.ply == 0
        if begins or match.over != before.over or clocks_due:
            self._save(live)

    def _as_saved(self, live: LiveTable) -> SavedTable:
        match = live.table.session.match
        clock = live.table.clocks.left(self._loop.time())
        return replace(live.saved, ply=match.ply, over=match.over, clock=clock)

    def _save(self, live: LiveTable) -> None:
        live.saved_at = self._loop.time()
        self._put(live.saved)

    def _put(self, saved: SavedTable) -> None:
        """Save a table; a failure is logged."""
        try:
            self._store.put(saved)
        except TabletopError as error:
            _log.error("%s", error)

    # Leaving memory.

    def _sweep(self) -> None:
        try:
            self._put_idle_away()
        finally:
            self._timer = self._loop.call_later(self.limits.sweep, self._sweep)

    def _put_idle_away(self) -> None:
        """Put away the tables without people for long."""
        now = self._loop.time()
        for live in list(self._live.values()):
            since = live.table.quiet_since
            over = live.table.session.match.over
            patience = self.limits.finished if over else self.limits.idle
            if since is not None and now - since >= patience:
                self._put_away(live)

    def _put_away(self, live: LiveTable) -> None:
        """Close a table; it can be found again. Failures to write are logged."""
        live.table.close()
        saved = self._as_saved(live)
        del self._live[saved.table]
        session = live.table.session
        session.close()
        try:
            live.journal.detach()
            live.journal.close()
        except TabletopError as error:
            _log.error("table %s: %s", saved.table, error)
        if saved.over:
            self._listed.pop(saved.table, None)
            if not saved.scored:
                if self._scored:
                    keep_score(session.match, session.plugin.source, Path(saved.record), once=True)
                saved = replace(saved, scored=True)
        else:
            self._listed[saved.table] = saved
        self._put(saved)

    def close(self) -> None:
        """Put all tables away; the next server finds them again."""
        self._timer.cancel()
        for live in list(self._live.values()):
            self._put_away(live)
        self._pool.close()

    # What another server has left.

    def _take_over(self) -> None:
        now = self._now().timestamp()
        for saved in self._store.all():
            if saved.over and self._scored and not saved.scored:
                self._keep_score(saved)
            if self._store.is_old(saved, now):
                self._store.remove(saved.table)
            elif not saved.over:
                self._listed[saved.table] = saved

    def _keep_score(self, saved: SavedTable) -> None:
        """Keep the score of a finished match whose server was killed."""
        try:
            plugin = self.games.plugin(saved.game)
            match = replay(read(saved.record), plugin.game)
        except TabletopError as error:
            _log.warning("table %s: its score is not kept: %s", saved.table, error)
        else:
            keep_score(match, plugin.source, Path(saved.record), once=True)
        self._put(replace(saved, scored=True))


def _why_stopped(saved: SavedTable, error: Exception) -> str:
    if isinstance(error, RecordVersionError):
        return (
            f"the rules of {saved.title} have changed since this match was begun: it stands still,"
            " and is kept as it is. Whoever runs the server can go on with it with the former rules"
        )
    why = "cannot be read" if Path(saved.record).exists() else "is gone"
    return f"the record of this table {why}: the match cannot go on; {ASK_HOST}"
