"""The scores of a user: sheets of matches that have ended, in an SQLite database.

Several programs may write to it at once, and lose nothing. One that is damaged is set aside under
another name, and a new one is begun; nothing in it is ever overwritten.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Final, TypeVar

from tabletop.codec import from_json, to_json
from tabletop.errors import ContractError, ScoresError
from tabletop.scores import ScoreSheet, check_sheet
from tabletop.seeds import Seed
from tabletop.wording import counted

if TYPE_CHECKING:
    from sqlite3 import Connection, DatabaseError

T = TypeVar("T")

APPLICATION: Final = 0x74745363
"""What an SQLite file says that is one of scores: "ttSc"."""

SCHEMA: Final = 1
"""The version of the tables; a book of a newer one is left alone."""

PATIENCE: Final = 20.0
"""How many seconds are waited for another program that is writing."""

MOST_TOLD: Final = 3
"""So many damaged sheets are named; more are counted."""

_TABLES: Final = (
    """
    CREATE TABLE sheets (
        id INTEGER PRIMARY KEY,
        key TEXT NOT NULL,
        game TEXT NOT NULL,
        seed TEXT NOT NULL,
        seed_origin TEXT NOT NULL,
        finished TEXT NOT NULL,
        people INTEGER NOT NULL,
        imported INTEGER NOT NULL,
        sheet TEXT NOT NULL
    )
    """,
    "CREATE INDEX sheets_by_key ON sheets (key)",
    "CREATE INDEX sheets_by_time ON sheets (finished, id)",
    f"PRAGMA application_id = {APPLICATION}",
    f"PRAGMA user_version = {SCHEMA}",
)
_COLUMNS: Final = (
    "SELECT key, game, seed, seed_origin, finished, people, imported, sheet FROM sheets"
)
_INSERT: Final = "INSERT INTO sheets VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, ?)"
_KNOWN: Final = "SELECT 1 FROM sheets WHERE key = ?"
_COUNT: Final = "SELECT count(*) FROM sheets WHERE game = ? AND people AND NOT imported"
_OF_GAME: Final = "SELECT count(*) FROM sheets WHERE game = ?"
_FIND: Final = """
    SELECT id, sheet FROM sheets
    WHERE (?1 IS NULL OR game = ?1)
        AND (?2 IS NULL OR seed_origin = ?2)
        AND (?3 IS NULL OR seed = ?3)
    ORDER BY finished DESC, id DESC
    LIMIT ?4
