"""Scores: saved and shown at the end of a match, listed by `tabletop scores`, and imported."""

from __future__ import annotations

import csv
import io
import json
import re
import sqlite3
from contextlib import closing
from dataclasses import replace
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest

from tabletop import Outcome
from tabletop.records import read, with_check
from tabletop.scores import ScoreBook
from tabletop.scores.score_tables import sheet_in_full
from tabletop.states import to_json
from tabletop.states.codec import to_builtins
from tests.tabletop.cli.program import (
    DUEL,
    TICTACTOE,
    WIN,
    changed,
    here,
    kept,
    own,
    records,
    refused,
    rows,
    shown,
)
from tests.tabletop.scoresheets import SHEET, copy_first
from tests.tabletop.told import tells

WON = "Player 1 wins (three in a row).\n"
START = "    def apply(self, state: Board, action: Place, table: Table) -> None:\n"
WEEKLY = ("--weekly", "--no-score")
HALF = "1\n4\n2\n5\n"
"""Input after which the first player of tic-tac-toe wins with `3`."""


# The end of a match.


def test_a_score_sheet_is_shown_and_saved_at_the_end(state: Path, book: Path) -> None:
    said = shown("play", TICTACTOE, "--seed", "Old Oak", "--name", "Ann", typed=WIN)
    [path] = records(state)
    sheet = said.split("Ann wins (three in a row).\n\n")[1]
    told = dict(re.split(r" {2,}", line.strip(), maxsplit=1) for line in sheet.splitlines()[1:])
    assert sheet.startswith("Score sheet\n")
    assert told.pop("ended").endswith(f" UTC, with tabletop {version('tabletop-rules')}")
    assert re.fullmatch(r"\d:\d\d", told.pop("time"))
    assert (
        told.items()
        >= {
            "game": "Tic-tac-toe (tictactoe, rules 1)",
            "seed": "Old Oak (given by hand)",
            "seat 1": "Ann: human, won",
            "seat 2": "Player 2: human",
            "actions": "5",
            "record": str(path),
        }.items()
    )
    assert book.is_file()
    [one] = kept()
    outcome = {"ranking": [[0], [1]], "reason": "three in a row", "abandoned": False, "points": []}
    expected = {
        "winners": ["Ann"],
        "outcome": outcome,
        "game": "tictactoe",
        "version": "1",
        "seed": "Old Oak",
        "seed_origin": "given",
        "plies": 5,
        "players": ["human", "human"],
        "record": str(path),
        "program": version("tabletop-rules"),
        "seconds": read(path).seconds,
        "imported": False,
    }
    assert {name: one[name] for name in expected} == expected


def test_an_unfinished_or_unscored_match_has_no_score(book: Path, tmp_path: Path) -> None:
    assert "Score sheet" not in shown("play", TICTACTOE, typed="1\n")
    for record in ("--no-record", f"--record={tmp_path / 'match.jsonl'}"):
        assert shown("play", TICTACTOE, record, "--no-score", typed=WIN).endswith(WON)
    here("play", TICTACTOE, typed=HALF)
    assert shown("resume", "--no-score", typed="3\n").endswith(WON)
    assert not book.exists()


def test_a_match_that_is_resumed_is_scored_as_a_whole(state: Path) -> None:
    here("play", TICTACTOE, "--seed", "old oak", typed="1\n4\nundo\n5\n")
    said = shown("resume", typed="2\n4\n3\n")
    assert "\n  actions  5 (1 undone)\n" in said
    assert "claimed" not in said
    [one] = kept()
    assert (one["plies"], one["undone"], one["seed_origin"]) == (5, 1, "given")
    assert one["record"] == str(records(state)[0])
    assert one["seconds"] == read(records(state)[0]).seconds


def test_a_match_without_a_record_is_scored(state: Path) -> None:
    said = shown("play", TICTACTOE, "--no-record", "--seed", "x", typed=f"5\nundo\n{WIN}")
    assert "\n  record   none\n" in said
    [one] = kept()
    assert (one["plies"], one["undone"], one["record"]) == (5, 1, "")
    assert one["seconds"] >= 0
    assert not state.exists()


def test_a_match_with_a_bot_takeover_is_marked() -> None:
    here("play", DUEL, "--bot", "1=random", "--bot", "2", "--seed", "x")
    here("play", DUEL, "--no-record", "--seed", "x", typed="1\n1\nbot 1\npick paper\n")
    assert [it["players"] for it in kept()] == [["human+stony", "human"], ["random", "stony"]]


