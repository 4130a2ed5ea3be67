"""Scores: kept and shown at the end of a match, listed by `tabletop scores`, taken from others."""

from __future__ import annotations

import csv
import io
import json
import os
import re
import sqlite3
import subprocess
import sys
from contextlib import closing
from dataclasses import replace
from importlib.metadata import version
from pathlib import Path
from time import monotonic
from typing import Any

import pytest

from tabletop import Outcome
from tabletop.records.file import read
from tabletop.scores.book import ScoreBook
from tabletop.scores.tables import sheet_in_full
from tests.tabletop.cli.program import DUEL, TICTACTOE, WIN, here, records
from tests.tabletop.scoresheets import SHEET, copy_first


@pytest.fixture
def book(tmp_path: Path) -> Path:
    """The user's database of scores."""
    return tmp_path / "data" / "tabletop" / "scores.sqlite3"


def kept(*arguments: str) -> list[dict[str, Any]]:
    """The scores as the program tells them, the newest first."""
    done = here("scores", "--json", *arguments)
    assert (done.returncode, done.stderr) == (0, "")
    sheets: list[dict[str, Any]] = json.loads(done.stdout)
    return sheets


def rows(*arguments: str) -> list[list[str]]:
    """The rows of the table of scores, its titles first, as the program shows them."""
    done = here("scores", *arguments)
    assert (done.returncode, done.stderr) == (0, "")
    return [re.split(r" {2,}", line) for line in done.stdout.splitlines()]


# The end of a match.


def test_a_score_sheet_is_shown_and_kept_at_the_end_of_a_match(state: Path, book: Path) -> None:
    done = here("play", TICTACTOE, "--seed", "Old Oak", "--name", "Ann", typed=WIN)
    assert (done.returncode, done.stderr) == (0, "")
    [path] = records(state)
    sheet = done.stdout.split("Ann wins (three in a row).\n\n")[1]
    shown = dict(re.split(r" {2,}", line.strip(), maxsplit=1) for line in sheet.splitlines()[1:])
    assert sheet.startswith("Score sheet\n")
    assert shown["game"] == "Tic-tac-toe (tictactoe, rules 1)"
    assert shown["seed"] == "Old Oak (given by hand)"
    assert shown["seat 1"] == "Ann: human, won"
    assert shown["seat 2"] == "Player 2: human"
    assert shown["ended"].endswith(f" UTC, with tabletop {version('tabletop-rules')}")
    assert shown["actions"] == "5"
    assert re.fullmatch(r"\d:\d\d", shown["time"])
    assert shown["record"] == str(path)
    assert book.is_file()
    [one] = kept()
    assert one["winners"] == ["Ann"]
    assert one["outcome"] == {
        "ranking": [[0], [1]],
        "reason": "three in a row",
        "abandoned": False,
        "points": [],
    }
    facts = {name: one[name] for name in ("game", "version", "seed", "seed_origin", "plies")}
    assert facts == {
        "game": "tictactoe",
        "version": "1",
        "seed": "Old Oak",
        "seed_origin": "given",
        "plies": 5,
    }
    assert one["players"] == ["human", "human"]
    assert one["record"] == str(path)
    assert one["program"] == version("tabletop-rules")
    assert one["seconds"] == read(path).seconds
    assert not one["imported"]


def test_a_match_that_is_left_has_no_score(book: Path) -> None:
    done = here("play", TICTACTOE, typed="1\n")
    assert "Score sheet" not in done.stdout
    assert not book.exists()


def test_a_match_that_is_resumed_is_scored_as_a_whole(state: Path) -> None:
    here("play", TICTACTOE, "--seed", "old oak", typed="1\n4\nundo\n5\n")
    done = here("resume", typed="2\n4\n3\n")
    assert "\n  actions  5 (1 taken back)\n" in done.stdout
    [one] = kept()
    assert (one["plies"], one["undone"], one["seed_origin"]) == (5, 1, "given")
    assert one["record"] == str(records(state)[0])
    assert one["seconds"] == read(records(state)[0]).seconds


def test_a_match_without_a_record_is_scored_too(state: Path) -> None:
    done = here("play", TICTACTOE, "--no-record", "--seed", "x", typed="5\nundo\n" + WIN)
    assert "\n  record   none\n" in done.stdout
    [one] = kept()
    assert (one["plies"], one["undone"], one["record"]) == (5, 1, "")
    assert one["seconds"] >= 0
    assert not state.exists()


