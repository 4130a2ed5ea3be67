"""Information about the tables of a server, for the lobby, for players, and for the host."""

from __future__ import annotations

import logging
from asyncio import AbstractEventLoop
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from msgspec import Struct
from msgspec.structs import asdict, replace

from tabletop.errors import TabletopError
from tabletop.records.journal import Journal
from tabletop.states.bounds import Seat
from tabletop.table.bot_names import player_labels
from tabletop.table.bot_pool import Pool
from tabletop.table.bot_turns import ASK_HOST
from tabletop.table.inputs import Link
from tabletop.table.match_table import MatchTable
from tabletop.web.limits import Limits
from tabletop.web.links import Invitation, is_opener, links_of, spectator_path
from tabletop.web.numbers import Meter, Number
from tabletop.web.runner import TableRunner
from tabletop.web.store import SavedTable, TableStore
from tabletop.web.tokens import LinkKey, NotAdmitted, matches

_log = logging.getLogger("tabletop")


class TableLost(TabletopError):
    """A table cannot continue. The message is for its people, and contains no path."""


class TableStopped(TableLost):
    """A table is not active until its host does something. Repeating the request does not help."""


State: TypeAlias = Literal["on", "over", "ended", "stopped", "gone"]


class Standing(Struct, frozen=True):
    """The state of a table for a person with a link. "gone" means that the link is not valid.

    Attributes:
        state, ply: The state of the match, and the number of actions played.
        people_present: Number of people who are connected.
        people: Number of people who have a link.
        your_turn: Whether the seat of the request is to act.
    """

    state: State
    ply: int = 0
    people_present: int = 0
    people: int = 0
    your_turn: bool = False


@dataclass(slots=True)
class LiveTable:
    """A table in memory."""

    saved: SavedTable
    runner: TableRunner
    journal: Journal
    ply: int  # the number of actions counted so far

    @property
    def table(self) -> MatchTable:
        """The table."""
        return self.runner.table


