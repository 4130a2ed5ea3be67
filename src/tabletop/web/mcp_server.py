"""A server of the Model Context Protocol, with which language models sit at tables.

The model calls tools to open a table here or to join one with a link, and to play its seat. The
table is an ordinary one: people watch it and play along in a browser. A model has the rights of its
seat and no others.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import replace
from functools import wraps
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated, Any, Final

from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from pydantic import Field

import tabletop
from tabletop.display.briefing import action_in, listed_choices, usages
from tabletop.errors import TabletopError
from tabletop.host.paths import utc_now
from tabletop.protocol.client import HELLO_TIMEOUT, RemoteTable, connect
from tabletop.protocol.invitations import is_invitation, take_seat
from tabletop.protocol.outgoing import ConsentOut, LogOut, StateOut
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
"""Maximum number of seats at the same time. A further seat replaces the least recently used."""

LONGEST_WAIT: Final = 300.0  # maximum number of seconds of one call of `wait`

SeatName = Annotated[str, Field(description="the name that open_table or join_table returned")]
PlayerName = Annotated[str, Field(description="your name at the table")]
Players = Annotated[
    list[str] | None,
    Field(
        description='for each seat "me", "human" or the name of a bot, such as ["me", "hard"] (by'
        " default you against bots)"
    ),
]


class ModelSeat:
    """The seat of a model at a table, and the events since the model looked."""

    def __init__(self, table: RemoteTable) -> None:
        self.table: RemoteTable = table
        self.connection: AsyncExitStack = AsyncExitStack()
        self.asked: ConsentOut | None = None
        self._lines: list[str] = []

    @property
    def state(self) -> StateOut:
        """The last state of the table."""
        if self.table.state is None:
            raise TabletopError("the table has not sent its position: try again")
        return self.table.state

    def is_wanted(self) -> bool:
        """Return whether the model is to act or to answer, or the match is over."""
        return bool(self.state.over or self.state.your_turn or self.asked)

    async def receive(self, is_enough: Callable[[], object], seconds: float = 0.0) -> None:
        """Receive messages until `is_enough()`, but do not wait longer than `seconds`."""
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                while not is_enough():
                    match await anext(self.table):
                        case LogOut(lines):
                            self._lines += [line.text for line in lines if line.text]
                        case ConsentOut() as asked:
                            self.asked = asked if asked.kind and not asked.yours else None

    async def look(self) -> str:
        """Return the events since the last call, the position, and the players to act."""
        await self.receive(lambda: False)  # the messages that have arrived
        state, names = self.state, self.table.table.seat_titles
        parts = ["\n".join(self._lines), state.text]
        self._lines.clear()
        if self.asked is not None:
            asked = f"{self.asked.name} asks you to {self.asked.aim}."
            parts.append(f"{asked} Answer with the tool consent.")
        if state.over is not None:
            parts.append(f"The match is over: {state.over.text}")
        elif state.your_turn:
            mine = join_words([names[seat] for seat in state.your_turn], "and")
            parts.append(f"{state.prompt or 'It is your turn.'} (You are {mine}.)")
        else:
            waiting = join_words([names[seat] for seat in state.turn], "and")
            parts.append(f"Waiting for {waiting}.")
        return "\n\n".join(filter(None, parts))


class Tools:
    """The tools of the server: its public methods. Their descriptions are for language models."""

    def __init__(self, games: OfferedGames, server: WebServer) -> None:
        self._games, self._server = games, server
        self.seats: dict[str, ModelSeat] = {}

    async def list_games(self) -> str:
        """List the games: name, title, number of players, and a sentence about each."""
        lines = []
        for name, plugin in self._games.plugins():
            game = plugin.game
            seats = ", ".join(map(str, game.seats))
            options = ", ".join(option.name for option in game.options) or "none"
            lines.append(
                f"{name}: {game.title or name}, for {seats} players. {plugin.summary}"
                f" Bots: {', '.join(plugin.bot_names)}. Options: {options}."
            )
        return "\n".join(lines)

    async def read_rules(self, game: str) -> str:
        """Return the rules of a game, and the forms of its actions."""
        plugin = self._games.plugin(game)
        rules = plugin.rules or "This game has no written rules."
        return f"{rules}\n{usages(plugin.game.commands)}"

    async def open_table(
        self,
        game: Annotated[str, Field(description="a name from list_games")],
        players: Players = None,
        name: PlayerName = "",
        options: dict[str, OptionValue] | None = None,
        seed: Annotated[str, Field(description="words, for the same match again")] = "",
    ) -> str:
        """Open a table on this machine and sit down. Return your seat and links for people."""
        plugin = self._games.plugin(game)
        if players is None:
            rival = plugin.usual_level if plugin.levels else plugin.best_bot
            players = ["me", *[rival] * (plugin.game.seats[0] - 1)]
        if players.count("me") != 1:
            raise TabletopError('players: exactly one of them must be "me"')
        mine = players.index("me")
        kinds = [HUMAN if player == "me" else player for player in players]
        names = [*[""] * mine, name]
        request = TableRequest(
            game=game, players=kinds, names=names, options=options or {}, seed=seed
        )
        new = new_table(request, self._games, utc_now())
        others = tuple(seat for seat in seats_of_people(new.header.players) if seat != mine)
        opened = self._server.tables.open(replace(new, invited=others))
        address, lines = self._server.shared_address, []
        if opened.invitation is not None:
            lines.append(f"For people, to sit down: {address}{opened.invitation}")
        if opened.spectators is not None:
            lines.append(f"To watch: {address}{opened.spectators}")
        return await self._sit(f"{self._server.address}{opened.links[mine]}", *lines)

    async def join_table(
        self,
        link: Annotated[str, Field(description="a whole invitation or link of a seat, with its #")],
        name: PlayerName = "",
    ) -> str:
        """Sit down at a table on a server with an invitation or the link of a seat."""
        if is_invitation(link):
            link = (await asyncio.to_thread(take_seat, link, name)).link
        return await self._sit(link)

    async def look(self, seat: SeatName) -> str:
        """Return the events since you looked, the position, and the players to act."""
        return await self._seat(seat).look()

    async def list_actions(self, seat: SeatName) -> str:
        """List your legal actions in square brackets. Pass one of them to act."""
        state = self._seat(seat).state
        if not state.your_turn:
            return "You are not to act now."
        return "\n".join(listed_choices(state, mine) for mine in state.your_turn)

    async def act(
        self, seat: SeatName, action: Annotated[str, Field(description="such as: play 3")]
    ) -> str:
        """Play an action. Return what happened, or the reason why it is refused."""
        await self._seat(seat).table.act(action_in(action))
        return await self.look(seat)

    async def wait(
        self, seat: SeatName, seconds: Annotated[float, Field(ge=0, le=LONGEST_WAIT)] = 60
    ) -> str:
        """Wait until it is your turn, somebody asks you, or the match is over."""
        model = self._seat(seat)
        await model.receive(model.is_wanted, seconds)
        return await model.look()

    async def consent(self, seat: SeatName, yes: bool) -> str:
        """Agree to the request of another player, such as an undo, or decline it."""
        model = self._seat(seat)
        if model.asked is None:
            raise TabletopError("nobody asks you for consent now")
        kind, model.asked = model.asked.kind, None
        await model.table.consent(yes, kind=kind)
        return await model.look()

    async def resign(self, seat: SeatName) -> str:
        """Give the match up. You lose."""
        await self._seat(seat).table.resign()
        return await self.look(seat)

    async def offer_draw(self, seat: SeatName) -> str:
        """Offer the other players to end the match in a draw."""
        await self._seat(seat).table.propose("draw")
        return await self.look(seat)

    async def say(self, seat: SeatName, text: str) -> str:
        """Say something to everybody at the table."""
        await self._seat(seat).table.say(text)
        return await self.look(seat)

    async def leave_table(self, seat: SeatName) -> str:
        """Leave a table. With your link, join_table returns to it."""
        await self._seat(seat).connection.aclose()
        del self.seats[seat]
        return "You have left the table."

    def _seat(self, name: str) -> ModelSeat:
        if name not in self.seats:
            raise TabletopError(f"you have no seat {name!r}: call open_table or join_table first")
        seat = self.seats[name] = self.seats.pop(name)  # the most recently used
        return seat

    async def _sit(self, link: str, *lines: str) -> str:
        """Connect with the link of a seat, and describe the seat and the table."""
        if len(self.seats) >= MOST_SEATS:
            await self.leave_table(next(iter(self.seats)))
        async with AsyncExitStack() as stack:
            table = await stack.enter_async_context(connect(link, data=False))
            if not table.table.your_seats:
                raise TabletopError("this link is for spectators: use the link of a seat")
            seat = ModelSeat(table)
            await seat.receive(lambda: table.state, HELLO_TIMEOUT)
            position = await seat.look()
            seat.connection = stack.pop_all()
        name = secrets.token_hex(4)
        self.seats[name] = seat
        links = [f"Your seat: {name}", f"Your link, to return with join_table: {link}", *lines]
        return "\n".join([*links, "", position])


@asynccontextmanager
async def model_server(games: Iterable[Plugin], host: str) -> AsyncIterator[MCPServer[Any]]:
    """Run the tables of language models, and yield the server with its tools.

    Args:
        games: The games to offer in addition to the installed games.
        host: The address of the tables that models open.

    Raises:
        CannotListen: The address does not exist.
    """
    offered = OfferedGames(games)
    with TemporaryDirectory(prefix="tabletop-") as folder:
        loop = asyncio.get_running_loop()
        tables = WebServer(offered, loop, host=host, port=0, directory=Path(folder))
        serving = loop.create_task(tables.run())
        tools = Tools(offered, tables)
        server = MCPServer[Any](
            "tabletop",
            title="Tabletop games",
            instructions=INSTRUCTIONS,
            version=tabletop.__version__,
            log_level="WARNING",
        )
        for name in vars(Tools):
            if not name.startswith("_"):
                server.add_tool(_with_reasons(getattr(tools, name)))
        try:
            yield server
        finally:
            for seat in [*tools.seats]:
                await tools.leave_table(seat)
            tables.leave()
            await serving


def _with_reasons(tool: Callable[..., Awaitable[str]]) -> Callable[..., Awaitable[str]]:
    """Return a tool whose errors have their reasons. The library hides other exceptions."""

    @wraps(tool)
    async def call(*values: Any, **named: Any) -> str:
        try:
            return await tool(*values, **named)
        except TabletopError as error:
            raise ToolError(str(error)) from error

    return call
