"""What comes at a bad moment: while something is sent, or in the same round of the loop."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from typing_extensions import override

from tabletop import Match
from tabletop.match import AnyMatch
from tabletop.protocol import ReseatIn, TableSettings
from tabletop.protocol.messages import HintIn
from tabletop.records import HUMAN
from tabletop.registry import load
from tabletop.session import Session
from tabletop.web import Limits
from tabletop.web.client import Screen
from tabletop.web.limits import AddressUse
from tabletop.web.socket import CloseConnection, PendingHellos, Transport, handle_socket
from tabletop.web.socket import handle_message as handle
from tabletop.web.table import WebTable
from tabletop.web.tokens import new_seat_tokens
from tests.tabletop.cli.program import TICTACTOE


@contextmanager
def table() -> Iterator[WebTable]:
    """A table at which both seats are behind one link."""
    plugin = load(TICTACTOE)
    match: AnyMatch = Match(plugin.game, seed="oak")
    tokens, _, _ = new_seat_tokens([True])
    with Session(match, plugin, [HUMAN, HUMAN]) as session:
        loop = asyncio.get_running_loop()
        table = WebTable(session, tokens, loop, TableSettings(), seating={0: None})
        yield table
        table.close()


class Line(Transport):
    """A connection that has said hello; something happens while it is sent its first message."""

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
        with table() as at:
            line, limits = Line(lambda: at.close(1001, "the end")), Limits()
            await handle_socket(
                line, lambda _: (at, at.clients[0]), limits, PendingHellos(9), AddressUse(limits)
            )
        assert [it["type"] for it in line.heard] == ["table", "state", "error"]
        assert (line.heard[-1]["message"], line.code) == ("the end", 1001)

    asyncio.run(test())


def test_what_is_asked_for_when_a_table_is_closed_is_not_done() -> None:
    async def test() -> None:
        with table() as at:
            match = at.session.match
            match.play(match.legal_actions(0)[0])

            def close() -> None:
                line.asks.put_nowait('{"type":"undo"}')
                at.close()

            line, limits = Line(close), Limits()
            await handle_socket(
                line, lambda _: (at, at.clients[0]), limits, PendingHellos(9), AddressUse(limits)
            )
            assert line.asks.empty()
            assert match.ply == 1

    asyncio.run(test())


def test_a_hint_that_is_dropped_before_a_bot_has_begun_is_answered() -> None:
    async def test() -> None:
        with table() as at:
            client, screen = at.clients[0], Screen(at.clients[0])
            at.connect(client, screen)
            handle(at, client, screen, HintIn(3))
            client.request(ReseatIn(1, "random"))
            await asyncio.sleep(0)
            await asyncio.sleep(0)
            [told] = [it for it in map(json.loads, screen.due()) if it["type"] == "hint"]
            assert (told["id"], told["words"]) == (3, "")
            handle(at, client, screen, HintIn(4))
            assert at.bots._hints, "one may ask again"

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
