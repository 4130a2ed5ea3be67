"""Constructor at a table of one's own: the skin of `tabletop play constructor` (Constructor §4.3).

The words that look (`board`, `status`, `residences`, `log`), `save`, `resign` and `no to all` are
understood wherever lines come from. Who sits at a real terminal follows a match as in the program
`constructor`, see `constructor.narration`; what is printed when input is piped stays as at every
table.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from shutil import get_terminal_size
from typing import Final

from typing_extensions import override

from constructor.actions import Decline
from constructor.colours import inks_of, paint
from constructor.hints import meaning, person_help, suggestion
from constructor.narration import Narrator
from constructor.requests import (
    ACTIONS,
    AT_TABLE,
    NO_TO_ALL,
    DeclineAll,
    Resign,
    Save,
    ShowBoard,
    ShowLog,
    ShowResidences,
    ShowStatus,
    complaint,
    is_action,
    save_in,
    shown,
)
from constructor.state import COLOURS, ConstructorState, Phase
from constructor.text import INVALID_COMMAND, labels, statuses
from tabletop import (
    ActionsUndone,
    CommandError,
    Commands,
    ContractError,
    Event,
    MatchEnded,
    Seat,
    Watcher,
)
from tabletop.records.entries import HUMAN
from tabletop.session import Act, Play, Reseat
from tabletop.terminal.client import TerminalClient
from tabletop.terminal.commands import SaveMatch, table_hint
from tabletop.terminal.console import flush_lines
from tabletop.terminal.ui import TerminalUI, Topic
from tabletop.text import list_actions

PAUSE: Final = 1.0
"""How many seconds people at a terminal have for each turn of a bot."""


class ConstructorSkin(TerminalUI):
    """How a terminal front plays Constructor.

    Args:
        client: what it works with.
        wait: lets so many seconds go by; `Console.wait` when not given.
        pause: how many seconds to wait after a bot's turn; None for `PAUSE`, while people play.
    """

    commands: Commands = AT_TABLE

    def __init__(
        self,
        client: TerminalClient,
        *,
        wait: Callable[[float], object] | None = None,
        pause: float | None = None,
    ) -> None:
        super().__init__(client)
        self._wait = wait or client.console.wait
        self._pause = pause
        self._at_terminal = client.console.interactive
        self._bots: set[Seat] = set()
        self._pending: list[str] = []
        self._is_bots_turn_over = False
        self._update_bots()
        self._narrator = Narrator(self._bots, get_terminal_size)
        self._opening = self._narrator.opening(self._state)
        inks = inks_of(os.environ.get("TERM", ""))
        client.console.paint_with(lambda text: paint(text, inks))
        # Observed on the match itself: the beginning of a turn is printed from the state of that
        # moment, and once for all who sit here.
        client.match.observe(self._observe)

    @property
    def _state(self) -> ConstructorState:
        state: ConstructorState = self.client.match.state
        return state

    def _update_bots(self) -> None:
        """Note which seats bots play for."""
        # Changed in place: the narrator looks at the same set.
        self._bots.clear()
        players = self.client.session.players
        self._bots.update(seat for seat, player in enumerate(players) if player != HUMAN)

    # From the first line to the last.

    @override
    def begin(self) -> None:
        super().begin()
        if self._at_terminal and not self.over():
            named = [label for label in labels(self.client.names) if label not in COLOURS]
            flush_lines([", ".join(named), *self._opening], self.client.console)

    @override
    def ending(self) -> None:
        if self._at_terminal:
            flush_lines(self._narrator.ending(self._state, self.result()), self.client.console)
        else:
            super().ending()

    def result(self) -> str:
        """How the match has ended, in a line; empty while it has no outcome."""
        outcome, text = self.client.match.outcome, self.client.session.plugin.text
        return "" if outcome is None else text.outcome(outcome, self.client.names)

    # Deciding.

    @override
    def before(self, seat: Seat) -> None:
        declines = seat in self._narrator.declining and seat not in self._bots
        if declines and self._state.phase is Phase.ANSWERING:
            self.client.request(Play(Decline()))

    @override
    def asked(self, seat: Seat) -> None:
        if self._at_terminal:
            flush_lines(self._narrator.shown(self._state), self.client.console)
        else:
            super().asked(seat)

    @override
    def show(self, seat: Seat) -> None:
        if not self._at_terminal:
            super().show(seat)
            return
        self.client.say(self._narrator.board(self._state))
        self.client.say(statuses(self._state))
        self.client.say(list_actions(self.client.match.legal_actions(seat)))

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
        hint = suggestion(line, state) or table_hint(word, "", None, table=self.client.table)
        if state.phase in ACTIONS and is_action(word, state.phase, state.variant):
            message, hint = complaint(line, error), ""
        elif state.phase in ACTIONS and "is not a command" in str(error):
            message = INVALID_COMMAND
        flush_lines([message, hint[:1].upper() + hint[1:].rstrip()], self.client.console)

    @override
    def execute(self, request: object, seat: Seat) -> bool:
        state = self._state
        match request:
            case ShowBoard() if self._at_terminal:
                self.client.say(self._narrator.board(state))
            case ShowBoard() | ShowStatus() | ShowResidences():
                flush_lines(shown(request, state, seat), self.client.console)
            case ShowLog():
                self.client.say(self._narrator.log(seat))
            case Save(None):
                return self.execute_table(SaveMatch(), seat)
            case Save(str(file)):
                save_in(file, state)
                self.client.say(f"Saved in {file!r}.")
            case Resign(bot):
                self.client.request(Reseat(seat, bot or self.client.session.plugin.best_bot))
            case DeclineAll():
                self._decline_all(seat)
            case _:
                raise ContractError(f"{request!r} is no request of Constructor")
        return True

    def _decline_all(self, seat: Seat) -> None:
        if self._state.phase is not Phase.ANSWERING or seat not in self.client.match.to_act:
            raise CommandError("no trade is offered to you now")
        self._narrator.declining.add(seat)
        self.client.say(f"{COLOURS[seat]} declines all offers in this turn.")
        self.client.request(Act("no", seat))

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
        """Note what is to be printed at a terminal, and what `log` shows."""
        if isinstance(event, ActionsUndone):
            self._narrator.undone(event.ply, self._state)
            self._pending.append(self.client.session.plugin.text.event(event, self.client.names))
        elif not isinstance(event, MatchEnded):
            self._update_bots()
            self._is_bots_turn_over |= self._narrator.ends_turn_of_bot(event)
            self._pending += self._narrator.observe(event, self._state)

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
        """Give people time to read what a bot has done."""
        pause = self._pause
        if pause is None:
            pause = PAUSE if self.client.seats else 0
        if pause:
            self._wait(pause)

    @override
    def seated(self, seat: Seat, player: str) -> None:
        self._update_bots()
        if not self._at_terminal:
            super().seated(seat, player)
            return
        by = "a person" if player == HUMAN else f"the bot {player}"
        self.client.say(f"{labels(self.client.names)[seat]} is now played by {by}.")
