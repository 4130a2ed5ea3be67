"""Record files.

A program reads a whole file at once. Only one program at a time writes a file, line by line.
"""

from __future__ import annotations

import os
import re
import sys
from codecs import BOM_UTF8
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from time import monotonic, sleep
from typing import Final

from tabletop.errors import RecordError, RecordInUse, RecordLost
from tabletop.host.user_files import NotAFile, read_bytes
from tabletop.records.format import HUMAN, Entry, Header, parse_entries, parse_header

MOST_BYTES: Final = 100_000_000
"""Maximum size of a record in bytes. A match of a million actions is smaller."""

LOCK_TIMEOUT: Final = 0.2  # seconds to wait for another program that may be closing the record

# Without O_BINARY, Windows would write two bytes for a newline, and all sizes would be wrong.
_FLAGS: Final = os.O_RDWR | getattr(os, "O_BINARY", 0)


_DONE: Final = ("do", "undo", "end")

_NOTE: Final = re.compile(r"[^\n]{1,100} \(process \d{1,20} on [^\n]{1,200}\)")
"""The text of a note that names the writer of a record. A file with other contents is not a note,
and is never overwritten or deleted.
"""


@dataclass(frozen=True, slots=True)
class Record:
    """A record that was read from a file.

    Attributes:
        path: The path of the file.
        header: The header of the match.
        entries: The lines after the header.
        size: The number of bytes in complete lines.
        dropped: The number of bytes in an incomplete last line, which was ignored.
    """

    path: str
    header: Header
    entries: tuple[Entry, ...]
    size: int
    dropped: int

    @property
    def plies(self) -> int:
        """The number of actions played, without undone actions."""
        return sum(entry.plies for entry in self.entries)

    @property
    def ended(self) -> bool:
        """True if the match has ended."""
        for entry in reversed(self.entries):
            if any(getattr(entry, field) is not None for field in _DONE):
                return entry.end is not None
        return False

    @property
    def players(self) -> tuple[str, ...]:
        """The player of each seat at the end of the record."""
        now = list(self.header.players or (HUMAN,) * len(self.header.seats))
        for entry in self.entries:
            if entry.player is not None and entry.seat is not None:
                now[entry.seat] = entry.player
        return tuple(now)

    @property
    def seconds(self) -> float:
        """The duration of the match in seconds, or 0.0 if the record does not contain it."""
        for entry in reversed(self.entries):
            if entry.played is not None:
                return entry.played
        return 0.0


def read(path: str | Path, *, pipes: bool = False) -> Record:
    """Read a record. An incomplete last line is ignored.

    Args:
        path: The file.
        pipes: Whether to accept a pipe or a device, as in `read_file`.

    Raises:
        RecordError: The file cannot be read or is not a record. The message contains the line and
            the reason.
        RecordVersionError: The format is newer than this program.
    """
    return parse(read_file(path, pipes=pipes), path)


def parse(data: bytes, path: str | Path) -> Record:
    """Parse the bytes of the record at `path`, as `read` does."""
    with errors_in(path):
        header, entries = _parse(data)
    # Only a line with its newline is complete. A program that was killed may leave half a line.
    size = data.rfind(b"\n") + 1
    return Record(str(path), header, entries, size, len(data) - size)


@contextmanager
def errors_in(path: str | Path) -> Iterator[None]:
    """Prefix the messages of `RecordError`s with the path of a record, unless it is empty."""
    try:
        yield
    except RecordError as error:
        if str(path):
            error.args = (f"{path}: {error}",)
        raise


def split_lines(data: bytes) -> list[bytes]:
    """Split a file, without a byte-order mark, into lines. The last is incomplete or empty."""
    return data.removeprefix(BOM_UTF8).split(b"\n")


def _parse(data: bytes) -> tuple[Header, tuple[Entry, ...]]:
    *lines, rest = split_lines(data)
    if not lines:
        why = "the header is incomplete" if rest else "the file is empty"
        raise RecordError(f"line 1: not a record: {why}", line=1)
    header = parse_header(lines[0])
    return header, tuple(parse_entries(header, lines[1:]))


