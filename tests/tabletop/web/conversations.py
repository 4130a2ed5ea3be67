"""Scripted conversations with a server, and a clock that only the script advances.

`conversations.toml` contains the scripts. `play` runs one of them against a real server, over real
sockets, and returns every message that each screen sent and received. Salts, table names and fresh
seeds are the same in each run, and hints have no time limit, so that a slow machine does not change
them.
"""

from __future__ import annotations

import asyncio
import json
import re
import selectors
import tomllib
from collections import Counter
from contextlib import closing, suppress
from dataclasses import replace
from hashlib import blake2b
from pathlib import Path
from typing import Any, Final, TypeAlias
from unittest import mock

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from tabletop.registry import load
from tabletop.web import OfferedGames, WebServer
from tests.tabletop.web.served import QUICK, Server

ROOT: Final = Path(__file__).parents[3]
SCRIPTS: Final[dict[str, dict[str, Any]]] = tomllib.loads(
    Path(__file__).with_suffix(".toml").read_text("utf-8")
)
"""The scripts by name: `limits` of the server, the request for a `table`, and `steps`."""

GOLDEN: Final = ROOT / "tests" / "golden" / "conversations"
"""The folder of the expected conversations."""

LONG_TEXT: Final = re.compile(r'"(?:[^"\\]|\\.){200,}"')
LONG_NUMBER: Final = re.compile(r"\d+\.\d{4,}")
MOST_SHOWN: Final = 2000
"""Characters of a longer message that are shown; the rest is shown as a digest."""

Event: TypeAlias = tuple[selectors.SelectorKey, int]
DECODER: Final = json.JSONDecoder()


class PacedLoop(asyncio.SelectorEventLoop):
    """An event loop whose clock stands still, except while the script waits.

    Attributes:
        now: The time in seconds.
        until: The time up to which timers may fire now.
    """

    def __init__(self) -> None:
        self.now = 1000.0
        self.until = 1000.0
        self._idle: asyncio.Future[None] | None = None
        super().__init__(_PacedSelector(self))

    def time(self) -> float:
        return self.now

    async def wait(self, seconds: float = 0) -> None:
        """Let time pass, and wait until no task of the loop can continue."""
        self.until += seconds
        self._idle = self.create_future()
        await self._idle

    def can_advance(self, seconds: float) -> bool:
        """Check whether this time may pass now."""
        return self.now + seconds <= self.until

    def starts_second(self, seconds: float) -> bool:
        """Check whether another second begins meanwhile. Answers to pings need a moment then."""
        return int(self.now) != int(self.now + seconds)

    def end_wait(self) -> bool:
        """End a call of `wait`, if there is one, because the loop is idle. Return whether."""
        idle, self._idle = self._idle, None
        if idle is None:
            return False
        self.now = self.until
        idle.set_result(None)
        return True


class _PacedSelector(selectors.DefaultSelector):
    def __init__(self, loop: PacedLoop) -> None:
        super().__init__()
        self._loop = loop

    def select(self, timeout: float | None = None) -> list[Event]:
        events = super().select(0)
        if events or timeout == 0:
            return events
        if timeout is not None and self._loop.can_advance(timeout):
            events = super().select(0.001 if self._loop.starts_second(timeout) else 0)
            if not events:
                self._loop.now += timeout
            return events
        if self._loop.end_wait():
            return []
        events = super().select(60)
        if not events:
            raise TimeoutError("nothing has happened for a minute")
        return events


class _Chance:
    """In place of the operating system's random numbers: the same ones in each run.

    There is a sequence for each size, so that random numbers of one kind (such as salts) do not
    depend on the use of another kind.
    """

    def __init__(self) -> None:
        self._counts: Counter[int] = Counter()

    def bytes(self, size: int | None = None) -> bytes:
        size = size or 32
        self._counts[size] += 1
        name = f"{size} {self._counts[size]}".encode()
        return blake2b(name, digest_size=size).digest()

    def below(self, bound: int) -> int:
        return int.from_bytes(self.bytes(8)) % bound


