"""`tabletop play --log`: every draw of a match, with stream, position, bound and result."""

from __future__ import annotations

import json
from pathlib import Path

from tabletop import Match
from tabletop.records import read, read_log, replay
from tabletop.registry import load
from tabletop.rng import Draw
from tests.tabletop.cli.program import TICTACTOE, WIN, here, records, refused, shown
from tests.tabletop.told import tells


def draws_of(path: Path) -> list[Draw]:
    """Return all draws in a log."""
    _, steps = read_log(path)
    return [draw for step in steps for draw in step.draws or ()]


def test_every_draw_is_logged_next_to_the_record(state: Path) -> None:
    output = shown("play", "lcr", "--seed", "old oak", "--bot", "all", "--log")
    log, record = records(state)
    assert (log.suffix, log.stem) == (".draws", record.stem)
    assert tells(output.splitlines()[0], f"logged in {log}")
    assert tells(output.splitlines()[1], "seed: old oak")
    match = replay(read(record), load("lcr").game)
    assert match.over
    draws: list[Draw] = []
    again = Match(match.game, seed="old oak", on_draw=draws.append)
    for action in match.actions:
        again.play(action)
    assert draws_of(log) == draws
    assert len(draws) == match.streams()["dice"] > 10


def test_a_log_contains_its_match_and_the_actions(tmp_path: Path) -> None:
    path = tmp_path / "draws.jsonl"
    here("play", TICTACTOE, "--weekly", "--no-record", "--log", path, "--name", "Ann", typed=WIN)
    header, steps = read_log(path)
    assert (header.game, header.seed_origin, header.seats[0]) == ("tictactoe", "weekly", "Ann")
    assert [step.do for step in steps] == [None, "1", "4", "2", "5", "3"]


def test_logging_does_not_change_the_match(tmp_path: Path) -> None:
    play = ["play", "lcr", "--seed", "x", "--bot", "all", "--no-record", "--no-score"]
    path = tmp_path / "draws"
    assert shown(*play, "--log", path) == f"Every draw is logged in {path}\n{shown(*play)}"
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    assert {"stream", "position", "bound", "result"} in map(set, lines)


def test_a_log_without_a_record_needs_a_name(state: Path) -> None:
    message = refused("play", TICTACTOE, "--no-record", "--log")
    assert tells(message, "--log: ... --log FILE")
    assert not state.exists()


def test_a_log_in_the_record_folder_is_not_resumed(state: Path) -> None:
    here("play", TICTACTOE, "--log", "--seed", "mine", typed="1\n")
    assert here("resume").stdout.startswith("Tic-tac-toe, seed: mine; 1 action so far\n")
