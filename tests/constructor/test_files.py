"""Saves are written as a whole, wherever they go."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.constructor.programs import RICH, at_work, run_here


def test_a_save_may_have_blanks_in_its_name(tmp_path: Path) -> None:
    assert at_work(tmp_path, "save  my  game.sv ") == [""]
    assert (tmp_path / "my  game.sv").read_text("utf-8") == RICH


def test_a_save_may_have_a_long_number_for_a_name(tmp_path: Path) -> None:
    name = "20201211" * 3
    assert at_work(tmp_path, f"save {name}") == [""]
    assert (tmp_path / name).read_text("utf-8") == RICH


def test_a_save_replaces_what_was_there_and_leaves_nothing_else(tmp_path: Path) -> None:
    (tmp_path / "old.sv").write_text("something old")
    at_work(tmp_path, "save old.sv", "save old.sv")
    assert (tmp_path / "old.sv").read_text("utf-8") == RICH
    assert {path.name for path in tmp_path.iterdir()} == {"old.sv", "g.sv", "backup.sv"}


def test_a_save_that_cannot_be_written_is_told_and_the_game_goes_on(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "file").touch()
    places = {
        "no/such.sv": "No such file or directory",
        "folder": "Is a directory",
        "file/x.sv": "Not a directory",
        "x" * 300: "File name too long",
        "a\0b": "a file's name cannot have a null character in it",
    }
    shown = at_work(tmp_path, *(f"save {place}" for place in places), "build-road 0")
    cannot = [f"The game cannot be saved in {place!r}: {why}.\n" for place, why in places.items()]
    assert shown == [*cannot, ""]


def test_a_save_goes_to_the_home_of_the_user_where_they_say_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = tmp_path / "home"
    home.mkdir()
    monkeypatch.setenv("HOME", str(home))
    assert at_work(tmp_path, "save ~/my.sv") == [""]
    assert (home / "my.sv").read_text("utf-8") == RICH
    assert run_here(["-load", "~/my.sv", "-log", "~/my.log"]).status == 0
    assert (home / "my.log").exists()
