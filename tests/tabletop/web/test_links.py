"""Links that can be requested again, and the people who may request them."""

from __future__ import annotations

import asyncio
import json
import stat
from pathlib import Path
from typing import Any

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st
from typing_extensions import override

from tabletop import Plugin, Seat
from tabletop.web.links import next_pages
from tabletop.web.store import KEY, StoreError, TableStore
from tabletop.web.tokens import KEY_BYTES, LinkKey, derived_tokens, hash_token, new_token
from tests.tabletop.games.sealed import Cards, Sealed
from tests.tabletop.web.served import Server, serving, with_server
from tests.tabletop.web.test_people import play_to_the_end

PURPOSES = st.lists(st.text(max_size=4) | st.integers(0, 3) | st.none(), max_size=4).map(tuple)


async def told(server: Server, table: str, opener: str) -> httpx.Response:
    """Return the response with a table's links to a person with the opener's token."""
    headers = {"authorization": f"Bearer {opener}"}
    return await server.web.post(f"/api/tables/{table}/links", headers=headers)


@given(PURPOSES, PURPOSES)
def test_each_purpose_has_a_token_of_its_own_and_always_the_same(
    one: tuple[Any, ...], other: tuple[Any, ...]
) -> None:
    key = LinkKey(bytes(KEY_BYTES))
    assert (key.token(*one) == key.token(*other)) == (one == other)
    assert key.token(*one) == LinkKey(bytes(KEY_BYTES)).token(*one)
    assert key.token(*one) != LinkKey(bytes([1] * KEY_BYTES)).token(*one)
    assert len(key.token(*one)) == len(new_token())


def test_the_tokens_of_a_key_are_the_same_on_every_machine() -> None:
    key = LinkKey(bytes(range(KEY_BYTES)))
    assert key.seat("oak", 1) == "9F9Gne_fuUVIO7DTrh6lFQ"
    assert key.seat("oak", None) == "-mu4a7zQ6qg191Bv16OB4A"


def test_a_key_is_made_once_for_its_user_alone(tmp_path: Path) -> None:
    store = TableStore(tmp_path / "tables")
    first = store.link_key().token("lobby")
    path = tmp_path / "tables" / KEY
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    assert TableStore(tmp_path / "tables").link_key().token("lobby") == first
    assert [it.name for it in path.parent.iterdir()] == [KEY]
    assert TableStore(tmp_path / "others").link_key().token("lobby") != first


@pytest.mark.parametrize("text", ["", "00", "g" * 64, "0" * 66, "\udcff"])
def test_a_file_that_holds_no_key_is_named(text: str, tmp_path: Path) -> None:
    (tmp_path / KEY).write_bytes(text.encode("utf-8", "surrogateescape"))
    with pytest.raises(StoreError, match=r"host\.key: not a key of 64 hexadecimal digits"):
        TableStore(tmp_path).link_key()


@with_server()
async def test_who_has_opened_a_table_is_told_its_links_again(server: Server) -> None:
    opened = await server.open(names=["Ada", "Bo", "Cy"], players=["human", "human", "random"])
    again = (await told(server, opened["table"], opened["opener"])).json()
    only_when_opened = {"opener", "commitment"}
    assert {name: it for name, it in opened.items() if name not in only_when_opened} == again
    assert again["link_notes"] == ["", "", "a bot plays here"]
    async with server.screen(again["links"][1]) as bo:
        assert (await bo.until("table"))["your_seats"] == [1]


@pytest.mark.slow
def test_links_are_the_same_after_the_server_was_started_again(tmp_path: Path) -> None:
    opened: dict[str, Any] = {}

    async def first(server: Server) -> None:
        opened.update(await server.open(), key=server.key, host=server.hosting.host)

    async def second(server: Server) -> None:
        again = await told(server, opened["table"], opened["opener"])
        assert again.json()["links"] == opened["links"]
        assert server.key == opened["key"], "that of the lobby lasts as well"
        assert server.hosting.host.partition("/host")[2] == opened["host"].partition("/host")[2]
        async with server.screen(opened["links"][2]) as cy:
            assert (await cy.until("table"))["your_seats"] == [2]

    serving(first, tmp_path)
    serving(second, tmp_path)


@with_server()
async def test_nobody_else_is_told_the_links_of_a_table(server: Server) -> None:
    mine, other = await server.open(), await server.open()
    seat = mine["links"][0].partition("#")[2]
    watching = mine["spectators"].partition("#")[2]
    host = server.hosting.host.partition("#")[2]
    wrong = (other["opener"], seat, watching, server.key, host, mine["table"], "-", "x" * 9000)
    for token in wrong:
        answer = await told(server, mine["table"], token)
        assert answer.status_code == 401
        assert "only the player who opened a table" in answer.json()["error"]
    place = f"/api/tables/{mine['table']}/links"
    for header in ("", "Basic eDp5", "Bearer \xff\xfe", mine["opener"]):
        headers = {b"authorization": header.encode("latin-1")}
        assert (await server.web.post(place, headers=headers)).status_code == 401
    for table in ("nowhere12345", "..%2f..%2fetc", "%00", "a" * 3000, KEY):
        answer = await told(server, table, mine["opener"])
        assert answer.status_code in {401, 404}
    async with server.socket(f"/t/{mine['table']}") as screen:
        await screen.say(type="hello", token=mine["opener"])
        assert await screen.closed() == 4401, "it opens no seat"


