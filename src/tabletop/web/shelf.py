"""What a server keeps of its tables: a small file each, beside the record of the match.

With it a server that was killed and started again goes on where it was. Only hashes of tokens stand
there, and no code is loaded for what stands there: a game has to be one that the server offers.
"""

from __future__ import annotations

import logging
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from msgspec import Struct

from tabletop.codec import from_json, to_json
from tabletop.errors import ContractError, TabletopError
from tabletop.host.files import write_text
from tabletop.session import UndoPolicy
from tabletop.web.tokens import Doors

FORMAT: Final = 1

DAY: Final = 86_400.0

KEEP_FINISHED: Final = 30 * DAY
"""A table is forgotten so long after its match was over, or when nobody ever played at it."""

KEEP_BEGUN: Final = 365 * DAY
"""And so long after anybody was at one whose match has begun and is not over."""

_ID: Final = re.compile(r"[A-Za-z0-9_-]{8,40}")

_log = logging.getLogger("tabletop")


class Kept(Struct, frozen=True):
    """A table, as it is kept.

    Attributes:
        table: its public name.
        game: what its game is asked for by.
        title: what that is called.
        record: the path of its record.
        names: of the seats.
        doors: who is admitted.
        created: when it was opened, in UTC.
        casual: whether actions may be taken back freely.
        clock: how many seconds each seat has left.
        time: how many seconds each person had at first; None without clocks.
        ply: how many actions had been played.
        over: whether the match is over.
        films: the names of its films, for each seat and for spectators, once it is over.
        scored: whether its score has been dealt with.
        next: the public name of the table where the same people play again.
        format: of the file.
    """

    table: str
    game: str
    title: str
    record: str
    names: tuple[str, ...]
    doors: Doors
    created: str
    casual: bool = False
    clock: tuple[float | None, ...] = ()
    time: float | None = None
    ply: int = 0
    over: bool = False
    films: tuple[str, ...] = ()
    scored: bool = False
    next: str = ""
    format: int = FORMAT

    @property
    def undo(self) -> UndoPolicy:
        """What may be taken back there."""
        return "casual" if self.casual else "fair"


class ShelfError(TabletopError):
    """What is kept of a table cannot be read or written."""


class Shelf:
    """The files of all tables of a user.

    Args:
        directory: where they lie; it is made when it is needed, for nobody else to read.
    """

    def __init__(self, directory: Path) -> None:
        self.directory = directory

    def put(self, kept: Kept) -> None:
        """Keep a table.

        Raises:
            ShelfError: it cannot be written.
        """
        try:
            self.directory.mkdir(mode=0o700, parents=True, exist_ok=True)
            path = self._path(kept.table)
            if not path.exists():
                os.close(os.open(path, os.O_CREAT | os.O_WRONLY, 0o600))
            write_text(str(path), to_json(kept).decode())
        except OSError as error:
            raise ShelfError(f"{self.directory}: cannot be written: {error.strerror}") from error

    def get(self, table: str) -> Kept | None:
        """What is kept of a table; None when there is no such one.

        Raises:
            ShelfError: it cannot be read.
        """
        if not _ID.fullmatch(table):
            return None
        path = self._path(table)
        try:
            kept = from_json(path.read_bytes(), Kept)
        except FileNotFoundError:
            return None
        except OSError as error:
            raise ShelfError(f"{path}: cannot be read: {error.strerror}") from error
        except ContractError as error:
            raise ShelfError(f"{path}: this is no table: {error}") from error
        if kept.format != FORMAT or kept.table != table:
            raise ShelfError(f"{path}: this is no table that this program can read")
        return kept

    def all(self) -> Iterator[Kept]:
        """All tables that can be read."""
        if not self.directory.is_dir():
            return
        for path in sorted(self.directory.glob("*.json")):
            try:
                kept = self.get(path.stem)
            except ShelfError as error:
                _log.warning("%s", error)
            else:
                if kept is not None:
                    yield kept

    def remove(self, table: str) -> None:
        """Forget a table; its record stays where it is.

        Raises:
            ShelfError: its file cannot be removed.
        """
        try:
            self._path(table).unlink(missing_ok=True)
        except OSError as error:
            raise ShelfError(f"{self._path(table)}: cannot be removed: {error.strerror}") from error

    def is_old(self, kept: Kept, now: float) -> bool:
        """Whether nobody has been at a table for so long that it is forgotten.

        Args:
            kept: the table.
            now: seconds since 1970.
        """
        try:
            since = self._path(kept.table).stat().st_mtime
        except OSError:
            return False
        begun = kept.ply > 0 and not kept.over
        return now - since > (KEEP_BEGUN if begun else KEEP_FINISHED)

    def _path(self, table: str) -> Path:
        return self.directory / f"{table}.json"
