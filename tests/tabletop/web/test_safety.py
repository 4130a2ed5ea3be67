"""Clients must not act without a seat, stop the server, or flood it."""

from __future__ import annotations

import asyncio
import json
import logging
import re
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st
from starlette.applications import Starlette
from websockets.exceptions import ConnectionClosed

from tabletop import web
from tabletop.protocol import RulesIn
from tabletop.protocol.incoming import MAX_BYTES, InvalidMessage, decode
from tabletop.records import HUMAN
from tabletop.registry import load
from tabletop.table.inputs import Fault
from tabletop.table.limits import TableLimits
from tabletop.table.seat_holder import TOO_FAST
from tabletop.web import OfferedGames
from tabletop.web.app import GuardMiddleware, WebApp
from tabletop.web.limits import AddressLimits, AddressUse
from tabletop.web.local_window import ENDED
from tabletop.web.socket import (
    INVALID,
    NO_HELLO,
    NOT_ADMITTED,
    UNAVAILABLE,
    PendingHellos,
    Transport,
    handle_socket,
)
from tabletop.web.tokens import NotAdmitted, new_seat_tokens
from tests.tabletop.table.sittings import at_game
from tests.tabletop.web.served import QUICK, Server, serving, with_server

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=5,
)
TYPES = ("hello", "act", "undo", "redo", "consent", "seat", "why", "layout", "state")
FIELDS = ("token", "picture", "line", "id", "yes", "seat", "player", "part")
ODD_MESSAGES = st.builds(
    lambda kind, rest: {"type": kind, **rest},
    st.sampled_from(TYPES),
    st.dictionaries(st.sampled_from(FIELDS), JSON | st.sampled_from(["roll", 1, True]), max_size=4),
).map(json.dumps)


@given(st.text() | st.binary() | ODD_MESSAGES | JSON.map(json.dumps))
def test_whatever_is_sent_is_a_message_or_nonsense(text: str | bytes) -> None:
    with suppress(InvalidMessage):
        decode(text)


def test_nonsense_is_told_what_is_wrong_with_it() -> None:
    with pytest.raises(InvalidMessage, match=f"at most {MAX_BYTES}"):
        decode("x" * 5000)
    with pytest.raises(InvalidMessage, match="Invalid value 'walk'"):
        decode('{"type":"walk"}')
    with pytest.raises(InvalidMessage, match="unknown field `king`"):
        decode('{"type":"act","line":"roll","king":1}')
    with pytest.raises(InvalidMessage, match="Expected `str`"):
        decode('{"type":"act","line":7}')


@given(st.text())
def test_no_other_word_is_a_token(word: str) -> None:
    admission, tokens, spectators = new_seat_tokens([True, False, True])
    assert admission.admit(str(tokens[2])) == 2
    assert admission.admit(spectators) is None
    with pytest.raises(NotAdmitted):
        admission.admit(word)


@with_server()
async def test_a_link_of_one_table_opens_no_other(server: Server) -> None:
    first, second = await server.open(), await server.open()
    token = first["links"][0].partition("#")[2]
    for path in (second["links"][0], "/t/nowhere12345", "/t/.."):
        async with server.socket(path) as screen:
            await screen.say(type="hello", token=token)
            assert (await screen.until("error"))[
                "message"
            ] == "table not found; copy the whole link, including the part after #"
            assert await screen.closed() == 4401


@with_server(limits=replace(QUICK, hello=0.05))
async def test_who_says_no_hello_is_closed(server: Server) -> None:
    opened = await server.open()
    async with server.socket(opened["links"][0]) as silent:
        assert await silent.closed() == 4408


@with_server(limits=replace(QUICK, hello=60))
async def test_who_says_anything_else_first_is_closed(server: Server) -> None:
    opened = await server.open()
    async with server.socket(opened["links"][0]) as rude:
        await rude.say(type="act", line="roll")
        assert await rude.closed() == 4400


@with_server()
async def test_a_client_of_another_version_of_the_protocol_is_refused(server: Server) -> None:
    opened = await server.open()
    token = opened["links"][0].partition("#")[2]
    async with server.socket(opened["links"][0]) as old:
        await old.say(type="hello", token=token, protocol=1)
        error = await old.until("error")
        assert (error["reason"], await old.closed()) == ("invalid", 4400)
        assert "version 2" in error["message"]


