"""Servers that send arbitrary messages."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager

from websockets.asyncio.server import ServerConnection, serve

TABLE = {
    "type": "table",
    "game": "g",
    "title": "G",
    "version": "1",
    "your_seats": [0],
    "names": ["Ada"],
    "seat_titles": ["Ada"],
    "players": ["human"],
}
STATE = {"type": "state", "ply": 0, "seat": 0, "turn": [0], "choices": [], "text": "a b c " * 9}


def changes(**pieces: object) -> dict[str, object]:
    return {"type": "changes", "fields": {}, "pieces": pieces}


NO_ANSWERS: Mapping[str, Mapping[str, object]] = {}


@asynccontextmanager
async def stranger(
    *messages: object,
    answers: Mapping[str, Mapping[str, object]] = NO_ANSWERS,
    sent: list[str] | None = None,
) -> AsyncIterator[str]:
    """Yield the link of a server that sends these messages to each client.

    A number is the code that it closes the connection with. It answers a later request if `answers`
    has a message for the type of the request. The types of all requests are added to `sent`.
    """

    async def serve_one(socket: ServerConnection) -> None:
        for message in messages:
            if isinstance(message, int):
                await socket.close(message)
                return
            await socket.send(message if isinstance(message, str) else json.dumps(message))
        async for text in socket:
            request = json.loads(text)
            if sent is not None:
                sent.append(request["type"])
            if request["type"] in answers:
                await socket.send(json.dumps({**answers[request["type"]], "id": request["id"]}))

    async with serve(serve_one, "127.0.0.1", 0) as server:
        port = next(iter(server.sockets)).getsockname()[1]
        yield f"http://127.0.0.1:{port}/t/table#token"
