"""A match at the terminal, from its first line to its last: played, recorded and scored."""

from __future__ import annotations

import shlex
from dataclasses import dataclass
from pathlib import Path
from time import monotonic
from typing import Any

from tabletop.cli.again import command_to_play, from_here
from tabletop.cli.keeping import keep_recorded, keep_unrecorded
from tabletop.cli.origins import is_remembered, note_origin
from tabletop.cli.places import records_directory
from tabletop.cli.recording import Recording
from tabletop.console import Clerk, Console, Session
from tabletop.drawlog import DrawLog
from tabletop.errors import EndOfInput
from tabletop.journal import Journal
from tabletop.match import Match
from tabletop.printable import printable
from tabletop.record import HUMAN, Header
from tabletop.registry import Plugin
from tabletop.scores import Minutes
from tabletop.wording import counted
from tabletop_start import closing, opened


@dataclass(frozen=True, slots=True)
class Sitting:
    """Somebody sits down to a match: it is played, recorded and scored.

    Attributes:
        plugin: what is played.
        header: what the match is made from.
        hint: what is said to newcomers.
        scored: whether the score is kept and shown.
    """

    plugin: Plugin
    header: Header
    hint: str
    scored: bool

    def play(self, match: Match[Any, Any], path: Path | None, log: DrawLog | None = None) -> int:
        """Play the match, with a record at `path` if there is to be one; the exit status.

        Raises:
            RecordError: the record or the log cannot be written.
        """
        opened()
        console = Console()
        for seat, player in enumerate(self.header.players):
            if player != HUMAN:
                match.chance_of(seat)  # a record says at its start that bots may draw
        if path is None:
            return self._play_unrecorded(match, console, log)
        journal = Journal.create(path, match, self.header, clock=monotonic)
        note_origin(path, self.plugin.source)
        with Recording(journal, match, console, self.plugin.source) as recording:
            session = self._session(match, console, recording, log)
            status = converse(session, match, console, recording, self.plugin.source)
        if self.scored and recording.path is not None:
            keep_recorded(match, recording.path, self.plugin.source, console)
        elif not self.scored:
            say_how_to_play_again(match, self.plugin.source, console)
        return status

    def _play_unrecorded(
        self, match: Match[Any, Any], console: Console, log: DrawLog | None
    ) -> int:
        minutes = Minutes()
        if self.scored:
            match.set_recorder(minutes)
        session = self._session(match, console, minutes, log)
        began = monotonic()
        status = converse(session, match, console)
        if self.scored:
            seconds, source = monotonic() - began, self.plugin.source
            keep_unrecorded(match, self.header, minutes, seconds, source=source, console=console)
        else:
            say_how_to_play_again(match, self.plugin.source, console)
        return status

    def _session(
        self, match: Match[Any, Any], console: Console, clerk: Clerk, log: DrawLog | None
    ) -> Session:
        if log is not None:
            log.follow(match, self.header)
            console.say(f"Every draw is logged in {log.path}")
        players = self.header.players
        return Session(match, self.plugin, players, console, clerk, hint=self.hint)


def say_how_to_play_again(match: Match[Any, Any], source: str, console: Console) -> None:
    """Say it where no score sheet does, to people: what is piped stays as it was."""
    if match.over and console.interactive:
        console.say(f"Play it again: {command_to_play(match, source)}")


def converse(
    session: Session,
    match: Match[Any, Any],
    console: Console,
    recording: Recording | None = None,
    source: str = "",
) -> int:
    """Run a session to its end, and say how to go on when it is left before.

    Raises:
        RecordLost: it can go on nowhere: the record is gone.
    """
    console.say(title_of(match) + (f"; {counted(match.ply, 'action')} so far" if match.ply else ""))
    try:
        session.run()
    except EndOfInput:
        closing()
    except KeyboardInterrupt:
        console.say()  # what follows begins a line
    else:
        closing()
    if not match.over:
        if recording is not None:
            recording.check()
        path = None if recording is None else recording.path
        console.say(f"Left after {counted(match.ply, 'action')}{how_to_go_on(path, source)}")
    return 0


def how_to_go_on(path: Path | None, source: str) -> str:
    """What a person types to resume a match; where its record lies, if it is not said by that."""
    if path is None:
        return ""
    game = "" if is_remembered(path, source) else f" --game {shlex.quote(from_here(source))}"
    if path.parent == records_directory():
        return f"; go on with: tabletop resume{game}\nThe record: {path}"
    return f"; go on with: tabletop resume {shlex.quote(str(path))}{game}"


def title_of(match: Match[Any, Any]) -> str:
    """What is played, in a line."""
    title = f"{match.game.title or match.game.name}, seed: {match.seed.text}"
    return printable(title if match.first_state is None else f"{title}, from a given position")
