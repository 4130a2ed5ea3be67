"""Records and sheets that somebody forged, before the real program."""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tabletop.codec import to_builtins, to_json
from tabletop.records.format import sealed
from tabletop.scores.book import ScoreBook
from tests.tabletop.cli.program import TICTACTOE, WIN, here, own
from tests.tabletop.games import walk
from tests.tabletop.scoresheets import SHEET, copy_first

WALK = str(Path(walk.__file__))


@pytest.fixture
def book(tmp_path: Path) -> ScoreBook:
    """The user's scores."""
    return ScoreBook(tmp_path / "data" / "tabletop" / "scores.sqlite3")


def cells(*arguments: str) -> list[list[str]]:
    """The rows of a table of scores."""
    return [re.split(r" {2,}", line) for line in here("scores", *arguments).stdout.splitlines()]


# Scores of what was resumed.


def test_a_resumed_match_is_not_weekly_because_its_record_says_so(tmp_path: Path) -> None:
    path = tmp_path / "match.jsonl"
    here("play", TICTACTOE, "--seed", "oak", "--record", path, "--no-score", typed="1\n4\n2\n5\n")
    header, rest = path.read_text().split("\n", 1)
    told = json.loads(header)
    del told["check"]
    told["seed_origin"] = "weekly"
    path.write_bytes(to_json(sealed(told), order=None) + b"\n" + rest.encode())
    done = here("resume", str(path), "--game", TICTACTOE, typed="3\n")
    assert "the score is not kept: " in done.stderr
    assert "'oak' is not the weekly seed of a match begun" in done.stderr
    assert here("scores").stdout == "no matches\n"


def test_a_match_resumed_from_elsewhere_is_scored_with_what_it_claims(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TABLETOP_NOW", "2026-11-21T12:00:00")
    path = tmp_path / "match.jsonl"
    here("play", TICTACTOE, "--weekly", "--record", path, "--no-score", typed="1\n4\n2\n5\n")
    done = here("resume", path, "--game", TICTACTOE, typed="3\n")
    assert "seed     2026-W47 (claimed to be of the week)\n" in done.stdout
    assert re.search(r"time     \d+:\d\d \(claimed\)\n", done.stdout)
    [sheet] = json.loads(here("scores", "--json").stdout)
    assert (sheet["imported"], sheet["claimed"]) == (True, ["seed_origin", "finished", "seconds"])


def test_a_strangers_record_among_ones_own_is_scored_with_what_it_claims(
    tmp_path: Path, state: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TABLETOP_NOW", "2026-11-21T12:00:00")
    path = tmp_path / "match.jsonl"
    here("play", "lcr", "--weekly", "--record", path, "--no-score", typed="roll\n")
    own(state, "match.jsonl").write_bytes(path.read_bytes())
    done = here("resume", typed="bot all\n" + "roll\n" * 400)
    assert "seed     2026-W47 (claimed to be of the week)\n" in done.stdout
    [sheet] = json.loads(here("scores", "--weekly", "--json").stdout)
    assert sheet["imported"]


def test_ones_own_match_is_no_claim_when_it_was_resumed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TABLETOP_NOW", "2026-11-21T12:00:00")
    here("play", "lcr", "--weekly", typed="roll\n")
    done = here("resume", typed="roll\n" * 400)
    assert "seed     2026-W47 (of the week)\n" in done.stdout
    assert "claimed" not in done.stdout
    [sheet] = json.loads(here("scores", "--weekly", "--json").stdout)
    assert not sheet["imported"]


# Sheets.


IMPORTED = replace(SHEET, imported=True, seconds=1.0, key="a")


def test_an_imported_sheet_never_reads_like_a_weekly_one_of_here(book: ScoreBook) -> None:
    book.add(replace(SHEET, seed="2026-W47", seed_origin="weekly", key="b"))
    book.add(replace(IMPORTED, seed="2026-W47", seed_origin="weekly"))
    book.add(replace(IMPORTED, seed="2026-W47 (of the week)", seed_origin="", key="c"))
    book.add(replace(IMPORTED, seed="2026-W47", seed_origin="of the week", key="d"))
    shown = {row[2] for row in cells()[1:]}
    assert shown == {
        "2026-W47 (of the week)",
        "2026-W47 (claimed to be of the week)",
        "'2026-W47 (of the week)' (imported)",
        "2026-W47 (claimed to be from 'of the week')",
    }
    board = cells("--weekly", "--seed", "2026-W47")[1:]
    assert [row[3] for row in board] == [
        "2026-W47 (of the week)",  # whose time was measured here
        "2026-W47 (claimed to be of the week)",
    ]
    assert [(row[1], row[-3]) for row in board] == [
        ("2026-11-21 12:00", "1:02"),
        ("2026-11-21 12:00 (claimed)", "0:01 (claimed)"),
    ]


def test_exports_say_what_is_claimed(book: ScoreBook) -> None:
    book.add(IMPORTED)
    book.add(SHEET)
    claimed = [sheet["claimed"] for sheet in json.loads(here("scores", "--json").stdout)]
    assert claimed == [[], ["seed_origin", "finished", "seconds"]]
    lines = here("scores", "--csv").stdout.splitlines()
    assert lines[0].endswith(",imported,given_state,key,claimed")
    assert lines[1].endswith(",no,no,90af,")
    assert lines[2].endswith(",yes,no,a,seed_origin; finished; seconds")


def odd_sheets() -> Iterator[str]:
    plain: dict[str, Any] = to_builtins(SHEET)
    yield "{"
    yield "[" * 100_000
    yield json.dumps(plain | {"players": []})
    yield json.dumps(plain | {"seats": [], "players": []})
    yield json.dumps(plain | {"outcome": {"ranking": [[99], [0]]}})
    yield json.dumps(plain | {"outcome": {"ranking": []}})
    yield json.dumps(plain | {"plies": 10**30})
    yield json.dumps(plain | {"undone": -1})
    yield json.dumps(plain | {"seconds": 1e300})
    yield json.dumps(plain | {"seconds": -1})
    yield json.dumps(plain | {"finished": "yesterday"})
    yield json.dumps(plain | {"finished": 7})
    yield json.dumps(plain | {"options": {"goal": [1]}})
    yield json.dumps(plain | {"seed": "\ud800"})


@pytest.mark.parametrize("how", [[], ["--json"], ["--csv"], ["race"], ["--weekly", "--seed", "W"]])
def test_odd_sheets_are_named_and_the_rest_is_listed(how: list[str], book: ScoreBook) -> None:
    whole = replace(SHEET, seed="W", seed_origin="weekly")
    odd = list(odd_sheets())
    book.add(whole)
    copy_first(book.path, len(odd))
    with closing(sqlite3.connect(book.path, isolation_level=None)) as connection:
        for number, text in enumerate(odd, 1):
            connection.execute("UPDATE sheets SET sheet = ? WHERE id = ?", (text, number))
    done = here("scores", *how)
    assert done.returncode == 0
    assert len(re.findall(r"2026-11-21", done.stdout)) == 1
    [line] = done.stderr.splitlines()
    assert line.startswith(f"tabletop: {book.path}: {len(odd)} sheets are damaged and left out (")
    assert re.search(r"\(sheet \d+: .*; sheet \d+: .*; sheet \d+: .*; \.\.\.\)$", line)


def test_a_win_at_home_is_scored_as_ever() -> None:
    here("play", TICTACTOE, typed="1\n4\n")
    done = here("resume", typed=WIN[4:])
    assert "claimed" not in done.stdout
    assert (done.returncode, len(cells())) == (0, 2)
