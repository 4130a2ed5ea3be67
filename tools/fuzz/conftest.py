"""The option `--seconds`: how long all chosen targets are fuzzed together."""

from __future__ import annotations

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option."""
    parser.addoption("--seconds", type=float, default=60.0, help="to fuzz, in total")
