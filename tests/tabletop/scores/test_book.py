"""The score book finds stored sheets unchanged and skips damaged ones."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from tests.tabletop.scoresheets import SHEET, at, sql

from tabletop import Outcome
from tabletop.scores import ScoreBook, ScoreSheet


@pytest.mark.parametrize(
    "sheet",
    [SHEET, replace(SHEET, outcome=Outcome.by_score([7, 0.5], "so far"), given_state=True)],
)
def test_a_stored_sheet_is_found_unchanged(sheet: ScoreSheet, book: ScoreBook, path: Path) -> None:
    book.add(sheet)
    assert book.find() == ScoreBook(path).find() == [sheet]


def test_reading_a_missing_book_finds_nothing_and_creates_no_file(
    book: ScoreBook, path: Path
) -> None:
    assert book.find() == []
    assert book.finished_here("race") == 0
    assert not path.parent.exists()


def test_the_newest_matches_come_first_and_of_equals_the_one_stored_last(book: ScoreBook) -> None:
    sheets = [at(9), at(11), at(10), at(11, seed="later")]
    for sheet in sheets:
        book.add(sheet)
    assert book.find() == [sheets[3], sheets[1], sheets[2], sheets[0]]
    assert book.find(most=2) == [sheets[3], sheets[1]]


def test_matches_are_found_by_game_by_origin_and_by_seed_in_any_spelling(
    book: ScoreBook,
) -> None:
    oak = at(9)
    week = at(10, seed="2026-W47", seed_origin="weekly")
    lcr = at(11, game="lcr", seed="2026-W47", seed_origin="given")
    for sheet in (oak, week, lcr):
        book.add(sheet)
    assert book.find(game="lcr") == [lcr]
    assert book.find(seed_origin="weekly") == [week]
    assert book.find(seed=" old OAK") == [oak]
    assert book.find(seed="2026-w47") == [lcr, week]
    assert book.find(game="race", seed_origin="weekly", seed="2026-W47") == [week]
    assert book.find(game="race", seed_origin="given") == []


def test_an_imported_match_is_stored_once_and_a_played_match_every_time(
    book: ScoreBook,
) -> None:
    assert book.add_new(SHEET)
    assert not book.add_new(replace(SHEET, record="a copy.jsonl", imported=True))
    assert book.add_new(replace(SHEET, key="51c3"))
    assert len(book.find()) == 2
    for _ in range(2):
        book.add(replace(SHEET, key="here"))
    assert not book.add_new(replace(SHEET, key="here", imported=True))
    assert len(book.find()) == 4


def test_only_matches_that_people_finished_here_are_counted(book: ScoreBook) -> None:
    book.add(SHEET)
    book.add(replace(SHEET, game="lcr"))
    book.add(replace(SHEET, players=("random", "random")))
    book.add_new(replace(SHEET, key="51c3", imported=True))
    assert book.finished_here("race") == 1


# Sheets that are damaged or have another version.


DAMAGED = ["'{'", "'[]'", """'{"game": "race"}'""", """'{"game": 7}'"""]


@pytest.mark.parametrize("value", [*DAMAGED, "x'ff'", "7", "1e999", "zeroblob(9)"])
def test_a_damaged_sheet_is_skipped_and_the_others_are_found(
    value: str, book: ScoreBook, path: Path, warnings: list[str]
) -> None:
    book.add(SHEET)
    book.add(SHEET)
    sql(path, f"UPDATE sheets SET sheet = {value} WHERE id = 1")
    assert book.find() == [SHEET]
    [line] = warnings
    assert line.startswith(f"{path}: skipped 1 damaged sheet (sheet 1: ")


def test_a_sheet_of_a_later_version_may_have_more_fields(book: ScoreBook, path: Path) -> None:
    book.add(SHEET)
    sql(path, """UPDATE sheets SET sheet = json_insert(sheet, '$.mood', 'merry')""")
    assert book.find() == [SHEET]
