"""A program that sits at a table on a server."""

from __future__ import annotations

import asyncio
import json
from dataclasses import replace as with_limits

import pytest
from tests.tabletop.protocol.strangers import STATE, TABLE, changes, stranger
from tests.tabletop.web.served import QUICK, Server, with_server
from websockets.asyncio.server import ServerConnection, serve
from websockets.http11 import Request, Response

from tabletop.protocol import (
    InvalidMessage,
    LineOut,
    LogOut,
    RemoteTable,
    RequestLost,
    RequestRefused,
    StateOut,
    TableClosed,
    client,
    connect,
    parse_link,
)
from tabletop.protocol.client import page_address
from tabletop.registry import load

GUARDS = "tests/tabletop/games/guards.py"


async def state_of(table: RemoteTable) -> StateOut:
    """The next state."""
    async with asyncio.timeout(60):
        async for message in table:
            if isinstance(message, StateOut):
                return message
    raise AssertionError("no state has come")


async def state_with(table: RemoteTable, *, passes: bool | None) -> StateOut:
    """The next state in which the seat passes until the end of the turn, or does not."""
    while (state := await state_of(table)).passes != passes or state.ply < 2:
        pass
    return state


def cut_off(table: RemoteTable) -> None:
    """Lose the connection, without a word."""
    assert table._socket is not None
    table._socket.transport.abort()


async def play(table: RemoteTable) -> tuple[StateOut, list[str]]:
    """Play the first legal action to the end. Return the last state, and the log."""
    said: list[str] = []
    async for message in table:
        if isinstance(message, LogOut):
            said += [line.text for line in message.lines]
        if isinstance(message, StateOut):
            if message.over is not None:
                return message, said
            if message.your_turn:
                await table.act(message.choices[0].words)
    raise AssertionError("the match has not ended")


@with_server(quick=True)
async def test_a_program_plays_a_match_to_its_end(server: Server) -> None:
    opened = await server.open("lcr", players=["human", "random", "random"])
    async with connect(server.address + opened["links"][0], picture="wide") as table:
        assert (table.table.game, table.table.your_seats) == ("lcr", (0,))
        state, said = await play(table)
        assert state.over is not None
        assert state.view["chips"]
        assert state.svg.startswith("<svg")
        assert len(said) > 3


@with_server(quick=True)
async def test_a_refusal_says_why_and_changes_nothing(server: Server) -> None:
    opened = await server.open("lcr", players=["human", "random", "random"])
    async with connect(server.address + opened["links"][0]) as table:
        state = await state_of(table)
        with pytest.raises(RequestRefused) as words:
            await table.act("frobnicate")
        assert words.value.reason == "words"
        with pytest.raises(RequestRefused) as permitted:
            await table.act("roll", seat=1)
        assert permitted.value.reason == "refused"
        assert table.state == state


@with_server(quick=True)
async def test_a_message_that_is_too_long_is_not_sent(server: Server) -> None:
    opened = await server.open("lcr")
    async with connect(server.address + opened["links"][0]) as table:
        state = await state_of(table)
        for words in (table.say("hello " * 1000), table.act("roll " * 1000)):
            with pytest.raises(InvalidMessage):
                await words
        await table.say("hello")
        assert table.state == state


@with_server(quick=True)
async def test_answers_go_to_who_has_asked(server: Server) -> None:
    opened = await server.open("lcr")
    async with connect(server.address + opened["links"][0]) as table:
        await state_of(table)
        asked = await asyncio.gather(*(table.explain(f"cell-{it}") for it in (1, 2)))
        assert all(asked)


@with_server()
async def test_many_requests_are_sent_no_faster_than_a_server_allows(server: Server) -> None:
    opened = await server.open("lcr")
    lost: list[str] = []
    link = server.address + opened["links"][0]
    async with connect(link, on_lost=lambda seconds, why: lost.append(why)) as table:
        await asyncio.gather(*(table.explain("cell-1") for _ in range(60)))
    assert not lost


@with_server()
async def test_a_program_comes_back_and_hears_no_line_twice(server: Server) -> None:
    opened = await server.open("lcr", players=["human", "random", "random"])
    lost: list[str] = []
    lines: list[LineOut] = []
    link = server.address + opened["links"][0]
    async with connect(link, on_lost=lambda seconds, why: lost.append(why)) as table:
        state = await state_of(table)
        await table.act(state.choices[0].words)
        cut = False
        async for message in table:
            if isinstance(message, LogOut):
                lines += message.lines
            if isinstance(message, StateOut) and message.your_turn:
                if cut:
                    break
                cut = True
                cut_off(table)
        assert lost == ["the connection was lost"]
        numbers = [line.number for line in lines]
        assert numbers == sorted(numbers)
        assert len(set(lines_of(lines))) == len(lines), "each is told once"


def lines_of(lines: list[LineOut]) -> list[tuple[int, str, str]]:
    """Identify a line: the heading of a turn has the number of the last event."""
    return [(line.number, line.kind, line.text) for line in lines]


