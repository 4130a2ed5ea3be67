"""The command `tabletop join`, which joins a table on another server."""

from __future__ import annotations

import argparse
import asyncio
import shlex
import sys
from collections.abc import AsyncGenerator, Callable, Coroutine, Iterator
from contextlib import aclosing, contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from time import monotonic
from typing import Any, Final

from msgspec import UNSET
from msgspec.structs import replace

from tabletop.bots.external import Program, ProgramFault, check_ply, external_bot, late
from tabletop.cli.match_args import add_model_arguments, model_settings
from tabletop.display.briefing import action_in, form_of_answers, listed_choices
from tabletop.errors import CommandError, ContractError, RegistryError, TabletopError, UsageError
from tabletop.host.extras import require
from tabletop.host.screen_text import print_error, printable
from tabletop.match.match import AnyMatch, Match
from tabletop.protocol.client import (
    RemoteTable,
    RequestLost,
    RequestRefused,
    TableClosed,
    connect,
    parse_link,
)
from tabletop.protocol.incoming import ActIn, SampleIn
from tabletop.protocol.invitations import Invitation, is_invitation, read_invitation, take_seat
from tabletop.protocol.outgoing import (
    ConsentOut,
    DoneOut,
    LogOut,
    MessageOut,
    RefusedOut,
    SamplesOut,
    StateOut,
    TableOut,
)
from tabletop.registry import MODEL, PROGRAM, Plugin, load
from tabletop.rng.phrases import fresh_phrase
from tabletop.rng.stream import Stream
from tabletop.rng.streams import Streams
from tabletop.states.bounds import Seat
from tabletop.states.codec import to_json
from tabletop.table.bot_pool import Question, answer, kind_of
from tabletop.table.language_models import (
    REFUSALS,
    Message,
    Model,
    ModelSettings,
    question,
    refused,
)
from tabletop.table.local_bots import with_local_bots
from tabletop.terminal.client import TerminalClient
from tabletop.terminal.commands import LEAVING
from tabletop.terminal.console import Console
from tabletop.terminal.programs import OK
from tabletop.terminal.remote import RemoteConnection
from tabletop.terminal.signals import run
from tabletop.wording import plural

_SHARE: Final = 0.1  # maximum share of the remaining time that an interruptible bot uses for a move
_WAITING: Final = 1000  # maximum number of messages that are queued while a bot thinks


def add_join_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "link", metavar="LINK", help="an invitation, or the complete link to a seat or to watch"
    )
    parser.add_argument("--name", metavar="NAME", help="your name at the table, with an invitation")
    parser.add_argument(
        "--bot",
        metavar="NAME",
        help="let a bot play: a bot of an installed game, learnt:FILE, exec:COMMAND or llm:MODEL",
    )
    parser.add_argument(
        "--game",
        metavar="GAME",
        help="the game of the bot, if it is not installed: module:NAME or the path of a .py file",
    )
    add_model_arguments(parser)


def run_join(arguments: argparse.Namespace) -> int:
    """Join a table on another server, at this terminal or with a bot.

    With an invitation, you take a free seat, and its link is printed. With the link of a seat, you
    play there. Ctrl-C leaves the table. Use the link of the seat to return.
    """
    if not is_invitation(arguments.link):
        try:
            parse_link(arguments.link)
        except TableClosed as error:
            raise UsageError(str(error)) from None
        if arguments.name is not None:
            raise UsageError("--name is only for an invitation, because a seat has its name")
    is_program = (arguments.bot or "").casefold().startswith((PROGRAM, MODEL))
    if arguments.game is not None and (arguments.bot is None or is_program):
        raise UsageError("--game is only for a bot of a game: also give --bot NAME")
    models = model_settings(arguments, [arguments.bot or ""])
    with asyncio.Runner() as runner:
        loop = runner.get_loop()
        if arguments.bot is None:
            _join_as_person(arguments.link, arguments.name, loop)
            return OK
        play = remote_bot(arguments.bot, arguments.game, models)
        link = arguments.link
        if is_invitation(link):
            _find_free_seat(link)
            link = _sit_down(link, arguments.name or "", print)
        task = loop.create_task(play(link))
        run(loop, asyncio.wait([task]))
        task.result()
    return OK


