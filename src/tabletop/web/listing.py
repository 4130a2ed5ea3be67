"""What is known of the tables of a server, and what is told of them.

The lobby is told which there are, who has a link how that table stands, the host all of it.
"""

from __future__ import annotations

import logging
from asyncio import AbstractEventLoop
from dataclasses import dataclass
from typing import Any, Final, Literal

from msgspec import Struct
from msgspec.structs import asdict

from tabletop.errors import TabletopError
from tabletop.records.journal import Journal
from tabletop.session.bot_pool import Pool
from tabletop.states.bounds import Seat
from tabletop.web.limits import Limits
from tabletop.web.links import is_opener, links_of, spectator_path
from tabletop.web.numbers import Meter, Number
from tabletop.web.store import SavedTable, TableStore
from tabletop.web.table import WebTable
from tabletop.web.tokens import LinkKey, NotAdmitted, matches

ASK_HOST: Final = "the log of the server has details"

CANNOT_SAVE: Final = "the match cannot be saved at the moment; try again later"
"""The answer to a request that failed because a file could not be written. It has no path in it."""

_log = logging.getLogger("tabletop")


class TableLost(TabletopError):
    """A table cannot go on; the message is for the people at it, and holds no path."""


class TableStopped(TableLost):
    """A table stands still until its host does something: to ask again is in vain."""


class Standing(Struct, frozen=True):
    """How a table stands, for who has a link there; "gone" where that opens nothing any more.

    Attributes:
        state, ply: the state of the match, and how many actions were played.
        people_present: Number of people who are connected.
        people: Number of people who have a link.
        your_turn: Whether the seat of the request is to act.
    """

    state: Literal["on", "over", "ended", "stopped", "gone"]
    ply: int = 0
    people_present: int = 0
    people: int = 0
    your_turn: bool = False


@dataclass(slots=True)
class LiveTable:
    """A table in memory."""

    saved: SavedTable
    table: WebTable
    journal: Journal
    ply: int  # how many actions have been counted


class Listing:
    """The tables of a server, as far as they are known.

    Args:
        store: where tables are saved.
        key: what their links are derived from.
        loop: tells the time.
        limits: the limits of the server.
        pool: where bots think.

    Attributes:
        live: the tables in memory, by their names.
        listed: the tables whose match is not over, or that are in memory.
        left: when people were last at a table with open seats that is not in memory.
        stopped: why a table stands still.
        began: when the server was started.
        moves: counts the actions that are played.
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
        """Return what is saved of a table; None without one, `TableLost` for a bad file."""
        try:
            return self.listed.get(name) or self._store.get(name)
        except TabletopError as error:
            _log.error("%s", error)
            raise TableLost(f"the saved table cannot be read; {ASK_HOST}") from error

    def summaries(self) -> list[dict[str, Any]]:
        """The tables whose matches are not over, or where somebody still is; the newest first."""
        return [self._summary(saved) for saved in self._newest_first()]

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
            "free_seats": len(self.free_seats(saved)),
            "taken_seats": [seat for seat in saved.open_seats if saved.generation(seat)],
            "spectator_path": spectator_path(self._key, saved),
        }

    def _people_present(self, saved: SavedTable) -> int:
        """Return the number of connected people of a table."""
        live = self.live.get(saved.table)
        return 0 if live is None else live.table.clients.here

    def free_seats(self, saved: SavedTable) -> list[Seat]:
        """The seats that can be taken from the lobby now."""
        if saved.over or saved.ended or saved.table in self.stopped:
            return []
        live = self.live.get(saved.table)
        if live is not None:
            return [seat for seat in saved.open_seats if live.table.is_free(seat)]
        since = self.left.get(saved.table, self.began)
        is_left = self._loop.time() - since >= self._limits.away_timeout
        clock = saved.clock or [None] * len(saved.names)
        return [seat for seat in saved.open_seats if is_left and clock[seat] != 0]

    def overview(self) -> list[dict[str, Any]]:
        """All tables that are listed, with their links and who is there; the newest first."""
        return [self._described(saved) for saved in self._newest_first()]

    def _newest_first(self) -> list[SavedTable]:
        return sorted(self.listed.values(), key=lambda saved: saved.created, reverse=True)

    def _described(self, saved: SavedTable) -> dict[str, Any]:
        live = self.live.get(saved.table)
        return {
            **self._summary(saved),
            **asdict(links_of(self._key, saved, for_host=True)),
            "created": saved.created,
            "players": None if live is None else live.table.session.players,
            "present_seats": [] if live is None else live.table.clients.present,
            "spectator_count": 0 if live is None else live.table.watching,
        }

    def standing(self, name: str, token: str, seat_token: str = "") -> Standing:
        """How a table stands, for who has a link there, or has opened it, and perhaps a seat."""
        try:
            saved = self.find(name)
            if saved is not None and not is_opener(self._key, name, token):
                saved.tokens.admit(token)
        except NotAdmitted:
            return Standing("gone")
        except TableLost:  # its file cannot be read, and may be mended
            return Standing("stopped")
        if saved is None:
            return Standing("gone")
        if saved.ended or saved.over:
            return Standing("ended" if saved.ended else "over")
        present, people = self._people_present(saved), saved.people
        if saved.table in self.stopped:
            return Standing("stopped", saved.ply, present, people)
        asked = [it for seat, it in enumerate(saved.tokens.seats) if it and seat in saved.to_act]
        yours = any(matches(seat_token, it) for it in asked)
        return Standing("on", saved.ply, present, people, yours)

    def numbers(self) -> list[Number]:
        """The numbers of all tables."""
        people = sum(live.table.clients.here for live in self.live.values())
        watching = sum(live.table.watching for live in self.live.values())
        moves = self.moves.last_minute(self._loop.time())
        said = [
            ("tables", "Tables with a running match or with people", len(self.listed)),
            ("tables_in_memory", "Tables in memory", len(self.live)),
            ("people", "Seats of people who are here", people),
            ("spectators", "Screens that watch without a seat", watching),
            ("bots_thinking", "Bots that think now", self._pool.thinking),
            ("bots_waiting", "Bots that wait for a process to think in", self._pool.waiting),
            ("moves_last_minute", "Actions played in the last minute", moves),
        ]
        in_all = "Actions played since the server was started"
        return [
            *(Number(f"tabletop_{name}", words, value) for name, words, value in said),
            Number("tabletop_moves_total", in_all, self.moves.total, "counter"),
        ]
