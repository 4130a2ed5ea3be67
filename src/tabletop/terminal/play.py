"""Play, record and score a match at the terminal."""

from __future__ import annotations

import shlex
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from tabletop.errors import RecordError, RecordLost
from tabletop.host.paths import records_directory
from tabletop.host.screen_text import printable
from tabletop.host.user_files import user_path
from tabletop.match.match import AnyMatch
from tabletop.records.file import Record
from tabletop.records.find_game import is_remembered, note_origin
from tabletop.records.format import Header
from tabletop.records.journal import Journal
from tabletop.records.replay_command import command_to_play, from_here
from tabletop.registry import Plugin
from tabletop.rules.outcome import Outcome
from tabletop.terminal.console import Console
from tabletop.terminal.local_connection import LocalConnection, Presentation
from tabletop.terminal.local_table import LocalTable, OpenWindow
from tabletop.terminal.programs import report_observer
from tabletop.terminal.recording import Recording, new_recording, resumed_recording, warn_dropped

if TYPE_CHECKING:
    from tabletop.records.draw_log import DrawLog

_WHERE: Final = "Continue the record in which file? (a new FILE, or `quit` to leave) "


@dataclass(frozen=True, slots=True)
class TerminalGame:
    """Plays, records and scores one match of people at a terminal.

    Attributes:
        plugin: The game.
        players: The player of each seat: "human" or the name of a bot.
        presentation: The presentation of the match.
        console: The input and output of lines.
        scored: Whether the score is kept and displayed.
        hint: A hint for newcomers.
        record_option: The spelling of the option that records a match.
        beside: Function that opens a window next to the terminal, or None.
        lingers: Whether the window stays open after the end until people close it.
    """

    plugin: Plugin
    players: tuple[str, ...]
    presentation: Presentation = field(default_factory=Presentation)
    console: Console = field(default_factory=Console)
    scored: bool = True
    hint: str = ""
    record_option: str = "--record"
    beside: OpenWindow | None = None
    lingers: bool = True

    def play(
        self,
        match: AnyMatch,
        header: Header,
        path: Path | None,
        log: DrawLog | None = None,
    ) -> Outcome | None:
        """Play a new match.

        Args:
            match: The match.
            header: The header of its record.
            path: The path of the record, or None for no record.
            log: The log of draws, or None for no log.

        Returns:
            The outcome, or None if the match was left before it was over.

        Raises:
            RecordError: The record or the log cannot be written.
        """
        source = self.plugin.source
        with new_recording(match, header, source, path, scored=self.scored) as recording:
            if log is not None:
                log.follow(match, header)
                self.console.say(f"Every draw is logged in {log.path}")
            return self._run(recording)

    def resume(self, record: Record) -> Outcome | None:
        """Replay a match that was left, and continue it.

        Args:
            record: A record of this plugin's game.

        Returns:
            The outcome, or None if the match was left again before it was over.

        Raises:
            RecordError: The record does not replay, or cannot be written.
        """
        with resumed_recording(record, self.plugin) as recording:
            warn_dropped(record, self.console)
            return self._run(recording)

    def _run(self, recording: Recording) -> Outcome | None:
        """Play the match from its present position to the end, or until it is left."""
        match, journal, source = recording.match, recording.journal, self.plugin.source
        with LocalTable(
            match,
            self.plugin,
            self.players,
            self.console,
            recorder=recording.recorder,
            window=self.beside,
            on_failure=partial(report_observer, self.presentation.program),
        ) as table:
            if journal is not None:
                journal.must_stay = True
            connection = LocalConnection(
                table,
                self.console,
                self.presentation,
                hint=self.hint,
                how_to_go_on=lambda: _how_to_go_on(journal, source),
                save=None if journal is None else partial(_save, journal, source),
                on_lost=partial(self._move_record, recording, table),
                record_option=self.record_option,
            )
            outcome = connection.run()
            table.freeze()
        recording.close()
        if match.over:
            self._end(recording)
        is_left = outcome is None or outcome.abandoned
        if table.window is not None and self.lingers and not is_left:
            table.window.stay()
        return outcome

    def _move_record(self, recording: Recording, table: LocalTable, lost: RecordLost) -> None:
        """Ask for a file in which a lost record continues. Raise `lost` if there is no answer."""
        console, journal = self.console, recording.journal
        if journal is None or not console.interactive:
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
                header = replace(recording.header, players=table.players)
                journal.move(user_path(line.strip()), recording.match, header)
            except RecordError as error:
                console.say(printable(str(error)))
                continue
            if recording.is_own:
                note_origin(journal.path, self.plugin.source)
            console.say(printable(f"The record continues in {journal.path}"))
            return

    def _end(self, recording: Recording) -> None:
        """Store and show the score, or show at a terminal how to play the match again."""
        if self.scored:
            recording.keep_score(self.console.say)
        elif self.console.interactive:
            path = None if recording.journal is None else recording.journal.path
            again = command_to_play(recording.match, self.plugin.source, path)
            self.console.say(f"Play it again: {again}")


def _how_to_go_on(journal: Journal | None, source: str) -> str:
    """Return the command that resumes a match, with the path of its record.

    Raises:
        RecordLost: The record is gone, so the match cannot be resumed.
    """
    if journal is None:
        return ""
    journal.check()
    path = journal.path
    game = _game_option(path, source)
    if path.parent == records_directory():
        return f"; continue with: tabletop resume{game}\nThe record: {path}"
    return f"; continue with: tabletop resume {shlex.quote(str(path))}{game}"


def _game_option(path: Path, source: str) -> str:
    """Return the `--game` option that resuming needs if the game of a record is not remembered."""
    return "" if is_remembered(path, source) else f" --game {shlex.quote(from_here(source))}"


def _save(journal: Journal, source: str, file: str) -> str:
    """Copy a record to `file`, or to no file if that is empty. Return how to resume the match."""
    if not file:
        return f"Every action is saved immediately{_how_to_go_on(journal, source)}"
    path = user_path(file)
    journal.check()
    journal.copy(path)
    resume = f"tabletop resume {shlex.quote(str(path))}{_game_option(path, source)}"
    return f"Saved in {str(path)!r}; continue with: {resume}"
