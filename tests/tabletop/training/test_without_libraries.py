"""Without the training libraries, an error names the extra, and learnt bots still play."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tabletop.cli import main
from tabletop.errors import MissingExtra
from tabletop.studies import LocalWorkers
from tabletop.training import train

HOW = r"training needs torch.*: pip install 'tabletop-rules\[train\]'"


@pytest.fixture(autouse=True)
def no_torch(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)


def test_a_call_without_the_libraries_names_the_extra(tmp_path: Path) -> None:
    with pytest.raises(MissingExtra, match=HOW):
        train("sorcery", tmp_path / "learnt", LocalWorkers())
    assert not list(tmp_path.iterdir())


def test_the_command_without_the_libraries_names_the_extra(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["train", "sorcery", "-o", str(tmp_path / "learnt")]) == 1
    output = capsys.readouterr()
    assert output.out == ""
    assert "pip install 'tabletop-rules[train]'" in output.err
    assert len(output.err.splitlines()) == 1
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("", "-o/--output"),
        ("-o {} --rounds -1", "give 0 or more"),
        ("-o {} --layers 12,x", "'12,x' must be whole numbers, such as 128,128"),
        ("-o {} --choices 1", "give 2 or more"),
        ("-o {} --trials 3", "--trials"),
    ],
)
def test_invalid_arguments_are_an_error(
    words: str, message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["train", "sorcery", *words.format(tmp_path / "learnt").split()]) == 2
    assert message in capsys.readouterr().err
