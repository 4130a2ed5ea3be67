"""The program `sorcery` with piped input: its texts and commands (Sorcery 2024 §5.1)."""

from __future__ import annotations

from collections.abc import Sequence

from typing_extensions import override

from sorcery.program.table_commands import (
    HELP,
    NOBODY_WINS,
    Inspect,
    Show,
    commands_for,
    find_inspected,
    full_sentence,
    reason_of,
)
from sorcery.rules.events import TurnStarted
from sorcery.rules.game import edition_of
from sorcery.text.board_display import Display
from sorcery.text.text_view import SorceryText, sentence
from tabletop import ActionPlayed, ActionsUndone, ContractError, Event, Seat
from tabletop.errors import RecordLost, TabletopError
from tabletop.records import HUMAN
from tabletop.terminal import Console, PipedDialogue, Playing


class SorceryDialogue(PipedDialogue):
    """The texts and commands of a match with piped input."""

    def __init__(
        self, playing: Playing, console: Console, display: Display, names: Sequence[str] = ()
    ) -> None:
        super().__init__(playing, console)
        match = playing.match
        self._display = display
        self._edition = edition_of(match.game)
        self._board_names = names or self.names
        self._shows_turn = True  # before the next decision
        match.observe(self._note, seat=None)

    @override
    def before(self, seat: Seat) -> None:
        if self._shows_turn:
            self._shows_turn = False
            view = self.playing.match.view(seat)
            turn = self._display.turn(view, self._board_names, self.names[view.turn])
            self.console.say(turn)

    @override
    def answer(self, line: str, seat: Seat) -> None:
        try:
            self._execute(line, seat)
        except RecordLost:
            raise
        except ContractError as error:
            self.console.say(f"{full_sentence(reason_of(error))} Nothing has changed.")
        except (TabletopError, ValueError) as error:
            self.console.say(full_sentence(str(error)))

    def _execute(self, line: str, seat: Seat) -> None:
        view, edition = self.playing.match.view(seat), self._edition
        match commands_for(line, view, edition, at_a_terminal=False).parse(line):
            case Show("help"):
                self.console.say(HELP)
            case Show("hand"):
                self.console.say(self._display.hand(view.sides[seat]))
            case Show():
                self.console.say(self._display.board(view, self._board_names))
            case Inspect() as request:
                self.console.say(self._display.card(find_inspected(view, edition, request)))
            case action:
                self.playing.play(action)

    @override
    def bot_action_failed(self, error: ContractError) -> None:
        self.console.say(full_sentence(reason_of(error)))

    @override
    def seated(self, seat: Seat, player: str) -> None:
        by = "a person" if player == HUMAN else f"the bot {player}"
        self.console.say(f"{self.names[seat]} is now played by {by}.")

    def _note(self, event: Event) -> None:
        """Note the line of an event. The beginning of a turn is shown by its board instead."""
        match event:
            case TurnStarted():
                self._shows_turn = True
            case ActionsUndone():  # in a window
                self._shows_turn = True
                self.lines.append(SorceryText(self._edition).event(event, self.names))
            case ActionPlayed(seat=seat, action=action):
                if self.playing.players[seat] != HUMAN:
                    self.lines.append(f"{self.names[seat]}> {action}")
            case _:
                self.lines.append(sentence(event, self.names))

    @override
    def ending(self) -> None:
        outcome = self.playing.match.outcome
        if outcome is None or outcome.abandoned:
            self.console.say(NOBODY_WINS)
            return
        self.console.say(self._display.board(self.playing.match.view(None), self._board_names))
        self.console.say(SorceryText(self._edition).outcome(outcome, self.names))

    @override
    def left(self, *, interrupted: bool) -> None:
        if interrupted:
            self.console.begin_line()
        self.console.say(NOBODY_WINS)
