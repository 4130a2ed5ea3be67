"""The terminal interface of Constructor, in `tabletop play` and in the program `constructor`.

A person at a terminal gets the texts of the document, summaries of the turns of bots, and the table
commands. With piped input, `tabletop play constructor` prints the same as for every game, with the
commands of `constructor.program.table_commands`, and `constructor.program.piped` has the texts of
the program `constructor`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from shutil import get_terminal_size
from typing import Final

from typing_extensions import override

from constructor.program.help_texts import meaning, person_help, suggestion
from constructor.program.table_commands import (
    ACTIONS,
    AT_TABLE,
    NO_TO_ALL,
    STUCK,
    DeclineAll,
    Resign,
    Save,
    Show,
    answer_look,
    complaint,
    help_text,
    is_action,
    is_stuck,
    save_in,
    usage_of,
)
from constructor.rules.actions import Decline
from constructor.rules.events import TurnBegan
from constructor.rules.state import COLOURS, ConstructorState, Phase
from constructor.text.drawing import draw_board, paint
from constructor.text.text_view import (
    INVALID_COMMAND,
    labels,
    result_text,
    statuses,
)
from constructor.text.turn_summaries import TurnLog
from tabletop import (
    ActionsUndone,
    CommandError,
    Commands,
    ContractError,
    EndOfInput,
    Event,
    MatchEnded,
    Seat,
    Watcher,
)
from tabletop.protocol import ActIn, ReseatIn
from tabletop.records import HUMAN
from tabletop.terminal import SaveMatch, TerminalClient, TerminalUI, Topic, flush_lines, table_hint

PAUSE: Final = 1.0
"""Seconds that people at a terminal have for each turn of a bot."""


class ConstructorUI(TerminalUI):
    """The terminal interface of Constructor.

    Args:
        client: The client of the terminal.
        wait: Sleeps for a number of seconds. By default, the console does.
        pause: Seconds to wait after a bot's turn, by default `PAUSE` while people play.
        leave: What the program `constructor` does if a match is left (§4.5).
    """

    commands: Commands = AT_TABLE

    def __init__(
        self,
        client: TerminalClient,
        *,
        wait: Callable[[float], object] | None = None,
        pause: float | None = None,
        leave: Callable[[], object] | None = None,
    ) -> None:
        super().__init__(client)
        self._wait = wait or client.console.wait
        self._pause = pause
        self._leave = leave
        self._at_terminal = client.console.interactive
        self._bots: set[Seat] = set()
        self._update_bots()
        self._log = TurnLog(self._bots, get_terminal_size)
        self._pending: list[str] = []
        self._turn = self._whose_turn()
        self._is_bots_turn_over = False
        self._opening = self._log.opening(self._state)
        client.console.paint_with(paint)
        # Observe the match itself, because the text at the start of a turn needs the state at that
        # moment, and is printed once for all people at this terminal.
        client.match.observe(self._observe)

    @property
    def _state(self) -> ConstructorState:
        state: ConstructorState = self.client.match.state
        return state

    def _whose_turn(self) -> Seat | None:
        """Return the seat whose turn it is, or None in the setup."""
        return None if self._state.phase is Phase.SETUP else self._state.turn

    def _update_bots(self) -> None:
        # Change the set in place, because the log uses it, too.
        self._bots.clear()
        players = self.client.session.players
        self._bots.update(seat for seat, player in enumerate(players) if player != HUMAN)

    # The start and the end of a match.

    @override
    def opening(self) -> None:
        """Print the name of the game. The program prints it only for a resumed game."""
        if self._leave is None or self.client.match.ply:
            super().opening()

    @override
    def begin(self) -> None:
        super().begin()
        if not self._at_terminal:
            return
        self._warn_of_width()
        if not self.over():
            named = [label for label in labels(self.client.names) if label not in COLOURS]
            flush_lines([", ".join(named), *self._opening], self.client.console)

    def _warn_of_width(self) -> None:
        """Print a warning if the terminal is too narrow for the board."""
        width, columns = (
            max(map(len, draw_board(self._state).split("\n"))),
            get_terminal_size().columns,
        )
        if width > columns:
            self.client.say(
                f"The board needs {width} columns, but your terminal has {columns}; make it wider."
            )

    @override
    def ending(self) -> None:
        if self._at_terminal:
            flush_lines(self._log.ending(self._state, self._result()), self.client.console)
        else:
            super().ending()

    def _result(self) -> str:
        """Return a line with the result, or an empty text before the end."""
        match = self.client.match
        if self._leave is not None:
            return result_text(match.outcome, match.state)
        text = self.client.session.plugin.text
        return "" if match.outcome is None else text.outcome(match.outcome, self.client.names)

    @override
    def left(self) -> None:
        if self._leave is None:
            super().left()
        else:
            self._leave()

    # Decisions.

    @override
    def before(self, seat: Seat) -> None:
        if self._leave is not None and is_stuck(self._state, self.client.session.players):
            self.client.say(STUCK)
            raise EndOfInput("only bots are playing, and they are stuck")
        declines = seat in self._log.declining and seat not in self._bots
        if declines and self._state.phase is Phase.ANSWERING:
            self.client.request(ActIn(str(Decline())))

    @override
    def asked(self, seat: Seat) -> None:
        if self._at_terminal:
            flush_lines(self._log.before_question(self._state), self.client.console)
        else:
            super().asked(seat)

    @override
    def show(self, seat: Seat) -> None:
        if not self._at_terminal:
            super().show(seat)
            return
        shown = f"{self._log.board(self._state)}\n{statuses(self._state)}"
        self.client.say(shown)
        self.client.say(self.listed(seat, above=1 + shown.count("\n")))

    @override
    def handle(self, line: str, seat: Seat) -> bool:
        if " ".join(line.casefold().split()) == NO_TO_ALL:
            return self.execute(DeclineAll(), seat)
        return super().handle(line, seat)

    @override
    def misunderstood(self, line: str, error: CommandError, seat: Seat) -> None:
        if not self._at_terminal:
            super().misunderstood(line, error, seat)
            return
        word, state = line.split(maxsplit=1)[0], self._state
        message = f"{error}.".replace("possible: yes, no.", f"possible: yes, no, {NO_TO_ALL}.")
        hint = suggestion(line, state) or table_hint(word, None, None, table=self.client.table)
        if state.phase in ACTIONS and is_action(word, state.phase, state.variant):
            message, hint = complaint(line, error), ""
            if message == INVALID_COMMAND:
                hint = f"Usage: {usage_of(line)}"
        elif state.phase in ACTIONS and error.place == 1 and not word.isdecimal():
            message = INVALID_COMMAND
        flush_lines([message, hint[:1].upper() + hint[1:].rstrip()], self.client.console)

    @override
    def execute(self, request: object, seat: Seat) -> bool:
        state = self._state
        match request:
            case Show("board") if self._at_terminal:
                self.client.say(self._log.board(state))
            case Show("log"):
                self.client.say(self._log.answer_log(seat))
            case Show("help"):
                self.client.say(help_text(state))
            case Show(what):
                flush_lines(answer_look(what, state, seat), self.client.console)
            case Save(None):
                return self.execute_table(SaveMatch(), seat)
            case Save(str(file)):
                save_in(file, state)
                self.client.say(f"Saved in {file!r}.")
            case Resign(bot):
                self.client.request(ReseatIn(seat, bot or self.client.session.plugin.best_bot))
            case DeclineAll():
                self._decline_all(seat)
            case _:
                raise ContractError(f"{request!r} is not a request of Constructor")
        return True

    def _decline_all(self, seat: Seat) -> None:
        if self._state.phase is not Phase.ANSWERING or seat not in self.client.match.to_act:
            raise CommandError("there is no offer for you to decline")
        self._log.declining.add(seat)
        self.client.say(f"{COLOURS[seat]} declines all offers in this turn.")
        self.client.request(ActIn("no", seat=seat))

    @override
    def topics(self, seat: Seat | None) -> Sequence[Topic]:
        if not self._at_terminal:
            return super().topics(seat)
        return [*person_help(self._state), self.table_topic()]

    @override
    def hint(self, action: object) -> str:
        return meaning(action, self._state)

    # News.

    def _observe(self, event: Event) -> None:
        """Collect the texts to print, and the texts for `log`."""
        if isinstance(event, ActionsUndone):
            self._log.forget_undone(event.ply, self._state)
            self._turn = self._whose_turn()
            self._pending.append(self.client.session.plugin.text.event(event, self.client.names))
        elif not isinstance(event, MatchEnded):
            self._update_bots()
            if isinstance(event, TurnBegan):
                self._is_bots_turn_over |= self._turn in self._bots
                self._turn = event.seat
            self._pending += self._log.observe(event, self._state)

    @override
    def event(self, event: Event, reader: Watcher) -> str:
        return "" if self._at_terminal else super().event(event, reader)

    @override
    def show_news(self, lines: list[str]) -> None:
        super().show_news(lines)
        pending, self._pending = self._pending, []
        ended, self._is_bots_turn_over = self._is_bots_turn_over, False
        if self._at_terminal:
            flush_lines(pending, self.client.console)
            if ended and not self.over():
                self._wait_a_moment()

    def _wait_a_moment(self) -> None:
        """Wait, so that people can read about a bot's turn."""
        pause = self._pause
        if pause is None:
            pause = PAUSE if self.client.seats else 0
        if pause:
            self._wait(pause)

    @override
    def seated(self, seat: Seat, player: str) -> None:
        self._update_bots()
        super().seated(seat, player)