@with_server()
async def test_who_sends_too_much_is_closed_and_the_others_play_on(server: Server) -> None:
    opened = await server.open()
    links = opened["links"]
    async with server.screen(links[0]) as ada, server.screen(links[1]) as bo:
        await ada.until("state")
        for _ in range(60):
            with suppress(ConnectionClosed):
                await bo.say(type="layout", picture="wide")
        assert await bo.closed() == 4429
        await ada.say(type="act", line="roll")
        await ada.until("state", lambda told: told["ply"] == 1)
    async with server.screen(links[1]) as bo:
        await bo.until("state")
        with suppress(ConnectionClosed):
            await bo.socket.send("x" * 200_000)
        assert await bo.closed() == 1009
    async with server.screen(links[1]) as bo:
        await bo.until("state")
        await bo.socket.send(json.dumps({"type": "act", "line": "x" * 5000}))
        assert "send at most" in (await bo.until("error"))["message"]
        assert await bo.closed() == 4400


@pytest.mark.slow
def test_garbage_stops_nobody(tmp_path: Path) -> None:
    odd: list[str | bytes] = [
        "",
        "{",
        "[" * 3000,
        '{"type":"act","line":"\\ud800","id":1}',
        '{"type":"seat","seat":7,"player":"\\u0000"}',
        '{"type":"why","part":"../../../x"}',
        '{"type":"act","line":"undo 99","seat":900}',
        '{"type":"consent","yes":true}',
        '{"type":"redo"}',
        b"\x00\xff\xfe",
        '{"type":"hello","token":"again"}',
    ]

    async def test(server: Server) -> None:
        for game in ("lcr", "sorcery", "constructor-small"):
            opened = await server.open(game)
            async with server.screen(opened["links"][0]) as ada:
                before = await ada.until("state")
                for thing in odd:
                    async with server.screen(opened["links"][1]) as bo:
                        await bo.until("state")
                        await bo.socket.send(thing)
                        await bo.say(type="layout", picture="wide")
                async with server.screen(opened["links"][1]) as bo:
                    assert (await bo.until("state"))["ply"] == before["ply"] == 0

    serving(test, tmp_path)


class DeafTransport(Transport):
    """A connection whose other end asks for things, and reads nothing."""

    def __init__(self, *texts: str) -> None:
        self.texts = list(texts)
        self.code = 0

    async def receive(self) -> str:
        if not self.texts:
            await asyncio.Event().wait()
        return self.texts.pop(0)

    async def send(self, text: str) -> None:
        await asyncio.Event().wait()

    async def close(self, code: int) -> None:
        self.code = code


@pytest.mark.slow
def test_a_screen_that_reads_nothing_is_dropped(tmp_path: Path) -> None:
    limits = replace(QUICK, sending=0.1)

    async def test(server: Server) -> None:
        opened = await server.open()
        table, _, token = opened["links"][0].removeprefix("/t/").partition("#")
        hello = json.dumps({"type": "hello", "token": token})
        asks = ['{"type":"why","part":"chips"}'] * 35
        wire = DeafTransport(hello, *asks)
        tables, use = server.hosting.tables, AddressUse(limits)
        await handle_socket(
            wire, lambda token: tables.admit(table, token), limits, PendingHellos(9), use
        )
        assert wire.code == 4429
        async with server.screen(opened["links"][1]) as bo:
            assert (await bo.until("table"))["present"] == [False, True, False]

    serving(test, tmp_path, limits=limits)


def test_a_screen_that_leaves_answers_unread_is_closed() -> None:
    at = at_game(load("lcr"), [HUMAN] * 3, limits=TableLimits(waiting=2))
    at.open(0)
    for cut in ([], [], [TOO_FAST]):
        at.ask(0, RulesIn(1))
        assert [it.code for it in at.cuts] == cut


def test_the_page_knows_the_codes_that_a_connection_is_closed_with() -> None:
    page = (Path(web.__file__).parent / "static" / "tabletop.js").read_text("utf-8")
    assert f"TRY_AGAIN = new Set([{NO_HELLO}, {TOO_FAST}]);" in page
    assert f"code === {TOO_FAST} ?" in page
    assert f"GONE = {ENDED};" in page
    assert "code >= 4400 && code < 4500" in page  # it does not try again, after all others of these
    assert (INVALID, NOT_ADMITTED, UNAVAILABLE) == (4400, 4401, 4503)


