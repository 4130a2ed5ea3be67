"""A language model plays through the Model Context Protocol, with the client of that library.

The library is imported when a test needs it, because this takes a second.
"""

from __future__ import annotations

import asyncio
import json
import re
import signal
import socket
import subprocess
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from tabletop import Match
from tabletop.registry import installed, load
from tests.signals import default_signals
from tests.tabletop.cli.program import refused
from tests.tabletop.envs.games_to_learn import VARIED, title
from tests.tabletop.listed_actions import first_action

pytestmark = [pytest.mark.slow, pytest.mark.long]

EXAMPLES = Path(__file__).parents[3] / "examples"
TICTACTOE = str(EXAMPLES / "tictactoe.py")
KUHN = str(EXAMPLES / "kuhn_poker.py")

Call = Callable[..., Awaitable[str]]


class Refused(Exception):
    """A tool has failed. The message is the one that the model reads."""


def caller(session: Any) -> Call:
    """Return a function that calls a tool of a session."""

    async def call(tool: str, /, **values: Any) -> str:
        result = await session.call_tool(tool, values)
        text = "\n".join(part.text for part in result.content)
        if result.is_error:
            raise Refused(text)
        return text

    return call


@asynccontextmanager
async def over_pipes(*words: str) -> AsyncIterator[Call]:
    """Start `tabletop mcp` with its standard input and output as pipes."""
    from mcp import ClientSession, StdioServerParameters
    from mcp.client.stdio import stdio_client

    server = StdioServerParameters(command=sys.executable, args=["-m", "tabletop", "mcp", *words])
    # Not the standard error of the moment at which the library was imported.
    assert sys.__stderr__ is not None
    async with stdio_client(server, sys.__stderr__) as streams, ClientSession(*streams) as session:
        await session.initialize()
        yield caller(session)


@asynccontextmanager
async def over_http(*words: str) -> AsyncIterator[Callable[[], Any]]:
    """Start `tabletop mcp --http`, and yield a function that opens sessions."""
    from mcp import ClientSession
    from mcp.client.streamable_http import streamable_http_client

    line = [sys.executable, "-m", "tabletop", "mcp", "--http", "0", *words]
    server = await asyncio.create_subprocess_exec(*line, stdout=asyncio.subprocess.PIPE)
    assert server.stdout is not None
    url = (await server.stdout.readline()).decode().strip()

    @asynccontextmanager
    async def session() -> AsyncIterator[Call]:
        async with streamable_http_client(url) as streams, ClientSession(*streams[:2]) as opened:
            await opened.initialize()
            yield caller(opened)

    try:
        yield session
    finally:
        server.terminate()
        await server.wait()


def seat_in(text: str) -> str:
    """Return the seat that a tool has given to the model."""
    found = re.search(r"Your seat: (\S+)", text)
    assert found is not None
    return found[1]


async def play_on(call: Call, seat: str, actions: int = 200) -> str:
    """Play the first legal action until the match is over, and return the last text."""
    text = await call("look", seat=seat)
    while "The match is over" not in text and actions:
        listed = await call("list_actions", seat=seat)
        if listed.startswith("["):
            text = await call("act", seat=seat, action=f"I play {first_action(listed)}")
            actions -= 1
        else:
            text = await call("wait", seat=seat, seconds=60)
    return text


def test_a_model_plays_a_match_against_a_bot_over_pipes() -> None:
    async def play() -> None:
        async with over_pipes(TICTACTOE) as call:
            assert "tictactoe" in await call("list_games")
            opened = await call("open_table", game="tictactoe", players=["random", "me"])
            assert "The match is over" in await play_on(call, seat_in(opened))

    asyncio.run(play())


@pytest.mark.matrix
@pytest.mark.parametrize("source", [*installed(), *VARIED], ids=title)
def test_a_model_plays_any_game(source: str) -> None:
    game = load(source).game
    players = ["me", *["random"] * (game.seats[0] - 1)]

    async def play() -> None:
        async with in_process(*([] if game.name in installed() else [source])) as call:
            assert await call("read_rules", game=game.name)
            opened = await call("open_table", game=game.name, players=players)
            await play_on(call, seat_in(opened), 3)

    asyncio.run(play())


def test_two_models_play_with_each_other_over_http_and_neither_has_the_seat_of_the_other() -> None:
    async def play() -> None:
        async with over_http(TICTACTOE) as session, session() as first, session() as second:
            opened = await first("open_table", game="tictactoe", players=["me", "human"])
            link = re.search(r"http://\S+/i/\S+", opened)
            assert link is not None
            seats = seat_in(opened), seat_in(await second("join_table", link=link[0], name="Bo"))
            await first("act", seat=seats[0], action="[1]")
            with pytest.raises(Refused, match="seat"):
                await second("act", seat="0", action="[2]")
            assert "Bo" in await second("act", seat=seats[1], action="[5]")
            with pytest.raises(Refused):
                await second("act", seat=seats[1], action="[2]")

    asyncio.run(play())


