"""Files that people name: where they are, and writing them whole or not at all."""

from __future__ import annotations

import os
import stat
import sys
from contextlib import suppress
from hashlib import blake2b
from pathlib import Path
from time import monotonic, sleep
from typing import Final

from tabletop.host.locking import PAUSE, try_lock

PATIENCE: Final = 2.0
"""How many seconds are waited for another program that is saving the same file."""


def expanded(text: str) -> str:
    """A path as a person has typed it, with their home for `~`, and another's for `~NAME`.

    >>> expanded("games/~/match.jsonl")
    'games/~/match.jsonl'
    """
    return os.path.expanduser(text)


def user_path(text: str) -> Path:
    """The path that a person means: `expanded`, as a `Path`."""
    return Path(expanded(text))


def write_text(path: str, text: str) -> None:
    """Write a file as a whole: until it is complete, what was there before is left alone.

    A file that is replaced keeps its mode and, where that is allowed, its owner; a link stays one.
    What a killed program has left half written is removed when the same file is written again.

    Args:
        path: where; `~` is the home of the user.
        text: goes there in UTF-8, lines ending as they do.

    Raises:
        OSError: it cannot be written.
    """
    write_bytes(path, text.encode())


def write_bytes(path: str, data: bytes) -> None:
    """Write a file as a whole, as `write_text` does.

    Raises:
        OSError: it cannot be written.
    """
    if "\0" in path:
        raise OSError("a file's name cannot have a null character in it")
    # The file behind a link is replaced, and not the link.
    target = os.path.realpath(expanded(path))
    try:
        former = os.stat(target)
    except FileNotFoundError:
        former = None
    if former is not None and not stat.S_ISREG(former.st_mode):
        with open(target, "wb") as file:  # a device or a pipe; a directory is refused
            file.write(data)
        return
    if former is not None and not os.access(target, os.W_OK):
        raise PermissionError("it is write-protected")
    _replace(target, data, former)


def _replace(target: str, data: bytes, former: os.stat_result | None) -> None:
    aside = _aside(target)
    # What others may not read they may not read while it is written either.
    descriptor = _open_alone(aside, 0o666 if former is None else 0o600)
    try:
        try:
            rest = data
            while rest:
                rest = rest[os.write(descriptor, rest) :]
            if former is not None:
                _take_after(descriptor, former)
            # Before the name changes hands: else a power cut could leave an empty file under it.
            os.fsync(descriptor)
            if os.name != "nt":
                os.replace(aside, target)  # while it is locked: nobody takes it for a leftover
        finally:
            os.close(descriptor)
        if os.name == "nt":  # where what is open cannot be renamed
            os.replace(aside, target)
    except BaseException:
        with suppress(OSError):
            os.unlink(aside)
        raise


def _aside(target: str) -> str:
    """Where a file is written before it takes its place: always the same, so that it is found."""
    folder, name = os.path.split(target)
    # A hash, because `name` with anything added may be longer than a name can be.
    mark = blake2b(os.fsencode(name), digest_size=8).hexdigest()
    return os.path.join(folder, f".tabletop-{mark}.tmp")


def _open_alone(path: str, mode: int) -> int:
    """A new file at `path`, locked; a leftover of a killed program is removed before.

    Raises:
        OSError: it cannot be made, or another program is writing there.
    """
    end = monotonic() + PATIENCE
    flags = os.O_RDWR | getattr(os, "O_BINARY", 0) | getattr(os, "O_NOFOLLOW", 0)
    while True:
        with suppress(FileExistsError):
            descriptor = os.open(path, flags | os.O_CREAT | os.O_EXCL, mode)
            if _is_ours(descriptor, path):
                return descriptor
            os.close(descriptor)  # somebody took it for a leftover, just now
        if not _remove_leftover(path, flags):
            if monotonic() >= end:
                raise BlockingIOError(None, "another program is saving there")
            sleep(PAUSE)


def _remove_leftover(path: str, flags: int) -> bool:
    """Remove a leftover file that nobody is writing any more; False when somebody is."""
    try:
        descriptor = os.open(path, flags)
    except FileNotFoundError:
        return True
    try:
        if not _is_ours(descriptor, path):
            return False
        if os.name != "nt":
            os.unlink(path)
    finally:
        os.close(descriptor)
    if os.name == "nt":
        os.unlink(path)
    return True


def _is_ours(descriptor: int, path: str) -> bool:
    """Lock an open file; whether nobody else has it, and it is still the one at `path`."""
    try:
        # A file without a lock is a leftover: whoever writes here holds one until the file is in
        # place.
        alone = try_lock(descriptor)
    except OSError:  # a drive without locks
        alone = True
    try:
        return alone and os.path.samestat(os.fstat(descriptor), os.stat(path))
    except FileNotFoundError:
        return False


def _take_after(descriptor: int, former: os.stat_result) -> None:
    """Give a new file the owner, if that is allowed, and the mode of the one that it replaces."""
    if sys.platform == "win32":
        return
    with suppress(PermissionError):
        # The group first, and by itself: a user may give a file to a group of theirs, to nobody
        # else.
        os.fchown(descriptor, -1, former.st_gid)
    with suppress(PermissionError):
        os.fchown(descriptor, former.st_uid, -1)
    # Last, because a change of owner clears some bits of the mode.
    os.fchmod(descriptor, stat.S_IMODE(former.st_mode))