def test_draws_and_stopped_matches_have_no_winner() -> None:
    here("play", TICTACTOE, "--seed", "drawn", typed="1\n2\n3\n5\n4\n7\n6\n9\n8\n")
    said = shown("play", DUEL, "--seed", "flipped", typed="pick rock\n/table\ntable\n")
    assert "Player 1: human, abandoned\n" in said
    flipped, drawn = rows()[1:]
    assert (drawn[2], drawn[3]) == ("drawn (given by hand)", "a draw")
    assert (flipped[2], flipped[3]) == ("flipped (given by hand)", "abandoned")


# Scores stop no game.


def unscored(*words: object) -> str:
    """Play a match to its end, and return the message that its score is not saved."""
    done = here("play", *(words or (TICTACTOE,)), typed=WIN)
    assert done.returncode == 0
    assert WON in done.stdout
    assert ("Score sheet" in done.stdout) == (not words)
    said = "tabletop: the score was not saved: "
    assert done.stderr.startswith(said)
    return done.stderr.removeprefix(said)


def test_a_damaged_database_does_not_stop_a_game(book: Path) -> None:
    book.parent.mkdir(parents=True)
    book.write_bytes(b"no database " * 100)
    aside = f"{book}: file is not a database; ... : mv {book} {book}.damaged\n"
    assert tells(unscored(), aside)
    assert book.read_bytes() == b"no database " * 100


def test_a_read_only_data_folder_stops_only_imports(theirs: Path, book: Path) -> None:
    book.parent.parent.write_text("a file stands where the directory should")
    wrong = f"{book.parent}: ... Not a directory\n"
    assert tells(unscored(), wrong)
    assert tells(refused("scores", "import", theirs, status=1), wrong)


def test_a_record_deleted_before_the_end_does_not_stop_a_game(tmp_path: Path) -> None:
    path = tmp_path / "match.jsonl"
    game = changed(tmp_path / "game.py")
    game.write_text(game.read_text() + BURNS.format(record=str(path)))
    assert tells(unscored(game, "--record", path), f"{path}: ... No such file or directory\n")


BURNS = """
import os
from tabletop.display import TextView
class Burning(TextView):
    def outcome(self, outcome, names):
        os.remove({record!r})
        return super().outcome(outcome, names)
PLUGIN = Plugin(GAME, text=Burning())
"""


# Showing them.


def test_without_scores_there_is_nothing_to_show(book: Path) -> None:
    assert shown("scores") == "no matches\n"
    assert shown("scores", "--seed", "oak") == "no matches with the seed oak\n"
    assert shown("scores", "--json") == "[]\n"
    [titles] = shown("scores", "--csv").splitlines()
    assert titles.startswith("finished,game,version,seed,")
    assert not book.exists()


def test_scores_are_listed_with_the_newest_first(monkeypatch: pytest.MonkeyPatch) -> None:
    for day, seed in enumerate(["first", "second", "third"], 1):
        monkeypatch.setenv("TABLETOP_NOW", f"2026-11-0{day}T12:30:00")
        here("play", TICTACTOE, "--seed", seed, "--name", "Ann", typed=WIN)
    title, *lines = rows("tictactoe")
    assert title == ["FINISHED", "GAME", "SEED", "WON BY", "ACTIONS", "TIME", "POINTS", "REASON"]
    assert [line[:5] for line in lines] == [
        ["2026-11-03 12:30", "tictactoe", "third (given by hand)", "Ann (human)", "5"],
        ["2026-11-02 12:30", "tictactoe", "second (given by hand)", "Ann (human)", "5"],
        ["2026-11-01 12:30", "tictactoe", "first (given by hand)", "Ann (human)", "5"],
    ]
    assert len(rows("-n", "2")) == 3
    assert [line[2] for line in rows("--seed", " SECOND")[1:]] == ["second (given by hand)"]


def test_a_table_shows_twenty_matches_by_default(book: Path) -> None:
    ScoreBook(book).add(SHEET)
    copy_first(book, 21)
    assert (len(rows()), len(rows("-n", "22"))) == (21, 23)
    assert (len(kept()), len(kept("-n", "5"))) == (22, 5)


def test_csv_has_a_header_and_a_row_per_match() -> None:
    here("play", TICTACTOE, "--seed", 'a "b", c', "--name", "Ann", "--name", "Bo", typed=WIN)
    here("play", "lcr", "--bot", "all", "--option", "course-seed=4", "--no-record")
    lcr, tictactoe = csv.DictReader(io.StringIO(shown("scores", "--csv")))
    expected = {"seed": 'a "b", c', "seats": "Ann; Bo", "winners": "Ann", "imported": "no"}
    assert tictactoe.items() >= expected.items()
    assert (lcr["options"], lcr["record"]) == ("course-seed=4", "")
    for name in ("lcr", "tictactoe", TICTACTOE):
        assert [line[1] in name for line in rows(name)[1:]] == [True]
    assert rows("constructor") == [["no matches"]]


