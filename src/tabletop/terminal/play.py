"""A match at the terminal, from its first line to its last: played, recorded and scored."""

from __future__ import annotations

import shlex
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any, Final

from tabletop.errors import CommandError, RecordError, RecordLost
from tabletop.host.files import user_path
from tabletop.host.paths import records_directory
from tabletop.host.sanitize import printable
from tabletop.match import AnyMatch
from tabletop.outcome import Outcome, Seat
from tabletop.records.file import Record
from tabletop.records.format import Header
from tabletop.records.game_source import is_remembered, note_origin, origin_of
from tabletop.records.journal import Journal
from tabletop.records.replay import replay
from tabletop.records.replay_command import command_to_play, from_here
from tabletop.registry import Plugin
from tabletop.scores.save_score import keep_score, newcomers_hint, warn
from tabletop.scores.verify import MemoryRecorder
from tabletop.session import Session
from tabletop.terminal.client import NOT_RECORDED, OpenSecondView, TerminalClient
from tabletop.terminal.console import Console
from tabletop.terminal.loop import TerminalLoop, complaint
from tabletop.terminal.ui import TerminalUI, UIMaker

if TYPE_CHECKING:
    from typing import Self

    from tabletop.records.draw_log import DrawLog

_UNRECORDED: Final = "none"
_LEAVE: Final = ("quit", "exit")
QUESTION: Final = (
    f"Where shall it be written? (a new FILE; `{_UNRECORDED}`: play on unrecorded;"
    f" `{_LEAVE[0]}`: leave) "
)


class Recording:
    """Writes a match down with a journal; a `Recorder`. Use it with `with`, or close it.

    At a terminal the move that could not be written waits until somebody has said where the record
    goes on. Elsewhere it is taken back, and `RecordLost` raised.

    Args:
        journal: one that has been begun; it is closed at the end.
        match: what is recorded.
        console: where to ask.
        origin: where the game of a record was found that this program has begun; see
            `tabletop.records.game_source`.

    Attributes:
        origin: the same.
    """

    def __init__(
        self, journal: Journal, match: AnyMatch, console: Console, origin: str | None = None
    ) -> None:
        self.origin = origin
        self._journal: Journal | None = journal
        self._match = match
        self._console = console
        match.set_recorder(self)
        if not journal.locked:
            warn(
                f"{journal.path}: files cannot be locked there: see to it that no other program"
                " resumes this match meanwhile"
            )

    @property
    def path(self) -> Path | None:
        """The path of the record; None once it is given up."""
        return None if self._journal is None else self._journal.path

    @property
    def plies(self) -> int:
        """How many actions are recorded; -1 once the record is given up."""
        return -1 if self._journal is None else self._journal.plies

    def played(self, match: AnyMatch, seat: Seat, action: Any) -> None:
        """Write an action down."""
        self._write(lambda journal: journal.played(match, seat, action))

    def undone(self, match: AnyMatch, count: int) -> None:
        """Write down that `count` actions are taken back."""
        self._write(lambda journal: journal.undone(match, count))

    def seated(self, seat: Seat, player: str) -> None:
        """Write down that `player` decides for `seat` from now on."""
        self._write(lambda journal: journal.seated(seat, player), in_match=False)

    def check(self) -> None:
        """Make sure, before somebody leaves, that there is a record to go on with.

        Raises:
            RecordLost: the record is gone, and nobody has named another file.
        """
        self._write(lambda journal: journal.check(), in_match=False)

    def copy(self, path: Path) -> None:
        """Write what is recorded so far into a new file; the record goes on where it is.

        Raises:
            RecordLost: the record is gone, and nobody has named another file.
            RecordError: there is a file already, or it cannot be written.
        """
        self.check()
        if self._journal is None:
            raise RecordError("the match is not recorded any more")
        self._journal.copy(path)

    def _write(self, write: Callable[[Journal], None], *, in_match: bool = True) -> None:
        """Write something, if need be in another file."""
        while (journal := self._journal) is not None:
            try:
                write(journal)
            except RecordLost as error:
                if not self._console.interactive or self._console.is_busy:
                    raise
                if self._ask(journal, error) and in_match:
                    return  # all of the match has been written anew
            else:
                return

    def _ask(self, journal: Journal, lost: RecordLost) -> bool:
        """Go on where a person says; whether the match was written anew there."""
        say = self._console.say
        say(printable(str(lost)))
        while True:
            try:
                line = self._console.read(QUESTION)
            except KeyboardInterrupt:
                say()
                raise lost from None
            word = "" if line is None else line.strip()
            if line is None or word in _LEAVE:
                raise lost
            if word == _UNRECORDED:
                self._journal = None
                journal.close()
                say("The match goes on unrecorded; no score is kept.")
                return False
            if not word:
                continue
            try:
                anew = journal.move(user_path(word), self._match)
            except RecordError as error:
                say(printable(str(error)))
            else:
                if self.origin is not None:
                    note_origin(journal.path, self.origin)
                say(printable(f"The record goes on in {journal.path}"))
                return anew

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Write nothing more. Closing twice is no harm."""
        if self._match.recorder is self:
            self._match.set_recorder(None)
        if self._journal is not None:
            self._journal.close()


@dataclass(frozen=True, slots=True)
class TerminalGame:
    """Plays, records and scores one match of people at a terminal.

    Attributes:
        plugin: what is played.
        players: who decides for each seat: "human", or the name of a bot.
        ui: how it looks; see `tabletop.terminal.ui`.
        console: where lines come from and go to.
        scored: whether the score is kept and shown.
        hint: what is said to newcomers.
        program: what complaints on the standard error begin with.
        record_option: how the option that has a match recorded is spelled.
        beside: has a front join beside the terminal, for the same people.
        lingers: whether that one stays open at the end while people look.
    """

    plugin: Plugin
    players: tuple[str, ...]
    ui: UIMaker = TerminalUI
    console: Console = field(default_factory=Console)
    scored: bool = True
    hint: str = ""
    program: str = "tabletop"
    record_option: str = "--record"
    beside: OpenSecondView | None = None
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
            match: what is played.
            header: what it was made from.
            path: where the record goes; None when there is to be none.
            log: where every draw goes, if that is wanted.

        Returns:
            The outcome; None when the match was left before it was over.

        Raises:
            RecordError: the record or the log cannot be written.
        """
        if path is None:
            self._follow(match, header, log)
            return self._run(match, MemoryRecorder(header) if self.scored else None)
        journal = Journal.create(path, match, header, clock=monotonic)
        note_origin(path, self.plugin.source)
        with Recording(journal, match, self.console, self.plugin.source) as recording:
            self._follow(match, header, log)
            return self._run(match, recording)

    def resume(self, record: Record) -> Outcome | None:
        """Go on with a match that was left: replay it, and play on.

        Args:
            record: of this plugin's game.

        Returns:
            The outcome; None when the match was left again before it was over.

        Raises:
            RecordError: the record does not replay, or cannot be written.
        """
        origin = origin_of(Path(record.path))
        match = replay(record, self.plugin.game)
        journal = Journal.resume(record, match, clock=monotonic)
        with Recording(journal, match, self.console, origin) as recording:
            warn_dropped(record, self.console)
            return self._run(match, recording, resumed=True)

    def _follow(self, match: AnyMatch, header: Header, log: DrawLog | None) -> None:
        if log is not None:
            log.follow(match, header)
            self.console.say(f"Every draw is logged in {log.path}")

    def _run(
        self,
        match: AnyMatch,
        recorder: Recording | MemoryRecorder | None,
        *,
        resumed: bool = False,
    ) -> Outcome | None:
        recording = recorder if isinstance(recorder, Recording) else None
        source = self.plugin.source
        with Session(
            match,
            self.plugin,
            self.players,
            recorder=recorder,
            on_failure=partial(complaint, self.program),
        ) as session:
            second_view = None if self.beside is None else self.beside(session, self.console)
            client = TerminalClient(
                session,
                self.console,
                hint=self.hint,
                how_to_go_on=lambda: _how_to_go_on(recording, source),
                save=lambda file: _save(recording, file, source, self.record_option),
                second_view=second_view,
            )
            outcome = TerminalLoop(client, self.ui).run()
            if second_view is not None:
                second_view.freeze()
        if match.over:
            self._keep_score(match, recorder, resumed=resumed)
        is_left = outcome is None or outcome.abandoned
        if second_view is not None and self.lingers and not is_left:
            second_view.stay()
        return outcome

    def _keep_score(
        self, match: AnyMatch, recorder: Recording | MemoryRecorder | None, *, resumed: bool
    ) -> None:
        """Keep and show the score; without one, say at a terminal how to play the match again."""
        say, source = self.console.say, self.plugin.source
        path, is_own = None, True
        if isinstance(recorder, Recording):
            recorder.close()
            path, is_own = recorder.path, recorder.origin is not None
        if not self.scored:
            if self.console.interactive:
                say(f"Play it again: {command_to_play(match, source, path)}")
        elif isinstance(recorder, MemoryRecorder):
            keep_score(match, source, recorder, say)
        elif path is not None:
            keep_score(match, source, path, say, verify=resumed, is_own=is_own)


