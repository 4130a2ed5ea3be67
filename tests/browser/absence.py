"""Tests that need a browser are left out where there is none, and the last words of the run say so.

This is a plugin of pytest: `tests/conftest.py` registers it in every process. Each process that
collects leaves the tests out; under pytest-xdist, the workers tell their number to the process that
speaks.
"""

from __future__ import annotations

from typing import Any, Final

import pytest

from tests.browser.chromium import find_chromium, is_demanded, missing

FOLDER: Final = "tests/browser/"
HERE: Final = "browser_tests_not_run"

_left_out: Final[list[int]] = []
"""How many tests each process has left out."""


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave the tests out that need what is not there."""
    if find_chromium() is not None or is_demanded():
        return
    needing = [item for item in items if needs_browser(item)]
    if needing:
        items[:] = [item for item in items if not needs_browser(item)]
        config.hook.pytest_deselected(items=needing)
    _left_out.append(len(needing))


def needs_browser(item: pytest.Item) -> bool:
    """Whether a test asks for the browser, by itself or by what it uses."""
    return item.nodeid.startswith(FOLDER) and "browser" in getattr(item, "fixturenames", ())


def pytest_sessionfinish(session: pytest.Session) -> None:
    """A worker tells how many tests it has left out."""
    told: dict[str, Any] | None = getattr(session.config, "workeroutput", None)
    if told is not None:
        told[HERE] = max(_left_out, default=0)


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    """A worker has told."""
    _left_out.append(getattr(node, "workeroutput", {}).get(HERE, 0))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say loudly what was not tested."""
    number = max(_left_out, default=0)
    if number:
        words = f"NOT RUN: {number} browser tests: {missing()}"
        terminalreporter.write_sep("!", words, red=True, bold=True)
