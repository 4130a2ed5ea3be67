"""Separate directories for records and scores in every test."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.tabletop.cli.program import TICTACTOE, WIN, here, own


@pytest.fixture(autouse=True)
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the folder of the program's records."""
    directory = tmp_path / "state"
    monkeypatch.setenv("XDG_STATE_HOME", str(directory))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.delenv("TABLETOP_NOW", raising=False)
    monkeypatch.setenv("TERM", "dumb")  # a terminal without sequences of its own
    monkeypatch.delenv("TABLETOP_DEBUG", raising=False)
    return directory


@pytest.fixture
def book(tmp_path: Path) -> Path:
    """Return the path of the user's score database."""
    return tmp_path / "data" / "tabletop" / "scores.sqlite3"


@pytest.fixture
def _in_week_47(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TABLETOP_NOW", "2026-11-21T12:00:00")


@pytest.fixture
def won(state: Path) -> Path:
    """Return the record of a won match of tic-tac-toe that contains an undo."""
    path = own(state, "won.jsonl")
    lines = WIN.replace("3\n", "6\nundo\n3\n")
    here("play", TICTACTOE, "--seed", "oak", "--record", path, typed=lines)
    return path
