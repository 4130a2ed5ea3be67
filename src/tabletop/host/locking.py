"""Locks on files that go with their program: what is killed holds nothing any more.

The operating system keeps them (`flock`, or a byte range on Windows), not the file: nothing has to
be cleaned up. Beside a locked file lies a note, `NAME.lock`, that says who has it; it is only told,
never believed: a note without a lock means nothing.
"""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from time import monotonic, sleep
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from datetime import datetime

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl

PAUSE: Final = 0.01
"""How many seconds lie between two looks at a lock that somebody else has."""

_FAR: Final = 0x7FFF_FFFE
"""The byte that is locked on Windows, where nobody could read what lies under a lock."""

_MOST_BYTES: Final = 4096
_MOST_LETTERS: Final = 60


def try_lock(descriptor: int) -> bool:
    """Lock an open file, unless somebody else has locked it; whether it is ours now.

    The lock ends with `unlock`, when the file is closed, or with the program.

    Raises:
        OSError: this drive cannot lock files.
    """
    try:
        if sys.platform == "win32":
            _at_far_byte(descriptor, msvcrt.LK_NBLCK)
        else:
            # `flock`, not `lockf`: that one would go as soon as any descriptor of the file is
            # closed.
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    # Windows calls it a lack of permission when somebody else has the lock.
    except (BlockingIOError, PermissionError):
        return False
    return True


def unlock(descriptor: int) -> None:
    """Unlock a file before it is closed; does nothing if it was not locked."""
    with suppress(OSError):
        if sys.platform == "win32":
            _at_far_byte(descriptor, msvcrt.LK_UNLCK)
        else:
            fcntl.flock(descriptor, fcntl.LOCK_UN)


if sys.platform == "win32":

    def _at_far_byte(descriptor: int, how: int) -> None:
        place = os.lseek(descriptor, 0, os.SEEK_CUR)
        os.lseek(descriptor, _FAR, os.SEEK_SET)
        try:
            msvcrt.locking(descriptor, how, 1)
        finally:
            os.lseek(descriptor, place, os.SEEK_SET)


def lock_within(descriptor: int, seconds: float) -> bool:
    """Lock an open file, waiting at most `seconds` for its holder; whether it is ours now.

    Raises:
        OSError: this drive cannot lock files.
    """
    # A loop of tries, because a lock that waits knows no time limit.
    end = monotonic() + seconds
    while not try_lock(descriptor):
        if monotonic() >= end:
            return False
        sleep(PAUSE)
    return True


# Who has it.


@dataclass(frozen=True, slots=True)
class Holder:
    """The program that has locked a file.

    Attributes:
        program: what it is called.
        pid: its process.
        host: the machine that it runs on.
    """

    program: str
    pid: int
    host: str


def note_path(path: Path) -> Path:
    """The path of the note on who has locked the file at `path`."""
    return path.with_name(f"{path.name}.lock")


def leave_note(path: Path) -> os.stat_result | None:
    """Write the note that this program has locked the file at `path`; its stat, if it was written.

    Where none can be left, nobody is told who it is. A file that is no such note is left alone.
    """
    place = note_path(path)
    try:
        # A file of this name that somebody needs for something else must not go.
        if place.exists() and place.stat().st_size and read_note(path) is None:
            return None
        place.unlink(missing_ok=True)  # of a program that was killed
        # Only a new file: a link that somebody has put there is not followed.
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL
        descriptor = os.open(place, flags, 0o666)
    except (OSError, ValueError):
        return None
    import json  # slow to import, and few programs lock anything
    import socket

    try:
        holder = Holder(_this_program(), os.getpid(), socket.gethostname())
        with suppress(OSError):
            os.write(descriptor, json.dumps(asdict(holder)).encode())
        return os.fstat(descriptor)
    finally:
        os.close(descriptor)


def remove_note(path: Path, note: os.stat_result | None) -> None:
    """Remove the note for `path`, unless another program has replaced it by now."""
    if note is None:
        return
    place = note_path(path)
    with suppress(OSError):
        # By identity, not by name: between our look and now another program may have put its own
        # there.
        if os.path.samestat(place.lstat(), note):
            place.unlink()


def read_note(path: Path) -> tuple[Holder, datetime] | None:
    """The holder and the time in the note beside `path`; None if there is no valid note."""
    import json
    from datetime import datetime

    place = note_path(path)
    try:
        with place.open("rb") as file:
            # So much at most: the file may be anybody's, and of any size.
            told = json.loads(file.read(_MOST_BYTES))
            since = datetime.fromtimestamp(os.fstat(file.fileno()).st_mtime).astimezone()
        holder = Holder(_shown(told["program"]), int(told["pid"]), _shown(told["host"]))
    except (OSError, ValueError, KeyError, TypeError, OverflowError, RecursionError):
        return None
    return holder, since


def who_has(path: Path) -> str:
    """The holder of the lock on the file at `path`, in words."""
    told = read_note(path)
    if told is None:
        return "another program"
    holder, since = told
    return (
        f"{holder.program} (process {holder.pid} on {holder.host}, since {since:%Y-%m-%d %H:%M:%S})"
    )


def _this_program() -> str:
    path = Path(sys.argv[0] if sys.argv else "")
    if path.name == "__main__.py":
        return path.parent.name
    return path.name if path.name not in ("", "-c", "-m") else "python"


def _shown(text: object) -> str:
    """A text of a note, which anybody may have written, made safe to show."""
    letters = str(text)[:_MOST_LETTERS]
    return "".join(letter if letter.isprintable() else "?" for letter in letters)
