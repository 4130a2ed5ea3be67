"""`tabletop replay`: at a speed, step by step, from a step on, and as one seat sees it."""

from __future__ import annotations

from pathlib import Path
from time import monotonic

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tabletop import Match, Random
from tabletop.game import AnyGame
from tabletop.records.file import read
from tabletop.records.format import Header
from tabletop.records.journal import Journal
from tabletop.records.replay import Stepper, replay
from tabletop.registry import load
from tests.tabletop.cli.program import DUEL, here
from tests.tabletop.games import cards, walk

CARDS = Path(__file__).parents[1] / "games" / "cards.py"
KEYS = "Enter or n: the next step; b: a step back; a number: go there; q: leave\n"
EMPTY, ONE, TWO = ". . .\n. . .\n. . .\n", "x . .\n. . .\n. . .\n", "x . .\no . .\n. . .\n"
FIVE, SIX = "x x x\no o .\n. . .\n", "x x .\no o .\n. . .\n"
TITLE = "Tic-tac-toe, seed: oak\n"


def stepped(path: Path, *keys: str) -> str:
    """What a stepped replay shows when `keys` are typed, a line each; after its first lines."""
    done = here("replay", path, "--step", typed="".join(f"{key}\n" for key in keys))
    assert (done.returncode, done.stderr) == (0, "")
    first = f"{TITLE}{EMPTY}{KEYS}"
    assert done.stdout.startswith(first)
    return done.stdout.removeprefix(first)


def at(step: int) -> str:
    """The prompt at a step of the won match."""
    return f"-- {step} of 7, Enter {'for the next' if step < 7 else 'to leave'} \n"


@pytest.mark.parametrize("key", ["", "n", " N "])
def test_enter_goes_a_step_forward_and_shows_the_position(won: Path, key: str) -> None:
    assert stepped(won, key, "q") == f"{at(0)}Player 1: 1\n{ONE}{at(1)}"


def test_the_program_steps_through_a_whole_match_and_leaves(won: Path) -> None:
    done = here("replay", str(won), "--step", typed="\n" * 8)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.endswith(
        f"{at(5)}1 action taken back\n{SIX}{at(6)}"
        f"Player 1: 3\n{FIVE}Player 1 wins (three in a row).\n{at(7)}"
    )


def test_b_goes_a_step_back_and_no_further_than_the_beginning(won: Path) -> None:
    assert stepped(won, "n", "n", "b", "b", "b", "q") == (
        f"{at(0)}Player 1: 1\n{ONE}{at(1)}Player 2: 4\n{TWO}{at(2)}"
        f"{ONE}{at(1)}{EMPTY}{at(0)}This is the beginning.\n{at(0)}"
    )


def test_what_was_taken_back_is_a_step_in_both_directions(won: Path) -> None:
    taken = "x x .\no o x\n. . .\n"
    assert stepped(won, "5", "n", "b", "n", "b", "q") == (
        f"{at(0)}{taken}{at(5)}1 action taken back\n{SIX}{at(6)}{taken}{at(5)}"
        f"1 action taken back\n{SIX}{at(6)}{taken}{at(5)}"
    )


def test_a_number_jumps_forward_and_back(won: Path) -> None:
    end = f"{FIVE}Player 1 wins (three in a row).\n"
    assert stepped(won, "7", "1", "0", "7", "b", "q") == (
        f"{at(0)}{end}{at(7)}{ONE}{at(1)}{EMPTY}{at(0)}{end}{at(7)}{SIX}{at(6)}"
    )


def test_a_step_that_there_is_not_is_named(won: Path) -> None:
    said = f"There is no step 8: steps are 0 to 7.\n{at(0)}"
    assert stepped(won, "8", "q") == f"{at(0)}{said}"
    assert "There is no step 99999999999999: steps" in stepped(won, "9" * 14, "q")


@pytest.mark.parametrize("key", ["x", "-1", "?", "b b", "٣x"])
def test_other_keys_are_told_what_there_is(won: Path, key: str) -> None:
    assert stepped(won, key, "q") == f"{at(0)}{KEYS}{at(0)}"


@pytest.mark.parametrize("keys", [["q"], ["quit"], ["exit"], []])
def test_a_stepped_replay_is_left_with_a_word_or_with_the_input(won: Path, keys: list[str]) -> None:
    assert stepped(won, *keys) == at(0)
    assert stepped(won, "7", "", "n").endswith(f"wins (three in a row).\n{at(7)}")


def test_a_replay_begins_where_one_says(won: Path) -> None:
    done = here("replay", won, "--from", 6)
    end = f"{FIVE}Player 1 wins (three in a row).\n"
    assert done.stdout == f"{TITLE}{SIX}Player 1: 3\n{end}"
    assert here("replay", won, "--from", 7).stdout == f"{TITLE}{end}"
    assert here("replay", won, "--from", 99).stdout == f"{TITLE}{end}"


def test_a_replay_begins_and_stops_where_one_says(won: Path) -> None:
    done = here("replay", won, "--from", 1, "--until", 2)
    assert done.stdout == f"{TITLE}{ONE}Player 2: 4\n{TWO}(2 actions)\n"
    done = here("replay", won, "--from", 1, "--until", 2, "--step", typed="\nb\nb\n9\n\n\n")
    assert "-- 1 of 2, Enter for the next \nPlayer 2: 4\n" in done.stdout
    assert "There is no step 9: steps are 0 to 2.\n" in done.stdout