def read_file(path: str | Path, *, pipes: bool = False) -> bytes:
    """Read the bytes of a record, or of a log of draws.

    Args:
        path: The file.
        pipes: Whether to accept a pipe or a device, which may block. Use this only for files named
            on a command line, such as `/dev/stdin`.

    Raises:
        RecordError: The file cannot be read, has more than `MOST_BYTES`, or is a pipe or a device
            and `pipes` is False.
    """
    try:
        data = read_bytes(path, MOST_BYTES, pipes=pipes)
    except NotAFile as error:
        message = (
            f"{path}: cannot be read because it is a pipe or a device (save it as a file first)"
        )
        raise RecordError(message) from error
    except OSError as error:
        raise RecordError(f"{path}: cannot be read: {error.strerror}") from error
    if len(data) > MOST_BYTES:
        raise RecordError(f"{path}: cannot be read: it has more than {MOST_BYTES:,} bytes")
    return data


def _lock(descriptor: int, timeout: float = LOCK_TIMEOUT) -> bool:
    """Lock an open file until it is closed or the program ends. Return whether this succeeded.

    Args:
        timeout: Seconds to wait for another program that has locked the file.

    Raises:
        OSError: The drive does not support locks.
    """
    from filelock import lock_descriptor  # slow to import

    end = monotonic() + timeout
    while not lock_descriptor(descriptor, blocking=False):
        if monotonic() >= end:
            return False
        sleep(0.01)
    return True


def writer_of(path: Path, timeout: float = LOCK_TIMEOUT) -> str | None:
    """Return a description of the program that is writing a record, or None if there is none.

    Args:
        timeout: Seconds to wait for a program that may be closing the record.
    """
    try:
        descriptor = os.open(path, _FLAGS)
    except OSError:
        return None
    try:
        is_free = _lock(descriptor, timeout)
    except OSError:  # a drive without locks
        is_free = True
    finally:
        os.close(descriptor)
    return None if is_free else _read_note(path) or "another program"


def _note_path(path: Path) -> Path:
    return path.with_name(f"{path.name}.lock")


def _read_note(path: Path) -> str:
    """Return the writer of a record from the note next to it, or an empty string."""
    try:
        text = read_file(_note_path(path)).decode("utf-8", "replace")
    except RecordError:
        return ""
    return text if _NOTE.fullmatch(text) else ""


def _leave_note(path: Path) -> str:
    """Write a note that names this program next to a record. Return it, or "" on failure."""
    import socket  # slow to import

    note, program = _note_path(path), Path(sys.argv[0])
    name = program.parent.name if program.name == "__main__.py" else program.name
    since = f"since {datetime.now().astimezone():%Y-%m-%d %H:%M:%S}"
    text = f"{name or 'python'} (process {os.getpid()} on {socket.gethostname()}, {since})"
    try:
        if note.exists() and not _read_note(path):
            return ""
        note.unlink(missing_ok=True)  # left by a program that was killed
        # Mode "x" creates a new file, and so never follows a planted link.
        with note.open("x", encoding="utf-8", errors="replace") as file:
            file.write(text)
    except OSError:
        return ""
    return text