def _join_as_person(link: str, name: str | None, loop: asyncio.AbstractEventLoop) -> None:
    """Play at the terminal, and follow the players to rematches."""
    console = Console(loop=loop)
    if is_invitation(link):
        invitation = _find_free_seat(link)
        if name is None:
            name = _ask_name(invitation, console)
        if name is None:
            console.say("You have taken no seat.")
            return
        link = _sit_down(link, name, console.say)
    next_link: str | None = link
    while next_link is not None:
        with RemoteConnection(console, loop, next_link) as connection:
            TerminalClient(connection, console).run()
        next_link = connection.next_link


# Invitations.


def _find_free_seat(link: str) -> Invitation:
    """Return the table of an invitation.

    Raises:
        TableClosed: No seat is free, or the invitation is not valid.
    """
    require("joining a table", "web", "websockets")  # before a seat is taken
    invitation = read_invitation(link)
    if not invitation.free_seats:
        watch = f"; to watch, run: {_command(invitation.watch)}" if invitation.watch else ""
        raise TableClosed(f"no seat is free at this table of {printable(invitation.title)}{watch}")
    return invitation


def _ask_name(invitation: Invitation, console: Console) -> str | None:
    """Return the name of the player, empty for the name of the seat, or None to take no seat."""
    if not console.interactive:
        return ""
    free = plural(len(invitation.free_seats), "free seat")
    console.say(f"{invitation.title}: {', '.join(invitation.names)} ({free})")
    seat = invitation.free_seats[0]
    usual = invitation.names[seat] if seat < len(invitation.names) else f"seat {seat + 1}"
    try:
        line = console.read(f"Your name (press Enter for {usual}, `quit` to take no seat): ")
    except KeyboardInterrupt:
        console.begin_line()
        return None
    return None if line is None or line.strip().casefold() in LEAVING else line.strip()


def _sit_down(link: str, name: str, say: Callable[[str], object]) -> str:
    """Take a seat, and return its link."""
    taken = take_seat(link, name)
    title, name = printable(taken.title), printable(taken.names[taken.seat])
    say(f"You sit at {title} as {name}. To come back, run:")
    say(f"  {_command(taken.link)}")
    return taken.link


def _command(link: str) -> str:
    """Return the command that opens a link, which a server has sent, for a shell."""
    return f"tabletop join {shlex.quote(printable(link))}"


# Bots.


def remote_bot(
    name: str, game: str | None, models: ModelSettings
) -> Callable[[str], Coroutine[Any, Any, None]]:
    """Return the coroutine function that plays with a bot at the table of a link.

    Args:
        game: The game of the bot, or None for the installed game of the table.
        models: The settings of language models.

    Raises:
        UsageError: The program of `exec:COMMAND` does not exist, or `llm:MODEL` lacks the model or
            a key.
    """
    try:
        if name.casefold().startswith(MODEL):
            return partial(_play_model, model=Model(name, models))
        if name.casefold().startswith(PROGRAM):
            return partial(_play_program, **external_bot(name[len(PROGRAM) :]).keywords)
    except ValueError as error:
        raise UsageError(f"--bot {name}: {error}") from None
    return partial(_play_bot, name=name, source=game)


def _say_lost(seconds: float, why: str) -> None:
    print_error(f"{why}; trying again in {seconds:.1f} s")


def _check_seat(table: TableOut) -> None:
    if not table.your_seats:
        raise UsageError("this link is for spectators, but a bot needs the link of a seat")


async def _messages(table: RemoteTable) -> AsyncGenerator[MessageOut, None]:
    """Yield the messages of a table, and agree to each request that does not end the match.

    A request is answered immediately, even while the bot is thinking.

    Raises:
        TableClosed: The table sends no more messages.
    """
    queue = asyncio.Queue[MessageOut | Exception](_WAITING)

    async def receive() -> None:
        try:
            async for message in table:
                if not isinstance(message, ConsentOut):
                    await queue.put(message)
                elif message.kind and not message.yours:
                    with suppress(RequestRefused, RequestLost):  # another player has answered
                        await table.consent(not message.ends, kind=message.kind)
        except TabletopError as closed:
            await queue.put(closed)

    receiving = asyncio.create_task(receive())
    try:
        while True:
            message = await queue.get()
            if isinstance(message, Exception):
                raise message
            yield message
    finally:
        receiving.cancel()


