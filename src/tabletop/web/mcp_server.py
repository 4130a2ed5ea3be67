"""A server of the Model Context Protocol, with which language models sit at tables.

The model calls tools to open a table here or to join one with a link, and to play its seat. The
table is an ordinary one: people watch it and play along in a browser. A model has the rights of its
seat and no others.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from functools import wraps
from inspect import isawaitable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated, Any, Final

from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from pydantic import Field

import tabletop
from tabletop.display.briefing import action_in
from tabletop.errors import TabletopError
from tabletop.host.paths import utc_now
from tabletop.protocol.client import RemoteTable, TableClosed, connect
from tabletop.protocol.invitations import is_invitation, take_seat
from tabletop.protocol.messages import ConsentOut, LogOut, MessageOut, StateOut
from tabletop.records.format import HUMAN
from tabletop.registry import Plugin
from tabletop.rules.options import OptionValue
from tabletop.web.lobby import OfferedGames, TableRequest, new_table, seats_of_people
from tabletop.web.server import WebServer
from tabletop.wording import join_words

INSTRUCTIONS: Final = """\
Play turn-based card and board games. Call list_games and read_rules, then open_table or join_table,
which return the name of your seat. Then repeat: look, list_actions if you need them, act, and wait
for the other players. People can watch and play along with the links that open_table returns.
"""

MOST_SEATS: Final = 32
"""Maximum number of seats that models have at the same time.

