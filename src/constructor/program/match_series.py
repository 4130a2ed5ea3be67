"""The program `constructor`: a series of matches, of which each starts after the last (§4)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeAlias

from constructor.program.piped import ConstructorDialogue
from constructor.program.table_commands import STUCK, is_stuck
from constructor.rules.actions import Action, Settle
from constructor.rules.layouts import default_layout, format_layout
from constructor.rules.saves import write_save
from constructor.rules.state import COLOURS, ConstructorState, Phase
from constructor.text.event_log import EventLog
from constructor.text.text_view import PLAY_AGAIN, PROMPT
from tabletop import EndOfInput, Game, Match, OptionError, Options, Plugin, Seat, TabletopError
from tabletop.errors import RecordLost
from tabletop.host import TextFileError, reason, utc_now, write_text
from tabletop.records import HUMAN, Header, Record
from tabletop.registry import is_for_command_line
from tabletop.scores import FRESH
from tabletop.terminal import (
    Console,
    PipedGame,
    Playing,
    begin_critical,
    end_critical,
)
from tabletop.wording import plural

if TYPE_CHECKING:
    from tabletop.terminal import LocalConnection, OpenWindow, TerminalGame

ConstructorMatch: TypeAlias = Match[ConstructorState, Action]

DEFAULT_SEED: Final = "constructor"  # by default, every game is the same (Constructor §5)


def begin(game: Game[ConstructorState, Action], seed: str, options: Options) -> ConstructorMatch:
    """Begin a match. By default it does not end if nobody builds, because people notice that.

    Raises:
        TextFileError: The layout or the save is malformed. The error contains the line.
    """
    try:
        options = {"patience": 0, **options}
        return Match(game, seed=seed, seats=COLOURS, options=options)
    except OptionError as error:
        if isinstance(error.__cause__, TextFileError):
            raise error.__cause__ from error
        raise


def layout_options(text: str) -> Options:
    """Return the options for a layout. The default layout needs none, so commands stay short."""
    return {} if text.split() == default_layout().split() else {"layout": text}


def options_afresh(match: ConstructorMatch) -> Options:
    """Return options for a game on the same tiles, from its first turn (Constructor §4.4)."""
    options = match.options
    if options["load"] is None:
        return options
    state = match.state
    return {
        **layout_options(format_layout(state.tiles)),
        "variant": state.variant,
        "fair": state.fair_only,
        "patience": state.patience,
    }


def recover_setup(loaded: ConstructorMatch) -> ConstructorMatch | None:
    """Return the unfinished setup in which a game was saved, or None.

    The format of saves does not contain the phase (Constructor §3.7). A save is a setup if choosing
    its basements in turn, from the beginning, leads to the same save.
    """
    state, again = loaded.state, begin(loaded.game, loaded.seed.text, options_afresh(loaded))
    homes = [state.homes_of(seat) for seat in range(state.seats)]
    for seat in again.state.order[: len(state.settled)]:
        choice = Settle(homes[seat].pop(0)) if homes[seat] else None
        if choice is None or choice not in again.legal_actions():
            return None
        again.play(choice)
    # A save may lack the geese, which are in its last line.
    is_same = write_save(again.state).startswith(write_save(state))
    return again if is_same and again.state.phase is Phase.SETUP else None


BACKUP: Final = "backup.sv"  # the file in which a game is saved when input ends (Constructor §4.5)

AS_WELL: Final = f"The game is also saved in {BACKUP}, in the document's format."


def keep_backup(state: ConstructorState) -> None:
    """Save a game in the document's format.

    Raises:
        TabletopError: The file cannot be written.
    """
    try:
        write_text(BACKUP, write_save(state))
    except OSError as error:
        raise TabletopError(f"{BACKUP} cannot be written: {reason(error)}") from error


@dataclass
class Program:
    """A series of games at a console, until people do not want to play again."""

    plugin: Plugin
    console: Console
    seed: str  # of the first game, from which the seeds of the others are derived
    options: Options = field(default_factory=dict)  # of the first game
    bots: Mapping[Seat, str] = field(default_factory=dict)
    pause: float | None = None  # seconds after a bot's turn, by default 1 at a terminal and else 0
    seed_origin: str = ""  # of the first game (see `tabletop.scores`)
    record: Callable[[int], Path | None] = lambda game: None  # the path for a game, counted from 1
    scored: bool = False  # whether scores are stored and shown at a terminal
    beside: OpenWindow | None = None  # opens a window next to the terminal
    _log: EventLog | None = field(default=None, init=False)
    _games: int = field(default=1, init=False)
    _match: ConstructorMatch | None = field(default=None, init=False)  # the current or the last one
    _connection: LocalConnection | None = field(default=None, init=False)  # at a terminal
    _was_left: bool = field(default=False, init=False)

    def run(self, first: ConstructorMatch | None = None, log: EventLog | None = None) -> None:
        """Play. If input ends or is interrupted, save the game in `backup.sv` (§4.5)."""
        if first is None:
            first = begin(self.plugin.game, self.seed, self.options)
        self._match = match = first
        self._guard(lambda: self._play(self._or_its_setup(match)), log)

    def resume(self, record: Record, log: EventLog | None = None) -> None:
        """Continue a game from its record, and then play others as `run` does."""
        self._guard(lambda: self._game(tuple(record.players)).resume(record), log)

    def _guard(self, play: Callable[[], object], log: EventLog | None) -> None:
        """Play the first game by calling `play`, and then others."""
        self._log = log
        try:
            play()
            end_critical()
            while self._match is not None and not self._was_left and self._agrees(PLAY_AGAIN):
                # Seats that have resigned belong to people again.
                self._games += 1
                seed = f"{self.seed}, game {self._games}"
                self._play(begin(self.plugin.game, seed, options_afresh(self._match)))
                end_critical()
        except EndOfInput:
            begin_critical()
            self._break_off()
        except KeyboardInterrupt:
            if self.console.interactive:
                self.console.begin_line()
            self._break_off()
        except RecordLost:
            if self._match is not None:
                keep_backup(self._match.state)
            raise

    def _or_its_setup(self, match: ConstructorMatch) -> ConstructorMatch:
        """Return a loaded game, or its unfinished setup if a person wants to continue that."""
        if not self.console.interactive or not match.options["load"]:
            return match
        setup = recover_setup(match)
        question = "This save looks like an unfinished setup. Do you want to continue it?"
        return setup if setup is not None and self._agrees(question) else match

    def _play(self, match: ConstructorMatch) -> None:
        players = tuple(self.bots.get(seat, HUMAN) for seat in range(match.seats))
        origin = self.seed_origin
        header = Header.of(
            match,
            source=self.plugin.source,
            players=players,
            created=utc_now().isoformat(timespec="microseconds"),
            seed_origin=origin if self._games == 1 or origin == FRESH else "",
        )
        begins = not match.options.get("load")
        game = self._game(players, begins=begins, title=match.ply > 0)
        game.play(match, header, self.record(self._games))

    def _game(
        self, players: tuple[str, ...], *, begins: bool = False, title: bool = True
    ) -> TerminalGame | PipedGame:
        """Return a game at a terminal or with piped input.

        If it `begins`, newcomers get a hint. The title is printed at a terminal.
        """
        if not self.console.interactive:
            return PipedGame(
                self.plugin,
                players,
                self._dialogue,
                self.console,
                program="constructor",
                beside=self.beside,
            )
        # Piped programs start faster without these modules.
        from constructor.program.console import PAUSE, ConstructorProgram
        from tabletop.scores import newcomers_hint
        from tabletop.terminal import Presentation, TerminalGame

        # The default seed was not chosen by a person.
        origin = self.seed_origin or FRESH
        hint = newcomers_hint(self.plugin, players, origin) if begins else ""
        pause = PAUSE if self.pause is None else self.pause
        return TerminalGame(
            self.plugin,
            players,
            Presentation(
                texts=ConstructorProgram(self.plugin.game, self.plugin.text, pause=pause),
                program="constructor",
                title=title,
                begin=self._begin,
                stop=_why_stuck,
                leave=lambda connection: self._break_off(),
                keeps=True,
                hint=hint,
                record_option="-record",
            ),
            self.console,
            scored=self.scored,
            beside=self.beside,
            lingers=False,  # people are asked whether to play again
        )

    def _dialogue(self, playing: Playing, console: Console) -> ConstructorDialogue:
        """Return the dialogue of a match that begins or is resumed. From here on it is logged."""
        self._begin_log(playing.match)

        def pause() -> None:
            if self.pause:
                console.wait(self.pause)

        return ConstructorDialogue(
            playing, console, best_bot=self.plugin.best_bot, pause=pause, leave=self._break_off
        )

    def _begin(self, connection: LocalConnection) -> None:
        """Note the match at a terminal, which begins or is resumed. From here on it is logged."""
        self._connection = connection
        self._begin_log(connection.match)

    def _begin_log(self, match: ConstructorMatch) -> None:
        self._match = match
        if self._log is not None:
            self._log.begin(self._games, match)
            match.observe(self._log)

    def _agrees(self, question: str) -> bool:
        """Ask a question until the answer is yes or no. Return whether it is yes."""
        while True:
            self.console.say(question)
            answer = " "
            while not answer.strip():
                line = self.console.read(PROMPT)
                if line is None:
                    raise EndOfInput
                answer = line
            answer = answer.strip().casefold()
            if answer in ("yes", "no"):
                return answer == "yes"

    # Leaving.

    def _break_off(self) -> None:
        """Save the game, which nobody wins. At a terminal, show how to resume it."""
        self._was_left = True
        match, connection, say = self._match, self._connection, self.console.say
        if match is None:
            return
        keep_backup(match.state)
        if not self.console.interactive:
            return
        if (
            connection is not None
            and not match.over
            and not is_stuck(match.state, connection.players)
        ):
            later = connection.how_to_go_on()
            if later:
                say(f"Left after {plural(match.ply, 'action')}{later}\n{AS_WELL}")
        from constructor.program.help_texts import farewell  # piped programs do not need it

        say(farewell(match.state, BACKUP, self._options_again()))

    def _options_again(self) -> list[str]:
        """Return the options that `-load` needs for the same seed, dice and bots."""
        seed, bots = self.seed, dict(self.bots)
        if self._connection is not None:
            players = enumerate(self._connection.players)
            bots = {seat: name for seat, name in players if name != HUMAN}
        words = ["-fair"] if self.options.get("fair") else []
        if seed != DEFAULT_SEED:
            # A seed that starts with a dash would be parsed as another option.
            words += ["-seed", seed] if seed[:1] != "-" else [f"-seed={seed}"]
        for seat, name in sorted(bots.items()):
            # Nobody is advised to start a program that only a record names.
            is_strange = is_for_command_line(name) and name not in self.plugin.bots
            is_best = is_strange or name == self.plugin.best_bot
            words += ["-bot", COLOURS[seat] if is_best else f"{COLOURS[seat]}={name}"]
        return words


def _why_stuck(connection: LocalConnection) -> str:
    """Return the reason for leaving a match that bots do not end, or ""."""
    return STUCK if is_stuck(connection.match.state, connection.players) else ""
