"""Where there is no Chromium, that is said loudly; in continuous integration it is a failure."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.browser.chromium import find_chromium, is_demanded, missing

ROOT = Path(__file__).parent.parent.parent


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


def run_without(*more: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """The tests of the lobby, where no browser is."""
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *more]
    return subprocess.run(
        [*command, "tests/browser/test_lobby.py", "tests/browser/test_absence.py"],
        cwd=ROOT,
        env={**os.environ, "CI": "", "TABLETOP_CHROMIUM": "no-such-program", **environment},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.slow
def test_without_a_browser_the_last_words_say_what_was_not_tested() -> None:
    ran = run_without("-n", "2", "-k", "test_lobby or named")
    assert ran.returncode == 0, ran.stdout
    said = "NOT RUN: 5 browser tests: TABLETOP_CHROMIUM=no-such-program is no program"
    assert said in ran.stdout
    assert "apt-get install chromium, or set TABLETOP_CHROMIUM=PATH" in ran.stdout
    assert "1 passed" in ran.stdout


@pytest.mark.slow
def test_in_continuous_integration_a_missing_browser_fails() -> None:
    ran = run_without("-n", "0", "-k", "nothing_says_so", CI="true")
    assert ran.returncode == 1, ran.stdout
    assert "apt-get install chromium" in ran.stdout
