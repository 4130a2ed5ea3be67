"""Nobody keeps others from playing, or sits where they have no seat."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Sequence
from contextlib import AsyncExitStack, closing, suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from socket import SHUT_WR
from time import process_time
from typing import Any

import httpx
import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus

from tabletop.registry import load
from tabletop.table.inputs import Tick
from tabletop.web import Limits
from tabletop.web.limits import AddressLimits, network_of
from tests.tabletop import games
from tests.tabletop.web.served import QUICK, Screen, Server, serving, with_server


@with_server(limits=replace(QUICK, pending=6, hello=60))
async def test_connections_that_say_nothing_keep_nobody_out(server: Server) -> None:
    opened = await server.open()
    async with AsyncExitStack() as stack:
        silent = [
            await stack.enter_async_context(server.socket(opened["links"][0])) for _ in range(8)
        ]
        async with server.screen(opened["links"][0]) as ada:
            await ada.until("state")
            for screen in silent[:3]:
                assert await screen.closed() == 4408
            await ada.say(type="act", line="roll")
            await ada.at(1)


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "most"), [("seat", 2), ("spectators", 3)])
def test_who_opens_one_link_too_often_keeps_nobody_from_another(
    kind: str, most: int, tmp_path: Path
) -> None:
    async def test(server: Server) -> None:
        opened = await server.open()
        link = opened["links"][1] if kind == "seat" else opened["spectators"]
        async with AsyncExitStack() as stack:
            for _ in range(most):
                screen = await stack.enter_async_context(server.screen(link))
                await screen.until("state")
            async with server.screen(link) as one_more:
                assert "too many screens" in (await one_more.until("error"))["message"]
                assert await one_more.closed() == 4503
            async with server.screen(opened["links"][0]) as ada:
                await ada.until("state")

    serving(test, tmp_path, limits=replace(QUICK, screens=2, spectators=3))


@with_server(limits=replace(QUICK, rate=0.001, burst=4))
async def test_all_screens_of_a_link_may_ask_for_as_much_as_one(server: Server) -> None:
    opened = await server.open()
    async with AsyncExitStack() as stack:
        screens = [
            await stack.enter_async_context(server.screen(opened["links"][0])) for _ in range(3)
        ]
        for screen in screens:
            await screen.until("state")
            for number in range(3):
                await screen.say(type="why", part="chips", id=number)
        async with server.screen(opened["links"][1]) as bo:
            await bo.say(type="why", part="chips", id=9)
            await bo.until("why")
        await _are_told(screens, "why", 4)


async def _are_told(screens: Sequence[Screen], kind: str, times: int) -> None:
    """Check how many messages of a kind the screens receive."""

    def heard() -> int:
        return sum(told["type"] == kind for screen in screens for told in screen.heard)

    hearing = asyncio.gather(*(screen.closed() for screen in screens))
    async with asyncio.timeout(60):
        while heard() < times:
            await asyncio.sleep(0.01)
    with suppress(TimeoutError):
        async with asyncio.timeout(0.2):
            await hearing
    assert heard() == times


@with_server(limits=replace(QUICK, address_rate=0.001, address_burst=5))
async def test_all_who_come_from_an_address_may_ask_for_so_much_together(server: Server) -> None:
    links = [link for _ in range(2) for link in (await server.open())["links"]]
    async with AsyncExitStack() as stack:
        near = [
            await stack.enter_async_context(server.screen(link, at="203.0.113.7"))
            for link in links[:4]
        ]
        for screen in near:
            await screen.until("state")
            await screen.say(type="why", part="chips")
            await screen.say(type="why", part="chips")
        async with server.screen(links[4], at="203.0.113.8") as far:
            await far.say(type="why", part="chips")
            await far.until("why")
        await _are_told(near, "why", 5)


@with_server(limits=replace(QUICK, address_connections=3, screens=9))
async def test_too_many_connections_of_one_address_keep_no_other_out(
    server: Server,
) -> None:
    opened = await server.open()
    link = opened["links"][0]
    async with AsyncExitStack() as stack:
        for _ in range(3):
            await stack.enter_async_context(server.socket(link, at="203.0.113.7"))
        with pytest.raises(InvalidStatus, match="403"):
            async with server.socket(link, at="203.0.113.7"):
                pass
        async with server.screen(link, at="203.0.113.8") as ada:
            await ada.until("state")


@with_server(limits=replace(QUICK, arrivals=0.1, arrivals_at_once=2))
async def test_who_comes_back_again_and_again_waits_and_others_do_not(server: Server) -> None:
    opened = await server.open()
    link = opened["links"][0]
    for _ in range(2):
        async with server.screen(link, at="2001:db8::1") as screen:
            await screen.until("state")
    with pytest.raises(TimeoutError):
        async with server.socket(link, at="2001:db8::2", open_timeout=0.3):
            pass
    async with server.screen(link, at="2001:db8:0:1::1") as ada:
        await ada.until("state")


@pytest.mark.parametrize(
    ("address", "network"),
    [
        ("203.0.113.7", "203.0.113.7"),
        ("::ffff:203.0.113.7", "203.0.113.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::"),
        ("unknown", "unknown"),
        ("", ""),
    ],
)
def test_one_customer_counts_as_one(address: str, network: str) -> None:
    assert network_of(address) == network


def test_an_address_is_forgotten_a_while_after_its_last_connection(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    timers: list[Callable[[], object]] = []
    with closing(asyncio.new_event_loop()) as loop:
        monkeypatch.setattr(loop, "call_later", lambda _, *call: timers.append(partial(*call)))
        addresses = AddressLimits(Limits())
        with addresses.connect("203.0.113.7", loop):
            with addresses.connect("203.0.113.7", loop):
                pass
            timers.pop(0)()
            assert addresses._uses
        with addresses.connect("203.0.113.7", loop):
            pass
        timers.pop(0)()
        assert addresses._uses, "the last one has just ended"
        timers.pop(0)()
        assert not addresses._uses


@pytest.mark.slow
def test_nothing_is_written_to_a_line_that_is_cut(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async def test(server: Server) -> None:
        opened = await server.open()
        async with server.screen(opened["links"][0]) as ada:
            await ada.until("state")
            runner = next(iter(server.hosting.tables.listing.live.values())).runner
            for connection in server.hosting._http._uvicorn.server_state.connections:
                connection.transport.get_extra_info("socket").shutdown(SHUT_WR)
            for number in range(50):
                runner.table.holders.note(f"note {number}")
            runner.receive(Tick())
            await ada.closed()

    serving(test, tmp_path)
    assert "socket.send() raised exception" not in caplog.text


@with_server(limits=replace(QUICK, connections=1))
async def test_when_too_many_are_here_one_more_is_told_so(server: Server) -> None:
    opened = await server.open()
    async with server.screen(opened["links"][0]) as ada:
        await ada.until("state")
        async with server.screen(opened["links"][1]) as bo:
            assert "server is full" in (await bo.until("error"))["message"]
            assert await bo.closed() == 4503
    async with server.screen(opened["links"][1]) as bo:
        await bo.until("state")


async def _raw(server: Server, data: bytes) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    host, port = server.address.removeprefix("http://").split(":")
    reader, writer = await asyncio.open_connection(host, int(port))
    writer.write(data)
    await writer.drain()
    return reader, writer


async def _answer(reader: asyncio.StreamReader) -> bytes:
    """All that comes until the connection is closed."""
    with suppress(ConnectionError):
        async with asyncio.timeout(60):
            return await reader.read()
    return b""


async def _answer_to(server: Server, path: str, host: str = "127.0.0.1") -> bytes:
    """The answer to a request that no client would let one send."""
    request = f"GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n"
    reader, writer = await _raw(server, request.encode())
    answer = await _answer(reader)
    writer.close()
    return answer


@with_server(quick=True, limits=replace(QUICK, address_rate=0.001, address_burst=60))
async def test_who_asks_for_many_tables_keeps_nobody_at_their_address_waiting(
    server: Server,
) -> None:
    opened = await server.open()
    asked = {"tables": [{"table": "any", "token": "x"}] * 50}
    statuses = [(await server.web.post("/api/mine", json=asked)).status_code for _ in range(3)]
    assert statuses == [200, 429, 429]
    async with server.screen(opened["links"][0]) as ada:
        await ada.say(type="why", part="chips", id=1)
        async with asyncio.timeout(5):
            await ada.until("why")


@with_server(limits=replace(QUICK, hello=0.2))
async def test_a_request_whose_body_never_comes_is_given_up(server: Server) -> None:
    begun = (
        f"POST /api/tables HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {server.key}"
        "\r\nContent-Length: 90\r\n\r\n{"
    )
    reader, writer = await _raw(server, begun.encode())
    async with asyncio.timeout(60):
        assert b"408" in await reader.readline()
    writer.close()


@with_server(limits=replace(QUICK, requests=3))
async def test_where_all_connections_are_in_use_a_new_one_is_told_so(server: Server) -> None:
    link = (await server.open("lcr"))["links"][0]
    await server.web.aclose()
    async with server.screen(link), server.screen(link), server.screen(link):
        assert b" 503 " in await _answer_to(server, "/")


@with_server(limits=replace(QUICK, openings=0.001, openings_at_once=2))
async def test_one_visitor_who_opens_many_tables_stops_no_other(server: Server) -> None:
    def open_one(address: str) -> Awaitable[httpx.Response]:
        headers = {"authorization": f"Bearer {server.key}", "x-forwarded-for": address}
        return server.web.post("/api/tables", json={"game": "lcr"}, headers=headers)

    statuses = [(await open_one("192.0.2.1")).status_code for _ in range(3)]
    assert statuses == [201, 201, 429]
    assert (await open_one("192.0.2.2")).status_code == 201


PATHS = (
    "/static/0123456789abcdef/app.js",
    "/static/../app.py",
    "/static/%2e%2e/app.py",
    "/static/..%2f..%2fgame.py",
    "/static//etc/passwd",
    "/static/%00",
    "/static/" + "a" * 3000,
    "/replay/..%2f..%2fx",
    "/replay/x.y",
    "/replay/.",
    "/t/..%2f..%2fx/y",
    "/../../etc/passwd",
)


@with_server()
async def test_no_path_leads_out_of_what_is_served(server: Server) -> None:
    for path in PATHS:
        answer = await _answer_to(server, path)
        assert answer.split(b" ")[1] in {b"404", b"400"}, path
        assert b"import" not in answer
        assert b"root:" not in answer


HOSTS = (
    "evil.example",
    "127.0.0.1.evil.example",
    "127.0.0.1@evil.example",
    "127.0.0.1:80@evil.example",
    "localhost.evil.example",
    "evil.example#127.0.0.1",
    "[::1].evil.example",
    "127.0.0.1, evil.example",
    "0x7f.1",
)


@with_server()
async def test_no_other_name_and_no_other_page_passes_for_ones_own(server: Server) -> None:
    for host in HOSTS:
        answer = await _answer_to(server, "/api/games", host)
        assert answer.split(b" ")[1] == b"400", host
        for origin in ("null", "", "file://", "http://a[b", "http://127.0.0.1", f"http://{host}"):
            headers = {"origin": origin}
            assert (await server.web.get("/api/games", headers=headers)).status_code == 403
    own = {"origin": server.address}
    assert (await server.web.get("/api/games", headers=own)).status_code == 200
    link = (await server.open())["links"][0]
    with pytest.raises(InvalidStatus):
        async with server.socket(link, origin="https://evil.example"):
            pass


@pytest.mark.slow
def test_nobody_acts_for_another_seat(tmp_path: Path) -> None:
    asks: list[dict[str, Any]] = [
        {"type": "act", "line": "roll", "seat": 0},
        {"type": "act", "line": "roll"},
        {"type": "undo"},
        {"type": "redo"},
        {"type": "consent", "yes": True},
        {"type": "seat", "seat": 0, "player": "random"},
        {"type": "seat", "seat": 0, "player": "human"},
        {"type": "seat", "seat": 999, "player": "human"},
    ]

    async def test(server: Server) -> None:
        opened = await server.open()
        async with server.screen(opened["links"][0]) as ada:
            await ada.until("state")
            for link in (opened["links"][1], opened["spectators"]):
                async with server.screen(link) as bo:
                    await bo.until("state")
                    for number, ask in enumerate(asks, 1):
                        await bo.say(**ask, id=number)
                        told = await bo.until("refused")
                        assert told["id"] == number
                        assert told["message"]
            assert ada.last("table")["players"] == ["human"] * 3
            assert ada.last("state")["ply"] == 0

    serving(test, tmp_path)


@pytest.mark.slow
def test_rules_that_fail_hurt_no_other_table(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    bomb = load(str(Path(games.__file__).parent / "bomb.py"))

    async def test(server: Server) -> None:
        for what in ("check", "apply", "view", "event", "legal", "to_act", "outcome", "dance"):
            safe, unsafe = await server.open(), await server.open("bomb")
            async with server.screen(safe["links"][0]) as cy:
                await cy.until("state")
                async with server.screen(unsafe["links"][0]) as ada:
                    await ada.until("state")
                    await ada.say(type="act", line=what, id=5)
                    with suppress(ConnectionClosed):
                        while (await ada.hear())["type"] not in {"refused", "state", "error"}:
                            pass
                with suppress(ConnectionClosed):
                    async with server.screen(unsafe["links"][1]) as bo:
                        await bo.hear()
                await cy.say(type="act", line="roll")
                await cy.at(1)

    serving(test, tmp_path, plugins=(bomb,))
    assert "Exception in ASGI application" not in caplog.text


@with_server()
async def test_a_deck_that_would_make_every_move_slow_is_refused(server: Server) -> None:
    answer = await server.post(game="sorcery", options={"deck1": "Banish\n" * 3000})
    assert answer.status_code == 400
    assert "option deck1 has 21000 letters, but only 16384 are allowed" in answer.json()["error"]
    deck = "Banish\n" * 2340
    opened = await server.open("sorcery", options={"deck1": deck, "deck2": deck})
    began = process_time()
    async with server.screen(opened["links"][0]) as ada:
        await ada.until("state")
    assert process_time() - began < 60


@with_server()
async def test_names_and_seeds_that_are_not_what_they_seem_do_no_harm(server: Server) -> None:
    names = ["\u202eada<script>", "\u200b\u2060", "b\u0300" * 20]
    opened = await server.open(names=names, seed="\u202e<b>\u0000&amp;")
    async with server.screen(opened["links"][0]) as ada:
        table, state = await ada.until("table"), await ada.until("state")
    assert table["names"][1] == "Player 2"
    text = json.dumps([table, state], ensure_ascii=False)
    assert "\u202e" not in text
    assert "<script" not in state["svg"]


@with_server()
async def test_no_code_is_loaded_for_what_somebody_calls_a_game(server: Server) -> None:
    for name in (
        "examples/tictactoe.py",
        "./x.py",
        "os:system",
        "tests.tabletop.games.rps:GAME",
    ):
        answer = await server.post(game=name)
        assert answer.status_code == 400
        assert "there is no game" in answer.json()["error"]
