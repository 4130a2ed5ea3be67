"""A window on a session that is played elsewhere; `tests/tabletop/graphics` plays in one."""

from __future__ import annotations

import asyncio
import json

import httpx
import pytest

from tabletop import Match
from tabletop.registry import load
from tabletop.session import Act, Session
from tabletop.web.local_window import LocalWindow


@pytest.mark.slow
def test_a_match_that_is_over_can_be_watched_again_while_the_window_is_open() -> None:
    plugin = load("lcr")
    match = Match(plugin.game, seed="old oak", seats=3)
    session = Session(match, plugin, ["human"] * 3)
    loop = asyncio.new_event_loop()
    window = LocalWindow(plugin, loop)
    window.show(session)
    while not match.over:
        assert window.client.request(Act("roll")) is None
    window.offer_film()
    window.client.freeze()
    session.close()

    async def watch() -> None:
        link = json.loads(window.client.state_text(narrow=False))["over"]["film"]
        root = window.address.partition("/t/")[0]
        async with httpx.AsyncClient() as web:
            film = await web.get(root + link)
            assert film.status_code == 200
            assert "as spectators saw it" in film.text
            assert film.text.count('"lines": ') == match.ply + 1
            assert (await web.get(f"{root}/film/here")).status_code == 404

    loop.run_until_complete(watch())
    window.close()
    loop.close()
