"""What commands that show a record share: reading it, and whose eyes it is seen with."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from tabletop.errors import UsageError
from tabletop.events import ALL, Watcher
from tabletop.records.reading import Record, read


def watcher_of(word: str | None, record: Record) -> Watcher:
    """Whose view is shown.

    Raises:
        UsageError: there is no such seat.
    """
    if word is None:
        return None
    seats = len(record.header.seats)
    if word.casefold() == "all":
        return ALL
    if word.isascii() and word.isdecimal() and 1 <= int(word[:9]) <= seats:
        return int(word) - 1
    raise UsageError(f"--seat {word}: seats are 1 to {seats}, or all")


def read_record(path: Path, reader: Callable[[Path], Record] = read) -> Record:
    """The record in a file: the whole of it, or what `reader` reads of it.

    Raises:
        UsageError: there is no such file.
        RecordError: it is no record.
    """
    if not path.exists():
        raise UsageError(f"{path}: there is no such file")
    return reader(path)
