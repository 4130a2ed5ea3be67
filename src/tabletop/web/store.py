"""Saved tables: a small file for each table, next to the record of its match.

They let a restarted server resume every table. They contain only hashes of the tokens of seats,
but the tokens of replay pages themselves. No code is loaded because of a file: the server must
offer the game. The folder also contains the key that links are derived from, and the addresses
that the host has blocked.
"""

from __future__ import annotations

import logging
import os
import re
import secrets
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from tabletop.errors import ContractError, TabletopError
from tabletop.host.screen_text import sanitize
from tabletop.host.user_files import make_folders, read_bytes, read_lines, reason, write_text
from tabletop.protocol.settings import TableSettings
from tabletop.states.bounds import Seat
from tabletop.states.codec import from_json, to_json
from tabletop.table.match_table import TableState
from tabletop.table.undo import UndoPolicy
from tabletop.web.limits import network_of
from tabletop.web.tokens import KEY_BYTES, LinkKey, SeatTokens

if TYPE_CHECKING:
    from filelock import BaseFileLock

FORMAT: Final = 2

MOST_BYTES: Final = 1 << 20  # maximum size in bytes of a saved table

DAY: Final = 86_400.0

KEEP_FINISHED: Final = 30 * DAY
"""Seconds after which a table is deleted if its match is over or has no actions."""

KEEP_BEGUN: Final = 365 * DAY
"""Seconds without people after which a table with an unfinished match is deleted."""

KEY: Final = "host.key"  # the file with the key from which links are derived
BLOCKED: Final = "blocked-addresses.txt"  # the file of blocked addresses, one per line

FORMERLY_BLOCKED: Final = "closed-doors.txt"
"""The name of that file in 0.3.0. `TableStore.claim` renames it."""

LOCK: Final = "server.lock"  # the file that the server which uses the folder has locked

OWNER: Final = "server.txt"
"""The file that names the server which uses the folder."""

RELEASED: Final = 1.0  # seconds in which the processes of a killed server release its lock

_NAME: Final = re.compile(r"[A-Za-z0-9_-]{8,40}")

_log = logging.getLogger("tabletop")


class SavedTable(TableState, frozen=True, kw_only=True):
    """A saved table, with the state that it has in addition to its record.

    Attributes:
        game: The name by which the server offers the game.
        tokens: The hashes of the tokens in its links.
        created: The time when the table was opened, in UTC.
        replay_tokens: The tokens of the replay pages of each seat and of spectators, after the end.
        scored: Whether the score has been saved, or cannot be.
        next: The name of the table where the same people play again, or empty.
        generations: How many times each seat has been taken with the invitation or from the
            lobby, or empty for never.
        ended: Whether the host has ended the table, so that nobody can join it any more.
        invited: The seats that anyone with the invitation may take while they are free.
        spectators_see_more: Whether a spectator sees more than a seat may, so that players may not
            watch.
    """

    table: str
    game: str
    title: str
    record: str
    names: tuple[str, ...]
    tokens: SeatTokens
    created: str
    settings: TableSettings
    replay_tokens: tuple[str, ...] = ()
    scored: bool = False
    next: str = ""
    generations: tuple[int, ...] = ()
    ended: bool = False
    spectators_see_more: bool = False
    invited: tuple[Seat, ...] = ()
    format: int = FORMAT

    def __post_init__(self) -> None:
        """Raise a `ValueError` if a field does not fit the number of seats."""
        seats = len(self.names)
        each, all_links = ("clock", "generations"), ("replay_tokens", "seen")
        for field, most in [*((it, seats) for it in each), *((it, seats + 1) for it in all_links)]:
            count = len(getattr(self, field))
            if count not in {0, most}:
                raise ValueError(f"{field} of a table of {seats} seats: {count}, not {most}")
        if len(self.tokens.seats) != seats:
            raise ValueError(f"tokens of a table of {seats} seats: {len(self.tokens.seats)}")
        if min(self.generations, default=0) < 0:
            raise ValueError("generations: a number must be at least 0")
        for field, listed in (("open", self.open_seats), ("invited", self.invited)):
            if len(set(listed)) != len(listed):
                raise ValueError(f"{field}: a seat is listed twice")
            for seat in listed:
                if not 0 <= seat < seats or self.tokens.seats[seat] is None:
                    raise ValueError(f"{field}: nobody can take seat {seat}, counted from 0")

    def generation(self, seat: Seat) -> int:
        """Return how many times a seat has been taken with the invitation or from the lobby."""
        return self.generations[seat] if self.generations else 0

    @property
    def open_seats(self) -> tuple[Seat, ...]:
        """The seats that anyone in the lobby may take while they are free."""
        return self.settings.open

    @property
    def shared_seats(self) -> tuple[Seat, ...]:
        """The seats that people with the invitation or from the lobby may take."""
        return tuple(sorted({*self.open_seats, *self.invited}))

    @property
    def people(self) -> int:
        """The number of seats with a link for a person."""
        return sum(token is not None for token in self.tokens.seats)

    @property
    def undo(self) -> UndoPolicy:
        """The policy that determines which actions players may undo."""
        return "casual" if self.settings.casual else "fair"

    def replay_link(self, token: str) -> str:
        """Return the path of a replay page."""
        return f"/replay/{self.table}.{token}"