def test_an_interruption_ends_the_server_while_it_waits_for_input() -> None:
    who = {"name": "test", "version": "1"}
    params = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": who}
    hello = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params}
    line = [sys.executable, "-m", "tabletop", "mcp"]
    pipe = subprocess.PIPE
    with (
        default_signals(),
        subprocess.Popen(line, stdin=pipe, stdout=pipe, stderr=pipe) as server,
    ):
        assert server.stdin is not None
        assert server.stdout is not None
        assert server.stderr is not None
        server.stdin.write(json.dumps(hello).encode() + b"\n")
        server.stdin.flush()
        assert b"result" in server.stdout.readline()
        server.send_signal(signal.SIGINT)
        try:
            assert server.wait(20) == 0
        finally:
            server.kill()
        assert server.stderr.read() == b""


def test_a_port_that_is_in_use_is_named() -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = str(other.getsockname()[1])
        assert port in refused("mcp", "--http", port, status=1)


def test_a_table_stays_when_another_session_ends() -> None:
    async def play() -> None:
        async with over_http(TICTACTOE) as session, session() as first:
            seat = seat_in(await first("open_table", game="tictactoe"))
            async with session() as second:
                await second("list_games")
            assert "1" in await first("act", seat=seat, action="1")

    asyncio.run(play())


def test_a_model_can_resign() -> None:
    async def play() -> None:
        async with in_process(TICTACTOE) as call:
            seat = seat_in(await call("open_table", game="tictactoe"))
            assert "The match is over" in await call("resign", seat=seat)

    asyncio.run(play())


def test_a_model_answers_the_request_of_another_player() -> None:
    async def play() -> None:
        async with in_process(TICTACTOE) as call:
            opened = await call("open_table", game="tictactoe", players=["me", "human"], name="Al")
            link = re.search(r"http://\S+/i/\S+", opened)
            assert link is not None
            first, second = seat_in(opened), seat_in(await call("join_table", link=link[0]))
            with pytest.raises(Refused):
                await call("consent", seat=second, yes=True)
            await call("offer_draw", seat=first)
            assert "Al asks you" in await call("wait", seat=second)
            assert "The match is over" in await call("consent", seat=second, yes=True)

    asyncio.run(play())


def test_models_talk_at_a_table() -> None:
    async def play() -> None:
        async with in_process(TICTACTOE) as call:
            opened = await call("open_table", game="tictactoe", players=["me", "human"])
            link = re.search(r"http://\S+/i/\S+", opened)
            assert link is not None
            first, second = seat_in(opened), seat_in(await call("join_table", link=link[0]))
            await call("say", seat=first, text="Trust me.")
            assert "Trust me." in await call("look", seat=second)

    asyncio.run(play())


@asynccontextmanager
async def in_process(*games: str) -> AsyncIterator[Call]:
    """Run the tools in this process."""
    from mcp import Client

    from tabletop.web.mcp_server import model_server

    plugins = [load(game) for game in games]
    async with model_server(plugins, "127.0.0.1") as server, Client(server) as client:
        yield caller(client)


def test_a_model_that_has_left_returns_with_its_link() -> None:
    async def play() -> None:
        async with in_process(TICTACTOE) as call:
            opened = await call("open_table", game="tictactoe")
            link = re.search(r"http://\S+/t/\S+", opened)
            assert link is not None
            await call("leave_table", seat=seat_in(opened))
            seat = seat_in(await call("join_table", link=link[0]))
            assert "Your turn" in await call("look", seat=seat)

    asyncio.run(play())


def test_a_further_seat_replaces_the_one_that_was_not_used_for_longest(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("tabletop.web.mcp_server.MOST_SEATS", 2)

    async def play() -> None:
        async with in_process(TICTACTOE) as call:
            first, second = [seat_in(await call("open_table", game="tictactoe")) for _ in range(2)]
            await call("look", seat=first)
            await call("open_table", game="tictactoe")
            await call("look", seat=first)
            with pytest.raises(Refused, match="no seat"):
                await call("look", seat=second)

    asyncio.run(play())


def test_a_position_is_the_view_of_the_seat() -> None:
    plugin = load(KUHN)
    match = Match(plugin.game, seed="oak")
    shown = plugin.text.narrow_position(match.view(0), match.names, 0)

    async def play() -> None:
        async with in_process(KUHN) as call:
            opened = await call("open_table", game="kuhn-poker", seed="oak")
            assert shown.strip() in opened

    asyncio.run(play())


@pytest.mark.parametrize(
    ("tool", "values", "reason"),
    [
        ("act", {"seat": "none", "action": "1"}, "open_table"),
        ("open_table", {"game": "nope"}, "tictactoe"),
        ("open_table", {"game": "tictactoe", "players": ["me", "me"]}, "me"),
        ("open_table", {"game": "tictactoe", "players": ["me", "wise"]}, "wise"),
        ("open_table", {"game": "tictactoe", "options": {"size": 4}}, "size"),
        ("join_table", {"link": "http://127.0.0.1:1/t/a#b"}, "reached"),
        ("join_table", {"link": "tictactoe"}, "link"),
        ("wait", {"seat": "none", "seconds": 1e9}, "300"),
    ],
)
def test_a_wrong_call_has_a_reason_and_the_server_continues(
    tool: str, values: dict[str, Any], reason: str
) -> None:
    async def play() -> None:
        async with in_process(TICTACTOE) as call:
            with pytest.raises(Refused, match=reason):
                await call(tool, **values)
            assert await call("list_games")

    asyncio.run(play())