def _say_over(state: StateOut) -> None:
    if state.over is not None:
        sys.stdout.write(f"{state.over.text}\n")


async def _play_on(
    table: RemoteTable,
    act: Callable[[Seat, StateOut], Coroutine[Any, Any, None]],
    hear: Callable[[LogOut], object] | None = None,
) -> None:
    """Play until the match is over. `hear` is called with new lines of the log."""
    async with aclosing(_messages(table)) as messages:
        async for message in messages:
            if isinstance(message, LogOut) and hear is not None:
                hear(message)
            if not isinstance(message, StateOut) or message is not table.state:
                continue  # skip other messages and outdated states
            if message.over is not None:
                _say_over(message)
                return
            for seat in message.your_turn:
                await act(seat, message)


# A language model.


class _RemoteModel:
    """A language model that plays with the texts that the table sends for its seat.

    Args:
        stream: The random stream for actions after too many refused answers.
    """

    def __init__(self, table: RemoteTable, model: Model, stream: Stream) -> None:
        self._table, self._model, self._stream = table, model, stream
        self._rules = ""
        self._events: list[str] = []

    async def begin(self) -> None:
        """Request the rules, if the table has them."""
        if self._table.table.rules:
            self._rules = await self._table.rules()

    def hear(self, message: LogOut) -> None:
        """Remember the lines of the log."""
        self._events += [line.text for line in message.lines if line.text]

    async def act(self, seat: Seat, state: StateOut) -> None:
        """Play an action for a seat.

        Raises:
            TabletopError: The server of the model has failed, the models have used their tokens,
                or the connection is lost.
        """
        messages = self._question(seat, state)
        for _ in range(REFUSALS + 1):
            answer, *_ = await asyncio.to_thread(self._model.ask, messages)
            try:
                await self._table.act(action_in(answer), seat)
            except (CommandError, RequestRefused) as error:
                messages += refused(answer, error)
            else:
                return
            if self._table.state is not state:
                return  # the answer is for a position that has passed
        choices = [choice for choice in state.choices if choice.seat == seat]
        choice = self._stream.choice(choices)
        several = choice.several
        items = [] if several is UNSET else [it.words for it in several.items[: several.low]]
        await self._table.act(" ".join([choice.words, *items]), seat)

    def _question(self, seat: Seat, state: StateOut) -> list[Message]:
        """Return the messages about the present position."""
        table = self._table.table
        introduction = [
            f"You play {table.title}. You are {table.seat_titles[seat]}.",
            self._rules.strip(),
            form_of_answers("action"),
        ]
        turn = [
            state.text,
            state.prompt or "It is your turn.",
            f"Legal actions:\n{listed_choices(state, seat)}",
        ]
        return question("\n\n".join(filter(None, introduction)), self._events, "\n\n".join(turn))


async def _play_model(link: str, *, model: Model) -> None:
    """Play with a language model, which reads the texts of the table."""
    async with connect(link, data=False, on_lost=_say_lost) as table:
        _check_seat(table.table)
        player = _RemoteModel(table, model, Streams(fresh_phrase())["choices"])
        await player.begin()
        await _play_on(table, player.act, player.hear)


# A bot of an installed game.


async def _play_bot(link: str, *, name: str, source: str | None) -> None:
    """Play with a bot of an installed game, in states that the table samples for its seat."""
    async with connect(link, on_lost=_say_lost) as table:
        bot = _Bot.of(table, name, source)
        await _play_on(table, bot.act)


