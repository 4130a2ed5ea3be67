"""The option `--seconds`, the total time of all selected targets."""

from __future__ import annotations

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option."""
    parser.addoption("--seconds", type=float, default=60.0, help="total time for fuzzing")
