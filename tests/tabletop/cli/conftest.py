"""Every test of the program has directories of its own for records and scores."""

from __future__ import annotations

from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the program keeps its records."""
    directory = tmp_path / "state"
    monkeypatch.setenv("XDG_STATE_HOME", str(directory))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.delenv("TABLETOP_NOW", raising=False)
    monkeypatch.setenv("TERM", "dumb")  # a terminal without sequences of its own
    monkeypatch.delenv("TABLETOP_DEBUG", raising=False)
    return directory