@with_server(quick=True)
async def test_a_request_whose_answer_is_lost_says_so(server: Server) -> None:
    opened = await server.open("lcr")
    async with connect(server.address + opened["links"][0]) as table:
        await state_of(table)
        asked = asyncio.create_task(table.explain("cell-1"))
        await asyncio.sleep(0)
        cut_off(table)
        with pytest.raises(RequestLost):
            await asked
        with pytest.raises(RequestLost):
            await table.act("roll")


@with_server(quick=True)
async def test_a_link_that_opens_nothing_is_refused_with_a_reason(server: Server) -> None:
    opened = await server.open("lcr")
    with pytest.raises(TableClosed, match="table not found") as refused:
        async with connect(server.address + opened["links"][0] + "x"):
            pass
    assert refused.value.reason == "token"


@with_server(quick=True, limits=with_limits(QUICK, screens=1))
async def test_a_full_table_says_so(server: Server) -> None:
    link = server.address + (await server.open("lcr"))["links"][0]
    async with connect(link):
        with pytest.raises(TableClosed, match="too many") as refused:
            async with connect(link):
                pass
    assert refused.value.reason == "busy"


@pytest.mark.parametrize(
    ("link", "complaint"),
    [
        ("somewhere", "is not a link to a table"),
        ("ftp://a/t/b#c", "is not a link to a table"),
        ("http://a/x/b#c", "is not a link to a table"),
        ("http://a/ti/b#c", "is not a link to a table"),
        ("http://a//b#c", "is not a link to a table"),
        ("http://a/t/b", "is incomplete; copy the whole link"),
        ("http://a/#key", "is the link of a lobby, not of a seat; open it in a browser"),
        ("http://[a/t/b#c", "is not a link to a table"),
        ("http://a:b/t/b#c", "is not a link to a table"),
    ],
)
def test_what_is_no_link_is_named(link: str, complaint: str) -> None:
    with pytest.raises(TableClosed, match=complaint):
        parse_link(link)


def test_a_link_becomes_the_address_of_a_socket() -> None:
    assert parse_link("https://a.b:1/t/c/plain#d-e") == ("wss://a.b:1/t/c/socket", "d-e")


def test_a_server_that_cannot_be_reached_is_named() -> None:
    async def test() -> None:
        async with connect("http://127.0.0.1:1/t/table#token"):
            pass

    with pytest.raises(TableClosed, match=r"127.0.0.1:1 cannot be reached"):
        asyncio.run(test())


# Servers that are strangers.


