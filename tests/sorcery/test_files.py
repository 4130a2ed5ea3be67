"""Text files as the program reads them."""

from __future__ import annotations

from pathlib import Path

import pytest

from sorcery.files import MOST_BYTES, FileError, read_lines, read_text


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
    assert read_lines(str(path)) == lines


def test_what_is_no_text_is_refused_with_its_line(tmp_path: Path) -> None:
    path = tmp_path / "image"
    path.write_bytes(b"one\ntwo\n\x89PNG")
    with pytest.raises(FileError, match="line 3: byte 0x89 is no text in UTF-8"):
        read_text(str(path))


def test_a_file_without_end_is_refused() -> None:
    with pytest.raises(FileError, match=f"more than {MOST_BYTES} bytes"):
        read_text("/dev/zero")


def test_a_directory_is_refused(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="Is a directory"):
        read_text(str(tmp_path))


def test_a_file_that_is_missing_is_not_found(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        read_text(str(tmp_path / "nothing"))
