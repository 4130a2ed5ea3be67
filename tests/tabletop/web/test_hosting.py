"""The host's page: its data, its actions, and its permissions."""

from __future__ import annotations

import asyncio
import logging
import stat
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx
import pytest

from lcr import Lcr
from tabletop.registry import load
from tabletop.web.limits import MOST_SEEN, AddressBlocked, AddressLimits, Limits
from tabletop.web.lobby import OfferedGames
from tabletop.web.numbers import Meter, Number, prometheus
from tabletop.web.store import BLOCKED, TableStore
from tests.tabletop.web.served import QUICK, Server, serving, with_server

FAR = "203.0.113.7"


def host_key(server: Server) -> str:
    return server.hosting.host.partition("#")[2]


async def overview(server: Server) -> dict[str, Any]:
    headers = {"authorization": f"Bearer {host_key(server)}"}
    answer = await server.web.get("/api/host", headers=headers)
    assert answer.status_code == 200, answer.text
    told: dict[str, Any] = answer.json()
    return told


async def do(server: Server, what: str, **asked: object) -> httpx.Response:
    headers = {"authorization": f"Bearer {host_key(server)}"}
    return await server.web.post(f"/api/host/{what}", json=asked, headers=headers)


async def number(server: Server, name: str) -> float:
    numbers = (await overview(server))["numbers"]
    return float(next(it["value"] for it in numbers if it["name"] == name))


@with_server()
async def test_the_host_sees_all_tables_with_their_links_and_who_is_there(server: Server) -> None:
    opened = await server.open(names=["Ada", "Bo", "Cy"], players=["human"] * 2 + ["random"])
    other = await server.open("sorcery", open=[1])
    headers = {"authorization": f"Bearer {server.key}"}
    joined = await server.web.post(f"/api/tables/{other['table']}/join", headers=headers)
    async with server.screen(opened["links"][0]) as ada, server.screen(opened["spectators"]) as cy:
        await cy.until("state")
        await ada.say(type="act", line="roll")
        await ada.at(1)
        tables = (await overview(server))["tables"]
    assert [it["table"] for it in tables] == [other["table"], opened["table"]]
    newest, lcr = tables
    assert lcr["links"] == opened["links"]
    assert lcr["spectators"] == opened["spectators"]
    assert (lcr["present_seats"], lcr["spectator_count"], lcr["people_present"], lcr["ply"]) == (
        [0],
        1,
        1,
        1,
    )
    assert lcr["players"] == ["human", "human", "random"]
    assert lcr["created"].startswith("20")
    assert newest["links"] == [other["links"][0], joined.json()["link"]]


@with_server()
async def test_nobody_else_sees_what_the_host_sees(server: Server) -> None:
    opened = await server.open()
    tokens = (opened["opener"], opened["links"][0].partition("#")[2], server.key, "x", "\xff")
    metrics = (await overview(server))["metrics"]
    for token in (*tokens, metrics):
        headers = {b"authorization": f"Bearer {token}".encode("latin-1")}
        for path in ("", "/end", "/block"):
            place = f"/api/host{path}"
            ask = server.web.post if path else server.web.get
            answer = await ask(place, headers=headers)
            assert answer.status_code == 401, (token, path)
            assert "does not open the host's page" in answer.json()["error"]
    for token in tokens:
        headers = {b"authorization": f"Bearer {token}".encode("latin-1")}
        assert (await server.web.get("/metrics", headers=headers)).status_code == 401
    for path in ("/api/host", "/metrics", f"/api/host?key={host_key(server)}"):
        assert (await server.web.get(path)).status_code == 401
    async with server.screen(opened["links"][0]) as ada:
        await ada.until("state")


@with_server()
async def test_nothing_that_the_host_is_told_is_kept_by_browsers(server: Server) -> None:
    page = await server.web.get("/host")
    assert page.status_code == 200
    assert host_key(server) not in page.text
    for key in (host_key(server), "x"):
        headers = {"authorization": f"Bearer {key}"}
        for path in ("/api/host", "/metrics"):
            answer = await server.web.get(path, headers=headers)
            assert answer.headers["cache-control"] == "no-store"


