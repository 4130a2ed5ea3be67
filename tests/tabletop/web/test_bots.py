"""Bots at a table in the browser: people see their moves, and do not wait long for their turn."""

from __future__ import annotations

import asyncio
import time
from contextlib import AsyncExitStack
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest

from lcr.rules.state import SEATS
from tabletop import ActionPlayed, Event
from tabletop.registry import load
from tabletop.table.bot_turns import UNHURRIED, Pacing, pause_before
from tabletop.table.inputs import Wants
from tabletop.table.presenter import TablePresenter
from tabletop.table.seat_holder import SeatHolder
from tests.tabletop.web.served import QUICK, Server, serving


def test_the_first_moves_of_bots_are_shown_one_by_one() -> None:
    assert {pause_before(moves, 0.4) for moves in range(UNHURRIED)} == {0.4}


def test_forty_moves_of_bots_keep_a_person_waiting_for_a_few_seconds() -> None:
    assert sum(pause_before(moves, 0.4) for moves in range(40)) < 7


def test_the_next_move_waits_until_people_have_seen_the_last_one() -> None:
    pacing = Pacing(0.4)
    pacing.show(3, now=10)
    assert not pacing.is_time(10, hurries=True, watched=True, delay=0)
    assert pacing.deadline == 13
    assert pacing.is_time(13, hurries=True, watched=True, delay=0)


def test_nothing_is_shown_where_nobody_looks() -> None:
    pacing = Pacing(0.4)
    pacing.show(3, now=10)
    assert not pacing.is_time(10, hurries=True, watched=False, delay=0)
    assert pacing.deadline == 10.4


@pytest.mark.slow
def test_bots_hurry_where_a_person_waits_and_take_their_time_where_none_plays(
    tmp_path: Path,
) -> None:
    moves = SEATS[-1] - 1
    pause = 0.15
    assert moves > UNHURRIED

    async def seconds(server: Server, players: list[str]) -> float:
        opened = await server.open("lcr", players=players, seed="old oak")
        link = opened["links"][0] or opened["spectators"]
        began = time.monotonic()  # bots among themselves wait for a spectator
        async with server.screen(link) as screen:
            await screen.until("state")
            if opened["links"][0]:
                began = time.monotonic()
                await screen.say(type="act", line="roll")
            await screen.until("state", lambda told: told["ply"] > moves)
        return time.monotonic() - began

    async def test(server: Server) -> None:
        bots = ["random"] * SEATS[-1]
        with_person, without = await asyncio.gather(
            seconds(server, ["human", *bots[1:]]), seconds(server, bots)
        )
        assert without >= moves * pause
        assert with_person < without, "both are slow where the machine is, in the same loop"

    serving(test, tmp_path, limits=replace(QUICK, pause=pause))


@pytest.mark.slow
def test_bots_wait_as_long_as_a_game_wants_people_to_see_what_is_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plugin = load("lcr")
    monkeypatch.setattr(type(plugin.text), "pause", lambda view, event: 0.6 * is_last(event))

    def is_last(event: Event) -> bool:
        return isinstance(event, ActionPlayed) and event.seat == 2

    async def test(server: Server) -> None:
        opened = await server.open("lcr", players=["human", "random", "random", "random"])
        async with server.screen(opened["links"][0]) as screen:
            await screen.until("state")
            began = time.monotonic()
            await screen.say(type="act", line="roll")
            await screen.until("state", lambda told: told["ply"] >= 4)
            assert time.monotonic() - began >= 0.6

    serving(test, tmp_path)


@pytest.mark.slow
def test_a_move_is_shown_before_the_bots_of_another_table_move(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    done: list[tuple[str, object]] = []
    draw = TablePresenter.state

    def drawing(presenter: TablePresenter, holder: SeatHolder, wants: Wants, now: float) -> object:
        done.append(("shown", holder.perspective.match))
        return draw(presenter, holder, wants, now)

    async def test(server: Server) -> None:
        async with AsyncExitStack() as stack:
            for _ in range(6):
                opened = await server.open("lcr", players=["random"] * 3)
                match = server.hosting.tables.listing.live[opened["table"]].table.match

                def note(event: Event, match: object = match) -> None:
                    if isinstance(event, ActionPlayed):
                        done.append(("moved", match))

                match.observe(note)
                screen = await stack.enter_async_context(server.screen(opened["spectators"]))
                await screen.until("state")
            monkeypatch.setattr(TablePresenter, "state", drawing)
            await screen.until("state", lambda told: told["ply"] >= 5)

    serving(test, tmp_path, limits=replace(QUICK, pause=0.1))
    moves = [(at, match) for at, (what, match) in enumerate(done) if what == "moved"]
    assert len(moves) >= 10
    first = next(at for at, (what, _) in enumerate(done) if what == "shown")
    for (at, match), (end, _) in pairwise(moves):
        if at > first:
            assert ("shown", match) in done[at:end]
