"""The file of a score book: many programs at once, damage, and what cannot be helped."""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.pages import unmeasured
from tests.tabletop.scorebook_race import race
from tests.tabletop.scoresheets import SHEET, at, sql

from tabletop.errors import ScoresError
from tabletop.host.locking import try_lock
from tabletop.scores.book import ScoreBook
from tabletop.scores.schema import APPLICATION, SCHEMA


def test_the_file_says_what_it_is(book: ScoreBook, path: Path) -> None:
    book.add(SHEET)
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("PRAGMA application_id").fetchone() == (APPLICATION,)
        assert connection.execute("PRAGMA user_version").fetchone() == (SCHEMA,)
        (text,) = connection.execute("SELECT sheet FROM sheets").fetchone()
    assert json.loads(text)["seed"] == "Old Oak"


# Several programs at once.

WRITER = """
import sys
from tabletop.game import Outcome
from tabletop.scores.book import ScoreBook
from tabletop.scores.sheets import ScoreSheet
path, name, count = sys.argv[1:]
sys.stdin.readline()
book = ScoreBook(path, print)
for number in range(int(count)):
    book.add(ScoreSheet("race", "1", f"{name} {number}", ("Ann",), ("human",), Outcome(((0,),)), 1))
"""
WRITERS, SHEETS = 9, 6