@dataclass(frozen=True, slots=True)
class _Bot:
    """A bot of an installed game at a remote table.

    Attributes:
        kind: The module and name of the game's state class; see `kind_of`.
        stream: The random stream of the bot.
    """

    table: RemoteTable
    plugin: Plugin
    name: str
    kind: tuple[str, str]
    stream: Stream

    @classmethod
    def of(cls, table: RemoteTable, name: str, source: str | None) -> _Bot:
        """Load the game of a table, and a bot.

        Raises:
            UsageError: The table has a different game or a different version of the rules.
            RegistryError: The game has no such bot.
        """
        remote = table.table
        _check_seat(remote)
        try:
            plugin = load(source or remote.game)
        except RegistryError as error:
            hint = "" if source else " (give a file or a module with --game)"
            raise UsageError(f"{error}{hint}") from None
        game = plugin.game
        if (game.name, game.version) != (remote.game, remote.version):
            raise UsageError(
                f"the table plays {remote.game}, version {remote.version}, but your game is"
                f" {game.name}, version {game.version}"
            )
        try:
            plugin = with_local_bots(plugin, [name], seats=len(remote.names))
        except (ContractError, ValueError) as error:
            raise UsageError(f"--bot {name}: {error}") from None
        plugin.bot(name, Streams("unused")["choices"])  # raises RegistryError for an unknown bot
        match: AnyMatch = Match(game, seats=len(remote.names))
        stream = Streams(fresh_phrase())["choices"]
        return cls(table, plugin, name, kind_of(match.state), stream)

    async def act(self, seat: Seat, state: StateOut) -> None:
        """Choose an action for a seat and send it.

        If the position has changed in the meantime, the choice is discarded.

        Raises:
            TabletopError: The bot fails or chooses an illegal action.
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
            pass  # the next state shows whether the action was played

    async def _choose(self, seat: Seat, samples: SamplesOut, deadline: float | None) -> str:
        if not samples.states:
            raise TabletopError("the table has sent no state for the bot")
        question = Question(
            source=self.plugin.source,
            bot=self.name,
            seat=seat,
            kind=self.kind,
            state=to_json(samples.states[0]),
            stream=self.stream.copy(),
            seconds=None if deadline is None else _SHARE * deadline,
        )
        stops = list[Callable[[], object]]()

        @contextmanager
        def stopping(stop: Callable[[], object]) -> Iterator[None]:
            stops.append(stop)
            yield

        try:
            choice = await asyncio.to_thread(answer, question, self.plugin, stopping=stopping)
        finally:
            for stop in stops:  # otherwise the program could not exit before the bot is done
                stop()
        if choice.error:
            raise TabletopError(f"the bot {self.name} has failed: {choice.error}")
        self.stream.offset = choice.offset
        return choice.action


# A program.


async def _play_program(link: str, *, words: list[str], seconds: float) -> None:
    """Play with an external program, with the same protocol as at a local table."""
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
            description = program.end(fault)  # also after an interrupt
        if fault:
            raise TabletopError(f"the program has failed: {description}")


async def _let_play(table: RemoteTable, program: Program, seconds: float) -> None:
    """Pass messages between a table and a program until the match ends.

    Raises:
        ProgramFault: The program breaks the protocol.
        TimeoutError: The program does not answer in time.
    """
    async with aclosing(_messages(table)) as messages:
        async for message in messages:
            if not isinstance(message, StateOut):
                await asyncio.to_thread(program.send, message, monotonic() + seconds)
            elif message is table.state:  # skip outdated states
                await _let_act(table, program, message, seconds)
                if message.over is not None:
                    _say_over(message)
                    program.close()
                    return


async def _let_act(table: RemoteTable, program: Program, state: StateOut, seconds: float) -> None:
    """Send a state to a program. If its seat is to act, pass its requests to the table."""
    if state.your_turn:
        seconds = min(seconds, state.deadline or seconds)
    until = monotonic() + seconds
    message = replace(state, deadline=seconds) if state.your_turn else state
    await asyncio.to_thread(program.send, message, until)
    while state.your_turn:
        request = await asyncio.to_thread(program.answer, until)
        try:
            reply = await _reply_to(table, request, state)
        except RequestLost:
            return  # the next state shows whether the action was played
        if request.id or isinstance(request, SampleIn):
            await asyncio.to_thread(program.send, reply, until)
        if isinstance(request, ActIn) or isinstance(reply, RefusedOut):
            return


async def _reply_to(table: RemoteTable, request: ActIn | SampleIn, state: StateOut) -> MessageOut:
    """Send a request of a program to a table, and return the reply.

    Raises:
        ProgramFault: The request is refused although the position has not changed.
        RequestLost: There is no reply.
    """
    check_ply(request, state.ply)
    if isinstance(request, ActIn):
        request = replace(request, ply=None, revision=state.revision)
    try:
        reply: DoneOut | SamplesOut = await table.request(request)
    except RequestRefused as error:
        if table.state is state:
            raise ProgramFault(f"the request was refused: {error}") from None
        return RefusedOut(request.id, error.reason, str(error))
    return replace(reply, id=request.id)