class Screen:
    """A screen, and the messages that have arrived at it."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket
        self.texts: list[str] = []
        self._shown = 0
        self._table: dict[str, Any] = {}
        self._arrived = asyncio.Event()
        self._reader = asyncio.ensure_future(self._read())

    async def _read(self) -> None:
        try:
            while True:
                self._add(str(await self.socket.recv()))
        except ConnectionClosed:
            self._add(f"closed with {self.socket.close_code}")

    def _add(self, text: str) -> None:
        self.texts.append(text)
        self._arrived.set()

    async def get(self, part: str) -> None:
        """Wait for a message that contains a text and is not shown yet."""
        while not any(part in text for text in self.texts[self._shown :]):
            self._arrived.clear()
            await self._arrived.wait()

    async def catch_up(self) -> None:
        """Wait until everything that has passed over the connection so far has arrived."""
        with suppress(ConnectionClosed):
            await (await self.socket.ping())

    def news(self) -> list[str]:
        """Return the new messages. Of a later `table` message only the changed fields are shown."""
        texts = self.texts[self._shown :]
        self._shown = len(self.texts)
        return [self._changed(text) if '"type":"table"' in text else text for text in texts]

    def _changed(self, text: str) -> str:
        before, self._table = self._table, json.loads(text)
        fields = {it: value for it, value in self._table.items() if before.get(it, self) != value}
        return f"table with {json.dumps(fields)}" if before else text


class Conversation:
    """A script that is being played with a server that keeps its tables in a folder."""

    def __init__(self, script: dict[str, Any], loop: PacedLoop, folder: Path) -> None:
        self._script = script
        self._loop = loop
        self._folder = folder
        self._screens: dict[str, Screen] = {}
        self._lines: list[str] = []
        self._start()

    def _start(self) -> None:
        games = [load(str(ROOT / game)) for game in self._script.get("games", ())]
        limits = replace(QUICK, sweep=3600, **self._script.get("limits", {}))
        self._hosting = WebServer(
            OfferedGames(games), self._loop, limits=limits, directory=self._folder, scored=False
        )
        self._running = self._loop.create_task(self._hosting.run())
        self._server = Server(self._hosting, self._folder)

    async def _stop(self) -> None:
        self._loop.until += 100
        await self._server.web.aclose()
        self._hosting.leave()
        await self._running
        self._loop.now = self._loop.until

    async def play(self) -> str:
        """Play all steps, and return the conversation as text."""
        try:
            self._opened = await self._server.open(**self._script["table"])
            await self._settle()
            for step in filter(None, map(str.strip, self._script["steps"].splitlines())):
                self._lines.append(f"> {step}\n")
                action, _, answer = step.partition(" until ")
                name, _, rest = action.partition(" ")
                await self._do(name, rest)
                if answer:
                    await self._screens[name].get(answer)
                await self._settle()
                self._show()
        finally:
            await self._stop()
        return "".join(self._lines)

    async def _do(self, name: str, rest: str) -> None:
        verb, _, detail = rest.partition(" ")
        match verb:
            case _ if name == "wait":
                await self._loop.wait(float(rest))
            case _ if name == "restart":
                await self._stop()
                self._show()
                self._screens.clear()
                self._start()
            case "opens":
                place, _, hello = detail.partition(" ")
                page = self._opened["spectators"] if place == "watch" else None
                page = page or self._opened["links"][int(place)]
                await self._open(name, page, **json.loads(hello or "{}"))
            case "joins":
                await self._join(name)
            case "follows":
                texts = "".join(self._screens[detail].texts)
                await self._open(name, re.findall(r'"next_table":"([^"]+)"', texts)[-1])
            case "leaves":
                await self._screens.pop(name).socket.close()
            case "repeats":  # more than the server accepts
                times, _, text = detail.partition(" ")
                with suppress(ConnectionClosed):
                    for _ in range(int(times)):
                        await self._screens[name].socket.send(text)
            case "exceeds":  # the largest message that the server accepts
                await self._screens[name].socket.send(json.dumps({"type": "x" * int(detail)}))
            case _:
                await self._send(self._screens[name], rest)

    async def _join(self, name: str) -> None:
        """Take a free seat from the lobby, and open its link."""
        headers = {"authorization": f"Bearer {self._server.key}"}
        path = f"/api/tables/{self._opened['table']}/join"
        answer = await self._server.web.post(path, json={"name": name}, headers=headers)
        self._lines.append(f"{answer.status_code} {_shortened(answer.text)}\n")
        await self._settle()
        if answer.is_success:
            await self._open(name, answer.json()["link"])

    async def _open(self, name: str, page: str, **hello: object) -> None:
        path, _, token = page.partition("#")
        address = self._server.address.replace("http", "ws")
        socket = await connect(f"{address}{path}/socket", max_size=None, max_queue=None)
        self._screens[name] = Screen(socket)
        wanted = {"type": "hello", "token": token, "data": False, "changes": True, **hello}
        await socket.send(json.dumps(wanted))

    async def _send(self, screen: Screen, texts: str) -> None:
        """Send each JSON value of a text as a message, or a text that is not JSON."""
        at = 0
        while at < len(texts):
            try:
                _, end = DECODER.raw_decode(texts, at)
            except ValueError:
                end = len(texts)
            await screen.socket.send(texts[at:end].strip())
            at = end + 1

    async def _settle(self) -> None:
        """Wait until the server has handled and sent everything, and all of it has arrived."""
        for _ in range(2):
            await asyncio.gather(*(screen.catch_up() for screen in self._screens.values()))
            await self._loop.wait()

    def _show(self) -> None:
        """Add the new messages of all screens to the text."""
        for name, screen in self._screens.items():
            self._lines.extend(f"{name}: {_shortened(text)}\n" for text in screen.news())


def _shortened(text: str) -> str:
    """Return a message with rounded numbers, and with the digests of long texts."""
    short = LONG_TEXT.sub(lambda match: f'"{_digest(match[0][1:-1], 40)}"', text)
    short = LONG_NUMBER.sub(lambda match: f"{float(match[0]):.3f}", short)
    return short if len(short) <= MOST_SHOWN else _digest(short, MOST_SHOWN)


def _digest(text: str, shown: int) -> str:
    """Return the first characters of a text, its length and the digest of the whole text."""
    digest = blake2b(text.encode(), digest_size=8).hexdigest()
    return f"{text[:shown]}... ({len(text)}, {digest})"


def play(name: str, folder: Path) -> str:
    """Play a script with a server that keeps its tables in an empty folder."""
    loop, chance = PacedLoop(), _Chance()

    async def run() -> str:
        return await Conversation(SCRIPTS[name], loop, folder).play()

    with (
        mock.patch.dict("os.environ", XDG_STATE_HOME=str(folder)),
        mock.patch("tabletop.table.hints.HINT_SECONDS", None),
        mock.patch("os.urandom", chance.bytes),
        mock.patch("secrets.token_bytes", chance.bytes),
        mock.patch("secrets.randbelow", chance.below),
        closing(loop),
    ):
        return loop.run_until_complete(run())


def write_goldens(folder: Path) -> None:
    """Play all scripts, and rewrite the expected conversations."""
    GOLDEN.mkdir(exist_ok=True)
    for path in GOLDEN.iterdir():
        path.unlink()
    for name in SCRIPTS:
        (GOLDEN / f"{name}.txt").write_text(play(name, folder / name), "utf-8")
