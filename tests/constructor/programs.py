"""Functions that run the program `constructor`, and saved games for it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

import pytest
from tests import program_runs
from tests.program_runs import PYTHON, Printed

from constructor.program.cli import main

DATA = Path(__file__).with_name("data")
CONSTRUCTOR = [*PYTHON, "-m", "constructor"]
LAYOUT = (DATA / "layout.txt").read_text("utf-8").strip()
PICTURE = (DATA / "board_figure3.txt").read_text("utf-8")
LAST_LINE = PICTURE.splitlines()[-1]
SETUP = "0\n5\n17\n24\n51\n38\n36\n20\n"
"""Answers in the setup: Blue 0 and 20, Red 5 and 36, Orange 17 and 38, Yellow 24 and 51."""
INVALID = "Invalid command.\n"
CANNOT = "You cannot build here.\n"
OFFER = "Blue offers Red one WIFI for one BRICK.\n"
TRADE_QUESTION = "Does Red accept this offer?\n"
ROLL_QUESTION = "Input a roll between 2 and 12:\n"
NOBODY_GAINS = "No builders gained resources.\n"


def run(folder: Path, *arguments: str, typed: str | bytes = "") -> Printed:
    """Run the program in `folder`, in this process."""
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        return run_here(arguments, typed)


def process(folder: Path, *arguments: str, typed: str | bytes = "") -> Printed:
    """Run the program in `folder`, in a separate process."""
    return program_runs.process("constructor", *arguments, typed=typed, cwd=folder)


def run_here(arguments: Sequence[str], typed: str | bytes = "") -> Printed:
    """Run the program in this process, which is much faster than a separate process."""
    return program_runs.run_here(main, arguments, typed)


def save(
    *,
    turn: int = 0,
    blue: str = "0 0 0 0 0 r h 0 B 20 B",
    red: str = "0 0 0 0 0 r h 5 B 36 B",
    orange: str = "0 0 0 0 0 r h 17 B 38 B",
    yellow: str = "0 0 0 0 0 r h 24 B 51 B",
    layout: str = LAYOUT,
    rest: str = "4\n",
) -> str:
    """Return a saved game. By default, nothing has happened since the setup."""
    return "\n".join([str(turn), blue, red, orange, yellow, layout, rest])


RICH = save(blue="5 5 5 5 5 r h 0 B 20 B", red="1 0 0 0 0 r h 5 B 36 B")
"""A save in which Blue starts a turn with many resources, and Red has one BRICK."""

BLUE_NEARLY = save(blue="0 0 2 3 0 r h 0 T 20 T 51 H 44 B", yellow="0 0 0 0 0 r h 24 B")
"""A save in which Blue wins by improving vertex 44."""


def play(folder: Path, saved: str, typed: str, *arguments: str) -> list[str]:
    """Resume a saved game and return the output before, between and after the prompts.

    Input ends after `typed`, so the last piece is always empty.
    """
    (folder / "g.sv").write_text(saved, "utf-8")
    printed = run(folder, "-load", "g.sv", *arguments, typed=typed)
    assert (printed.stderr, printed.status) == ("", 0)
    return pieces(printed.stdout)


def pieces(shown: str) -> list[str]:
    """Split the output at the prompts, which start a line or follow another prompt."""
    return re.split(r"(?:^|(?<=\n)|(?<=> ))> ", shown)


def backup(folder: Path) -> list[str]:
    """Return the lines of `backup.sv`, in which the game is saved when input ends."""
    return (folder / "backup.sv").read_text("utf-8").splitlines()


def lines(*typed: str) -> str:
    """Return the input of these lines."""
    return "".join(f"{line}\n" for line in typed)


def at_work(folder: Path, *typed: str, saved: str = RICH) -> list[str]:
    """Return the output for lines that are typed after a roll that produces nothing."""
    return play(folder, saved, lines("roll", "12", *typed))[3:-1]
