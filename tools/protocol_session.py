"""Plays the example session of docs/reference/protocol.md and updates it.

    .venv/bin/python -m tools.protocol_session

Lines that start with an arrow to the right are sent to a server and remain unchanged. The other
lines are the received messages and are replaced. A test fails if the page is out of date.
"""

from __future__ import annotations

import asyncio
import json
import re
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from websockets.asyncio.client import ClientConnection, connect

from tabletop.protocol import parse_link, state_after
from tabletop.registry import load
from tabletop.web import Limits, OfferedGames, TableRequest, WebServer

ROOT: Final = Path(__file__).parents[1]
PAGE: Final = ROOT / "docs" / "reference" / "protocol.md"
GAME: Final = ROOT / "examples" / "how_to" / "heap.py"

SENT: Final = "→ "
CAME: Final = "← "

BLOCK: Final = re.compile(r"(?<=```text title=\"a session\"\n).*?(?=```\n)", re.DOTALL)
"""The session on the page."""

TIME_LIMIT: Final = 60.0
"""Maximum seconds for the session."""

_SECRET: Final = (
    (re.compile(r"/replay/[\w.-]+"), "/replay/REPLAY"),
    (re.compile(r"/t/[\w-]+#[\w-]+"), "/t/TABLE#TOKEN"),
)
"""Values that differ in each run, with their replacement on the page."""


def session_on(page: str) -> list[str]:
    """Return the lines of the session on a page."""
    [block] = BLOCK.findall(page)
    lines: list[str] = block.splitlines()
    return lines


async def played(lines: list[str], folder: Path) -> list[str]:
    """Send the outgoing lines of a session to a new table, and return the new session."""
    loop = asyncio.get_running_loop()
    games = OfferedGames([load(str(GAME))], all_installed=False)
    server = WebServer(games, loop, limits=Limits(pause=0.05), directory=folder, scored=False)
    running = loop.create_task(server.run())
    try:
        opened = server.tables.open_requested(
            TableRequest(game="heap", seed="old oak", players=["human", "random"]), ""
        )
        address, token = parse_link(f"{server.address}{opened.links[0]}")
        async with asyncio.timeout(TIME_LIMIT), connect(address) as socket:
            return await _Conversation(socket, token).held(lines)
    finally:
        server.leave()
        await running


class _Conversation:
    """The messages on a socket, in the notation of the page."""

    def __init__(self, socket: ClientConnection, token: str) -> None:
        self._socket = socket
        self._token = token
        self._state: dict[str, Any] = {}
        self._lines: list[str] = []

    async def held(self, lines: list[str]) -> list[str]:
        for line in lines:
            if line.startswith(SENT):
                self._lines.append(line)
                message = json.loads(line.removeprefix(SENT))
                await self._socket.send(json.dumps({**message, **self._secret(message)}))
                await self._receive_all(message.get("id", 0))
        return self._lines

    def _secret(self, message: dict[str, Any]) -> dict[str, str]:
        return {"token": self._token} if "token" in message else {}

    async def _receive_all(self, number: int) -> None:
        """Receive the answer to a request, and all messages until the seat's turn or the end."""
        is_answered = not number
        for _ in count():
            message = await self._receive()
            is_answered |= bool(number) and message.get("id") == number
            over = self._state.get("over")
            if is_answered and (self._state.get("your_turn") or (over and over["replay_page"])):
                return

    async def _receive(self) -> dict[str, Any]:
        text = await self._socket.recv(decode=True)
        message: dict[str, Any] = json.loads(text)
        for secret, name in _SECRET:
            text = secret.sub(name, text)
        self._lines.append(CAME + text)
        if message["type"] == "changes":
            self._state = state_after(self._state, message)
        elif message["type"] == "state":
            self._state = message
        return message


def main() -> None:
    """Replace the session on the page."""
    page = PAGE.read_text("utf-8")
    with TemporaryDirectory() as folder:
        lines = asyncio.run(played(session_on(page), Path(folder)))
    PAGE.write_text(BLOCK.sub(lambda _: "\n".join([*lines, ""]), page), "utf-8")


if __name__ == "__main__":
    main()
