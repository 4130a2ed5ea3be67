"""Command that sits at somebody else's table: a person at this terminal, or a bot."""

from __future__ import annotations

import argparse
import asyncio
import sys
from collections.abc import AsyncGenerator, Callable, Coroutine, Iterator
from contextlib import aclosing, contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from time import monotonic
from typing import Any, Final

from msgspec.structs import replace

from tabletop.bots.external import Program, ProgramFault, check_ply, external_bot, late
from tabletop.errors import ContractError, RegistryError, TabletopError, UsageError
from tabletop.host.screen_text import print_error
from tabletop.match.match import AnyMatch, Match
from tabletop.protocol.client import (
    RemoteTable,
    RequestLost,
    RequestRefused,
    TableClosed,
    connect,
    parse_link,
)
from tabletop.protocol.messages import (
    ActIn,
    ConsentOut,
    DoneOut,
    MessageOut,
    RefusedOut,
    SampleIn,
    SamplesOut,
    StateOut,
    TableOut,
)
from tabletop.registry import PROGRAM, Plugin, load
from tabletop.rng.phrases import fresh_phrase
from tabletop.rng.stream import Stream
from tabletop.rng.streams import Streams
from tabletop.session.bot_pool import Question, answer, kind_of
from tabletop.session.own_bots import with_own_bots
from tabletop.states.bounds import Seat
from tabletop.states.codec import to_json
from tabletop.terminal.console import Console
from tabletop.terminal.programs import OK
from tabletop.terminal.remote import RemoteTerminal
from tabletop.terminal.signals import run

_SHARE: Final = 0.1
"""A bot that can be stopped thinks for this share of the time that its seat has left, at most."""


_WAITING: Final = 1000
"""So many messages wait while a bot thinks."""


