"""`tabletop picture`, `tabletop replay-page` and `replay --page`: recorded matches drawn."""

from __future__ import annotations

import sys
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from tests.tabletop.cli.program import TICTACTOE, WIN, here, own, refused, shown
from tests.tabletop.told import tells


@pytest.fixture
def won(state: Path) -> Path:
    """Return the record of a won match of tic-tac-toe. The name of a player contains tags."""
    path = own(state, "won.jsonl")
    here("play", TICTACTOE, "--seed", "oak", "--record", path, "--name", "Ada <i>", typed=WIN)
    return path


def marks(picture: str) -> int:
    return picture.count("tt-stroke-blue") - 1  # one stands in the style sheet


def test_a_picture_shows_the_position_after_a_step_or_at_the_end(won: Path, tmp_path: Path) -> None:
    file = tmp_path / "won.svg"
    for steps, crosses in ((0, 0), (1, 1), (3, 2), (5, 3)):
        said = shown("picture", won, "--at", steps, "-o", file)
        assert said == f"{file}: after {steps} of 5 steps\n"
        assert marks(file.read_text("utf-8")) == crosses
    end = file.read_bytes()
    shown("picture", won, "-o", file)
    assert file.read_bytes() == end
    ET.parse(file)


def test_a_picture_shows_the_last_dice(state: Path, tmp_path: Path) -> None:
    record, file = own(state, "lcr.jsonl"), tmp_path / "rolled.svg"
    here("play", "lcr", "--bot", "all", "--seed", "oak", "--no-score", "--record", record)
    here("picture", record, "--at", 1, "-o", file)
    assert "Player 1 rolled" in file.read_text("utf-8")


def test_a_live_picture_highlights_the_clickable_parts(won: Path, tmp_path: Path) -> None:
    file = tmp_path / "live.svg"
    lit = {}
    for seat in (1, 2):
        shown("picture", won, "--at", 1, "--seat", seat, "--live", "-o", file)
        lit[seat] = sum("tt-lit" in it.get("class", "") for it in ET.parse(file).iter())
    assert lit == {1: 0, 2: 8}
    shown("picture", won, "--at", 1, "--seat", 2, "-o", file)
    assert 'class="tt-part tt-lit' not in file.read_text("utf-8")


@pytest.mark.parametrize("more", [[], ["--dark", "--narrow"]])
def test_a_png_has_the_requested_width(won: Path, tmp_path: Path, more: list[str]) -> None:
    file = tmp_path / "end.png"
    shown("picture", won, "-o", file, "--width", 150, *more)
    data = file.read_bytes()
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    assert int.from_bytes(data[16:20], "big") == 150


@pytest.mark.parametrize(
    ("words", "status", "message"),
    [
        (["-o", "x.gif"], 2, "-o x.gif: ... .svg ... .png"),
        (["-o", "x.svg", "--at", "6"], 2, "has 5 steps"),
        (["-o", "x.svg", "--seat", "3"], 2, "--seat 3: ... 1 to 2 ... all"),
        (["-o", "x.svg", "--live"], 2, "--live ... seat"),
        (["-o", "x.svg", "--live", "--seat", "all"], 2, "--live ... seat"),
        (["-o", "x.svg", "--width", "9"], 2, "--dark ... --width ... PNG"),
        (["-o", "x.svg", "--dark"], 2, "--dark ... --width ... PNG"),
        (["-o", "x.png", "--width", "0"], 2, "give 1 to 8192"),
        (["-o", "no/such/x.svg"], 1, "no/such/x.svg ... No such file or directory"),
        ([], 2, "required: -o/--output"),
    ],
)
def test_invalid_picture_arguments_write_no_file(
    won: Path, tmp_path: Path, words: list[str], status: int, message: str
) -> None:
    done = here("picture", won, *words, cwd=tmp_path)
    assert (done.returncode, done.stdout) == (status, "")
    assert tells(done.stderr, message)
    assert list(tmp_path.glob("x.*")) == []


def test_a_png_without_resvg_names_the_extra(
    won: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    message = refused("picture", won, "-o", tmp_path / "x.png", status=1)
    assert "'tabletop-rules[pictures]'" in message


def test_a_replay_page_is_written_next_to_its_record(won: Path) -> None:
    page = won.with_suffix(".html")
    assert shown("replay-page", won) == f"{page}: 5 steps\n"
    assert "Ada &lt;i&gt;" in page.read_text("utf-8")


def test_replay_writes_the_same_page(won: Path, tmp_path: Path) -> None:
    one, other = tmp_path / "one.html", tmp_path / "other.html"
    shown("replay-page", won, "-o", one, "--seat", 1)
    shown("replay", won, "--page", other, "--seat", 1)
    assert one.read_bytes() == other.read_bytes()


def test_no_page_of_a_damaged_record_is_written(won: Path, tmp_path: Path) -> None:
    won.write_text(won.read_text("utf-8").replace('"do":"2"', '"do":"4"'), "utf-8")
    said = refused("replay-page", won, "-o", tmp_path / "replay.html", status=1)
    assert said.startswith(f"tabletop: {won}: line 4")
    assert not (tmp_path / "replay.html").exists()