@pytest.mark.parametrize(
    ("said", "complaint"),
    [
        (["nonsense"], "JSON is malformed"),
        ([["table"]], "invalid message"),
        ([{"type": ["table"]}], "invalid message"),
        (["[" * 100_000], "invalid message"),
        ([{**TABLE, "names": 3}], r"invalid message: Expected `array`, got `int` - at `\$.names`"),
        ([{**TABLE, "your_seats": [1.5]}], "invalid message"),
        ([{"type": "table"}], "invalid message"),
        ([changes(text=[[0, 1]])], "invalid message"),
        ([TABLE, STATE, changes(text=[[0, 1, 2, 3]])], "invalid message"),
        ([TABLE, STATE, changes(text=[[0, 9]] * 9_000)], "text would have more than 100000 bytes"),
        ([TABLE, STATE, changes(choices=[{}] * 2000)], "choices would have more than 100000"),
        (
            [TABLE, STATE, {"type": "changes", "fields": {"ply": "x"}, "pieces": {}}],
            "invalid message",
        ),
        (["x" * 100_001], "invalid message"),
        ([TABLE, *[{"type": "note", "text": "x" * 99_000}] * 9], "faster than they can be read"),
        ([{**TABLE, "type": "error", "message": "go away"}], "does not answer"),
        ([], "does not answer"),
    ],
)
def test_a_server_that_makes_no_sense_is_left_with_a_reason(
    said: list[object], complaint: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(client, "HELLO_TIMEOUT", 0.2)

    async def test() -> None:
        async with stranger(*said) as link, connect(link, max_bytes=100_000) as table:
            assert table._reading is not None
            async with asyncio.timeout(30):
                await asyncio.wait([table._reading])
                async for _ in table:
                    pass

    with pytest.raises(TableClosed, match=complaint):
        asyncio.run(test())


CHOICE: dict[str, object] = {"label": "", "path": [], "seat": 0}


def left_at(*said: object) -> str:
    """Return why a client leaves a server with these messages of at most 100,000 bytes."""

    async def test() -> None:
        async with stranger(TABLE, *said) as link, connect(link, max_bytes=100_000) as table:
            assert table._reading is not None
            async with asyncio.timeout(60):
                await asyncio.wait([table._reading])
                async for _ in table:
                    pass

    with pytest.raises(TableClosed) as left:
        asyncio.run(test())
    return str(left.value)


@pytest.mark.parametrize(
    "long",
    [
        {"text": "x" * 90_000},
        {"svg": "<g/>" * 20_000},
        {"view": ["x" * 90_000]},
        {"choices": [{**CHOICE, "words": "x" * 90_000}]},
    ],
)
def test_small_changes_count_as_the_whole_states_that_they_make(long: dict[str, object]) -> None:
    said = left_at({**STATE, **long}, *[changes()] * 4)
    assert said == "the server sends messages faster than they can be read"


def test_states_that_are_read_in_time_do_not_add_up() -> None:
    async def test() -> None:
        said = ({**STATE, "text": "x" * 90_000}, *[changes()] * 20, {**STATE, "ply": 9})
        async with stranger(TABLE, *said) as link, connect(link, max_bytes=100_000) as table:
            heard = table._hear

            def hear_and_read(text: bytes) -> None:
                heard(text)
                size, _ = table._messages.get_nowait()
                table._unread -= size

            table._hear = hear_and_read  # type: ignore[method-assign]
            async with asyncio.timeout(60):
                while table.state is None or table.state.ply != 9:
                    await asyncio.sleep(0.01)

    asyncio.run(test())


def test_no_changes_make_a_larger_state_than_a_server_may_send() -> None:
    half: list[dict[str, object]] = [
        {"type": "changes", "fields": {name: "x" * 60_000}, "pieces": {}}
        for name in ("view", "prompt")
    ]
    assert "its state would have more than 100000 bytes" in left_at(STATE, *half)
    words = {**STATE, "choices": [{**CHOICE, "words": "x" * 60_000}]}
    assert "its choices would have more than" in left_at(words, changes(choices=[[0, 1]] * 9))


def test_no_server_leads_to_another() -> None:
    async def test() -> None:
        async with stranger(TABLE, STATE) as other:

            def lead(socket: ServerConnection, _: Request) -> Response:
                answer = socket.respond(302, "")
                answer.headers["Location"] = other.replace("http", "ws").partition("#")[0]
                return answer

            async with serve(
                lambda socket: socket.wait_closed(), "127.0.0.1", 0, process_request=lead
            ) as one:
                port = next(iter(one.sockets)).getsockname()[1]
                async with connect(f"http://127.0.0.1:{port}/t/table#token"):
                    pass

    with pytest.raises(TableClosed, match=r"cannot be reached: .* 302"):
        asyncio.run(test())


def test_what_a_later_version_of_the_protocol_tells_more_is_passed_over() -> None:
    async def test() -> None:
        told = {"type": "weather", "rain": True}
        said = (told, {**TABLE, "moon": 1}, told, STATE)
        async with stranger(*said) as link, connect(link) as table:
            state = await state_of(table)
            assert (table.table.title, state.text) == ("G", STATE["text"])

    asyncio.run(test())


@pytest.mark.slow
def test_a_server_that_has_begun_anew_counts_lines_anew() -> None:
    async def test() -> None:
        log = {
            "type": "log",
            "lines": [{"number": 9, "text": "old"}, {"number": 10, "text": "older"}],
        }
        async with stranger(TABLE, log, STATE) as link, connect(link) as table:
            await state_of(table)
            table.log_line = 30  # as if there had been more before the connection was lost
            cut_off(table)
            await state_of(table)
            assert table.log_line == 10

    asyncio.run(test())


@pytest.mark.slow
def test_a_server_that_comes_back_is_found() -> None:
    lost: list[str] = []

    async def test() -> None:
        async with stranger(TABLE, STATE) as link:
            port = int(link.split(":")[2].split("/")[0])
            context = connect(link, on_lost=lambda seconds, why: lost.append(why))
            table = await context.__aenter__()
            await state_of(table)
        while len(lost) < 2:
            await asyncio.sleep(0.05)

        async def back(socket: ServerConnection) -> None:
            await socket.send(json.dumps(TABLE))
            await socket.send(json.dumps({**STATE, "ply": 5}))
            await socket.wait_closed()

        async with serve(back, "127.0.0.1", port):
            assert (await state_of(table)).ply == 5
            await context.__aexit__(None, None, None)

    asyncio.run(test())
    assert lost[0] == "the connection was lost"
    assert lost[1].endswith("cannot be reached: there is no server at this address")


@with_server(quick=True)
async def test_a_program_plays_again_at_the_next_table(server: Server) -> None:
    opened = await server.open("lcr", players=["human", "random", "random"])
    async with connect(server.address + opened["links"][0]) as table:
        await play(table)
        await table.play_again()
        over = (await state_of(table)).over
        assert over is not None
        assert over.next_table is not None
    async with connect(page_address(server.address, over.next_table)) as table:
        assert (table.table.your_seats, (await state_of(table)).over) == ((2,), None)


@with_server(quick=True, plugins=(load(GUARDS),))
async def test_a_program_passes_until_the_end_of_the_turn_and_decides_again(
    server: Server,
) -> None:
    opened = await server.open("guards", players=["human"] * 3)
    taker, guard = (server.address + link for link in opened["links"][:2])
    async with connect(taker) as first, connect(guard) as second:
        await first.act("take")
        await second.pass_turn()
        assert (await state_with(second, passes=True)).your_turn == ()
        await second.pass_turn(False)
        await state_with(second, passes=None)
