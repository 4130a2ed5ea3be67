"""The scores of a user: what is kept of matches that have ended, and what is asked of it.

`tabletop.scores.bookfile` looks after the file they lie in.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Final

from tabletop.codec import from_json, to_json
from tabletop.errors import ContractError, ScoresError
from tabletop.scores.bookfile import BookFile
from tabletop.scores.schema import read_number
from tabletop.scores.sheets import ScoreSheet, check_sheet
from tabletop.seeds import Seed
from tabletop.wording import counted

if TYPE_CHECKING:
    from sqlite3 import Connection

PATIENCE: Final = 10.0
"""How many seconds are waited for another program that is writing, and for anything else."""

_MOST_NAMED: Final = 3
"""How many damaged sheets are named; more are counted."""

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
"""What reading a text that is no sheet can raise."""


class ScoreBook:
    """Keeps score sheets.

    Args:
        path: the file; it is made, with its directory, when the first sheet is kept.
        warn: takes a line when something has been set aside or left out.
        patience: how many seconds anything may take, waiting for other programs included.
    """

    def __init__(
        self, path: str | Path, warn: Callable[[str], object] = str, patience: float | None = None
    ) -> None:
        self.path = Path(path)
        self._warn = warn
        self._file = BookFile(self.path, warn, PATIENCE if patience is None else patience)

    def add(self, sheet: ScoreSheet) -> None:
        """Keep the sheet of a match that has just been played.

        Raises:
            ScoresError: it cannot be kept; says why.
        """
        self._file.write(lambda connection: connection.execute(_INSERT, _row(sheet)))

    def add_new(self, sheet: ScoreSheet) -> bool:
        """Keep a sheet unless there is one of the same match; whether there was none.

        Raises:
            ScoresError: it cannot be kept; says why.
        """

        def work(connection: Connection) -> bool:
            # Asked and inserted in one transaction: two programs that import the same record keep
            # it once.
            if connection.execute(_KNOWN, (sheet.key,)).fetchone() is not None:
                return False
            connection.execute(_INSERT, _row(sheet))
            return True

        return self._file.write(work)

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
        # Seeds are compared as they are meant: "Old Oak" and "old oak" are the same world.
        canonical = None if seed is None else Seed(seed).canonical
        values = (game, seed_origin, canonical, -1 if most is None else most)
        rows: list[tuple[int, str]] = self._file.read(
            lambda connection: connection.execute(_FIND, values).fetchall(), []
        )
        return self._sheets(rows)

    def knows(self, game: str) -> bool:
        """Whether there are sheets of a game.

        Raises:
            ScoresError: the book cannot be read; says why.
        """
        return self._file.read(lambda connection: read_number(connection, _OF_GAME, game), 0) > 0

    def finished_here(self, game: str) -> int:
        """How many matches of a game people have finished here; imported ones do not count.

        Raises:
            ScoresError: the book cannot be read; says why.
        """
        return self._file.read(lambda connection: read_number(connection, _COUNT, game), 0)

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
