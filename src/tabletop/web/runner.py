"""The driver of a table on an event loop: its timer, its screens, and its bots."""

from __future__ import annotations

import asyncio
import logging
from asyncio import AbstractEventLoop, Event, Handle, Lock, Task
from collections.abc import Callable
from itertools import count
from typing import Final

from tabletop.errors import IllegalAction, OutOfDate, TabletopError
from tabletop.protocol.incoming import MessageIn
from tabletop.protocol.outgoing import MessageOut
from tabletop.table.bot_pool import Asker, Pool, answer
from tabletop.table.inputs import (
    Ask,
    AskBot,
    BotActs,
    BotBegun,
    BotChose,
    BotRefused,
    Close,
    Cut,
    DropBot,
    Effect,
    Fault,
    Input,
    Keep,
    Link,
    Open,
    OpenNext,
    Refused,
    Shut,
    Tick,
    Wake,
    Wants,
)
from tabletop.table.limits import Bucket, TooFast
from tabletop.table.match_table import MatchTable
from tabletop.table.players import ActionFailed, Replaced
from tabletop.table.presenter import SharedPaths, TablePresenter
from tabletop.web.limits import Limits

SENDING_ROUNDS: Final = 100
"""Rounds of the event loop that a bot waits at most for screens that draw the last move."""

STOPPED: Final = 4404
"""The code of a connection that is closed because its table is stopped, or its host ends it."""

GOING_AWAY: Final = 1001
"""The code of a connection that is closed because the server or the table is closed."""

_log = logging.getLogger("tabletop")


class Port:
    """The connection of a screen, as its table sees it.

    Attributes:
        wake: Set when messages are due.
        cut: The reason why the connection is to be closed, or None.
        openings: The limit for tables opened from its address, or None for no limit.
    """

    def __init__(self, number: int, link: Link, openings: Bucket | None) -> None:
        self.number = number
        self.link = link
        self.wake: Event = Event()
        self.cut: Cut | None = None
        self.openings = openings


