"""What a bot at a distance asks a table for: states that its seat may take for the real one."""

from __future__ import annotations

import json
from dataclasses import replace as with_limits

from tabletop.match import AnyMatch
from tabletop.protocol import StateOut, connect
from tabletop.states import from_json
from tabletop.states.codec import to_builtins
from tests.tabletop.web.served import QUICK, Server, with_server


def match_of(server: Server) -> AnyMatch:
    """The match of the only table."""
    [live] = server.hosting.tables.listing.live.values()
    return live.table.match


@with_server(quick=True, limits=with_limits(QUICK, samples=3))
async def test_a_seat_that_is_asked_is_sent_states_that_look_to_it_as_the_real_one(
    server: Server,
) -> None:
    opened = await server.open("sorcery")
    async with server.screen(opened["links"][0], data=True) as screen:
        state = await screen.until("state")
        match = match_of(server)
        drawn: list[object] = []
        for count, least in ((2, 2), (1000, 3)):
            await screen.say(type="sample", count=count, id=count)
            told = await screen.until("samples")
            assert (told["id"], told["seat"], len(told["states"])) == (count, 0, least)
            drawn += told["states"]
        for it in drawn:
            assert it != to_builtins(match.state)
            whole = from_json(json.dumps(it), type(match.state))
            assert to_builtins(match.game.view(whole, 0)) == state["view"]
        assert len({json.dumps(it) for it in drawn}) == len(drawn), "each with chance of its own"


@with_server(quick=True)
async def test_a_state_says_in_what_time_to_act(server: Server) -> None:
    opened = await server.open("lcr", clock=600, players=["human", "human", "random"])
    ada, bo = (server.address + link for link in opened["links"][:2])
    async with connect(ada) as first, connect(bo) as second:
        async for message in first:
            if isinstance(message, StateOut):
                break
        assert first.state is not None
        assert 590 < (first.state.deadline or 0) <= 600
        async for message in second:
            if isinstance(message, StateOut):
                break
        assert second.state is not None
        assert second.state.deadline is None
