"""The terminal's side of Constructor, at every table and in the program `constructor` (§4).

The program with piped input prints what the document does, to the character, and understands
nothing else but `resign` (§6, question 5). A person at a terminal gets the document's texts,
summaries of what bots have done, and the commands of every table. `tabletop play constructor` with
piped input is as with any game, with the words of `constructor.program.table_commands`.
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
    REQUESTS,
    RESIGN,
    DeclineAll,
    Resign,
    Save,
    Show,
    answer_look,
    complaint,
    help_text,
    is_action,
    save_in,
    usage_of,
)
from constructor.rules.actions import Decline, parse
from constructor.rules.events import TurnBegan
from constructor.rules.game import PATIENCE
from constructor.rules.reasons import INVALID_ROLL
from constructor.rules.state import COLOURS, ConstructorState, Phase
from constructor.text.drawing import draw_board, paint
from constructor.text.text_view import (
    INVALID_COMMAND,
    PROMPT,
    as_typed,
    labels,
    question,
    result_text,
    statuses,
    turn_begins,
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
from tabletop.errors import NotPermitted
from tabletop.protocol import ActIn, ReseatIn
from tabletop.records import HUMAN
from tabletop.session import Session
from tabletop.terminal import SaveMatch, TerminalClient, TerminalUI, Topic, flush_lines, table_hint

PAUSE: Final = 1.0
"""Seconds that people at a terminal have for each turn of a bot."""

_MISUNDERSTOOD: Final = {
    Phase.SETUP: INVALID_COMMAND,
    Phase.CHOOSING_ROLL: INVALID_ROLL,
    Phase.ANSWERING: "",
}
"""The document's replies to invalid answers; in other phases it prints the error's message."""

STUCK: Final = (
    f"Nobody has built for {PATIENCE.default} turns and only bots are playing,"
    " so the game ends here."
)


def is_stuck(session: Session) -> bool:
    """Return whether a match without `PATIENCE` is left to bots that do not end it."""
    state = session.match.state
    return not (session.people or state.patience) and bool(state.idle >= PATIENCE.default)


class ConstructorUI(TerminalUI):
    """The terminal interface of Constructor.

    `wait` sleeps for some seconds; `pause` gives those after a bot's turn, by default `PAUSE`
    while people play. The program `constructor` says how to `leave` (§4.5).
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
        self._document = leave is not None and not self._at_terminal
        self._tells = self._at_terminal or self._document
        self._bots: set[Seat] = set()
        self._update_bots()
        self._log = TurnLog(self._bots, get_terminal_size)
        self._pending: list[str] = []
        self._turn = self._whose_turn()
        self._is_bots_turn_over = False
        if not self._document:
            self._opening = self._log.opening(self._state)
        else:
            in_setup = self._turn is None
            self._opening = [draw_board(self._state) if in_setup else turn_begins(self._state)]
        client.console.paint_with(paint)
        # Observed on the match itself: the beginning of a turn is printed from the state of that
        # moment, and once for all who sit here.
        client.match.observe(self._observe)

    @property
    def _state(self) -> ConstructorState:
        state: ConstructorState = self.client.match.state
        return state

    def _whose_turn(self) -> Seat | None:
        """Return the seat whose turn it is; None in the setup."""
        return None if self._state.phase is Phase.SETUP else self._state.turn

    def _update_bots(self) -> None:
        # Changed in place: the log looks at the same set.
        self._bots.clear()
        players = self.client.session.players
        self._bots.update(seat for seat, player in enumerate(players) if player != HUMAN)

    # From the first line to the last.

    @override
    def opening(self) -> None:
        """Name the game; the program does so only for a game that goes on."""
        if self._leave is None or (self._at_terminal and self.client.match.ply):
            super().opening()

    @override
    def begin(self) -> None:
        super().begin()
        if self._at_terminal:
            self._warn_of_width()
        if self._tells and not self.over():
            named = [label for label in labels(self.client.names) if label not in COLOURS]
            flush_lines([", ".join(named), *self._opening], self.client.console)

    def _warn_of_width(self) -> None:
        """Say that a terminal is too narrow for the board, whose lines it breaks."""
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
        if self._document:
            self.client.say(self._result())
        elif self._at_terminal:
            flush_lines(self._log.ending(self._state, self._result()), self.client.console)
        else:
            super().ending()

    def _result(self) -> str:
        """Say in a line how the match has ended; empty while it has no outcome."""
        match = self.client.match
        if self._leave is not None:
            return result_text(match.outcome, match.state)
        text = self.client.session.plugin.text
        return "" if match.outcome is None else text.outcome(match.outcome, self.client.names)

    @override
    def interrupted(self) -> None:
        """Begin a line after Ctrl-C, where the document does not forbid it."""
        if not self._document:
            super().interrupted()

    @override
    def left(self) -> None:
        if self._leave is None:
            super().left()
        else:
            self._leave()

    # Deciding.

    @override
    def before(self, seat: Seat) -> None:
        if self._leave is not None and is_stuck(self.client.session):
            self.client.say(STUCK)
            raise EndOfInput("only bots are playing, and they are stuck")
        if self._document:
            flush_lines([question(self._state)], self.client.console)
        declines = seat in self._log.declining and seat not in self._bots
        if declines and self._state.phase is Phase.ANSWERING:
            self.client.request(ActIn(str(Decline())))

    @override
    def asked(self, seat: Seat) -> None:
        if self._at_terminal:
            flush_lines(self._log.before_question(self._state), self.client.console)
        elif not self._document:
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
    def prompt(self, seat: Seat) -> str:
        return PROMPT if self._document else super().prompt(seat)

    @override
    def handle(self, line: str, seat: Seat) -> bool:
        if self._document:
            self._handle_as_document(line, seat)
            return True
        if " ".join(line.casefold().split()) == NO_TO_ALL:
            return self.execute(DeclineAll(), seat)
        return super().handle(line, seat)

    def _handle_as_document(self, line: str, seat: Seat) -> None:
        """Handle a line as the document's program does."""
        word, phase = line.split(maxsplit=1)[0], self._state.phase
        requests = RESIGN if word in RESIGN else REQUESTS.get(phase)
        if requests is not None and word in requests:
            request = requests.parse(line)
            try:
                self.execute(request, seat)
            except (CommandError, NotPermitted) as error:
                self.client.say(f"{str(error).rstrip('.')}.")
        elif phase not in ACTIONS:
            try:
                self.client.request(ActIn(str(parse(line, phase))))
            except CommandError as error:
                flush_lines([_MISUNDERSTOOD.get(phase, f"{error}.")], self.client.console)
        elif is_action(word, phase, self._state.variant):
            self.client.request(ActIn(str(parse(line, phase))))
        else:
            self.client.say(INVALID_COMMAND)

    @override
    def refused(self, line: str, error: Exception, seat: Seat) -> None:
        if self._document and isinstance(error, CommandError):
            self.client.say(complaint(line, error))
        else:
            super().refused(line, error, seat)

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
                if not self._document:
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
        """Note the texts to print, and those for `log`."""
        if isinstance(event, ActionsUndone):
            self._log.forget_undone(event.ply, self._state)
            self._turn = self._whose_turn()
            self._pending.append(self.client.session.plugin.text.event(event, self.client.names))
        elif not isinstance(event, MatchEnded):
            self._update_bots()
            if isinstance(event, TurnBegan):
                self._is_bots_turn_over |= self._turn in self._bots
                self._turn = event.seat
            if self._document:
                self._pending.append(as_typed(event, self._state, self._bots))
            else:
                self._pending += self._log.observe(event, self._state)

    @override
    def event(self, event: Event, reader: Watcher) -> str:
        return "" if self._tells else super().event(event, reader)

    @override
    def show_news(self, lines: list[str]) -> None:
        if not self._document:
            super().show_news(lines)
        pending, self._pending = self._pending, []
        ended, self._is_bots_turn_over = self._is_bots_turn_over, False
        if self._tells:
            flush_lines(pending, self.client.console)
            if ended and not self.over():
                self._wait_a_moment()

    def _wait_a_moment(self) -> None:
        """Give people time to read about a bot's turn."""
        pause = self._pause
        if pause is None:
            pause = PAUSE if self.client.seats else 0
        if pause:
            self._wait(pause)

    @override
    def seated(self, seat: Seat, player: str) -> None:
        self._update_bots()
        if self._document:
            self.client.say(f"The bot {player} plays on for {COLOURS[seat]}.")
        else:
            super().seated(seat, player)
