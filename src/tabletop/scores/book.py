"""The score book: an SQLite database of score sheets, shared by several programs."""

from __future__ import annotations

import shlex
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, Final

from tabletop.errors import ScoresError
from tabletop.host.user_files import make_folders
from tabletop.rng.seeds import Seed
from tabletop.scores.sheets import ScoreSheet, check_sheet
from tabletop.states.codec import from_json, to_json
from tabletop.wording import plural

LOCK_TIMEOUT: Final = 10.0  # seconds to wait for another program that is writing
APPLICATION: Final = 0x74745363  # the SQLite application id of a score book: "ttSc"

SCHEMA: Final = 1
"""The version of the database schema.

A book with a newer version is rejected and left unchanged.
"""

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

_MOST_NAMED: Final = 3  # maximum number of damaged sheets listed in a warning

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


class ScoreBook:
    """Stores score sheets.

    Every method may raise a `ScoresError` if the file is inaccessible or damaged.

    Args:
        path: The file. It is created, with its directory, when the first sheet is stored.
        warn: Called with a message if damaged sheets are skipped. By default, warnings are ignored.
        timeout: Seconds to wait for other programs. By default, `LOCK_TIMEOUT`.
    """

    def __init__(
        self,
        path: str | Path,
        warn: Callable[[str], object] = lambda message: None,
        timeout: float | None = None,
    ) -> None:
        self.path: Path = Path(path)
        self._warn = warn
        self._timeout = LOCK_TIMEOUT if timeout is None else timeout

    def add(self, sheet: ScoreSheet) -> None:
        """Store the sheet of a match that has just ended."""
        with self._transaction() as connection:
            connection.execute(_INSERT, _row(sheet))

    def add_new(self, sheet: ScoreSheet) -> bool:
        """Store a sheet unless the book already has the match. Return whether it was stored."""
        with self._transaction() as connection:
            # In one transaction, so that two programs importing the same record store it once.
            if connection.execute(_KNOWN, (sheet.key,)).fetchone() is not None:
                return False
            connection.execute(_INSERT, _row(sheet))
        return True

    def find(
        self,
        *,
        game: str | None = None,
        seed_origin: str | None = None,
        seed: str | None = None,
        most: int | None = None,
    ) -> list[ScoreSheet]:
        """Return the matching sheets, newest first.

        Args:
            game: The name of the game, or None for any.
            seed_origin: The origin of the seed, or None for any.
            seed: The seed, in any spelling, or None for any.
            most: The maximum number of sheets. By default, no limit.
        """
        # Compare the canonical form, because "Old Oak" and "old oak" are the same seed.
        canonical = None if seed is None else Seed(seed).canonical
        values = (game, seed_origin, canonical, -1 if most is None else most)
        return self._sheets(self._read(_FIND, values))

    def knows(self, game: str) -> bool:
        """Return whether there are sheets of a game."""
        return self._read(_OF_GAME, (game,)) not in ([], [(0,)])

    def finished_here(self, game: str) -> int:
        """Count the matches of a game that players have finished here.

        Imported matches do not count, and neither do matches without a human player.
        """
        return sum(count for (count,) in self._read(_COUNT, (game,)))

    def _read(self, query: str, values: tuple[object, ...]) -> list[tuple[Any, ...]]:
        """Return the rows of a query, or none if the score book does not exist yet."""
        try:
            self.path.stat()
        except (FileNotFoundError, NotADirectoryError):
            return []
        except OSError as error:
            raise ScoresError(f"{self.path}: cannot be read: {error.strerror}") from error
        with self._open("rw") as connection:
            if not self._check(connection):
                return []
            return connection.execute(query, values).fetchall()

    @contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        """Start a write transaction, creating the tables if necessary."""
        try:
            make_folders(self.path.parent)
        except OSError as error:
            raise ScoresError(f"{self.path.parent}: cannot be created: {error.strerror}") from error
        with self._open("rwc") as connection:
            # Lock for writing immediately. A transaction that reads first may later be refused to
            # write.
            connection.execute("BEGIN IMMEDIATE")
            if not self._check(connection):
                for statement in _TABLES:
                    connection.execute(statement)
            yield connection
            connection.execute("COMMIT")

    @contextmanager
    def _open(self, mode: str) -> Iterator[sqlite3.Connection]:
        try:
            if self.path.exists() and not self.path.is_file():  # SQLite would wait for a pipe
                raise ScoresError(f"{self.path}: not a regular file")
            # Without a mode, SQLite creates a missing file even for reading.
            address = f"{self.path.absolute().as_uri()}?mode={mode}"
            with closing(
                sqlite3.connect(address, timeout=self._timeout, isolation_level=None, uri=True)
            ) as connection:
                # Replace invalid bytes, so that one damaged sheet does not hide the others.
                connection.text_factory = lambda data: data.decode("utf-8", "replace")
                yield connection
        except sqlite3.Error as error:
            raise self._error(str(error), is_damaged=_is_damage(error)) from error
        except UnicodeError as error:  # the damaged database has table names with invalid bytes
            raise self._error("the file is damaged", is_damaged=True) from error
        except OSError as error:
            raise ScoresError(f"{self.path}: cannot be read: {error.strerror}") from error

    def _check(self, connection: sqlite3.Connection) -> bool:
        """Check that a database is a score book. Return whether its tables exist."""
        [application], [version], [tables] = (
            connection.execute(query).fetchone()
            for query in (
                "PRAGMA application_id",
                "PRAGMA user_version",
                "SELECT count(*) FROM sqlite_master",
            )
        )
        if application == version == tables == 0:
            return False
        if application != APPLICATION or version < 1:
            raise self._error("not a score book, but another database", is_damaged=True)
        if version > SCHEMA:
            raise ScoresError(
                f"{self.path}: these scores were written by a newer version of this program"
                f" (format {version}, this version reads {SCHEMA}), so update the program"
            )
        return True

    def _error(self, why: str, *, is_damaged: bool) -> ScoresError:
        """Return the error to raise, for a damaged file with a command that sets it aside."""
        path = str(self.path)
        command = shlex.join(["mv", path, f"{path}.damaged"])
        hint = f"; to set it aside and start a new one: {command}" if is_damaged else ""
        return ScoresError(f"{path}: {why}{hint}")

    def _sheets(self, rows: list[tuple[int, str]]) -> list[ScoreSheet]:
        """Parse the sheets in rows. Damaged sheets are skipped with a warning."""
        sheets = []
        damaged = []
        # One by one, so that a damaged sheet does not hide the others.
        for number, text in rows:
            try:
                sheet = from_json(text, ScoreSheet, "score sheet")
                check_sheet(sheet)
            except Exception as error:  # a damaged sheet may raise anything
                damaged.append(f"sheet {number}: {error}")
            else:
                sheets.append(sheet)
        if damaged:
            count = f"skipped {plural(len(damaged), 'damaged sheet')}"
            named = damaged[:_MOST_NAMED] + ["..."] * (len(damaged) > _MOST_NAMED)
            self._warn(f"{self.path}: {count} ({'; '.join(named)})")
        return sheets


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


def _is_damage(error: sqlite3.Error) -> bool:
    """Return whether an error means that the file is damaged, not just busy or inaccessible."""
    # The low byte is the primary error code. SQLITE_ERROR means that a table has other columns.
    kind = getattr(error, "sqlite_errorcode", 0) & 0xFF
    return kind in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_ERROR)
