"""A score book in a directory of its own."""

from __future__ import annotations

from pathlib import Path

import pytest

from tabletop.scores import ScoreBook


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "data" / "scores.sqlite3"


@pytest.fixture
def told() -> list[str]:
    """What the book of `book` has to say."""
    return []


@pytest.fixture
def book(path: Path, told: list[str]) -> ScoreBook:
    return ScoreBook(path, told.append)
