"""Seeds of the week and the day, which are the same for everybody and have leaderboards."""

from __future__ import annotations

import re
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from tabletop.records import read
from tabletop.rng import daily
from tests.tabletop.cli.program import (
    TICTACTOE,
    WIN,
    here,
    kept,
    records,
    refused,
    rows,
    shown,
)
from tests.tabletop.told import tells


def play(*arguments: str, typed: str = WIN) -> None:
    """Play tic-tac-toe to its end."""
    done = here("play", TICTACTOE, "--no-record", *arguments, typed=typed)
    assert "Score sheet" in done.stdout


@pytest.mark.parametrize(
    ("now", "option", "seed"),
    [
        ("2026-11-21T12:00:00", "--weekly", "2026-W47"),
        ("2026-11-23T01:30:00+02:00", "--weekly", "2026-W47"),
        ("2026-11-23", "--weekly", "2026-W48"),
        ("2027-01-01", "--weekly", "2026-W53"),
        ("2026-11-21T12:00:00", "--daily", "2026-11-21"),
    ],
)
def test_the_seed_is_that_of_the_week_or_the_day_in_utc(
    now: str, option: str, seed: str, state: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TABLETOP_NOW", now)
    done = here("play", "lcr", option, "--bot", "all")
    assert done.returncode == 0
    assert done.stdout.startswith(f"Left, Center, Right, seed: {seed}\n")
    header = read(records(state)[0]).header
    assert (header.seed, header.seed_origin) == (seed, option.strip("-"))


@pytest.mark.parametrize(
    ("words", "different"),
    [
        (["lcr", "--weekly"], 2),
        (["constructor", "--daily"], 3),
        (["constructor", "--weekly", "--option", "random-board=no"], 1),
    ],
)
def test_everybody_plays_the_same_match_or_random_board_in_a_week_or_on_a_day(
    words: list[str], different: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = set()
    bots = ["--bot", "all"] if "lcr" in words else []
    for now in ("2026-11-16", "2026-11-17", "2026-11-23"):  # two days of a week, and the next one
        monkeypatch.setenv("TABLETOP_NOW", now)
        done = here("play", *words, *bots, "--no-record", "--no-score")
        told.add(done.stdout.split("\n", 1)[1])
    assert len(told) == different


@pytest.mark.parametrize("place", ["AHEAD-14", "BEHIND+12"])
def test_dates_are_in_utc(place: str, state: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """At any time, the date in one of these time zones differs from that in UTC."""
    monkeypatch.setenv("TZ", place)
    time.tzset()
    began = datetime.now(UTC)
    shown("play", "lcr", "--daily", "--bot", "all")
    [sheet] = kept()
    ended = datetime.now(UTC)
    monkeypatch.undo()
    time.tzset()
    [path] = records(state)
    header = read(path).header
    times = [header.created, sheet["finished"], path.name.split("-")[1] + "Z"]
    for told, moment in zip(times, map(datetime.fromisoformat, times), strict=True):
        assert moment.utcoffset() == timedelta(0), told
        assert began.replace(microsecond=0) <= moment <= ended, told
    assert header.seed in {daily(began), daily(ended)}


@pytest.mark.parametrize("now", ["today", "2026-13-01", "0001-01-01T00:00:00+14:00"])
def test_an_invalid_time_is_refused(now: str, book: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TABLETOP_NOW", now)
    for arguments in (["play", TICTACTOE, "--weekly"], ["scores", "--daily"]):
        message = refused(*arguments)
        assert message.startswith(f"tabletop: TABLETOP_NOW={now}: ")
    assert not book.exists()


@pytest.mark.usefixtures("_in_week_47")
def test_the_weekly_board_contains_the_weekly_matches_of_this_week(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    play("--weekly", "--name", "Ann")
    play("--daily", "--name", "Bo")
    play("--seed", "2026-W47", "--name", "Cy")
    play("--name", "Dee")
    [title, *lines] = rows("--weekly")
    assert title == [
        *("PLACE", "FINISHED", "GAME", "SEED", "WON BY", "ACTIONS", "TIME", "POINTS", "REASON")
    ]
    assert [line[3:5] for line in lines] == [["2026-W47 (of the week)", "Ann (human)"]]
    assert [line[4] for line in rows("--daily")[1:]] == ["Bo (human)"]
    monkeypatch.setenv("TABLETOP_NOW", "2026-11-28")
    assert rows("--weekly") == [["no matches with the seed 2026-W48"]]
    assert [line[4] for line in rows("--weekly", "--seed", "2026-w47")[1:]] == ["Ann (human)"]
    assert [line[4] for line in rows("--daily", "--seed", "2026-11-21")[1:]] == ["Bo (human)"]


LONG_WIN = "1\n2\n3\n4\n5\n6\n7\n"
"""Input with which the first player of tic-tac-toe wins after seven actions."""
LOSS = "1\n4\n2\n5\n9\n6\n"
"""Input with which the second player wins."""


@pytest.mark.slow
@pytest.mark.usefixtures("_in_week_47")
def test_a_board_lists_the_best_first() -> None:
    play("--weekly", "--bot", "all", "--name", "Nobody")
    play("--weekly", "--name", "Undone", typed=f"9\nundo\n{WIN}")
    play("--weekly", "--name", "Drawn", typed="1\n2\n3\n5\n4\n7\n6\n9\n8\n")
    play("--weekly", "--name", "Slow", typed=LONG_WIN)
    play("--weekly", "--name", "Quick")
    play("--weekly", "--name", "Loser", "--name", "Second", typed=LOSS)
    lines = rows("tictactoe", "--weekly")[1:]
    assert [line[0] for line in lines] == ["1", "2", "3", "4", "5", "6"]
    winners = [line[4].partition(" ")[0] for line in lines]
    assert winners[:5] == ["Quick", "Second", "Slow", "Undone", "a"]
    assert "random" in lines[5][4] or lines[5][4] == "a draw"
    assert [line[5] for line in lines[:4]] == ["5", "6", "7", "5 (1 undone)"]
    assert [line[4] for line in rows("--weekly", "-n", "1")[1:]] == ["Quick (human)"]


@pytest.mark.slow
@pytest.mark.usefixtures("_in_week_47")
def test_matches_with_other_options_or_seats_are_not_compared() -> None:
    for more in ([], ["--seats", "5"], ["--option", "course-seed=7"], []):
        here("play", "lcr", "--weekly", "--bot", "all", "--no-record", *more)
    here("play", "sorcery", "--weekly", "--bot", "all", "--no-record")
    kinds = ["lcr seats=3", "lcr seats=3", "lcr seats=3 course-seed=7", "lcr seats=5", "sorcery"]
    lines = rows("--weekly")[1:]
    assert sorted(line[2] for line in lines) == kinds
    assert sorted(line[0] for line in lines) == ["1", "1", "1", "1", "2"]
    assert len(rows("--weekly", "-n", "1")[1:]) == 4


@pytest.mark.usefixtures("_in_week_47")
def test_an_imported_weekly_match_is_on_the_board_of_its_week(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "theirs.jsonl"
    here("play", "lcr", "--weekly", "--bot", "all", "--record", path, "--no-score")
    monkeypatch.setenv("TABLETOP_NOW", "2026-12-24")
    said = shown("scores", "import", path)
    assert said == f"{path}: saved: lcr, 2026-W47 (claimed to be of the week)\n"
    header, rest = path.read_text().split("\n", 1)
    header = re.sub(r',"check":"\w+"', "", header).replace("2026-11-21T", "2026-11-28T")
    path.write_text(f"{header}\n{rest}")
    said = refused("scores", "import", path, status=1)
    assert tells(said, "'2026-W47' ... weekly ... 2026-11-28T12:00:00")
    assert len(rows("--weekly", "--seed", "2026-W47")) == 2


def test_a_weekly_match_that_is_resumed_later_keeps_its_week(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("TABLETOP_NOW", "2026-11-22T23:59:00")
    here("play", TICTACTOE, "--weekly", typed="1\n4\n2\n5\n")
    monkeypatch.setenv("TABLETOP_NOW", "2026-11-23T00:01:00")
    assert "seed     2026-W47 (of the week)\n" in here("resume", typed="3\n").stdout
    assert rows("--weekly", "--seed", "2026-W47")[1][1] == "2026-11-23 00:01"
