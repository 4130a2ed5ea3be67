"""The texts of Constructor at a terminal, at every table and in the program `constructor`.

A person at a terminal gets the texts of the document, summaries of the turns of bots, and the
commands of every table. With piped input, `tabletop play constructor` prints the same as for every
game, with the commands of `constructor.program.table_commands`, and `constructor.program.piped` has
the texts of the program `constructor`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from typing_extensions import override

from constructor.program.help_texts import meaning, person_help, suggestion
from constructor.program.table_commands import (
    ACTIONS,
    AT_TABLE,
    NO_TO_ALL,
    Resign,
    Save,
    Show,
    answer_look,
    complaint,
    is_action,
    usage_of,
)
from constructor.rules.events import BasementChosen, TradeOffered, TurnBegan
from constructor.rules.saves import write_save
from constructor.rules.state import COLOURS, ConstructorState, Phase
from constructor.text.drawing import draw_board, paint
from constructor.text.text_view import (
    INVALID_COMMAND,
    labels,
    message,
    result_text,
    statuses,
    whose_turn,
)
from constructor.text.turn_summaries import TurnLog, board, shorten, summarize
from tabletop import ActionsUndone, CommandError, Commands, Seat
from tabletop.display import (
    ConsoleText,
    News,
    Reading,
    Repeat,
    SavedFile,
    Shown,
    TextView,
    Topic,
    similar_command,
)
from tabletop.host import sanitize
from tabletop.records import HUMAN
from tabletop.rules import AnyGame

PAUSE: Final = 1.0  # seconds that people at a terminal have to read about each turn of a bot


class ConstructorConsole(ConsoleText[ConstructorState]):
    """The texts of Constructor, with the commands of `AT_TABLE`.

    Args:
        pause: Seconds to wait after a bot's turn. By default, `PAUSE` while people play.
    """

    commands: Commands = AT_TABLE
    rows: int = 0

    def __init__(
        self, game: AnyGame, text: TextView[ConstructorState], *, pause: float | None = None
    ) -> None:
        super().__init__(game, text)
        self._pause = pause

    @override
    def paint(self, text: str) -> str:
        return paint(sanitize(text))

    # Questions.

    @override
    def asked(self, reading: Reading[ConstructorState]) -> str:
        return ""  # the prompt contains the question

    @override
    def question(self, reading: Reading[ConstructorState]) -> Shown:
        state = reading.view
        if not reading.size.columns:
            return super().question(reading)
        if reading.is_over:
            ending = [board(state, reading.size), statuses(state), self._result(reading)]
            return Shown("\n".join(filter(None, ending)))
        if reading.wanted == "actions":
            return self.listed(reading, everything=True)
        if reading.wanted == "table":
            position = f"{board(state, reading.size)}\n{statuses(state)}"
            listed = self.listed(reading, above=position)
            return Shown(f"{position}\n{listed.text}", listed.numbered)
        lines = self._opening(reading) if reading.asked is None else self._changes(reading)
        return Shown("\n".join(filter(None, lines)))

    def _result(self, reading: Reading[ConstructorState]) -> str:
        """Return how the match has ended, or "" if it has no outcome."""
        return "" if reading.outcome is None else self.text.outcome(reading.outcome, reading.names)

    def _opening(self, reading: Reading[ConstructorState]) -> list[str]:
        state, size = reading.view, reading.size
        lines = []
        width = max(map(len, draw_board(state).split("\n")))
        if width > size.columns:
            lines.append(
                f"The board needs {width} columns, but your terminal has {size.columns};"
                " make it wider."
            )
        lines.append(", ".join(it for it in labels(reading.names) if it not in COLOURS))
        lines.append(board(state, size))
        if state.phase is not Phase.SETUP and is_person(state.turn, reading):
            lines.append(whose_turn(state))
        return [*lines, self._offer(reading)]

    def _changes(self, reading: Reading[ConstructorState]) -> list[str]:
        if not reading.actions:
            return []
        state, events = reading.view, [entry.event for entry in reading.asked or ()]
        is_behind = any(isinstance(event, ActionsUndone) for event in events)
        lines = []
        if state.phase is Phase.SETUP:
            if is_behind or any(isinstance(event, BasementChosen) for event in events):
                bots = TurnLog(reading, reading.asked).events_of_bots
                lines = self._board_and(summarize(bots, reading.size.columns - 1), reading)
        elif is_behind:
            lines = [board(state, reading.size), whose_turn(state)]
        return [*lines, self._offer(reading, is_behind=is_behind)]

    def _offer(self, reading: Reading[ConstructorState], *, is_behind: bool = False) -> str:
        """Return the offer of a bot that the reader has to answer, or ""."""
        state, offer = reading.view, reading.view.offer
        if offer is None or not (is_behind or not is_person(state.turn, reading)):
            return ""
        return message(TradeOffered(state.turn, offer.seat, offer.give, offer.take))

    def _board_and(self, summaries: list[str], reading: Reading[ConstructorState]) -> list[str]:
        drawn = board(reading.view, reading.size)
        return [drawn, *shorten(summaries, drawn, reading.size)]

    # Commands and refusals.

    @override
    def answer(self, command: Any, reading: Reading[ConstructorState]) -> str | Repeat | SavedFile:
        state, seat = reading.view, reading.seat or 0
        match command:
            case Show("log"):
                return TurnLog(reading).answer(seat)
            case Show("board") if reading.size.columns:
                return board(state, reading.size)
            case Show(what):
                return "\n".join(filter(None, answer_look(what, state, seat)))
            case Save(file):
                return SavedFile(file, write_save(state)) if file else Repeat("/save")
            case Resign(bot):
                return Repeat(f"/bot {bot} {seat + 1}" if bot else "/bot")
        if state.phase is not Phase.ANSWERING or seat not in reading.to_act:
            raise CommandError("there is no offer for you to decline")
        text = f"{COLOURS[seat]} declines all offers in this turn."
        return Repeat("no", (TurnBegan, ActionsUndone), text)

    @override
    def refusal(self, line: str, error: Exception, reading: Reading[ConstructorState]) -> str:
        misunderstood = self.is_misunderstood(line, error, reading)
        if not (reading.size.columns and misunderstood and isinstance(error, CommandError)):
            return super().refusal(line, error, reading)
        word, state = line.split(maxsplit=1)[0], reading.view
        reason = f"{error}.".replace("possible: yes, no.", f"possible: yes, no, {NO_TO_ALL}.")
        hint = suggestion(line, state) or similar_command(word, None, (), reading.table)
        if state.phase in ACTIONS and is_action(word, state.phase, state.variant):
            reason, hint = complaint(line, error), ""
            if reason == INVALID_COMMAND:
                hint = f"Usage: {usage_of(line)}"
        elif state.phase in ACTIONS and error.place == 1 and not word.isdecimal():
            reason = INVALID_COMMAND
        return "\n".join(filter(None, (reason, hint[:1].upper() + hint[1:].rstrip())))

    @override
    def topics(self, reading: Reading[ConstructorState]) -> Sequence[Topic]:
        if not reading.size.columns:
            return super().topics(reading)
        return [*person_help(reading.view), self.table_topic(reading)]

    @override
    def meaning(self, action: Any, reading: Reading[ConstructorState]) -> str:
        return meaning(action, reading.view)

    # News.

    @override
    def news(self, reading: Reading[ConstructorState]) -> News:
        if not reading.size.columns:
            return super().news(reading)
        log = TurnLog(reading, reading.unread)
        is_bots_turn = any(not is_person(seat, reading) for seat in reading.to_act)
        rest = log.events_of_bots if is_bots_turn else ()
        lines: list[str] = []
        for item in log.lines(in_progress=is_bots_turn):
            if isinstance(item, str):
                lines.append(item)
            else:  # a person's turn begins
                lines += [*self._board_and(item, reading), whose_turn(reading.view)]
        text = "\n".join(filter(None, lines))
        pause = self._pause
        if pause is None:
            pause = PAUSE if reading.here else 0.0
        is_over = reading.is_over or not log.has_ended_turn_of_bot
        return News(text, unread=len(rest), pause=0.0 if is_over else pause)


class ConstructorProgram(ConstructorConsole):
    """The texts of the program `constructor` at a terminal."""

    @override
    def _result(self, reading: Reading[ConstructorState]) -> str:
        return result_text(reading.outcome, reading.view)


def is_person(seat: Seat, reading: Reading[ConstructorState]) -> bool:
    """Return whether a person has the seat."""
    return reading.players[seat] == HUMAN
