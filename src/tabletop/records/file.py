"""The file of a record: read whole; written by one program at a time, in whole lines."""

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
"""Maximum size of a file in bytes: a match of a million actions is shorter."""

LOCK_TIMEOUT: Final = 0.2
"""Maximum wait for a record that is just being closed, in seconds."""

# Without O_BINARY, Windows would write two bytes for a newline, and no size would be right.
_FLAGS: Final = os.O_RDWR | getattr(os, "O_BINARY", 0)


_DONE: Final = ("do", "undo", "end")

_NOTE: Final = re.compile(r"[^\n]{1,100} \(process \d{1,20} on [^\n]{1,200}\)")
"""The text of a note on the writer of a record; any other file of its name is left alone."""


@dataclass(frozen=True, slots=True)
class Record:
    """A record as it was read.

    Attributes:
        path: the file it was read from.
        header: the header of the match.
        entries: the lines after the header.
        size: the number of bytes in complete lines.
        dropped: the number of bytes left out, of an incomplete last line.
    """

    path: str
    header: Header
    entries: tuple[Entry, ...]
    size: int
    dropped: int

    @property
    def plies(self) -> int:
        """The number of actions at the end, without those that were undone."""
        return sum(entry.plies for entry in self.entries)

    @property
    def ended(self) -> bool:
        """True when the match has ended."""
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
        """The time that the match has taken, in seconds, as far as the record says."""
        for entry in reversed(self.entries):
            if entry.played is not None:
                return entry.played
        return 0.0


def read(path: str | Path, *, pipes: bool = False) -> Record:
    """Read a record. An incomplete last line is left out.

    Args:
        path: The file.
        pipes: Whether a pipe or a device is read too; see `read_file`.

    Raises:
        RecordError: The file cannot be read or is not a record. Names the line and the fault.
        RecordVersionError: The format is newer than this program.
    """
    return parse(read_file(path, pipes=pipes), path)


def parse(data: bytes, path: str | Path) -> Record:
    """Parse the bytes of the record at `path`, as `read` does."""
    with errors_in(path):
        header, entries = _parse(data)
    # A line counts once it has its newline: a program that is killed in the middle of one leaves
    # half.
    size = data.rfind(b"\n") + 1
    return Record(str(path), header, entries, size, len(data) - size)


@contextmanager
def errors_in(path: str | Path) -> Iterator[None]:
    """Put the path of a record in front of the errors about it, unless it is empty."""
    try:
        yield
    except RecordError as error:
        if str(path):
            error.args = (f"{path}: {error}",)
        raise


def split_lines(data: bytes) -> list[bytes]:
    """Split the bytes of a file into lines, the last of which is incomplete or empty.

    A byte-order mark at the start, which some editors write, is dropped.
    """
    return data.removeprefix(BOM_UTF8).split(b"\n")


def _parse(data: bytes) -> tuple[Header, tuple[Entry, ...]]:
    *lines, rest = split_lines(data)
    if not lines:
        what = "it ends in the middle of the header" if rest else "the file is empty"
        raise RecordError(f"line 1: no record: {what}", line=1)
    header = parse_header(lines[0])
    return header, tuple(parse_entries(header, lines[1:]))


def read_file(path: str | Path, *, pipes: bool = False) -> bytes:
    """Read the bytes of a record, or of a log of draws.

    Args:
        path: The file.
        pipes: Whether a pipe or a device is read too, which waits for its other end. Only for files
            that a person has named on a command line, such as `/dev/stdin`.

    Raises:
        RecordError: The file cannot be read, has more than `MOST_BYTES`, or is a pipe or a device,
            and these are not read.
    """
    try:
        data = read_bytes(path, MOST_BYTES, pipes=pipes)
    except NotAFile as error:
        message = f"{path}: cannot be read: it is a pipe or a device; save it as a file first"
        raise RecordError(message) from error
    except OSError as error:
        raise RecordError(f"{path}: cannot be read: {error.strerror}") from error
    if len(data) > MOST_BYTES:
        raise RecordError(f"{path}: cannot be read: it has more than {MOST_BYTES:,} bytes")
    return data


def _lock(descriptor: int, timeout: float = LOCK_TIMEOUT) -> bool:
    """Lock an open file, until it is closed or the program ends; return whether it is ours now.

    Args:
        descriptor: The open file.
        timeout: Seconds to wait for another program that has locked the file.

    Raises:
        OSError: this drive cannot lock files.
    """
    from filelock import lock_descriptor  # slow to import

    end = monotonic() + timeout
    while not lock_descriptor(descriptor, blocking=False):
        if monotonic() >= end:
            return False
        sleep(0.01)
    return True