@pytest.mark.parametrize(
    ("host", "public", "called", "serves"),
    [
        ("127.0.0.1", [], "127.0.0.1:8765", True),
        ("127.0.0.1", [], "localhost:8765", True),
        ("127.0.0.1", [], "[::1]:8765", True),
        ("127.0.0.1", [], "192.168.0.2:8765", False),
        ("127.0.0.1", [], "evil.example", False),
        ("127.0.0.1", [], "", False),
        ("127.0.0.1", [], "[", False),
        ("0.0.0.0", [], "[2001:db8::1]:8765", True),
        ("0.0.0.0", [], "192.168.0.2@evil.example", False),
        ("0.0.0.0", [], "192.168.0.2:8765", True),
        ("0.0.0.0", [], "evil.example:8765", False),
        ("0.0.0.0", ["table.example"], "Table.Example", True),
        ("192.168.0.2", [], "192.168.0.2", True),
        ("192.168.0.2", [], "127.0.0.1", False),
    ],
)
def test_a_server_goes_by_the_names_that_it_was_told(
    host: str, public: list[str], called: str, *, serves: bool
) -> None:
    app = WebApp(cast("Any", None), OfferedGames(), QUICK).asgi(host, public)

    async def status() -> int:
        transport = httpx.ASGITransport(app)
        async with httpx.AsyncClient(transport=transport, base_url="http://any") as web:
            return (await web.get("/tabletop.js", headers={"host": called})).status_code

    assert asyncio.run(status()) == (200 if serves else 400)


@pytest.mark.parametrize(
    ("peer", "counted"),
    [
        ("127.0.0.1", "203.0.113.7"),
        ("::1", "203.0.113.7"),
        ("::ffff:127.0.0.1", "203.0.113.7"),
        ("::ffff:198.51.100.1", "198.51.100.1"),
    ],
)
def test_a_proxy_on_this_machine_alone_says_who_comes(peer: str, counted: str) -> None:
    addresses = AddressLimits(QUICK)
    app = WebApp(cast("Any", None), OfferedGames(), QUICK, addresses=addresses).asgi("::")

    async def ask() -> None:
        transport = httpx.ASGITransport(app, client=(peer, 4000))
        async with httpx.AsyncClient(transport=transport, base_url="http://[::1]") as web:
            await web.get("/tabletop.js", headers={"x-forwarded-for": "203.0.113.7"})

    asyncio.run(ask())
    assert list(addresses.seen) == [counted]


def test_a_public_name_is_trusted_behind_another_server() -> None:
    origins = GuardMiddleware(Starlette(), ["table.example"])
    assert origins.trusts("https://table.example", "127.0.0.1:8765")
    assert not origins.trusts("https://evil.example", "127.0.0.1:8765")
    assert not origins.trusts("http://localhost:3000", "localhost:8765")
    assert not origins.trusts("null", "localhost:8765")
    assert origins.trusts(None, "localhost:8765")


@with_server()
async def test_every_answer_says_what_a_page_may_do(server: Server) -> None:
    for path, host in (
        ("/api/games", "localhost"),
        ("/static/x/tokens.css", "localhost"),
        ("/nowhere", "localhost"),
        ("/", "evil.example"),
    ):
        headers = (await server.web.get(path, headers={"host": host})).headers
        assert "default-src 'none'" in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "no-referrer"


@pytest.mark.slow
def test_the_lobby_asks_for_its_key(tmp_path: Path) -> None:
    async def test(server: Server) -> None:
        wish = {"game": "lcr"}
        for headers in ({}, {"authorization": "Bearer x"}, {"authorization": server.key}):
            assert (
                await server.web.post("/api/tables", json=wish, headers=headers)
            ).status_code == 401
            assert (await server.web.get("/api/tables", headers=headers)).status_code == 401
        assert (await server.post(game="lcr")).status_code == 201

    async def open_test(server: Server) -> None:
        assert (await server.web.post("/api/tables", json={"game": "lcr"})).status_code == 201

    serving(test, tmp_path)
    serving(open_test, tmp_path, open_lobby=True)


BAD_WISHES: list[tuple[dict[str, object], str]] = [
    ({}, "missing required field `game`"),
    ({"game": "chess"}, "there is no game 'chess' here"),
    ({"game": "lrc"}, "'lcr'"),
    ({"game": "lcr", "seats": 2}, "3 to 11"),
    ({"game": "lcr", "seats": "two"}, "Expected `int | null`"),
    ({"game": "lcr", "players": ["deep blue"]}, "'deep blue'"),
    ({"game": "lcr", "options": {"chips": 3}}, "'chips'"),
    ({"game": "sorcery", "options": {"patience": "much"}}, "option patience"),
    ({"game": "sorcery", "options": {"deck1": "no deck"}}, ""),
    ({"game": "lcr", "names": ["a" * 41]}, "longer than 40 letters"),
    ({"game": "lcr", "weekly": True, "seed": "old oak"}, "has its own seed"),
    ({"game": "lcr", "clock": -1}, "`float` >= 1"),
    ({"game": "lcr", "king": 1}, "unknown field `king`"),
]


