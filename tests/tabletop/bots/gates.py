"""The gates of the bots in `gated.py`: which process searches, and when it may answer."""

from __future__ import annotations

import asyncio
import os
import signal
from contextlib import suppress
from pathlib import Path
from typing import Final

from tabletop import Plugin
from tabletop.match import AnyMatch
from tabletop.table import Question
from tests.tabletop.bots import gated

GAME: Final = gated.__file__
"""The path of the game."""

TIMEOUT: Final = 60.0


class Gates:
    """A folder in which bots report questions, and tests allow answers."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    async def asked(self, seat: int = 0, *, other_than: int = 0) -> int:
        """Wait until the bot of a seat is asked, and return the id of its process."""
        asked = self.folder / f"asked-{seat}"
        async with asyncio.timeout(TIMEOUT):
            while not asked.exists() or int(asked.read_text()) == other_than:
                await asyncio.sleep(0.01)
        return int(asked.read_text())

    def open(self, seat: int = 0) -> None:
        """Allow the bot of a seat to answer, now and later."""
        (self.folder / f"open-{seat}").touch()

    @property
    def deaths(self) -> int:
        """The number of processes that the bot `fatal` has killed."""
        deaths = self.folder / "deaths"
        return len(deaths.read_text()) if deaths.exists() else 0


def question(plugin: Plugin, bot: str, match: AnyMatch, seat: int | None = None) -> Question:
    """Return the question to a bot about the seat that is to act."""
    seat = match.to_act[0] if seat is None else seat
    return Question.of(plugin, bot, match.state, seat, stream=match.bot_stream(seat))


async def gone(process: int) -> None:
    """Wait until a process has ended."""
    async with asyncio.timeout(TIMEOUT):
        while is_there(process):
            await asyncio.sleep(0.01)


def is_there(process: int) -> bool:
    """Check whether a process runs and is not a zombie."""
    try:
        state = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return False
    return state != "Z"


def kill(process: int) -> None:
    """Kill a process."""
    with suppress(ProcessLookupError):
        os.kill(process, signal.SIGKILL)
