"""How much time people have: clocks for the match or for each action, and pauses."""

from __future__ import annotations

import asyncio
from typing import Any

import msgspec
import pytest

from tabletop.protocol import TableSettings
from tabletop.table.bot_turns import Pacing
from tabletop.table.clocks import Clocks
from tabletop.web import TableRequest
from tests.tabletop.web.served import Screen, Server, with_server

# Clocks by themselves.


def test_a_clock_gains_its_increment_with_each_action() -> None:
    clocks = Clocks([60.0, 60.0], TableSettings(clock=60, increment=5))
    clocks.run([0], 0)
    assert clocks.acted(0, 1, 10)
    clocks.run([1], 10)
    assert clocks.left(20) == (55, 50)
    assert clocks.acted(1, 2, 20)
    clocks.run([0], 20)
    assert clocks.left(21) == (54, 55)


def test_who_acts_twice_in_a_turn_gains_twice() -> None:
    clocks = Clocks([60.0, 60.0], TableSettings(clock=60, increment=5))
    clocks.run([0], 0)
    for ply in (1, 2):
        clocks.acted(0, ply, 0)
    assert clocks.left(0) == (70, 60)


def test_an_action_that_is_played_again_gains_nothing() -> None:
    clocks = Clocks([60.0, 60.0], TableSettings(clock=60, increment=5))
    for now in (0, 1, 2):  # played, undone, and played again
        clocks.run([0], now)
        clocks.acted(0, 1, now + 0.5)
    assert clocks.left(3) == (60 - 0.5 + 5 - 2 * 0.5 - 2 * 0.5 - 0.5, 60)


def test_a_clock_that_does_not_run_gains_nothing() -> None:
    clocks = Clocks([60.0, None], TableSettings(clock=60, increment=5))
    for seat in (0, 1):
        assert not clocks.acted(seat, 1 + seat, 0), "a bot has acted, or a record is replayed"
    assert clocks.left(0) == (60, None)


def test_each_action_has_its_own_time() -> None:
    clocks = Clocks([30.0, 30.0], TableSettings(move_time=30))
    clocks.run([0], 0)
    assert clocks.deadline == 30
    clocks.acted(0, 1, 20)
    clocks.run([1], 20)
    assert clocks.left(29) == (30, 21)


def test_who_was_too_late_for_an_action_has_time_again_after_a_bot_has_made_it() -> None:
    clocks = Clocks([30.0, 30.0], TableSettings(move_time=30))
    clocks.run([0], 0)
    assert clocks.has_run_out(0, 30)
    clocks.run([], 31)
    assert clocks.has_run_out(0, 40)
    clocks.acted(0, 1, 41)
    assert not clocks.has_run_out(0, 41)


def test_a_clock_for_the_match_that_has_run_out_stays_so() -> None:
    clocks = Clocks([30.0, 30.0], TableSettings(clock=60, increment=5))
    clocks.run([0], 0)
    clocks.run([], 31)
    clocks.acted(0, 1, 32)
    assert clocks.has_run_out(0, 32)


def test_who_acts_at_the_last_moment_is_out_of_time_at_the_next() -> None:
    clocks = Clocks([30.0, 30.0], TableSettings(clock=60))
    clocks.run([0], 0)
    clocks.acted(0, 1, 30.005)
    clocks.run([1], 30.005)
    assert not clocks.has_run_out(0, 31)
    clocks.run([0], 31)
    assert clocks.running == (0,)
    assert clocks.has_run_out(0, 32)


def test_all_clocks_stand_still_in_a_pause() -> None:
    clocks = Clocks([30.0, 30.0], TableSettings(clock=60))
    clocks.run([0, 1], 0)
    clocks.run([], 10)
    assert clocks.running == ()
    assert clocks.left(25) == (20, 20)
    assert clocks.deadline is None


# What may be asked for.


