"""A record that begins from a given position, at the terminal."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tabletop import Match, Streams
from tabletop.cli import main
from tabletop.records.format import Header
from tabletop.records.journal import Journal
from tabletop.registry import load
from tests.tabletop.cli.program import TICTACTOE, here

TITLE = "Tic-tac-toe, seed: two in a row, from a given position\n"


@pytest.fixture
def puzzle(tmp_path: Path) -> Path:
    """The record of a puzzle that nobody has tried yet."""
    path = tmp_path / "puzzle.jsonl"
    game: Any = load(TICTACTOE).game
    state = replace(game.setup({}, 2, Streams(1)), cells=list("xx.oo...."), free=5)
    match = Match(game, seed="two in a row", state=state)
    Journal.create(path, match, Header.of(match, source=TICTACTOE)).close()
    return path


def test_a_replay_says_that_it_begins_from_a_given_position(
    puzzle: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["replay", str(puzzle), "--game", TICTACTOE]) == 0
    assert capsys.readouterr().out == f"{TITLE}x x .\no o .\n. . .\n(0 actions)\n"


def test_a_puzzle_is_played_on_and_verified_and_its_sheet_says_what_it_was(
    puzzle: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    said = here("resume", puzzle, "--game", TICTACTOE, typed="9\nundo\nundo\n3\n").stdout
    assert said.startswith(TITLE)
    assert "seed     two in a row (imported, from a given position)\n" in said
    assert main(["replay", str(puzzle), "--game", TICTACTOE, "--verify"]) == 0
    shown = capsys.readouterr().out
    assert shown == f"{puzzle}: 1 action from a given position replays exactly\n"


def test_a_forged_position_is_refused_with_its_line(
    puzzle: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    forged = puzzle.with_name("forged.jsonl")
    text = puzzle.read_text()
    forged.write_text(text[: text.index(',"check"')].replace('"x","x",', "") + "}\n")
    assert main(["replay", str(forged), "--game", TICTACTOE]) == 1
    wrong = "line 1: the state that the match begins from is damaged: tictactoe: "
    assert wrong in capsys.readouterr().err
