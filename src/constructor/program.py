"""The course's game at a prompt: one match after the other (Constructor §4)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from constructor.actions import Action, parse
from constructor.checks import INVALID_ROLL
from constructor.drawing import draw_board
from constructor.events import GameWon, TurnBegan
from constructor.log import EventLog
from constructor.requests import (
    ACTIONS,
    REQUESTS,
    RESIGN,
    Resign,
    Save,
    ShowBoard,
    ShowHelp,
    ShowResidences,
    ShowStatus,
    complaint,
    help_text,
    is_known,
)
from constructor.saves import write_save
from constructor.state import COLOURS, WINNING_POINTS, ConstructorState, Phase
from constructor.text import (
    INVALID_COMMAND,
    PLAY_AGAIN,
    changed_tiles,
    message,
    question,
    residences,
    statuses,
    turn_begins,
)
from tabletop import (
    CommandError,
    EndOfInput,
    Event,
    IllegalAction,
    Match,
    RegistryError,
    Seat,
    TabletopError,
)
from tabletop.cli.programs import reason
from tabletop.console import Console, tell_all
from tabletop.events import ObserverFailure
from tabletop.files import write_text
from tabletop.game import Options
from tabletop.printable import say_error
from tabletop.registry import Plugin
from tabletop.text import TextView
from tabletop_start import closing, opened

PROMPT: Final = "> "
BACKUP: Final = "backup.sv"
BEST_BOT: Final = "builder"
"""Who plays on for a person who does not say which bot should."""

PATIENCE: Final = 200
"""After so many turns in which nobody builds, bots among themselves give up."""


@dataclass(frozen=True, slots=True)
class Start:
    """How the games of a session begin.

    Attributes:
        seed: of the first game; those of the others are derived from it.
        first: the options of the first game.
        later: the options of the games after it.
        bots: the seats that bots play for, with their names.
    """

    seed: str
    first: Options
    later: Options
    bots: Mapping[Seat, str] = field(default_factory=dict)


class Program:
    """A session: games at a console until people have had enough.

    Args:
        plugin: the game and its bots.
        start: how games begin.
        console: where lines come from and go to.
        log: who writes down what happens, if anybody.

    Raises:
        OptionError: a game cannot begin like that.
        RegistryError: there is no such bot.
    """

    def __init__(
        self, plugin: Plugin, start: Start, console: Console, log: EventLog | None = None
    ) -> None:
        self._plugin = plugin
        self._start = start
        self._console = console
        self._log = log
        self._games = 0
        self._waiting: list[str] = []
        self._begin()

    def run(self) -> None:
        """Play; when input ends or is interrupted, keep the game in `backup.sv` (§4.5).

        Raises:
            TabletopError: it could not be kept.
        """
        opened()
        try:
            self._play()
            while self._is_wanted_again():
                self._begin()
                self._play()
        except EndOfInput:
            closing()
            self._break_off()
        except KeyboardInterrupt:
            if self._console.interactive:
                self._console.say()  # what follows begins a line
            self._break_off()

    def _begin(self) -> None:
        """Make the next game."""
        self._games += 1
        start, number = self._start, self._games
        self._match: Match[ConstructorState, Action] = Match(
            self._plugin.game,
            seed=start.seed if number == 1 else f"{start.seed}, game {number}",
            seats=COLOURS,
            options={**(start.first if number == 1 else start.later), "patience": 0},
        )
        self._bots: dict[Seat, str] = {}
        for seat, name in start.bots.items():
            self._seat_bot(seat, name)
        self._match.observe(self._tell)
        self._match.on_observer_failure(self._complain)
        if self._log is not None:
            self._log.begin(number)
            self._match.observe(self._log)

    def _play(self) -> None:
        """Play a game to its end."""
        match, say = self._match, self._console.say
        if not match.over:
            setup = match.state.phase is Phase.SETUP
            say(draw_board(match.state) if setup else turn_begins(match.state))
        while not match.over and not self._is_stuck():
            self._decide(match.to_act[0])
            tell_all(self._waiting, self._console)
        say(self._ending())

    def _is_stuck(self) -> bool:
        """Whether nobody is left to see that nothing can be built any more."""
        return len(self._bots) == self._match.seats and self._match.state.idle >= PATIENCE

    def _ending(self) -> str:
        """How the game has ended."""
        match = self._match
        outcome = match.outcome
        if outcome is None:
            return f"Nobody has built for {PATIENCE} turns: the game ends without a winner."
        winners = outcome.winners
        if len(winners) == 1 and (points := match.state.points(winners[0])) >= WINNING_POINTS:
            return message(GameWon(winners[0], points))
        return TextView[ConstructorState]().outcome(outcome, COLOURS)

    def _is_wanted_again(self) -> bool:
        """Whether people want to play again."""
        while True:
            self._console.say(PLAY_AGAIN)
            answer = self._read().casefold()
            if answer in ("yes", "no"):
                return answer == "yes"

    def _break_off(self) -> None:
        """Keep the game as it is; nobody wins."""
        try:
            write_text(BACKUP, write_save(self._match.state))
        except OSError as error:
            raise TabletopError(f"{BACKUP} cannot be written: {reason(error)}") from error
        if self._console.interactive:
            self._console.say(f"To go on with the game: constructor -load {BACKUP}")

    # Deciding.

    def _decide(self, seat: Seat) -> None:
        """Have whoever plays for `seat` decide, or say something else."""
        asked = question(self._match.state)
        if asked:
            self._console.say(asked)
        if seat in self._bots:
            self._console.say(f"{PROMPT}{self._match.step()}")
            return
        line = self._read()
        word, phase = line.split()[0], self._match.state.phase
        if word in RESIGN:
            self._resign(line, seat)
        elif phase in REQUESTS:
            self._obey(line, word, phase)
        else:
            self._answer(line, phase)

    def _read(self) -> str:
        """The next line that is not blank, without the blanks at its ends.

        Raises:
            EndOfInput: there is none.
        """
        while True:
            line = self._console.read(PROMPT)
            if line is None:
                raise EndOfInput("input has ended")
            if line.strip():
                return line.strip()

    def _obey(self, line: str, word: str, phase: Phase) -> None:
        """Do what a command says, at the beginning of a turn or during it (§4.2, §4.3)."""
        if not is_known(word, phase, self._match.state.variant):
            self._console.say(INVALID_COMMAND)
            return
        try:
            if word in ACTIONS[phase]:
                self._match.play(parse(line, phase))
            else:
                self._serve(REQUESTS[phase].parse(line))
        except CommandError as error:
            self._console.say(complaint(line, error))
        except IllegalAction as error:
            self._console.say(str(error))

    def _answer(self, line: str, phase: Phase) -> None:
        """Take the answer to a question; one that is none is asked for again."""
        try:
            self._match.play(parse(line, phase))
        except CommandError as error:
            tell_all([_MISUNDERSTOOD.get(phase, f"{error}.")], self._console)
        except IllegalAction as error:
            self._console.say(str(error))

    def _serve(self, request: object) -> None:
        """Do what changes nothing."""
        state, say = self._match.state, self._console.say
        match request:
            case ShowBoard():
                tell_all([draw_board(state), changed_tiles(state)], self._console)
            case ShowStatus():
                say(statuses(state))
            case ShowResidences():
                say(residences(state, state.turn))
            case ShowHelp():
                say(help_text(state.phase, state.variant))
            case Save(file):
                self._save(file)

    def _save(self, file: str) -> None:
        try:
            write_text(file, write_save(self._match.state))
        except OSError as error:
            self._console.say(f"The game cannot be saved in {file!r}: {reason(error)}.")

    # Bots.

    def _resign(self, line: str, seat: Seat) -> None:
        """Let a bot play on for the seat that is asked."""
        try:
            request: Resign = RESIGN.parse(line)
            name = (request.bot or BEST_BOT).casefold()
            self._seat_bot(seat, name)
        except CommandError as error:
            self._console.say(complaint(line, error))
        except RegistryError as error:
            self._console.say(f"{error}.")
        else:
            self._console.say(f"The bot {name} plays on for {COLOURS[seat]}.")

    def _seat_bot(self, seat: Seat, name: str) -> None:
        chance = self._match.chance_of(seat)
        self._match.set_player(seat, self._plugin.bot(name, chance, seat))
        self._bots[seat] = name

    # Observing.

    def _tell(self, event: Event) -> None:
        """Note what is to be said: an observer's own failure to say it would go unheard."""
        if isinstance(event, TurnBegan):
            self._waiting.append(turn_begins(self._match.state))
        elif not isinstance(event, GameWon):  # said at the end, as for a game that is over at once
            self._waiting.append(message(event))

    def _complain(self, failure: ObserverFailure) -> None:
        say_error(f"constructor: an observer failed: {failure.error!r}")


_MISUNDERSTOOD: Final[Mapping[Phase, str]] = {
    Phase.SETUP: INVALID_COMMAND,
    Phase.CHOOSING_ROLL: INVALID_ROLL,
    Phase.ANSWERING: "",
}
"""What is said to an answer that is none; where nothing stands here, what is wrong with it."""
