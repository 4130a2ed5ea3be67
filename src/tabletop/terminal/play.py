"""Play, record and score a match at the terminal."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from tabletop.match.match import AnyMatch
from tabletop.records.file import Record
from tabletop.records.format import Header
from tabletop.records.replay_command import command_to_play
from tabletop.registry import Plugin
from tabletop.rules.outcome import Outcome
from tabletop.terminal.console import Console
from tabletop.terminal.local_connection import LocalConnection, Presentation
from tabletop.terminal.local_table import LocalTable, OpenWindow
from tabletop.terminal.programs import report_observer
from tabletop.terminal.recording import Recording, new_recording, resumed_recording, warn_dropped

if TYPE_CHECKING:
    from tabletop.records.draw_log import DrawLog


@dataclass(frozen=True, slots=True)
class TerminalGame:
    """Plays, records and scores one match of people at a terminal.

    Attributes:
        plugin: The game.
        players: The player of each seat: "human" or the name of a bot.
        presentation: The presentation of the match.
        console: The input and output of lines.
        scored: Whether the score is kept and displayed.
        beside: Function that opens a window next to the terminal, or None.
        lingers: Whether the window stays open after the end until people close it.
    """

    plugin: Plugin
    players: tuple[str, ...]
    presentation: Presentation = field(default_factory=Presentation)
    console: Console = field(default_factory=Console)
    scored: bool = True
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
        match, journal = recording.match, recording.journal
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
            outcome = LocalConnection(table, self.console, self.presentation, recording).run()
            table.freeze()
        recording.close()
        if match.over:
            self._end(recording)
        is_left = outcome is None or outcome.abandoned
        if table.window is not None and self.lingers and not is_left:
            table.window.stay()
        return outcome

    def _end(self, recording: Recording) -> None:
        """Store and show the score, or show at a terminal how to play the match again."""
        if self.scored:
            recording.keep_score(self.console.say)
        elif self.console.interactive:
            path = None if recording.journal is None else recording.journal.path
            again = command_to_play(recording.match, self.plugin.source, path)
            self.console.say(f"Play it again: {again}")
