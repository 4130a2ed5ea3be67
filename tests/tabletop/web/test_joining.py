"""Seats that anybody of the lobby may take: who gets which, and when one is free again."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path
from typing import Any
from unittest import mock

import httpx
import pytest

from tabletop.records.file import read
from tabletop.table.inputs import Tick
from tabletop.web import links as links_module
from tabletop.web.store import StoreError
from tabletop.web.tokens import NotAdmitted, SeatTaken, SeatTokens
from tests.tabletop.web.served import QUICK, Server, serving, with_server

LONG = replace(QUICK, away_timeout=3600)


async def join(
    server: Server, table: str, key: str | None = None, *, name: str = ""
) -> httpx.Response:
    headers = {"authorization": f"Bearer {server.key if key is None else key}"}
    body = {"name": name} if name else None
    return await server.web.post(f"/api/tables/{table}/join", headers=headers, json=body)


async def listed(server: Server) -> dict[str, Any]:
    """The only table of the lobby's list."""
    headers = {"authorization": f"Bearer {server.key}"}
    (table,) = (await server.web.get("/api/tables", headers=headers)).json()
    return dict(table)


async def free(server: Server) -> int:
    """Return the number of free seats of the only table in the lobby's list."""
    return int((await listed(server))["free_seats"])


async def until_free(server: Server, seats: int) -> None:
    async with asyncio.timeout(60):
        while await free(server) != seats:
            await asyncio.sleep(0.02)


@with_server(limits=LONG)
async def test_open_seats_are_taken_one_after_the_other_and_then_no_more(server: Server) -> None:
    opened = await server.open(names=["Ada", "Bo", "Cy"], open=[2, 1])
    assert await free(server) == 2
    seats = []
    for left in (1, 0):
        joined = (await join(server, opened["table"])).json()
        assert await free(server) == left
        async with server.screen(joined["link"]) as screen:
            assert (await screen.until("table"))["your_seats"] == [joined["seat"]]
        seats.append(joined["seat"])
    assert seats == [1, 2]
    refused = await join(server, opened["table"])
    assert refused.status_code == 409
    assert "no seat is free" in refused.json()["error"]


@with_server(limits=LONG)
async def test_a_seat_that_is_taken_opens_for_nobody_else(server: Server) -> None:
    opened = await server.open(names=["Ada", "Bo", "Cy"], open=[1])
    async with server.screen(opened["links"][0]) as ada:
        await ada.until("state")
        joined = (await join(server, opened["table"])).json()
        assert (await ada.until("note"))["text"] == "Someone from the lobby sat down as Bo"
    async with server.socket(opened["links"][1]) as bo:
        await bo.say(type="hello", token=opened["links"][1].partition("#")[2])
        assert await bo.closed() == 4401
    headers = {"authorization": f"Bearer {opened['opener']}"}
    again = await server.web.post(f"/api/tables/{opened['table']}/links", headers=headers)
    assert again.json()["link_notes"] == ["", "taken over by another player", ""]
    assert again.json()["links"][1] is None
    assert joined["link"] not in again.text


@with_server(limits=LONG)
async def test_who_has_the_link_of_a_seat_that_was_taken_is_told_so(server: Server) -> None:
    opened = await server.open(open=[1])
    await join(server, opened["table"])
    for _ in range(2):  # at a table in memory, and at one that is not
        async with server.socket(opened["links"][1]) as bo:
            await bo.say(type="hello", token=opened["links"][1].partition("#")[2])
            told = await bo.hear()
            assert await bo.closed() == 4401
        assert told["reason"] == "refused"
        assert told["message"].startswith("another player has taken this seat")
        tables = server.hosting.tables
        if opened["table"] in tables.listing.live:
            tables._unload(tables.listing.live[opened["table"]])
    async with server.socket(opened["links"][1]) as stranger:
        await stranger.say(type="hello", token="x")
        assert (await stranger.hear())[
            "message"
        ] == "table not found; copy the whole link, including the part after #"


@with_server(limits=LONG)
async def test_the_list_contains_the_link_to_watch_open_tables(server: Server) -> None:
    opened = await server.open(open=[1, 2])
    await join(server, opened["table"])
    table = await listed(server)
    assert table["spectator_path"] == opened["spectators"]
    await server.open()
    assert (await listed(server))["table"] == opened["table"], "only open tables are listed"


