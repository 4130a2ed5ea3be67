"""Fixtures for the tests of the testing kit."""

from __future__ import annotations

import pytest


@pytest.fixture
def another_python() -> None:
    """Let `check_game` start another Python, which takes longer than most checks."""


@pytest.fixture(autouse=True)
def _no_other_python(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep `check_game` from starting another Python in tests without the fixture above."""
    if "another_python" not in request.fixturenames:
        monkeypatch.setattr("tabletop.testing.check.check_hash_seed", lambda *_: None)
