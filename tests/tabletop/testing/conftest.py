"""What holds for the tests of the kit."""

from __future__ import annotations

import pytest


@pytest.fixture(autouse=True)
def _no_other_python(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only in a test with the mark `slow` does `check_game` start another Python."""
    if request.node.get_closest_marker("slow") is None:
        monkeypatch.setattr("tabletop.testing.check.check_hash_seed", lambda *_: None)
