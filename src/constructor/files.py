"""Files as the program reads and writes them: text, whole or not at all."""

from __future__ import annotations

import os
from contextlib import suppress
from typing import Final

from constructor.layouts import FileError

MOST_BYTES: Final = 1 << 20
"""A layout or a save is never so long; what is, is something else."""

BYTE_ORDER_MARK: Final = "\ufeff"


def read_text(path: str) -> str:
    """The text in a file.

    Raises:
        OSError: it cannot be read.
        FileError: it is no text, or far too long.
    """
    with open(path, "rb") as file:
        data = file.read(MOST_BYTES + 1)
    if len(data) > MOST_BYTES:
        raise FileError(f"more than {MOST_BYTES} bytes: this is no layout and no saved game")
    try:
        return data.decode("utf-8").removeprefix(BYTE_ORDER_MARK)
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        message = f"byte 0x{data[error.start]:02x} is no text in UTF-8"
        raise FileError(message, line=line) from error


def write_text(path: str, text: str) -> None:
    """Write a file as a whole: until it is complete, what was there before is left alone.

    Raises:
        OSError: it cannot be written.
    """
    if "\0" in path:
        raise OSError("a file's name cannot have a null character in it")
    target = os.path.realpath(path)
    if os.path.exists(target) and not os.path.isfile(target):
        _write(target, text, "w")  # a device or a pipe; a directory is refused
        return
    if os.path.exists(target) and not os.access(target, os.W_OK):
        raise PermissionError("it is write-protected")
    aside = os.path.join(os.path.dirname(target), f".constructor-{os.getpid()}.tmp")
    try:
        _write(aside, text, "x")
        os.replace(aside, target)
    except BaseException:
        with suppress(OSError):
            os.unlink(aside)
        raise


def _write(path: str, text: str, mode: str) -> None:
    with open(path, mode, encoding="utf-8", newline="\n") as file:
        file.write(text)


def reason(error: OSError) -> str:
    """Why something could not be read or written, without the name of the file."""
    return error.strerror or str(error)
