"""The programs with `python -OO`, which drops docstrings and assertions."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tabletop.cli import COMMANDS

PIG = str(Path(__file__).parents[2] / "examples" / "pig.py")

EVERY_HELP = """
import sys
from tabletop.cli import COMMANDS, main
sys.exit(any([main([command, "--help"]) for command in COMMANDS]))
"""


def optimized(*words: str) -> str:
    """Run `python -OO` successfully and return its output."""
    environment = {**os.environ, "PYTHONOPTIMIZE": "2"}
    done = subprocess.run(
        [sys.executable, *words],
        check=False,
        capture_output=True,
        text=True,
        env=environment,
        stdin=subprocess.DEVNULL,
        timeout=120,
    )
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


@pytest.mark.slow
def test_every_command_starts() -> None:
    shown = optimized("-c", EVERY_HELP)
    assert shown.count("usage: tabletop") == len(COMMANDS)


@pytest.mark.slow
@pytest.mark.parametrize(
    "line",
    [
        ("tabletop", "check", "lcr", "--matches", "1"),
        ("tabletop", "schema", "lcr"),
        ("lcr", "--players", "3", "--seed", "7"),
        ("sorcery", "-seed", "oak", "-bot", "all=random", "-no-record"),
        ("constructor", "-random-board", "-seed", "oak", "-bot", "all", "-no-record"),
        ("tabletop", "play", PIG, "--seed", "1", "--bot", "all", "--no-record", "--no-score"),
    ],
    ids=["check", "schema", "lcr", "sorcery", "constructor", "rulebook-from-docstring"],
)
def test_program_exits_successfully(line: tuple[str, ...]) -> None:
    assert optimized("-m", *line)
