"""The names of the players: the course's, or those of a file."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.lcr.programs import NAMES

from lcr.names import MOST_BYTES, NamesError, course_names, parse_names, read_names


def refused(path: Path) -> str:
    """Why the file is refused, without the path."""
    with pytest.raises(NamesError) as caught:
        read_names(str(path))
    message = str(caught.value)
    assert message.startswith(repr(str(path)))
    return message.removeprefix(repr(str(path)))


def test_the_names_of_the_course_stand_in_seat_order() -> None:
    assert course_names() == NAMES


def test_names_stand_one_a_line_and_blanks_around_them_do_not_count() -> None:
    assert parse_names("  Ann \r\n\n\tBob B.\n \nZoë") == ("Ann", "Bob B.", "Zoë")


def test_a_file_may_begin_with_a_byte_order_mark(tmp_path: Path) -> None:
    file = tmp_path / "names"
    file.write_bytes("\ufeffAnn\nBob\nZoë\n".encode())
    assert read_names(str(file)) == ("Ann", "Bob", "Zoë")


@pytest.mark.parametrize("count", [0, 2, 12])
def test_fewer_than_3_or_more_than_11_names_are_refused(count: int, tmp_path: Path) -> None:
    file = tmp_path / "names"
    file.write_text("Ann\n" * count)
    assert refused(file) == f": {count} names; wanted are 3 to 11, one a line"


def test_a_control_character_in_a_name_is_refused_with_its_line(tmp_path: Path) -> None:
    file = tmp_path / "names"
    file.write_text("Ann\nBob\nE\x1b[31mve\n")
    assert refused(file) == ": line 3, 'E\\x1b[31mve', holds a control character"


def test_bytes_that_are_no_text_are_refused_with_their_line(tmp_path: Path) -> None:
    file = tmp_path / "names"
    file.write_bytes(b"Ann\nBob\n\xff\n")
    assert refused(file) == ", line 3: this is not UTF-8 text"


def test_a_huge_file_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "names"
    file.write_bytes(b"\n" * MOST_BYTES)
    assert refused(file) == ": 0 names; wanted are 3 to 11, one a line"
    file.write_bytes(b"\n" * (MOST_BYTES + 1))
    assert refused(file) == ": more than 65536 bytes are no list of names"


def test_a_file_that_cannot_be_read_is_refused(tmp_path: Path) -> None:
    assert refused(tmp_path / "none") == " cannot be read: No such file or directory"
    assert refused(tmp_path) == " cannot be read: Is a directory"
    assert refused(tmp_path / "a\0b") == " cannot be read: embedded null byte"