def test_points_and_reasons_are_shown_listed_and_exported(book: Path) -> None:
    outcome = Outcome.by_score([7, 1], "all coins are taken " * 4)
    ScoreBook(book).add(replace(SHEET, outcome=outcome, given_state=True))
    (line,) = rows()[1:]
    assert line[-2:] == ["7, 1", "all coins are taken all coins are taken all c..."]
    assert "from a given position" in line[2]
    (row,) = csv.DictReader(io.StringIO(shown("scores", "--csv")))
    assert (row["points"], row["reason"], row["given_state"]) == ("7; 1", outcome.reason, "yes")
    (one,) = kept()
    assert one["outcome"]["points"] == [7, 1]
    told = sheet_in_full(replace(SHEET, outcome=outcome))
    assert ": human, won, 7 points\n" in told
    assert re.search(r"seat 2 .*, 1 point\n  reason   all coins", told)


# Records from others.


@pytest.fixture
def theirs(tmp_path: Path) -> Path:
    """Return the record of a match of LCR from another player."""
    path = tmp_path / "theirs.jsonl"
    here("play", "lcr", "--bot", "all", "--seed", "oak", "--record", path, "--no-score")
    return path


@pytest.mark.slow
def test_an_imported_record_is_replayed_and_saved_once(theirs: Path, tmp_path: Path) -> None:
    seed = "lcr, oak (claimed to be given by hand)"
    assert shown("scores", "import", theirs) == f"{theirs}: saved: {seed}\n"
    [one] = kept()
    assert one["imported"]
    assert (one["seconds"], one["plies"]) == (read(theirs).seconds, read(theirs).plies)
    assert one["record"] == str(theirs)
    copy = tmp_path / "copy.jsonl"
    copy.write_bytes(theirs.read_bytes())
    already = f"already saved: {seed}"
    said = shown("scores", "import", theirs, copy)
    assert said == f"{theirs}: {already}\n{copy}: {already}\n"
    assert len(kept()) == 1


def test_damaged_and_unfinished_records_are_not_imported(theirs: Path, tmp_path: Path) -> None:
    lines = theirs.read_text().splitlines(keepends=True)
    forged, unended, noise, gone = (tmp_path / it for it in ("forged", "unended", "noise", "gone"))
    forged.write_text("".join([*lines[:3], *lines[4:]]))
    unended.write_text("".join(lines[:4]))
    noise.write_text("dear diary\n")
    done = here("scores", "import", forged, unended, noise, theirs, gone)
    assert done.returncode == 1
    assert done.stdout == f"{theirs}: saved: lcr, oak (claimed to be given by hand)\n"
    complaints = [
        f"{forged}: line 4: action 3, 'roll', ",
        f"{unended}: ",
        f"{noise}: line 1: ",
        f"{gone}: ",
    ]
    for line, complaint in zip(done.stderr.splitlines(), complaints, strict=True):
        assert line.startswith(f"tabletop: refused: {complaint}")
    assert len(kept()) == 1
    said = refused("scores", "import", theirs, "--game", TICTACTOE, status=1)
    assert tells(said, "line 1: ... 'lcr' ... 'tictactoe'")


@pytest.mark.parametrize("place", [0, 2])
def test_an_import_names_a_game_that_is_not_installed(place: int, tmp_path: Path) -> None:
    path = tmp_path / "match.jsonl"
    here("play", TICTACTOE, "--record", path, "--no-score", "--seed", "x", typed=WIN)
    words: list[object] = ["import", path]
    words[place:place] = ["--game", TICTACTOE]
    said = shown("scores", *words)
    assert said == f"{path}: saved: tictactoe, x (claimed to be given by hand)\n"


# What was resumed: claims of records that came from elsewhere.


def test_a_resumed_match_does_not_become_weekly_by_its_record(tmp_path: Path) -> None:
    path = tmp_path / "match.jsonl"
    here("play", TICTACTOE, "--seed", "oak", "--record", path, "--no-score", typed=HALF)
    header, rest = path.read_text().split("\n", 1)
    header_data = json.loads(header) | {"seed_origin": "weekly"}
    del header_data["check"]
    path.write_bytes(to_json(with_check(header_data), order=None) + b"\n" + rest.encode())
    done = here("resume", str(path), "--game", TICTACTOE, typed="3\n")
    assert tells(done.stderr, "score ... not saved: ... 'oak' ... weekly")
    assert kept() == []