@with_server()
async def test_a_wish_that_cannot_be_says_why(server: Server) -> None:
    for wish, said in BAD_WISHES:
        answer = await server.post(**wish)
        assert answer.status_code == 400
        assert said in answer.json()["error"]


TRACE = 5
LOGGERS = ("", "uvicorn", "uvicorn.error", "uvicorn.access", "uvicorn.asgi", "tabletop", "asyncio")


@pytest.mark.slow
def test_no_log_however_talkative_and_no_output_holds_a_token(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    tokens: list[str] = []

    async def test(server: Server) -> None:
        for name in LOGGERS:  # before the server begins to listen
            caplog.set_level(TRACE, logger=name)
        tokens.append(server.key)
        opened = await server.open(players=["human", "human", "random"])
        links = [link for link in [*opened["links"], opened["spectators"]] if link]
        tokens.extend(link.partition("#")[2] for link in links)
        async with server.screen(links[0]) as ada, server.screen(links[1]) as bo:
            await ada.say(type="act", line="roll")
            await ada.say(type="act", line="dance")
            for seat, screen in enumerate((ada, bo)):
                await screen.say(type="seat", seat=seat, player="random")
            over = await ada.until(
                "state", lambda told: told["over"] and told["over"]["replay_page"]
            )
            of_bo = await bo.until(
                "state", lambda told: told["over"] and told["over"]["replay_page"]
            )
            await bo.socket.send('{"type":"hello","token":"' + tokens[1] + '"}')
            assert await bo.closed() == 4400
        page: str = over["over"]["replay_page"]
        tokens.append(page.partition(".")[2])
        assert (await server.web.get(page)).status_code == 200
        other = await server.open()
        async with server.socket(other["links"][0]) as screen:
            await screen.say(type="hello", token=tokens[1])
            assert await screen.closed() == 4401
        async with server.socket(other["links"][0]) as screen:
            with suppress(ConnectionClosed):
                await screen.socket.send('{"token":"' + tokens[1] + '"')
            assert await screen.closed() == 4400
        live = next(it for it in server.hosting.tables.listing.live.values() if it.saved.over)
        live.runner._carry_out(
            Fault("a bot has failed", RuntimeError("broken"))
        )  # the log can be read at all
        Path(live.saved.record).unlink()
        assert (await server.web.get(page)).status_code == 200  # it is kept
        assert (await server.web.get(of_bo["over"]["replay_page"])).status_code == 500

    serving(test, tmp_path)
    printed = capfd.readouterr()
    said = "\n".join(_told(record) for record in caplog.records if _is_ours(record))
    assert "a bot has failed" in said
    assert "uvicorn.error connection open" in said
    assert len(tokens) == 5
    for token in tokens:
        assert len(token) >= 22
        for text in (said, printed.out, printed.err):
            assert token not in text


def _is_ours(record: logging.LogRecord) -> bool:
    """Whether the server has logged it, and not the browser that the test has."""
    return not record.name.startswith(("httpx", "httpcore", "websockets.client"))


def _told(record: logging.LogRecord) -> str:
    return logging.Formatter("%(name)s %(message)s").format(record)


@pytest.mark.slow
def test_files_of_pages_are_compressed_and_kept_and_answers_with_links_are_not(
    tmp_path: Path,
) -> None:
    async def test(server: Server) -> None:
        asks = {"accept-encoding": "gzip"}
        page = (await server.web.get("/t/any")).text
        for name in ("app.js", "tokens.css"):
            place = re.search(rf'"(/static/[0-9a-f]{{16}}/{name})"', page)
            assert place
            file = await server.web.get(place[1], headers=asks)
            assert file.headers["content-encoding"] == "gzip"
            assert file.headers["cache-control"] == "public, max-age=31536000, immutable"
            plain = await server.web.get(place[1], headers={"accept-encoding": "identity"})
            assert "content-encoding" not in plain.headers
            assert plain.text == file.text
        for name in ("/", "/t/any", "/tabletop.js", str(file.url)):
            whole = await server.web.get(name, headers=asks)
            assert whole.headers["content-encoding"] == "gzip"
            known = {**asks, "if-none-match": f'"another", {whole.headers["etag"]}'}
            again = await server.web.get(name, headers=known)
            assert (again.status_code, again.content) == (304, b"")
            assert again.headers["cache-control"] == whole.headers["cache-control"]
            assert again.headers["content-security-policy"]
        listed = await server.web.get("/api/games", headers=asks)
        assert "content-encoding" not in listed.headers

    serving(test, tmp_path)
