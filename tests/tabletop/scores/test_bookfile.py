"""The file of a score book: several programs, damage, and inaccessible files."""

from __future__ import annotations

import json
import os
import shlex
import sqlite3
import sys
import tempfile
from collections.abc import Callable, Sequence
from contextlib import ExitStack, closing, suppress
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.forked import start
from tests.tabletop.scoresheets import SHEET, at, copy_first, sql

from tabletop.errors import ScoresError
from tabletop.scores import ScoreBook
from tabletop.scores.book import APPLICATION, SCHEMA


def test_the_file_has_an_application_id_and_a_schema_version(book: ScoreBook, path: Path) -> None:
    book.add(SHEET)
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("PRAGMA application_id").fetchone() == (APPLICATION,)
        assert connection.execute("PRAGMA user_version").fetchone() == (SCHEMA,)
        (text,) = connection.execute("SELECT sheet FROM sheets").fetchone()
    assert json.loads(text)["seed"] == "Old Oak"


# Several programs.


def write(arguments: Sequence[str]) -> int:
    """Store some sheets on receiving a line."""
    path, name, count = arguments
    sys.stdin.readline()
    book = ScoreBook(path, print)
    for number in range(int(count)):
        book.add(replace(SHEET, seed=f"{name} {number}"))
    return 0


@pytest.mark.slow
def test_programs_that_store_scores_at_once_lose_nothing(path: Path) -> None:
    with ExitStack() as stack:
        programs = [stack.enter_context(start(write, path, name, 6)) for name in "abcd"]
        for program in programs:
            assert program.stdin is not None
            program.stdin.write("go\n")
            program.stdin.flush()
        outputs = [program.communicate(timeout=60) for program in programs]
    assert [program.returncode for program in programs] == [0] * 4, outputs
    assert outputs == [("", "")] * 4
    seeds = sorted(sheet.seed for sheet in ScoreBook(path).find())
    assert seeds == [f"{name} {sheet}" for name in "abcd" for sheet in range(6)]


@pytest.mark.slow
def test_waiting_for_another_program_ends_after_the_timeout(
    book: ScoreBook, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tabletop.scores.book.LOCK_TIMEOUT", 3600.0)
    book.add(SHEET)
    hasty = ScoreBook(path, timeout=0.3)
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        for use in (lambda: hasty.add(SHEET), hasty.find, lambda: hasty.finished_here("race")):
            with pytest.raises(ScoresError, match="database is locked"):
                use()
    assert hasty.find() == [SHEET]


# Damage.


DAMAGE: dict[str, tuple[Callable[[bytes], bytes], list[str]]] = {
    "half of it": (lambda data: data[: len(data) // 2 - 100], []),
    "noise in the middle": (lambda data: data[:100] + b"\xa7" * (len(data) - 100), []),
    "noise alone": (lambda data: b"\x00noise" * 200, []),
    "no text": (lambda data: data.replace(b"tablesheets", b"table\xff\xfeeets"), []),
    "other tables": (bytes, ["DROP TABLE sheets", "CREATE TABLE sheets (id INTEGER, colour TEXT)"]),
    "no tables": (bytes, ["DROP TABLE sheets"]),
    "somebody else's": (lambda data: b"", ["CREATE TABLE recipes (name TEXT)"]),
    "another application's": (bytes, ["PRAGMA application_id = 7"]),
}


@pytest.mark.parametrize("damage", DAMAGE)
def test_the_error_for_a_damaged_book_contains_the_command_to_set_it_aside(
    damage: str, book: ScoreBook, path: Path
) -> None:
    book.add(at(9, record="x" * 500))
    copy_first(path, 39)
    change, statements = DAMAGE[damage]
    path.write_bytes(change(path.read_bytes()))
    sql(path, *statements)
    damaged = path.read_bytes()
    for use in (lambda: book.add(SHEET), lambda: book.finished_here("race")):
        with pytest.raises(ScoresError) as caught:
            use()
        message = str(caught.value)
        assert message.startswith(f"{path}: ")
        assert path.read_bytes() == damaged
    command = message.partition("start a new one: ")[2]
    assert command == f"mv {path} {path}.damaged"
    path.rename(shlex.split(command)[2])
    book.add(SHEET)
    assert book.find() == [SHEET]


def test_an_empty_file_is_a_book_without_sheets(
    book: ScoreBook, path: Path, warnings: list[str]
) -> None:
    path.parent.mkdir()
    path.touch()
    assert book.find() == []
    book.add(SHEET)
    assert book.find() == [SHEET]
    assert warnings == []


CHANGES = st.lists(st.tuples(st.integers(0, 4095), st.integers(0, 255)), min_size=1, max_size=20)


@pytest.mark.slow
@settings(max_examples=25, deadline=None)
@given(CHANGES)
def test_a_book_with_any_bytes_raises_only_scores_errors(
    changes: list[tuple[int, int]],
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "scores.sqlite3"
        book = ScoreBook(path)
        book.add(SHEET)
        data = bytearray(path.read_bytes())
        for place, byte in changes:
            data[place] = byte
        path.write_bytes(data)
        for use in (lambda: book.add(SHEET), book.find, lambda: book.finished_here("race")):
            with suppress(ScoresError):
                use()


# Inaccessible files.


@pytest.mark.parametrize("make", [os.mkfifo, os.mkdir])
def test_a_pipe_or_directory_is_refused_without_waiting(
    make: Callable[[Path], object], path: Path
) -> None:
    path.parent.mkdir()
    make(path)
    book = ScoreBook(path)
    for use in (lambda: book.add(SHEET), book.find):
        with pytest.raises(ScoresError, match=r"scores\.sqlite3: .*\bregular file\b"):
            use()


def test_the_scores_of_a_newer_version_are_refused_and_unchanged(
    book: ScoreBook, path: Path, warnings: list[str]
) -> None:
    book.add(SHEET)
    sql(path, f"PRAGMA user_version = {SCHEMA + 1}")
    data = path.read_bytes()
    newer = rf"scores\.sqlite3: .*\bnewer\b.*\bformat {SCHEMA + 1}\b"
    for use in (lambda: book.add(SHEET), book.find, lambda: book.add_new(SHEET)):
        with pytest.raises(ScoresError, match=newer):
            use()
    assert path.read_bytes() == data
    assert warnings == []


def test_a_directory_that_cannot_be_created_is_named(tmp_path: Path) -> None:
    (tmp_path / "data").write_text("a file")
    book = ScoreBook(tmp_path / "data" / "deep" / "scores.sqlite3")
    with pytest.raises(ScoresError, match=r"/deep: .*: Not a directory$"):
        book.add(SHEET)
    assert book.find() == []


def test_an_impossible_file_name_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ScoresError, match=r"x: .*: File name too long$"):
        ScoreBook(tmp_path / ("x" * 300)).find()
