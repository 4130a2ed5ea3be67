"""The bots of a table in the browser: which there are, how they act, and their hints.

They think in the processes of a pool, so that no table waits for another one's bot. The bot
`random` needs no thought: it acts here.
"""

from __future__ import annotations

import asyncio
import logging
from asyncio import Lock, Task
from collections.abc import Callable, Sequence
from typing import Final

from tabletop.errors import ContractError, IllegalAction, RecordError, RegistryError, TabletopError
from tabletop.match.players import Random
from tabletop.protocol.messages import BotOut, HintOut, RefusedOut
from tabletop.registry import LEVELS, Plugin
from tabletop.rng.streams import Streams
from tabletop.session.bot_pool import Answer, Asker, Pool, Question, answer
from tabletop.session.hints import because, hint_question, how_sure
from tabletop.session.messages import BotFailed
from tabletop.session.session import Session
from tabletop.states.bounds import Seat
from tabletop.web.client import Client, Clients, Screen
from tabletop.web.limits import Limits
from tabletop.web.pacing import Pacing

SEARCHES: Final = ("search:1s", "search:2s", "search:5s", "search:10s")
"""The bots with a budget that can be chosen in a browser."""

SENDING_ROUNDS: Final = 100
"""Rounds of the event loop that the next move waits at most until screens have drawn this one."""

UNSAID: Final = 0.3
"""A bot thinks for so many seconds before people are told that it does."""

UNSAVED: Final = "the match cannot be saved at the moment"
"""What players read while the server cannot write the record of a match."""

_log = logging.getLogger("tabletop")


def bots_of(plugin: Plugin) -> tuple[BotOut, ...]:
    """The bots of a game that can be chosen in a browser: by strength, then the game's own."""
    names = plugin.bot_names
    groups = {
        "Bots, from easy to hard": [name for name in LEVELS if name in names],
        "Made for this game": [it for it in names if it not in LEVELS and it != "random"],
        "With seconds for a move": SEARCHES if plugin.levels else (),
        "Plays anything legal": ["random"],
    }
    return tuple(BotOut(name, group) for group, bots in groups.items() for name in bots)


def refuse_bot(plugin: Plugin, name: str) -> RegistryError | None:
    """Say why a browser may not choose a bot; None when it may.

    Bots that it may not are for the host alone: they could start programs, or think for hours.
    """
    names = [bot.name for bot in bots_of(plugin)]
    if name.casefold() in names:
        return None
    try:
        plugin.bot(name, Streams("unused")["choices"])
    except RegistryError as error:
        return error
    offered = ", ".join(names)
    return RegistryError(f"{plugin.game.name} has no bot {name!r} here; its bots: {offered}")