def write_at_once(path: Path) -> str:
    """Have nine programs keep six sheets each, all of them beginning at once; what they say."""
    command = [sys.executable, "-W", "error", "-c", WRITER, str(path)]
    programs = [
        subprocess.Popen(
            [*command, f"writer {number}", str(SHEETS)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        for number in range(WRITERS)
    ]
    for program in programs:
        assert program.stdin is not None
        program.stdin.write("go\n")
        program.stdin.flush()
    said = "".join(program.communicate(timeout=60)[0] for program in programs)
    assert [program.returncode for program in programs] == [0] * WRITERS, said
    return said


ALL = {f"writer {number} {sheet}" for number in range(WRITERS) for sheet in range(SHEETS)}


@pytest.mark.slow
def test_programs_that_keep_scores_at_once_lose_nothing(path: Path) -> None:
    assert write_at_once(path) == ""
    seeds = [sheet.seed for sheet in ScoreBook(path).find()]
    assert len(seeds) == len(ALL)
    assert set(seeds) == ALL


@pytest.mark.slow
def test_programs_that_find_the_damage_at_once_set_it_aside_once_and_lose_nothing(
    path: Path,
) -> None:
    path.parent.mkdir()
    path.write_bytes(b"no database " * 100)
    said = write_at_once(path)
    assert said.count("a new one is begun") == 1
    assert {sheet.seed for sheet in ScoreBook(path).find()} == ALL
    assert [it.name for it in path.parent.glob("*.damaged-*")] == ["scores.sqlite3.damaged-1"]


@pytest.mark.slow
def test_a_program_waits_for_another_that_is_writing(book: ScoreBook, path: Path) -> None:
    book.add(at(9))
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        program = subprocess.Popen(
            [sys.executable, "-c", WRITER, str(path), "late", "1"], stdin=subprocess.PIPE
        )
        with pytest.raises(subprocess.TimeoutExpired):
            program.communicate(b"go\n", timeout=1.5)
        other.execute("COMMIT")
    assert program.wait(timeout=60) == 0
    assert {sheet.seed for sheet in book.find()} == {"Old Oak", "late 0"}


@pytest.mark.slow
def test_a_race_to_set_a_damaged_book_aside_loses_nothing_and_no_good_book(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    result = race(tmp_path, 40)
    assert capfd.readouterr().err == ""
    assert (result.lost, result.asides) == ((), 0)


@pytest.mark.slow
def test_a_program_that_never_ends_is_waited_for_so_long_and_no_longer(
    book: ScoreBook, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tabletop.scores.book.PATIENCE", 3600.0)
    book.add(SHEET)
    hasty = ScoreBook(path, patience=0.3)
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        for use in (lambda: hasty.add(SHEET), hasty.find, lambda: hasty.finished_here("race")):
            with pytest.raises(ScoresError, match="database is locked"):
                use()
    lock = os.open(path.with_name(f"{path.name}.lock"), os.O_RDWR)
    assert try_lock(lock)
    with pytest.raises(ScoresError, match="another program is writing, and does not end"):
        hasty.add(SHEET)
    assert hasty.find() == [SHEET]
    os.close(lock)
    assert not list(path.parent.glob("*.damaged-*"))


def test_who_reads_waits_while_the_book_may_be_set_aside(book: ScoreBook, path: Path) -> None:
    book.add(SHEET)
    lock = os.open(path.with_name(f"{path.name}.lock"), os.O_RDWR)
    assert try_lock(lock)
    with ThreadPoolExecutor() as others:
        found = others.submit(book.find)
        with pytest.raises(TimeoutError):
            found.result(0.2)
        os.close(lock)
        assert found.result(60) == [SHEET]


@pytest.mark.slow
def test_a_program_that_was_killed_in_the_middle_of_writing_is_undone(
    book: ScoreBook, path: Path
) -> None:
    book.add(SHEET)
    done = subprocess.run([sys.executable, "-c", DYING, str(path)], check=False, env=unmeasured())
    assert done.returncode == 7
    assert Path(f"{path}-journal").exists()
    assert book.find() == [SHEET]
    book.add(SHEET)
    assert book.find() == [SHEET, SHEET]


DYING = """
import os, sqlite3, sys
book = sqlite3.connect(sys.argv[1], isolation_level=None)
book.execute("PRAGMA cache_size = 1")
book.execute("BEGIN")
for _ in range(999):
    book.execute("INSERT INTO sheets SELECT NULL, key, game, seed, seed_origin, finished, people,"
        " imported, sheet FROM sheets LIMIT 1")
os._exit(7)
"""


# Damage.


def no_text(path: Path) -> None:
    path.write_bytes(path.read_bytes().replace(b"tablesheets", b"table\xff\xfeeets"))


def half_of_it(path: Path) -> None:
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2 - 100])


def noise_in_the_middle(path: Path) -> None:
    data = path.read_bytes()
    path.write_bytes(data[:100] + b"\xa7" * (len(data) - 100))


def noise_alone(path: Path) -> None:
    path.write_bytes(b"\x00noise" * 200)


def other_tables(path: Path) -> None:
    sql(path, "DROP TABLE sheets", "CREATE TABLE sheets (id INTEGER PRIMARY KEY, colour TEXT)")


def no_tables(path: Path) -> None:
    sql(path, "DROP TABLE sheets")


def somebody_elses(path: Path) -> None:
    path.unlink()
    sql(path, "CREATE TABLE recipes (name TEXT)", "INSERT INTO recipes VALUES ('soup')")


def another_applications(path: Path) -> None:
    sql(path, "PRAGMA application_id = 7")


DAMAGE = [
    half_of_it,
    noise_in_the_middle,
    noise_alone,
    other_tables,
    no_tables,
    no_text,
    somebody_elses,
    another_applications,
]


@pytest.mark.parametrize("damage", DAMAGE, ids=lambda it: it.__name__)
def test_a_damaged_book_is_set_aside_and_a_new_one_begun(
    damage: object, book: ScoreBook, path: Path, told: list[str]
) -> None:
    for number in range(40):
        book.add(at(9, seed=f"seed {number}", record="x" * 500))
    assert callable(damage)
    damage(path)
    damaged = path.read_bytes()
    book.add(SHEET)
    assert book.find() == [SHEET]
    aside = path.with_name("scores.sqlite3.damaged-1")
    assert aside.read_bytes() == damaged
    [line] = told
    assert line.startswith(f"{path}: ")
    assert line.endswith("; it is kept as scores.sqlite3.damaged-1, and a new one is begun")


@pytest.mark.parametrize("damage", DAMAGE, ids=lambda it: it.__name__)
def test_a_damaged_book_is_set_aside_when_it_is_read(
    damage: object, book: ScoreBook, path: Path, told: list[str]
) -> None:
    for number in range(40):
        book.add(at(9, seed=f"seed {number}", record="x" * 500))
    assert callable(damage)
    damage(path)
    assert book.find() == []
    assert len(told) == 1
    assert path.with_name("scores.sqlite3.damaged-1").exists()
    book.add(SHEET)
    assert book.find() == [SHEET]


def test_every_damaged_book_is_kept(book: ScoreBook, path: Path) -> None:
    for number in range(3):
        book.add(SHEET)
        path.write_bytes(f"damage {number}".encode() * 100)
    book.add(SHEET)
    asides = sorted(path.parent.glob("*.damaged-*"))
    assert [aside.read_bytes()[:8] for aside in asides] == [b"damage 0", b"damage 1", b"damage 2"]


def test_an_empty_file_is_a_book_that_has_not_been_begun(
    book: ScoreBook, path: Path, told: list[str]
) -> None:
    path.parent.mkdir()
    path.touch()
    assert book.find() == []
    book.add(SHEET)
    assert book.find() == [SHEET]
    assert told == []


def test_what_was_being_written_goes_with_the_damaged_book(book: ScoreBook, path: Path) -> None:
    book.add(SHEET)
    path.write_bytes(b"no database " * 100)
    rest = Path(f"{path}-journal")
    rest.write_bytes(b"half a page")
    book.add(SHEET)
    assert not rest.exists()
    assert book.find() == [SHEET]


CHANGES = st.lists(st.tuples(st.integers(0, 4095), st.integers(0, 255)), min_size=1, max_size=20)


@settings(max_examples=60, deadline=None)
@given(CHANGES)
def test_whatever_bytes_are_in_a_book_nothing_but_scores_errors_come_of_it(
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


def test_a_book_in_which_nothing_ever_ends_is_given_up(book: ScoreBook, path: Path) -> None:
    book.add(SHEET)
    endless = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x FROM n)"
    names = "key, game, seed, seed_origin, finished, sheet"
    values = ", ".join(f"x AS {name}" for name in names.split(", "))
    sql(
        path,
        "DROP TABLE sheets",
        f"CREATE VIEW sheets AS {endless}"
        f" SELECT {values}, x AS id, 1 AS people, 0 AS imported FROM n",
    )
    with pytest.raises(ScoresError, match="interrupted"):
        ScoreBook(path, patience=0.3).finished_here("race")


# What cannot be helped.


def test_a_pipe_is_no_book_and_nobody_waits_for_it(path: Path) -> None:
    path.parent.mkdir()
    os.mkfifo(path)
    book = ScoreBook(path)
    for use in (lambda: book.add(SHEET), book.find):
        with pytest.raises(ScoresError, match="it is no ordinary file"):
            use()


def test_the_scores_of_a_newer_version_are_refused_and_left_as_they_are(
    book: ScoreBook, path: Path, told: list[str]
) -> None:
    book.add(SHEET)
    sql(path, f"PRAGMA user_version = {SCHEMA + 1}")
    data = path.read_bytes()
    newer = rf"these scores are of a newer version of this program \(tables {SCHEMA + 1}"
    for use in (lambda: book.add(SHEET), book.find, lambda: book.add_new(SHEET)):
        with pytest.raises(ScoresError, match=newer):
            use()
    assert path.read_bytes() == data
    assert told == []


def test_a_directory_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "data").write_text("a file")
    book = ScoreBook(tmp_path / "data" / "deep" / "scores.sqlite3")
    with pytest.raises(ScoresError, match=r"deep: cannot be made: Not a directory"):
        book.add(SHEET)
    assert book.find() == []


def test_what_is_no_file_is_no_book(path: Path) -> None:
    path.mkdir(parents=True)
    book = ScoreBook(path)
    with pytest.raises(ScoresError, match=r"scores\.sqlite3: unable to open database file"):
        book.add(SHEET)
    with pytest.raises(ScoresError, match=r"scores\.sqlite3: "):
        book.find()


def test_a_name_that_no_file_can_have_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ScoresError, match="cannot be read: File name too long"):
        ScoreBook(tmp_path / ("x" * 300)).find()


def test_damage_that_cannot_be_set_aside_is_told_and_left_as_it_is(path: Path) -> None:
    path.parent.mkdir()
    path.write_bytes(b"no database " * 100)
    path.with_name(f"{path.name}.lock").mkdir()
    with pytest.raises(ScoresError, match="file is not a database, and cannot be set aside: "):
        ScoreBook(path).add(SHEET)
    assert path.read_bytes() == b"no database " * 100


def test_a_python_without_sqlite_is_told_so(
    book: ScoreBook, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "sqlite3", None)
    with pytest.raises(ScoresError, match="this Python was built without it"):
        book.add(SHEET)


@pytest.mark.slow
def test_sqlite_is_imported_when_it_is_used() -> None:
    code = "import sys, tabletop.scores.book; print('sqlite3' in sys.modules)"
    command = [sys.executable, "-c", code]
    # What measures the lines of programs uses it itself.
    done = subprocess.run(command, env=unmeasured(), capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"