@pytest.mark.slow
def test_no_log_however_talkative_holds_a_key_of_the_host(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    keys: list[str] = []

    async def test(server: Server) -> None:
        for name in ("", "uvicorn", "uvicorn.error", "uvicorn.access", "tabletop", "asyncio"):
            caplog.set_level(5, logger=name)
        opened = await server.open(open=[1])
        headers = {"authorization": f"Bearer {server.key}"}
        joined = await server.web.post(f"/api/tables/{opened['table']}/join", headers=headers)
        keys.extend([host_key(server), opened["opener"], (await overview(server))["metrics"]])
        keys.append(joined.json()["link"].partition("#")[2])
        await do(server, "block", address="", blocked=True)
        await do(server, "end", table=opened["table"])

    serving(test, tmp_path)
    ours = [it for it in caplog.records if not it.name.startswith(("httpx", "httpcore"))]
    said = "\n".join(logging.Formatter("%(name)s %(message)s").format(it) for it in ours)
    printed = capfd.readouterr()
    assert len(set(keys)) == 4
    assert not [key for key in keys if key in said + printed.out + printed.err]
    saved = "".join(path.read_text() for path in tmp_path.iterdir())
    assert not [key for key in keys if key in saved]


@pytest.mark.slow
def test_a_table_that_the_host_ends_is_left_and_nobody_comes_back(tmp_path: Path) -> None:
    opened: dict[str, Any] = {}

    async def test(server: Server) -> None:
        opened.update(await server.open(open=[1]))
        record = Path(server.hosting.tables.listing.live[opened["table"]].saved.record)
        async with server.screen(opened["links"][0]) as ada:
            await ada.until("state")
            await ada.say(type="act", line="roll")
            await ada.at(1)
            assert (await do(server, "end", table=opened["table"])).status_code == 200
            told = await ada.until("error")
            assert told["message"].startswith("the host has closed this table")
            assert told["reason"] == "stopped"
            assert await ada.closed() == 4404
        assert (await overview(server))["tables"] == []
        assert '"do":"roll"' in record.read_text()
        await refuses(server)

    async def refuses(server: Server) -> None:
        async with server.screen(opened["links"][0]) as ada:
            assert "the host has closed" in (await ada.until("error"))["message"]
            assert await ada.closed() == 4404
        headers = {"authorization": f"Bearer {server.key}"}
        for what, key in (("join", server.key), ("links", opened["opener"])):
            headers = {"authorization": f"Bearer {key}"}
            path = f"/api/tables/{opened['table']}/{what}"
            assert (await server.web.post(path, headers=headers)).status_code == 409
        asked = [{"table": opened["table"], "token": opened["opener"]}]
        mine = await server.web.post("/api/mine", json={"tables": asked})
        assert mine.json()[0]["state"] == "ended"
        assert (
            await server.web.get("/api/tables", headers={"authorization": f"Bearer {server.key}"})
        ).json() == []
        assert (await do(server, "end", table=opened["table"])).status_code == 200

    serving(test, tmp_path)
    serving(refuses, tmp_path)


@with_server(limits=replace(QUICK, unload=0.01))
async def test_a_table_out_of_memory_is_ended_as_well(server: Server) -> None:
    opened = await server.open()
    async with asyncio.timeout(60):
        while server.hosting.tables.listing.live:
            await asyncio.sleep(0.02)
    assert (await do(server, "end", table=opened["table"])).status_code == 200
    assert (await overview(server))["tables"] == []
    async with server.screen(opened["links"][0]) as ada:
        assert await ada.closed() == 4404


@pytest.mark.parametrize(
    ("what", "asked", "status", "said"),
    [
        ("end", {"table": "nowhere12345"}, 404, "table not found"),
        ("end", {"table": "../../etc/passwd"}, 404, "table not found"),
        ("end", {"table": 7}, 400, "Expected `str`"),
        ("end", {"table": "x" * 300}, 400, "length <= 200"),
        ("end", {"table": "x" * 9000}, 400, "the request is too long; send at most 4096 bytes"),
        (
            "block",
            {"address": "203.0.113.300", "blocked": True},
            400,
            "'203.0.113.300' is not an address",
        ),
        ("block", {"address": "\n203.0.113.7\n1.2.3.4", "blocked": True}, 400, "is not an address"),
        ("block", {"address": "203.0.113.7"}, 400, "missing required field `blocked`"),
        ("block", {"address": "127.0.0.1", "blocked": True}, 400, "this is your own"),
        ("block", {"address": "203.0.113.7", "blocked": True, "x": 1}, 400, "unknown field `x`"),
    ],
)
@pytest.mark.slow
def test_what_the_host_cannot_do_is_said(
    what: str, asked: dict[str, object], status: int, said: str, tmp_path: Path
) -> None:
    async def test(server: Server) -> None:
        answer = await do(server, what, **asked)
        assert answer.status_code == status
        assert said in answer.json()["error"]

    serving(test, tmp_path)


async def asks(server: Server, path: str = "/", at: str = FAR) -> int:
    return (await server.web.get(path, headers={"x-forwarded-for": at})).status_code


@pytest.mark.slow
def test_a_blocked_address_is_disconnected_and_refused_until_it_is_unblocked(
    tmp_path: Path,
) -> None:
    links: list[str] = []

    async def first(server: Server) -> None:
        links.extend((await server.open())["links"])
        async with server.screen(links[0], at=FAR) as ada, server.screen(links[1]) as bo:
            await ada.until("state")
            await bo.until("state")
            assert (await do(server, "block", address=FAR, blocked=True)).status_code == 200
            told = await ada.until("error")
            assert told["message"] == "your address is blocked by the host"
            assert told["reason"] == "refused"
            assert await ada.closed() == 4401
            await bo.until("table", lambda told: not told["present"][0])
            await bo.say(type="undo", id=7)
            assert (await bo.until("refused"))["id"] == 7
        await is_closed(server)

    async def is_closed(server: Server) -> None:
        assert [await asks(server, path) for path in ("/", "/api/games", "/t/x")] == [403] * 3
        async with server.socket(links[0], at=FAR) as ada:
            assert "address is blocked" in (await ada.until("error"))["message"]
            assert await ada.closed() == 4401
        assert await asks(server, at="203.0.113.8") == 200
        headers = {"authorization": f"Bearer {host_key(server)}", "x-forwarded-for": FAR}
        assert (await server.web.get("/api/host", headers=headers)).status_code == 200
        known = {it["address"]: it for it in (await overview(server))["addresses"]}
        assert known[FAR]["blocked"]
        assert known[FAR]["connections"] == 0

    async def second(server: Server) -> None:
        await is_closed(server)
        assert (await do(server, "block", address=FAR, blocked=False)).status_code == 200
        assert await asks(server) == 200
        async with server.screen(links[0], at=FAR) as ada:
            await ada.until("state")

    async def third(server: Server) -> None:
        assert await asks(server) == 200

    serving(first, tmp_path)
    assert (tmp_path / BLOCKED).read_text() == f"{FAR}\n"
    serving(second, tmp_path)
    serving(third, tmp_path)


@with_server()
async def test_addresses_are_counted_the_last_first(server: Server) -> None:
    link = (await server.open())["links"][0]
    await asks(server, at="203.0.113.8")
    await asks(server, at="2001:db8::1")
    await asks(server, at="2001:db8::2")
    async with server.screen(link, at=FAR) as ada:
        await ada.until("state")
        told = await overview(server)
    counted = [(it["address"], it["requests"], it["connections"]) for it in told["addresses"]]
    assert counted[:3] == [(FAR, 1, 1), ("2001:db8::", 2, 0), ("203.0.113.8", 1, 0)]
    assert told["your_address"] == "127.0.0.1"
    assert (await do(server, "block", address="2001:db8::77", blocked=True)).status_code == 200
    assert await asks(server, at="2001:db8::3") == 403


def test_no_more_addresses_are_kept_than_a_host_can_read() -> None:
    addresses = AddressLimits(Limits(), ["192.0.2.1"])
    for number in range(MOST_SEEN + 50):
        addresses.visit(f"10.0.{number // 250}.{number % 250}", number)
    assert len(addresses.seen) == MOST_SEEN
    assert next(iter(addresses.seen)) == "10.0.0.50"
    for _ in range(2):
        with pytest.raises(AddressBlocked):
            addresses.visit("192.0.2.1", 7)
    assert addresses.seen["192.0.2.1"].requests == 2


def test_a_file_of_blocked_addresses_that_cannot_be_read_blocks_nobody_and_is_logged(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / BLOCKED).write_bytes(b"\xff\xfe")
    assert TableStore(tmp_path).blocked_addresses() == set()
    assert "blocked-addresses.txt: cannot be read, no address is blocked" in caplog.text


def test_only_its_user_can_read_the_file_of_blocked_addresses(tmp_path: Path) -> None:
    TableStore(tmp_path / "tables").set_blocked(FAR, is_blocked=True)
    assert stat.S_IMODE((tmp_path / "tables" / BLOCKED).stat().st_mode) == 0o600
    assert stat.S_IMODE((tmp_path / "tables").stat().st_mode) == 0o700


def test_addresses_that_an_earlier_version_blocked_stay_blocked(tmp_path: Path) -> None:
    (tmp_path / "closed-doors.txt").write_text(f"{FAR}\n")
    store = TableStore(tmp_path)
    store.claim()
    assert store.blocked_addresses() == {FAR}
    store.set_blocked(FAR, is_blocked=False)
    store.release()
    store.claim()
    assert store.blocked_addresses() == set()
    store.release()


def test_an_address_of_ipv6_in_the_file_closes_its_network(tmp_path: Path) -> None:
    (tmp_path / BLOCKED).write_text("2001:db8::77\n")
    addresses = AddressLimits(Limits(), TableStore(tmp_path).blocked_addresses())
    with pytest.raises(AddressBlocked):
        addresses.visit("2001:db8::1", 0)
    with pytest.raises(AddressBlocked):
        AddressLimits(Limits(), ["2001:db8::77"]).visit("2001:db8::1", 0)
    TableStore(tmp_path).set_blocked("2001:db8::", is_blocked=False)
    assert TableStore(tmp_path).blocked_addresses() == set()


@with_server()
async def test_two_servers_in_one_folder_keep_the_addresses_that_the_other_has_blocked(
    server: Server,
) -> None:
    other = TableStore(server.directory)
    other.set_blocked("203.0.113.8", is_blocked=True)
    assert (await do(server, "block", address=FAR, blocked=True)).status_code == 200
    assert other.blocked_addresses() == {FAR, "203.0.113.8"}
    assert (await do(server, "block", address=FAR, blocked=False)).status_code == 200
    assert other.blocked_addresses() == {"203.0.113.8"}


@with_server()
async def test_a_file_of_blocked_addresses_that_cannot_be_read_is_not_overwritten(
    server: Server,
) -> None:
    (server.directory / BLOCKED).write_bytes(b"\xff\xfe")
    answer = await do(server, "block", address=FAR, blocked=True)
    assert answer.status_code == 500
    assert str(server.directory) not in answer.text
    assert (server.directory / BLOCKED).read_bytes() == b"\xff\xfe"
    assert await asks(server, at=FAR) == 200


@with_server()
async def test_the_numbers_of_a_server_are_told_to_its_host_and_to_prometheus(
    server: Server,
) -> None:
    opened = await server.open()
    await server.open(players=["random"] * 3)
    async with server.screen(opened["links"][0]) as ada, server.screen(opened["spectators"]) as bo:
        await ada.until("state")
        await bo.until("state")
        await ada.say(type="act", line="roll")
        await ada.at(1)
        told = {it["name"]: it["value"] for it in (await overview(server))["numbers"]}
        key = (await overview(server))["metrics"]
        answer = await server.web.get("/metrics", headers={"authorization": f"Bearer {key}"})
    wanted = {"tables": 2, "tables_in_memory": 2, "people": 1, "spectators": 1, "connections": 2}
    wanted |= {"bots_thinking": 0, "bots_waiting": 0, "moves_total": 1, "moves_last_minute": 1}
    assert {name: told[f"tabletop_{name}"] for name in wanted} == wanted
    assert told["process_resident_memory_bytes"] > 1 << 20
    assert answer.headers["content-type"] == "text/plain; version=0.0.4; charset=utf-8"
    lines = answer.text.splitlines()
    assert "# TYPE tabletop_moves_total counter" in lines
    assert "tabletop_people 1" in lines
    assert {line.split()[0] for line in lines if line[0] != "#"} == told.keys()
    for name in told:
        assert f"# HELP {name} " in answer.text
        assert f"# TYPE {name} " in answer.text


@pytest.mark.slow
def test_what_is_played_again_from_a_record_counts_as_no_move(tmp_path: Path) -> None:
    links: list[str] = []

    async def first(server: Server) -> None:
        links.extend((await server.open())["links"])
        async with server.screen(links[0]) as ada:
            await ada.say(type="act", line="roll")
            await ada.at(1)
        assert await number(server, "tabletop_moves_total") == 1

    async def second(server: Server) -> None:
        async with server.screen(links[1]) as bo:
            await bo.at(1)
            assert await number(server, "tabletop_moves_total") == 0
            await bo.say(type="act", line="roll")
            await bo.at(2)
            assert await number(server, "tabletop_moves_total") == 1

    serving(first, tmp_path)
    serving(second, tmp_path)


def test_a_meter_forgets_what_was_more_than_a_minute_ago() -> None:
    meter = Meter()
    for second in range(100):
        meter.add(2, second)
    assert (meter.total, meter.last_minute(99)) == (200, 120)
    assert meter.last_minute(120.5) == 2 * (99 - 60)
    assert meter.last_minute(1000) == 0


def test_a_meter_keeps_nothing_of_what_has_not_happened() -> None:
    meter = Meter()
    for second in range(100):
        meter.add(0, second)
    assert (meter.total, len(meter._recent)) == (0, 0)


def test_numbers_are_written_as_prometheus_reads_them() -> None:
    numbers = [Number("a_total", "What is counted", 3, "counter"), Number("b", "What is", 0.5)]
    assert prometheus(numbers) == (
        "# HELP a_total What is counted\n# TYPE a_total counter\na_total 3\n"
        "# HELP b What is\n# TYPE b gauge\nb 0.5\n"
    )


EXAMPLES = Path(__file__).parents[3] / "examples"


def test_the_games_that_a_server_was_started_with_are_offered_first() -> None:
    given = [load(str(EXAMPLES / f"{name}.py")) for name in ("pig", "hearts")]
    games = [it["title"] for it in OfferedGames(given).as_message()["games"]]
    assert games[:2] == ["Pig", "Hearts"]
    assert games[2:] == sorted(games[2:], key=str.casefold)
    assert len(games) > 3


def test_a_lobby_offers_the_numbers_of_seats_that_it_accepts() -> None:
    class Crowd(Lcr):
        name = "crowd"
        seats = range(3, 1000)

    class Nation(Lcr):
        name = "nation"
        seats = range(101, 1000)

    given = [replace(load("lcr"), game=it(), source=it.name) for it in (Crowd, Nation)]
    offered = {it["name"]: it["seats"] for it in OfferedGames(given).as_message()["games"]}
    assert offered["crowd"] == list(range(3, 101))
    assert "nation" not in offered


@with_server(quick=True)
async def test_empty_and_equal_names_get_the_numbers_of_their_seats(server: Server) -> None:
    for names, distinct in (
        (["Ada", "", "ADA"], ["Ada", "Player 2", "ADA (3)"]),
        (["Ada", "A\u200bda", " "], ["Ada", "A\u200bda (2)", "Player 3"]),
        (["Player 2", "", "Bo"], ["Player 2", "Player 2 (2)", "Bo"]),
    ):
        assert (await server.open(names=names))["names"] == distinct


@with_server()
async def test_who_has_links_is_told_how_their_tables_stand(server: Server) -> None:
    on = await server.open(names=["Ada", "Bo", "Cy"])
    over = await server.open(players=["human", "random", "random"])
    async with server.screen(over["links"][0]) as ada:
        await ada.say(type="seat", seat=0, player="random")
        await ada.until("state", lambda told: told["over"])

    def asked(opened: dict[str, Any], token: str) -> dict[str, str]:
        return {"table": opened["table"], "token": token}

    seat, watching = (it.partition("#")[2] for it in (on["links"][1], on["spectators"]))
    asks = [asked(on, token) for token in (seat, watching, on["opener"], "x", over["opener"])]
    asks += [asked(over, over["opener"]), {"table": "../x", "token": ""}]
    async with server.screen(on["links"][0]) as ada:
        await ada.until("state")
        answer = await server.web.post("/api/mine", json={"tables": asks})
    assert [it["state"] for it in answer.json()] == ["on"] * 3 + ["gone"] * 2 + ["over", "gone"]
    stands = {"state": "on", "ply": 0, "people_present": 1, "people": 3}
    assert answer.json()[0] == {**stands, "your_turn": False}
    seats = [it.partition("#")[2] for it in on["links"]]
    turns = [{**asked(on, on["opener"]), "seat": it} for it in (*seats, watching, "x")]
    answer = await server.web.post("/api/mine", json={"tables": turns})
    assert [it["your_turn"] for it in answer.json()] == [True] + [False] * 4
    bad: Any
    for bad in ({"tables": asks * 10}, {"tables": [{}]}, {"tables": [{"table": "x" * 900}]}, []):
        refused = await server.web.post("/api/mine", json=bad)
        assert refused.status_code == 400, bad
    huge = await server.web.post("/api/mine", content=b"[" * 300_000)
    assert "too long" in huge.json()["error"]
