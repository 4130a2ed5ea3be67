"""Every test of the program has a state directory of its own."""

from __future__ import annotations

from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the program keeps its records."""
    directory = tmp_path / "state"
    monkeypatch.setenv("XDG_STATE_HOME", str(directory))
    monkeypatch.setenv("TERM", "dumb")  # a terminal without sequences of its own
    monkeypatch.delenv("TABLETOP_DEBUG", raising=False)
    return directory