_SETTINGS_1: Final = {
    "casual": "casual",
    "open_seats": "open",
    "time": "clock",
    "increment": "increment",
    "move_time": "move_time",
    "patience": "idle_timeout",
}
_NAMES_1: Final = {"films": "replay_tokens", "asked": "to_act", "outseen": "spectators_see_more"}
"""The names of settings and of other fields in format 1, which 0.3.0 wrote, with those of now."""


def _read_saved(data: bytes) -> SavedTable:
    """Read a saved table of any format, or raise `ContractError`."""
    fields = from_json(data, dict[str, Any], "saved table")
    if fields.get("format") == 1:
        settings = {new: fields.pop(old) for old, new in _SETTINGS_1.items() if old in fields}
        renamed = {_NAMES_1.get(name, name): value for name, value in fields.items()}
        data = to_json({**renamed, "settings": settings, "format": FORMAT})
    return from_json(data, SavedTable, "saved table")


class StoreError(TabletopError):
    """A saved table cannot be read or written."""


class FolderInUse(StoreError):
    """Another server uses the folder of saved tables."""


class TableStore:
    """The files of all saved tables, in a folder that only its user can read."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        self._lock: BaseFileLock | None = None

    def claim(self) -> None:
        """Lock the folder for this server, until `release` or the end of the process.

        Raises:
            FolderInUse: Another server uses the folder.
            StoreError: The folder cannot be written.
        """
        from filelock import FileLock, Timeout  # slow to import

        try:
            self.directory.mkdir(mode=0o700, parents=True, exist_ok=True)
            lock = FileLock(self.directory / LOCK, timeout=RELEASED, mode=0o600)
            lock.acquire()
        except Timeout:
            raise FolderInUse(
                f"{self.directory}: {self._owner() or 'another server'} uses this folder;"
                " end that server, or use a different folder with --data FOLDER"
            ) from None
        except OSError as error:
            raise StoreError(f"{self.directory}: cannot be written: {error.strerror}") from error
        except NotImplementedError:  # a drive without locks
            return
        self._lock = lock
        with suppress(OSError):
            (self.directory / FORMERLY_BLOCKED).rename(self.directory / BLOCKED)

    def note_owner(self, address: str) -> None:
        """Write which server uses the folder, for the `FolderInUse` error of another server."""
        with suppress(OSError):
            self._write(self.directory / OWNER, f"the server {address} (process {os.getpid()})")

    def _owner(self) -> str:
        """Return which server uses the folder, or an empty text if unknown."""
        with suppress(OSError):
            return sanitize(read_bytes(self.directory / OWNER, 1000).decode("utf-8", "replace"))
        return ""

    def release(self) -> None:
        """Let other servers use the folder. Releasing it twice is harmless."""
        if self._lock is not None:
            self._lock.release()

    def put(self, saved: SavedTable) -> None:
        """Write a table, or raise `StoreError`."""
        try:
            self._write(self._path(saved.table), to_json(saved).decode())
        except OSError as error:
            raise StoreError(f"{self.directory}: cannot be written: {error.strerror}") from error

    def _write(self, path: Path, text: str) -> None:
        """Write a file that only its user can read, or raise `OSError`."""
        make_folders(self.directory, 0o700)
        write_text(str(path), text, mode=0o600)

    def get(self, table: str) -> SavedTable | None:
        """Read a table. Return None if there is none, and raise `StoreError` if it is damaged."""
        if not _NAME.fullmatch(table):
            return None
        path = self._path(table)
        try:
            saved = _read_saved(read_bytes(path, MOST_BYTES))
        except FileNotFoundError:
            return None
        except OSError as error:
            raise StoreError(f"{path}: cannot be read: {error.strerror}") from error
        except ContractError as error:
            raise StoreError(f"{path}: {error}") from error
        if saved.format != FORMAT or saved.table != table:
            raise StoreError(f"{path}: not a saved table of this version")
        return saved

    def all(self) -> Iterator[SavedTable]:
        """Yield all tables that can be read."""
        for path in sorted(self.directory.glob("*.json")):
            try:
                saved = self.get(path.stem)
            except StoreError as error:
                _log.warning("%s", error)
            else:
                if saved is not None:
                    yield saved

    def remove(self, table: str) -> None:
        """Delete a table, but not its record. A failure is logged."""
        try:
            self._path(table).unlink(missing_ok=True)
        except OSError as error:
            _log.warning("%s: cannot be removed: %s", self._path(table), error.strerror)

    def is_old(self, saved: SavedTable, now: float) -> bool:
        """Check whether a table has been without people for so long that it can be deleted."""
        try:
            since = self._path(saved.table).stat().st_mtime
        except OSError:
            return False
        has_begun = saved.ply > 0 and not (saved.over or saved.ended)
        return now - since > (KEEP_BEGUN if has_begun else KEEP_FINISHED)

    # Other files in the folder.

    def link_key(self) -> LinkKey:
        """Return the permanent key of this folder, which is created if it does not exist.

        Raises:
            StoreError: The file cannot be read or written, or does not contain a key.
        """
        path = self.directory / KEY
        try:
            if not path.exists():
                self._write(path, f"{secrets.token_hex(KEY_BYTES)}\n")
            return LinkKey(bytes.fromhex(read_bytes(path, 1000).decode()))
        except OSError as error:
            raise _unusable(path, error) from error
        except ValueError as error:
            raise StoreError(
                f"{path}: not a key of {2 * KEY_BYTES} hexadecimal digits; delete the file to get a"
                " new key, after which earlier links no longer work"
            ) from error

    def blocked_addresses(self) -> set[str]:
        """Return the blocked addresses. A file that cannot be read is logged and blocks nobody."""
        try:
            return self._blocked_addresses()
        except (OSError, TabletopError) as error:
            path = self.directory / BLOCKED
            _log.error("%s: cannot be read, no address is blocked: %s", path, error)
            return set()

    def _blocked_addresses(self) -> set[str]:
        """Return the blocked networks, or raise `OSError` or `TabletopError`."""
        try:
            lines = read_lines(str(self.directory / BLOCKED), MOST_BYTES)
        except FileNotFoundError:
            return set()
        return {network_of(line.strip()) for line in lines if line.strip()}

    def set_blocked(self, network: str, *, is_blocked: bool) -> None:
        """Block or unblock a network in the file, and keep all other lines.

        Raises:
            StoreError: the file cannot be read or written.
        """
        path = self.directory / BLOCKED
        try:
            blocked = self._blocked_addresses()
            blocked = blocked | {network} if is_blocked else blocked - {network}
            self._write(path, "".join(f"{it}\n" for it in sorted(blocked)))
        except OSError as error:
            raise _unusable(path, error) from error
        except TabletopError as error:
            raise StoreError(f"{path}: cannot be read: {error}") from error

    def _path(self, table: str) -> Path:
        return self.directory / f"{table}.json"


def _unusable(path: Path, error: OSError) -> StoreError:
    return StoreError(f"{path}: cannot be read or written: {reason(error)}")
