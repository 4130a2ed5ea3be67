"""The course's game at a prompt: one match after the other (Constructor §4).

What is piped in is answered as the document has it, to the character. Who sits at a terminal is
told more, and can ask for more: see `constructor.telling` and `constructor.hints`.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from shutil import get_terminal_size
from typing import Final

from constructor.actions import Decline, parse
from constructor.beginning import Playing, Start, begin, options_afresh, setup_again
from constructor.checks import INVALID_ROLL
from constructor.drawing import draw_board
from constructor.events import GameWon
from constructor.hints import NO_TO_ALL, farewell, is_to_go_on, person_help, suggestion
from constructor.log import EventLog
from constructor.requests import (
    ACTIONS,
    AT_TERMINAL,
    REQUESTS,
    RESIGN,
    Resign,
    Save,
    ShowBoard,
    ShowHelp,
    ShowLog,
    ShowResidences,
    ShowStatus,
    complaint,
    help_text,
    is_action,
)
from constructor.rules import PATIENCE
from constructor.saves import write_save
from constructor.setups import broken_setup
from constructor.state import COLOURS, WINNING_POINTS, ConstructorState, Phase
from constructor.telling import AsDocument, AtTerminal, Telling
from constructor.text import (
    INVALID_COMMAND,
    PLAY_AGAIN,
    changed_tiles,
    message,
    residences,
    statuses,
)
from tabletop import (
    CommandError,
    EndOfInput,
    Event,
    IllegalAction,
    RegistryError,
    Seat,
    TabletopError,
)
from tabletop.events import ObserverFailure
from tabletop.host.files import write_text
from tabletop.host.printable import say_error
from tabletop.registry import Plugin
from tabletop.terminal.console import Console, tell_all
from tabletop.terminal.textfiles import reason
from tabletop.text import TextView
from tabletop.turns import snake
from tabletop_start import closing, opened

PROMPT: Final = "> "
BACKUP: Final = "backup.sv"
BEST_BOT: Final = "builder"
"""Who plays on for a person who does not say which bot should."""

PAUSE: Final = 1.0
"""How many seconds people at a terminal have for each turn of a bot."""


class Program:
    """A session: games at a console until people have had enough.

    Args:
        plugin: the game and its bots.
        start: how games begin.
        console: where lines come from and go to.
        wait: lets so many seconds go by.

    Raises:
        FileError: the first game cannot begin from such a layout or save.
        OptionError: it cannot begin like that.
        RegistryError: there is no such bot.
    """

    def __init__(
        self,
        plugin: Plugin,
        start: Start,
        console: Console,
        *,
        wait: Callable[[float], object] = time.sleep,
    ) -> None:
        self._plugin = plugin
        self._start = start
        self._console = console
        self._wait = wait
        self._log: EventLog | None = None
        self._games = 1
        self._waiting: list[str] = []
        self._bots: dict[Seat, str] = {}
        self._terminal: AtTerminal | None = None
        if console.interactive:
            self._terminal = AtTerminal(self._bots, lambda: get_terminal_size().columns)
        self._telling: Telling = self._terminal or AsDocument()
        self._match = begin(plugin.game, start.seed, start.options)
        self._afresh = options_afresh(self._match)
        for seat, name in start.bots.items():
            self._seat_bot(seat, name)

    def run(self, log: EventLog | None = None) -> None:
        """Play; when input ends or is interrupted, keep the game in `backup.sv` (§4.5).

        Args:
            log: who writes down what happens, if anybody.

        Raises:
            TabletopError: it could not be kept.
        """
        self._log = log
        opened()
        try:
            self._go_on_with_setup()
            self._play()
            while self._agrees(PLAY_AGAIN):
                self._begin_again()
                self._play()
        except EndOfInput:
            closing()
            self._break_off()
        except KeyboardInterrupt:
            if self._console.interactive:
                self._console.say()  # what follows begins a line
            self._break_off()

    def _go_on_with_setup(self) -> None:
        """Ask a person whether a setup that was broken off is to go on (§3.7 cannot say it)."""
        if self._terminal is None or self._start.options.get("load") is None:
            return
        state = self._match.state
        vertices = broken_setup(state)
        choices = len(snake(state.seats))
        if vertices is not None and self._agrees(is_to_go_on(len(vertices), choices)):
            self._sit_down(setup_again(self._match, vertices))

    def _begin_again(self) -> None:
        """Make the next game; everybody plays for themselves again, but for the bots."""
        self._games += 1
        self._bots.clear()
        seed = f"{self._start.seed}, game {self._games}"
        self._sit_down(begin(self._plugin.game, seed, self._afresh))

    def _sit_down(self, match: Playing) -> None:
        self._match = match
        for seat, name in self._start.bots.items():
            self._seat_bot(seat, name)

    def _play(self) -> None:
        """Play a game to its end."""
        match = self._match
        match.observe(self._tell)
        match.on_observer_failure(self._complain)
        if self._log is not None:
            self._log.begin(self._games, match)
            match.observe(self._log)
        if not match.over:
            self._say(*self._telling.opening(match.state))
        while not match.over and not self._is_stuck():
            self._decide(match.to_act[0])
            tell_all(self._waiting, self._console)
        self._say(*self._telling.ending(match.state, self._ending()))

    def _is_stuck(self) -> bool:
        """Whether nobody is left to see that nothing can be built any more."""
        return len(self._bots) == self._match.seats and self._match.state.idle >= PATIENCE.default

    def _ending(self) -> str:
        """How the game has ended."""
        match = self._match
        outcome = match.outcome
        if outcome is None:
            turns = f"{PATIENCE.default} turns"
            return f"Nobody has built for {turns}: the game ends without a winner."
        winners = outcome.winners
        if len(winners) == 1 and (points := match.state.points(winners[0])) >= WINNING_POINTS:
            return message(GameWon(winners[0], points))
        return TextView[ConstructorState]().outcome(outcome, COLOURS)

    def _agrees(self, asked: str) -> bool:
        """Whether people say yes to a question, and not no."""
        while True:
            self._console.say(asked)
            answer = self._read(PROMPT).casefold()
            if answer in ("yes", "no"):
                return answer == "yes"

    def _break_off(self) -> None:
        """Keep the game as it is; nobody wins."""
        try:
            write_text(BACKUP, write_save(self._match.state))
        except OSError as error:
            raise TabletopError(f"{BACKUP} cannot be written: {reason(error)}") from error
        if self._console.interactive:
            self._console.say(farewell(self._match.state, BACKUP, self._options_again()))

    def _options_again(self) -> list[str]:
        """What is typed, beside the save, to have the same players sit down to it."""
        words = [*self._start.again]
        for seat, name in sorted(self._bots.items()):
            words += ["-bot", COLOURS[seat] if name == BEST_BOT else f"{COLOURS[seat]}={name}"]
        return words

    # Deciding.

    def _decide(self, seat: Seat) -> None:
        """Ask whoever plays for `seat` for an action; a person may type a request instead."""
        terminal, phase = self._terminal, self._match.state.phase
        if seat in self._bots:
            self._have_bot_decide(seat)
            return
        if terminal is not None and phase is Phase.ANSWERING and seat in terminal.declining:
            self._match.play(Decline())
            return
        self._say(*self._telling.asked(self._match.state, seat))
        line = self._read(PROMPT if terminal is None else f"{COLOURS[seat]}{PROMPT}")
        word = line.split()[0]
        requests = REQUESTS.get(phase) if terminal is None else AT_TERMINAL[phase]
        try:
            if word in RESIGN:
                self._resign(RESIGN.parse(line), seat)
            elif requests is not None and word in requests:
                self._serve(requests.parse(line), seat)
            elif phase in ACTIONS and not is_action(word, phase, self._match.state.variant):
                self._say(INVALID_COMMAND, self._suggestion(line))
            elif phase in ACTIONS:
                self._match.play(parse(line, phase))
            else:
                self._answer(line, seat)
        except CommandError as error:
            self._console.say(complaint(line, error))
        except IllegalAction as error:
            self._console.say(str(error))

    def _have_bot_decide(self, seat: Seat) -> None:
        turn = self._match.state.turn
        if self._terminal is None:
            self._say(*self._telling.asked(self._match.state, seat))
            self._console.say(f"{PROMPT}{self._match.step()}")
        else:
            self._match.step()
        if self._match.state.turn != turn:
            tell_all(self._waiting, self._console)
            self._wait_a_moment()

    def _wait_a_moment(self) -> None:
        """Give people time to read what a bot has done."""
        pause = self._start.pause
        if pause is None:
            pause = PAUSE if self._console.interactive else 0
        if pause:
            self._wait(pause)

    def _say(self, *texts: str) -> None:
        """Say texts; empty ones need not be."""
        tell_all(list(texts), self._console)

    def _read(self, prompt: str) -> str:
        """The next line that is not blank, without the blanks at its ends.

        Raises:
            EndOfInput: there is none.
        """
        while True:
            line = self._console.read(prompt)
            if line is None:
                raise EndOfInput("input has ended")
            if line.strip():
                return line.strip()

    def _answer(self, line: str, seat: Seat) -> None:
        """Read the answer to a question; asks again until there is a valid one."""
        phase = self._match.state.phase
        if self._terminal and phase is Phase.ANSWERING and _words(line) == NO_TO_ALL:
            self._terminal.declining.add(seat)
            self._console.say(f"{COLOURS[seat]} declines all offers in this turn.")
            line = "no"
        try:
            self._match.play(parse(line, phase))
        except CommandError as error:
            wrong = _MISUNDERSTOOD.get(phase, f"{error}.")
            self._say(wrong, self._suggestion(line))

    def _suggestion(self, line: str) -> str:
        """What a person at a terminal probably meant."""
        return "" if self._terminal is None else suggestion(line, self._match.state)

    def _serve(self, request: object, seat: Seat) -> None:
        """Do what changes nothing."""
        state, terminal = self._match.state, self._terminal
        match request:
            case ShowBoard():
                self._say(draw_board(state), changed_tiles(state))
            case ShowStatus():
                self._say(statuses(state))
            case ShowResidences():
                self._say(residences(state, seat))
            case ShowHelp():
                told = help_text(state.phase, state.variant)
                self._say(told if terminal is None else person_help(state))
            case ShowLog() if terminal is not None:
                self._say(terminal.log(seat))
            case Save(file):
                self._save(file)

    def _save(self, file: str) -> None:
        try:
            write_text(file, write_save(self._match.state))
        except OSError as error:
            self._console.say(f"The game cannot be saved in {file!r}: {reason(error)}.")
        else:
            if self._terminal is not None:
                self._console.say(f"Saved in {file!r}.")

    # Bots.

    def _resign(self, request: Resign, seat: Seat) -> None:
        """Let a bot play on for the seat that is asked."""
        name = (request.bot or BEST_BOT).casefold()
        try:
            self._seat_bot(seat, name)
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
        """Queue what is to be printed: an error in printing would be swallowed in an observer."""
        self._waiting += self._telling.notice(event, self._match.state)

    def _complain(self, failure: ObserverFailure) -> None:
        say_error(f"constructor: an observer failed: {failure.error!r}")


def _words(line: str) -> str:
    """The words of a line, whatever the blanks and the letter case."""
    return " ".join(line.casefold().split())


_MISUNDERSTOOD: Final = {
    Phase.SETUP: INVALID_COMMAND,
    Phase.CHOOSING_ROLL: INVALID_ROLL,
    Phase.ANSWERING: "",
}
"""The reply to an invalid answer; where there is none, the error says what is wrong."""
