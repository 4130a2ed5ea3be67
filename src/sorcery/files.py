"""The text files that the program is given: decks, and commands to begin with."""

from __future__ import annotations

from typing import Final

from tabletop import TabletopError

MOST_BYTES: Final = 1 << 24
"""What is longer is neither a deck nor a list of commands."""

BYTE_ORDER_MARK: Final = "\ufeff"


class FileError(TabletopError, ValueError):
    """A file cannot be read, or is no text; says why, and where it is known in which line."""


def read_text(path: str) -> str:
    """The text in a file; every line ends with a newline alone, whatever it ended with.

    Raises:
        FileNotFoundError: there is no such file.
        FileError: it cannot be read, is no text, or is far too long.
    """
    try:
        with open(path, "rb") as file:
            data = file.read(MOST_BYTES + 1)
    except FileNotFoundError:
        raise
    except OSError as error:
        raise FileError(error.strerror or str(error)) from error
    if len(data) > MOST_BYTES:
        raise FileError(f"more than {MOST_BYTES} bytes: this is something else")
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        what = f"byte 0x{data[error.start]:02x} is no text in UTF-8"
        raise FileError(f"line {line}: {what}") from error
    return text.removeprefix(BYTE_ORDER_MARK).replace("\r\n", "\n").replace("\r", "\n")


def read_lines(path: str) -> tuple[str, ...]:
    """The lines of a file; the last one may lack its newline.

    Raises:
        FileNotFoundError, FileError: as in `read_text`.
    """
    lines = read_text(path).split("\n")
    return tuple(lines if lines[-1] else lines[:-1])
