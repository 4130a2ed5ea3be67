"""Programs with piped input, which print and understand exactly the texts of a specification.

A program derives its texts and commands from `PipedDialogue`, and `PipedGame` plays, records and
scores a match. Both use the match only as a `Playing`.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

from tabletop.errors import ContractError, EndOfInput, TabletopError
from tabletop.host.screen_text import print_error, printable_names
from tabletop.match.match import AnyMatch
from tabletop.records.format import HUMAN, Header
from tabletop.registry import Plugin
from tabletop.states.bounds import Seat
from tabletop.table.players import ActionFailed, Players, Replaced
from tabletop.terminal.console import Console, PromptCancelled, flush_lines
from tabletop.terminal.parsers import CONTESTS
from tabletop.terminal.programs import bot_failure, report_observer
from tabletop.terminal.signals import begin_critical

if TYPE_CHECKING:
    from tabletop.records.file import Record
    from tabletop.terminal.local_table import OpenWindow


class Playing(Protocol):
    """A match with the players of its seats, such as `tabletop.table.Players`."""

    @property
    def match(self) -> AnyMatch:
        """The match. Read it, but change it only with the methods of this protocol."""

    @property
    def players(self) -> tuple[str, ...]:
        """The player of each seat: "human" or the name of a bot."""

    def play(self, action: Any) -> None:
        """Play an action. See `Match.play` for the errors."""

    def put(self, seat: Seat, player: str) -> None:
        """Give a seat to a bot or to a person.

        Raises:
            CommandError: The game has no such bot.
        """

    def step(self) -> Replaced | ActionFailed | None:
        """Let the next bot act.

        Returns:
            The replacement if the bot has failed, the errors if its action has failed and another
            action was played instead, or None.

        Raises:
            ContractError: The rules have failed.
        """


class PipedDialogue:
    """The texts and commands of a program with piped input. One seat is to act at a time.

    A program overrides these methods. By default, only `news` prints something.

    Args:
        playing: The match.
        console: The input and output of lines.

    Attributes:
        prompt: The text before each line that is read.
        names: The name of each seat, without control characters.
        lines: Texts for `news`, to which an observer of the match can append. Empty texts are
            left out.
    """

    prompt: str = ""

    def __init__(self, playing: Playing, console: Console) -> None:
        self.playing = playing
        self.console = console
        self.names: tuple[str, ...] = printable_names(playing.match.names)
        self.lines: list[str] = []

    def begin(self) -> None:
        """Print the text before the first decision."""

    def before(self, seat: Seat) -> None:
        """Print the text before a decision of a person or a bot.

        Raises:
            EndOfInput: The match is to be left.
        """

    def answer(self, line: str, seat: Seat) -> None:
        """Execute a line of a person, which is not empty, and print its answer or refusal."""

    def bot_action_failed(self, error: ContractError) -> None:
        """Print that the rules could not apply the action of a bot."""

    def seated(self, seat: Seat, player: str) -> None:
        """Print that a seat has a new player: "human" or the name of a bot."""

    def news(self) -> None:
        """Print `lines`, the texts of the events since the last call."""
        flush_lines(self.lines, self.console)

    def ending(self) -> None:
        """Print the text after the end of the match."""

    def left(self, *, interrupted: bool) -> None:
        """Print the text after a match that has not ended.

        Args:
            interrupted: Whether the user pressed Ctrl-C. If not, input has ended.
        """

    def run(self) -> None:
        """Play until the match is over, input ends, or the user presses Ctrl-C."""
        match, interrupted = self.playing.match, False
        try:
            self.begin()
            while not match.over:
                self._decide(match.to_act[0])
            self.ending()
        except EndOfInput:
            begin_critical()
        except KeyboardInterrupt:
            interrupted = True
        else:
            begin_critical()
        if not match.over:
            self.left(interrupted=interrupted)

    def _decide(self, seat: Seat) -> None:
        """Let a person or a bot decide, and print the result."""
        players = self.playing.players
        self.before(seat)
        if players[seat] == HUMAN:
            self._ask(seat)
        else:
            self._let_bot_act()
        for other, player in enumerate(self.playing.players):
            if player != players[other]:
                self.seated(other, player)
        self.news()

    def _ask(self, seat: Seat) -> None:
        """Read the next line that is not empty, and execute it."""
        line = ""
        while not line:
            try:
                read = self.console.read(self.prompt)
            except PromptCancelled:  # something has happened in the window
                return
            if read is None:
                raise EndOfInput
            line = read.strip()
        self.answer(line, seat)

    def _let_bot_act(self) -> None:
        match self.playing.step():
            case ActionFailed(errors=errors):
                for fault in errors:
                    self.bot_action_failed(fault)
            case Replaced(player=player, error=error):
                if os.environ.get("TABLETOP_DEBUG") and not isinstance(error, TabletopError):
                    raise error  # the traceback shows the author of the bot the place
                print_error(bot_failure(player, error))


DialogueMaker: TypeAlias = Callable[[Playing, Console], PipedDialogue]
"""Makes the dialogue of a match."""


@dataclass(frozen=True, slots=True)
class PipedGame:
    """Plays, records and scores one match with piped input.

    Attributes:
        plugin: The game.
        players: The player of each seat: "human" or the name of a bot.
        dialogue: Makes the texts and commands of the match.
        console: The input and output of lines.
        program: The name of the program, which starts its error messages.
        counts_contests: Whether scores of the weekly and the daily seed are stored.
        beside: Opens a window next to the program, or None for no window.
    """

    plugin: Plugin
    players: tuple[str, ...]
    dialogue: DialogueMaker
    console: Console
    program: str
    counts_contests: bool = True
    beside: OpenWindow | None = None

    def play(self, match: AnyMatch, header: Header, path: Path | None) -> None:
        """Play a new match.

        Args:
            match: The match.
            header: The header of its record.
            path: The path of the record, or None for no record.

        Raises:
            RecordError: The record cannot be written.
        """
        scored = self.counts_contests and header.seed_origin in CONTESTS
        if path is None and not scored:
            self._run(match)
            return
        from tabletop.terminal.recording import new_recording  # most piped matches have no record

        with new_recording(match, header, self.plugin.source, path, scored=scored) as recording:
            self._run(match)
        if scored:
            recording.keep_score()

    def resume(self, record: Record) -> None:
        """Continue a match from its record.

        Raises:
            RecordError: The record does not replay or cannot be written.
        """
        from tabletop.terminal.recording import resumed_recording, warn_dropped

        with resumed_recording(record, self.plugin) as recording:
            warn_dropped(record, self.console)
            self._run(recording.match)
        if self.counts_contests and record.header.seed_origin in CONTESTS:
            recording.keep_score()

    def _run(self, match: AnyMatch) -> None:
        with self._seats(match) as playing:
            self.dialogue(playing, self.console).run()

    @contextmanager
    def _seats(self, match: AnyMatch) -> Iterator[Playing]:
        """Yield the players of a match. With a window, people may also play there."""
        report = partial(report_observer, self.program)
        if self.beside is None:
            match.on_observer_failure(report)
            with Players(match, self.plugin, self.players) as players:
                yield players
            return
        from tabletop.terminal.local_table import LocalTable  # only a window needs a table

        with LocalTable(
            match, self.plugin, self.players, self.console, window=self.beside, on_failure=report
        ) as table:
            yield table
            table.freeze()