class RecordFile:
    """A record file that is open for writing and locked. Open it with `create` or `resume`.

    Attributes:
        path: The path as the caller gave it.
        locked: Whether the file is locked against other programs. Some drives do not support locks.
        size: The number of bytes written, in complete lines.
    """

    __slots__ = ("_descriptor", "_identity", "_note", "_place", "locked", "path", "size")

    def __init__(self, path: Path, descriptor: int, size: int) -> None:
        self.path: Path = path
        self.locked: bool = False
        self._descriptor = descriptor
        self.size: int = size
        self._note = ""
        self._place: str | None = None  # the absolute path, to notice if the file is moved
        self._identity: tuple[int, int] | None = None

    @classmethod
    def create(cls, path: Path, *, has_note: bool = True) -> RecordFile:
        """Create a new file.

        Args:
            path: The path.
            has_note: Whether a note next to the file names this program while it writes.

        Raises:
            RecordError: The file already exists or cannot be written.
        """
        file = cls(path, -1, 0)
        try:
            # O_EXCL: if two programs create the same file at the same time, one of them fails.
            # 0600: the record reveals all hands and the salt, so other users must not read it.
            file._descriptor = os.open(path, _FLAGS | os.O_CREAT | os.O_EXCL, 0o600)
        except FileExistsError as error:
            raise RecordError(f"{path}: the file already exists (choose a new name)") from error
        except OSError as error:
            raise RecordError(f"{path}: cannot be written: {error.strerror}") from error
        except ValueError as error:  # an impossible file name
            raise RecordError(f"{path}: cannot be written: {error}") from error
        try:
            return file._begun(has_note=has_note)
        except RecordInUse:
            raise
        except BaseException:  # such as a KeyboardInterrupt
            file.discard()
            raise

    @classmethod
    def create_with(cls, path: Path, contents: bytes) -> RecordFile:
        """Create a new file with these contents. If writing fails, the file is removed.

        Raises:
            RecordError: The file already exists or cannot be written.
        """
        file = cls.create(path)
        try:
            file.append(contents)
        except BaseException as error:
            file.discard()
            if isinstance(error, RecordLost):  # a file that is not complete yet cannot be lost
                raise RecordError(str(error)) from error.__cause__
            raise
        return file

    @classmethod
    def resume(cls, record: Record) -> RecordFile:
        """Open the file of `record` for writing, and cut off an incomplete last line.

        Raises:
            RecordInUse: Another program is writing the record. The message names it.
            RecordError: The file cannot be written, or has changed since it was read.
        """
        path = Path(record.path)
        try:
            descriptor = os.open(path, _FLAGS)
        except OSError as error:
            raise RecordError(f"{path}: cannot be written: {error.strerror}") from error
        file = cls(path, descriptor, record.size + record.dropped)._begun()
        try:
            # Check after locking, so that nobody can write to the file after the check.
            file.check()
            file._check_rest(record)
            file._cut_back(record.size)
        except RecordError:
            file.close()
            raise
        return file

    def _begun(self, *, has_note: bool = True) -> RecordFile:
        """Lock the file against other writers, and return this object."""
        try:
            self.locked = _lock(self._descriptor)
        except OSError:
            pass  # a drive without locks; `check` notices other writers by the size of the file
        else:
            if not self.locked:
                os.close(self._descriptor)
                writer = _read_note(self.path) or "another program"
                raise RecordInUse(
                    f"{self.path}: this record is being written by {writer}"
                    " (continue there, or close that program first)"
                )
            self._note = _leave_note(self.path) if has_note else ""
        # Remember the identity of the file, to notice later if it is moved or replaced.
        place = os.path.abspath(self.path)
        with suppress(OSError):
            by_path, by_descriptor = os.stat(place), os.fstat(self._descriptor)
            # On Windows, an open file cannot be moved, and these numbers may differ.
            if os.name != "nt" and os.path.samestat(by_path, by_descriptor):
                self._place = place
                self._identity = by_descriptor.st_dev, by_descriptor.st_ino
        return self

    # Writing.

    def append(self, data: bytes) -> None:
        """Write bytes to the operating system, either all or none.

        Raises:
            RecordLost: The bytes could not be written, or the file was deleted, replaced or
                changed. Nothing has been written.
            RecordError: The file is closed.
        """
        # `fstat` takes half the time of `stat` and shows whether the file was deleted, replaced or
        # changed. A file that was moved receives the line at its new place.
        try:
            now = os.fstat(self._descriptor)
            is_left = now.st_nlink > 0 and now.st_size == self.size
        except OSError:
            is_left = False
        if not is_left:
            self.check()
        size, rest = self.size, data
        try:
            # `write` may accept only a part of the data, for example if the disk is nearly full.
            while rest:
                rest = rest[os.write(self._descriptor, rest) :]
            self.size = size + len(data)
        except BaseException as error:
            # Remove an incomplete part, so that the next line does not follow half a line.
            self._cut_back(size)
            if not isinstance(error, OSError):  # such as a KeyboardInterrupt
                raise
            raise self._cannot_be_written(error) from error

    def check(self) -> None:
        """Check that the file still exists at its path and is unchanged.

        Raises:
            RecordLost: The file was moved, deleted, replaced or changed.
            RecordError: The file is closed.
        """
        if self._descriptor < 0:
            raise RecordError(f"{self.path}: this record is closed")
        try:
            # A lock prevents writing, but not deleting or moving.
            now = self._stat()
        except OSError as error:
            raise self._gone(error) from error
        if self._identity is not None and (now.st_dev, now.st_ino) != self._identity:
            raise RecordLost(f"{self.path}: this record has been replaced by another file")
        # On a drive without locks, only the size shows that another program has written.
        if now.st_size != self.size:
            raise RecordLost(f"{self.path}: another program has written to this record")

    def _stat(self) -> os.stat_result:
        if self._place is None:
            return os.fstat(self._descriptor)
        try:
            return os.stat(self._place)
        except PermissionError:  # the folder has become unreadable, but the file still exists
            self._place = None
            return os.fstat(self._descriptor)

    def _gone(self, error: OSError) -> RecordLost:
        if not isinstance(error, FileNotFoundError | NotADirectoryError):
            return self._cannot_be_written(error)  # such as a drive that was removed
        with suppress(OSError):
            if os.fstat(self._descriptor).st_nlink:
                return RecordLost(f"{self.path}: this record or its folder has been moved")
        return RecordLost(f"{self.path}: this record has been deleted")

    def _check_rest(self, record: Record) -> None:
        """Check that the incomplete last line has not been completed since it was read."""
        try:
            os.lseek(self._descriptor, record.size, os.SEEK_SET)
            rest = os.read(self._descriptor, record.dropped)
        except OSError as error:
            raise self._cannot_be_written(error) from error
        if b"\n" in rest:
            raise RecordLost(f"{self.path}: another program has written to this record")

    def _cut_back(self, size: int) -> None:
        """Truncate the file to `size` bytes, and continue writing there."""
        try:
            if os.fstat(self._descriptor).st_size > size:
                # Truncate, because the next line may be shorter than the rest of the old one.
                os.ftruncate(self._descriptor, size)
            os.lseek(self._descriptor, size, os.SEEK_SET)
        except OSError as error:
            raise self._cannot_be_written(error) from error
        self.size = size

    def _cannot_be_written(self, error: OSError) -> RecordLost:
        return RecordLost(f"{self.path}: cannot be written: {error.strerror}")

    # Moving and closing.

    def contents(self) -> bytes | None:
        """Return all bytes written, even if the file was deleted. None if some are missing."""
        try:
            if os.fstat(self._descriptor).st_size != self.size:
                return None
            os.lseek(self._descriptor, 0, os.SEEK_SET)
            parts: list[bytes] = []
            # Read through the descriptor, which works even after the file was deleted.
            while part := os.read(self._descriptor, 1 << 20):
                parts.append(part)
        except OSError:
            return None
        finally:
            with suppress(OSError):
                os.lseek(self._descriptor, self.size, os.SEEK_SET)
        data = b"".join(parts)
        return data if len(data) == self.size else None

    def close(self) -> None:
        """Close the file, so that other programs can write to it."""
        if self._descriptor >= 0:
            # Remove the note before unlocking, because it may belong to another program afterwards.
            if self._note and _read_note(self.path) == self._note:
                with suppress(OSError):
                    _note_path(self.path).unlink()
            if self.locked:  # unlock explicitly, because a forked process would keep the lock
                from filelock import unlock_descriptor

                with suppress(OSError):
                    unlock_descriptor(self._descriptor)
            with suppress(OSError):  # such as a drive that was removed
                os.close(self._descriptor)
            self._descriptor = -1

    def discard(self) -> None:
        """Close and remove a file that has just been created."""
        self.close()
        with suppress(FileNotFoundError):
            self.path.unlink()