@with_server(limits=LONG)
async def test_a_seat_is_called_as_who_joins_where_nothing_has_been_played(
    server: Server,
) -> None:
    opened = await server.open(names=["Ada"], open=[1])
    async with server.screen(opened["links"][0]) as ada:
        await ada.until("state")
        former = Path(server.hosting.tables.listing.live[opened["table"]].saved.record)
        joined = (await join(server, opened["table"], name="  Bo ")).json()
        assert joined["names"] == ["Ada", "Bo", "Player 3"]
        await ada.until("table", lambda told: told["names"][1] == "Bo")
        assert (await ada.until("note"))["text"] == "Bo sat down as Player 2"
    assert (await listed(server))["names"] == joined["names"]
    tables = server.hosting.tables
    record = Path(tables.listing.live[opened["table"]].saved.record)
    assert record.exists()
    assert not former.exists()
    tables._unload(tables.listing.live[opened["table"]])
    async with server.screen(joined["link"]) as bo:
        assert (await bo.until("table"))["names"] == joined["names"]
        assert "Bo" in (await bo.until("state"))["text"]
        async with server.screen(opened["links"][0]) as ada:
            await ada.until("state")
            await ada.say(type="act", line="roll")
            await ada.at(1)
    assert list(read(record).header.seats) == joined["names"]


@with_server(limits=LONG)
async def test_a_seat_keeps_its_name_once_something_was_played(server: Server) -> None:
    opened = await server.open(names=["Ada", "Bo"], open=[1])
    async with server.screen(opened["links"][0]) as ada:
        await ada.until("state")
        await ada.say(type="act", line="roll")
        await ada.at(1)
        joined = (await join(server, opened["table"], name="Cy")).json()
        assert joined["names"][:2] == ["Ada", "Bo"]
        assert (await ada.until("note"))["text"] == "Cy sat down as Bo"


@with_server(limits=LONG)
async def test_a_name_that_is_too_long_is_refused(server: Server) -> None:
    opened = await server.open(names=["Ada"], open=[1])
    refused = await join(server, opened["table"], name="x" * 41)
    assert refused.status_code == 400
    assert "longer than 40 letters" in refused.json()["error"]
    assert await free(server) == 1


@with_server(limits=LONG)
async def test_a_name_that_another_seat_has_gets_the_number_of_the_seat(server: Server) -> None:
    opened = await server.open(names=["Ada"], open=[1])
    joined = (await join(server, opened["table"], name="ADA")).json()
    assert joined["names"][:2] == ["Ada", "ADA (2)"]


@with_server(limits=LONG)
async def test_who_join_at_once_get_seats_of_their_own_or_are_refused(server: Server) -> None:
    opened = await server.open(seats=5, open=[1, 2, 3])
    answers = await asyncio.gather(*(join(server, opened["table"]) for _ in range(8)))
    joined = [it.json() for it in answers if it.status_code == 200]
    assert sorted(it["seat"] for it in joined) == [1, 2, 3]
    assert len({it["link"] for it in joined}) == 3
    assert [it.status_code for it in answers].count(409) == 5


@with_server(limits=LONG)
async def test_a_seat_is_not_free_while_somebody_is_there_or_has_just_left(server: Server) -> None:
    opened = await server.open(open=[1, 2])
    async with server.screen(opened["links"][1]) as bo:
        await bo.until("state")
        assert await free(server) == 1
    await until_free(server, 1)
    assert (await join(server, opened["table"])).json()["seat"] == 2


@with_server(limits=replace(QUICK, away_timeout=0.3))
async def test_a_seat_whose_joiner_stays_away_is_free_again(server: Server) -> None:
    opened = await server.open(open=[1])
    first = (await join(server, opened["table"])).json()["link"]
    assert await free(server) == 0
    await until_free(server, 1)
    second = (await join(server, opened["table"])).json()["link"]
    async with server.socket(first) as screen:
        await screen.say(type="hello", token=first.partition("#")[2])
        assert await screen.closed() == 4401
    async with server.screen(second) as cy:
        assert (await cy.until("table"))["your_seats"] == [1]
        await asyncio.sleep(0.4)
        assert await free(server) == 0
    await until_free(server, 1)


@with_server(limits=replace(QUICK, away_timeout=0.1))
async def test_who_joins_plays_where_a_bot_has_stood_in(server: Server) -> None:
    opened = await server.open(names=["Ada", "Bo", "Cy"], open=[1])
    async with server.screen(opened["links"][0]) as ada:
        await ada.until("table", lambda told: 1 in told["replaceable"])
        await ada.say(type="seat", seat=1, player="random")
        await ada.until("table", lambda told: told["players"][1] == "random")
        joined = (await join(server, opened["table"])).json()
        await ada.until("table", lambda told: told["players"][1] == "human")
        async with server.screen(joined["link"]) as bo:
            assert (await bo.until("table"))["your_seats"] == [1]


