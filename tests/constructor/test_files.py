"""Files are written as a whole, wherever they go."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from constructor.files import write_text
from tests.constructor.programs import RICH, at_work


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


def test_what_was_there_is_left_alone_when_the_new_text_cannot_be_written(tmp_path: Path) -> None:
    place = tmp_path / "game.sv"
    place.write_text("old")
    with pytest.raises(UnicodeEncodeError):
        write_text(str(place), "new \udc80")
    assert place.read_text() == "old"
    assert list(tmp_path.iterdir()) == [place]


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    place, link = tmp_path / "game.sv", tmp_path / "link.sv"
    place.write_text("old")
    link.symlink_to(place)
    write_text(str(link), "new")
    assert link.is_symlink()
    assert place.read_text() == "new"


def test_what_is_no_file_is_written_to_and_not_replaced() -> None:
    write_text(os.devnull, "gone")
    assert not Path(os.devnull).is_file()


def test_a_file_may_be_read_by_whom_the_user_lets_read(tmp_path: Path) -> None:
    before = os.umask(0o027)
    try:
        write_text(str(tmp_path / "game.sv"), "text")
    finally:
        os.umask(before)
    assert (tmp_path / "game.sv").stat().st_mode & 0o777 == 0o640
