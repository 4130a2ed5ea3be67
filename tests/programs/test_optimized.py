"""The programs with `python -OO`, which drops docstrings and assertions."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tabletop.cli import COMMANDS

PIG = Path(__file__).parents[2] / "examples" / "pig.py"

PROGRAM = r"""
import sys, tabletop_start
from tabletop.cli import COMMANDS
for line in [*(f"tabletop {command} --help" for command in COMMANDS), *sys.argv[1:]]:
    program, *sys.argv[1:] = line.split()
    print("\n==", line, getattr(tabletop_start, program)())
"""
"""Runs each command with `--help`, and the lines in its arguments."""
LINES = [
    "tabletop check lcr --seats 3 --matches 1",
    "tabletop schema lcr",
    "lcr --players 3 --seed 7",
    "sorcery -seed oak -bot all=random -no-record",
    "constructor -random-board -seed oak -bot all -no-record",
    # Its rulebook is a docstring.
    "tabletop play pig.py --seed 1 --bot all --no-record --no-score",
]


@pytest.mark.slow
def test_commands_and_programs_exit_successfully(tmp_path: Path) -> None:
    shutil.copy(PIG, tmp_path)
    done = subprocess.run(
        [sys.executable, "-OO", "-c", PROGRAM, *LINES],
        check=False,
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONOPTIMIZE": "2"},
        stdin=subprocess.DEVNULL,
        cwd=tmp_path,
        timeout=120,
    )
    assert (done.returncode, done.stderr) == (0, "")
    ended = re.findall(r"^== (.*) 0$", done.stdout, re.MULTILINE)
    assert ended == [*(f"tabletop {command} --help" for command in COMMANDS), *LINES]
