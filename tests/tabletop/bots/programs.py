"""Tables with bots that are external programs, and checks that the programs have ended."""

from __future__ import annotations

import os
import shlex
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tabletop import Match
from tabletop.records import HUMAN
from tabletop.registry import load
from tabletop.session import BotFailed, Seated, Session
from tabletop.terminal import with_programs
from tests.tabletop.session.fronts import Front

BOT = Path(__file__).with_name("bot.py")


def command(way: str, *words: object, seconds: float = 30, script: Path = BOT) -> str:
    """Return the name of the bot of `bot.py` with this behaviour."""
    words = (sys.executable, script, *([way] if way else []), *words)
    return f"exec:{seconds}s:{shlex.join(map(str, words))}"


def table(game: str, *players: str, **more: Any) -> tuple[Session, Front]:
    """Return a session with these players, and the client of the people at it."""
    plugin = with_programs(load(game), [f"1={name}" for name in players if name != HUMAN])
    match: Any = Match(plugin.game, seed="old oak", seats=len(players))
    session = Session(match, plugin, players, **more)
    return session, Front(session)


def said(front: Front) -> Sequence[str]:
    """Return the messages about bots that a client received."""
    messages = []
    for message in front.heard:
        if isinstance(message, BotFailed):
            messages.append(str(message.error))
        elif isinstance(message, Seated):
            messages.append(message.player)
    return messages


def has_ended(pid: int) -> bool:
    """Check whether a process ends soon."""
    until = time.monotonic() + 30
    while time.monotonic() < until:
        try:
            os.kill(pid, 0)
            state = Path(f"/proc/{pid}/stat").read_text("utf-8").rpartition(")")[2].split()[0]
        except (ProcessLookupError, FileNotFoundError):
            return True
        if state == "Z":  # a zombie has ended
            return True
        time.sleep(0.02)
    return False
