"""The scores of a user: sheets of matches that have ended, in an SQLite database.

Several programs may write to it at once, and lose nothing. One that is damaged is set aside under
another name, and a new one is begun; nothing in it is ever overwritten. Whatever is wrong with it,
it is told in a line (`ScoresError`), and nobody waits for long.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from time import monotonic
from types import ModuleType
from typing import TYPE_CHECKING, Final, NoReturn, TypeVar

from tabletop.codec import from_json, to_json
from tabletop.errors import ContractError, ScoresError
from tabletop.host.locking import lock_within, unlock
from tabletop.scores.sheets import ScoreSheet, check_sheet
from tabletop.seeds import Seed
from tabletop.wording import counted

if TYPE_CHECKING:
    from sqlite3 import Connection

T = TypeVar("T")

APPLICATION: Final = 0x74745363
"""The SQLite application id of a score book: "ttSc"."""

SCHEMA: Final = 1
"""The version of the tables; a book of a newer one is left alone."""

PATIENCE: Final = 10.0
"""How many seconds are waited for another program that is writing, and for anything else."""

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
_STEPS: Final = 10_000
"""So many of SQLite's own steps lie between two looks at the clock."""

_UNREADABLE: Final = (
    ContractError,
    ScoresError,
    TypeError,
    ValueError,
    RecursionError,
    MemoryError,
)
"""What reading a text that is no sheet can raise."""


class _DamagedError(Exception):
    """A database is not what a score book is."""


_NO_TEXT: Final = _DamagedError("what it says of its tables is no text in UTF-8")
"""Where Python fails to decode what SQLite complains of."""


