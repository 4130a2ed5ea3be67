"""The file of a score book: several programs may write to it at once, and lose nothing.

One that is damaged is set aside under another name, and a new one is begun; nothing in it is ever
overwritten. Whatever is wrong with it, it is told in a line (`ScoresError`), and nobody waits for
long. `tabletop.scores.book` says what is written and read.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Final, NoReturn, TypeVar

from tabletop.errors import ScoresError
from tabletop.host.locking import lock_within, unlock
from tabletop.scores.schema import NO_TEXT, check_schema, is_damage, is_sound, load_sqlite

if TYPE_CHECKING:
    from sqlite3 import Connection

T = TypeVar("T")

_ATTEMPTS: Final = 3
"""So often is something tried with a book that turns out to be damaged."""

_STEPS: Final = 10_000
"""How many of SQLite's own steps lie between two looks at the clock."""


class BookFile:
    """Opens the database of a score book, and looks after it.

    Args:
        path: the file; it is made, with its directory, when something is first written to it.
        warn: takes a line when it has been set aside.
        patience: how many seconds anything may take, waiting for other programs included.
    """

    def __init__(self, path: Path, warn: Callable[[str], object], patience: float) -> None:
        self._path = path
        self._warn = warn
        self._patience = patience

    def write(self, work: Callable[[Connection], T]) -> T:
        """Run `work` in a write transaction, under the lock: nobody sets the book aside then.

        Raises:
            ScoresError: it cannot be done; says why.
        """

        def in_one_piece(connection: Connection) -> T:
            # Locks for writing at once: having read first, it could be refused to write later.
            connection.execute("BEGIN IMMEDIATE")
            check_schema(self._path, connection, make=True)
            done = work(connection)
            connection.execute("COMMIT")
            return done

        def attempt(end: float) -> T:
            with self._alone(end) as is_alone:
                return self._attempt("rwc", in_one_piece, end, is_alone=is_alone)

        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise ScoresError(f"{self._path.parent}: cannot be made: {error.strerror}") from error
        return self._guarded(attempt)

    def read(self, work: Callable[[Connection], T], nothing: T) -> T:
        """Run `work` in a read transaction; `nothing` when there is no score book yet.

        Raises:
            ScoresError: the book cannot be read; says why.
        """

        def once_it_is_begun(connection: Connection) -> T:
            connection.execute("BEGIN")  # all of it as it is at one moment
            begun = check_schema(self._path, connection, make=False)
            return work(connection) if begun else nothing

        try:
            self._path.stat()
        except (FileNotFoundError, NotADirectoryError):
            return nothing
        except OSError as error:
            raise ScoresError(f"{self._path}: cannot be read: {error.strerror}") from error

        def attempt(end: float) -> T:
            # Under the lock as well, where it can be had: who opens a book that is just being set
            # aside would take the journal of the new one for its own, play it back, and remove it.
            waited = end - self._patience / 2
            with self._alone(waited, is_needed=False) as is_alone:
                return self._attempt("rw", once_it_is_begun, end, is_alone=is_alone)

        return self._guarded(attempt)

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
            raise ScoresError(f"{self._path}: {why}") from error

    def _attempt(
        self, mode: str, work: Callable[[Connection], T], end: float, *, is_alone: bool = False
    ) -> T:
        """Run `work` with a connection; a damaged book is set aside, and a new one tried."""
        why: Exception = ScoresError("it is damaged")
        # More than once, because a new book is begun after a damaged one was set aside; not for
        # ever, because a drive that damages everything would keep us here.
        for _ in range(_ATTEMPTS):
            book = self._identity()
            if book is None:
                mode = "rwc"
            try:
                with closing(self._connect(mode, end)) as connection:
                    return work(connection)
            except Exception as error:
                if not is_damage(error) and self._identity() == book:
                    raise  # else it was just set aside by another program
                why = NO_TEXT if isinstance(error, UnicodeError) else error
            if is_alone:
                self._set_aside(why, book, end)
            else:
                with self._alone(end, why):
                    self._set_aside(why, book, end)
        raise ScoresError(f"{self._path}: {why}") from why

    def _identity(self) -> tuple[int, int] | None:
        """The identity (device and inode) of the book's file; None when it does not exist.

        Raises:
            ScoresError: it is something that SQLite might wait for, and no file.
        """
        try:
            found = self._path.stat()
        except FileNotFoundError:
            return None
        if not stat.S_ISREG(found.st_mode) and not stat.S_ISDIR(found.st_mode):
            raise ScoresError(f"{self._path}: it is no ordinary file")
        return found.st_dev, found.st_ino

    def _connect(self, mode: str, end: float) -> Connection:
        address = f"{self._path.absolute().as_uri()}?mode={mode}"
        # The mode is said because by default SQLite makes a file that is missing, also to read it.
        # Without an isolation level, transactions begin and end where this module says so.
        connection: Connection = load_sqlite().connect(
            address, timeout=max(end - monotonic(), 0.0), isolation_level=None, uri=True
        )
        # A sheet that is no text is one damaged sheet, and no reason to fail with all the others.
        connection.text_factory = lambda data: data.decode("utf-8", "replace")
        # `timeout` bounds the wait for locks alone; this ends what takes too long itself.
        connection.set_progress_handler(lambda: monotonic() > end, _STEPS)
        return connection

    @contextmanager
    def _alone(
        self, end: float, damage: Exception | None = None, *, is_needed: bool = True
    ) -> Iterator[bool]:
        """Keep other programs from writing to the book, and from setting it aside.

        Args:
            end: until when to wait for them.
            damage: why it is to be set aside, which nobody does who is not alone.
            is_needed: whether nothing can be done without, unless files cannot be locked there.

        Yields:
            Whether that is so; where files cannot be locked, it is not.

        Raises:
            ScoresError: another program has been at it all the time; or it is to be set aside, and
                files cannot be locked there.
        """
        # A file of its own: the book is renamed when it is damaged, and its lock would go with it.
        lock = self._path.with_name(f"{self._path.name}.lock")
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
                if is_needed and not is_alone:
                    raise ScoresError(f"{self._path}: another program is writing, and does not end")
            yield is_alone
        finally:
            if descriptor >= 0:
                unlock(descriptor)
                os.close(descriptor)

    def _cannot_set_aside(self, why: Exception, obstacle: object) -> NoReturn:
        message = f"{self._path}: {why}, and cannot be set aside: {obstacle}"
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
                return not is_sound(self._path, connection)
        except Exception as error:
            return is_damage(error)

    def _rename(self, why: Exception) -> None:
        # Under a number that is free: what was set aside before is not overwritten either.
        number = 1
        while (aside := self._path.with_name(f"{self._path.name}.damaged-{number}")).exists():
            number += 1
        self._path.rename(aside)
        for tail in ("-journal", "-wal", "-shm"):  # they would be played into the new book
            with suppress(FileNotFoundError):
                Path(f"{self._path}{tail}").rename(f"{aside}{tail}")
        self._warn(f"{self._path}: {why}; it is kept as {aside.name}, and a new one is begun")
