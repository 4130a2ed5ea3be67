"""The tables of a server: opening, finding, saving and unloading them."""

from __future__ import annotations

import logging
from asyncio import AbstractEventLoop, Lock
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace as copy
from datetime import datetime
from functools import partial
from pathlib import Path
from secrets import token_hex
from time import monotonic
from typing import Final, TypeVar

from msgspec.structs import asdict, replace

from tabletop.errors import (
    RecordError,
    RecordInUse,
    RecordVersionError,
    RegistryError,
    TabletopError,
)
from tabletop.host.paths import new_record_path, utc_now
from tabletop.host.screen_text import distinct_names
from tabletop.match.match import Match
from tabletop.records.file import Record, read
from tabletop.records.find_game import note_origin
from tabletop.records.format import HUMAN
from tabletop.records.journal import Journal
from tabletop.records.replaying import match_of, replay, versions
from tabletop.registry import Plugin
from tabletop.rules.game import default_names
from tabletop.scores.save_score import keep_score
from tabletop.scores.sheets import FRESH
from tabletop.states.bounds import Seat
from tabletop.table.bot_pool import Pool
from tabletop.table.bot_turns import ASK_HOST
from tabletop.table.inputs import HandOver, Link, Next, ReplayPages, Reseat, Reserve
from tabletop.table.match_table import MatchTable
from tabletop.table.presenter import commitment_of
from tabletop.terminal.commands import REMOTE_COMMANDS
from tabletop.web.limits import Limits
from tabletop.web.links import (
    Invitation,
    JoinedSeat,
    OpenedTable,
    TableLinks,
    is_invitation,
    is_opener,
    is_overtaken,
    links_of,
    next_pages,
    page_of,
    shared_paths,
)
from tabletop.web.listing import Listing, LiveTable, TableLost, TableStopped
from tabletop.web.lobby import (
    NewTable,
    OfferedGames,
    TableRequest,
    clean_name,
    header_of,
    new_table,
    salt_for,
)
from tabletop.web.replay_pages import MakePage, replay_of_record
from tabletop.web.runner import STOPPED, TableRunner
from tabletop.web.store import SavedTable, StoreError, TableStore
from tabletop.web.tokens import (
    NO_REPLAY,
    LinkKey,
    NotAdmitted,
    SeatTaken,
    derived_tokens,
    hash_token,
    matches,
    new_token,
)

SAVE_CLOCKS: Final = 5.0
"""Seconds between two saves of the clocks. A killed server restores at most this much time."""

ENDED: Final = "the host has closed this table"

OVERTAKEN: Final = (
    "another player has taken this seat, so this link is not valid any more. For a free seat, open"
    " the invitation of the table again, or join an open table in the lobby"
)

T = TypeVar("T")

_log = logging.getLogger("tabletop")


class TooMany(TabletopError):
    """The server has no room for more tables or connections now."""


class NoSeatFree(TabletopError):
    """A table has no free seat for another person now."""


