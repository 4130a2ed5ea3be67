"""Fixtures for the tests of the testing kit."""

from __future__ import annotations

import pytest


@pytest.fixture(autouse=True)
def _no_other_python(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep `check_game` from starting another Python in tests without the mark `slow`."""
    if request.node.get_closest_marker("slow") is None:
        monkeypatch.setattr("tabletop.testing.check.check_hash_seed", lambda *_: None)
