"""A killed program loses no action that it has shown."""

from __future__ import annotations

import os
import random
import signal
import sys
from multiprocessing import get_context
from pathlib import Path
from time import monotonic, sleep
from typing import Final

import pytest

from tabletop.cli import main
from tabletop.records import read, replay
from tabletop.registry import load

LONG_WALK = Path(__file__).parents[1] / "games" / "walk.py"
KILLS = 10
PLAYERS = {"bots": ["--bot", "all=random"], "people": []}

PROGRAMS: Final = get_context("forkserver")  # twenty programs, after one import of everything
PROGRAMS.set_forkserver_preload([__name__, "tabletop.cli.play"])


@pytest.mark.slow
@pytest.mark.parametrize("players", PLAYERS)
def test_a_killed_program_loses_no_shown_action(players: str, tmp_path: Path) -> None:
    moments = random.Random(players)
    (tmp_path / "typed").write_text("1\n2\n3\n" * 7000)
    for number in range(KILLS):
        record = tmp_path / f"{number}.jsonl"
        words = ["play", str(LONG_WALK), "--record", str(record), *PLAYERS[players]]
        shown = play_and_kill(words, tmp_path, moments.uniform(0, 0.15))
        match = replay(read(record), load(str(LONG_WALK)).game)
        assert shown > 0
        assert shown <= match.ply, "an action was shown that is not on disk"
        assert match.ply <= shown + 1, "an action is on disk long before it was shown"


def play_and_kill(words: list[str], folder: Path, delay: float) -> int:
    """Run the program and kill it `delay` seconds after its first action.

    Returns:
        The number of actions that it has shown.
    """
    shown = folder / "shown"
    shown.write_text("")
    program = PROGRAMS.Process(target=run, args=(words, folder / "typed", shown))
    program.start()
    deadline = monotonic() + 30
    while not count_actions(shown) and monotonic() < deadline:
        sleep(0.002)
    sleep(delay)
    program.kill()
    program.join()
    assert program.exitcode == -signal.SIGKILL
    return count_actions(shown)


def run(words: list[str], typed: Path, shown: Path) -> None:
    """Run the program with files in place of the keyboard and the screen."""
    os.dup2(os.open(typed, os.O_RDONLY), 0)
    os.dup2(os.open(shown, os.O_WRONLY), 1)
    sys.stdin = os.fdopen(0)
    sys.exit(main(words))


def count_actions(shown: Path) -> int:
    """Return the number of actions in complete lines."""
    lines = shown.read_text("utf-8").splitlines(keepends=True)
    return sum(it.startswith("Player") and ": " in it and it.endswith("\n") for it in lines)