class TableManager:
    """All tables of a server, in memory and saved.

    At the start it checks the saved tables, deletes old ones, and saves scores that a killed server
    has not saved.
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
        self.key: LinkKey = store.link_key()
        self._bots_turn = Lock()
        self._pool = Pool()
        self.listing: Listing = Listing(store, self.key, loop, self.limits, self._pool)
        self._take_over()
        self._timer = loop.call_later(self.limits.sweep, self._sweep)
        self._clock_timer = loop.call_later(SAVE_CLOCKS, self._save_clocks)

    # Opening.

    def open_requested(self, request: TableRequest, visitor: str = "") -> OpenedTable:
        """Open the table of a request. It raises the errors of `new_table` and `open`."""
        return self.open(new_table(request, self.games, self._now()), visitor=visitor)

    def open(self, new: NewTable, path: Path | None = None, *, visitor: str = "") -> OpenedTable:
        """Open a table, whose record goes to `path`, by default in the user's folder.

        The bots of all tables of a `visitor` share the time of the processes.

        Raises:
            TooMany: There are too many tables.
            RecordError: The record cannot be written.
            StoreError: The table cannot be saved.
        """
        live = self._open(new, [it == HUMAN for it in new.header.players], path, visitor)
        links, opener = links_of(self.key, live.saved), self.key.opener(live.saved.table)
        return OpenedTable(**asdict(links), opener=opener, commitment=commitment_of(new.match))

    def _open(
        self, new: NewTable, people: Sequence[bool], path: Path | None = None, visitor: str = ""
    ) -> LiveTable:
        """Open a table with links to the seats of people."""
        self._make_room(
            f"the server is full, with {len(self.listing.live)} tables; try again later"
        )
        match, plugin, header = new.match, new.plugin, new.header
        settings = new.settings.resolved()
        name = new_token()
        tokens = derived_tokens(self.key, name, people)
        saved = SavedTable(
            table=name,
            game=new.game,
            title=plugin.game.title or plugin.game.name,
            record=str((path or new_record_path(plugin.game.name, self._now())).absolute()),
            names=match.names,
            tokens=tokens,
            created=header.created,
            settings=settings,
            clock=tuple(settings.first_time if token else None for token in tokens.seats),
            spectators_see_more=self.games.spectators_see_more(new.game, match),
            invited=new.invited,
        )
        if saved.spectators_see_more:
            _log.warning(
                "table %s: in %s, a spectator sees what some players may not see, so players do"
                " not get the link to watch",
                saved.table,
                saved.title,
            )
        journal = Journal.create(saved.record, match, header, clock=monotonic)
        try:
            self._store.put(saved)
        except TabletopError:
            journal.detach()
            journal.close()
            raise
        note_origin(Path(saved.record), plugin.source)
        make = partial(MatchTable, match, plugin, header.players, recorder=journal)
        return self._add(saved, self._runner(saved, make, visitor), journal)

    def _make_room(self, refusal: str) -> None:
        """Unload the table that has been without people for longest, if there are too many."""
        if len(self.listing.live) < self.limits.tables:
            return
        quiet = [
            (since, name)
            for name, live in self.listing.live.items()
            if (since := live.table.quiet_since) is not None
        ]
        if not quiet:
            raise TooMany(refusal)
        self._unload(self.listing.live[min(quiet)[1]])

    def _open_next(self, name: str, screen: int, number: int) -> None:
        """Open a table for the players of another, each one seat further, for a screen there."""
        live = self.listing.live[name]
        saved, table = live.saved, live.table
        names, players = _next_seating(live)
        match, plugin = table.match, table.plugin
        again = Match(plugin.game, salt=salt_for(players), seats=names, options=match.options)
        header = header_of(plugin, again, players, FRESH, self._now())
        open_seats, invited = (
            tuple((seat - 1) % again.seats for seat in seats)
            for seats in (saved.open_seats, saved.invited)
        )
        settings = replace(saved.settings, open=open_seats)
        new = NewTable(saved.game, plugin, again, header, settings, invited)
        people = [token is not None for token in rotate(saved.tokens.seats)]
        try:
            follows = self._open(new, people, visitor=live.runner.shares[0])
        except StoreError as error:
            raise RecordError(str(error)) from error
        follows.runner.receive(Reserve(follows.saved.shared_seats))  # for the same players
        live.saved = replace(saved, next=follows.saved.table)
        self._put(live.saved)
        live.runner.receive(Next(next_pages(self.key, live.saved, follows.saved), screen, number))

    def _runner(
        self, saved: SavedTable, make: Callable[..., MatchTable], visitor: str = ""
    ) -> TableRunner:
        links = [seat for seat, token in enumerate(saved.tokens.seats) if token is not None]
        table = make(
            saved.settings,
            self._loop.time(),
            undo=saved.undo,
            seating={seat: [seat] for seat in links},
            limits=self.limits,
            clock=saved.clock,
            hosted=True,
            secret=token_hex,
        )
        table.commands = REMOTE_COMMANDS
        return TableRunner(
            table,
            self._loop,
            self.limits,
            shared=shared_paths(self.key, saved),
            pool=self._pool,
            turn=self._bots_turn,
            shares=(visitor or saved.table, saved.table),
            on_keep=partial(self._update, saved.table),
            on_open_next=partial(self._open_next, saved.table),
        )

    def _add(self, saved: SavedTable, runner: TableRunner, journal: Journal) -> LiveTable:
        ply = runner.table.match.ply
        live = self.listing.live[saved.table] = LiveTable(saved, runner, journal, ply)
        self.listing.listed[saved.table] = saved
        return live

    # Finding.

    def admit(self, name: str, token: str) -> tuple[TableRunner, Link]:
        """Return the table of a name, and the link that a token opens there.

        Raises:
            NotAdmitted: The token is not valid.
            TableLost: The table cannot continue.
            TooMany: There are too many tables.
        """
        live = self.listing.live.get(name)
        saved = self.listing.find(name) if live is None else live.saved
        if saved is None:
            raise NotAdmitted
        seat = self._admit(saved, token)  # raises before anything is loaded
        return (live or self._in_memory(saved)).runner, seat

    def _admit(self, saved: SavedTable, token: str) -> Seat | None:
        """Return the seat that a token opens at a table. See `SeatTokens.admit`."""
        try:
            return saved.tokens.admit(token)
        except NotAdmitted:
            if is_overtaken(self.key, saved, token):
                raise SeatTaken(OVERTAKEN) from None
            raise

    def _in_memory(self, saved: SavedTable) -> LiveTable:
        """Return a table, loaded if necessary. Raise `TableLost` or `TooMany`."""
        if saved.ended:
            raise TableStopped(ENDED)
        if saved.table in self.listing.live:
            return self.listing.live[saved.table]
        self._make_room("too many tables are open; try again soon")
        return self._load(saved)

    def plugin_at(self, name: str) -> Plugin | None:
        """Return the game of a table, or None if the table or the game is not available."""
        try:
            saved = self.listing.find(name)
            return None if saved is None else self.games.plugin(saved.game)
        except TabletopError:  # reported to the people who open the table
            return None

    def _load(self, saved: SavedTable) -> LiveTable:
        """Resume a saved table, or raise `TableLost`."""
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
            raise TableLost("another program is running this match") from error
        except Exception as error:
            if saved.table not in self.listing.stopped:
                is_known = isinstance(error, TabletopError)
                _log.error("table %s is stopped: %s", saved.table, error, exc_info=not is_known)
            self.listing.stopped[saved.table] = reason = _why_stopped(saved, error)
            raise TableStopped(reason) from error
        if saved.replay_tokens:
            live.runner.receive(
                ReplayPages([saved.replay_link(token) for token in saved.replay_tokens])
            )
        if saved.next:
            try:
                follows = self.listing.find(saved.next)
            except TableLost:  # reported to the people who go there
                follows = None
            live.runner.receive(Next(next_pages(self.key, saved, follows)))
        left = self.listing.left.pop(saved.table, self.listing.began)
        live.table.successors.presence.reserve(saved.shared_seats, left)
        return live

    def _replay(self, saved: SavedTable, plugin: Plugin, record: Record) -> LiveTable:
        match = match_of(record, plugin.game)
        if match.seats != len(saved.names):
            raise RecordError(f"{record.path}: not of {len(saved.names)} seats, as the table is")
        make = partial(MatchTable, match, plugin, record.players)
        runner = self._runner(saved, make)  # first: its screens show what is replayed
        try:
            runner.table.restore(record, saved, self._loop.time())
            journal = Journal.resume(record, match, clock=monotonic)
        except RecordError:
            runner.close()
            raise
        return self._add(saved, runner, journal)

    def replay_page(self, name: str) -> MakePage:
        """Return a function that makes the replay page of a finished match.

        Its name consists of the table's name and a token, which each seat and the spectators
        receive at the end.

        Raises:
            NotAdmitted: The page does not exist.
            TabletopError: The table cannot be read.
        """
        table, _, token = name.partition(".")
        saved = self.listing.find(table)
        fits = [
            matches(token, hash_token(it)) for it in ([] if saved is None else saved.replay_tokens)
        ]
        if saved is None or not any(fits):
            raise NotAdmitted(NO_REPLAY)
        link = fits.index(True)
        seat = link if link < len(saved.names) else None
        return partial(replay_of_record, self.games.plugin(saved.game), Path(saved.record), seat)

    # Links.

    def links(self, name: str, token: str) -> TableLinks:
        """Return the links of a table to the person who opened it, except of seats taken by others.

        Raises:
            NotAdmitted: The token does not belong to the person who opened the table.
            TableLost: The table cannot continue.
        """
        saved = self.listing.find(name)
        if saved is None or not is_opener(self.key, name, token):
            raise NotAdmitted("only the player who opened a table may see its links")
        if saved.ended:
            raise TableStopped(ENDED)
        return links_of(self.key, saved)

    # Seats that are taken with the invitation or from the lobby.

    def join(self, name: str, called: str = "") -> JoinedSeat:
        """Give the next open seat of a table to a player from the lobby.

        The link of the seat is returned once, and earlier links of the seat stop working. If no
        action has been played, the seat gets the name of the player, with the number of the seat
        if another seat has the same name.

        Raises:
            InvalidRequest: The name is too long.
            NotAdmitted: The table does not exist.
            NoSeatFree: None of its seats is free now.
            TableLost, TooMany: The table cannot be loaded, or not now.
            StoreError, RecordError: The change cannot be saved.
        """
        saved, called = self._saved(name), clean_name(called, "name")
        return self._seat(saved, saved.open_seats, called, "Someone from the lobby")

    def invitation(self, name: str, token: str) -> Invitation:
        """Return a table for a person with its invitation, without changing anything.

        Raises:
            NotAdmitted: The token is not that of an invitation.
            TableLost: The table cannot be read.
        """
        return self.listing.invitation(self._invited_to(name, token))

    def sit_down(self, name: str, token: str, called: str = "") -> JoinedSeat:
        """Give the next free seat of a table to a person with its invitation, as `join` does."""
        called = clean_name(called, "name")
        saved = self._invited_to(name, token)
        return self._seat(saved, saved.shared_seats, called, "A guest")

    def _invited_to(self, name: str, token: str) -> SavedTable:
        """Return the table that an invitation belongs to, or raise `NotAdmitted`."""
        saved = self.listing.find(name)
        if saved is None or not is_invitation(self.key, name, token):
            raise NotAdmitted(
                "this invitation is not valid; copy the whole link, with the part after #"
            )
        return saved

    def _seat(self, saved: SavedTable, seats: Sequence[Seat], called: str, who: str) -> JoinedSeat:
        """Give the next free seat among `seats` to a new player."""
        name, free_seats = saved.table, self.listing.free_seats
        free = free_seats(saved, seats) and free_seats(self._in_memory(saved).saved, seats)
        if not free:
            raise NoSeatFree("no seat is free at this table any more")
        live, seat = self.listing.live[name], free[0]
        if called:
            names = [*saved.names[:seat], called, *saved.names[seat + 1 :]]
            called = distinct_names(names, saved.names)[seat]
        generations = [saved.generation(it) + (it == seat) for it in range(len(saved.names))]
        token = self.key.seat(name, seat, generations[seat])
        tokens = live.saved.tokens.replaced(seat, token)
        taken = replace(self._as_saved(live), generations=tuple(generations), tokens=tokens)
        match, former = live.table.match, live.table.players[seat]
        if former != HUMAN:  # a bot has replaced the absent player
            live.runner.receive(Reseat(seat, HUMAN))
        try:
            if called and not (match.ply or match.undone):
                taken = self._put_renamed(live, taken, seat, called)
            else:
                self._store.put(taken)
                live.saved = self.listing.listed[name] = taken
        except TabletopError:
            if former != HUMAN:
                live.runner.receive(Reseat(seat, former))
            raise
        live.runner.receive(HandOver(seat, f"{called or who} sat down as {saved.names[seat]}"))
        return JoinedSeat(name, taken.title, taken.names, seat, page_of(name, token))

    def _put_renamed(self, live: LiveTable, taken: SavedTable, seat: Seat, name: str) -> SavedTable:
        """Save a table without actions, and rename a seat.

        A record starts with the names, so a new record is started. If the record or the table
        cannot be written, nothing changes.
        """
        former, table, match = live.journal, live.table, live.table.match
        names = (*match.names[:seat], name, *match.names[seat + 1 :])
        header = copy(read(former.path).header, seats=names, players=table.players)
        path = new_record_path(match.game.name, self._now()).absolute()
        journal = Journal.create(path, match, header, clock=monotonic)
        taken = replace(taken, record=str(path), names=names)
        try:
            self._store.put(taken)
        except TabletopError:
            match.set_recorder(former)
            journal.close()
            with suppress(OSError):
                path.unlink()
            raise
        live.journal, live.saved = journal, taken
        self.listing.listed[taken.table] = taken
        match.rename(seat, name)
        note_origin(path, table.plugin.source)
        former.close()
        with suppress(OSError):  # it is only one record too many
            former.path.unlink()
        return taken

    def _saved(self, name: str) -> SavedTable:
        """Return the table with a name, which a page lists.

        Raises:
            NotAdmitted: The table does not exist.
        """
        saved = self.listing.find(name)
        if saved is None:
            raise NotAdmitted("table not found")
        return saved

    # Requests of the host.

    def end(self, name: str) -> None:
        """End a table permanently. Its people are notified, and its record is kept.

        Raises:
            NotAdmitted: The table does not exist.
            TableLost, StoreError: The saved table cannot be read or written.
        """
        saved = self._saved(name)
        live = self.listing.live.get(name)
        if live is None:
            self._store.put(replace(saved, ended=True))
            self.listing.listed.pop(name, None)
            return
        ended = replace(self._as_saved(live), ended=True)
        self._store.put(ended)
        live.saved = ended
        live.runner.close(STOPPED, ENDED)
        self._unload(live)

    def outdated(self) -> list[str]:
        """Return a line for each unfinished match with other rules, with the path of its record.

        These matches cannot continue with the present rules.
        """
        lines = []
        for saved in self.listing.listed.values():
            try:
                game, record = self.games.plugin(saved.game).game, read(saved.record)
            except TabletopError:
                continue  # reported to the people who open the table
            if not saved.over and record.header.version != game.version:
                reason = RecordVersionError(versions(game, record.header))
                self.listing.stopped[saved.table] = _why_stopped(saved, reason)
                lines.append(f"{saved.record}: {reason}")
        return lines

    # Saving.

    def _update(self, name: str) -> None:
        """Store the progress of a table, and save it after important changes."""
        live = self.listing.live.get(name)
        if live is None:
            return
        match, before = live.table.match, live.saved
        live.saved = self._as_saved(live)
        self.listing.moves.add(max(0, match.ply - live.ply), self._loop.time())
        live.ply = match.ply
        if match.over and not before.replay_tokens:
            tokens = tuple(new_token() for _ in range(match.seats + 1))
            live.saved = replace(live.saved, replay_tokens=tokens)
            live.runner.receive(ReplayPages([before.replay_link(token) for token in tokens]))
        self.listing.listed[name] = live.saved
        # Without what changes with every action.
        was, is_now = (
            replace(it, ply=min(it.ply, 1), seen=(), to_act=(), clock=())
            for it in (before, live.saved)
        )
        if was != is_now:
            self._put(live.saved)

    def _as_saved(self, live: LiveTable) -> SavedTable:
        return replace(live.saved, **asdict(live.table.state(self._loop.time())))

    def _save_clocks(self) -> None:
        """Save the tables whose clocks run, even if nothing else has changed."""
        self._clock_timer = self._loop.call_later(SAVE_CLOCKS, self._save_clocks)
        for live in self.listing.live.values():
            if live.table.clocks.running:
                self._put(self._as_saved(live))

    def _put(self, saved: SavedTable) -> None:
        """Save a table. A failure is logged."""
        try:
            self._store.put(saved)
        except TabletopError as error:
            _log.error("%s", error)

    # Leaving memory.

    def _sweep(self) -> None:
        try:
            self._unload_idle()
        finally:
            self._timer = self._loop.call_later(self.limits.sweep, self._sweep)

    def _unload_idle(self) -> None:
        """Unload the tables that have been quiet for a long time, and have nothing more to show."""
        now = self._loop.time()
        for live in list(self.listing.live.values()):
            since = live.table.quiet_since
            over = live.table.match.over
            timeout = self.limits.unload_finished if over else self.limits.unload
            is_shown = all(it.perspective.deadline is None for it in live.table.holders)
            if since is not None and now - since >= timeout and is_shown:
                self._unload(live)

    def _unload(self, live: LiveTable) -> None:
        """Close a table; it can be found again. Failures to write are logged."""
        live.runner.close()
        saved = self._as_saved(live)
        del self.listing.live[saved.table]
        table = live.table
        table.close()
        try:
            live.journal.detach()
            live.journal.close()
        except TabletopError as error:
            _log.error("table %s: %s", saved.table, error)
        self._list(saved)
        if saved.shared_seats and not (saved.over or saved.ended):
            since = live.table.quiet_since
            self.listing.left[saved.table] = self._loop.time() if since is None else since
        if saved.over and not saved.scored:
            if self._scored:
                keep_score(table.match, table.plugin.source, Path(saved.record), once=True)
            saved = replace(saved, scored=True)
        self._put(saved)

    def close(self) -> None:
        """Unload all tables. The next server can load them again."""
        self._timer.cancel()
        self._clock_timer.cancel()
        for live in list(self.listing.live.values()):
            self._unload(live)
        self._pool.close()

    # Tables of an earlier server.

    def _take_over(self) -> None:
        now = self._now().timestamp()
        for saved in self._store.all():
            if saved.over and self._scored and not saved.scored:
                self._keep_score(saved)
            if self._store.is_old(saved, now):
                self._store.remove(saved.table)
            else:
                self._list(saved)

    def _list(self, saved: SavedTable) -> None:
        """List a table that is not in memory until spectators have seen the end of its match."""
        if saved.ended or self.listing.seen(saved).over:
            self.listing.listed.pop(saved.table, None)
        else:
            self.listing.listed[saved.table] = saved

    def _keep_score(self, saved: SavedTable) -> None:
        """Save the score of a finished match whose server was killed."""
        try:
            plugin = self.games.plugin(saved.game)
            match = replay(read(saved.record), plugin.game)
        except TabletopError as error:
            _log.warning("table %s: the score was not saved: %s", saved.table, error)
        else:
            keep_score(match, plugin.source, Path(saved.record), once=True)
        self._put(replace(saved, scored=True))


def _next_seating(live: LiveTable) -> tuple[list[str], list[str]]:
    """Return the names and players of the next match, in which everybody sits one seat further."""
    table, match, players = live.table, live.table.match, []
    for seat, player in enumerate(table.players):
        if live.saved.tokens.seats[seat] is None:  # nobody could come to the seat
            players.append(table.plugin.best_bot if player == HUMAN else player)
        else:
            players.append(HUMAN if seat in live.table.holders.present else player)
    defaults = default_names(match.game, match.seats)
    names = rotate(["" if it in defaults else it for it in match.names])
    return [it or defaults[seat] for seat, it in enumerate(names)], rotate(players)


def rotate(seats: Sequence[T]) -> list[T]:
    """Move every item up by one seat. The first becomes the last."""
    return [*seats[1:], *seats[:1]]


def _why_stopped(saved: SavedTable, error: Exception) -> str:
    if isinstance(error, RecordVersionError):
        return (
            f"the rules of {saved.title} have changed since this match began, so it is stopped and"
            " kept; the host can continue it with the former rules"
        )
    why = "cannot be read" if Path(saved.record).exists() else "is gone"
    return f"the record of this table {why}, so the match cannot continue; {ASK_HOST}"