@with_server(limits=LONG)
async def test_nobody_joins_what_is_over_or_closed_or_not_there(server: Server) -> None:
    shut = await server.open()
    assert (await join(server, shut["table"])).status_code == 409
    for name in ("nowhere12345", "..", "%2e%2e", "a" * 3000, "host.key"):
        assert (await join(server, name)).status_code in {404, 405}
    over = await server.open(players=["human", "human", "random"], open=[1])
    async with server.screen(over["links"][0]) as ada, server.screen(over["links"][1]) as bo:
        await ada.say(type="seat", seat=0, player="random")
        await bo.say(type="seat", seat=1, player="random")
        await ada.until("state", lambda told: told["over"])
    server.hosting.tables.listing.live[over["table"]].table.successors.presence._last_here.clear()
    assert (await join(server, over["table"])).status_code == 409


@pytest.mark.slow
def test_joining_takes_the_key_of_the_lobby_unless_that_is_open(tmp_path: Path) -> None:
    async def test(server: Server) -> None:
        opened = await server.open(open=[1])
        for key in ("x", opened["opener"], opened["links"][0].partition("#")[2]):
            assert (await join(server, opened["table"], key)).status_code == 401
        assert await free(server) == 1

    async def open_test(server: Server) -> None:
        opened = await server.web.post("/api/tables", json={"game": "lcr", "open": [1]})
        assert (await join(server, opened.json()["table"], "x")).status_code == 200

    serving(test, tmp_path / "locked")
    serving(open_test, tmp_path / "open", open_lobby=True)


@with_server(limits=replace(QUICK, openings=0.001, openings_at_once=2))
async def test_one_visitor_takes_no_more_seats_than_they_may_open_tables(server: Server) -> None:
    opened = await server.open(seats=5, open=[1, 2, 3])
    assert (await join(server, opened["table"])).status_code == 200
    assert (await join(server, opened["table"])).status_code == 429


@pytest.mark.slow
def test_who_has_joined_has_their_seat_after_the_server_was_started_again(tmp_path: Path) -> None:
    opened: dict[str, Any] = {}

    async def first(server: Server) -> None:
        opened.update(await server.open(open=[1, 2]))
        opened["joined"] = (await join(server, opened["table"])).json()["link"]

    async def second(server: Server) -> None:
        assert await free(server) == 0, "people come back first"
        assert (await join(server, opened["table"])).status_code == 409
        async with server.screen(opened["joined"]) as bo:
            assert (await bo.until("table"))["your_seats"] == [1]
        async with server.socket(opened["links"][1]) as screen:
            await screen.say(type="hello", token=opened["links"][1].partition("#")[2])
            assert await screen.closed() == 4401

    async def third(server: Server) -> None:
        await until_free(server, 2)

    serving(first, tmp_path, limits=LONG)
    serving(second, tmp_path, limits=LONG)
    serving(third, tmp_path, limits=replace(QUICK, away_timeout=0.2))


@with_server(limits=replace(QUICK, unload=0.05, away_timeout=0.5))
async def test_a_table_out_of_memory_counts_how_long_people_have_been_gone(server: Server) -> None:
    opened = await server.open(open=[1])
    async with server.screen(opened["links"][1]) as bo:
        await bo.until("state")
    tables = server.hosting.tables
    async with asyncio.timeout(60):
        while tables.listing.live:
            await asyncio.sleep(0.02)
    assert await free(server) == 0
    await until_free(server, 1)
    assert (await join(server, opened["table"])).json()["seat"] == 1
    assert await free(server) == 0


@with_server(limits=replace(QUICK, unload=0.05, away_timeout=0.3))
async def test_no_seat_of_a_paused_table_is_free_after_it_has_left_memory(server: Server) -> None:
    opened = await server.open(players=["human", "human", "random"], open=[1], clock=500)
    ada, bo = opened["links"][:2]
    async with server.screen(ada) as first, server.screen(bo) as second:
        await second.until("state")
        await first.say(type="propose", kind="pause")
        await second.until("consent")
        await second.say(type="consent", yes=True)
        await first.until("table", lambda told: told["hold"])
    async with asyncio.timeout(60):
        while server.hosting.tables.listing.live:
            await asyncio.sleep(0.02)
    await asyncio.sleep(0.4)
    assert await free(server) == 0


