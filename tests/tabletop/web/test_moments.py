"""Events at unfavourable moments: during a send, or in the same round of the loop."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from typing_extensions import override

from tabletop.protocol import ReseatIn
from tabletop.protocol.incoming import HintIn
from tabletop.protocol.outgoing import HintOut, RefusedOut, StateOut
from tabletop.records import HUMAN
from tabletop.registry import load
from tabletop.table.inputs import Wants
from tabletop.table.limits import TableLimits
from tabletop.table.match_table import MatchTable
from tabletop.table.presenter import TablePresenter
from tabletop.table.seat_holder import SeatHolder
from tabletop.web import Limits
from tabletop.web.limits import AddressUse
from tabletop.web.runner import TableRunner
from tabletop.web.socket import CloseConnection, PendingHellos, Transport, handle_socket
from tests.tabletop.cli.program import TICTACTOE
from tests.tabletop.table.sittings import QUICK, at_game


def table(limits: TableLimits = QUICK) -> TableRunner:
    """Return a table at which both seats have one link."""
    sitting = at_game(
        load(TICTACTOE), [HUMAN, HUMAN], seating={0: None}, undo="free", limits=limits
    )
    return TableRunner(sitting.table, asyncio.get_running_loop(), Limits())


class Line(Transport):
    """A connection after its hello message. Something happens during its first send."""

    def __init__(self, meanwhile: Callable[[], object]) -> None:
        self.heard: list[dict[str, Any]] = []
        self.code = 0
        self.asks: asyncio.Queue[str] = asyncio.Queue()
        self.asks.put_nowait('{"type":"hello","token":""}')
        self._meanwhile = meanwhile

    @override
    async def receive(self) -> str:
        return await self.asks.get()

    @override
    async def send(self, text: str) -> None:
        self.heard.append(json.loads(text))
        if len(self.heard) == 1:
            self._meanwhile()

    @override
    async def close(self, code: int) -> None:
        self.code = code


def test_a_screen_hears_why_it_is_closed_also_while_it_is_sent_something() -> None:
    async def test() -> None:
        at = table()
        line, limits = Line(lambda: at.close(1001, "the end")), Limits()
        await handle_socket(line, lambda _: (at, 0), limits, PendingHellos(9), AddressUse(limits))
        assert [it["type"] for it in line.heard] == ["table", "state", "error"]
        assert (line.heard[-1]["message"], line.code) == ("the end", 1001)

    asyncio.run(test())


def test_what_is_asked_for_when_a_table_is_closed_is_not_done() -> None:
    async def test() -> None:
        at = table()
        match = at.table.match
        match.play(match.legal_actions(0)[0])

        def close() -> None:
            line.asks.put_nowait('{"type":"undo"}')
            at.close()

        line, limits = Line(close), Limits()
        await handle_socket(line, lambda _: (at, 0), limits, PendingHellos(9), AddressUse(limits))
        assert line.asks.empty()
        assert match.ply == 1

    asyncio.run(test())


def test_a_hint_that_is_dropped_before_a_bot_has_begun_is_answered() -> None:
    async def test() -> None:
        at = table()
        port = at.open(0, Wants())
        at.ask(port, HintIn(3))
        at.ask(port, ReseatIn(1, "random"))
        for _ in range(4):
            await asyncio.sleep(0)
        [hint] = [it for it in at.due(port) if isinstance(it, HintOut)]
        assert (hint.id, hint.words) == (3, "")
        at.ask(port, HintIn(4))
        assert not [it for it in at.due(port) if isinstance(it, RefusedOut)], "one may ask again"
        at.close()

    asyncio.run(test())


class LeavingPresenter(TablePresenter):
    """A presenter during whose drawing a player leaves."""

    def __init__(self, table: MatchTable) -> None:
        super().__init__(table)
        self._presence = table.successors.presence

    @override
    def state(self, holder: SeatHolder, wants: Wants, now: float) -> StateOut:
        self._presence.left(1, now)
        return super().state(holder, wants, now)


@pytest.mark.slow
def test_a_deadline_that_begins_while_messages_are_drawn_is_met() -> None:
    async def test() -> None:
        at = table(replace(QUICK, away_timeout=0.05))
        at.presenter = LeavingPresenter(at.table)
        port = at.open(0, Wants())
        await asyncio.sleep(0.05)  # until the tick after the screen was opened
        at.due(port)
        async with asyncio.timeout(10):
            while not at.table.successors.offered:
                await asyncio.sleep(0.01)
        at.close()

    asyncio.run(test())


def test_who_says_hello_when_the_time_of_another_is_just_over_is_heard() -> None:
    async def test() -> None:
        pending = PendingHellos(1)

        async def silent() -> None:
            async with pending.wait(0):
                await asyncio.Event().wait()

        async def newcomer() -> str:
            await asyncio.sleep(0)  # by then the time of the first one is over
            async with pending.wait(60):
                return "hello"

        with_nothing_to_say, said = await asyncio.gather(
            silent(), newcomer(), return_exceptions=True
        )
        assert isinstance(with_nothing_to_say, CloseConnection)
        assert said == "hello"

    asyncio.run(test())
