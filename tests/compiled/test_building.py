"""`python -m compiled`: what it says where it cannot build, and what it takes."""

from __future__ import annotations

import pytest
from compiled.__main__ import main
from compiled.place import missing_tool


@pytest.fixture
def no_compiler(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CC", "no-such-compiler -O2")


@pytest.mark.usefixtures("no_compiler")
def test_without_a_c_compiler_nothing_is_built_and_that_is_said(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main([]) == 1
    said = capsys.readouterr().err
    assert said == "compiled: there is no C compiler here: no-such-compiler is not installed\n"


@pytest.mark.usefixtures("no_compiler")
def test_what_is_missing_is_said_for_scripts(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["missing"]) == 0
    assert capsys.readouterr().out == missing_tool() != ""


def test_a_word_that_means_nothing_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["wheel", "faster"]) == 2
    assert "faster" in capsys.readouterr().err