A further seat replaces the seat that was not used for the longest time, because models often leave
without a word.
"""

LONGEST_WAIT: Final = 300.0
"""Maximum number of seconds of one call of `wait`."""

SeatName = Annotated[str, Field(description="the name that open_table or join_table returned")]


class ModelSeat:
    """The seat of a model at a table, and the events since the model looked."""

    def __init__(self, table: RemoteTable) -> None:
        self.table = table
        self._lines: list[str] = []
        self._asked: ConsentOut | None = None
        self._seen = -1  # the revision of the last state that was received completely
        self._closed: TableClosed | None = None
        self._changed = asyncio.Condition()

    async def begin(self) -> None:
        """Wait for the first position."""
        async with self._changed:
            await self._changed.wait_for(lambda: self._seen >= 0 or self._closed is not None)

    async def follow(self) -> None:
        """Receive messages until the table is closed."""
        try:
            async for message in self.table:
                async with self._changed:
                    self._take(message)
                    self._changed.notify_all()
        except TableClosed as closed:
            async with self._changed:
                self._closed = closed
                self._changed.notify_all()

    def _take(self, message: MessageOut) -> None:
        match message:
            case LogOut(lines):
                self._lines += [line.text for line in lines if line.text]
            case StateOut():
                self._seen = message.revision
            case ConsentOut():
                self._asked = message if message.kind and not message.yours else None

    @property
    def is_wanted(self) -> bool:
        """Whether the model is to act or to answer, or nothing more will happen."""
        state = self.table.state
        is_due = state is None or state.over is not None or bool(state.your_turn)
        return is_due or self._asked is not None or self._closed is not None

    async def wait(self, seconds: float) -> None:
        """Wait until the model is wanted, but not longer than `seconds`."""
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds), self._changed:
                await self._changed.wait_for(lambda: self.is_wanted)

    async def act(self, action: str) -> None:
        """Play an action, and receive its effects.

        Raises:
            TabletopError: The action is refused, or the connection is lost.
        """
        await self.table.act(action_in(action))
        state = self.table.state
        async with self._changed:
            await self._changed.wait_for(
                lambda: self._closed is not None or state is None or self._seen >= state.revision
            )

    async def consent(self, yes: bool) -> None:
        """Answer the open request of another player."""
        if self._asked is None:
            raise TabletopError("nobody asks you for consent now")
        kind, self._asked = self._asked.kind, None
        await self.table.consent(yes, kind=kind)

    def look(self) -> str:
        """Return the events since the last call, the position, and the players to act."""
        state, names = self.table.state, self.table.table.seat_titles
        if self._closed is not None:
            raise ToolError(f"the table is closed: {self._closed}")
        parts = ["\n".join(self._lines)]
        self._lines.clear()
        if state is None:
            return parts[0]
        parts.append(state.text)
        if self._asked is not None:
            asked = f"{self._asked.name} asks you to {self._asked.aim}."
            parts.append(f"{asked} Answer with the tool consent.")
        if state.over is not None:
            parts.append(f"The match is over: {state.over.text}")
        elif state.your_turn:
            mine = join_words([names[seat] for seat in state.your_turn], "and")
            parts.append(f"{state.prompt or 'It is your turn.'} (You are {mine}.)")
        else:
            waiting = join_words([names[seat] for seat in state.turn], "and")
            parts.append(f"Waiting for {waiting}.")
        return "\n\n".join(part for part in parts if part)

    def actions(self) -> str:
        """Return the legal actions in square brackets, each on a line."""
        state = self.table.state
        if state is None or not state.your_turn:
            return "You are not to act now."
        lines = [choice.in_words() for choice in state.choices]
        if state.more_choices:
            usage = "; ".join(state.commands)
            lines.append(f"... and {state.more_choices} more. Forms of actions: {usage}")
        return "\n".join(lines)


class ModelTables:
    """The tools of the server.

    Args:
        games: The games given on the command line.
        host: The address of the tables that are opened here.
        port: The port of these tables, or 0 for any free port.
        directory: The folder of these tables, or None for a temporary one.
    """

    def __init__(
        self, games: Iterable[Plugin], *, host: str, port: int, directory: Path | None
    ) -> None:
        self._games = OfferedGames(games)
        self._host, self._port, self._directory = host, port, directory
        self._server: WebServer | None = None
        self._seats: dict[str, ModelSeat] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Run the tools. All tables are closed at the end."""
        with TemporaryDirectory(prefix="tabletop-") as folder:
            self._directory = self._directory or Path(folder)
            try:
                yield
            finally:
                for name in [*self._seats]:
                    self._leave(name)
                if self._server is not None:
                    self._server.leave()
                await asyncio.gather(*self._tasks, return_exceptions=True)

    def list_games(self) -> str:
        """List the games: name, title, number of players, and a sentence about each."""
        lines = []
        for name, plugin in self._games.plugins():
            game = plugin.game
            seats = ", ".join(map(str, game.seats))
            bots = ", ".join(plugin.bot_names)
            options = ", ".join(option.name for option in game.options) or "none"
            lines.append(
                f"{name}: {game.title or name}, for {seats} players. {plugin.summary}"
                f" Bots: {bots}. Options: {options}."
            )
        return "\n".join(lines)

    def read_rules(self, game: str) -> str:
        """Return the rules of a game, and the forms of its actions."""
        plugin = self._games.plugin(game)
        commands = plugin.game.commands
        usages = [] if commands is None else [f"{it.usage}: {it.help}" for it in commands.commands]
        return "\n".join([plugin.rules or "This game has no written rules.", *usages])

    async def open_table(
        self,
        game: Annotated[str, Field(description="a name from list_games")],
        players: Annotated[
            list[str] | None,
            Field(
                description='for each seat "me", "human" or the name of a bot, such as'
                ' ["me", "hard"] (by default you against bots)'
            ),
        ] = None,
        name: Annotated[str, Field(description="your name at the table")] = "",
        options: Annotated[
            dict[str, OptionValue] | None, Field(description="options of the game")
        ] = None,
        seed: Annotated[str, Field(description="words, for the same match again")] = "",
    ) -> str:
        """Open a table on this machine and sit down. Return your seat and links for people."""
        plugin = self._games.plugin(game)
        if players is None:
            rival = plugin.usual_level if plugin.levels else plugin.best_bot
            players = ["me", *[rival] * (plugin.game.seats[0] - 1)]
        if players.count("me") != 1:
            raise ToolError('players: exactly one of them must be "me"')
        mine = players.index("me")
        kinds = [HUMAN if player == "me" else player for player in players]
        names = [name if seat == mine else "" for seat in range(len(players))]
        request = TableRequest(
            game=game, players=kinds, names=names, options=options or {}, seed=seed
        )
        new = new_table(request, self._games, utc_now())
        others = tuple(seat for seat in seats_of_people(new.header.players) if seat != mine)
        server = self._start()
        opened = server.tables.open(replace(new, invited=others))
        link = f"{server.address}{opened.links[mine]}"
        seat = await self._sit(link)
        lines = [f"Your seat: {seat}", f"Your link, to return with join_table: {link}"]
        address = server.shared_address
        if opened.invitation is not None:
            lines.append(f"For people, to sit down: {address}{opened.invitation}")
        if opened.spectators is not None:
            lines.append(f"To watch: {address}{opened.spectators}")
        return "\n".join([*lines, "", self._seat(seat).look()])

    async def join_table(
        self,
        link: Annotated[str, Field(description="a whole invitation or link of a seat, with its #")],
        name: Annotated[str, Field(description="your name at the table")] = "",
    ) -> str:
        """Sit down at a table on a server with an invitation or the link of a seat."""
        if is_invitation(link):
            link = (await asyncio.to_thread(take_seat, link, name)).link
        seat = await self._sit(link)
        lines = [f"Your seat: {seat}", f"Your link, to return with join_table: {link}"]
        return "\n".join([*lines, "", self._seat(seat).look()])

    async def look(self, seat: SeatName) -> str:
        """Return the events since you looked, the position, and the players to act."""
        return self._seat(seat).look()

    async def list_actions(self, seat: SeatName) -> str:
        """List your legal actions in square brackets. Pass one of them to act."""
        return self._seat(seat).actions()

    async def act(
        self, seat: SeatName, action: Annotated[str, Field(description="such as: play 3")]
    ) -> str:
        """Play an action. Return what happened, or the reason why it is refused."""
        await self._seat(seat).act(action)
        return self._seat(seat).look()

    async def wait(
        self, seat: SeatName, seconds: Annotated[float, Field(ge=0, le=LONGEST_WAIT)] = 60
    ) -> str:
        """Wait until it is your turn, somebody asks you, or the match is over."""
        await self._seat(seat).wait(seconds)
        return self._seat(seat).look()

    async def consent(self, seat: SeatName, yes: bool) -> str:
        """Agree to the request of another player, such as an undo, or decline it."""
        await self._seat(seat).consent(yes)
        return self._seat(seat).look()

    async def resign(self, seat: SeatName) -> str:
        """Give the match up. You lose."""
        await self._seat(seat).table.resign()
        return self._seat(seat).look()

    async def offer_draw(self, seat: SeatName) -> str:
        """Offer the other players to end the match in a draw."""
        await self._seat(seat).table.offer_draw()
        return self._seat(seat).look()

    async def say(self, seat: SeatName, text: str) -> str:
        """Say something to everybody at the table."""
        await self._seat(seat).table.say(text)
        return "Said."

    async def leave_table(self, seat: SeatName) -> str:
        """Leave a table. With your link, join_table returns to it."""
        self._leave(self._named(seat))
        return "You have left the table."

    def tools(self) -> Sequence[Any]:
        """Return the functions that models can call."""
        return (
            self.list_games,
            self.read_rules,
            self.open_table,
            self.join_table,
            self.look,
            self.list_actions,
            self.act,
            self.wait,
            self.consent,
            self.resign,
            self.offer_draw,
            self.say,
            self.leave_table,
        )

    def _named(self, seat: str) -> str:
        if seat not in self._seats:
            raise ToolError(f"you have no seat {seat!r}: call open_table or join_table first")
        return seat

    def _seat(self, seat: str) -> ModelSeat:
        """Return a seat, which is then the last one to be replaced."""
        found = self._seats.pop(self._named(seat))
        self._seats[seat] = found
        return found

    def _leave(self, name: str) -> None:
        del self._seats[name]
        next(task for task in self._tasks if task.get_name() == name).cancel()

    def _start(self) -> WebServer:
        """Return the server of the tables that are opened here."""
        if self._server is None:
            self._server = WebServer(
                self._games,
                asyncio.get_running_loop(),
                host=self._host,
                port=self._port,
                directory=self._directory,
            )
            self._run(self._server.run(), "server")
        return self._server

    async def _sit(self, link: str) -> str:
        """Connect with the link of a seat, and return the name of the seat for the model."""
        if len(self._seats) >= MOST_SEATS:
            self._leave(next(iter(self._seats)))
        name = secrets.token_hex(4)
        ready: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._run(self._follow(name, link, ready), name)
        await ready
        return name

    async def _follow(self, name: str, link: str, ready: asyncio.Future[None]) -> None:
        try:
            async with connect(link, data=False) as table:
                if not table.table.your_seats:
                    why = "this link is for spectators: use the link of a seat"
                    ready.set_exception(ToolError(why))
                    return
                seat = ModelSeat(table)
                following = asyncio.create_task(seat.follow())
                await seat.begin()
                self._seats[name] = seat
                ready.set_result(None)
                await following
                await asyncio.Event().wait()  # until the model leaves
        except Exception as error:
            if ready.done():
                raise
            ready.set_exception(error)
        finally:
            self._seats.pop(name, None)

    def _run(self, work: Any, name: str) -> None:
        task = asyncio.get_running_loop().create_task(work, name=name)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


def make_server(tables: ModelTables) -> MCPServer[Any]:
    """Return the server with its tools. Errors of `tabletop` become errors of the tools."""
    server = MCPServer[Any](
        "tabletop",
        title="Tabletop games",
        instructions=INSTRUCTIONS,
        version=tabletop.__version__,
        log_level="WARNING",
    )
    for tool in tables.tools():
        server.add_tool(_with_reasons(tool))
    return server


def _with_reasons(tool: Callable[..., Any]) -> Callable[..., Any]:
    """Return a tool whose errors have their reasons. The library hides other exceptions."""

    @wraps(tool)
    async def call(*values: Any, **named: Any) -> Any:
        try:
            result = tool(*values, **named)
            return await result if isawaitable(result) else result
        except TabletopError as error:
            raise ToolError(str(error)) from error

    return call
