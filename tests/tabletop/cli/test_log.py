"""`tabletop play --log`: every draw of a match, with stream, position, bound and result."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tabletop import Match
from tabletop.records.draw_log import read_log
from tabletop.records.file import read
from tabletop.records.replay import replay
from tabletop.registry import load
from tabletop.rng import Draw
from tests.tabletop.cli.program import TICTACTOE, WIN, here, records


def draws_of(path: Path) -> list[Draw]:
    """All draws in a log."""
    _, steps = read_log(path)
    return [draw for step in steps for draw in step.draws or ()]


def test_every_draw_is_logged_beside_the_record_and_said_at_the_start(state: Path) -> None:
    done = here("play", "lcr", "--seed", "old oak", "--bot", "all", "--log")
    assert (done.returncode, done.stderr) == (0, "")
    log, record = records(state)
    assert (log.suffix, log.stem) == (".draws", record.stem)
    assert done.stdout.startswith(f"Every draw is logged in {log}\nLeft, Center, Right, seed: old")
    match = replay(read(record), load("lcr").game)
    assert match.over
    told: list[Draw] = []
    again = Match(match.game, seed="old oak", on_draw=told.append)
    for action in match.actions:
        again.play(action)
    assert draws_of(log) == told
    assert len(told) == match.streams()["dice"] > 10


def test_what_the_setup_draws_is_logged_as_well(tmp_path: Path) -> None:
    path = tmp_path / "draws"
    here("play", "sorcery", "--seed", "x", "--no-record", f"--log={path}")
    streams = {draw.stream for draw in draws_of(path)}
    assert streams == {"deck/0", "deck/1"}


def test_a_log_says_which_match_it_is_of_and_what_was_done(tmp_path: Path) -> None:
    path = tmp_path / "draws.jsonl"
    here("play", TICTACTOE, "--weekly", "--no-record", "--log", path, "--name", "Ann", typed=WIN)
    header, steps = read_log(path)
    assert (header.game, header.seed_origin, header.seats[0]) == ("tictactoe", "weekly", "Ann")
    assert [step.do for step in steps] == [None, "1", "4", "2", "5", "3"]


def test_a_logged_match_goes_as_one_that_is_not_logged(tmp_path: Path) -> None:
    play = ["play", "lcr", "--seed", "x", "--bot", "all", "--no-record", "--no-score"]
    plain = here(*play).stdout
    path = tmp_path / "draws"
    logged = here(*play, "--log", path).stdout
    assert logged == f"Every draw is logged in {path}\n{plain}"


def test_each_line_of_a_log_is_json(tmp_path: Path) -> None:
    path = tmp_path / "draws"
    here("play", "lcr", "--bot", "all", "--no-record", "--log", path)
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    assert {"stream", "position", "bound", "result"} in map(set, lines)


@pytest.mark.parametrize("record", [[], ["--no-record"]])
def test_a_log_that_cannot_be_written_is_a_failure_and_nothing_is_played(
    record: list[str], tmp_path: Path, state: Path
) -> None:
    path = tmp_path / "letter.txt"
    path.write_text("dear")
    done = here("play", TICTACTOE, *record, "--log", path)
    assert (done.returncode, done.stdout) == (1, "")
    assert f"{path}: there is a file already; name a new one" in done.stderr
    assert path.read_text() == "dear"
    assert records(state) == []


def test_a_log_without_a_record_needs_a_name(state: Path) -> None:
    done = here("play", TICTACTOE, "--no-record", "--log")
    assert (done.returncode, done.stdout) == (2, "")
    assert "--log: without a record, say where: --log FILE" in done.stderr
    assert not state.exists()


def test_a_record_that_cannot_be_written_leaves_no_log_behind(tmp_path: Path) -> None:
    path = tmp_path / "letter.jsonl"
    path.write_text("dear")
    done = here("play", TICTACTOE, "--record", path, "--log")
    assert done.returncode == 1
    assert [it.name for it in tmp_path.iterdir() if it.is_file()] == ["letter.jsonl"]


def test_a_log_in_the_directory_of_records_is_no_interrupted_match(state: Path) -> None:
    here("play", TICTACTOE, "--log", "--seed", "mine", typed="1\n")
    assert here("resume").stdout.startswith("Tic-tac-toe, seed: mine; 1 action so far\n")