def hint_at_terminal(
    console: Console, plugin: Plugin, players: tuple[str, ...], seed_origin: str
) -> str:
    """The hint for newcomers at a real terminal; empty where input is piped."""
    return newcomers_hint(plugin, players, seed_origin) if console.interactive else ""


def warn_dropped(record: Record, console: Console) -> None:
    """Print a warning when the last line of a record is incomplete."""
    if record.dropped:
        console.say(f"{printable(record.path)}: the last line is incomplete and was left out")


def _how_to_go_on(recording: Recording | None, source: str) -> str:
    """The command that resumes a match, and the path of its record unless the command has it.

    `RecordLost` is raised where it can go on nowhere: the record is gone.
    """
    if recording is not None:
        recording.check()
    path = None if recording is None else recording.path
    if path is None:
        return ""
    game = _game_option(path, source)
    if path.parent == records_directory():
        return f"; go on with: tabletop resume{game}\nThe record: {path}"
    return f"; go on with: tabletop resume {shlex.quote(str(path))}{game}"


def _game_option(path: Path, source: str) -> str:
    """The option that a record is resumed with where the game is not remembered; else empty."""
    return "" if is_remembered(path, source) else f" --game {shlex.quote(from_here(source))}"


def _save(recording: Recording | None, file: str, source: str, option: str) -> str:
    """Copy a record to a new file, or to none when its name is empty; say how to go on with it."""
    if recording is None or recording.path is None:
        raise CommandError(f"{NOT_RECORDED} (see {option} FILE)")
    if not file:
        return f"Every action is recorded as it is played{_how_to_go_on(recording, source)}"
    path = user_path(file)
    recording.copy(path)
    resume = f"tabletop resume {shlex.quote(str(path))}{_game_option(path, source)}"
    return f"Saved in {str(path)!r}; go on with: {resume}"