class Listing:
    """The known tables of a server.

    Args:
        key: The key from which links are derived.

    Attributes:
        live: The tables in memory, by name.
        listed: The tables in memory, and those whose match is not over.
        left: The time when the last person left a table with shared seats that is not in memory.
        stopped: The reason why a table is not active, by name.
        began: The time when the server was started.
        moves: Counts the actions played.
    """

    def __init__(
        self,
        store: TableStore,
        key: LinkKey,
        loop: AbstractEventLoop,
        limits: Limits,
        pool: Pool,
    ) -> None:
        self.live: dict[str, LiveTable] = {}
        self.listed: dict[str, SavedTable] = {}
        self.left: dict[str, float] = {}
        self.stopped: dict[str, str] = {}
        self.began: float = loop.time()
        self.moves: Meter = Meter()
        self._store = store
        self._key = key
        self._loop = loop
        self._limits = limits
        self._pool = pool

    def find(self, name: str) -> SavedTable | None:
        """Return the saved data of a table, or None. Raise `TableLost` for a damaged file."""
        try:
            return self.listed.get(name) or self._store.get(name)
        except TabletopError as error:
            _log.error("%s", error)
            raise TableLost(f"the saved table cannot be read; {ASK_HOST}") from error

    def summaries(self) -> list[dict[str, Any]]:
        """Return the open tables whose match is not over or where people are, newest first."""
        tables = [self.seen(saved) for saved in self._newest_first() if saved.open_seats]
        return [self._summary(saved) for saved in tables]

    def seen(self, saved: SavedTable, link: Link = None) -> SavedTable:
        """Return the data of a table as people with a link see it, by default spectators."""
        live = self.live.get(saved.table)
        seen = saved.seen if live is None else live.table.state(self._loop.time()).seen
        if not seen:
            return saved
        ply, over = seen[-1 if link is None else link]
        return replace(saved, ply=ply, over=over)

    def _summary(self, saved: SavedTable) -> dict[str, Any]:
        return {
            "table": saved.table,
            "title": saved.title,
            "names": saved.names,
            "ply": saved.ply,
            "over": saved.over,
            "people": saved.people,
            "people_present": self._people_present(saved),
            "stopped": self.stopped.get(saved.table, ""),
            "free_seats": len(self.free_seats(saved, saved.open_seats)),
            "spectator_path": spectator_path(self._key, saved),
        }

    def _people_present(self, saved: SavedTable) -> int:
        """Return the number of connected people of a table."""
        live = self.live.get(saved.table)
        return 0 if live is None else live.table.holders.here

    def free_seats(self, saved: SavedTable, seats: Sequence[Seat]) -> list[Seat]:
        """Return the seats among `seats` that can be taken now."""
        if saved.over or saved.ended or saved.table in self.stopped:
            return []
        live = self.live.get(saved.table)
        if live is not None:
            now = self._loop.time()
            return [seat for seat in seats if live.table.successors.is_free(seat, now)]
        since = self.left.get(saved.table, self.began)
        is_left = not saved.paused and self._loop.time() - since >= self._limits.away_timeout
        clock = saved.clock or [None] * len(saved.names)
        return [seat for seat in seats if is_left and clock[seat] != 0]

    def overview(self) -> list[dict[str, Any]]:
        """Return all listed tables with their links and people, newest first."""
        return [self._described(saved) for saved in self._newest_first()]

    def _newest_first(self) -> list[SavedTable]:
        return sorted(self.listed.values(), key=lambda saved: saved.created, reverse=True)

    def _described(self, saved: SavedTable) -> dict[str, Any]:
        live = self.live.get(saved.table)
        return {
            **self._summary(saved),
            **asdict(links_of(self._key, saved, for_host=True)),
            "created": saved.created,
            "players": None if live is None else live.table.players,
            "player_labels": [] if live is None else player_labels(live.table.players),
            "present_seats": [] if live is None else live.table.holders.present,
            "spectator_count": 0 if live is None else live.table.holders.watching,
        }

    def standing(self, name: str, token: str, seat_token: str = "") -> Standing:
        """Return the state of a table for a person with a link, or who has opened the table."""
        try:
            saved = self.find(name)
            if saved is not None and not is_opener(self._key, name, token):
                saved = self.seen(saved, saved.tokens.admit(token))
        except NotAdmitted:
            return Standing("gone")
        except TableLost:  # the host may repair the file
            return Standing("stopped")
        if saved is None:
            return Standing("gone")
        state = self.state_of(saved)
        if state in {"ended", "over"}:
            return Standing(state)
        present, people = self._people_present(saved), saved.people
        if state == "stopped":
            return Standing(state, saved.ply, present, people)
        asked = [it for seat, it in enumerate(saved.tokens.seats) if it and seat in saved.to_act]
        yours = any(matches(seat_token, it) for it in asked)
        return Standing("on", saved.ply, present, people, yours)

    def state_of(self, saved: SavedTable) -> State:
        """Return the state of a table that exists."""
        if saved.ended or saved.over:
            return "ended" if saved.ended else "over"
        return "stopped" if saved.table in self.stopped else "on"

    def invitation(self, saved: SavedTable) -> Invitation:
        """Return a table for a person with its invitation."""
        return Invitation(
            saved.table,
            saved.title,
            saved.names,
            tuple(self.free_seats(saved, saved.shared_seats)),
            spectator_path(self._key, saved),
            self.state_of(self.seen(saved)),
        )

    def numbers(self) -> list[Number]:
        """The numbers of all tables."""
        people = sum(live.table.holders.here for live in self.live.values())
        watching = sum(live.table.holders.watching for live in self.live.values())
        moves = self.moves.last_minute(self._loop.time())
        metrics = [
            ("tables", "Tables with a running match or with people", len(self.listed)),
            ("tables_in_memory", "Tables in memory", len(self.live)),
            ("people", "Seats of people who are connected", people),
            ("spectators", "Screens of spectators", watching),
            ("bots_thinking", "Bots that are thinking", self._pool.thinking),
            ("bots_waiting", "Bots that wait for a process", self._pool.waiting),
            ("moves_last_minute", "Actions played in the last minute", moves),
        ]
        description = "Actions played since the server was started"
        return [
            *(Number(f"tabletop_{name}", text, value) for name, text, value in metrics),
            Number("tabletop_moves_total", description, self.moves.total, "counter"),
        ]
