"""The driver of a table for one terminal, which may have a window next to it.

    with LocalTable(match, plugin, ["human", "hard"], console) as table:
        table.play(action)
        table.step()  # the bot acts

Without a window there is no event loop. With one, the window and the terminal are two screens of
the table, and the console runs the loop while it waits.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from time import monotonic
from typing import TYPE_CHECKING, Any, Final, Protocol

from tabletop.errors import TabletopError
from tabletop.match.match import AnyMatch
from tabletop.match.observers import Recorder
from tabletop.protocol.incoming import ActIn, MessageIn, ReseatIn, SitIn
from tabletop.protocol.outgoing import MessageOut
from tabletop.protocol.settings import TableSettings
from tabletop.states.bounds import Seat
from tabletop.table.inputs import (
    Ask,
    AskBot,
    BotActs,
    BotChose,
    BotRefused,
    DropBot,
    Effect,
    Fault,
    Hurry,
    Input,
    Open,
    SatDown,
    Tick,
    Wake,
    Wants,
)
from tabletop.table.limits import TableLimits
from tabletop.table.match_table import MatchTable
from tabletop.table.players import ActionFailed, Replaced
from tabletop.table.seat_holder import USUAL_SIZE, Refusal, Screen, SeatHolder
from tabletop.table.undo import UndoPolicy
from tabletop.terminal.console import Console
from tabletop.terminal.hints import choose_hint

if TYPE_CHECKING:
    from typing import Self

    from tabletop.registry import Plugin
    from tabletop.rules.events import ObserverFailure

SCREEN: Final = 0
"""The number of the terminal among the screens of its table. Pages have numbers from 1."""

LIMITS: Final = TableLimits(
    undone=sys.maxsize, looks_at_once=sys.maxsize, waiting=sys.maxsize, save_again=0
)
"""The limits of a table on this machine, whose people may undo without end."""


class Window(Protocol):
    """The window next to a terminal: a page of the same table for the same people."""

    @property
    def where(self) -> str:
        """A line with the address of the page."""

    @property
    def is_open(self) -> bool:
        """True while a browser displays the page."""

    def receive(self, given: Input) -> None:
        """Pass an input to the table, and carry out the effects that concern pages."""

    def settle(self) -> None:
        """Wait until the page has received everything that is due."""

    def freeze(self) -> None:
        """Keep displaying the present position, and offer a replay page if the match is over."""

    def stay(self) -> None:
        """Keep the page open while people look at the end of the match."""


def _ignore() -> None:
    """Do nothing about a change."""


class OpenWindow(Protocol):
    """Opens a window next to the terminal with a console."""

    def announce(self, plugin: Plugin, console: Console) -> object:
        """Print how people open the page, before there is a table."""

    def __call__(
        self, table: MatchTable, console: Console, elsewhere: Callable[[Effect], bool]
    ) -> Window:
        """Display a table from now on.

        Args:
            table: The table.
            console: The console of the terminal.
            elsewhere: Carries out an effect that concerns the terminal. Returns False for others.
        """


class LocalTable:
    """A table of the people at one terminal, as a `tabletop.terminal.Playing`.

    Args:
        match: The match.
        plugin: The game.
        players: The player of each seat: "human" or the name of a bot.
        console: The console of the terminal.
        recorder: Records the match.
        undo: The rule for undo.
        window: Opens a window next to the terminal.
        on_failure: Called with each failure of an observer.

    Attributes:
        table: The table.
        holder: The people at the terminal.
        screen: The terminal, among the screens of the holder.
        window: The window, or None.
        on_change: Called when something has happened that may concern the terminal.
    """

    def __init__(
        self,
        match: AnyMatch,
        plugin: Plugin,
        players: Sequence[str],
        console: Console,
        *,
        recorder: Recorder | None = None,
        undo: UndoPolicy = "free",
        window: OpenWindow | None = None,
        on_failure: Callable[[ObserverFailure], object] | None = None,
    ) -> None:
        self.match = match
        self.plugin = plugin
        self.table: MatchTable = MatchTable(
            match,
            plugin,
            players,
            TableSettings(casual=True),
            monotonic(),
            undo=undo,
            recorder=recorder,
            seating={0: None},
            limits=LIMITS,
            secret=_secret,
            on_failure=on_failure,
        )
        self.holder: SeatHolder = self.table.holders[0]
        self.holder.covers = console.interactive
        self.on_change: Callable[[], object] = console.cancel_prompt
        self._console = console
        self._asked: AskBot | None = None
        self._failures: list[Replaced | ActionFailed] = []
        self._keeps_fault = False
        self._fault: Exception | None = None
        self.window: Window | None = None
        if window is not None:
            self.window = window(self.table, console, self._carry_out)
        self.receive(Open(0, SCREEN, Wants(size=USUAL_SIZE)))
        self.screen: Screen = self.holder.screens[SCREEN]
        self.screen.is_woken = False

    def receive(self, given: Input) -> None:
        """Pass an input to the table, and carry out the effects."""
        if self.window is not None:
            self.window.receive(given)
            return
        for effect in self.table.receive(given, monotonic()):
            self._carry_out(effect)

    def _receive_and_keep_fault(self, given: Input) -> None:
        """Pass an input to the table. A window logs no `Fault`, which the terminal reports."""
        self._keeps_fault, self._fault = True, None
        try:
            self.receive(given)
        finally:
            self._keeps_fault = False

    def _carry_out(self, effect: Effect) -> bool:
        """Carry out an effect that concerns the terminal. Return False for others."""
        match effect:
            case Wake(screen=number) if number == SCREEN:
                self.holder.screens[SCREEN].is_woken = False  # so that later changes are reported
                self.on_change()
            case AskBot(number, hint_for=screen) if screen == SCREEN:
                self._give_hint(number)
            case AskBot(hint_for=None):
                self._asked = effect
                self.on_change()
            case DropBot(number) if self._asked is not None and self._asked.number == number:
                self._asked = None
            case Replaced() | ActionFailed():
                self._failures.append(effect)
            case Fault(error=error) if self._keeps_fault:
                self._fault = error
            case SatDown():
                self.on_change()
            case _:
                return False
        return True

    # Requests.

    def request(self, message: MessageIn) -> MessageOut | None:
        """Make a request of the people at the terminal, and return its answer, if it has one.

        Raises:
            TabletopError, ValueError: The request is refused.
        """
        answers, found = self.screen.answers, None
        answers.clear()  # notes, which the terminal words in its own way
        self._receive_and_keep_fault(Ask(SCREEN, message))  # the refusal reports it
        for answer in answers:
            if isinstance(answer, Refusal):
                raise answer.error
            if not callable(answer):
                found = answer
        return found

    @property
    def players(self) -> tuple[str, ...]:
        """The player of each seat: "human" or the name of a bot."""
        return self.table.players

    def play(self, action: Any) -> None:
        """Play an action of a person.

        Raises:
            TabletopError, ValueError: The action is refused.
        """
        self.match.check(action)  # refuses an illegal action in the words of the game
        self.request(ActIn(str(action), seat=self.match.actor(action)))
        self.settle()

    def put(self, seat: Seat, player: str) -> None:
        """Give a seat to a bot or to a person.

        Raises:
            TabletopError: The request is refused.
        """
        self.request(ReseatIn(seat, player))
        self.settle()

    def sit_down(self, seat: Seat) -> None:
        """Note that a person has taken the keyboard, so that their view may be shown."""
        self.receive(Ask(SCREEN, SitIn(seat)))

    # Bots.

    def step(self) -> Replaced | ActionFailed | None:
        """Let the next bot act after a pause, unless a person has taken its seat meanwhile.

        Returns:
            The same as `Players.step`.
        """
        self.settle()
        if self.wait_for_bot():
            self.let_bot_act()
        self.settle()
        match self.take_failures():
            case [failure]:
                return failure
        return None

    def wait_for_bot(self) -> bool:
        """Wait until the next bot is asked for its move. Return False if no bot is to act."""
        is_watched = self._console.interactive and bool(self.table.people)
        while self.table.bot_to_act is not None:
            if self.window is None or not self.window.is_open:
                self.receive(Hurry(is_watched))
            self.receive(Tick())
            deadline = self.table.deadline
            if self.is_bot_asked or deadline is None:
                break
            if deadline > monotonic():
                self._console.wait(deadline - monotonic())
        return self.is_bot_asked

    @property
    def is_bot_asked(self) -> bool:
        """Whether a bot has been asked for its move."""
        return self._asked is not None

    def let_bot_act(self) -> None:
        """Let the bot that is asked think and act.

        Raises:
            ContractError: The rules have failed.
            RecordError: The action cannot be recorded.
        """
        asked, self._asked = self._asked, None
        if asked is None:
            return
        self._receive_and_keep_fault(BotActs(asked.number))
        if self._fault is not None:
            raise self._fault

    def _give_hint(self, number: int) -> None:
        """Let a bot think about the hint that the person at the terminal wants."""
        given: BotChose | BotRefused
        try:
            found = choose_hint(self.table.question(number), self.plugin, self._console)
            given = BotChose(number, found)
        except TabletopError as error:
            given = BotRefused(number, error)
        self.receive(given)

    def take_failures(self) -> list[Replaced | ActionFailed]:
        """Return and clear the failures of bots."""
        failures, self._failures = self._failures, []
        return failures

    # The window.

    def settle(self) -> None:
        """Let the page display everything that has happened."""
        if self.window is not None:
            self.window.settle()

    def pause(self, seconds: float) -> None:
        """Give people who look at the page some seconds to see the position."""
        self.settle()
        if self.window is not None and self.window.is_open:
            self._console.wait(seconds)

    def freeze(self) -> None:
        """Keep showing the present position on the page, because the match does not continue.

        Later changes, such as a page that is opened, do not concern the terminal.
        """
        self.on_change = _ignore
        if self.window is not None:
            self.window.freeze()
        self.settle()

    def close(self) -> None:
        """End the programs of bots."""
        self.table.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _secret() -> str:
    from secrets import token_hex  # needed only for the samples of a remote bot

    return token_hex()
