"""What makes an SQLite database a score book: its tables, their version, and signs of damage."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Final

from tabletop.errors import ScoresError

if TYPE_CHECKING:
    from sqlite3 import Connection

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
_COLUMNS: Final = (
    "SELECT key, game, seed, seed_origin, finished, people, imported, sheet FROM sheets"
)


class DamagedError(Exception):
    """A database is not what a score book is."""


NO_TEXT: Final = DamagedError("what it says of its tables is no text in UTF-8")
"""Where Python fails to decode what SQLite complains of."""


def load_sqlite() -> ModuleType:
    """SQLite, which is imported when it is used.

    Raises:
        ScoresError: this Python was built without it.
    """
    try:
        import sqlite3
    except ImportError as error:
        raise ScoresError("scores need sqlite3, and this Python was built without it") from error
    return sqlite3


def check_schema(path: Path, connection: Connection, *, make: bool) -> bool:
    """Check that a database is a score book; whether its tables have been made.

    Args:
        path: where it lies, for messages.
        connection: to the database, in a transaction if it is to be made.
        make: whether to begin a book that has not been begun yet.

    Raises:
        DamagedError: it is something else.
        ScoresError: a newer version of this program has made it.
    """
    application = read_number(connection, "PRAGMA application_id")
    version = read_number(connection, "PRAGMA user_version")
    # Both are 0 in a database that nobody has begun, and in most of those that other programs make.
    if application == version == 0:
        if read_number(connection, "SELECT count(*) FROM sqlite_master"):
            raise DamagedError("it is a database of something else")
        for statement in _TABLES if make else ():
            connection.execute(statement)
        return make
    if application != APPLICATION or version < 1:
        raise DamagedError("it is a database of something else")
    if version > SCHEMA:
        raise ScoresError(
            f"{path}: these scores are of a newer version of this program"
            f" (tables {version}; this one knows {SCHEMA}); they are left as they are"
        )
    return True


def is_sound(path: Path, connection: Connection) -> bool:
    """Whether a database is a score book, begun or not, and whole; this reads all of it.

    Args:
        path: where it lies, for messages.
        connection: to the database.

    Raises:
        DamagedError: it is something else.
        ScoresError: a newer version of this program has made it.
        sqlite3.DatabaseError: SQLite cannot read it; see `is_damage`.
    """
    connection.execute("BEGIN")
    if check_schema(path, connection, make=False):
        # `integrity_check` is content with any tables: this asks whether they are ours.
        connection.execute(_COLUMNS)
    sound: tuple[str] = connection.execute("PRAGMA integrity_check(1)").fetchone()
    return sound == ("ok",)


def read_number(connection: Connection, query: str, *values: str) -> int:
    """The number that a query asks for."""
    found: int = connection.execute(query, values).fetchone()[0]
    return found


def is_damage(error: Exception) -> bool:
    """Whether an error says that the file is damaged, rather than busy or out of reach.

    SQLITE_ERROR means that a table is not as our statements expect it. Python fails to decode what
    SQLite says of a schema that is no text.
    """
    if isinstance(error, DamagedError | UnicodeError):
        return True
    sqlite3 = load_sqlite()
    if not isinstance(error, sqlite3.DatabaseError):
        return False
    # The low byte is the kind of error; what lies above it says where in SQLite it came from.
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    damage: tuple[int, ...] = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_ERROR)
    return code in damage
