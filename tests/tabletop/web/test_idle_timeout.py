"""Players who do not act or are away, and what the others may do then."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Any

import pytest

from tabletop.protocol import TableSettings
from tabletop.table.idle_timeout import IdleTimeout
from tabletop.table.presence import Presence
from tabletop.web import TableRequest
from tabletop.web.links import OpenedTable
from tabletop.web.lobby import new_table
from tests.tabletop.web.served import Server, with_server


def test_an_idle_player_is_warned_and_then_may_be_replaced() -> None:
    idle = IdleTimeout(300)
    idle.wait_for([1], 0)
    assert idle.tick(239) == []
    assert idle.deadline == 240
    assert idle.tick(240) == [(1, 60)]
    assert (idle.expired, idle.deadline) == (set(), 300)
    assert idle.tick(299) == []
    assert idle.tick(300) == [(1, 0)]
    assert idle.expired == {1}
    assert idle.tick(1000) == []


def test_a_new_player_of_a_seat_has_the_full_time() -> None:
    idle = IdleTimeout(300)
    idle.wait_for([0, 1], 0)
    idle.tick(300)
    assert idle.expired == {0, 1}
    idle.replaced(1)
    assert idle.expired == {0}
    idle.wait_for([0, 1], 350)
    assert idle.deadline == 350 + 240


def test_half_of_a_short_time_is_left_at_the_warning() -> None:
    idle = IdleTimeout(40)
    idle.wait_for([1], 0)
    assert idle.tick(20) == [(1, 20)]


def test_an_action_gives_the_full_time_again() -> None:
    idle = IdleTimeout(300)
    idle.wait_for([0], 0)
    idle.acted(0, 1, [0])
    idle.wait_for([0], 299)
    idle.tick(500)
    assert idle.expired == set()
    idle.tick(599)
    assert idle.expired == {0}
    idle.acted(0, 2, [1])
    assert idle.expired == set()


def test_an_action_gives_no_time_to_another_player_who_acts_at_the_same_time() -> None:
    idle = IdleTimeout(300)
    idle.wait_for([0, 1], 0)
    idle.acted(0, 1, [1])
    idle.wait_for([1], 200)
    idle.tick(300)
    assert idle.expired == {1}


@pytest.mark.parametrize("waits_between", [[], [1]])
def test_an_action_that_is_undone_and_played_again_gives_no_time(waits_between: list[int]) -> None:
    idle = IdleTimeout(300)
    for now in (0, 100, 200, 290):
        idle.wait_for([0], now)
        idle.acted(0, 1, waits_between)
        idle.wait_for(waits_between, now + 1)
    idle.wait_for([0], 291)
    idle.tick(401)
    assert 0 in idle.expired


def test_a_seat_that_a_bot_has_had_without_acting_gets_no_new_time() -> None:
    idle = IdleTimeout(300)
    idle.wait_for([0], 0)
    idle.wait_for([], 250)
    idle.wait_for([0], 251)
    idle.tick(300)
    assert idle.expired == {0}


def test_a_pause_gives_the_full_time_again() -> None:
    idle = IdleTimeout(300)
    idle.wait_for([0], 0)
    idle.reset()
    idle.wait_for([], 299)
    assert idle.deadline is None
    idle.wait_for([0], 900)
    assert idle.deadline == 1140


def test_without_a_limit_nobody_is_warned() -> None:
    idle = IdleTimeout(None)
    idle.wait_for([0], 0)
    assert idle.deadline is None
    assert idle.tick(10_000) == []


# Presence.


def test_a_player_who_is_away_becomes_absent_until_they_come() -> None:
    presence = Presence(120)
    presence.left(0, 5)
    presence.left(0, 60)  # reported again
    assert presence.deadline == 125
    assert presence.tick(124) == []
    assert presence.tick(125) == [0]
    assert presence.absent == {0}
    assert presence.tick(10_000) == []
    presence.came(0)
    assert presence.absent == set()


def test_a_replaced_player_is_away_from_then_on() -> None:
    presence = Presence(120)
    presence.left(1, 0)
    presence.tick(350)
    presence.replaced(1, 350)
    assert (presence.absent, presence.deadline) == (set(), 470)


def test_a_seat_is_free_before_its_first_player_and_long_after_the_last() -> None:
    presence = Presence(120)
    presence.left(0, 0)
    assert presence.is_free(0, 0)
    presence.came(0)
    assert not presence.is_free(0, 10)
    presence.reserve([0], 20)
    presence.left(0, 20)
    assert not presence.is_free(0, 139)
    assert presence.is_free(0, 140)


# At a table.


def opened(server: Server, idle_timeout: float | None, **wish: Any) -> OpenedTable:
    """A table where people wait for less long than they may ask for."""
    tables = server.hosting.tables
    new = new_table(TableRequest("lcr", seed="old oak", **wish), tables.games, tables._now())
    return tables.open(replace(new, settings=TableSettings(idle_timeout=idle_timeout)))


def link(table: OpenedTable, seat: int) -> str:
    return table.links[seat] or ""


@with_server()
async def test_nobody_is_replaced_before_all_have_come(server: Server) -> None:
    table = opened(server, 0.1, seats=3)
    async with server.screen(link(table, 0)) as ada, server.screen(link(table, 1)):
        await ada.until("state")
        await asyncio.sleep(0.4)
        assert server.hosting.tables.listing.live[table.table].table.successors.offered == ()
        async with server.screen(link(table, 2)):
            await ada.until("table", lambda told: told["replaceable"] == [0])


@with_server()
async def test_who_plays_with_bots_alone_has_all_the_time(server: Server) -> None:
    table = opened(server, 0.1, players=["human", "human", "random"])
    async with server.screen(link(table, 0)) as ada, server.screen(link(table, 1)) as bo:
        await ada.until("table", lambda told: told["replaceable"] == [0])
        await bo.say(type="seat", seat=1, player="random")
        await ada.until("table", lambda told: told["replaceable"] == [])
        await asyncio.sleep(0.4)
        assert server.hosting.tables.listing.live[table.table].table.successors.offered == ()
        await bo.say(type="seat", seat=0, player="random", id=1)
        assert "sits elsewhere" in (await bo.until("refused"))["message"]
