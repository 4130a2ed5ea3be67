"""People come and go: reloads, restarts, bots that stand in, clocks, another match."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tabletop.rng import commitment
from tests.tabletop.web.served import QUICK, Screen, Server, serving, with_server

pytestmark = pytest.mark.slow  # each of them starts a server


@with_server()
async def test_a_screen_that_comes_again_is_told_everything_anew(server: Server) -> None:
    opened = await server.open(players=["human", "random", "random"])
    async with server.screen(opened["links"][0]) as ada:
        await ada.until("state")
        await ada.say(type="act", line="roll")
        await ada.until("state", lambda told: told["your_turn"] and told["ply"] >= 3)
    async with server.screen(opened["links"][0]) as again:
        before, after = ada.last("state"), await again.until("state")
    assert after == before
    told = [line for it in ada.heard if it["type"] == "log" for line in it["lines"]]
    assert again.last("log")["lines"] == told


def test_a_server_that_was_killed_goes_on_where_it_was(tmp_path: Path) -> None:
    links: list[str] = []
    before: list[dict[str, object]] = []
    lines: list[object] = []

    async def first(server: Server) -> None:
        opened = await server.open("sorcery", seed="old oak", names=["Ada", "Bo"], open=[1])
        links.extend(opened["links"])
        async with server.screen(links[0]) as ada, server.screen(links[1]) as bo:
            states = [await ada.until("state"), await bo.until("state")]
            for ply in range(1, 5):
                mover = (ada, bo)[states[0]["turn"][0]]
                await mover.say(type="act", line="end")
                states = [await screen.at(ply) for screen in (ada, bo)]
            before.extend(states)
            lines.extend(line for it in ada.heard if it["type"] == "log" for line in it["lines"])
        # A killed server writes nothing more: what stands on the disk is all there is.
        tables = server.hosting.tables
        for live in tables.listing.live.values():
            live.journal._file.close()

    async def second(server: Server) -> None:
        for seat, link in enumerate(links):
            async with server.screen(link) as screen:
                assert await screen.until("state") == before[seat]
                if seat == 0:
                    assert screen.last("log")["lines"] == lines
        answer = await server.web.get(
            "/api/tables", headers={"authorization": f"Bearer {server.key}"}
        )
        assert [(it["names"], it["over"]) for it in answer.json()] == [(["Ada", "Bo"], False)]

    serving(first, tmp_path)
    serving(second, tmp_path)


@with_server(limits=replace(QUICK, unload=0.05))
async def test_a_table_that_is_left_leaves_memory_and_is_found_again(server: Server) -> None:
    opened = await server.open()
    async with server.screen(opened["links"][0]) as ada:
        await ada.until("state")
        await ada.say(type="act", line="roll")
        await ada.until("state", lambda told: told["ply"] == 1)
    tables = server.hosting.tables
    async with asyncio.timeout(60):
        while tables.listing.live:
            await asyncio.sleep(0.02)
    async with server.screen(opened["links"][0]) as ada:
        assert (await ada.until("state"))["ply"] == 1


@with_server(limits=replace(QUICK, unload_finished=0.05))
async def test_a_finished_match_and_its_replay_page_can_be_opened_again(server: Server) -> None:
    opened = await server.open(players=["human", "random", "random"])
    async with server.screen(opened["links"][0]) as ada:
        await ada.say(type="seat", seat=0, player="random")
        state = await ada.until("state", lambda told: told["over"] and told["over"]["replay_page"])
    tables = server.hosting.tables
    async with asyncio.timeout(60):
        while tables.listing.live:
            await asyncio.sleep(0.02)
    async with server.screen(opened["links"][0]) as ada:
        again = await ada.until("state")
    assert again["over"] == state["over"]
    page = await server.web.get(state["over"]["replay_page"])
    assert page.status_code == 200
    assert "sandbox" in page.headers["content-security-policy"]
    other = state["over"]["replay_page"][:-1] + (
        "A" if state["over"]["replay_page"][-1] != "A" else "B"
    )
    assert (await server.web.get(other)).status_code == 404


@with_server()
async def test_the_seat_of_a_bot_that_was_taken_and_given_back_is_seen_no_more(
    server: Server,
) -> None:
    opened = await server.open(players=["human", "random", "random"])
    async with server.screen(opened["links"][0]) as ada:
        await ada.say(type="seat", seat=1, player="human")
        await ada.until("table", lambda told: told["your_seats"] == [0, 1])
        await ada.say(type="seat", seat=1, player="random")
        await ada.until("table", lambda told: told["your_seats"] == [0])


@with_server(limits=replace(QUICK, openings_at_once=2, openings=0.001))
async def test_playing_again_opens_no_more_tables_than_an_address_may(server: Server) -> None:
    link = (await server.open(players=["human", "random", "random"]))["links"][0]
    async with server.screen(link) as ada:
        await ada.say(type="seat", seat=0, player="random")
        await ada.until("state", lambda told: told["over"])
        await ada.say(type="again")
        link = (await ada.until("state", lambda it: it["over"]["next_table"]))["over"]["next_table"]
        await ada.say(type="again", id=2)
        await ada.until("done")  # there it is already
    async with server.screen(link) as ada:
        seat = (await ada.until("table"))["your_seats"][0]
        await ada.say(type="seat", seat=seat, player="random")
        await ada.until("state", lambda told: told["over"])
        await ada.say(type="again", id=1)
        told = await ada.until("refused")
    assert (told["reason"], "many tables" in told["message"]) == ("busy", True)


@with_server(limits=replace(QUICK, messages_at_once=3, messages=0.001))
async def test_who_hands_a_seat_over_and_over_is_stopped_and_pushes_out_no_chat(
    server: Server,
) -> None:
    opened = await server.open(players=["human", "human", "random"])
    async with server.screen(opened["links"][0]) as ada, server.screen(opened["links"][1]) as bo:
        await bo.say(type="say", text="good luck")
        for player in ("random", "human", "random", "human"):
            await ada.say(type="seat", seat=0, player=player, id=1)
        assert (await ada.until("refused"))["reason"] == "busy"
        runner = server.hosting.tables.listing.live[opened["table"]].runner
        for _ in range(300):
            runner.table.holders.note("a bot plays", logged=True)
        async with server.screen(opened["links"][1]) as again:
            told = await again.until("log")
    assert [it["text"] for it in told["lines"] if it["kind"] == "chat"] == ["good luck"]
    numbers = [it["number"] for it in told["lines"]]
    assert numbers == sorted(numbers)


@with_server(limits=replace(QUICK, undone=2, unload=0.05))
async def test_no_more_is_taken_back_than_a_record_should_hold_also_later(server: Server) -> None:
    opened = await server.open(players=["human", "random", "random"])
    async with server.screen(opened["links"][0]) as ada:
        await ada.say(type="act", line="roll")
        await ada.until("state", lambda told: told["your_turn"] and told["ply"] >= 3)
        await ada.say(type="undo", id=1)
        await ada.until("done")
    while opened["table"] in server.hosting.tables.listing.live:
        await asyncio.sleep(0.02)
    async with server.screen(opened["links"][0]) as ada:
        await ada.until("state")
        await ada.say(type="redo", id=2)
        await ada.until("done")
        await ada.say(type="undo", id=3)
        assert "undo limit" in (await ada.until("refused"))["message"]


@with_server()
async def test_when_a_clock_has_run_out_a_bot_plays_on(server: Server) -> None:
    opened = await server.open(
        names=["Ada", "Bo", "Cy"], players=["human", "human", "random"], clock=1
    )
    async with server.screen(opened["links"][0]) as ada:
        table = await ada.until("table")
        assert table["clock"] == [1, 1, None]
        assert table["running"] == []  # not everybody has come
        async with server.screen(opened["links"][1]) as bo:
            await ada.until("table", lambda told: told["running"] == [0])
            lost = await bo.until("table", lambda told: told["lost"])
            assert lost["lost"] == [0]
            await bo.until("state", lambda told: told["your_turn"] == [1])
            await ada.say(type="seat", seat=0, player="human", id=9)
            assert "your time is up" in (await ada.until("refused"))["message"]
    kept = next(server.directory.glob("*.json")).read_text()
    assert '"clock":[' in kept


@with_server()
async def test_chance_hangs_on_a_salt_that_is_told_in_the_end(server: Server) -> None:
    opened = await server.open(names=["Ada", "Bo"], seats=3, seed="old oak")
    links = opened["links"]
    async with server.screen(links[0]) as ada, server.screen(links[1]) as bo:
        table = await ada.until("table")
        assert table["commitment"] == opened["commitment"]
        for seat, screen in enumerate((ada, bo)):
            await screen.say(type="seat", seat=seat, player="random")
        async with server.screen(links[2]) as cy:
            await cy.say(type="seat", seat=2, player="random")
            over = (await ada.until("state", lambda told: told["over"]))["over"]
        salt = bytes.fromhex(over["salt"])
        assert commitment("old oak", salt) == opened["commitment"]
        assert over["command"].endswith(f"--salt {over['salt']} --seats 3")
        before = [text for text in ada.texts if '"over":null' in text or "table" in text[:20]]
        assert before
        assert not any(over["salt"] in text or "old oak" in text for text in before)
        weekly = await server.open(names=["Ada", "Bo"], seats=3, weekly=True)
        assert weekly["commitment"] is None


async def play_to_the_end(*screens: Screen) -> None:
    """Let bots play on until the match is over; people come back to their seats then."""
    for seat, screen in enumerate(screens):
        await screen.say(type="seat", seat=seat, player="random")
    for screen in screens:
        await screen.until("state", lambda told: told["over"])


def test_the_same_people_play_again_with_seats_turned_and_each_is_told_their_own_link(
    tmp_path: Path,
) -> None:
    opened: dict[str, Any] = {}
    pages: list[str] = []

    async def first(server: Server) -> None:
        players = ["human", "human", "random"]
        opened.update(await server.open(names=["Ada", "Bo"], players=players, seed="old oak"))
        links = opened["links"]
        async with (
            server.screen(links[0]) as ada,
            server.screen(links[1]) as bo,
            server.screen(opened["spectators"]) as cy,
        ):
            await ada.until("state")
            await bo.say(type="again", id=7)
            assert "not over" in (await bo.until("refused"))["message"]
            await play_to_the_end(ada, bo)
            await cy.until("state", lambda told: told["over"])
            await cy.say(type="again", id=8)
            assert "watch" in (await cy.until("refused"))["message"]
            await bo.say(type="again")
            for screen in (ada, bo, cy):
                told = await screen.until(
                    "state", lambda it: it["over"] and it["over"]["next_table"]
                )
                pages.append(told["over"]["next_table"])
            note = await ada.until("note", lambda it: "again" in it["text"])
            assert note["text"] == "Bo would like to play again and has opened a table"
            await ada.say(type="again")  # somebody else was first
        assert len({page.partition("#")[0] for page in pages}) == 1
        assert len(server.hosting.tables.listing.live) == 2
        for screen, own in zip((ada, bo, cy), pages, strict=True):
            others = [page.partition("#")[2] for page in pages if page != own]
            assert not any(token in text for text in screen.texts for token in others)
        for page, you in zip(pages, ([2], [0], []), strict=True):
            async with server.screen(page) as screen:
                table = await screen.until("table")
                assert (table["your_seats"], table["names"]) == (you, ["Bo", "Player 2", "Ada"])
                assert table["players"] == ["human", "random", "human"]
                assert (await screen.until("state"))["over"] is None

    async def second(server: Server) -> None:
        async with server.screen(opened["links"][0]) as ada:
            over = (await ada.until("state"))["over"]
            assert over["next_table"] == pages[0]

    serving(first, tmp_path)
    serving(second, tmp_path)


@with_server()
async def test_the_lobby_counts_neither_bots_nor_absent_people(
    server: Server,
) -> None:
    opened = await server.open(players=["human", "human", "random"], open=[1])
    headers = {"authorization": f"Bearer {server.key}"}

    async def counted() -> tuple[int, int]:
        (table,) = (await server.web.get("/api/tables", headers=headers)).json()
        return table["people_present"], table["people"]

    assert await counted() == (0, 2)
    async with server.screen(opened["links"][0]) as ada, server.screen(opened["spectators"]):
        await ada.until("state")
        assert await counted() == (1, 2)
        await ada.say(type="seat", seat=0, player="random")
        await ada.until("table", lambda told: told["players"][0] == "random")
        assert await counted() == (1, 2)
