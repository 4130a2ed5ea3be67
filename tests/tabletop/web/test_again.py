"""The end of a match is no dead end: the same people play again, each a seat further."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.tabletop.web.served import Screen, Server, serving

pytestmark = pytest.mark.slow  # each of them starts a server


async def play_to_the_end(*screens: Screen) -> None:
    """Let bots play on until the match is over; people come back to their seats then."""
    for seat, screen in enumerate(screens):
        await screen.say(type="seat", seat=seat, player="random")
    for screen in screens:
        await screen.until("state", lambda told: told["over"])


def same(page: str, link: str) -> str:
    """A page with the token of another link."""
    return f"{page}#{link.partition('#')[2]}"


def test_the_same_people_play_again_with_seats_turned_and_the_same_tokens(tmp_path: Path) -> None:
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
            assert "only watches" in (await cy.until("refused"))["message"]
            await bo.say(type="again")
            for screen in (ada, bo, cy):
                told = await screen.until("state", lambda it: it["over"] and it["over"]["next"])
                pages.append(told["over"]["next"])
            note = await ada.until("note", lambda it: "again" in it["text"])
            assert note["text"] == "Bo would like to play again: the table is open"
            await ada.say(type="again")  # somebody else was first
        assert len(set(pages)) == 1
        assert len(server.hosting.tables._live) == 2
        for link, you, names in (
            (links[0], [2], ["Bo", "Player 2", "Ada"]),
            (links[1], [0], ["Bo", "Player 2", "Ada"]),
            (opened["spectators"], [], ["Bo", "Player 2", "Ada"]),
        ):
            async with server.screen(same(pages[0], link)) as screen:
                table = await screen.until("table")
                assert (table["you"], table["names"]) == (you, names)
                assert table["players"] == ["human", "random", "human"]
                assert (await screen.until("state"))["over"] is None

    async def second(server: Server) -> None:
        async with server.screen(opened["links"][0]) as ada:
            over = (await ada.until("state"))["over"]
            assert over["next"] == pages[0]

    serving(first, tmp_path)
    serving(second, tmp_path)


def test_the_lobby_counts_the_people_who_are_here_and_neither_bots_nor_absent_ones(
    tmp_path: Path,
) -> None:
    async def test(server: Server) -> None:
        opened = await server.open(players=["human", "human", "random"])
        headers = {"authorization": f"Bearer {server.key}"}

        async def counted() -> tuple[int, int]:
            (table,) = (await server.web.get("/api/tables", headers=headers)).json()
            return table["here"], table["people"]

        assert await counted() == (0, 2)
        async with server.screen(opened["links"][0]) as ada, server.screen(opened["spectators"]):
            await ada.until("state")
            assert await counted() == (1, 2)
            await ada.say(type="seat", seat=0, player="random")
            await ada.until("table", lambda told: told["players"][0] == "random")
            assert await counted() == (1, 2)

    serving(test, tmp_path)