@pytest.mark.slow
def test_a_table_of_before_opens_with_its_links_and_cannot_tell_them_again(tmp_path: Path) -> None:
    opened: dict[str, Any] = {}
    tokens = [new_token() for _ in range(4)]

    async def first(server: Server) -> None:
        opened.update(await server.open(players=["human", "human", "random"]))

    def age() -> None:
        """Make the saved table one of a server whose tokens were random, and fresh fields away."""
        path = tmp_path / f"{opened['table']}.json"
        saved = json.loads(path.read_text())
        seats = [hash_token(tokens[0]), hash_token(tokens[1]), None]
        saved["tokens"] = {"seats": seats, "spectators": hash_token(tokens[3])}
        for name in ("generations", "ended"):
            del saved[name]
        path.write_text(json.dumps(saved))

    async def second(server: Server) -> None:
        again = (await told(server, opened["table"], opened["opener"])).json()
        assert again["links"] == [None] * 3
        assert "cannot be shown again" in again["link_notes"][0]
        assert again["spectators"] is None
        links = [f"/t/{opened['table']}#{token}" for token in tokens[:2]]
        async with server.screen(links[0]) as ada, server.screen(links[1]) as bo:
            assert (await ada.until("table"))["your_seats"] == [0]
            await play_to_the_end(ada, bo)
            await bo.say(type="again")
            state = await ada.until("state", lambda it: it["over"] and it["over"]["next_table"])
        async with server.screen(state["over"]["next_table"]) as ada:
            assert (await ada.until("table"))["your_seats"] == [2], (
                "the next one has links of its own"
            )

    serving(first, tmp_path)
    age()
    serving(second, tmp_path)


@pytest.mark.slow
def test_with_another_key_links_open_and_are_not_told_wrongly(tmp_path: Path) -> None:
    opened: dict[str, Any] = {}

    async def first(server: Server) -> None:
        opened.update(await server.open(), key=server.key)

    async def second(server: Server) -> None:
        assert server.key != opened["key"]
        assert (await told(server, opened["table"], opened["opener"])).status_code == 401
        async with server.screen(opened["links"][0]) as ada:
            assert (await ada.until("table"))["your_seats"] == [0]

    serving(first, tmp_path)
    (tmp_path / KEY).unlink()
    serving(second, tmp_path)


@with_server()
async def test_the_page_of_the_next_table_has_only_what_was_first_ones_own(server: Server) -> None:
    """A person who returns does not get the link of the player who took their seat."""
    opened = await server.open(players=["human", "human", "random"], open=[1])
    links = opened["links"]
    async with server.screen(links[0]) as ada, server.screen(links[1]) as bo:
        await play_to_the_end(ada, bo)
        await ada.say(type="again")
        own = (await bo.until("state", lambda it: it["over"] and it["over"]["next_table"]))["over"][
            "next_table"
        ]
    tables = server.hosting.tables
    live = tables.listing.live[own.partition("#")[0].removeprefix("/t/")]
    live.table.successors.presence._last_here.clear()
    joined = tables.join(live.saved.table)
    assert joined.seat == 0
    assert joined.link != own
    saved = tables.listing.live[opened["table"]].saved
    pages = next_pages(tables.key, saved, live.saved)
    assert pages[1] == f"/t/{live.saved.table}"
    assert joined.link not in pages
    await asyncio.sleep(0)
    async with server.socket(own) as bo:
        await bo.say(type="hello", token=own.partition("#")[2])
        assert await bo.closed() == 4401


def test_the_first_tokens_of_a_table_are_those_of_its_key() -> None:
    key = LinkKey(bytes(KEY_BYTES))
    tokens = derived_tokens(key, "oak", [True, False, True])
    assert tokens.seats[1] is None
    assert [tokens.admit(key.seat("oak", seat)) for seat in (0, 2, None)] == [0, 2, None]
    moved = tokens.replaced(2, key.seat("oak", 2, 1))
    assert moved.admit(key.seat("oak", 2, 1)) == 2
    for wrong in (key.seat("oak", 2), key.seat("elm", 0), key.opener("oak"), key.seat("oak", 1)):
        with pytest.raises(Exception, match="table not found"):
            moved.admit(wrong)


class OpenHands(Sealed):
    """Shows every hand to spectators, which players may not see."""

    name = "open"

    @override
    def view(self, state: Cards, seat: Seat | None) -> Cards:
        return state.clone() if seat is None else super().view(state, seat)


class LateHands(OpenHands):
    """Shows every hand to spectators after some actions."""

    name = "late"

    @override
    def view(self, state: Cards, seat: Seat | None) -> Cards:
        return super().view(state, seat) if state.turn > 2 else Sealed.view(self, state, seat)


@pytest.mark.slow
@pytest.mark.parametrize("game", [OpenHands(), LateHands()])
def test_no_player_gets_a_link_to_watch_what_a_seat_may_not_see(
    game: OpenHands, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async def test(server: Server) -> None:
        opened = await server.open(game.name, seats=2, open=[1])
        again = (await told(server, opened["table"], opened["opener"])).json()
        assert (opened["spectators"], again["spectators"]) == (None, None)
        async with server.screen(opened["links"][0]) as ada:
            assert (await ada.until("table"))["spectator_path"] == ""
        lobby = {"authorization": f"Bearer {server.key}"}
        listed = (await server.web.get("/api/tables", headers=lobby)).json()
        assert [it["spectator_path"] for it in listed] == [None]
        host = {"authorization": f"Bearer {server.hosting.host.partition('#')[2]}"}
        [table] = (await server.web.get("/api/host", headers=host)).json()["tables"]
        assert table["spectators_see_more"]
        assert table["spectators"].startswith("/t/")
        assert f"table {opened['table']}: in" in caplog.text

    serving(test, tmp_path, plugins=(Plugin(game),))
