"""Constructor at a table of one's own: the skin of `tabletop play constructor` (Constructor §4.3).

The words that look (`board`, `status`, `residences`, `log`), `save`, `resign` and `no to all` are
understood wherever lines come from. Who sits at a real terminal is told a match as in the program
`constructor`, see `constructor.telling`; what is printed when input is piped stays as at every
table.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from dataclasses import dataclass
from shutil import get_terminal_size
from typing import ClassVar, Final

from typing_extensions import override

from constructor.actions import Decline
from constructor.colours import inks_of, paint
from constructor.drawing import draw_board
from constructor.hints import ALWAYS, NO_TO_ALL, meaning, person_help, suggestion
from constructor.requests import (
    ACTIONS,
    Resign,
    Save,
    ShowBoard,
    ShowLog,
    ShowResidences,
    ShowStatus,
    complaint,
    is_action,
)
from constructor.saves import write_save
from constructor.state import COLOURS, ConstructorState, Phase
from constructor.telling import AtTerminal
from constructor.text import (
    INVALID_COMMAND,
    changed_tiles,
    labels,
    residences,
    statuses,
)
from tabletop import (
    ActionsUndone,
    Command,
    CommandError,
    Commands,
    ContractError,
    Event,
    MatchEnded,
    Seat,
    Text,
    Watcher,
    Word,
)
from tabletop.host.files import write_text
from tabletop.records.entries import HUMAN
from tabletop.session import Act, Play, Reseat
from tabletop.terminal.console import tell_all
from tabletop.terminal.screen import Screen
from tabletop.terminal.skin import Skin
from tabletop.terminal.textfiles import reason
from tabletop.terminal.words import TABLE_COMMANDS, table_hint

BEST_BOT: Final = "builder"
"""Who plays on for a person who does not say which bot should."""

PAUSE: Final = 1.0
"""How many seconds people at a terminal have for each turn of a bot."""


@dataclass(frozen=True, slots=True)
class DeclineAll:
    """`no to all`: no to this offer, and to every other one in the same turn."""


class ConstructorSkin(Skin):
    """How a terminal front plays Constructor.

    Args:
        screen: what it works with.
        wait: lets so many seconds go by.
    """

    commands: ClassVar[Commands] = Commands(
        Command("board", ShowBoard, help=ALWAYS["board"]),
        Command("status", ShowStatus, help=ALWAYS["status"]),
        Command("residences", ShowResidences, help=ALWAYS["residences"]),
        Command("log", ShowLog, help=ALWAYS["log"]),
        Command("save", Save, Text("file"), help="Save the game as the program constructor does."),
        Command("resign", Resign, Word("bot", optional=True), help=ALWAYS["resign"]),
        Command(NO_TO_ALL, DeclineAll, help="Decline an offer, and all others in this turn."),
    )

    def __init__(self, screen: Screen, *, wait: Callable[[float], object] = time.sleep) -> None:
        super().__init__(screen)
        self._wait = wait
        self._at_terminal = screen.console.interactive
        self._bots: set[Seat] = set()
        self._waiting: list[str] = []
        self._is_bots_turn_over = False
        self._see_bots()
        self._telling = AtTerminal(self._bots, lambda: get_terminal_size().columns)
        self._opening = self._telling.opening(self._state)
        inks = inks_of(os.environ.get("TERM", ""))
        screen.console.paint_with(lambda text: paint(text, inks))
        # Heard as it happens, so that a turn is told as it began, and once for all who sit here.
        screen.match.observe(self._notice)

    @property
    def _state(self) -> ConstructorState:
        state: ConstructorState = self.screen.match.state
        return state

    def _see_bots(self) -> None:
        """Note which seats bots play for; the telling looks at the same set."""
        self._bots.clear()
        players = self.screen.session.players
        self._bots.update(seat for seat, player in enumerate(players) if player != HUMAN)

    # From the first line to the last.

    @override
    def begin(self) -> None:
        super().begin()
        if self._at_terminal and not self.over():
            named = [label for label in labels(self.screen.names) if label not in COLOURS]
            tell_all([", ".join(named), *self._opening], self.screen.console)

    @override
    def ending(self) -> None:
        outcome = self.screen.match.outcome
        if not self._at_terminal or outcome is None:
            super().ending()
            return
        said = self.screen.session.plugin.text.outcome(outcome, self.screen.names)
        tell_all(self._telling.ending(self._state, said), self.screen.console)

    # Deciding.

    @override
    def before(self, seat: Seat) -> None:
        declines = seat in self._telling.declining and seat not in self._bots
        if declines and self._state.phase is Phase.ANSWERING:
            self.screen.request(Play(Decline()))

    @override
    def asked(self, seat: Seat) -> None:
        if self._at_terminal:
            tell_all(self._telling.shown(self._state), self.screen.console)
        else:
            super().asked(seat)

    @override
    def obey(self, line: str, seat: Seat) -> bool:
        if " ".join(line.casefold().split()) == NO_TO_ALL:
            return self.serve(DeclineAll(), seat)
        return super().obey(line, seat)

    @override
    def misunderstood(self, line: str, error: CommandError, seat: Seat) -> None:
        if not self._at_terminal:
            super().misunderstood(line, error, seat)
            return
        word, state = line.split(maxsplit=1)[0], self._state
        says, meant = f"{error}.", suggestion(line, state) or table_hint(word, "", TABLE_COMMANDS)
        if state.phase in ACTIONS and is_action(word, state.phase, state.variant):
            says, meant = complaint(line, error), ""
        elif state.phase in ACTIONS and "is not a command" in str(error):
            says = INVALID_COMMAND
        tell_all([says, meant[:1].upper() + meant[1:].rstrip()], self.screen.console)

    @override
    def serve(self, request: object, seat: Seat) -> bool:
        state = self._state
        match request:
            case ShowBoard():
                tell_all([draw_board(state), changed_tiles(state)], self.screen.console)
            case ShowStatus():
                self.screen.say(statuses(state))
            case ShowResidences():
                self.screen.say(residences(state, seat))
            case ShowLog():
                self.screen.say(self._telling.log(seat))
            case Save(file):
                self._save(file)
            case Resign(bot):
                self.screen.request(Reseat(seat, bot or BEST_BOT))
            case DeclineAll():
                self._decline_all(seat)
            case _:
                raise ContractError(f"{request!r} is no request of Constructor")
        return True

    def _save(self, file: str) -> None:
        try:
            write_text(file, write_save(self._state))
        except OSError as error:
            self.screen.say(f"The game cannot be saved in {file!r}: {reason(error)}.")
        else:
            self.screen.say(f"Saved in {file!r}.")

    def _decline_all(self, seat: Seat) -> None:
        if self._state.phase is not Phase.ANSWERING or seat not in self.screen.match.to_act:
            raise CommandError("no trade is offered to you now")
        self._telling.declining.add(seat)
        self.screen.say(f"{COLOURS[seat]} declines all offers in this turn.")
        self.screen.request(Act("no", seat))

    @override
    def help(self) -> None:
        if not self._at_terminal:
            super().help()
            return
        self.screen.say(person_help(self._state))
        self.screen.say("\nAt every table (with / in front where the game has the same word):")
        self.screen.say(TABLE_COMMANDS.help())

    @override
    def hint(self, action: object) -> str:
        return meaning(action, self._state)

    # Telling.

    def _notice(self, event: Event) -> None:
        """Note what is to be said at a terminal, and what `log` tells."""
        if isinstance(event, ActionsUndone):
            self._telling.undone(event.ply, self._state)
            self._waiting.append(self.screen.session.plugin.text.event(event, self.screen.names))
        elif not isinstance(event, MatchEnded):
            self._see_bots()
            self._is_bots_turn_over |= self._telling.ends_turn_of_bot(event)
            self._waiting += self._telling.notice(event, self._state)

    @override
    def event(self, event: Event, reader: Watcher) -> str:
        return "" if self._at_terminal else super().event(event, reader)

    @override
    def tell(self, lines: list[str]) -> None:
        super().tell(lines)
        waiting, self._waiting = self._waiting, []
        ended, self._is_bots_turn_over = self._is_bots_turn_over, False
        if self._at_terminal:
            tell_all(waiting, self.screen.console)
            if ended and self.screen.seats and not self.over():
                self._wait(PAUSE)

    @override
    def seated(self, seat: Seat, player: str) -> None:
        self._see_bots()
        if not self._at_terminal:
            super().seated(seat, player)
            return
        by = "a person" if player == HUMAN else f"the bot {player}"
        self.screen.say(f"{labels(self.screen.names)[seat]} is now played by {by}.")
