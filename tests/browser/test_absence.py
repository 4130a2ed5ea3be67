"""Where there is no Chromium, that is said loudly; in continuous integration it is a failure."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest import mock

import pytest

from tests.browser import absence
from tests.browser.chromium import find_chromium, is_demanded, missing
from tests.browser.conftest import browser_path


def test_the_browser_that_is_named_is_taken(tmp_path: Path) -> None:
    own = tmp_path / "my-chromium"
    own.write_text("#!/bin/sh\n", "utf-8")
    own.chmod(0o755)
    assert find_chromium({"TABLETOP_CHROMIUM": str(own), "PATH": ""}) == str(own)
    assert find_chromium({"TABLETOP_CHROMIUM": str(tmp_path / "none"), "PATH": ""}) is None
    assert "none is no program" in missing({"TABLETOP_CHROMIUM": str(tmp_path / "none")})


def test_a_browser_that_is_installed_is_found(tmp_path: Path) -> None:
    assert find_chromium({"PATH": str(tmp_path)}) is None
    installed = tmp_path / "chromium"
    installed.write_text("#!/bin/sh\n", "utf-8")
    installed.chmod(0o755)
    assert find_chromium({"PATH": str(tmp_path)}) == str(installed)


@pytest.mark.parametrize(("value", "demanded"), [("true", True), ("1", True), ("", False)])
def test_continuous_integration_demands_a_browser(value: str, demanded: bool) -> None:
    assert is_demanded({"CI": value}) is demanded
    assert not is_demanded({})


def items() -> list[Any]:
    """Three tests, of which one needs the browser."""
    return [
        SimpleNamespace(nodeid="tests/browser/test_lobby.py::test", fixturenames=["browser"]),
        SimpleNamespace(nodeid="tests/browser/test_absence.py::test", fixturenames=["tmp_path"]),
        SimpleNamespace(nodeid="tests/test_docs.py::test", fixturenames=["browser"]),
    ]


@pytest.fixture(autouse=True)
def _no_browser(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TABLETOP_CHROMIUM", "no-such-program")
    monkeypatch.setattr(absence, "_left_out", [])


def test_without_a_browser_the_last_words_say_what_was_not_tested(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("CI", "")
    config, reporter, left = mock.Mock(workeroutput={}), mock.Mock(), items()
    absence.pytest_collection_modifyitems(config, left)
    assert left == items()[1:]
    config.hook.pytest_deselected.assert_called_once_with(items=items()[:1])
    absence.pytest_sessionfinish(mock.Mock(config=config))  # of a worker
    monkeypatch.setattr(absence, "_left_out", [])  # of the process that speaks
    absence.pytest_testnodedown(mock.Mock(workeroutput=config.workeroutput))
    absence.pytest_terminal_summary(reporter)
    said = reporter.write_sep.call_args[0][1]
    assert "NOT RUN: 1 browser tests: TABLETOP_CHROMIUM=no-such-program is no program" in said
    assert "apt-get install chromium, or set TABLETOP_CHROMIUM=PATH" in said


def test_in_continuous_integration_a_missing_browser_fails(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("CI", "true")
    left = items()
    absence.pytest_collection_modifyitems(mock.Mock(), left)
    assert left == items()
    with pytest.raises(pytest.fail.Exception, match="apt-get install chromium"):
        browser_path()
