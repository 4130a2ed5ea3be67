"""The record and the score of a match that a program plays."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from time import monotonic
from typing import Final

from tabletop.errors import RecordError, RecordLost
from tabletop.host.paths import records_directory
from tabletop.host.screen_text import printable
from tabletop.host.user_files import user_path
from tabletop.match.match import AnyMatch
from tabletop.records.file import Record
from tabletop.records.find_game import is_remembered, note_origin, origin_of
from tabletop.records.format import Header
from tabletop.records.journal import Journal
from tabletop.records.replay_command import from_here
from tabletop.records.replaying import replay
from tabletop.registry import Plugin
from tabletop.scores.save_score import Show, keep_score, warn
from tabletop.scores.verify import MemoryRecorder
from tabletop.terminal.console import Console

_WHERE: Final = "Continue the record in which file? (a new FILE, or `quit` to leave) "


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

    def how_to_go_on(self) -> str:
        """Return the command that resumes the match, or an empty text without a file.

        Raises:
            RecordLost: The record is gone, so the match cannot be resumed.
        """
        if self.journal is None:
            return ""
        self.journal.check()
        path = self.journal.path
        if path.parent == records_directory():
            return f"; continue with: tabletop resume{self._game_option(path)}\nThe record: {path}"
        return f"; continue with: {self._command(path)}"

    def save(self, file: str) -> str:
        """Copy the record to `file`, or to no file if it is empty. Return how to resume the match.

        Raises:
            RecordError: The file cannot be written.
        """
        if self.journal is None or not file:
            return f"Every action is saved immediately{self.how_to_go_on()}"
        path = user_path(file)
        self.journal.check()
        self.journal.copy(path)
        return f"Saved in {str(path)!r}; continue with: {self._command(path)}"

    def _command(self, path: Path) -> str:
        return f"tabletop resume {shlex.quote(str(path))}{self._game_option(path)}"

    def _game_option(self, path: Path) -> str:
        """Return the `--game` option if the game of the record is not remembered."""
        if is_remembered(path, self.source):
            return ""
        return f" --game {shlex.quote(from_here(self.source))}"

    def move(self, lost: RecordLost, players: tuple[str, ...], console: Console) -> None:
        """Ask for a file in which a lost record continues. Raise `lost` if there is no answer."""
        if self.journal is None or not console.interactive:
            raise lost
        console.say(printable(str(lost)))
        while True:
            try:
                line = console.read(_WHERE)
            except KeyboardInterrupt:
                console.begin_line()
                raise lost from None
            if line is None or line.strip() in ("quit", "exit"):
                raise lost
            if not line.strip():
                continue
            try:
                header = replace(self.header, players=players)
                self.journal.move(user_path(line.strip()), self.match, header)
            except RecordError as error:
                console.say(printable(str(error)))
                continue
            if self.is_own:
                note_origin(self.journal.path, self.source)
            console.say(printable(f"The record continues in {self.journal.path}"))
            return

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