def test_a_match_is_not_scored_when_nobody_wants_it(
    book: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for record in ("--no-record", "--record=match.jsonl"):
        done = here("play", TICTACTOE, record, "--no-score", typed=WIN)
        assert done.stdout.endswith("Player 1 wins (three in a row).\n")
    here("play", TICTACTOE, typed="1\n4\n2\n5\n")
    done = here("resume", "--no-score", typed="3\n")
    assert done.stdout.endswith("Player 1 wins (three in a row).\n")
    assert not book.exists()


def test_who_let_a_bot_play_has_not_played_alone() -> None:
    here("play", DUEL, "--bot", "1=random", "--bot", "2", "--seed", "x")
    here("play", DUEL, "--no-record", "--seed", "x", typed="1\n1\nbot 1\npick paper\n")
    assert [it["players"] for it in kept()] == [["human+stony", "human"], ["random", "stony"]]


def test_a_draw_and_what_was_broken_off_have_no_winner() -> None:
    here("play", TICTACTOE, "--seed", "drawn", typed="1\n2\n3\n5\n4\n7\n6\n9\n8\n")
    done = here("play", DUEL, "--seed", "flipped", typed="pick rock\n/table\ntable\n")
    assert "Player 1: human, abandoned\n" in done.stdout
    flipped, drawn = rows()[1:]
    assert (drawn[2], drawn[3]) == ("drawn (given by hand)", "a draw")
    assert (flipped[2], flipped[3]) == ("flipped (given by hand)", "abandoned")


# Scores stop no game.


def test_a_damaged_database_stops_no_game_and_is_left_as_it_is(book: Path) -> None:
    book.parent.mkdir(parents=True)
    book.write_bytes(b"no database " * 100)
    done = here("play", TICTACTOE, "--seed", "x", typed=WIN)
    assert done.returncode == 0
    assert "Player 1 wins (three in a row).\n\nScore sheet\n" in done.stdout
    assert done.stderr == (
        f"tabletop: the score is not kept: {book}: file is not a database;"
        f" to set it aside and begin a new one: mv {book} {book}.damaged\n"
    )
    assert book.read_bytes() == b"no database " * 100


@pytest.mark.slow
def test_a_database_that_another_program_holds_delays_no_game(
    book: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert here("play", TICTACTOE, typed=WIN).returncode == 0
    monkeypatch.setattr("tabletop.scores.book.PATIENCE", 0.5)
    with closing(sqlite3.connect(book, isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        began = monotonic()
        done = here("play", TICTACTOE, typed=WIN)
        assert monotonic() - began < 60
    assert done.returncode == 0
    assert "Score sheet" in done.stdout
    assert done.stderr == f"tabletop: the score is not kept: {book}: database is locked\n"


def test_a_data_directory_that_cannot_be_written_stops_no_game(tmp_path: Path) -> None:
    (tmp_path / "data").write_text("a file stands where the directory should")
    done = here("play", TICTACTOE, typed=WIN)
    assert done.returncode == 0
    assert "Player 1 wins (three in a row).\n\nScore sheet\n" in done.stdout
    where = tmp_path / "data" / "tabletop"
    assert (
        done.stderr
        == f"tabletop: the score is not kept: {where}: cannot be made: Not a directory\n"
    )


def test_scores_of_a_newer_version_stop_no_game_and_are_left_alone(book: Path) -> None:
    here("play", TICTACTOE, "--seed", "x", typed=WIN)
    with closing(sqlite3.connect(book)) as connection:
        connection.execute("PRAGMA user_version = 99")
    data = book.read_bytes()
    done = here("play", TICTACTOE, typed=WIN)
    assert done.returncode == 0
    assert re.match(r"tabletop: the score is not kept: .* newer version", done.stderr)
    done = here("scores")
    assert (done.returncode, done.stdout) == (1, "")
    assert "newer version of this program (tables 99; this one knows 1)" in done.stderr
    assert book.read_bytes() == data


def test_a_record_that_is_gone_at_the_end_stops_no_game(tmp_path: Path) -> None:
    game, path = tmp_path / "game.py", tmp_path / "match.jsonl"
    game.write_text(Path(TICTACTOE).read_text() + BURNS.format(record=str(path)))
    done = here("play", game, "--record", path, typed=WIN)
    assert done.returncode == 0
    assert done.stdout.endswith("Player 1 wins (three in a row).\n")
    reason = f"the score is not kept: {path}: cannot be read: No such file or directory"
    assert done.stderr == f"tabletop: {reason}\n"


BURNS = """
import os
from tabletop.text import TextView
class Burning(TextView):
    def outcome(self, outcome, names):
        os.remove({record!r})
        return super().outcome(outcome, names)
TEXT = Burning()
"""

PLAYERS_AT_ONCE = 4


@pytest.mark.slow
def test_matches_that_end_at_once_lose_no_score(book: Path, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "tabletop", "play", DUEL, "--seed", "same"]
    programs = [
        subprocess.Popen(
            [*command, "--record", str(tmp_path / f"{number}.jsonl")],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )
        for number in range(PLAYERS_AT_ONCE)
    ]
    for program in programs:  # all are at their last prompt before one is let go
        assert program.stdout is not None
        while b"4" not in os.read(program.stdout.fileno(), 4096):
            pass
    for program in programs:
        assert program.stdin is not None
        program.stdin.write(b"table\n")
        program.stdin.flush()
    said = [program.communicate(timeout=60)[0].decode() for program in programs]
    assert [program.returncode for program in programs] == [0] * PLAYERS_AT_ONCE, said
    sheets = ScoreBook(book).find()
    assert {sheet.record for sheet in sheets} == {
        str(tmp_path / f"{number}.jsonl") for number in range(PLAYERS_AT_ONCE)
    }
    assert len(sheets) == len({sheet.key for sheet in sheets}) == PLAYERS_AT_ONCE


# Showing them.


def test_without_scores_there_is_nothing_to_show(book: Path) -> None:
    done = here("scores")
    assert (done.returncode, done.stdout) == (0, "no matches\n")
    assert here("scores", "--seed", "oak").stdout == "no matches with the seed oak\n"
    assert here("scores", "--json").stdout == "[]\n"
    assert here("scores", "--csv").stdout.startswith("finished,game,version,seed,")
    assert len(here("scores", "--csv").stdout.splitlines()) == 1
    assert not book.exists()


def test_scores_are_a_table_the_newest_first(monkeypatch: pytest.MonkeyPatch) -> None:
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


def test_a_table_shows_twenty_matches_unless_told_otherwise(book: Path) -> None:
    ScoreBook(book).add(SHEET)
    copy_first(book, 21)
    assert len(rows()) == 21
    assert len(rows("-n", "22")) == 23
    assert len(kept()) == 22
    assert len(kept("-n", "5")) == 5


def test_scores_of_one_game_are_asked_for_by_its_name_or_its_file() -> None:
    here("play", TICTACTOE, "--seed", "x", typed=WIN)
    here("play", "lcr", "--bot", "all")
    assert [line[1] for line in rows("lcr")[1:]] == ["lcr"]
    assert [line[1] for line in rows("tictactoe")[1:]] == ["tictactoe"]
    assert [line[1] for line in rows(TICTACTOE)[1:]] == ["tictactoe"]
    assert rows("constructor") == [["no matches"]]


def test_csv_has_a_row_a_match_with_titles() -> None:
    here("play", TICTACTOE, "--seed", 'a "b", c', "--name", "Ann", "--name", "Bo", typed=WIN)
    here("play", "lcr", "--bot", "all", "--option", "course-seed=4", "--no-record")
    done = here("scores", "--csv")
    lcr, tictactoe = csv.DictReader(io.StringIO(done.stdout))
    assert tictactoe["seed"] == 'a "b", c'
    assert tictactoe["seats"] == "Ann; Bo"
    assert tictactoe["winners"] == "Ann"
    assert tictactoe["imported"] == "no"
    assert lcr["options"] == "course-seed=4"
    assert lcr["record"] == ""


# Records from others.


@pytest.fixture
def theirs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The record of a match of LCR that somebody else has played."""
    path = tmp_path / "theirs.jsonl"
    with monkeypatch.context() as patch:
        patch.setenv("XDG_DATA_HOME", str(tmp_path / "theirs"))
        here("play", "lcr", "--bot", "all", "--seed", "oak", "--record", path)
    return path


def test_a_record_from_somebody_else_is_played_again_and_its_score_kept_once(
    theirs: Path, tmp_path: Path
) -> None:
    done = here("scores", "import", str(theirs))
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == f"{theirs}: kept: lcr, oak (claimed to be given by hand)\n"
    [one] = kept()
    assert one["imported"]
    assert one["seconds"] == read(theirs).seconds
    assert one["plies"] == read(theirs).plies
    assert one["record"] == str(theirs)
    copy = tmp_path / "copy.jsonl"
    copy.write_bytes(theirs.read_bytes())
    done = here("scores", "import", theirs, copy)
    already = "kept already: lcr, oak (claimed to be given by hand)"
    assert (done.returncode, done.stdout) == (0, f"{theirs}: {already}\n{copy}: {already}\n")
    assert len(kept()) == 1


def test_a_match_played_here_is_not_taken_from_its_record(state: Path) -> None:
    here("play", "lcr", "--bot", "all")
    done = here("scores", "import", *records(state))
    assert "kept already: lcr" in done.stdout
    assert len(kept()) == 1


def test_records_that_do_not_verify_or_have_not_ended_are_refused_each_with_a_line(
    theirs: Path, tmp_path: Path
) -> None:
    lines = theirs.read_text().splitlines(keepends=True)
    forged, unended, noise = (tmp_path / f"{it}.jsonl" for it in ("forged", "unended", "noise"))
    forged.write_text("".join([*lines[:3], *lines[4:]]))
    unended.write_text("".join(lines[:4]))
    noise.write_text("dear diary\n")
    gone = tmp_path / "gone.jsonl"
    done = here("scores", "import", *map(str, (forged, unended, noise, theirs, gone)))
    assert done.returncode == 1
    assert done.stdout == f"{theirs}: kept: lcr, oak (claimed to be given by hand)\n"
    refused = done.stderr.splitlines()
    assert len(refused) == 4
    assert refused[0].startswith(f"tabletop: refused: {forged}: line 4: action 3, 'roll', ")
    assert refused[1] == f"tabletop: refused: {unended}: the match has not ended"
    assert refused[2].startswith(f"tabletop: refused: {noise}: line 1: no record of a match: ")
    assert refused[3] == f"tabletop: refused: {gone}: there is no such file"
    assert len(kept()) == 1


@pytest.mark.parametrize("place", [0, 1, 2])
def test_a_game_that_is_not_installed_is_named_anywhere(place: int, tmp_path: Path) -> None:
    path = tmp_path / "match.jsonl"
    here("play", TICTACTOE, "--record", path, "--no-score", "--seed", "x", typed=WIN)
    words = [["import"], [str(path)]]
    words.insert(place, ["--game", TICTACTOE])
    done = here("scores", *[word for group in words for word in group])
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == f"{path}: kept: tictactoe, x (claimed to be given by hand)\n"


def test_what_cannot_be_taken_is_a_failure(theirs: Path, tmp_path: Path) -> None:
    done = here("scores", "import", theirs, "--game", TICTACTOE)
    assert (done.returncode, "a record of 'lcr', not of 'tictactoe'" in done.stderr) == (1, True)
    (tmp_path / "data").write_text("a file stands where the directory should")
    done = here("scores", "import", str(theirs))
    assert (done.returncode, done.stdout) == (1, "")
    assert "cannot be made: Not a directory" in done.stderr


def test_an_interrupted_import_is_a_failure_that_says_how_far_it_came(tmp_path: Path) -> None:
    path, slow = tmp_path / "match.jsonl", tmp_path / "slow.py"
    here("play", TICTACTOE, "--seed", "oak", "--record", path, typed=WIN)
    rules = Path(TICTACTOE).read_text("utf-8")
    start = "    def apply(self, state: Board, action: Place, table: Table) -> None:\n"
    assert start in rules
    slow.write_text(rules.replace(start, f"{start}        raise KeyboardInterrupt\n"), "utf-8")
    done = here("scores", "import", path, path, "--game", slow)
    assert done.returncode == 130
    assert done.stderr == "tabletop: interrupted: 0 of 2 files done\n"


def test_points_and_reasons_are_shown_listed_and_exported(book: Path) -> None:
    outcome = Outcome.by_score([7, 1], "all coins are taken " * 4)
    ScoreBook(book).add(replace(SHEET, outcome=outcome, given_state=True))
    (line,) = rows()[1:]
    assert line[-2:] == ["7, 1", "all coins are taken all coins are taken all c..."]
    assert "from a given position" in line[2]
    (row,) = csv.DictReader(io.StringIO(here("scores", "--csv").stdout))
    assert (row["points"], row["reason"], row["given_state"]) == ("7; 1", outcome.reason, "yes")
    (one,) = kept()
    assert one["outcome"]["points"] == [7, 1]
    shown = sheet_in_full(replace(SHEET, outcome=outcome))
    assert ": human, won, 7 points\n" in shown
    assert re.search(r"seat 2 .*, 1 point\n  reason   all coins", shown)
