"""Locks on files that go with their program: what is killed holds nothing any more.

The operating system keeps them, not the file: nothing has to be cleaned up. Beside a locked file
lies a note, `NAME.lock`, that says who has it; it is only told, never believed: a note without a
lock means nothing.
"""

from __future__ import annotations

import os
import re
import sys
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from time import monotonic, sleep
from typing import Final

PAUSE: Final = 0.01
"""How many seconds lie between two looks at a lock that somebody else has."""

_NOTE: Final = re.compile(r"[^\n]{1,100} \(process \d{1,20} on [^\n]{1,100}\)")
"""What a note says; any other file of its name is left alone."""


def lock_within(descriptor: int, seconds: float) -> bool:
    """Lock an open file, waiting at most `seconds` for its holder; whether it is ours now.

    Raises:
        OSError: this drive cannot lock files.
    """
    from filelock import lock_descriptor  # slow to import

    end = monotonic() + seconds
    while not lock_descriptor(descriptor, blocking=False):
        if monotonic() >= end:
            return False
        sleep(PAUSE)
    return True


def unlock(descriptor: int) -> None:
    """Unlock a file before it is closed; does nothing if it was not locked."""
    from filelock import unlock_descriptor

    with suppress(OSError):
        unlock_descriptor(descriptor)


def note_path(path: Path) -> Path:
    """The path of the note on who has locked the file at `path`."""
    return path.with_name(f"{path.name}.lock")


def leave_note(path: Path) -> os.stat_result | None:
    """Write the note that this program has locked the file at `path`; its stat, if it was written.

    Where none can be left, nobody is told who it is. A file that is no such note is left alone.
    """
    import socket  # slow to import

    place = note_path(path)
    try:
        if place.exists() and place.stat().st_size and not _read(place):
            return None
        place.unlink(missing_ok=True)  # of a program that was killed
        # Only a new file: a link that somebody has put there is not followed.
        with open(place, "x", encoding="utf-8", errors="replace") as file:
            file.write(f"{_this_program()} (process {os.getpid()} on {socket.gethostname()})")
            return os.fstat(file.fileno())
    except OSError:
        return None


def remove_note(path: Path, note: os.stat_result | None) -> None:
    """Remove the note for `path`, unless another program has replaced it by now."""
    place = note_path(path)
    with suppress(OSError):
        if note is not None and os.path.samestat(place.lstat(), note):
            place.unlink()


def who_has(path: Path) -> str:
    """The holder of the lock on the file at `path`, in words."""
    place = note_path(path)
    said = _read(place)
    if not said:
        return "another program"
    with suppress(OSError):
        since = datetime.fromtimestamp(place.stat().st_mtime).astimezone()
        said = f"{said.removesuffix(')')}, since {since:%Y-%m-%d %H:%M:%S})"
    return said


def _read(place: Path) -> str:
    """What a note says, made safe to show: anybody may have written it. Empty when it is none."""
    try:
        with place.open(encoding="utf-8", errors="replace") as file:
            text = file.read(500)  # so much at most: the file may be of any size
    except OSError:
        return ""
    found = _NOTE.fullmatch(text)
    return "".join(letter if letter.isprintable() else "?" for letter in text) if found else ""


def _this_program() -> str:
    path = Path(sys.argv[0] if sys.argv else "")
    if path.name == "__main__.py":
        return path.parent.name
    return path.name if path.name not in ("", "-c", "-m") else "python"
