"""`tabletop picture`, `tabletop film` and `replay --film`: recorded matches drawn."""

from __future__ import annotations

import sys
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from tests.tabletop.cli.program import TICTACTOE, WIN, here, own


@pytest.fixture
def won(state: Path) -> Path:
    """The record of a won match of tic-tac-toe."""
    path = own(state, "won.jsonl")
    here("play", TICTACTOE, "--seed", "oak", "--record", path, "--name", "Ada <i>", typed=WIN)
    return path


def marks(picture: str) -> int:
    return picture.count("tt-stroke-blue") - 1  # one stands in the style sheet


def test_a_picture_shows_how_it_stood_after_some_steps(won: Path, tmp_path: Path) -> None:
    for steps, crosses in ((0, 0), (1, 1), (3, 2), (5, 3)):
        file = tmp_path / f"{steps}.svg"
        done = here("picture", won, "--at", steps, "-o", file)
        assert (done.returncode, done.stderr) == (0, "")
        assert done.stdout == f"{file}: after {steps} of 5 steps\n"
        assert marks(file.read_text("utf-8")) == crosses


def test_a_picture_shows_the_end_when_not_told_otherwise(won: Path, tmp_path: Path) -> None:
    file = tmp_path / "end.svg"
    here("picture", won, "-o", file)
    ET.parse(file)
    assert marks(file.read_text("utf-8")) == 3


def test_a_picture_shows_the_dice_that_fell_before(state: Path, tmp_path: Path) -> None:
    record, file = own(state, "lcr.jsonl"), tmp_path / "rolled.svg"
    here("play", "lcr", "--bot", "all", "--seed", "oak", "--no-score", "--record", record)
    here("picture", record, "--at", 1, "-o", file)
    assert "Player 1 rolled" in file.read_text("utf-8")


@pytest.mark.parametrize("more", [[], ["--dark"], ["--narrow"]])
def test_a_png_is_as_wide_as_one_says(won: Path, tmp_path: Path, more: list[str]) -> None:
    file = tmp_path / "end.png"
    done = here("picture", won, "-o", file, "--width", 150, *more)
    assert (done.returncode, done.stderr) == (0, "")
    data = file.read_bytes()
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    assert int.from_bytes(data[16:20], "big") == 150


@pytest.mark.parametrize(
    ("words", "status", "said"),
    [
        (["-o", "x.gif"], 2, "-o x.gif: give FILE.svg or FILE.png"),
        (["-o", "x.svg", "--at", "6"], 2, "has 5 steps"),
        (["-o", "x.svg", "--at", "-1"], 2, "--at -1: give 0 or more"),
        (["-o", "x.svg", "--seat", "3"], 2, "--seat 3: seats are 1 to 2, or all"),
        (["-o", "x.svg", "--width", "9"], 2, "--width is for a PNG"),
        (["-o", "x.svg", "--dark"], 2, "--dark is for a PNG"),
        (["-o", "x.png", "--width", "0"], 2, "give 1 to 8192 pixels"),
        (["-o", "no/such/x.svg"], 1, "cannot be written: No such file or directory"),
        ([], 2, "required: -o/--output"),
    ],
)
def test_what_cannot_be_drawn_is_refused_and_nothing_is_written(
    won: Path, tmp_path: Path, words: list[str], status: int, said: str
) -> None:
    done = here("picture", won, *words, cwd=tmp_path)
    assert (done.returncode, done.stdout) == (status, "")
    assert said in done.stderr
    assert list(tmp_path.glob("x.*")) == []


def test_a_png_says_what_to_install_where_nothing_draws_it(
    won: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    done = here("picture", won, "-o", tmp_path / "x.png")
    assert (done.returncode, done.stdout) == (1, "")
    assert "pip install 'tabletop-rules[pictures]'" in done.stderr


def test_a_film_lies_beside_its_record(won: Path) -> None:
    done = here("film", won)
    page = won.with_suffix(".html")
    assert (done.returncode, done.stdout, done.stderr) == (0, f"{page}: 5 steps\n", "")
    assert "Ada &lt;i&gt;" in page.read_text("utf-8")


def test_a_replay_makes_the_same_film(won: Path, tmp_path: Path) -> None:
    one, other = tmp_path / "one.html", tmp_path / "other.html"
    assert here("film", won, "-o", one, "--seat", 1).returncode == 0
    assert here("replay", won, "--film", other, "--seat", 1).returncode == 0
    assert one.read_bytes() == other.read_bytes()


@pytest.mark.parametrize("more", [["--verify"], ["--step"], ["--speed", "2"], ["--from", "2"]])
def test_a_film_takes_no_part_in_other_ways_to_replay(
    won: Path, tmp_path: Path, more: list[str]
) -> None:
    done = here("replay", won, "--film", tmp_path / "film.html", *more)
    assert done.returncode == 2
    assert not (tmp_path / "film.html").exists()


def test_a_film_cannot_stop_before_it_begins(won: Path, tmp_path: Path) -> None:
    done = here("film", won, "-o", tmp_path / "film.html", "--until", -1)
    assert (done.returncode, "--until -1: give 0 or more" in done.stderr) == (2, True)
    assert not (tmp_path / "film.html").exists()


def test_a_film_of_a_damaged_record_is_not_written(won: Path, tmp_path: Path) -> None:
    won.write_text(won.read_text("utf-8").replace('"do":"2"', '"do":"4"'), "utf-8")
    done = here("film", won, "-o", tmp_path / "film.html")
    assert done.returncode == 1
    assert done.stderr.startswith(f"tabletop: {won}: line 4")
    assert not (tmp_path / "film.html").exists()
