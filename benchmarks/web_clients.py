"""The clients of `benchmarks.web`, in a process of their own."""

from __future__ import annotations

import asyncio
import json
import random
import sys
from collections import Counter
from contextlib import suppress
from time import monotonic
from typing import Any

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake

GARBAGE = (
    lambda chance: chance.randbytes(chance.randrange(3000)),
    lambda chance: "[" * chance.randrange(4000),
    lambda chance: '{"type":"act","line":"' + "x" * chance.randrange(3000) + '","id":1}',
    lambda chance: json.dumps({"type": "seat", "seat": chance.randrange(999), "player": "x"}),
    lambda chance: json.dumps({"type": "why", "part": str(chance.random())}),
    lambda chance: json.dumps({"type": chance.choice(["undo", "redo", "again", "hello", "x"])}),
    lambda chance: '{"type":"consent","yes":' + chance.choice(["true", "1", "null"]) + "}",
)
"""Makers of messages, most of which are invalid."""

REQUESTS = (
    {"type": "layout", "picture": "narrow"},
    {"type": "layout", "picture": "wide"},
    {"type": "act", "line": "build tower at nowhere"},
    {"type": "why", "part": "deck"},
    {"type": "undo"},
    {"type": "seat", "seat": 0, "player": "random"},
    {"type": "seat", "seat": 0, "player": "human"},
)
"""Valid messages of a seat that are expensive for the server."""


HELLO = {"type": "hello", "picture": "wide", "data": False, "changes": True}
"""The first message of the browser page, without its token."""


class Counting(ClientConnection):
    """A connection that counts the received bytes, before they are decompressed."""

    received = 0

    def data_received(self, data: bytes) -> None:
        """Count and process received data."""
        self.received += len(data)
        super().data_received(data)


async def _join(orders: dict[str, Any], link: str) -> Counting:
    path, _, token = link.partition("#")
    address = orders["address"].replace("http", "ws") + path + "/socket"
    socket = await connect(address, max_size=1 << 24, max_queue=None, create_connection=Counting)
    await socket.send(json.dumps({**HELLO, "token": token}))
    assert isinstance(socket, Counting)
    return socket


def _shown(text: str) -> dict[str, Any]:
    """Return the fields of a state or of changes to it, or no fields for other messages."""
    if not text.startswith(('{"type":"state"', '{"type":"changes"')):
        return {}
    message: dict[str, Any] = json.loads(text)
    fields: dict[str, Any] = message.get("fields", message)
    return fields


SIZES = ("moves", "letters", "bytes", "screens", "first", "packed")
"""Counters of each game.

`moves` are sent as `letters`, compressed to `bytes`. The first states of `screens` have the letters
`first` and the bytes `packed`.
"""


def _count(size: Counter[str], text: str, received: int, *, is_first: bool, is_state: bool) -> None:
    """Count a message of a move, or the first state."""
    if not is_first:
        size.update(letters=len(text), bytes=received)
    elif is_state:
        size.update(screens=1, first=len(text), packed=received)


async def watch(orders: dict[str, Any]) -> dict[str, Any]:
    """Watch matches, and record the time of each state and the size of the messages."""
    states: list[tuple[str, int, float]] = []
    sizes = {game: Counter(dict.fromkeys(SIZES, 0)) for game, _ in orders["rounds"]}
    until = monotonic() + orders["seconds"]

    async def watch_one(after: float, game: str, links: list[str]) -> None:
        await asyncio.sleep(after)  # spectators do not arrive all at once
        for link in links:
            table = link.partition("#")[0].rpartition("/")[2]
            socket = await _join(orders, link)
            ply, came = -1, 0
            async for text in socket:
                now = monotonic()
                assert isinstance(text, str)
                fields, received, came = _shown(text), socket.received - came, socket.received
                _count(sizes[game], text, received, is_first=ply < 0, is_state=bool(fields))
                before, ply = ply, fields.get("ply", ply)
                if 0 <= before != ply:
                    states.append((table, ply, now))
                    sizes[game]["moves"] += 1
                if fields.get("over") is not None:
                    break
            await socket.close()

    rounds, chance = orders["rounds"], random.Random(1)
    watching = [
        asyncio.ensure_future(watch_one(orders["arriving"] * chance.random(), game, links))
        for game, links in rounds
    ]
    await asyncio.sleep(until - monotonic())
    for task in watching:
        task.cancel()
    for result in await asyncio.gather(*watching, return_exceptions=True):
        if isinstance(result, Exception):
            raise result
    return {"states": states, "sizes": sizes}


async def garbage(orders: dict[str, Any]) -> dict[str, int]:
    """Send invalid messages at full speed, and reconnect when disconnected."""
    chance, until = random.Random(1), monotonic() + orders["seconds"]
    sent = closed = 0
    while monotonic() < until:
        with suppress(OSError, InvalidHandshake, ConnectionClosed):
            async with await _join(orders, orders["link"]) as socket:
                while monotonic() < until:
                    await socket.send(chance.choice(GARBAGE)(chance))
                    sent += 1
                    await asyncio.sleep(0)
        closed += 1
    return {"sent": sent, "closed": closed}


async def flood(orders: dict[str, Any]) -> dict[str, int]:
    """Send expensive requests over many sockets of one link, and reopen closed sockets at once."""
    until, sent, opened = monotonic() + orders["seconds"], 0, 0

    async def attack(chance: random.Random) -> None:
        nonlocal sent, opened
        while monotonic() < until:
            with suppress(OSError, InvalidHandshake, ConnectionClosed, TimeoutError):
                async with await _join(orders, orders["link"]) as socket:
                    opened += 1
                    reading = asyncio.ensure_future(_read(socket))
                    while monotonic() < until and not reading.done():
                        await socket.send(json.dumps(chance.choice(REQUESTS)))
                        sent += 1
                        await asyncio.sleep(1 / orders["rate"])
                    reading.cancel()
            await asyncio.sleep(0.01)

    attacks = [attack(random.Random(number)) for number in range(orders["sockets"])]
    await asyncio.wait(map(asyncio.ensure_future, attacks), timeout=orders["seconds"])
    return {"sent": sent, "opened": opened}


async def _read(socket: ClientConnection) -> None:
    with suppress(ConnectionClosed):
        async for _ in socket:
            pass


async def ask(orders: dict[str, Any]) -> list[float]:
    """Send ten requests per second, and record the time until each answer."""
    delays = []
    async with await _join(orders, orders["link"]) as socket:
        number, until = (
            0,
            monotonic() + orders["seconds"],
        )  # the time starts after joining, which may take long
        while monotonic() < until:
            number += 1
            asked = monotonic()
            await socket.send(json.dumps({"type": "why", "part": "deck", "id": number}))
            while json.loads(await socket.recv()).get("id") != number:
                pass
            delays.append(monotonic() - asked)
            await asyncio.sleep(0.1)
    return delays


def main(kind: str) -> int:
    """Do the work that the first line of the input describes, and print the result."""
    orders = json.loads(sys.stdin.readline())
    work = {"watch": watch, "garbage": garbage, "flood": flood, "ask": ask}[kind]
    print(json.dumps(asyncio.run(work(orders))))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
