"""Files of text that people name: decks, layouts, saves, lists of commands."""

from __future__ import annotations

from tabletop.errors import TabletopError
from tabletop.host.files import expanded

_BYTE_ORDER_MARK = "\ufeff"


class TextFileError(TabletopError, ValueError):
    """A file is no text, or far too long.

    Attributes:
        line: the line at fault, counted from 1; 0 when it is the file as a whole.
    """

    def __init__(self, message: str, *, line: int = 0) -> None:
        super().__init__(f"line {line}: {message}" if line else message)
        self.line = line


def read_text(path: str, most_bytes: int) -> str:
    """The text in a file, with a newline alone at the end of a line, whatever it ended with.

    Args:
        path: where it is; `~` is the home of the user.
        most_bytes: what is longer is something else.

    Raises:
        OSError: it cannot be read.
        TextFileError: it is no text in UTF-8, or too long.
    """
    with open(expanded(path), "rb") as file:
        data = file.read(most_bytes + 1)
    if len(data) > most_bytes:
        raise TextFileError(f"more than {most_bytes} bytes: this is something else")
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = _with_newlines(data[: error.start].decode("utf-8")).count("\n") + 1
        message = f"byte 0x{data[error.start]:02x} is no text in UTF-8"
        raise TextFileError(message, line=line) from error
    return _with_newlines(text.removeprefix(_BYTE_ORDER_MARK))


def _with_newlines(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")


def read_lines(path: str, most_bytes: int) -> tuple[str, ...]:
    """The lines of a file; the last one may lack its newline.

    Raises:
        OSError, TextFileError: as in `read_text`.
    """
    lines = read_text(path, most_bytes).split("\n")
    return tuple(lines if lines[-1] else lines[:-1])


def reason(error: OSError) -> str:
    """Why something could not be read or written, without the name of the file."""
    return error.strerror or str(error)
