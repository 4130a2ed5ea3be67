"""A killed program loses no move that it has acknowledged."""

from __future__ import annotations

import random
import signal
import subprocess
import sys
import threading
from pathlib import Path
from typing import IO

import pytest

from tabletop.record import read, replay
from tabletop.registry import load

LONG_GAME = '''
from dataclasses import dataclass
from tabletop import Game, Outcome


@dataclass(slots=True)
class Walk:
    steps: int = 0
    place: int = 0

    def clone(self):
        return Walk(self.steps, self.place)


class LongWalk(Game):
    name = "longwalk"
    seats = range(2, 3)

    def setup(self, options, seats, rng):
        return Walk()

    def to_act(self, state):
        return () if state.steps >= 20_000 else (state.steps % 2,)

    def legal_actions(self, state, seat):
        return ("left", "right", "wait")

    def apply(self, state, action, table):
        state.steps += 1
        wind = table.rng["wind"].between(-3, 3)
        state.place += wind + {"left": -1, "right": 1, "wait": 0}[action]

    def outcome(self, state):
        return Outcome.draw(2) if state.steps >= 20_000 else None
'''

KILLS_A_TEST = 13
PLAYERS = {"bots": ["--bot", "all"], "people": []}


@pytest.mark.parametrize("players", PLAYERS)
@pytest.mark.parametrize("series", [1, 2])
def test_no_acknowledged_move_is_lost_when_the_program_is_killed(
    players: str, series: int, tmp_path: Path
) -> None:
    game = tmp_path / "longwalk.py"
    game.write_text(LONG_GAME)
    moments = random.Random(f"{players} {series}")
    for number in range(KILLS_A_TEST):
        path = tmp_path / f"{number}.jsonl"
        shown = play_and_kill(game, path, PLAYERS[players], moments.uniform(0, 0.2))
        match = replay(read(path), load(str(game)).game)
        assert shown > 0
        assert shown <= match.ply, "a move was shown that is not on disk"
        assert match.ply <= shown + 1, "a move is on disk long before it was shown"


def play_and_kill(game: Path, record: Path, players: list[str], delay: float) -> int:
    """Play, and kill the program `delay` seconds after its first move.

    Returns:
        How many moves it has shown.
    """
    command = [sys.executable, "-m", "tabletop", "play", str(game), "--record", str(record)]
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
