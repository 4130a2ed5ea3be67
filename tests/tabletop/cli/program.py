"""Helpers that run the real program."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pexpect
import pytest

from tabletop.cli import main
from tests import terminals
from tests.program_runs import as_bytes, run_here
from tests.terminals import WIDE

ROOT = Path(__file__).parents[3]
TICTACTOE = str(ROOT / "examples" / "tictactoe.py")
DUEL = str(Path(__file__).with_name("duel.py"))
CLAIMS = str(Path(__file__).with_name("claims.py"))
"""A game with a board of 8 rows, and 64 actions at first."""
WIN = "1\n4\n2\n5\n3\n"
"""Input with which the first player of tic-tac-toe wins."""

SLOW = """
import time
from dataclasses import dataclass
from tabletop import Game

@dataclass
class Steps:
    steps: int = 0
    def clone(self):
        return Steps(self.steps)

class Slow(Game):
    name = "slow"
    def setup(self, options, seats, rng): return Steps()
    def to_act(self, state): return (0,)
    def legal_actions(self, state, seat): return ("go",)
    def apply(self, state, action, table):
        state.steps += 1
        if state.steps == 3:
            print("it takes its time", flush=True)
        if state.steps >= 3:
            for _ in range(600):
                time.sleep(0.1)
    def outcome(self, state): return None
"""
"""A game whose third action takes a minute, after a message.

It sleeps in parts: a signal that comes just before Python begins to sleep waits for the end of one.
"""

FAST = SLOW.replace("time.sleep(0.1)", "pass")
"""The same game without the delay."""

SLEEPER = """
import time
print('it loads', flush=True)
for _ in range(600):
    time.sleep(0.1)
"""
"""A module that prints a message and then takes a minute to import."""


PROGRESS = re.compile(r"^.+: ([\d,]+ matches of .+|[\d,]+ of [\d,]+, \d+%.*)\n", re.MULTILINE)
"""A line about the progress of many matches."""


@dataclass(frozen=True, slots=True)
class Done:
    """The exit code and the output of a program."""

    returncode: int
    stdout: str
    stderr: str


def process(
    *arguments: str,
    typed: str | bytes = "",
    cwd: Path | None = None,
    options: Sequence[str] = ("-P",),
) -> Done:
    """Run the program in a separate process. Fail if it shows a traceback."""
    command = [sys.executable, *options, "-m", "tabletop", *arguments]
    done = subprocess.run(
        command, check=False, input=as_bytes(typed), capture_output=True, cwd=cwd, timeout=60
    )
    stdout, stderr = (text.decode("utf-8", "replace") for text in (done.stdout, done.stderr))
    assert "Traceback" not in stdout + stderr
    return Done(done.returncode, stdout, stderr)


def at_terminal(
    *arguments: object, size: tuple[int, int] = WIDE
) -> AbstractContextManager[pexpect.spawn[str]]:
    """Run the program at a terminal, by default wider than all lines."""
    return terminals.at_terminal(main, *arguments, size=size)


def here(*arguments: object, typed: str | bytes = "", cwd: Path | None = None) -> Done:
    """Run the program in this process, which is faster. Fail if it raises."""
    with pytest.MonkeyPatch.context() as patch:
        if cwd is not None:
            patch.chdir(cwd)
        printed = run_here(main, [str(argument) for argument in arguments], typed)
    return Done(printed.status, printed.stdout, printed.stderr)


def shown(*arguments: object, typed: str | bytes = "") -> str:
    """Run the program, check that it succeeds without a message, and return its output.

    On a slow machine, commands for many matches also print their progress.
    """
    done = here(*arguments, typed=typed)
    assert (done.returncode, PROGRESS.sub("", done.stderr)) == (0, "")
    return done.stdout


def refused(*arguments: object, status: int = 2) -> str:
    """Run the program, check that it fails without effect, and return the error message."""
    done = here(*arguments)
    assert (done.returncode, done.stdout) == (status, "")
    return done.stderr


def changed(path: Path, *changes: tuple[str, str], game: str | Path = TICTACTOE) -> Path:
    """Write a copy of a game to `path`, with some texts replaced."""
    text = Path(game).read_text("utf-8")
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    path.write_text(text, "utf-8")
    return path


def kept(*arguments: object) -> list[dict[str, Any]]:
    """Return the scores that the program prints, the newest first."""
    sheets: list[dict[str, Any]] = json.loads(shown("scores", "--json", *arguments))
    return sheets


def rows(*arguments: object) -> list[list[str]]:
    """Return the rows of the table of scores, with the header first."""
    return [re.split(r" {2,}", line) for line in shown("scores", *arguments).splitlines()]


def own(state: Path, name: str) -> Path:
    """Return a path in the user's record folder. Such records need no --game later."""
    directory = state / "tabletop" / "records"
    directory.mkdir(parents=True, exist_ok=True)
    return directory / name


def records(state: Path) -> list[Path]:
    """Return the records in the user's state directory."""
    return sorted((state / "tabletop" / "records").glob("*"))