@with_server(limits=LONG)
async def test_a_seat_that_cannot_be_written_down_is_not_handed_over(
    server: Server,
) -> None:
    opened = await server.open(open=[1])
    kept = server.hosting.tables._store
    put = kept.put

    def fail(saved: object) -> None:
        raise StoreError(f"{server.directory}: cannot be written: No space left on device")

    kept.put = fail  # type: ignore[method-assign]
    refused = await join(server, opened["table"])
    kept.put = put  # type: ignore[method-assign]
    assert refused.status_code == 500
    assert str(server.directory) not in refused.text
    assert await free(server) == 1
    async with server.screen(opened["links"][1]) as bo:
        assert (await bo.until("table"))["your_seats"] == [1], "the former link still opens it"


@pytest.mark.slow
@with_server(limits=replace(QUICK, away_timeout=0.2))
async def test_a_bot_keeps_a_seat_that_cannot_be_written_down(server: Server) -> None:
    opened = await server.open(players=["human", "human", "random"], open=[1], casual=True)
    async with server.screen(opened["links"][0]) as ada, server.screen(opened["links"][1]) as bo:
        await bo.say(type="seat", seat=1, player="random")
        await ada.until("table", lambda told: told["players"][1] == "random")
    await until_free(server, 1)
    tables = server.hosting.tables
    table = tables.listing.live[opened["table"]].table
    refusal = StoreError("No space left on device")
    with mock.patch.object(tables._store, "put", side_effect=refusal):
        assert (await join(server, opened["table"])).status_code == 500
    assert table.players[1] == "random"
    assert await free(server) == 1
    assert (await join(server, opened["table"])).status_code == 200
    assert table.players[1] == "human"


@with_server(limits=LONG)
async def test_a_former_record_that_cannot_be_removed_keeps_nobody_from_the_seat(
    server: Server,
) -> None:
    opened = await server.open(names=["Ada"], open=[1])

    def fail(path: Path, *, missing_ok: bool = False) -> None:
        raise PermissionError("it is write-protected")

    with mock.patch.object(Path, "unlink", fail):
        joined = await join(server, opened["table"], name="Bo")
    assert joined.status_code == 200
    async with server.screen(joined.json()["link"]) as bo:
        told = await bo.until("table")
        assert (told["your_seats"], told["names"][1]) == ([1], "Bo")


@with_server(limits=LONG)
async def test_a_seat_that_is_not_handed_over_keeps_its_name_and_its_record(
    server: Server,
) -> None:
    opened = await server.open(names=["Ada", "Bo"], open=[1])
    tables = server.hosting.tables
    live = tables.listing.live[opened["table"]]
    record, saved = Path(live.saved.record), live.saved
    records = set(record.parent.iterdir())
    refusal = StoreError("No space left on device")
    with mock.patch.object(tables._store, "put", side_effect=refusal):
        assert (await join(server, opened["table"], name="Cy")).status_code == 500
    assert live.saved == saved
    assert (await listed(server))["names"][:2] == ["Ada", "Bo"]
    assert set(record.parent.iterdir()) == records
    async with server.screen(opened["links"][0]) as ada:
        assert (await ada.until("table"))["names"][:2] == ["Ada", "Bo"]
        await ada.say(type="act", line="roll")
        await ada.at(1)
    assert '"do":"roll"' in record.read_text()


@with_server(limits=replace(QUICK, away_timeout=0))
async def test_what_was_taken_back_keeps_the_name_of_a_seat(server: Server) -> None:
    players = ["human", "human", "random"]
    opened = await server.open(names=["Ada", "Bo"], players=players, open=[1], casual=True)
    async with server.screen(opened["links"][0]) as ada:
        async with server.screen(opened["links"][1]) as bo:
            await ada.until("state")
            await ada.say(type="act", line="roll")
            await bo.until("state", lambda told: told["ply"] == 1)
            await ada.say(type="undo")
            await bo.until("consent")
            await bo.say(type="consent", yes=True)
            await bo.at(0)
        await until_free(server, 1)
        joined = (await join(server, opened["table"], name="Cy")).json()
        assert joined["names"][:2] == ["Ada", "Bo"]