@pytest.mark.usefixtures("_in_week_47")
@pytest.mark.parametrize("place", ["elsewhere", "among one's own"])
def test_an_imported_match_is_saved_with_its_claims(
    place: str, tmp_path: Path, state: Path
) -> None:
    path = tmp_path / "match.jsonl"
    here("play", "lcr", *WEEKLY, "--record", path, typed="roll\n")
    if place != "elsewhere":
        own(state, "match.jsonl").write_bytes(path.read_bytes())
    resumed = [path] if place == "elsewhere" else []
    said = shown("resume", *resumed, typed="bot all\n" + "roll\n" * 400)
    assert "seed     2026-W47 (claimed to be of the week)\n" in said
    assert re.search(r"time     \d+:\d\d \(claimed\)\n", said)
    [sheet] = kept("--weekly")
    assert (sheet["imported"], sheet["claimed"]) == (True, ["seed_origin", "finished", "seconds"])


@pytest.mark.usefixtures("_in_week_47")
def test_a_resumed_own_match_is_not_a_claim() -> None:
    here("play", "lcr", "--weekly", typed="roll\n")
    said = shown("resume", typed="roll\n" * 400)
    assert "seed     2026-W47 (of the week)\n" in said
    assert "claimed" not in said
    [sheet] = kept("--weekly")
    assert not sheet["imported"]


# Sheets.


IMPORTED = replace(SHEET, imported=True, seconds=1.0, key="a")


def test_an_imported_weekly_sheet_is_marked_as_claimed(book: Path) -> None:
    for sheet in (
        replace(SHEET, seed="2026-W47", seed_origin="weekly", key="b"),
        replace(IMPORTED, seed="2026-W47", seed_origin="weekly"),
        replace(IMPORTED, seed="2026-W47 (of the week)", seed_origin="", key="c"),
        replace(IMPORTED, seed="2026-W47", seed_origin="of the week", key="d"),
    ):
        ScoreBook(book).add(sheet)
    assert {row[2] for row in rows()[1:]} == {
        "2026-W47 (of the week)",
        "2026-W47 (claimed to be of the week)",
        "'2026-W47 (of the week)' (imported)",
        "2026-W47 (claimed to be from 'of the week')",
    }
    board = rows("--weekly", "--seed", "2026-W47")[1:]
    assert [(row[1], row[3], row[-3]) for row in board] == [
        ("2026-11-21 12:00", "2026-W47 (of the week)", "1:02"),  # whose time was measured here
        ("2026-11-21 12:00 (claimed)", "2026-W47 (claimed to be of the week)", "0:01 (claimed)"),
    ]


def test_exports_mark_claims(book: Path) -> None:
    ScoreBook(book).add(IMPORTED)
    ScoreBook(book).add(SHEET)
    assert [sheet["claimed"] for sheet in kept()] == [[], ["seed_origin", "finished", "seconds"]]
    lines = shown("scores", "--csv").splitlines()
    assert lines[0].endswith(",imported,given_state,key,claimed")
    assert lines[1].endswith(",no,no,90af,")
    assert lines[2].endswith(",yes,no,a,seed_origin; finished; seconds")


@pytest.mark.parametrize("how", [[], ["--csv"], ["--weekly", "--seed", "W"]])
def test_invalid_sheets_are_reported_and_the_rest_is_listed(how: list[str], book: Path) -> None:
    plain: dict[str, Any] = to_builtins(SHEET)
    changes: list[dict[str, Any]] = [{"players": []}, {"plies": 10**30}, {"seconds": 1e300}]
    odd = ["{", "[" * 100_000, *(json.dumps(plain | change) for change in changes)]
    ScoreBook(book).add(replace(SHEET, seed="W", seed_origin="weekly"))
    copy_first(book, len(odd))
    with closing(sqlite3.connect(book, isolation_level=None)) as connection:
        for number, text in enumerate(odd, 1):
            connection.execute("UPDATE sheets SET sheet = ? WHERE id = ?", (text, number))
    done = here("scores", *how)
    assert done.returncode == 0
    assert len(re.findall(r"2026-11-21", done.stdout)) == 1
    [line] = done.stderr.splitlines()
    assert tells(line, f"tabletop: {book}: ... {len(odd)} damaged sheets ")
    assert re.search(r"\(sheet \d+: .*; sheet \d+: .*; sheet \d+: .*; \.\.\.\)$", line)
