"""Matches with bots that are external programs, and checks that the programs have ended."""

from __future__ import annotations

import os
import shlex
import sys
import time
from pathlib import Path
from typing import Any

from tabletop import Match
from tabletop.records import HUMAN
from tabletop.registry import load
from tabletop.table import Players, Replaced
from tabletop.terminal import with_programs

BOT = Path(__file__).with_name("bot.py")


def command(way: str, *words: object, seconds: float = 30, script: Path = BOT) -> str:
    """Return the name of the bot of `bot.py` with this behaviour."""
    words = (sys.executable, script, *([way] if way else []), *words)
    return f"exec:{seconds}s:{shlex.join(map(str, words))}"


def seat_players(game: str, *names: str) -> Players:
    """Return the players of a new match."""
    plugin = with_programs(load(game), [f"1={name}" for name in names if name != HUMAN])
    match: Any = Match(plugin.game, seed="old oak", seats=len(names))
    return Players(match, plugin, names)


def play(players: Players, line: str) -> None:
    """Play an action of a person."""
    players.play(players.match.parse(line, players.waiting_for[0]))


def error_of(replaced: object) -> str:
    """Return the message of the bot that has failed."""
    assert isinstance(replaced, Replaced)
    return str(replaced.error)


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
