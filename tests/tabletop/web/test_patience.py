"""How long people wait for somebody who is there and does not act, and what they may do then."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from typing import Any, cast

import pytest

from tabletop.web import TableRequest
from tabletop.web.clocks import Pace
from tabletop.web.links import OpenedTable
from tabletop.web.lobby import new_table
from tabletop.web.patience import Patience
from tests.tabletop.web.served import Server, with_server


class Loop:
    """A loop whose time goes on when a test says so."""

    class Timer:
        def __init__(self, at: float, call: Callable[[], object]) -> None:
            self.at, self.call = at, call

        def cancel(self) -> None:
            self.call = bool

    def __init__(self) -> None:
        self.now = 0.0
        self.timers: list[Loop.Timer] = []

    def time(self) -> float:
        return self.now

    def call_at(self, at: float, call: Callable[..., object], *arguments: Any) -> Loop.Timer:
        self.timers.append(self.Timer(at, lambda: call(*arguments)))
        return self.timers[-1]

    def call_later(self, delay: float, call: Callable[..., object], *arguments: Any) -> Loop.Timer:
        return self.call_at(self.now + delay, call, *arguments)

    def go_to(self, now: float) -> None:
        """Let time pass."""
        while due := [timer for timer in self.timers if timer.at <= now]:
            first = min(due, key=lambda timer: timer.at)
            self.timers.remove(first)
            self.now = first.at
            first.call()
        self.now = now


class Waiting:
    """Patience with a loop that obeys, and what it has said."""

    def __init__(self, idle: float | None = 300) -> None:
        self.loop = Loop()
        self.said: list[tuple[str, int]] = []
        self.patience = Patience(
            cast("asyncio.AbstractEventLoop", self.loop),
            120,
            idle,
            on_away=lambda seat: self.said.append(("away", seat)),
            on_idle=lambda seat: self.said.append(("idle", seat)),
            warn=lambda seat, left: self.said.append((f"warn {left:.0f}", seat)),
        )


def test_who_does_not_act_is_warned_and_then_offered() -> None:
    it = Waiting()
    it.patience.wait_for([1])
    it.loop.go_to(239)
    assert (it.said, it.patience.offered) == ([], set())
    it.loop.go_to(241)
    assert (it.said, it.patience.offered) == ([("warn 60", 1)], set())
    it.loop.go_to(1000)
    assert it.said == [("warn 60", 1), ("idle", 1)]
    assert it.patience.offered == {1}


def test_who_takes_over_a_seat_has_all_the_time_and_is_away_from_then_on() -> None:
    it = Waiting()
    it.patience.wait_for([0, 1])
    it.patience.left(1)
    it.loop.go_to(350)
    assert it.patience.offered == {0, 1}
    it.patience.replaced(1)
    assert it.patience.offered == {0}
    it.patience.wait_for([0, 1])
    it.loop.go_to(460)
    assert it.patience.offered == {0}
    it.loop.go_to(471)
    assert it.said[-1] == ("away", 1)
    it.patience.came(1)
    assert it.patience.offered == {0}
    it.loop.go_to(651)
    assert it.patience.offered == {0, 1}


def test_where_people_wait_shortly_half_of_it_is_the_warning() -> None:
    it = Waiting(idle=40)
    it.patience.wait_for([1])
    it.loop.go_to(21)
    assert it.said == [("warn 20", 1)]


def test_whoever_acts_has_all_the_time_again() -> None:
    it = Waiting()
    it.patience.wait_for([0])
    it.loop.go_to(299)
    it.patience.acted(0, 1, [0])
    it.patience.wait_for([0])
    it.loop.go_to(500)
    assert it.patience.offered == set()
    it.loop.go_to(600)
    assert it.patience.offered == {0}
    it.patience.acted(0, 2, [1])
    assert it.patience.offered == set()


def test_an_action_of_one_does_not_excuse_another_who_is_asked_at_the_same_time() -> None:
    it = Waiting()
    it.patience.wait_for([0, 1])
    it.loop.go_to(200)
    it.patience.acted(0, 1, [1])
    it.patience.wait_for([1])
    it.loop.go_to(301)
    assert it.patience.offered == {1}


@pytest.mark.parametrize("waits_between", [[], [1]])
def test_who_takes_back_and_plays_again_gains_no_time(waits_between: list[int]) -> None:
    it = Waiting()
    for now in (0, 100, 200, 290):
        it.loop.go_to(now)
        it.patience.wait_for([0])  # also after it was undone
        it.loop.go_to(now + 1)
        it.patience.acted(0, 1, waits_between)
        it.patience.wait_for(waits_between)
    it.patience.wait_for([0])
    it.loop.go_to(405)
    assert 0 in it.patience.offered


def test_a_seat_that_a_bot_has_had_without_acting_is_not_excused() -> None:
    it = Waiting()
    it.patience.wait_for([0])
    it.loop.go_to(250)
    it.patience.wait_for([])
    it.patience.wait_for([0])
    it.loop.go_to(301)
    assert it.patience.offered == {0}


def test_a_pause_begins_the_wait_anew() -> None:
    it = Waiting()
    it.patience.wait_for([0])
    it.loop.go_to(299)
    it.patience.forget()
    it.patience.wait_for([])
    it.loop.go_to(900)
    it.patience.wait_for([0])
    it.loop.go_to(1130)
    assert it.said == [("warn 60", 0)]
    assert it.patience.offered == set()


def test_without_end_only_who_is_away_is_offered() -> None:
    it = Waiting(idle=None)
    it.patience.wait_for([0])
    it.patience.left(1)
    it.loop.go_to(10_000)
    assert it.said == [("away", 1)]
    assert it.patience.offered == {1}
    it.patience.came(1)
    assert it.patience.offered == set()


# At a table.


def opened(server: Server, patience: float | None, **wish: Any) -> OpenedTable:
    """A table where people wait for less long than they may ask for."""
    tables = server.hosting.tables
    new = new_table(TableRequest("lcr", seed="old oak", **wish), tables.games, tables._now())
    return tables.open(replace(new, pace=Pace(patience=patience)))


def link(table: OpenedTable, seat: int) -> str:
    return table.links[seat] or ""


@with_server()
async def test_who_is_there_and_does_not_act_is_replaced_by_the_others_and_comes_back(
    server: Server,
) -> None:
    table = opened(server, 0.6, names=["Ada", "Bo", "Cy"], players=["human", "human", "random"])
    async with server.screen(link(table, 0)) as ada, server.screen(link(table, 1)) as bo:
        await bo.until("state")
        assert bo.last("table")["patience"] == 0.6
        await bo.say(type="seat", seat=0, player="random", id=1)
        assert "Ada sits elsewhere" in (await bo.until("refused"))["message"]
        said = (await ada.until("note"))["text"]
        assert said == "it is your turn: in 1 second the others may give your seat to a bot"
        said = (await bo.until("note"))["text"]
        assert said == "Ada has not acted for 1 second: this seat may be given to a bot"
        assert (bo.last("table")["offered"], bo.last("table")["here"]) == ([0], [True] * 3)
        await bo.say(type="seat", seat=0, player="random")
        await bo.until("state", lambda told: told["asked"] == [1])
        assert bo.last("table")["offered"] == []
        await ada.say(type="seat", seat=0, player="human")
        told = await bo.until("table", lambda it: it["players"][0] == "human")
        assert told["offered"] == []


@with_server()
async def test_who_acts_after_all_is_offered_no_more(server: Server) -> None:
    table = opened(server, 0.3, seats=3)
    async with (
        server.screen(link(table, 0)) as ada,
        server.screen(link(table, 1)) as bo,
        server.screen(link(table, 2)),
    ):
        await bo.until("table", lambda told: told["offered"] == [0])
        await ada.say(type="act", line="roll")
        await bo.until("table", lambda told: told["offered"] == [])
        await bo.until("table", lambda told: told["offered"] == [1])


@with_server()
async def test_nobody_is_replaced_before_all_have_come(server: Server) -> None:
    table = opened(server, 0.1, seats=3)
    async with server.screen(link(table, 0)) as ada, server.screen(link(table, 1)):
        await ada.until("state")
        await asyncio.sleep(0.4)
        assert server.hosting.tables.listing.live[table.table].table.offered == ()
        async with server.screen(link(table, 2)):
            await ada.until("table", lambda told: told["offered"] == [0])


@with_server()
async def test_who_plays_with_bots_alone_has_all_the_time(server: Server) -> None:
    table = opened(server, 0.1, players=["human", "human", "random"])
    async with server.screen(link(table, 0)) as ada, server.screen(link(table, 1)) as bo:
        await ada.until("table", lambda told: told["offered"] == [0])
        await bo.say(type="seat", seat=1, player="random")
        await ada.until("table", lambda told: told["offered"] == [])
        await asyncio.sleep(0.4)
        assert server.hosting.tables.listing.live[table.table].table.offered == ()
        await bo.say(type="seat", seat=0, player="random", id=1)
        assert "sits elsewhere" in (await bo.until("refused"))["message"]
