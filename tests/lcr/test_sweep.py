"""Very many games of the course at once (`lcr.sweep`), and the command that prints them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.lcr.programs import DATA, Turn, at_terminal, course_turns, run, to_the_end, without
from tests.programs import PYTHON, Printed, process

from lcr import GAME, ROLL
from lcr.sweep import Sweep, Turns, as_table, play, sweep
from tabletop import Match

SWEEP = (DATA / "sweep.json").read_text("utf-8")
RESULTS = [Sweep(**{**fields, "winners": tuple(fields["winners"])}) for fields in json.loads(SWEEP)]
SWEEP_COMMAND = [*PYTHON, "-m", "lcr", "sweep"]
PLAYERS = st.integers(3, 11)
SEEDS = st.lists(st.integers(0, 2**32 - 1), min_size=1, max_size=40)


def batch_turns(seeds: Sequence[int], players: int) -> list[list[Turn]]:
    """Every turn of every game of a batch."""
    games: list[list[Turn]] = [[] for _ in seeds]

    def watch(turns: Turns) -> None:
        for place, game in enumerate(turns.games.tolist()):
            chips = tuple(turns.chips[:, place].tolist())
            games[game].append(Turn(turns.seat, int(turns.dice[place]), chips))

    play(seeds, players, watch)
    return games


def engine_turns(seed: int, players: int) -> list[Turn]:
    """Every turn of the same game, played by the rules."""
    match = Match(GAME, seed="x", seats=players, options={"course-seed": seed})
    turns = []
    while not match.over:
        [seat] = match.to_act
        before = match.streams().get("dice", 0)
        match.play(ROLL)
        turns.append(Turn(seat, match.streams()["dice"] - before, tuple(match.state.chips)))
    return turns


@settings(deadline=None, max_examples=25)
@given(SEEDS, PLAYERS)
def test_a_batch_agrees_with_the_engine_move_by_move(seeds: list[int], players: int) -> None:
    assert batch_turns(seeds, players) == [engine_turns(seed, players) for seed in seeds]


@pytest.mark.parametrize("players", GAME.seats)
def test_a_large_batch_agrees_with_the_engine_move_by_move(players: int) -> None:
    seeds = range(players, 1_000_000, 33_331)
    assert batch_turns(seeds, players) == [engine_turns(seed, players) for seed in seeds]


@settings(deadline=None, max_examples=25)
@given(SEEDS, PLAYERS)
def test_the_results_of_a_batch_are_those_of_its_moves(seeds: list[int], players: int) -> None:
    games = play(seeds, players)
    moves = [course_turns(players, seed) for seed in seeds]
    assert games.turns.tolist() == [len(turns) for turns in moves]
    assert games.rolls.tolist() == [sum(turn.dice for turn in turns) for turns in moves]
    last = [turns[-1].chips for turns in moves]
    assert games.winners.tolist() == [chips.index(max(chips)) for chips in last]


def test_a_batch_may_be_empty() -> None:
    assert play([], 3).turns.tolist() == []


@pytest.mark.parametrize("players", [2, 12])
def test_a_batch_of_a_wrong_number_of_players_is_refused(players: int) -> None:
    with pytest.raises(ValueError, match=f"3 to 11 players, not for {players}"):
        play([1], players)


@pytest.mark.parametrize("seed", [-1, 2**32])
def test_a_batch_with_a_seed_out_of_range_is_refused(seed: int) -> None:
    with pytest.raises(ValueError, match=f"course seed {seed} is not from 0 to 4294967295"):
        play([5, seed], 3)


@pytest.mark.slow
def test_a_sweep_tells_how_far_it_is() -> None:
    told: list[tuple[int, int]] = []
    assert sweep(3, lambda done, of: told.append((done, of))) == RESULTS[0]
    assert told == sorted(set(told))
    assert told[-1] == (1_000_000, 1_000_000)


@pytest.mark.slow
def test_all_games_for_3_and_4_players_give_the_numbers_of_the_course() -> None:
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


@pytest.mark.parametrize("players", ["2", "12", "three"])
def test_a_sweep_of_a_wrong_number_of_players_is_refused(players: str) -> None:
    message = f"lcr: --players {players!r}: give a whole number from 3 to 11\n"
    assert run("sweep", "--players", "3", players) == Printed("", message, 2)


def test_the_help_of_a_sweep_tells_its_options() -> None:
    printed = run("sweep", "--help")
    assert printed.status == 0
    for word in ("--players N", "3 to 11", "3 and 4", "--json"):
        assert word in printed.stdout


@pytest.mark.slow
def test_without_numpy_a_sweep_says_what_to_install(tmp_path: Path) -> None:
    message = (
        "lcr: sweep needs NumPy and rich: pip install 'tabletop-rules[simulation]'"
        " (No module named 'numpy')\n"
    )
    assert process("lcr", "sweep", environment=without("numpy", tmp_path)) == Printed(
        "", message, 1
    )


@pytest.mark.slow
def test_a_terminal_has_a_bar_and_then_the_table() -> None:
    printed = to_the_end(at_terminal(*SWEEP_COMMAND, "--players", "3"))
    bar, _, table = printed.stdout.rpartition("\x1b[2K")  # which wipes a line
    assert "3 players" in bar
    assert table == as_table(RESULTS[:1]).replace("\n", "\r\n")
    assert printed.status == 0


@pytest.mark.slow
def test_without_rich_a_sweep_at_a_terminal_says_what_to_install(tmp_path: Path) -> None:
    message = (
        "lcr: sweep needs NumPy and rich: pip install 'tabletop-rules[simulation]'"
        " (No module named 'rich')\r\n"
    )
    terminal = at_terminal(*SWEEP_COMMAND, environment=without("rich", tmp_path))
    assert to_the_end(terminal) == Printed(message, "", 1)


@pytest.mark.slow
def test_without_rich_a_sweep_into_a_file_needs_no_bar(tmp_path: Path) -> None:
    printed = process("lcr", "sweep", "--players", "3", environment=without("rich", tmp_path))
    assert printed == Printed(as_table(RESULTS[:1]), "")
