"""The scores of a user: an SQLite database of score sheets, written by several programs at once."""

from __future__ import annotations

import shlex
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, Final

from tabletop.errors import ContractError, ScoresError
from tabletop.host.user_files import make_folders
from tabletop.rng.seeds import Seed
from tabletop.scores.sheets import ScoreSheet, check_sheet
from tabletop.states.codec import from_json, to_json
from tabletop.wording import plural

LOCK_TIMEOUT: Final = 10.0
"""Maximum wait for another program that is writing, in seconds."""

APPLICATION: Final = 0x74745363
"""The SQLite application id of a score book: "ttSc"."""

SCHEMA: Final = 1
"""The version of the tables; a book of a newer one is left alone."""

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

_MOST_NAMED: Final = 3
"""Maximum damaged sheets named in a message; more are counted."""

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

_UNREADABLE: Final = (
    ContractError,
    ScoresError,
    TypeError,
    ValueError,
    RecursionError,
    MemoryError,
)
"""The errors that reading a text that is no sheet can raise."""


class ScoreBook:
    """Keeps score sheets. Each method may raise a `ScoresError`, with the reason.

    Args:
        path: the file; it is made, with its directory, when the first sheet is kept.
        warn: takes a line when damaged sheets are left out.
        timeout: the maximum wait for other programs, in seconds.
    """

    def __init__(
        self,
        path: str | Path,
        warn: Callable[[str], object] = lambda said: None,
        timeout: float | None = None,
    ) -> None:
        self.path: Path = Path(path)
        self._warn = warn
        self._timeout = LOCK_TIMEOUT if timeout is None else timeout

    def add(self, sheet: ScoreSheet) -> None:
        """Keep the sheet of a match that has just been played."""
        with self._transaction() as connection:
            connection.execute(_INSERT, _row(sheet))

    def add_new(self, sheet: ScoreSheet) -> bool:
        """Keep a sheet unless there is one of the same match; return whether there was none."""
        with self._transaction() as connection:
            # Two programs that import the same record at once keep it once.
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
        """Return the sheets that fit, those of the newest matches first.

        Args:
            game: the name of their game.
            seed_origin: the origin of their seed.
            seed: their seed, in any spelling.
            most: the maximum number of sheets.
        """
        # Seeds are compared by meaning: "Old Oak" and "old oak" are the same world.
        canonical = None if seed is None else Seed(seed).canonical
        values = (game, seed_origin, canonical, -1 if most is None else most)
        return self._sheets(self._read(_FIND, values))

    def knows(self, game: str) -> bool:
        """Check whether there are sheets of a game."""
        return self._read(_OF_GAME, (game,)) not in ([], [(0,)])

    def finished_here(self, game: str) -> int:
        """Count the matches of a game that people have finished here, without imported ones."""
        return sum(count for (count,) in self._read(_COUNT, (game,)))

    def _read(self, query: str, values: tuple[object, ...]) -> list[tuple[Any, ...]]:
        """Return the rows of a query; none when there is no score book yet."""
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
        """Begin a write transaction; make the tables if needed."""
        try:
            make_folders(self.path.parent)
        except OSError as error:
            raise ScoresError(f"{self.path.parent}: cannot be made: {error.strerror}") from error
        with self._open("rwc") as connection:
            # Locks for writing at once: having read first, it could be refused to write later.
            connection.execute("BEGIN IMMEDIATE")
            if not self._check(connection):
                for statement in _TABLES:
                    connection.execute(statement)
            yield connection
            connection.execute("COMMIT")

    @contextmanager
    def _open(self, mode: str) -> Iterator[sqlite3.Connection]:
        """Open a connection to the database."""
        try:
            if self.path.exists() and not self.path.is_file():  # SQLite would wait for a pipe
                raise ScoresError(f"{self.path}: it is no ordinary file")
            # The mode is given because by default SQLite makes a missing file, even to read it.
            address = f"{self.path.absolute().as_uri()}?mode={mode}"
            with closing(
                sqlite3.connect(address, timeout=self._timeout, isolation_level=None, uri=True)
            ) as connection:
                # A sheet that is no text is one damaged sheet: the others can be read.
                connection.text_factory = lambda data: data.decode("utf-8", "replace")
                yield connection
        except sqlite3.Error as error:
            raise self._error(str(error), is_damaged=_is_damage(error)) from error
        except UnicodeError as error:  # SQLite names a table whose name is no text
            raise self._error("it is damaged", is_damaged=True) from error
        except OSError as error:
            raise ScoresError(f"{self.path}: cannot be read: {error.strerror}") from error

    def _check(self, connection: sqlite3.Connection) -> bool:
        """Check that a database is a score book; return whether its tables have been made."""
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
            raise self._error("it is a database of something else", is_damaged=True)
        if version > SCHEMA:
            raise ScoresError(
                f"{self.path}: these scores are of a newer version of this program"
                f" (tables {version}; this one knows {SCHEMA}); they are left as they are"
            )
        return True

    def _error(self, why: str, *, is_damaged: bool) -> ScoresError:
        """Make an error that explains how to begin a new book if this one is damaged."""
        path = str(self.path)
        command = shlex.join(["mv", path, f"{path}.damaged"])
        hint = f"; to set it aside and begin a new one: {command}" if is_damaged else ""
        return ScoresError(f"{path}: {why}{hint}")

    def _sheets(self, rows: list[tuple[int, str]]) -> list[ScoreSheet]:
        """Parse the sheets in rows; damaged ones are left out with a warning."""
        sheets = []
        damaged = []
        # Each by itself: one damaged sheet hides no other.
        for number, text in rows:
            try:
                sheet = from_json(text, ScoreSheet, "score sheet")
                check_sheet(sheet)
            except _UNREADABLE as error:
                damaged.append(f"sheet {number}: {error}")
            else:
                sheets.append(sheet)
        if damaged:
            are = "is" if len(damaged) == 1 else "are"
            what = f"{plural(len(damaged), 'sheet')} {are} damaged and left out"
            named = damaged[:_MOST_NAMED] + ["..."] * (len(damaged) > _MOST_NAMED)
            self._warn(f"{self.path}: {what} ({'; '.join(named)})")
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
    """Check whether an error means that the file is damaged, rather than busy or out of reach."""
    # The low byte is the kind of error. SQLITE_ERROR: a table is not what our statements expect.
    kind = getattr(error, "sqlite_errorcode", 0) & 0xFF
    return kind in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_ERROR)
