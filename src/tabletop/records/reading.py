"""Reading the record of a match: all of it, or what comes after one of its last checkpoints."""

from __future__ import annotations

import os
import stat
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tabletop.errors import RecordError
from tabletop.records.entries import HUMAN, Entry, Header
from tabletop.records.lines import EntryReader, read_header

UNDO_ROOM: Final = 64
"""How many actions can be taken back before those in front of a checkpoint are needed."""

MOST_BYTES: Final = 100_000_000
"""So long may a file be: a match of a million actions is shorter."""

_MARK: Final = b'\n{"checkpoint":'
_DONE: Final = ("do", "undo", "end")


@dataclass(frozen=True, slots=True)
class Record:
    """A record as it was read.

    Attributes:
        path: where it was read from.
        header: what the match was made from.
        entries: what was done, after `start`.
        size: how many bytes of the file are complete lines.
        dropped: how many bytes of an incomplete last line were left out.
        start: the checkpoint it begins at; None when it is whole.
    """

    path: str
    header: Header
    entries: tuple[Entry, ...]
    size: int
    dropped: int
    start: Entry | None = None

    @property
    def plies(self) -> int:
        """The number of actions at the end, without those that were undone."""
        begun = 0 if self.start is None else self.start.checkpoint or 0
        return begun + sum(entry.plies for entry in self.entries)

    @property
    def ended(self) -> bool:
        """Whether the match has ended."""
        for entry in reversed(self.entries):
            if any(getattr(entry, field) is not None for field in _DONE):
                return entry.end is not None
        return False

    @property
    def players(self) -> tuple[str, ...]:
        """Who decides for each seat at the end of the record."""
        players = self.header.players or (HUMAN,) * len(self.header.seats)
        if self.start is not None and self.start.players is not None:
            players = self.start.players
        now = list(players)
        for entry in self.entries:
            if entry.player is not None and entry.seat is not None:
                now[entry.seat] = entry.player
        return tuple(now)

    @property
    def seconds(self) -> float:
        """How many seconds the match has taken, as far as the record says."""
        for entry in reversed(self.entries):
            if entry.played is not None:
                return entry.played
        return 0.0 if self.start is None else self.start.played or 0.0


def read(path: str | Path) -> Record:
    """Read a record, all of it. An incomplete last line is left out.

    Raises:
        RecordError: the file cannot be read, or is no record; names the line and what is wrong.
        RecordVersionError: its format is newer than this program.
    """
    return _read(path, lambda data, header: (_read_lines(data, header), None))


def read_end(path: str | Path) -> Record:
    """Read a record from one of its last checkpoints on, or all of it if it has none.

    What stands before is looked at when actions from there are asked for or taken back.

    Raises:
        RecordError: the file cannot be read, or what was looked at is no record.
        RecordVersionError: its format is newer than this program.
    """
    return _read(path, _read_from_checkpoint)


def read_file(path: str | Path) -> bytes:
    """The bytes of a record, or of a log of draws.

    Raises:
        RecordError: it cannot be read, has more than `MOST_BYTES`, or is a pipe or a device, which
            might never end.
    """
    try:
        with open(path, "rb", opener=_open_at_once) as file:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                raise RecordError(f"{path}: cannot be read: a pipe or a device is no record")
            data = file.read(MOST_BYTES + 1)
    except OSError as error:
        raise RecordError(f"{path}: cannot be read: {error.strerror}") from error
    if len(data) > MOST_BYTES:
        raise RecordError(f"{path}: cannot be read: it has more than {MOST_BYTES:,} bytes")
    return data


def _open_at_once(path: str, flags: int) -> int:
    """Open a file; a pipe is not waited for until somebody writes to it."""
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))


def _read(
    path: str | Path,
    read_entries: Callable[[bytes, Header], tuple[Sequence[Entry], Entry | None]],
) -> Record:
    data = read_file(path)
    # A line counts once it has its newline: a program that is killed in the middle of one leaves
    # half.
    size = data.rfind(b"\n") + 1
    try:
        header = _header_of(data)
        entries, start = read_entries(data[:size], header)
    except RecordError as error:
        raise type(error)(f"{path}: {error}", line=error.line) from error.__cause__
    return Record(str(path), header, tuple(entries), size, len(data) - size, start)


def _header_of(data: bytes) -> Header:
    line, newline, _ = data.partition(b"\n")
    if not newline:
        what = "it ends in the middle of the header" if data else "the file is empty"
        raise RecordError(f"line 1: no record: {what}", line=1)
    return read_header(line)


def _read_lines(data: bytes, header: Header) -> list[Entry]:
    return list(EntryReader(header).read(data.split(b"\n")[1:-1], 2))


def _read_from_checkpoint(data: bytes, header: Header) -> tuple[Sequence[Entry], Entry | None]:
    """The entries after the checkpoint to begin at, and that checkpoint.

    It is the last one below which nothing was taken back since; the one before, if there is one,
    when so few actions follow it that taking some back would soon get there.
    """
    found: tuple[Sequence[Entry], Entry] | None = None
    later: deque[Entry] = deque()
    last = lowest = -1
    # From the end: of a long record, what stands before the last checkpoints is never parsed.
    for part in _parts_from_the_end(data, header):
        plies = list(_plies_after(part))
        last = plies[-1] if last < 0 else last
        lowest = min(plies) if lowest < 0 else min(lowest, *plies)
        if lowest == plies[0]:
            # The second one found is enough, even when few actions follow it: two checkpoints are
            # far apart.
            done = found is not None
            found = [*part[1:], *later], part[0]
            if done or last - lowest >= UNDO_ROOM:
                break
        later.extendleft(reversed(part))
    return found or (_read_lines(data, header), None)


def _parts_from_the_end(data: bytes, header: Header) -> Iterator[list[Entry]]:
    """The lines from a checkpoint up to the next one or the end; the last part first."""
    end, before = len(data), data.count(b"\n")
    # A checkpoint is found by how its line begins. No text inside of a line can look so: JSON
    # writes a newline in it as two characters.
    while (place := data.rfind(_MARK, 0, end)) >= 0:
        lines = data[place + 1 : end].split(b"\n")[:-1]
        before -= len(lines)
        yield list(EntryReader(header, before=before - 1).read(lines, before + 1))
        end = place + 1


def _plies_after(part: Sequence[Entry]) -> Iterator[int]:
    """The number of actions after each entry of a part that begins with a checkpoint."""
    ply = part[0].checkpoint or 0
    for entry in part:
        ply += entry.plies
        yield ply