class TableRunner:
    """Passes inputs to a table, and carries out its effects.

    Args:
        loop: The event loop, on whose thread everything happens.
        shared: The paths that players may share, by default none.
        pool: The processes in which bots think. Without them, hints are found in a thread.
        turn: A lock that a table holds while a move of a bot is made and sent. It is shared by all
            tables of a server, because otherwise the moves of many tables pile up.
        shares: The names that share the time of the processes (`tabletop.table.Asker`).
        on_keep: Called after changes that may have to be saved.
        on_open_next: Opens a table for the same players, and returns its pages.
        elsewhere: Carries out effects that concern another driver of the table, such as a terminal.
            Returns whether an effect is one of them.
    """

    def __init__(
        self,
        table: MatchTable,
        loop: AbstractEventLoop,
        limits: Limits,
        *,
        shared: SharedPaths | None = None,
        pool: Pool | None = None,
        turn: Lock | None = None,
        shares: tuple[str, ...] = (),
        on_keep: Callable[[], object] = lambda: None,
        on_open_next: Callable[[int, int], object] = lambda screen, number: None,
        elsewhere: Callable[[Effect], bool] = lambda effect: False,
    ) -> None:
        self.table = table
        self.limits = limits
        self.shares = shares
        self._elsewhere = elsewhere
        self.presenter: TablePresenter = TablePresenter(table, shared)
        self.ports: dict[int, Port] = {}
        self._loop = loop
        self._pool = pool
        self._turn = turn or Lock()
        self._on_keep = on_keep
        self._on_open_next = on_open_next
        self._numbers = count(1)
        self._timer: Handle | None = None
        self._timer_at: float | None = None  # 0 for a tick in the next round of the loop
        self._thinking: dict[int, Task[None]] = {}
        self._set_timer()

    def receive(self, given: Input) -> None:
        """Pass an input to the table, carry out the effects, and set the timer."""
        for effect in self.table.receive(given, self._loop.time()):
            if not self._elsewhere(effect):
                self._carry_out(effect)
        self._set_timer()

    def _carry_out(self, effect: Effect) -> None:
        match effect:
            case Wake(screen) | Cut(screen) if screen in self.ports:
                self.ports[screen].wake.set()
                if isinstance(effect, Cut):
                    self.ports[screen].cut = effect
            case AskBot():
                task = self._loop.create_task(self._ask_bot(effect))
                self._thinking[effect.number] = task
                task.add_done_callback(lambda task: self._end_question(effect.number, task))
            case DropBot(number):
                if number in self._thinking:
                    self._thinking[number].cancel()
            case OpenNext(screen, number):
                self._open_next(screen, number)
            case Keep():
                self._on_keep()
            case Replaced() | ActionFailed() | Fault():
                self._report(effect)

    def _report(self, effect: Replaced | ActionFailed | Fault) -> None:
        match effect:
            case Replaced(player=player, error=error):
                self._log(f"the bot {player} has failed", error)
            case ActionFailed(errors=errors):
                for error in errors:
                    self._log(f"a table of {self.table.match.game.name}", error)
            case Fault(message, error):
                self._log(message, error)

    def _log(self, message: str, error: Exception) -> None:
        # The notes contain the traceback of another process.
        is_plain = isinstance(error, TabletopError) and not hasattr(error, "__notes__")
        _log.error("%s: %s", message, error, exc_info=None if is_plain else error)

    def _set_timer(self) -> None:
        deadline = self.table.deadline
        if deadline is not None and deadline <= self._loop.time():
            deadline = 0
        if deadline == self._timer_at:
            return
        if self._timer is not None:
            self._timer.cancel()
        self._timer, self._timer_at = None, deadline
        if deadline is not None:
            self._timer = (
                self._loop.call_at(deadline, self._tick)
                if deadline
                else self._loop.call_soon(self._tick)
            )

    def _tick(self) -> None:
        self._timer = self._timer_at = None
        self.receive(Tick())

    # Screens.

    def open(
        self, link: Link, wants: Wants, *, changes: bool = False, openings: Bucket | None = None
    ) -> Port:
        """Open a screen."""
        port = Port(next(self._numbers), link, openings)
        self.ports[port.number] = port
        self.receive(Open(link, port.number, wants, changes))
        return port

    def close_screen(self, port: Port) -> None:
        """Close a screen."""
        del self.ports[port.number]
        self.receive(Close(port.number))

    def ask(self, port: Port, message: MessageIn) -> None:
        """Pass on the request of a screen."""
        self.receive(Ask(port.number, message))

    def due(self, port: Port) -> list[MessageOut]:
        """Return the messages that are due for a screen, and set the timer."""
        messages = list(self.table.due(port.number, self.presenter, self._loop.time()))
        self._set_timer()
        return messages

    @property
    def has_due(self) -> bool:
        """True if a screen has unsent messages."""
        return any(port.wake.is_set() for port in self.ports.values())

    def _open_next(self, screen: int, number: int) -> None:
        openings = self.ports[screen].openings
        if openings is not None and not openings.take(self._loop.time()):
            error = TooFast("you have opened too many tables; wait a moment and try again")
            self.receive(Refused(screen, number, error))
            return
        try:
            self._on_open_next(screen, number)
        except TabletopError as error:
            self.receive(Refused(screen, number, error))

    # Bots.

    async def _ask_bot(self, asked: AskBot) -> None:
        """Have a bot choose, and make its move while no other table does."""
        given: BotActs | BotChose | BotRefused
        try:
            given = BotActs(asked.number) if asked.resident else await self._chosen(asked)
        except Exception as error:
            given = BotRefused(asked.number, error)
        if asked.hint_for is not None:
            self.receive(given)
            return
        async with self._turn:
            self.receive(given)
            for _ in range(SENDING_ROUNDS):
                await asyncio.sleep(0)
                if not self.has_due:
                    await asyncio.sleep(0)  # so that the screens can send what they have drawn
                    break

    def _end_question(self, number: int, task: Task[None]) -> None:
        del self._thinking[number]
        if task.cancelled():
            self.receive(BotRefused(number, OutOfDate("the position has changed")))

    async def _chosen(self, asked: AskBot) -> BotChose:
        number, pool = asked.number, self._pool
        if asked.hint_for is not None and pool is not None and pool.waiting >= self.limits.hints:
            raise IllegalAction("too many bots are thinking; try again soon")
        question = self.table.question(number)
        if pool is None:
            plugin = self.table.plugin
            return BotChose(number, await asyncio.to_thread(answer, question, plugin))
        asker = Asker(asked.people_wait, self.shares)
        begun = BotBegun(number)
        return BotChose(number, await pool.ask(question, lambda: self.receive(begun), asker))

    # The end.

    def close(self, code: int = GOING_AWAY, message: str = "") -> None:
        """Close all screens, and leave the match as it is. Closing again has no effect."""
        self.receive(Shut(code, message))