def test_a_replay_takes_its_time_and_shows_every_position(won: Path) -> None:
    began = monotonic()
    done = here("replay", won, "--speed", 50, "--until", 2)
    assert monotonic() - began > 2 / 50
    assert done.stdout == (f"{TITLE}{EMPTY}Player 1: 1\n{ONE}Player 2: 4\n{TWO}(2 actions)\n")


# Who sees what.


@pytest.fixture
def tricks(tmp_path: Path) -> Path:
    """The record of a match of cards, in which hands are hidden."""
    path = tmp_path / "cards.jsonl"
    match = Match(cards.GAME, seed="oak", seats=["Ann", "Bo"], players=[Random(1), Random(2)])
    with Journal.create(path, match, Header.of(match, source=str(CARDS))):
        match.run(5)
    return path


@pytest.mark.parametrize("seat", [None, "1", "2", "all"])
@pytest.mark.parametrize("how", [[], ["--step"], ["--speed", "1000"]])
def test_a_replay_shows_what_one_seat_sees_or_everything(
    tricks: Path, seat: str | None, how: list[str]
) -> None:
    views = [] if seat is None else ["--seat", seat]
    done = here("replay", tricks, "--game", CARDS, *how, *views, typed="\n" * 9)
    assert done.returncode == 0
    match = replay(read(tricks), cards.GAME)
    for plies in (0, 5):
        now = replay(read(tricks), cards.GAME, until=plies)
        seen = now.state if seat == "all" else now.view(int(seat) - 1 if seat else None)
        assert str(seen) in done.stdout
    hands = [str(hand) for hand in match.state.hands]
    shown = [hand in done.stdout for hand in hands]
    assert shown == {None: [False, False], "1": [True, False], "2": [False, True]}.get(
        seat, [True, True]
    )


def test_a_choice_that_is_secret_is_told_to_whom_it_belongs_alone(tmp_path: Path) -> None:
    path = tmp_path / "duel.jsonl"
    typed = "pick rock\npick paper\npick scissors\nquit\n"
    here("play", DUEL, "--seed", "oak", "--record", path, typed=typed)
    first, second, third = "Player 1: pick rock\n", "Player 2: pick paper\n", "pick scissors\n"
    told = {
        (): [False, True, False],
        ("--seat", "1"): [True, True, True],
        ("--seat", "2"): [False, True, False],
        ("--seat", "ALL"): [True, True, True],
    }
    for views, expected in told.items():
        shown = here("replay", path, "--game", DUEL, *views).stdout
        assert [line in shown for line in (first, second, third)] == expected
        assert shown.count("Player 1 has chosen.\n") == 2 * (not expected[0])
        assert ("hidden" in shown) == (expected != [True, True, True] or views[1] == "2")


@pytest.mark.parametrize("seat", ["0", "3", "x", "-1", "1.0", "٢"])
def test_a_seat_that_there_is_not_is_wrong_use(won: Path, seat: str) -> None:
    done = here("replay", won, f"--seat={seat}")
    assert done.returncode == 2
    assert done.stderr == f"tabletop: --seat {seat}: seats are 1 to 2, or all\n"


@pytest.mark.parametrize(
    ("name", "seat"),
    [("lcr", None), ("constructor-small", "1"), ("sorcery", "all"), ("sorcery", "1")],
)
def test_games_are_shown_from_every_side(name: str, seat: str | None, tmp_path: Path) -> None:
    game: AnyGame = load(name).game
    path = tmp_path / "match.jsonl"
    match = Match(game, seed="Old Oak")
    for number in range(match.seats):
        match.set_player(number, Random(number))
    with Journal.create(path, match):
        match.run(40)
    views = [] if seat is None else ["--seat", seat]
    done = here("replay", path, "--step", *views, typed="10\nb\n3\nn\n9999\nq\n")
    assert (done.returncode, done.stderr) == (0, "")
    assert "-- 9 of " in done.stdout
    assert "-- 4 of " in done.stdout


# Going forward and back.


@settings(
    max_examples=20, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    moves=st.lists(st.integers(-9, 9), min_size=1, max_size=8),
    ways=st.lists(st.integers(0, 60), max_size=8),
)
def test_every_step_looks_the_same_from_wherever_one_comes(
    moves: list[int], ways: list[int], tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = tmp_path_factory.mktemp("steps") / "walk.jsonl"
    match = Match(walk.GAME, seed=5, players=[Random(1), Random(2)])
    digests: list[str] = []
    with Journal.create(path, match):
        digests.append(match.digest())
        for count in moves:
            for _ in range(count):
                match.run(1)
                digests.append(match.digest())
            if count < 0 < match.ply:
                match.undo(min(-count, match.ply))
                digests.append(match.digest())
    stepper = Stepper(read(path), walk.GAME)
    assert stepper.steps == len(digests) - 1
    for way in [*ways, stepper.steps, 0]:
        step = min(way, stepper.steps)
        stepper.go(step)
        assert (stepper.at, stepper.match.digest()) == (step, digests[step])
