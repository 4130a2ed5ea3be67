"""Where there is no browser, that is said; in continuous integration it is a failure."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.browser.chromium import find_chromium, is_demanded, missing
from tests.browser.conftest import browser_path
from tests.browser.firefox import find_firefox, firefox_path


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


@pytest.mark.parametrize(
    ("ci", "outcome"), [("", pytest.skip.Exception), ("1", pytest.fail.Exception)]
)
def test_without_a_browser_its_tests_are_skipped_or_fail_and_say_what_to_install(
    ci: str, outcome: type[BaseException], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TABLETOP_CHROMIUM", "no-such-program")
    monkeypatch.setenv("CI", ci)
    with pytest.raises(outcome, match="no-such-program is no program; apt-get install chromium"):
        browser_path()


@pytest.mark.parametrize(
    ("ci", "outcome"), [("", pytest.skip.Exception), ("1", pytest.fail.Exception)]
)
def test_without_a_firefox_it_is_the_same(
    ci: str, outcome: type[BaseException], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    assert find_firefox({"PATH": str(tmp_path)}) is None
    monkeypatch.setenv("TABLETOP_FIREFOX", "no-such-program")
    monkeypatch.setenv("CI", ci)
    with pytest.raises(outcome, match="no-such-program is no program; apt-get install firefox-esr"):
        firefox_path()