@with_server(limits=replace(QUICK, away_timeout=0.1))
async def test_people_wait_for_who_joins_as_long_as_for_anybody(server: Server) -> None:
    opened = await server.open(players=["human", "human", "random"], open=[0], idle_timeout=10)
    async with server.screen(opened["links"][1]) as bo:
        async with server.screen(opened["links"][0]) as ada:
            await ada.until("state")
            runner = server.hosting.tables.listing.live[opened["table"]].runner
            waits = runner.table.successors.idle._waits
            while 0 not in waits:  # it is Ada's turn, once both are here
                await asyncio.sleep(0.01)
        waits[0].since -= 60
        runner.receive(Tick())
        await bo.until("table", lambda told: 0 in told["replaceable"])
        await until_free(server, 1)
        joined = (await join(server, opened["table"])).json()
        async with server.screen(joined["link"]):
            told = await bo.until("table", lambda told: told["present"][0])
            assert told["replaceable"] == []
            assert not waits[0].expired


@with_server(limits=replace(QUICK, away_timeout=0.1))
async def test_who_joins_takes_over_no_request_for_a_pause(server: Server) -> None:
    opened = await server.open(players=["human", "human", "random"], open=[0], clock=500)
    async with server.screen(opened["links"][1]) as bo:
        async with server.screen(opened["links"][0]) as ada:
            await bo.until("table", lambda told: told["running"])
            await ada.say(type="propose", kind="pause")
            await bo.until("consent", lambda told: told["kind"] == "pause")
        await until_free(server, 1)
        joined = (await join(server, opened["table"])).json()
        await bo.until("consent", lambda told: not told["kind"])
        await bo.say(type="consent", yes=True, kind="pause", id=1)
        assert (await bo.until("refused"))["message"] == "there is no pause request to answer"
        async with server.screen(joined["link"]) as cy:
            await cy.until("state")
            assert not any(it["type"] == "consent" for it in cy.heard)


@with_server(limits=replace(QUICK, away_timeout=0))
async def test_a_link_that_many_have_followed_opens_nothing_and_is_not_said_to_be_taken(
    server: Server,
) -> None:
    opened = await server.open(open=[1])
    tables, name = server.hosting.tables, opened["table"]
    links = [opened["links"][1]]
    links += [(await join(server, name)).json()["link"] for _ in range(3)]
    with mock.patch.object(links_module, "FORMER", 2):
        for link, refused in zip(links[:3], [NotAdmitted, SeatTaken, SeatTaken], strict=True):
            with pytest.raises(NotAdmitted) as raised:
                tables.admit(name, link[-22:])
            assert raised.type is refused
    assert tables.admit(name, links[3][-22:])[1] == 1


@with_server(limits=LONG)
async def test_a_token_is_compared_once_for_each_connection(server: Server) -> None:
    opened = await server.open()
    tables, (name, token) = server.hosting.tables, (opened["table"], opened["links"][1][-22:])
    for _ in range(2):  # at a table in memory, and at one that is not
        with mock.patch.object(SeatTokens, "admit", autospec=True, side_effect=[1]) as admit:
            _, link = tables.admit(name, token)
        assert (admit.call_count, link) == (1, 1)
        tables._unload(tables.listing.live[name])


@pytest.mark.parametrize(
    ("wish", "said"),
    [
        ({"open": [3]}, "there is no seat 3; seats are numbered from 0 to 2"),
        ({"open": [-1]}, ">= 0"),
        ({"open": [1], "players": ["human", "random"]}, "the Random bot plays seat 1"),
        ({"open": list(range(100)) * 2}, "length <= 100"),
        ({"open": True}, "Expected `array`"),
    ],
)
@pytest.mark.slow
def test_a_seat_that_cannot_be_open_is_named(
    wish: dict[str, Any], said: str, tmp_path: Path
) -> None:
    async def test(server: Server) -> None:
        answer = await server.post(game="lcr", **wish)
        assert answer.status_code == 400
        assert said in answer.json()["error"]

    serving(test, tmp_path)


@with_server(limits=LONG)
async def test_the_same_people_have_their_seats_first_when_they_play_again(server: Server) -> None:
    opened = await server.open(players=["human", "human", "random"], open=[1])
    async with server.screen(opened["links"][0]) as ada, server.screen(opened["links"][1]) as bo:
        await ada.say(type="seat", seat=0, player="random")
        await bo.say(type="seat", seat=1, player="random")
        await ada.until("state", lambda told: told["over"])
        await ada.say(type="again")
        over = (await bo.until("state", lambda it: it["over"] and it["over"]["next_table"]))["over"]
    table = over["next_table"].removeprefix("/t/").partition("#")[0]
    assert server.hosting.tables.listing.live[table].saved.open_seats == (0,)
    assert (await join(server, table)).status_code == 409
    async with server.screen(over["next_table"]) as bo:
        assert (await bo.until("table"))["your_seats"] == [0]