class TableBots:
    """Has the bots of a table act, one after the other, and asks them for hints.

    Args:
        session: the session of the table.
        clients: the clients of the table.
        limits: the limits for them.
        pool: where bots think. Without it the program that runs the session has them act, and a
            hint is thought of in a thread of this process.
        turn: held by the table whose bot acts; all tables of a server share it.
        shares: whose time the bots take; see `tabletop.session.Asker`.
        on_idle: Called when a bot has made its move, or has been interrupted.

    Attributes:
        thinking: what is said of the bot that thinks now; empty for none.
        held: whether bots wait because people have a pause.
        pacing: The pauses before moves.
    """

    def __init__(
        self,
        session: Session,
        clients: Clients,
        limits: Limits,
        *,
        pool: Pool | None = None,
        turn: Lock | None = None,
        shares: tuple[str, ...] = (),
        on_idle: Callable[[], object] = lambda: None,
    ) -> None:
        self.thinking: str = ""
        self.held: bool = False
        self.pacing: Pacing = Pacing(limits.pause)
        self._session = session
        self._clients = clients
        self._limits = limits
        self._pool = pool
        self._shares = shares
        self._turn = turn or Lock()
        self._on_idle = on_idle
        self._position = 0  # changes with the position and with who decides for a seat
        self._failed_at = -1  # the position in which the bots cannot play on
        self._acting: Task[None] | None = None
        self._asked: Task[Answer] | None = None
        self._asked_seat: Seat = 0
        self._has_begun = False
        self._announce_at: float | None = None
        self._hints: dict[Client, Task[None]] = {}
        self._is_unsaved = False  # whether the move of a bot could not be saved
        self._closed = False

    @property
    def deadline(self) -> float | None:
        """When `tick` must be called at the latest; None while no bot is to act or to wait for."""
        return self.pacing.deadline if self._acting is None else self._announce_at

    def tick(self, now: float) -> None:
        """Ask the next bot when its time has come, and announce a bot that thinks for long."""
        if self._acting is not None:
            if self._announce_at is not None and now >= self._announce_at:
                self._announce_at = None
                self._announce()
        elif self._pool is None or not self._are_to_act():
            self.pacing.rest()
        elif self.pacing.is_time(
            now,
            hurries=bool(self._session.people),
            watched=self._clients.connections > 0,
            delay=self._limits.save_again if self._is_unsaved else 0,
        ):
            self.pacing.asked()
            self._has_begun, self._announce_at = False, now + UNSAID
            self._acting = asyncio.get_running_loop().create_task(self._act(self._pool))

    def changed(self) -> None:
        """Drop what is being thought of a position that has changed."""
        self._position += 1
        for task in (self._asked, *self._hints.values()):
            if task is not None:
                task.cancel()

    def close(self) -> None:
        """Drop everything, for good."""
        self._closed = True
        self.changed()
        if self._acting is not None:
            self._acting.cancel()

    @property
    def _asker(self) -> Asker:
        """The visitor that has opened the table, and the table; people wait where they are here."""
        is_here = self._clients.connections > 0 and bool(self._session.people)
        return Asker(is_here, self._shares)

    # Acting.

    def _are_to_act(self) -> bool:
        """Check whether a bot is to act. Where only bots play, they wait for a spectator."""
        may_act = bool(self._session.people) or self._clients.connections > 0
        is_free = may_act and not self._closed and not self.held
        has_failed = self._failed_at == self._position
        return is_free and not has_failed and self._session.bot_to_act is not None

    async def _act(self, pool: Pool) -> None:
        """Have the next bot act.

        A table holds `turn` while a move is made and sent. Otherwise the moves of many tables
        gather, and people wait for all of them.
        """
        position = self._position
        try:
            choice = await self._choice(pool)
            async with self._turn:
                if position == self._position and self._are_to_act():
                    self._advance(choice)
                    self.pacing.moved()
                for _ in range(SENDING_ROUNDS):
                    await asyncio.sleep(0)
                    if not self._clients.has_due:
                        break
        except Exception as error:
            self._failed_at = self._position
            self._have_failed(error)
        finally:
            self._acting = None
            if not self._closed:
                self._on_idle()

    def _advance(self, answer: Answer | None) -> None:
        """Have a bot make its move. A move that cannot be saved is made again later."""
        try:
            self._session.advance(answer)
        except RecordError as error:  # with a path of the host
            if not self._is_unsaved:
                _log.error("a table of %s: %s", self._session.match.game.name, error)
                self._clients.note(f"the bots wait, because {UNSAVED}")
            self._is_unsaved = True
        else:
            self._is_unsaved = False

    async def _choice(self, pool: Pool) -> Answer | None:
        """Return the choice of the next bot, or None if it acts here or is no longer to act."""
        session, match = self._session, self._session.match
        seat = session.bot_to_act
        if seat is None or type(match.players[seat]) is Random:
            self._announce_at = None
            return None
        bot, chance = session.players[seat], match.bot_stream(seat)
        question = Question.of(session.plugin, bot, match.state, seat, chance=chance)
        self._asked_seat = seat
        asking = pool.ask(question, self._begun, self._asker)
        self._asked = asyncio.get_running_loop().create_task(asking)
        try:
            await asyncio.wait([self._asked])
            return None if self._asked.cancelled() else self._asked.result()
        finally:
            self._announce_at = None
            self._asked.cancel()
            self._asked = None
            self._tell("")

    def _begun(self) -> None:
        self._has_begun = True
        if self.thinking:
            self._announce()

    def _announce(self) -> None:
        name = self._session.match.names[self._asked_seat]
        waits = f"{name} waits until bots of other tables have thought"
        self._tell(f"{name} is thinking" if self._has_begun else waits)

    def _tell(self, thinking: str) -> None:
        if self.thinking != thinking:
            self.thinking = thinking
            self._clients.refresh_table()

    def _have_failed(self, error: Exception) -> None:
        _log.error("a bot has failed: %s", error, exc_info=not isinstance(error, TabletopError))
        self._clients.note(f"the bots cannot play on: {error}")

    def log_failure(self, news: BotFailed) -> None:
        """Log that a bot has failed, unless the program that has it act says so itself."""
        if self._pool is not None:
            _log.error("the bot %s has failed", news.player, exc_info=news.error)

    def log_faults(self, errors: Sequence[ContractError]) -> None:
        """Log that the rules could not apply the action of a bot, unless the program does so."""
        if self._pool is not None:
            for error in errors:
                _log.error("a bot's action has failed: %s", error, exc_info=error)

    # Hints.

    def hint(self, client: Client, screen: Screen, number: int) -> None:
        """Have a bot think about the decision of a client's person.

        The answer goes to the screen, with the number of its question.

        Raises:
            TabletopError: there is no hint, or not now.
        """
        seat = client.seat
        if not client.may_request or seat is None or seat not in client.place.seats:
            raise IllegalAction("you control no seat, so hints are not available")
        if client.covered is not None:
            raise IllegalAction(f"it is {client.names[seat]}'s turn: sit down first")
        if client in self._hints:
            raise IllegalAction("a bot is already thinking about this position")
        if self._pool is not None and self._pool.waiting >= self._limits.hints:
            raise IllegalAction("too many bots are thinking; try again soon")
        question = hint_question(self._session, seat)

        def done(task: Task[None]) -> None:
            del self._hints[client]
            if task.cancelled():  # perhaps before it had begun
                screen.send(HintOut(number, seat))

        thinking = self._hint(question, client, screen, number)
        self._hints[client] = asyncio.get_running_loop().create_task(thinking)
        self._hints[client].add_done_callback(done)

    async def _hint(self, question: Question, client: Client, screen: Screen, number: int) -> None:
        if self._pool is not None:
            found = await self._pool.ask(question, asker=self._asker)
        else:
            found = await asyncio.to_thread(answer, question, self._session.plugin)
        if found.error:
            _log.error("no hint: %s\n%s", found.error, found.trace)
            said = f"the bot {question.bot} has failed: {found.error}"
            screen.send(RefusedOut(number, "failed", said))
        else:
            sure, why = how_sure(found, question.bot), because(found, client.label)
            screen.send(HintOut(number, question.seat, found.action, sure, why))
