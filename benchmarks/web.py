"""Tables in the browser under load: bot matches, 1,000 tables, invalid messages, and a flood."""

from __future__ import annotations

import asyncio
import gc
import json
import os
import re
import sys
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import monotonic, process_time
from typing import TYPE_CHECKING, Any, TypeAlias
from unittest import mock

from benchmarks.common import ROOT, Row, Target, optional_module
from tabletop import ActionPlayed, Event

if TYPE_CHECKING:
    from tabletop.web import Limits, WebServer
    from tabletop.web.links import OpenedTable
    from tabletop.web.socket import Transport
    from tabletop.web.table_manager import TableManager

TITLE = "Tables in the browser: 100 bot matches, 200 screens in another process, over loopback"

MATCHES = 100
SCREENS_EACH = 2
SPARE = 5
"""Additional matches. A client that has watched a match to its end continues with another table."""

GAMES = {"sorcery": "duelist", "constructor": "builder", "lcr": "random"}
TABLES = 1000
FASTER = 30
"""Factor for the duration of a measurement compared with other benchmarks: a minute by default."""

Played: TypeAlias = dict[tuple[str, int], tuple[float, float]]
"""The time of each move at each table, by the clock and in processor time."""

_PLY = re.compile(r'\{"type":(?:"state",|"changes","fields":\{)"ply":(\d+)')
"""A message with the state after an action, or with the changes to it."""

HALF_OF_BEFORE = {"sorcery": Target(6, at_least=False), "constructor": Target(3.5, at_least=False)}
"""Target size of a move as text, in kB: half of the size before states were sent as `changes`."""

UNDER_100_MS = Target(100, at_least=False)
FLAT = Target(10, at_least=False)
KILOBYTE = 1000
MEGABYTE = 1 << 20


def run(seconds: float) -> Iterator[Row]:
    """Run a server, and let clients in other processes connect."""
    if optional_module("uvicorn") is None:
        yield Row("the server", note="uvicorn is not installed: pip install 'tabletop-rules[web]'")
        return
    for work in (_watched, _opened, _garbage, _flooded):
        with TemporaryDirectory() as folder:
            os.environ["XDG_STATE_HOME"] = folder
            yield from asyncio.run(work(Path(folder), FASTER * seconds))


@asynccontextmanager
async def _hosting(folder: Path, limits: Limits) -> AsyncIterator[WebServer]:
    """Run a server that does not keep scores."""
    from tabletop.web import OfferedGames, WebServer

    loop = asyncio.get_running_loop()
    hosting = WebServer(
        OfferedGames(),
        loop,
        limits=limits,
        directory=folder / "tables",
        scored=False,
    )
    running = loop.create_task(hosting.run())
    try:
        yield hosting
    finally:
        hosting.leave()
        await running


async def _clients(kind: str, orders: dict[str, Any]) -> asyncio.subprocess.Process:
    """Start a process with clients of the server, which prints its results when it is done.

    Its parameters are the first line of its input.
    """
    command = (sys.executable, "-m", "benchmarks.web_clients", kind)
    process = await asyncio.create_subprocess_exec(
        *command,
        cwd=ROOT,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        limit=1 << 28,
    )
    assert process.stdin is not None
    process.stdin.write(json.dumps(orders).encode() + b"\n")
    await process.stdin.drain()
    return process


async def _result(process: asyncio.subprocess.Process) -> Any:
    output, _ = await process.communicate()
    if process.returncode:
        raise RuntimeError(f"the clients exited with status {process.returncode}")
    return json.loads(output)


def _open(tables: TableManager, game: str, players: Sequence[str]) -> OpenedTable:
    """Open a table, without the limit on new tables."""
    from tabletop.host import utc_now
    from tabletop.web import TableRequest
    from tabletop.web.lobby import new_table

    wish = TableRequest(game=game, seats=len(players), players=list(players))
    return tables.open(new_table(wish, tables.games, utc_now()))


