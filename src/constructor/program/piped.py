"""The program `constructor` with piped input: its texts and commands (Constructor §4).

The program understands nothing beyond the document, except `resign` (§6, question 5).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from typing_extensions import override

from constructor.program.table_commands import (
    ACTIONS,
    REQUESTS,
    RESIGN,
    STUCK,
    Resign,
    Save,
    Show,
    answer_look,
    complaint,
    help_text,
    is_action,
    is_stuck,
)
from constructor.rules.actions import parse
from constructor.rules.events import TurnBegan
from constructor.rules.reasons import INVALID_ROLL
from constructor.rules.saves import write_save
from constructor.rules.state import COLOURS, ConstructorState, Phase
from constructor.text.drawing import draw_board
from constructor.text.text_view import (
    INVALID_COMMAND,
    PROMPT,
    ConstructorText,
    as_typed,
    labels,
    question,
    result_text,
    turn_begins,
)
from tabletop import (
    ActionsUndone,
    CommandError,
    ContractError,
    EndOfInput,
    Event,
    MatchEnded,
    Seat,
)
from tabletop.errors import NotPermitted, RecordLost, TabletopError
from tabletop.host import save_game
from tabletop.records import HUMAN
from tabletop.terminal import Console, PipedDialogue, Playing, flush_lines

_INVALID_ANSWERS: Final = {
    Phase.SETUP: INVALID_COMMAND,
    Phase.CHOOSING_ROLL: INVALID_ROLL,
    Phase.ANSWERING: "",
}
"""The document's replies to invalid answers. In other phases, the error has a message."""


class ConstructorDialogue(PipedDialogue):
    """The texts and commands of a match with piped input."""

    prompt = PROMPT

    def __init__(
        self,
        playing: Playing,
        console: Console,
        *,
        best_bot: str,
        pause: Callable[[], object],
        leave: Callable[[], object],
    ) -> None:
        super().__init__(playing, console)
        self._best_bot = best_bot
        self._pause = pause
        self._leave = leave
        self._turn = self._whose_turn()
        self._is_bots_turn_over = False
        # The beginning of a turn is described by the state of that moment.
        playing.match.observe(self._note)

    @property
    def _state(self) -> ConstructorState:
        state: ConstructorState = self.playing.match.state
        return state

    def _whose_turn(self) -> Seat | None:
        """Return the seat whose turn it is, or None in the setup."""
        return None if self._state.phase is Phase.SETUP else self._state.turn

    @property
    def _bots(self) -> set[Seat]:
        return {seat for seat, player in enumerate(self.playing.players) if player != HUMAN}

    @override
    def begin(self) -> None:
        state = self._state
        if self.playing.match.over:
            return
        named = [label for label in labels(self.names) if label not in COLOURS]
        position = draw_board(state) if state.phase is Phase.SETUP else turn_begins(state)
        flush_lines([", ".join(named), position], self.console)

    @override
    def before(self, seat: Seat) -> None:
        if is_stuck(self._state, self.playing.players):
            self.console.say(STUCK)
            raise EndOfInput("only bots are playing, and they are stuck")
        flush_lines([question(self._state)], self.console)

    @override
    def answer(self, line: str, seat: Seat) -> None:
        phase, word = self._state.phase, line.split(maxsplit=1)[0]
        try:
            self._execute(line, word, seat)
        except (RecordLost, ContractError):
            raise
        except CommandError as error:
            is_command = phase in ACTIONS or word in RESIGN
            answer = _INVALID_ANSWERS.get(phase, f"{error}.")
            flush_lines([complaint(line, error) if is_command else answer], self.console)
        except (TabletopError, ValueError) as error:
            self.console.say(str(error))

    def _execute(self, line: str, word: str, seat: Seat) -> None:
        phase = self._state.phase
        requests = RESIGN if word in RESIGN else REQUESTS.get(phase)
        if requests is not None and word in requests:
            self._answer_request(requests.parse(line), seat)
        elif phase not in ACTIONS or is_action(word, phase, self._state.variant):
            self.playing.play(parse(line, phase))
        else:
            self.console.say(INVALID_COMMAND)

    def _answer_request(self, request: object, seat: Seat) -> None:
        state = self._state
        try:
            match request:
                case Show("help"):
                    self.console.say(help_text(state))
                case Show(what):
                    flush_lines(answer_look(what, state, seat), self.console)
                case Save(str(file)):
                    save_game(file, write_save(state))
                case Resign(bot):
                    self.playing.put(seat, bot or self._best_bot)
        except (CommandError, NotPermitted) as error:
            self.console.say(f"{str(error).rstrip('.')}.")

    @override
    def seated(self, seat: Seat, player: str) -> None:
        by = "A person" if player == HUMAN else f"The bot {player}"
        self.console.say(f"{by} plays on for {COLOURS[seat]}.")

    @override
    def news(self) -> None:
        super().news()
        if self._is_bots_turn_over and not self.playing.match.over:
            self._pause()
        self._is_bots_turn_over = False

    def _note(self, event: Event) -> None:
        if isinstance(event, ActionsUndone):  # in a window
            self._turn = self._whose_turn()
            self.lines.append(ConstructorText().event(event, self.names))
        elif not isinstance(event, MatchEnded):
            self.lines.append(as_typed(event, self._state, self._bots))
            if isinstance(event, TurnBegan):
                self._is_bots_turn_over |= self._turn in self._bots
                self._turn = event.seat

    @override
    def ending(self) -> None:
        self.console.say(result_text(self.playing.match.outcome, self._state))

    @override
    def left(self, *, interrupted: bool) -> None:
        self._leave()
