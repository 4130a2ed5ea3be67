"""Files as the program writes them: whole or not at all."""

from __future__ import annotations

import os
from contextlib import suppress


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
