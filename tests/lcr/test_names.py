"""Names of the players, from the course or from a file."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.lcr.programs import NAMES, run
from tests.tabletop.told import tells

from lcr.program.cli import MOST_BYTES
from lcr.rules.names import course_names, parse_names


def test_course_names_are_in_seat_order() -> None:
    assert course_names() == NAMES


def test_names_are_one_per_line_without_surrounding_spaces() -> None:
    assert parse_names("  Ann \r\n\n\tBob B.\n \nZoë") == ("Ann", "Bob B.", "Zoë")


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"", "0 names ... 3 to 11"),
        (b"Ann\n" * 2, "2 names ... 3 to 11"),
        (b"Ann\n" * 12, "12 names ... 3 to 11"),
        (b"Ann\nBob\nE\x1b[31mve\n", "line 3: 'E\\x1b[31mve' ... control character"),
        (b"Ann\nBob\n\xff\n", "line 3: byte 0xff ... UTF-8"),
        (b"\n" * MOST_BYTES, "0 names ... 3 to 11"),
        (b"\n" * (MOST_BYTES + 1), "the file ... 65536 bytes"),
    ],
)
def test_file_with_invalid_names_is_refused(data: bytes, why: str, tmp_path: Path) -> None:
    file = tmp_path / "names"
    file.write_bytes(data)
    printed = run("--names", str(file), "--seed", "1")
    assert tells(printed.stderr, f"lcr: --names {str(file)!r}: {why}")
    assert (printed.stdout, printed.stderr.count("\n"), printed.status) == ("", 1, 2)


def test_a_file_that_cannot_be_read_is_refused(tmp_path: Path) -> None:
    assert run("--names", str(tmp_path)).stderr.endswith(": Is a directory\n")
