"""Games in batches (`lcr.sweep`), and the command `lcr sweep`."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence

import numpy as np
import pexpect
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.lcr.programs import DATA, course_turns, run
from tests.program_runs import Printed
from tests.terminals import spawn

from lcr import GAME, ROLL
from lcr.program.cli import main
from lcr.sweep import Sweep, _Batch, _cycle, as_table, play
from tabletop import Match

SWEEP = (DATA / "sweep.json").read_text("utf-8")
RESULTS = [Sweep(**{**fields, "winners": tuple(fields["winners"])}) for fields in json.loads(SWEEP)]
PLAYERS = st.integers(3, 11)
SEEDS = st.lists(st.integers(0, 2**32 - 1), min_size=1, max_size=40)


def agrees(seeds: Sequence[int], players: int) -> None:
    """Compare the results of a batch with the model of the course's program."""
    games = play(seeds, players)
    moves = [course_turns(players, seed) for seed in seeds]
    assert games.turns.tolist() == [len(turns) for turns in moves]
    assert games.rolls.tolist() == [sum(turn.dice for turn in turns) for turns in moves]
    last = [turns[-1].chips for turns in moves]
    assert games.winners.tolist() == [chips.index(max(chips)) for chips in last]


@pytest.mark.slow
@settings(deadline=None, max_examples=25)
@given(SEEDS, PLAYERS)
def test_batch_equals_the_model(seeds: list[int], players: int) -> None:
    agrees(seeds, players)


@pytest.mark.parametrize("players", GAME.seats)
def test_large_batch_equals_the_model(players: int) -> None:
    agrees(range(players, 1_000_000, 33_331), players)


@pytest.mark.parametrize("players", GAME.seats)
def test_batch_equals_the_engine(players: int) -> None:
    places = np.arange(players, 1_000_000, 66_667)
    seeds = _cycle().numbers[places].tolist()
    options = [{"course-seed": seed} for seed in seeds]
    matches = [Match(GAME, seed="x", seats=players, options=each) for each in options]
    batch, seat = _Batch(players, places), 0
    while batch.running:
        batch.turn(seat)
        for match in matches:
            if match.state.seat == seat:
                match.play(ROLL)
        left = [matches[index].state.chips for index in batch._index]
        chips = [one if one.count(0) < players - 1 else [0] * players for one in left]
        assert batch._chips.T.tolist() == chips
        seat = (seat + 1) % players
    assert all(match.over for match in matches)


@pytest.mark.parametrize("seed", [-1, 2**32])
def test_a_batch_with_a_seed_out_of_range_is_refused(seed: int) -> None:
    with pytest.raises(ValueError, match=rf"\b0 to 4294967295, not {seed}$"):
        play([5, seed], 3)


@pytest.mark.slow
def test_sweeps_for_3_and_4_players_give_the_courses_numbers() -> None:
    assert run("sweep", "--json") == Printed(SWEEP.rstrip() + "\n", "")


def test_the_table_has_a_column_for_each_number_of_players() -> None:
    assert as_table(RESULTS).splitlines() == [
        "players               3         4",
        "shortest game   2 turns   5 turns",
        "  its seed          784     13378",
        "longest game   67 turns  84 turns",
        "  its seed       611899    171220",
        "turns a game     17.864    29.166",
        "dice a game      38.861    59.679",
        "seat 1 wins      30.62%    24.10%",
        "seat 2 wins      32.89%    24.38%",
        "seat 3 wins      36.49%    25.44%",
        "seat 4 wins                26.08%",
    ]


@pytest.mark.slow
def test_sweep_at_a_terminal_shows_and_removes_a_progress_bar() -> None:
    terminal = spawn(main, "sweep", "--players", "3", size=(24, 80))
    terminal.expect(r"3 players: \[#* *\] [\d,]+ of 1,000,000, \d+%")
    terminal.expect("\r +\rplayers +3\r\n")
    terminal.expect(pexpect.EOF)


@pytest.mark.parametrize("players", ["2", "12", "three"])
def test_a_sweep_of_a_wrong_number_of_players_is_refused(players: str) -> None:
    message = f"lcr: --players {players!r}: give a whole number from 3 to 11\n"
    assert run("sweep", "--players", "3", players) == Printed("", message, 2)


def test_sweep_without_numpy_names_the_package_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "numpy", None)
    monkeypatch.delitem(sys.modules, "lcr.sweep")
    printed = run("sweep")
    assert (printed.stdout, printed.status) == ("", 1)
    assert "'tabletop-rules[simulation]'" in printed.stderr


def test_games_are_played_in_batches_with_progress_reports(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    seeds = range(5, 3_000_000_005, 30_000_000)
    at_once, told = play(seeds, 3), list[tuple[int, int]]()
    monkeypatch.setattr("lcr.sweep._BATCH", 30)
    parts = play(seeds, 3, lambda done, total: told.append((done, total)))
    assert told == [(30, 100), (60, 100), (90, 100), (100, 100)]
    assert parts.winners.tolist() == at_once.winners.tolist()
    assert parts.turns.tolist() == at_once.turns.tolist()
    assert parts.rolls.tolist() == at_once.rolls.tolist()


def test_no_games_are_played_for_no_seeds() -> None:
    assert play([], 3).winners.tolist() == []


def test_games_for_a_wrong_number_of_players_is_refused() -> None:
    with pytest.raises(ValueError, match=r"^lcr .*\b3 to 11\b.* 12$"):
        play([], 12)
