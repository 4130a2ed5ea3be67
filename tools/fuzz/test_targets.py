"""The fuzz tests: `pytest tools/fuzz --seconds 60`."""

from __future__ import annotations

import os
import resource
from collections.abc import Iterator
from typing import Final

import pytest

from tools.fuzz.engine import fuzz
from tools.fuzz.target import HERE, names

MOST_MEMORY: Final = 1 << 30
"""Maximum memory of a process in bytes."""


@pytest.fixture(autouse=True, scope="module")
def _little_memory() -> Iterator[None]:
    """Limit the memory, so that a target that needs more raises MemoryError."""
    before = resource.getrlimit(resource.RLIMIT_DATA)
    resource.setrlimit(resource.RLIMIT_DATA, (MOST_MEMORY, before[1]))
    yield
    resource.setrlimit(resource.RLIMIT_DATA, before)


@pytest.mark.parametrize("name", names())
def test_no_promise_is_broken(name: str, request: pytest.FixtureRequest) -> None:
    """Fuzz a target for its share of the time."""
    workers = int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1"))
    share = request.config.getoption("seconds") * workers / len(request.session.items)
    fuzz(name, share, HERE / "findings")
