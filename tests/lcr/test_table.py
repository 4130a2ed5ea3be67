"""LCR in the program `tabletop`."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.lcr.programs import NAMES, course_turns
from tests.tabletop.cli.program import here

from lcr import GAME
from tabletop.records import read, replay

COURSE = ["--option", "course-seed=42", "--seats", "4"]


def tabletop(*arguments: object, stdin: str = "") -> str:
    """Run `tabletop` successfully and return its output."""
    done = here(*arguments, typed=stdin)
    assert (done.stderr, done.returncode) == ("", 0)
    return done.stdout


def play(record: Path, *arguments: str, stdin: str = "") -> str:
    """Play a recorded game and return the output."""
    return tabletop("play", "lcr", *arguments, "--record", record, stdin=stdin)


def chips_of(record: Path) -> list[int]:
    """Return the chips at the end of a recorded game."""
    chips: list[int] = replay(read(record), GAME).state.chips
    return chips


def verify(record: Path) -> str:
    return tabletop("replay", "--verify", record)


@pytest.fixture
def record(tmp_path: Path) -> Path:
    return tmp_path / "game.jsonl"


def test_a_game_of_the_course_is_played_recorded_and_verified(record: Path) -> None:
    names = [word for name in NAMES[:4] for word in ("--name", name)]
    shown = play(record, *COURSE, *names, "--bot", "all")
    turns = course_turns(4, 42)
    assert shown.count("rolls.") == len(turns)
    winner = NAMES[turns[-1].chips.index(max(turns[-1].chips))]
    assert f"{winner} wins" in shown
    assert f"{len(turns)} actions replay exactly" in verify(record)
    assert chips_of(record) == list(turns[-1].chips)


def test_an_interrupted_game_is_resumed_to_the_same_end(record: Path) -> None:
    assert "Left after 3 actions" in play(record, *COURSE, stdin="roll\nroll\n1\nquit\n")
    assert "3 actions replay exactly, but the match has not ended" in verify(record)
    turns = course_turns(4, 42)
    tabletop("resume", record, stdin="roll\n" * (len(turns) - 3))
    assert f"{len(turns)} actions replay exactly" in verify(record)
    assert chips_of(record) == list(turns[-1].chips)


def test_undone_roll_repeats_with_the_same_dice(record: Path) -> None:
    turns = course_turns(4, 42)
    rolls = "roll\nroll\nundo\nroll\nundo 2\nroll\n" + "roll\n" * (len(turns) - 1)
    shown = play(record, *COURSE, stdin=rolls)
    assert "2 actions undone" in shown
    assert f"{len(turns)} actions replay exactly" in verify(record)
    assert chips_of(record) == list(turns[-1].chips)