def writer_of(path: Path, timeout: float = LOCK_TIMEOUT) -> str | None:
    """Return a description of the program that writes a record, or None if no program does.

    Args:
        path: The record.
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
    """Return the writer of the record at `path`, from the note beside it; empty for none."""
    try:
        text = read_file(_note_path(path)).decode("utf-8", "replace")
    except RecordError:
        return ""
    return text if _NOTE.fullmatch(text) else ""


def _leave_note(path: Path) -> str:
    """Note beside a record that this program writes it; return the note, or an empty text."""
    import socket  # slow to import

    note, program = _note_path(path), Path(sys.argv[0])
    name = program.parent.name if program.name == "__main__.py" else program.name
    since = f"since {datetime.now().astimezone():%Y-%m-%d %H:%M:%S}"
    text = f"{name or 'python'} (process {os.getpid()} on {socket.gethostname()}, {since})"
    try:
        if note.exists() and not _read_note(path):
            return ""
        note.unlink(missing_ok=True)  # of a program that was killed
        # Only a new file: never follow a link that somebody has put there.
        with note.open("x", encoding="utf-8", errors="replace") as file:
            file.write(text)
    except OSError:
        return ""
    return text


class RecordFile:
    """A file that is open for writing, and locked. Make one with `create` or `resume`.

    Attributes:
        path: the file, as it was named.
        locked: whether others cannot write to it: not every drive can lock files.
        size: the number of bytes written, in complete lines.
    """

    __slots__ = ("_descriptor", "_identity", "_note", "_place", "locked", "path", "size")

    def __init__(self, path: Path, descriptor: int, size: int) -> None:
        self.path: Path = path
        self.locked: bool = False
        self._descriptor = descriptor
        self.size: int = size
        self._note = ""
        self._place: str | None = None  # the path at which to look for the file
        self._identity: tuple[int, int] | None = None

    @classmethod
    def create(cls, path: Path) -> RecordFile:
        """Make a new file.

        Raises:
            RecordError: it exists already or cannot be written.
        """
        file = cls(path, -1, 0)
        try:
            # O_EXCL: of two programs that begin the same record at the same moment one is told so.
            # It tells all hands and the salt: nobody else on this machine reads along.
            file._descriptor = os.open(path, _FLAGS | os.O_CREAT | os.O_EXCL, 0o600)
        except FileExistsError as error:
            raise RecordError(f"{path}: there is a file already; name a new one") from error
        except OSError as error:
            raise RecordError(f"{path}: cannot be written: {error.strerror}") from error
        except ValueError as error:  # an impossible file name
            raise RecordError(f"{path}: cannot be written: {error}") from error
        try:
            return file._begun()
        except RecordInUse:
            raise
        except BaseException:  # a KeyboardInterrupt, for instance: remove the file
            file.discard()
            raise

    @classmethod
    def create_with(cls, path: Path, contents: bytes) -> RecordFile:
        """Make a new file with these contents; leave none where they cannot be written.

        Raises:
            RecordError: it exists already or cannot be written.
        """
        file = cls.create(path)
        try:
            file.append(contents)
        except BaseException as error:
            file.discard()
            if isinstance(error, RecordLost):  # there was none to lose
                raise RecordError(str(error)) from error.__cause__
            raise
        return file

    @classmethod
    def resume(cls, record: Record) -> RecordFile:
        """Open the file that `record` was read from; cut off an incomplete last line.

        Raises:
            RecordInUse: another program is writing it; says which.
            RecordError: it cannot be written, or has changed since it was read.
        """
        path = Path(record.path)
        try:
            descriptor = os.open(path, _FLAGS)
        except OSError as error:
            raise RecordError(f"{path}: cannot be written: {error.strerror}") from error
        file = cls(path, descriptor, record.size + record.dropped)._begun()
        try:
            # Only now that the file is locked: nobody can write to it after it has been checked.
            file.check()
            file._check_rest(record)
            file._cut_back(record.size)
        except RecordError:
            file.close()
            raise
        return file

    def _begun(self) -> RecordFile:
        """Lock the file against other writers; return itself."""
        try:
            self.locked = _lock(self._descriptor)
        except OSError:
            pass  # a drive without locks: what others write is noticed by its size
        else:
            if not self.locked:
                os.close(self._descriptor)
                who = _read_note(self.path) or "another program"
                raise RecordInUse(
                    f"{self.path}: this record is being written by {who};"
                    " go on there, or end that first"
                )
            self._note = _leave_note(self.path)
        # Remembered, to notice later that it was moved or replaced.
        place = os.path.abspath(self.path)
        with suppress(OSError):
            here, ours = os.stat(place), os.fstat(self._descriptor)
            # On Windows nobody can take away what is open, and the numbers may not agree.
            if os.name != "nt" and os.path.samestat(here, ours):
                self._place, self._identity = place, (ours.st_dev, ours.st_ino)
        return self

    # Writing.

    def append(self, data: bytes) -> None:
        """Hand bytes to the operating system, all of them or nothing.

        Raises:
            RecordLost: it did not take them, or the file was deleted, replaced or changed; nothing
                has been written.
            RecordError: the file is closed.
        """
        # Through the open file this takes half the time of a look by its name. It shows what was
        # deleted, replaced or written to; a file that was moved takes the line where it is now.
        try:
            now = os.fstat(self._descriptor)
            is_left = now.st_nlink > 0 and now.st_size == self.size
        except OSError:
            is_left = False
        if not is_left:
            self.check()
        size, rest = self.size, data
        try:
            # The system may take a part of it only, when a disk is nearly full for instance.
            while rest:
                rest = rest[os.write(self._descriptor, rest) :]
            self.size = size + len(data)
        except BaseException as error:
            # The next line must not follow half of this one.
            self._cut_back(size)
            if not isinstance(error, OSError):  # a KeyboardInterrupt, for instance
                raise
            raise self._cannot_be_written(error) from error

    def check(self) -> None:
        """Make sure that the file is where it was, and as it was left.

        Raises:
            RecordLost: it is not.
            RecordError: it is closed.
        """
        if self._descriptor < 0:
            raise RecordError(f"{self.path}: this record is closed")
        try:
            # A lock keeps others from writing; only a look shows a file that was deleted or moved.
            now = self._look()
        except OSError as error:
            raise self._gone(error) from error
        if self._identity is not None and (now.st_dev, now.st_ino) != self._identity:
            raise RecordLost(f"{self.path}: another file has taken the place of this record")
        # On a drive without locks this is all that shows that somebody else writes here as well.
        if now.st_size != self.size:
            raise RecordLost(f"{self.path}: another program has written to this record")

    def _look(self) -> os.stat_result:
        if self._place is None:
            return os.fstat(self._descriptor)
        try:
            return os.stat(self._place)
        except PermissionError:  # a folder that may not be looked into any more: nothing is gone
            self._place = None
            return os.fstat(self._descriptor)

    def _gone(self, error: OSError) -> RecordLost:
        if not isinstance(error, FileNotFoundError | NotADirectoryError):
            return self._cannot_be_written(error)  # a drive that is not there any more
        with suppress(OSError):
            if os.fstat(self._descriptor).st_nlink:
                return RecordLost(
                    f"{self.path}: this record is not there any more: it, or its folder, has been"
                    " moved"
                )
        return RecordLost(f"{self.path}: this record has been deleted")

    def _check_rest(self, record: Record) -> None:
        """Make sure that the incomplete last line is still incomplete."""
        try:
            os.lseek(self._descriptor, record.size, os.SEEK_SET)
            rest = os.read(self._descriptor, record.dropped)
        except OSError as error:
            raise self._cannot_be_written(error) from error
        if b"\n" in rest:
            raise RecordLost(f"{self.path}: another program has written to this record")

    def _cut_back(self, size: int) -> None:
        """Truncate the file to `size` bytes, and write on from there."""
        try:
            if os.fstat(self._descriptor).st_size > size:
                # Cut off rather than written over: what comes next may be shorter.
                os.ftruncate(self._descriptor, size)
            os.lseek(self._descriptor, size, os.SEEK_SET)
        except OSError as error:
            raise self._cannot_be_written(error) from error
        self.size = size

    def _cannot_be_written(self, error: OSError) -> RecordLost:
        return RecordLost(f"{self.path}: cannot be written: {error.strerror}")

    # Going elsewhere.

    def contents(self) -> bytes | None:
        """Return all bytes written, even of a file deleted meanwhile; None if some are missing."""
        try:
            if os.fstat(self._descriptor).st_size != self.size:
                return None
            os.lseek(self._descriptor, 0, os.SEEK_SET)
            parts: list[bytes] = []
            # Through the open file, which is there even when its name is gone.
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
        """Close the file, and let others write to it."""
        if self._descriptor >= 0:
            # While it is still locked: afterwards the note may be that of another program.
            if self._note and _read_note(self.path) == self._note:
                with suppress(OSError):
                    _note_path(self.path).unlink()
            if self.locked:  # a process that was forked meanwhile would go on holding it
                from filelock import unlock_descriptor

                with suppress(OSError):
                    unlock_descriptor(self._descriptor)
            with suppress(OSError):  # of a drive that is gone
                os.close(self._descriptor)
            self._descriptor = -1

    def discard(self) -> None:
        """Close a file that has just been made, and remove it."""
        self.close()
        with suppress(FileNotFoundError):
            self.path.unlink()
