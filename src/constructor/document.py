"""The program `constructor` where input is piped: what the document prints, to the character (§4).

Nothing else is printed, and nothing else is understood, but for `resign`, which the document asks
for without saying how it is typed (Constructor §6, question 5).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar, Final

from typing_extensions import override

from constructor.actions import parse
from constructor.drawing import draw_board
from constructor.ending import how_it_ended, stop_when_stuck
from constructor.events import GameWon, TurnBegan
from constructor.reasons import INVALID_ROLL
from constructor.requests import (
    ACTIONS,
    REQUESTS,
    RESIGN,
    Resign,
    Save,
    ShowHelp,
    complaint,
    help_text,
    is_action,
    save_in,
    shown,
)
from constructor.state import COLOURS, ConstructorState, Phase
from constructor.text import INVALID_COMMAND, message, question, turn_begins
from tabletop import ActionPlayed, CommandError, Event, Seat, Watcher
from tabletop.records.entries import HUMAN
from tabletop.session import Play, Reseat
from tabletop.terminal.client import TerminalClient
from tabletop.terminal.console import flush_lines
from tabletop.terminal.ui import TerminalUI

PROMPT: Final = "> "


class DocumentSkin(TerminalUI):
    """Everything as the document has it.

    Args:
        client: what it works with.
        leave: does what is to be done when input ends or is interrupted (§4.5).
        wait: called when the turn of a bot has ended.
    """

    program: ClassVar[str] = "constructor"

    def __init__(
        self, client: TerminalClient, *, leave: Callable[[], object], wait: Callable[[], object]
    ) -> None:
        super().__init__(client)
        self._leave = leave
        self._wait = wait
        self._pending: list[str] = []
        self._turn: Seat | None = None  # whose it is; nobody's in the setup
        self._is_bots_turn_over = False
        if self._state.phase is not Phase.SETUP:
            self._turn = self._state.turn
        # Observed on the match itself: each event once, whoever sits here.
        client.match.observe(self._observe)

    @property
    def _state(self) -> ConstructorState:
        state: ConstructorState = self.client.match.state
        return state

    # From the first line to the last.

    @override
    def opening(self) -> None:
        """The document begins with the board."""

    @override
    def begin(self) -> None:
        state = self._state
        if not self.over():
            self.client.say(draw_board(state) if state.phase is Phase.SETUP else turn_begins(state))

    @override
    def ending(self) -> None:
        self.client.say(how_it_ended(self.client.match))

    @override
    def interrupted(self) -> None:
        """Begin no line: the document prints nothing after Ctrl-C."""

    @override
    def left(self) -> None:
        self._leave()

    # Deciding.

    @override
    def before(self, seat: Seat) -> None:
        stop_when_stuck(self.client)
        flush_lines([question(self._state)], self.client.console)

    @override
    def asked(self, seat: Seat) -> None:
        """The board is shown at the beginning of a turn, and whenever somebody asks for it."""

    @override
    def prompt(self, seat: Seat) -> str:
        return PROMPT

    @override
    def handle(self, line: str, seat: Seat) -> bool:
        word, phase = line.split(maxsplit=1)[0], self._state.phase
        requests = RESIGN if word in RESIGN else REQUESTS.get(phase)
        if requests is not None and word in requests:
            return self.execute(requests.parse(line), seat)
        if phase not in ACTIONS:
            self._answer(line)
        elif is_action(word, phase, self._state.variant):
            self.client.request(Play(parse(line, phase)))
        else:
            self.client.say(INVALID_COMMAND)
        return True

    def _answer(self, line: str) -> None:
        """Answer a question, which is asked again when the answer is not valid."""
        phase = self._state.phase
        try:
            self.client.request(Play(parse(line, phase)))
        except CommandError as error:
            flush_lines([_MISUNDERSTOOD.get(phase, f"{error}.")], self.client.console)

    @override
    def execute(self, request: object, seat: Seat) -> bool:
        state = self._state
        match request:
            case ShowHelp():
                self.client.say(help_text(state.phase, state.variant))
            case Resign(bot):
                self._resign(bot or self.client.session.plugin.best_bot, seat)
            case Save(str(file)):
                self._save(file)
            case _:
                flush_lines(shown(request, state, seat), self.client.console)
        return True

    def _resign(self, bot: str, seat: Seat) -> None:
        """Let a bot play on for the seat that is asked."""
        try:
            self.client.request(Reseat(seat, bot))
        except CommandError as error:
            self.client.say(f"{error}.")

    def _save(self, file: str) -> None:
        """Save in silence, unless it fails."""
        try:
            save_in(file, self._state)
        except CommandError as error:
            self.client.say(str(error))

    @override
    def refused(self, line: str, error: Exception, seat: Seat) -> None:
        if isinstance(error, CommandError):
            self.client.say(complaint(line, error))
        else:
            super().refused(line, error, seat)

    # News.

    def _observe(self, event: Event) -> None:
        """Note what is to be printed."""
        match event:
            case ActionPlayed(seat=seat, action=action):
                if self._is_bot(seat):
                    self._pending.append(f"{PROMPT}{action}")
            case TurnBegan(seat=seat):
                self._is_bots_turn_over |= self._turn is not None and self._is_bot(self._turn)
                self._turn = seat
                self._pending.append(turn_begins(self._state))
            case GameWon():
                pass  # printed by `ending`, as for a save that is over when it is loaded
            case _:
                self._pending.append(message(event))

    def _is_bot(self, seat: Seat) -> bool:
        return self.client.session.players[seat] != HUMAN

    @override
    def event(self, event: Event, reader: Watcher) -> str:
        return ""

    @override
    def show_news(self, lines: list[str]) -> None:
        flush_lines(self._pending, self.client.console)
        ended, self._is_bots_turn_over = self._is_bots_turn_over, False
        if ended and not self.over():
            self._wait()

    @override
    def seated(self, seat: Seat, player: str) -> None:
        self.client.say(f"The bot {player} plays on for {COLOURS[seat]}.")


_MISUNDERSTOOD: Final = {
    Phase.SETUP: INVALID_COMMAND,
    Phase.CHOOSING_ROLL: INVALID_ROLL,
    Phase.ANSWERING: "",
}
"""The replies to invalid answers; in other phases the message of the error is printed."""
