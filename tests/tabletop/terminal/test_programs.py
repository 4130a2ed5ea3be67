"""Shared parts of programs: text files, options with one dash or two, and bots."""

from __future__ import annotations

from pathlib import Path

import pytest

from tabletop.errors import UsageError
from tabletop.host import TextFileError, read_lines, read_text
from tabletop.registry import load
from tabletop.terminal import ProgramParser, add_record_options, read_bots

MOST_BYTES = 1 << 16


@pytest.mark.parametrize(
    ("data", "lines"),
    [
        (b"", ()),
        (b"one\n\ntwo\n", ("one", "", "two")),
        (b"one\r\ntwo", ("one", "two")),
        (b"one\rtwo\n\n", ("one", "two", "")),
        ("\ufeffé\n".encode(), ("é",)),
    ],
)
def test_lines_may_end_in_any_way(data: bytes, lines: tuple[str, ...], tmp_path: Path) -> None:
    path = tmp_path / "text"
    path.write_bytes(data)
    assert read_lines(str(path), MOST_BYTES) == lines


@pytest.mark.parametrize("end", [b"\n", b"\r\n", b"\r"])
def test_what_is_no_text_is_refused_with_its_line(end: bytes, tmp_path: Path) -> None:
    path = tmp_path / "image"
    path.write_bytes(end.join([b"one", b"two", b"\x89PNG"]))
    with pytest.raises(TextFileError, match="line 3: byte 0x89 is not valid UTF-8"):
        read_text(str(path), MOST_BYTES)


def test_a_file_that_is_far_too_long_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "long"
    with file.open("wb") as opened:
        opened.truncate(MOST_BYTES + 1)
    with pytest.raises(TextFileError, match=f"more than {MOST_BYTES} bytes"):
        read_text(str(file), MOST_BYTES)


def parser() -> ProgramParser:
    made = ProgramParser("prog", "A program.", "That is all.")
    made.add_argument("-size", "--size", help="how large")
    return made


@pytest.mark.parametrize("words", [["-size", "3"], ["--size=3"]])
def test_an_option_takes_one_dash_or_two(words: list[str]) -> None:
    assert parser().read(words).size == "3"


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["-sze", "3"], r"there is no option '-sze'; did you mean '-size'\? \(prog -h lists"),
        (["-x", "3"], r"there is no option '-x' \(prog -h lists the options\)"),
        (["stray"], "there is no option 'stray'"),
        (["-size"], "argument -size: expected one argument"),
        (["-hand"], r"there is no option '-hand' "),
        (["--size", "-5x"], "there is no option"),
    ],
)
def test_wrong_use_is_one_line_that_says_what_was_wrong(words: list[str], complaint: str) -> None:
    with pytest.raises(UsageError, match=complaint) as raised:
        parser().read(words)
    assert "\n" not in str(raised.value)


def test_the_usage_line_is_made_of_the_options_as_the_document_spells_them() -> None:
    made = parser()
    add_record_options(made)
    usage = " ".join(made.format_usage().split())
    records = "[-record FILE | -no-record | -resume [FILE]]"
    assert usage == f"usage: prog [-h] [-version] [-size SIZE] {records}"


@pytest.mark.parametrize("words", [["-resume", "-no-record"], ["--no-record", "--resume=x"]])
def test_options_of_which_one_can_be_given_are_named_as_the_document_does(words: list[str]) -> None:
    made = parser()
    add_record_options(made)
    with pytest.raises(UsageError, match=r"^-no-record and -resume exclude each other$"):
        made.read(words)


SEATS = {"Red": (0,), "Blue": (1,), "all": (0, 1)}


@pytest.mark.parametrize(
    ("words", "bots"),
    [
        ([], {}),
        (["red"], {0: "random"}),
        (["BLUE=Random"], {1: "random"}),
        (["all", "blue=human"], {0: "random"}),
        (["red-BLUE=random"], {0: "random", 1: "random"}),
    ],
)
def test_bots_are_seated_by_what_people_call_a_seat(words: list[str], bots: dict[int, str]) -> None:
    assert read_bots(words, SEATS, load("lcr")) == bots


@pytest.mark.parametrize(
    ("word", "complaint"),
    [
        ("green", "-bot 'green': no such seat; give Red, Blue, a range such as Red-Blue, or all"),
        ("red-green", "-bot 'red-green': no such seat"),
        ("red-", "-bot 'red-': no such seat"),
        ("blue-red", "-bot 'blue-red': no such seat"),
        ("red=deep", "-bot 'red=deep': lcr .*'deep'"),
        ("red=", "-bot 'red=': lcr .*''"),
    ],
)
def test_a_seat_or_bot_that_does_not_exist_is_named(word: str, complaint: str) -> None:
    with pytest.raises(UsageError, match=complaint):
        read_bots([word], SEATS, load("lcr"))
