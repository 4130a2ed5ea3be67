"""Invitations: one link with which everybody takes a seat of their own."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.tabletop.web.served import QUICK, Server, serving, with_server

LONG = replace(QUICK, away_timeout=3600)


async def ask(server: Server, invitation: str, does: str = "", **body: object) -> httpx.Response:
    """Request the table of an invitation, or take a seat there."""
    path, token = invitation.split("#")
    headers = {"authorization": f"Bearer {token}"}
    address = f"/api/invitations/{path.rpartition('/')[2]}{does}"
    return await server.web.post(address, headers=headers, json=body)


async def sit(server: Server, invitation: str, name: str = "") -> dict[str, Any]:
    answer = await ask(server, invitation, "/sit", name=name)
    assert answer.status_code == 200, answer.text
    return dict(answer.json())


@with_server(limits=LONG)
async def test_reading_an_invitation_takes_no_seat(server: Server) -> None:
    opened = await server.open(names=["Ada"])
    for _ in range(3):
        assert (await server.web.get(opened["invitation"].partition("#")[0])).status_code == 200
        table = (await ask(server, opened["invitation"])).json()
        assert table["free_seats"] == [1, 2]
    assert table == {
        "table": opened["table"],
        "title": opened["title"],
        "names": ["Ada", "Player 2", "Player 3"],
        "free_seats": [1, 2],
        "spectator_path": None,
        "state": "on",
    }


@with_server(limits=LONG)
async def test_each_guest_gets_a_seat_with_a_link_of_its_own(server: Server) -> None:
    opened = await server.open(names=["Ada"])
    bo, cy = [await sit(server, opened["invitation"], name) for name in ("Bo", "Cy")]
    assert cy["names"] == ["Ada", "Bo", "Cy"]
    assert len({opened["links"][0], bo["link"], cy["link"], *opened["links"]}) == 5
    for seat, link in enumerate((opened["links"][0], bo["link"], cy["link"])):
        async with server.screen(link) as screen:
            assert (await screen.until("table"))["your_seats"] == [seat]
    refused = await ask(server, opened["invitation"], "/sit")
    assert refused.status_code == 409
    assert (await ask(server, opened["invitation"])).json()["free_seats"] == []


@with_server(limits=LONG)
async def test_two_guests_at_the_same_time_get_different_seats(server: Server) -> None:
    opened = await server.open(seats=6)
    guests = await asyncio.gather(*(ask(server, opened["invitation"], "/sit") for _ in range(8)))
    assert sorted(it.json()["seat"] for it in guests if it.status_code == 200) == [1, 2, 3, 4, 5]
    assert [it.status_code for it in guests].count(409) == 3


@with_server(limits=LONG)
async def test_the_link_of_a_seat_works_until_a_guest_takes_the_seat(server: Server) -> None:
    opened = await server.open()
    async with server.screen(opened["links"][2]) as cy:
        assert (await cy.until("table"))["your_seats"] == [2]
        await cy.until("state")
        assert (await sit(server, opened["invitation"]))["seat"] == 1
        assert (await ask(server, opened["invitation"], "/sit")).status_code == 409
    token = opened["links"][1].partition("#")[2]
    async with server.socket(opened["links"][1]) as bo:
        await bo.say(type="hello", token=token)
        assert await bo.closed() == 4401


@with_server(limits=LONG)
async def test_only_the_invitation_of_a_table_opens_its_seats(server: Server) -> None:
    opened, other = await server.open(), await server.open()
    path = opened["invitation"].partition("#")[0]
    wrong = [
        other["invitation"].partition("#")[2],
        opened["links"][1].partition("#")[2],
        opened["spectators"].partition("#")[2],
        opened["opener"],
        server.key,
        "%",
    ]
    for token in wrong:
        for does in ("", "/sit"):
            answer = await ask(server, f"{path}#{token}", does)
            assert answer.status_code == 404, token
            assert "free_seats" not in answer.text
    assert (await server.web.post(f"/api/invitations/{opened['table']}/sit")).status_code == 404
    assert (await ask(server, f"/i/nowhere12345#{wrong[0]}")).status_code == 404
    assert (await ask(server, opened["invitation"])).json()["free_seats"] == [1, 2]


@with_server(limits=LONG)
async def test_an_invitation_is_not_the_link_of_a_seat(server: Server) -> None:
    opened = await server.open()
    async with server.socket(opened["links"][0]) as stranger:
        await stranger.say(type="hello", token=opened["invitation"].partition("#")[2])
        assert await stranger.closed() == 4401


@with_server(limits=LONG)
async def test_players_receive_the_invitation_while_a_seat_is_free(server: Server) -> None:
    opened = await server.open(open=[1])
    async with server.screen(opened["links"][0]) as host, server.screen(opened["spectators"]) as it:
        assert (await host.until("table"))["invitation"] == opened["invitation"]
        assert (await it.until("table"))["invitation"] == ""
        for name in ("Bo", "Cy"):
            link = (await sit(server, opened["invitation"], name))["link"]
            async with server.screen(link) as guest:
                table = await guest.until("table")
        assert table["invitation"] == "", "the guests may return"


@with_server()
async def test_a_table_for_one_person_has_no_invitation(server: Server) -> None:
    opened = await server.open(players=["human", "random", "random"])
    assert opened["invitation"] is None


@with_server(limits=LONG)
async def test_only_an_invitation_to_an_open_table_lets_people_watch(server: Server) -> None:
    opened = await server.open(open=[1])
    table = (await ask(server, opened["invitation"])).json()
    assert table["spectator_path"] == opened["spectators"]
    assert table["free_seats"] == [1, 2], "the invitation is also for seats that are not open"


@with_server(limits=replace(QUICK, openings=0.001, openings_at_once=2))
async def test_seats_are_taken_at_a_limited_rate_from_one_address(server: Server) -> None:
    opened = await server.open(seats=4)
    assert (await ask(server, opened["invitation"], "/sit")).status_code == 200
    assert (await ask(server, opened["invitation"], "/sit")).status_code == 429


@with_server(limits=replace(QUICK, address_rate=0.001, address_burst=3))
async def test_invitations_are_read_at_a_limited_rate_from_one_address(server: Server) -> None:
    opened = await server.open()
    answers = [(await ask(server, opened["invitation"])).status_code for _ in range(4)]
    assert answers == [200, 200, 200, 429]


@with_server()
async def test_an_invitation_to_a_closed_table_takes_no_seat(server: Server) -> None:
    opened = await server.open()
    server.hosting.tables.end(opened["table"])
    assert (await ask(server, opened["invitation"])).json()["state"] == "ended"
    assert (await ask(server, opened["invitation"], "/sit")).status_code == 409


@with_server(limits=LONG)
async def test_a_long_name_of_a_guest_is_refused_and_takes_no_seat(server: Server) -> None:
    opened = await server.open()
    assert (await ask(server, opened["invitation"], "/sit", name="x" * 41)).status_code == 400
    assert (await ask(server, opened["invitation"])).json()["free_seats"] == [1, 2]


@with_server(limits=replace(QUICK, away_timeout=0.2))
async def test_a_seat_whose_guest_has_been_away_for_long_is_free_again(server: Server) -> None:
    opened = await server.open()
    first = await sit(server, opened["invitation"])
    async with asyncio.timeout(60):
        while 1 not in (await ask(server, opened["invitation"])).json()["free_seats"]:
            await asyncio.sleep(0.05)
    again = await sit(server, opened["invitation"])
    assert (first["seat"], again["seat"]) == (1, 1)
    assert first["link"] != again["link"]


@pytest.mark.slow
def test_an_invitation_and_seats_that_were_taken_outlast_the_server(tmp_path: Path) -> None:
    opened: dict[str, Any] = {}
    seats: list[dict[str, Any]] = []

    async def first(server: Server) -> None:
        opened.update(await server.open())
        seats.append(await sit(server, opened["invitation"], "Bo"))

    async def second(server: Server) -> None:
        async with server.screen(seats[0]["link"]) as bo:
            table = await bo.until("table")
            assert (table["your_seats"], table["names"][1]) == ([1], "Bo")
        async with asyncio.timeout(60):
            while 2 not in (await ask(server, opened["invitation"])).json()["free_seats"]:
                await asyncio.sleep(0.05)

    serving(first, tmp_path, limits=LONG)
    serving(second, tmp_path, limits=replace(QUICK, away_timeout=0.2))


@with_server()
async def test_the_page_of_an_invitation_sends_its_token_to_nobody(server: Server) -> None:
    opened = await server.open()
    page = await server.web.get(opened["invitation"].partition("#")[0])
    assert page.headers["referrer-policy"] == "no-referrer"
    assert "form-action 'none'" in page.headers["content-security-policy"]
    assert page.text == (await server.web.get("/i/nowhere12345")).text


@with_server()
async def test_links_name_this_machine_if_only_it_reaches_the_server(server: Server) -> None:
    games = (await server.web.get("/api/games")).json()
    assert (games["address"], games["only_here"]) == (server.address, True)
