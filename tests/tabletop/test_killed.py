"""A killed program loses no move that it has acknowledged."""

from __future__ import annotations

import random
import signal
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import IO

import pytest

from tabletop.records.file import read
from tabletop.records.replay import replay
from tabletop.registry import load

LONG_WALK = Path(__file__).parent / "games" / "walk.py"
KILLS_A_TEST = 4
AT_A_TIME = 2
PLAYERS = {"bots": ["--bot", "all"], "people": []}


@pytest.mark.slow
@pytest.mark.parametrize("players", PLAYERS)
def test_no_acknowledged_move_is_lost_when_the_program_is_killed(
    players: str, tmp_path: Path
) -> None:
    moments = random.Random(players)
    records = [tmp_path / f"{number}.jsonl" for number in range(KILLS_A_TEST)]
    delays = [moments.uniform(0, 0.15) for _ in records]
    with ThreadPoolExecutor(AT_A_TIME) as pool:
        counts = list(pool.map(partial(play_and_kill, PLAYERS[players]), records, delays))
    for path, shown in zip(records, counts, strict=True):
        match = replay(read(path), load(str(LONG_WALK)).game)
        assert shown > 0
        assert shown <= match.ply, "a move was shown that is not on disk"
        assert match.ply <= shown + 1, "a move is on disk long before it was shown"


def play_and_kill(players: list[str], record: Path, delay: float) -> int:
    """Play, and kill the program `delay` seconds after its first move.

    Returns:
        How many moves it has shown.
    """
    command = [sys.executable, "-m", "tabletop", "play", str(LONG_WALK), "--record", str(record)]
    with subprocess.Popen(
        [*command, *players], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as program:
        assert program.stdin is not None
        assert program.stdout is not None
        typist = threading.Thread(target=type_moves, args=(program.stdin,))
        typist.start()
        shown = 0
        for line in program.stdout:
            if line.startswith("Player") and ": " in line and line.endswith("\n"):
                shown += 1
                if shown == 1:
                    threading.Timer(delay, program.kill).start()
        program.wait()
        typist.join()
    assert program.returncode == -signal.SIGKILL
    return shown


def type_moves(stdin: IO[str]) -> None:
    """Type moves for as long as somebody reads them."""
    try:
        for number in range(20_000):
            stdin.write(f"{number % 3 + 1}\n")
        stdin.close()
    except BrokenPipeError:
        try:
            stdin.close()
        except BrokenPipeError:
            return