def add_join_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of `tabletop join`."""
    parser.add_argument("link", metavar="LINK", help="the link to a seat, all of it, or to watch")
    parser.add_argument(
        "--bot",
        metavar="NAME",
        help="let a bot sit there: one of a game that is installed here, learnt:FILE, or"
        " exec:COMMAND",
    )
    parser.add_argument(
        "--game", metavar="GAME", help="the game of the bot, where it is not installed by its name"
    )


def run_join(arguments: argparse.Namespace) -> int:
    """Sit at a table on another machine: from this terminal, or as a bot.

    Who has the link of a seat has the seat. Ctrl-C leaves; the same link lets you come back.
    """
    try:
        parse_link(arguments.link)
    except TableClosed as error:
        raise UsageError(str(error)) from None
    is_program = (arguments.bot or "").casefold().startswith(PROGRAM)
    if arguments.game is not None and (arguments.bot is None or is_program):
        raise UsageError("--game: only a bot of a game needs its game here")
    with asyncio.Runner() as runner:
        loop = runner.get_loop()
        if arguments.bot is None:
            _join_as_person(arguments.link, loop)
            return OK
        task = loop.create_task(_bot_of(arguments)(arguments.link))
        run(loop, asyncio.wait([task]))
        task.result()
    return OK


def _join_as_person(link: str, loop: asyncio.AbstractEventLoop) -> None:
    """Play at the terminal, and at the next table of the same people."""
    console = Console(loop=loop)
    next_link: str | None = link
    while next_link is not None:
        next_link = RemoteTerminal(console, loop, next_link).run()


# Bots.


def _bot_of(arguments: argparse.Namespace) -> Callable[[str], Coroutine[Any, Any, None]]:
    """What plays at the table of a link.

    Raises:
        UsageError: there is no such program.
    """
    name = arguments.bot
    if not name.casefold().startswith(PROGRAM):
        return partial(_play_bot, name=name, source=arguments.game)
    try:
        made = external_bot(name[len(PROGRAM) :])
    except ValueError as error:
        raise UsageError(f"--bot {name}: {error}") from None
    return partial(_play_program, **made.keywords)


def _say_lost(seconds: float, why: str) -> None:
    print_error(f"{why}; trying again in {seconds:.1f} s")


def _check_seat(table: TableOut) -> None:
    if not table.you:
        raise UsageError("this link is for spectators: a bot needs the link of a seat")


async def _messages(table: RemoteTable) -> AsyncGenerator[MessageOut, None]:
    """The messages of a table. To what people ask for a bot agrees at once, also while it thinks.

    Raises:
        TableClosed: there will be no more.
    """
    queue = asyncio.Queue[MessageOut | Exception](_WAITING)

    async def hear() -> None:
        try:
            async for message in table:
                if not isinstance(message, ConsentOut):
                    await queue.put(message)
                elif (message.actions or message.pause) and not message.waits:
                    with suppress(RequestRefused, RequestLost):  # somebody else has answered
                        await table.consent(yes=True)
        except TabletopError as closed:
            await queue.put(closed)

    hearing = asyncio.create_task(hear())
    try:
        while True:
            message = await queue.get()
            if isinstance(message, Exception):
                raise message
            yield message
    finally:
        hearing.cancel()


def _say_over(state: StateOut) -> None:
    if state.over is not None:
        sys.stdout.write(f"{state.over.text}\n")


# A bot of an installed game.


async def _play_bot(link: str, *, name: str, source: str | None) -> None:
    """Have a bot of an installed game choose in states that the table draws for its seat."""
    async with connect(link, on_lost=_say_lost) as table:
        bot = _Bot.of(table, name, source)
        async with aclosing(_messages(table)) as messages:
            async for message in messages:
                if not isinstance(message, StateOut) or message is not table.state:
                    continue  # or what has changed since then
                if message.over is not None:
                    _say_over(message)
                    return
                for seat in message.asked:
                    await bot.act(seat, message)


@dataclass(frozen=True, slots=True)
class _Bot:
    """A bot of a game that is installed here, at a table elsewhere.

    Attributes:
        table: the table.
        plugin: the game.
        name: the name of the bot.
        kind: where the class of the game's states is found; see `kind_of`.
        chance: the stream of the bot.
    """

    table: RemoteTable
    plugin: Plugin
    name: str
    kind: tuple[str, str]
    chance: Stream

    @classmethod
    def of(cls, table: RemoteTable, name: str, source: str | None) -> _Bot:
        """Find the game of a table, and a bot of it.

        Raises:
            UsageError, RegistryError: it is another game, other rules, or has no such bot.
        """
        told = table.table
        _check_seat(told)
        try:
            plugin = load(source or told.game)
        except RegistryError as error:
            hint = "" if source else "; name a file or a module with --game"
            raise UsageError(f"{error}{hint}") from None
        game = plugin.game
        if (game.name, game.version) != (told.game, told.version):
            theirs = f"{told.game}, version {told.version}"
            raise UsageError(
                f"the table plays {theirs}; here is {game.name}, version {game.version}"
            )
        try:
            plugin = with_own_bots(plugin, [name], seats=len(told.names))
        except (ContractError, ValueError) as error:
            raise UsageError(f"--bot {name}: {error}") from None
        plugin.bot(name, Streams("unused")["choices"])  # RegistryError names those there are
        match: AnyMatch = Match(game, seats=len(told.names))
        chance = Streams(fresh_phrase())["choices"]
        return cls(table, plugin, name, kind_of(match.state), chance)

    async def act(self, seat: Seat, state: StateOut) -> None:
        """Choose for a seat, and send that; what people have taken back meanwhile is dropped.

        Raises:
            TabletopError: the bot has failed, or is not allowed to do what it has chosen.
        """
        table = self.table
        try:
            samples = await table.sample(1, seat)
            action = await self._choose(seat, samples, state.deadline)
            await table.request(ActIn(action, seat=seat, revision=state.revision))
        except RequestRefused as error:
            if table.state is state:
                raise TabletopError(f"the bot {self.name} cannot act: {error}") from error
        except RequestLost:
            pass  # the next state shows what was done

    async def _choose(self, seat: Seat, samples: SamplesOut, deadline: float | None) -> str:
        if not samples.states:
            raise TabletopError("the table has drawn no state for it")
        question = Question(
            source=self.plugin.source,
            bot=self.name,
            seat=seat,
            kind=self.kind,
            state=to_json(samples.states[0]),
            chance=self.chance.copy(),
            seconds=None if deadline is None else _SHARE * deadline,
        )
        stops = list[Callable[[], object]]()

        @contextmanager
        def stopping(stop: Callable[[], object]) -> Iterator[None]:
            stops.append(stop)
            yield

        try:
            found = await asyncio.to_thread(answer, question, self.plugin, stopping=stopping)
        finally:
            for stop in stops:  # else this program would not end before it has thought
                stop()
        if found.error:
            raise TabletopError(f"the bot {self.name} has failed: {found.error}")
        self.chance.offset = found.offset
        return found.action


# A program.


async def _play_program(link: str, *, words: list[str], seconds: float) -> None:
    """Have a program talk with a table, as it would at home: it acts when its seat is asked."""
    async with connect(link, on_lost=_say_lost) as table:
        _check_seat(table.table)
        try:
            program = Program(words)
        except ProgramFault as error:
            raise TabletopError(f"the program has failed: {error}") from None
        fault = ""
        try:
            await _let_play(table, program, seconds)
        except TimeoutError:
            fault = late(seconds)
        except ProgramFault as error:
            fault = str(error)
        finally:
            said = program.end(fault)  # also when this was interrupted
        if fault:
            raise TabletopError(f"the program has failed: {said}")


async def _let_play(table: RemoteTable, program: Program, seconds: float) -> None:
    """Tell a program what the table says, and the table what it answers, until the end.

    Raises:
        ProgramFault, TimeoutError: it has done something wrong, or nothing.
    """
    async with aclosing(_messages(table)) as messages:
        async for message in messages:
            if not isinstance(message, StateOut):
                await asyncio.to_thread(program.send, message, monotonic() + seconds)
            elif message is table.state:  # else it would think about what is no more
                await _let_act(table, program, message, seconds)
                if message.over is not None:
                    _say_over(message)
                    program.close()
                    return


async def _let_act(table: RemoteTable, program: Program, state: StateOut, seconds: float) -> None:
    """Tell a program a state; where that asks it to act, let it."""
    if state.asked:
        seconds = min(seconds, state.deadline or seconds)
    until = monotonic() + seconds
    told = replace(state, deadline=seconds) if state.asked else state
    await asyncio.to_thread(program.send, told, until)
    while state.asked:
        wish = await asyncio.to_thread(program.answer, until)
        try:
            answered = await _answer_of(table, wish, state)
        except RequestLost:
            return  # the next state shows what was done
        if wish.id or isinstance(wish, SampleIn):
            await asyncio.to_thread(program.send, answered, until)
        if isinstance(wish, ActIn) or isinstance(answered, RefusedOut):
            return


async def _answer_of(table: RemoteTable, wish: ActIn | SampleIn, state: StateOut) -> MessageOut:
    """Ask a table for what a program wants in a state, and return the answer.

    Raises:
        ProgramFault: it is refused, and not because the position has changed meanwhile.
        RequestLost: there is no answer.
    """
    check_ply(wish, state.ply)
    if isinstance(wish, ActIn):
        wish = replace(wish, ply=None, revision=state.revision)
    try:
        answered: DoneOut | SamplesOut = await table.request(wish)
    except RequestRefused as error:
        if table.state is state:
            raise ProgramFault(f"it cannot do that: {error}") from None
        return RefusedOut(wish.id, error.reason, str(error))
    return replace(answered, id=wish.id)