@pytest.mark.parametrize(
    ("wish", "said"),
    [
        ({"clock": 60, "move_time": 30}, "move_time: cannot be combined"),
        ({"increment": 5}, "increment: needs a clock for the whole match"),
        ({"move_time": 30, "increment": 5}, "increment: needs a clock"),
    ],
)
def test_clocks_that_make_no_sense_together_are_refused(wish: dict[str, Any], said: str) -> None:
    with pytest.raises(msgspec.ValidationError, match=said):
        msgspec.convert({"game": "lcr", **wish}, TableRequest)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        *(("clock", value) for value in (0, 0.5, 10_000_001, "60")),
        *(("increment", value) for value in (-1, 86_401)),
        *(("move_time", value) for value in (0, 10_000_001, True)),
        *(("idle_timeout", value) for value in (0, 9, 10_000_001, "never")),
    ],
)
def test_a_time_out_of_its_range_is_refused_with_its_name(field: str, value: object) -> None:
    with pytest.raises(msgspec.ValidationError, match=rf"\$\.{field}"):
        msgspec.convert({"game": "lcr", "clock": 60, field: value}, TableRequest)


def test_people_wait_for_five_minutes_unless_clocks_run_or_they_say_otherwise() -> None:
    assert TableRequest("lcr").resolved().idle_timeout == 300
    assert TableRequest("lcr", clock=60).resolved().idle_timeout is None
    assert TableRequest("lcr", move_time=60).resolved().idle_timeout is None
    assert TableRequest("lcr", idle_timeout=None).resolved().idle_timeout is None
    assert TableRequest("lcr", clock=60, idle_timeout=20).resolved().idle_timeout == 20


# At a table.


async def _come(*screens: Screen) -> None:
    """Wait until all are there, and the clocks run."""
    for screen in screens:
        await screen.until("state")
    for screen in screens:
        if not screen.last("table")["running"]:
            await screen.until("table", lambda told: told["running"])


@with_server()
async def test_clocks_are_the_same_after_the_server_was_started_again(server: Server) -> None:
    opened = await server.open(players=["human", "human", "random"], clock=500, increment=7)
    async with server.screen(opened["links"][0]) as ada, server.screen(opened["links"][1]) as bo:
        await _come(ada, bo)
        await ada.say(type="act", line="roll")
        await ada.at(1)
        await ada.say(type="propose", kind="pause")
        await bo.until("consent", lambda told: told["kind"] == "pause")
        await bo.say(type="consent", yes=True)
        before = await ada.until("table", lambda told: told["hold"])
    tables = server.hosting.tables
    tables._unload(tables.listing.live[opened["table"]])
    async with server.screen(opened["links"][0]) as ada:
        after = await ada.until("table")
        for field in ("clock", "settings", "hold"):
            assert after[field] == before[field], field
        assert before["clock"][0] > 500
        assert after["hold"]


# Pauses.


@with_server()
async def test_an_action_ends_a_pause_and_bots_wait_as_long_as_it_lasts(server: Server) -> None:
    opened = await server.open(players=["human", "random", "random"], clock=500)
    async with server.screen(opened["links"][0]) as ada:
        await ada.until("table", lambda told: told["running"])
        table = server.hosting.tables.listing.live[opened["table"]].table
        table.bots.pacing.show(60, table.now)  # so that the pause comes before the next move
        await ada.say(type="act", line="roll")
        await ada.at(1)
        await ada.say(type="propose", kind="pause")
        await ada.until("table", lambda told: told["hold"])
        await asyncio.sleep(0.1)
        assert table.match.ply == 1
        table.bots.pacing = Pacing(0)
        await ada.say(type="propose", kind="resume")
        await ada.until("state", lambda told: told["your_turn"])
        await ada.say(type="propose", kind="pause")
        await ada.until("table", lambda told: told["hold"])
        await ada.say(type="act", line="roll")
        await ada.until("table", lambda told: not told["hold"])
        told = await ada.until("log", lambda it: it["lines"][-1]["kind"] == "remark")
        said = told["lines"][-1]["text"]
        assert said == "the clocks are running again, because the match has continued"
