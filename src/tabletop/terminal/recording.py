"""The record and the score of a match that a program plays."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from time import monotonic

from tabletop.host.screen_text import printable
from tabletop.match.match import AnyMatch
from tabletop.records.file import Record
from tabletop.records.find_game import note_origin, origin_of
from tabletop.records.format import Header
from tabletop.records.journal import Journal
from tabletop.records.replaying import replay
from tabletop.registry import Plugin
from tabletop.scores.save_score import Show, keep_score, warn
from tabletop.scores.verify import MemoryRecorder
from tabletop.terminal.console import Console


@dataclass(frozen=True, slots=True)
class Recording:
    """A match that is recorded in a file, in memory for its score, or not at all.

    Attributes:
        match: The match.
        header: The header of the record.
        source: The name by which the game was found.
        recorder: The recorder of the match, or None if the match is not recorded.
        is_resumed: Whether the match was replayed from the record.
        is_own: Whether the record was started by this user's programs.
    """

    match: AnyMatch
    header: Header
    source: str
    recorder: Journal | MemoryRecorder | None
    is_resumed: bool = False
    is_own: bool = True

    @property
    def journal(self) -> Journal | None:
        """The journal that writes the file, or None if there is no file."""
        return self.recorder if isinstance(self.recorder, Journal) else None

    def close(self) -> None:
        """Finish the record. Closing again has no effect."""
        if (journal := self.journal) is not None:
            journal.detach()
            journal.close()

    def keep_score(self, show: Show = str) -> None:
        """Store and show the score if the match is over and was recorded. Close it first.

        Args:
            show: Called with the lines to show. By default, nothing is shown.
        """
        if isinstance(self.recorder, MemoryRecorder):
            keep_score(self.match, self.source, self.recorder, show)
        elif self.recorder is not None:
            path, verify = self.recorder.path, self.is_resumed
            keep_score(self.match, self.source, path, show, verify=verify, is_own=self.is_own)


@contextmanager
def new_recording(
    match: AnyMatch, header: Header, source: str, path: Path | None, *, scored: bool
) -> Iterator[Recording]:
    """Record a new match, and close the record at the end.

    Args:
        match: The match, before its first action.
        header: The header of the record.
        source: The name by which the game was found.
        path: The path of the new file, or None for no file.
        scored: Whether the match is recorded in memory if there is no file.

    Raises:
        RecordError: The file already exists or cannot be written.
    """
    if path is None:
        recorder = MemoryRecorder(header) if scored else None
        match.set_recorder(recorder)
        yield Recording(match, header, source, recorder)
        return
    with Journal.create(path, match, header, clock=monotonic) as journal:
        note_origin(path, source)
        _warn_unlocked(journal)
        yield Recording(match, header, source, journal)


@contextmanager
def resumed_recording(record: Record, plugin: Plugin) -> Iterator[Recording]:
    """Replay a match and continue its record. The record is closed at the end.

    Raises:
        RecordError: The record does not replay or cannot be written.
    """
    is_own = origin_of(Path(record.path)) is not None
    match = replay(record, plugin.game)
    with Journal.resume(record, match, clock=monotonic) as journal:
        _warn_unlocked(journal)
        yield Recording(
            match, record.header, plugin.source, journal, is_resumed=True, is_own=is_own
        )


def warn_dropped(record: Record, console: Console) -> None:
    """Print a warning if the last line of a record is incomplete."""
    if record.dropped:
        console.say(f"{printable(record.path)}: the last line is incomplete and was left out")


def _warn_unlocked(journal: Journal) -> None:
    if not journal.locked:
        warn(
            f"{journal.path}: this file cannot be locked; make sure that no other program"
            " resumes the match at the same time"
        )