def _memory() -> float:
    """Return the memory of this process in MB."""
    gc.collect()
    status = Path("/proc/self/statm")
    if not status.exists():
        return 0.0
    return int(status.read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / MEGABYTE


# Watching.


async def _watched(folder: Path, seconds: float) -> list[Row]:
    from tabletop.web import Limits

    played: Played = {}
    worked: list[float] = []
    # All screens connect from one address.
    limits = Limits(unload_finished=5, tables=4 * TABLES, arrivals=1000)
    async with _noting(played, worked), _hosting(folder, limits) as hosting:
        rounds = [_watching(hosting, number, played) for number in range(MATCHES)]
        orders = {
            "address": hosting.address,
            "rounds": rounds * SCREENS_EACH,
            "seconds": seconds,
            "arriving": seconds / 8,
        }
        process = await _clients("watch", orders)
        await asyncio.sleep(seconds / 4)
        used, since = process_time(), monotonic()
        await asyncio.sleep(seconds / 4)
        half = _memory()
        await asyncio.sleep(seconds / 2)
        busy = (process_time() - used) / (monotonic() - since)
        after = _memory()
        result = await _result(process)
    delays = [
        at - played[table, ply][0] for table, ply, at in result["states"] if (table, ply) in played
    ]
    return [
        Row("moves", len(played) / seconds, "per second"),
        Row("states received", len(delays) / seconds, "per second"),
        *_spread("from move to screen", delays),
        Row(
            "the same in processor time of the server, median",
            1000 * median(worked),
            "ms",
            note="excluding the time of other processes",
        ),
        Row(
            "in processor time, 99th percentile",
            1000 * _high(worked),
            "ms",
            target=UNDER_100_MS,
        ),
        Row("load of the server", 100 * busy, "% of a core"),
        Row("processor time of the server per move", 1000 * busy * seconds / len(played), "ms"),
        Row("memory of the server", after, "MB"),
        Row("memory growth in the second half", after - half, "MB", target=FLAT),
        *_sizes(result["sizes"]),
    ]


def _sizes(sizes: dict[str, dict[str, int]]) -> Iterator[Row]:
    """Yield the size of the messages to a screen per move, for each game."""
    for game, size in sizes.items():
        moves, screens = KILOBYTE * max(1, size["moves"]), KILOBYTE * max(1, size["screens"])
        half = HALF_OF_BEFORE.get(game)
        yield Row(f"{game}, a move, uncompressed", size["letters"] / moves, "kB", target=half)
        yield Row(f"{game}, a move, compressed", size["bytes"] / moves, "kB")
        yield Row(f"{game}, the first state, uncompressed", size["first"] / screens, "kB")
        yield Row(f"{game}, the first state, compressed", size["packed"] / screens, "kB")


def _spread(what: str, seconds: Sequence[float]) -> Iterator[Row]:
    """Yield the median and the 99th percentile of waiting times."""
    yield Row(f"{what}, median", 1000 * median(seconds), "ms", target=UNDER_100_MS)
    yield Row(f"{what}, 99th percentile", 1000 * _high(seconds), "ms", target=UNDER_100_MS)


def _high(seconds: Sequence[float]) -> float:
    """Return the 99th percentile."""
    return sorted(seconds)[int(0.99 * len(seconds))]


@asynccontextmanager
async def _noting(played: Played, worked: list[float]) -> AsyncIterator[None]:
    """Record the processor time of the server between a move and sending its state to a screen."""
    from tabletop.web.socket import Transport

    send = Transport.send

    async def noting(wire: Transport, text: str) -> None:
        await send(wire, text)
        match = _PLY.match(text)
        moment = match and played.get((wire._socket.path_params["table"], int(match[1])))
        if moment:
            worked.append(process_time() - moment[1])

    with mock.patch.object(Transport, "send", noting):
        yield


def _watching(hosting: WebServer, number: int, played: Played) -> tuple[str, list[str]]:
    """Return a game, and the links of the tables that two screens watch in turn."""
    game = list(GAMES)[number % len(GAMES)]
    seats = min(hosting.tables.games.plugin(game).game.seats)
    links = []
    for _ in range(1 + SPARE if game != "constructor" else 2):
        opened = _open(hosting.tables, game, [GAMES[game]] * seats)
        table = opened.table
        match = hosting.tables.listing.live[table].table.match

        def note(event: Event, table: str = table) -> None:
            if isinstance(event, ActionPlayed):
                played[table, event.ply] = monotonic(), process_time()

        match.observe(note)
        links.append(str(opened.spectators))
    return game, links


# Opening, playing and leaving.


async def _opened(folder: Path, seconds: float) -> list[Row]:
    from tabletop.protocol import encode
    from tabletop.table.inputs import WIDE, Reseat
    from tabletop.web import Limits

    count = max(10, min(TABLES, round(TABLES * seconds / 60)))
    limits = Limits(pause=0, unload=0, unload_finished=0, sweep=0.5)
    async with _hosting(folder, limits) as hosting:
        tables, memory, began = hosting.tables, [], monotonic()
        for number in range(count):
            if number in (count // 4, count // 2):
                tables._unload_idle()
                memory.append(_memory())
            opened = _open(tables, "lcr", ["human", "random", "random"])
            runner, _ = tables.admit(opened.table, str(opened.links[0]).partition("#")[2])
            runner.receive(Reseat(0, "random"))
            while runner.table.requests.advance():
                pass
            encode(runner.presenter.state(runner.table.holders[0], WIDE, 0))
            await asyncio.sleep(0)
        took = monotonic() - began
        await asyncio.sleep(1)
        tables._unload_idle()
        memory.append(_memory())
        left = len(tables.listing.live)
    return [
        Row(f"{count:,} tables opened, played and left", took, "s"),
        Row("tables still in memory", left, "", target=Target(0, at_least=False)),
        Row("memory growth in the second half", memory[-1] - memory[-2], "MB", target=FLAT),
    ]


# Garbage.


async def _garbage(folder: Path, seconds: float) -> list[Row]:
    from tabletop.web import Limits

    async with _hosting(folder, Limits(pause=0.1)) as hosting:
        opened = _open(hosting.tables, "sorcery", ["human", "human"])
        token = str(opened.links[1])
        orders = {"address": hosting.address, "link": token, "seconds": seconds}
        honest = {**orders, "link": str(opened.links[0])}
        before = _memory()
        processes = [await _clients("garbage", orders), await _clients("ask", honest)]
        garbage, asked = [await _result(process) for process in processes]
        after = _memory()
        match = hosting.tables.listing.live[opened.table].table.match
        assert match.ply == 0
    return [
        Row("invalid messages of a client", garbage["sent"] / seconds, "per second"),
        Row("times it is disconnected", garbage["closed"] / seconds, "per second"),
        *_spread("a request of another client", asked),
        Row("memory growth meanwhile", after - before, "MB", target=FLAT),
    ]


# A flood.


async def _flooded(folder: Path, seconds: float) -> list[Row]:
    """Flood one table with 200 sockets of 20 messages per second, while another table plays."""
    from tabletop.web import Limits

    async with _hosting(folder, Limits(pause=0.1)) as hosting:
        attacked = _open(hosting.tables, "constructor", ["human"] * 4)
        other = _open(hosting.tables, "sorcery", ["human", "human"])
        orders = {"address": hosting.address, "seconds": seconds / 4}
        ask = {**orders, "link": str(other.links[0])}
        quiet = await _result(await _clients("ask", ask))
        flood = {**orders, "link": str(attacked.links[0]), "sockets": 200, "rate": 20}
        flooding = await _clients("flood", {**flood, "seconds": seconds / 2})
        await asyncio.sleep(seconds / 4 - 1)
        used, since = process_time(), monotonic()
        held: list[float] = []
        turning = asyncio.ensure_future(_turns(held))
        asked = await _result(await _clients("ask", ask))
        turning.cancel()
        busy = (process_time() - used) / (monotonic() - since)
        result = await _result(flooding)
    return [
        *_spread("a request before the flood", quiet),
        Row("messages of the flood", result["sent"] / (seconds / 2), "per second"),
        Row("connections of the flood", result["opened"] / (seconds / 2), "per second"),
        *_spread("a request at another table meanwhile", asked),
        Row("work of the server before a reply, 99th percentile", 1000 * _high(held), "ms"),
        Row("load of the server", 100 * busy, "% of a core"),
    ]


async def _turns(held: list[float]) -> None:
    """Record the processor time that the server needs until another task gets its turn."""
    while True:
        used = process_time()
        await asyncio.sleep(0.001)
        held.append(process_time() - used)
