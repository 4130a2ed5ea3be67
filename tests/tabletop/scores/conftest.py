"""A score book in its own directory."""

from __future__ import annotations

from pathlib import Path

import pytest

from tabletop.scores import ScoreBook


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "data" / "scores.sqlite3"


@pytest.fixture
def warnings() -> list[str]:
    """Return the warnings of `book`."""
    return []


@pytest.fixture
def book(path: Path, warnings: list[str]) -> ScoreBook:
    return ScoreBook(path, warnings.append)
