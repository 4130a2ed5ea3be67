"""Files named by users: expand paths, read text, and replace files atomically."""

from __future__ import annotations

import errno
import os
import stat
import sys
from contextlib import suppress
from itertools import takewhile
from pathlib import Path
from time import time

from tabletop.errors import CommandError, TabletopError

_BYTE_ORDER_MARK = "\ufeff"

_OLD = 60.0
"""Minimum age in seconds at which a temporary file counts as a leftover of a killed program."""


def expand_user(text: str) -> str:
    """Replace `~` at the start of a path with the user's home, and `~NAME` with the home of NAME.

    >>> expand_user("games/~/match.jsonl")
    'games/~/match.jsonl'
    """
    return os.path.expanduser(text)


def user_path(text: str) -> Path:
    """Return the path that a user has typed; see `expand_user`."""
    return Path(expand_user(text))


def file_exists(path: str | Path) -> bool:
    """Return whether a file exists. Unlike `Path.exists`, accept names too long for a file."""
    return os.path.exists(path)


def make_folders(folder: Path, mode: int = 0o777) -> None:
    """Create a folder and its missing parents at any depth.

    Args:
        mode: The mode of the folder itself.

    Raises:
        OSError: A folder cannot be created.
    """
    missing = list(takewhile(lambda parent: not file_exists(parent), folder.parents))
    for parent in reversed(missing):  # Path.mkdir(parents=True) fails for 1,000 levels
        parent.mkdir(exist_ok=True)
    folder.mkdir(mode, exist_ok=True)


def write_text(path: str, text: str, mode: int = 0o666) -> None:
    """Write a file atomically as UTF-8: the old contents stay until the new contents are complete.

    An existing file keeps its mode and, if permitted, its owner. A symbolic link stays a link.
    Temporary files of killed programs are removed from the folder. Line endings are written
    unchanged.

    Args:
        path: The file. `~` is the home of the user.
        text: The new contents.
        mode: The mode of a new file, without the bits of the umask.

    Raises:
        OSError: The file cannot be written.
    """
    write_bytes(path, text.encode(), mode)


def write_bytes(path: str, data: bytes, mode: int = 0o666) -> None:
    """Write a file atomically, like `write_text`.

    Raises:
        OSError: The file cannot be written.
    """
    if "\0" in path:
        raise OSError("a file name cannot contain a null character")
    # Replace the file that a link points to, and not the link.
    target = os.path.realpath(expand_user(path))
    try:
        former = os.stat(target)
    except FileNotFoundError:
        former = None
    if former is not None and not stat.S_ISREG(former.st_mode):
        Path(target).write_bytes(data)  # a device or a pipe; a directory raises an error
        return
    if former is not None and not os.access(target, os.W_OK):
        raise PermissionError("the file is write-protected")
    folder = Path(target).parent
    for leftover in folder.glob(".tabletop-*.tmp"):
        with suppress(OSError):  # another program may remove it at the same time
            if time() - leftover.stat().st_mtime > _OLD:
                leftover.unlink()
    aside = str(folder / f".tabletop-{os.urandom(8).hex()}.tmp")
    # If the old file was private, the temporary file must be private, too.
    mode = mode if former is None else 0o600
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    descriptor = os.open(aside, flags, mode)
    try:
        with open(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            if former is not None:
                _copy_owner_and_mode(descriptor, former)
            # Flush before renaming, because otherwise a power failure could leave an empty file.
            os.fsync(descriptor)
        os.replace(aside, target)
    except BaseException:
        with suppress(OSError):
            os.unlink(aside)
        raise


def _copy_owner_and_mode(descriptor: int, former: os.stat_result) -> None:
    if sys.platform == "win32":
        return
    # The group separately, because a user may change the group but usually not the owner.
    with suppress(PermissionError):
        os.fchown(descriptor, -1, former.st_gid)
    with suppress(PermissionError):
        os.fchown(descriptor, former.st_uid, -1)
    # The mode last, because changing the owner clears some of its bits.
    os.fchmod(descriptor, stat.S_IMODE(former.st_mode))


class TextFileError(TabletopError, ValueError):
    """A file is not text, or is too long.

    Attributes:
        line: The line number of the fault, starting at 1, or 0 if the fault concerns the whole
            file.
    """

    def __init__(self, message: str, *, line: int = 0) -> None:
        super().__init__(f"line {line}: {message}" if line else message)
        self.line = line


class NotAFile(OSError):
    """A pipe or a device was found where a regular file is expected."""


def read_bytes(path: str | Path, most_bytes: int, *, pipes: bool = False) -> bytes:
    """Read a file, or at most the first `most_bytes` + 1 bytes of a longer one.

    Args:
        path: The file.
        most_bytes: Maximum size of a valid file.
        pipes: Whether to accept a pipe or a device, which may block. Use this only for files named
            on a command line, such as `/dev/stdin`.

    Raises:
        NotAFile: The file is a pipe or a device, and `pipes` is False.
        OSError: The file cannot be read.
    """
    with open(path, "rb", opener=None if pipes else _open_at_once) as file:
        if not (pipes or stat.S_ISREG(os.fstat(file.fileno()).st_mode)):
            raise NotAFile(errno.EINVAL, "it is a pipe or a device, and not a regular file")
        return file.read(most_bytes + 1)


def _open_at_once(path: str, flags: int) -> int:
    """Open a file without waiting for a program at the other end of a pipe."""
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))


def read_text(path: str, most_bytes: int) -> str:
    """Return the text of a file or pipe named by the user, with line feeds as line endings.

    A byte-order mark at the start is dropped, and `~` is the home of the user.

    Args:
        path: The file.
        most_bytes: Maximum size of a valid file.

    Raises:
        OSError: The file cannot be read.
        TextFileError: The file is not text in UTF-8, or is too long.
    """
    data = read_bytes(expand_user(path), most_bytes, pipes=True)
    if len(data) > most_bytes:
        raise TextFileError(f"the file is too long (more than {most_bytes} bytes)")
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = _with_newlines(data[: error.start].decode("utf-8")).count("\n") + 1
        message = f"byte 0x{data[error.start]:02x} is not valid UTF-8"
        raise TextFileError(message, line=line) from error
    return _with_newlines(text.removeprefix(_BYTE_ORDER_MARK))


def _with_newlines(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")


def read_lines(path: str, most_bytes: int) -> tuple[str, ...]:
    """Return the lines of a file, without newlines. The last line may lack its newline.

    Raises:
        OSError, TextFileError: See `read_text`.
    """
    lines = read_text(path, most_bytes).split("\n")
    return tuple(lines if lines[-1] else lines[:-1])


def save_game(path: str, text: str) -> None:
    """Write a file in the format of a game, as `write_text` does.

    Raises:
        CommandError: The file cannot be written.
    """
    try:
        write_text(path, text)
    except OSError as error:
        raise CommandError(f"The game cannot be saved in {path!r}: {reason(error)}.") from error


def reason(error: OSError | TextFileError) -> str:
    """Return the reason why a file could not be read or written, without the file name."""
    return (isinstance(error, OSError) and error.strerror) or str(error)
