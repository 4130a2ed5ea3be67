"""A window beside a terminal: both play the same match, on one thread."""

from __future__ import annotations

import asyncio
import json

import httpx
from websockets.asyncio.client import connect

from tabletop import Match
from tabletop.registry import load
from tabletop.session import Act, Asked, Changed, Notification, Session
from tabletop.web.local_window import LocalWindow


class Terminal:
    """A front that remembers what it hears."""

    def __init__(self) -> None:
        self.heard: list[Notification] = []

    def notify(self, news: Notification) -> None:
        self.heard.append(news)


def test_what_is_done_in_the_window_is_told_at_the_terminal_and_the_other_way_round() -> None:
    plugin = load("lcr")
    match = Match(plugin.game, seed="old oak", seats=3)
    session = Session(match, plugin, ["human"] * 3)
    terminal = Terminal()
    place = session.join(terminal)
    loop = asyncio.new_event_loop()
    window = LocalWindow(plugin, loop)
    window.show(session)

    async def play() -> None:
        page, _, token = window.address.replace("http", "ws").partition("#")
        async with connect(f"{page}/socket", max_size=None) as socket:
            await socket.send(json.dumps({"type": "hello", "token": token}))

            async def state(ply: int) -> dict[str, list[int]]:
                async with asyncio.timeout(60):
                    while True:
                        told = json.loads(await socket.recv())
                        if told["type"] == "state" and told["ply"] == ply:
                            return dict(told)

            assert (await state(0))["asked"] == [0]
            await socket.send(json.dumps({"type": "act", "line": "roll"}))
            assert (await state(1))["asked"] == [1]
            assert terminal.heard[-2:] == [Changed(1), Asked(1)]
            place.request(Act("roll"))
            assert (await state(2))["asked"] == [2]

    loop.run_until_complete(play())
    window.close()
    loop.close()
    assert match.ply == 2


def test_a_match_that_is_over_can_be_watched_again_while_the_window_is_open() -> None:
    plugin = load("lcr")
    match = Match(plugin.game, seed="old oak", seats=3)
    session = Session(match, plugin, ["human"] * 3)
    place = session.join(Terminal())
    loop = asyncio.new_event_loop()
    window = LocalWindow(plugin, loop)
    window.show(session)
    while not match.over:
        place.request(Act("roll"))
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