class ScoreBook:
    """Keeps score sheets.

    Args:
        path: the file; it is made, with its directory, when the first sheet is kept.
        tell: takes a line when something has been set aside or left out.
        patience: how many seconds anything may take, waiting for other programs included.
    """

    def __init__(
        self, path: str | Path, tell: Callable[[str], object] = str, patience: float | None = None
    ) -> None:
        self.path = Path(path)
        self._tell = tell
        self._patience = PATIENCE if patience is None else patience

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
        """Parse the sheets in rows; damaged ones are left out with a warning."""
        sheets = []
        damaged = []
        # Each by itself: one damaged sheet hides no other.
        for number, text in rows:
            try:
                sheet = from_json(text, ScoreSheet)
                check_sheet(sheet)
            except _UNREADABLE as error:
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
        """Run `deed` in a write transaction, under the lock: nobody sets the book aside then."""

        def in_one_piece(connection: Connection) -> T:
            # Locks for writing at once: having read first, it could be refused to write later.
            connection.execute("BEGIN IMMEDIATE")
            _check_schema(self.path, connection, make=True)
            done = deed(connection)
            connection.execute("COMMIT")
            return done

        def attempt(end: float) -> T:
            with self._alone(end) as is_alone:
                return self._attempt("rwc", in_one_piece, end, is_alone=is_alone)

        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise ScoresError(f"{self.path.parent}: cannot be made: {error.strerror}") from error
        return self._guarded(attempt)

    def _read(self, deed: Callable[[Connection], T], nothing: T) -> T:
        """Run `deed` in a read transaction; `nothing` when there is no score book yet."""

        def once_it_is_begun(connection: Connection) -> T:
            connection.execute("BEGIN")  # all of it as it is at one moment
            begun = _check_schema(self.path, connection, make=False)
            return deed(connection) if begun else nothing

        try:
            self.path.stat()
        except (FileNotFoundError, NotADirectoryError):
            return nothing
        except OSError as error:
            raise ScoresError(f"{self.path}: cannot be read: {error.strerror}") from error
        return self._guarded(lambda end: self._attempt("rw", once_it_is_begun, end))

    def _guarded(self, attempt: Callable[[float], T]) -> T:
        """Run `attempt` with the deadline that it has to keep, and translate its errors.

        Raises:
            ScoresError: instead of everything else that can go wrong with a file of strangers.
        """
        try:
            return attempt(monotonic() + self._patience)
        except ScoresError:
            raise
        except Exception as error:
            why = str(error) or type(error).__name__
            raise ScoresError(f"{self.path}: {why}") from error

    def _attempt(
        self, mode: str, deed: Callable[[Connection], T], end: float, *, is_alone: bool = False
    ) -> T:
        """Run `deed` with a connection; a damaged book is set aside, and a new one tried."""
        why: Exception = ScoresError("it is damaged")
        for _ in range(_ATTEMPTS):
            book = self._identity()
            if book is None:
                mode = "rwc"
            try:
                with closing(self._connect(mode, end)) as connection:
                    return deed(connection)
            except Exception as error:
                if not _is_damage(error) and self._identity() == book:
                    raise  # else it was just set aside by another program
                why = _NO_TEXT if isinstance(error, UnicodeError) else error
            if is_alone:
                self._set_aside(why, book, end)
            else:
                with self._alone(end, why):
                    self._set_aside(why, book, end)
        raise ScoresError(f"{self.path}: {why}") from why

    def _identity(self) -> tuple[int, int] | None:
        """The identity (device and inode) of the book's file; None when it does not exist.

        Raises:
            ScoresError: it is something that SQLite might wait for, and no file.
        """
        try:
            found = self.path.stat()
        except FileNotFoundError:
            return None
        if not stat.S_ISREG(found.st_mode) and not stat.S_ISDIR(found.st_mode):
            raise ScoresError(f"{self.path}: it is no ordinary file")
        return found.st_dev, found.st_ino

    def _connect(self, mode: str, end: float) -> Connection:
        address = f"{self.path.absolute().as_uri()}?mode={mode}"
        # The mode is said because by default SQLite makes a file that is missing, also to read it.
        # Without an isolation level, transactions begin and end where this module says so.
        connection: Connection = _sqlite3().connect(
            address, timeout=max(end - monotonic(), 0.0), isolation_level=None, uri=True
        )
        # A sheet that is no text is one damaged sheet, and no reason to fail with all the others.
        connection.text_factory = lambda data: data.decode("utf-8", "replace")
        # `timeout` bounds the wait for locks alone; this ends what takes too long itself.
        connection.set_progress_handler(lambda: monotonic() > end, _STEPS)
        return connection

    @contextmanager
    def _alone(self, end: float, damage: Exception | None = None) -> Iterator[bool]:
        """Keep other programs from writing to the book, and from setting it aside.

        Args:
            end: until when to wait for them.
            damage: why it is to be set aside, which nobody does who is not alone.

        Yields:
            Whether that is so; where files cannot be locked, it is not.

        Raises:
            ScoresError: another program has been at it all the time; or it is to be set aside, and
                files cannot be locked there.
        """
        # A file of its own: the book is renamed when it is damaged, and its lock would go with it.
        lock = self.path.with_name(f"{self.path.name}.lock")
        descriptor = -1
        try:
            try:
                descriptor = os.open(lock, os.O_RDWR | os.O_CREAT, 0o666)
                is_alone = lock_within(descriptor, end - monotonic())
            except OSError as error:
                if damage is not None:
                    self._cannot_set_aside(damage, f"{lock.name}: {error.strerror}")
                is_alone = False
            else:
                if not is_alone:
                    raise ScoresError(f"{self.path}: another program is writing, and does not end")
            yield is_alone
        finally:
            if descriptor >= 0:
                unlock(descriptor)
                os.close(descriptor)

    def _cannot_set_aside(self, why: Exception, obstacle: object) -> NoReturn:
        message = f"{self.path}: {why}, and cannot be set aside: {obstacle}"
        raise ScoresError(message) from why

    def _set_aside(self, why: Exception, book: tuple[int, int] | None, end: float) -> None:
        """Rename a damaged book, unless somebody has replaced it by now. The caller holds the lock.

        Raises:
            ScoresError: it cannot be renamed.
        """
        # Looked at again under the lock: another program may have set it aside and begun a new one.
        if book is None or self._identity() != book or not self._is_damaged(end):
            return
        try:
            self._rename(why)
        except OSError as error:
            self._cannot_set_aside(why, error.strerror)

    def _is_damaged(self, end: float) -> bool:
        try:
            with closing(self._connect("rw", end)) as connection:
                connection.execute("BEGIN")
                if _check_schema(self.path, connection, make=False):
                    connection.execute(_COLUMNS)
                sound: tuple[str] = connection.execute("PRAGMA integrity_check(1)").fetchone()
                return sound != ("ok",)
        except Exception as error:
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
    """Check that a database is a score book; whether its tables have been made.

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


def _is_damage(error: Exception) -> bool:
    """Whether an error says that the file is damaged, rather than busy or out of reach.

    SQLITE_ERROR means that a table is not as our statements expect it. Python fails to decode what
    SQLite says of a schema that is no text.
    """
    if isinstance(error, _DamagedError | UnicodeError):
        return True
    sqlite3 = _sqlite3()
    if not isinstance(error, sqlite3.DatabaseError):
        return False
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    damage: tuple[int, ...] = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_ERROR)
    return code in damage