"""
_ATTEMPTS: Final = 3


class _DamagedError(Exception):
    """A database is not what a score book is."""


class ScoreBook:
    """Keeps score sheets.

    Args:
        path: the file; it is made, with its directory, when the first sheet is kept.
        tell: takes a line when something has been set aside or left out.
    """

    def __init__(self, path: str | Path, tell: Callable[[str], object] = str) -> None:
        self.path = Path(path)
        self._tell = tell

    def add(self, sheet: ScoreSheet) -> None:
        """Keep the sheet of a match that has just been played.

        Raises:
            ScoresError: it cannot be kept; says why.
        """
        self._write(lambda connection: connection.execute(_INSERT, _row(sheet)))

    def add_new(self, sheet: ScoreSheet) -> bool:
        """Keep a sheet unless there is one of the same match; whether there was none.

        Raises:
            ScoresError: it cannot be kept; says why.
        """

        def deed(connection: Connection) -> bool:
            if connection.execute(_KNOWN, (sheet.key,)).fetchone() is not None:
                return False
            connection.execute(_INSERT, _row(sheet))
            return True

        return self._write(deed)

    def find(
        self,
        *,
        game: str | None = None,
        seed_origin: str | None = None,
        seed: str | None = None,
        most: int | None = None,
    ) -> list[ScoreSheet]:
        """The sheets that fit, those of the newest matches first.

        Args:
            game: the name of their game.
            seed_origin: where their seed came from.
            seed: their seed, however it is written.
            most: so many at most.

        Raises:
            ScoresError: the book cannot be read; says why.
        """
        canonical = None if seed is None else Seed(seed).canonical
        values = (game, seed_origin, canonical, -1 if most is None else most)
        rows: list[tuple[int, str]] = self._read(
            lambda connection: connection.execute(_FIND, values).fetchall(), []
        )
        return self._sheets(rows)

    def knows(self, game: str) -> bool:
        """Whether there are sheets of a game.

        Raises:
            ScoresError: the book cannot be read; says why.
        """
        return self._read(lambda connection: _number(connection, _OF_GAME, game), 0) > 0

    def finished_here(self, game: str) -> int:
        """How many matches of a game people have finished here; imported ones do not count.

        Raises:
            ScoresError: the book cannot be read; says why.
        """
        return self._read(lambda connection: _number(connection, _COUNT, game), 0)

    def _sheets(self, rows: list[tuple[int, str]]) -> list[ScoreSheet]:
        """The sheets that rows tell of; those that are of no match are named and left out."""
        sheets = []
        damaged = []
        for number, text in rows:
            try:
                sheet = from_json(text, ScoreSheet)
                check_sheet(sheet)
            except (ContractError, ScoresError) as error:
                damaged.append(f"sheet {number}: {error}")
            else:
                sheets.append(sheet)
        if damaged:
            are = "is" if len(damaged) == 1 else "are"
            what = f"{counted(len(damaged), 'sheet')} {are} damaged and left out"
            told = damaged[:MOST_TOLD] + ["..."] * (len(damaged) > MOST_TOLD)
            self._tell(f"{self.path}: {what} ({'; '.join(told)})")
        return sheets

    # The database.

    def _write(self, deed: Callable[[Connection], T]) -> T:
        def in_one_piece(connection: Connection) -> T:
            connection.execute("BEGIN IMMEDIATE")  # waits for others, so that nothing is lost
            _check_schema(self.path, connection, make=True)
            done = deed(connection)
            connection.execute("COMMIT")
            return done

        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise ScoresError(f"{self.path.parent}: cannot be made: {error.strerror}") from error
        return self._attempt("rwc", in_one_piece)

    def _read(self, deed: Callable[[Connection], T], nothing: T) -> T:
        """What `deed` reads; `nothing` when no sheet has been kept yet."""

        def once_it_is_begun(connection: Connection) -> T:
            begun = _check_schema(self.path, connection, make=False)
            return deed(connection) if begun else nothing

        try:
            self.path.stat()
        except (FileNotFoundError, NotADirectoryError):
            return nothing
        except OSError as error:
            raise ScoresError(f"{self.path}: cannot be read: {error.strerror}") from error
        return self._attempt("ro", once_it_is_begun)

    def _attempt(self, mode: str, deed: Callable[[Connection], T]) -> T:
        """Do `deed` with a connection; with a new book when this one turns out to be damaged."""
        sqlite3 = _sqlite3()
        why: Exception = ScoresError("it is damaged")
        for _ in range(_ATTEMPTS):
            try:
                with closing(self._connect(mode)) as connection:
                    return deed(connection)
            except _DamagedError as error:
                why = error
            except sqlite3.DatabaseError as error:
                if not _is_damage(error):
                    raise ScoresError(f"{self.path}: {error}") from error
                why = error
            self._set_aside(why)
            if mode == "ro" and not self.path.exists():
                mode = "rwc"
        raise ScoresError(f"{self.path}: {why}") from why

    def _connect(self, mode: str, path: Path | None = None) -> Connection:
        address = f"{(path or self.path).absolute().as_uri()}?mode={mode}"
        connection: Connection = _sqlite3().connect(
            address, timeout=PATIENCE, isolation_level=None, uri=True
        )
        connection.text_factory = lambda data: data.decode("utf-8", "replace")
        return connection

    def _set_aside(self, why: Exception) -> None:
        """Give a damaged book another name, unless another program has just done so.

        Raises:
            ScoresError: it cannot be renamed.
        """
        sqlite3 = _sqlite3()
        # A lock that goes with its program, on every platform: else the second of two programs
        # that find the damage would set the new book of the first one aside.
        lock = self.path.with_name(f"{self.path.name}.lock")
        try:
            with closing(self._connect("rwc", lock)) as connection:
                connection.execute("BEGIN EXCLUSIVE")
                if self._is_damaged():
                    self._rename(why)
        except (sqlite3.Error, OSError) as error:
            message = f"{self.path}: {why}, and cannot be set aside: {error}"
            raise ScoresError(message) from error

    def _is_damaged(self) -> bool:
        sqlite3 = _sqlite3()
        if not self.path.exists():
            return False
        try:
            with closing(self._connect("ro")) as connection:
                if _check_schema(self.path, connection, make=False):
                    connection.execute(_COLUMNS)
                sound: tuple[str] = connection.execute("PRAGMA integrity_check(1)").fetchone()
                return sound != ("ok",)
        except _DamagedError:
            return True
        except sqlite3.DatabaseError as error:
            return _is_damage(error)

    def _rename(self, why: Exception) -> None:
        number = 1
        while (aside := self.path.with_name(f"{self.path.name}.damaged-{number}")).exists():
            number += 1
        self.path.rename(aside)
        for tail in ("-journal", "-wal", "-shm"):  # they would be played into the new book
            with suppress(FileNotFoundError):
                Path(f"{self.path}{tail}").rename(f"{aside}{tail}")
        self._tell(f"{self.path}: {why}; it is kept as {aside.name}, and a new one is begun")


def _row(sheet: ScoreSheet) -> tuple[str | int, ...]:
    return (
        sheet.key,
        sheet.game,
        Seed(sheet.seed).canonical,
        sheet.seed_origin,
        sheet.finished,
        len(sheet.people),
        sheet.imported,
        to_json(sheet).decode(),
    )


def _sqlite3() -> ModuleType:
    """SQLite, which is imported when it is used.

    Raises:
        ScoresError: this Python was built without it.
    """
    try:
        import sqlite3
    except ImportError as error:
        raise ScoresError("scores need sqlite3, and this Python was built without it") from error
    return sqlite3


def _check_schema(path: Path, connection: Connection, *, make: bool) -> bool:
    """Make sure that a database is a score book; whether it has been begun.

    Args:
        path: where it lies, for messages.
        connection: to the database, in a transaction if it is to be made.
        make: whether to begin a book that has not been begun yet.

    Raises:
        _DamagedError: it is something else.
        ScoresError: a newer version of this program has made it.
    """
    application = _number(connection, "PRAGMA application_id")
    version = _number(connection, "PRAGMA user_version")
    if application == version == 0:
        if _number(connection, "SELECT count(*) FROM sqlite_master"):
            raise _DamagedError("it is a database of something else")
        for statement in _TABLES if make else ():
            connection.execute(statement)
        return make
    if application != APPLICATION or version < 1:
        raise _DamagedError("it is a database of something else")
    if version > SCHEMA:
        raise ScoresError(
            f"{path}: these scores are of a newer version of this program"
            f" (tables {version}; this one knows {SCHEMA}); they are left as they are"
        )
    return True


def _number(connection: Connection, query: str, *values: str) -> int:
    number: int = connection.execute(query, values).fetchone()[0]
    return number


def _is_damage(error: DatabaseError) -> bool:
    """Whether an error of SQLite says that the file is damaged, rather than busy or out of reach.

    SQLITE_ERROR means that a table is not as our statements expect it.
    """
    sqlite3 = _sqlite3()
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    damage: tuple[int, ...] = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_ERROR)
    return code in damage
