"""Bots in terminal matches: they are consistent, and a failing bot does not end the match."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from tabletop.cli import main
from tabletop.records import read, replay
from tabletop.registry import load
from tests.forked import start
from tests.tabletop.cli.program import TICTACTOE, changed, here, records, shown
from tests.tabletop.told import tells

TABLES = {
    "sorcery": ("end", "duelist"),
    TICTACTOE: ("1", "random"),
}


def sit_down(game: str, bot: str, path: Path, *lines: str) -> None:
    """Play against a bot as the second player, and leave."""
    place = ("--record", path, "--no-score", "--no-hints", "--bot", f"2={bot}")
    shown("play", game, "--seed", "oak", *place, typed="\n".join([*lines, "/quit", ""]))


def played(game: str, path: Path) -> tuple[str, ...]:
    """Return the lines of a record."""
    shown("replay", path, "--game", game, "--verify")
    return tuple(map(str, replay(read(path), load(game).game).actions))


@pytest.mark.slow
@pytest.mark.parametrize("game", TABLES)
@pytest.mark.parametrize("detour", ["MOVE undo redo", "MOVE undo MOVE undo MOVE"])
def test_a_bot_makes_the_same_choice_after_an_undo(tmp_path: Path, game: str, detour: str) -> None:
    move, bot = TABLES[game]
    straight, around = tmp_path / "straight.jsonl", tmp_path / "around.jsonl"
    sit_down(game, bot, straight, move)
    sit_down(game, bot, around, *detour.replace("MOVE", move).split())
    assert played(game, around) == played(game, straight)
    assert len(played(game, straight)) > 1


@pytest.mark.slow
@pytest.mark.parametrize("game", TABLES)
def test_a_resumed_bot_makes_the_same_choices(tmp_path: Path, game: str) -> None:
    move, bot = TABLES[game]
    straight, broken = tmp_path / "straight.jsonl", tmp_path / "broken.jsonl"
    sit_down(game, bot, straight, move, "bot 1")  # and to the end
    sit_down(game, bot, broken, move)
    shown("resume", broken, "--game", game, "--no-score", typed="bot 1\n")
    assert played(game, broken) == played(game, straight)
    assert read(broken).ended


def test_a_bot_that_took_over_a_seat_is_resumed(tmp_path: Path) -> None:
    straight, broken = tmp_path / "straight.jsonl", tmp_path / "broken.jsonl"
    for path in (straight, broken):
        lines = "1\nbot 2\n9\n" + ("bot 1\n" if path is straight else "quit\n")
        here("play", TICTACTOE, "--seed", "elm", "--no-score", "--record", path, typed=lines)
    here("resume", broken, "--game", TICTACTOE, "--no-score", typed="bot 1\n")
    assert played(TICTACTOE, broken) == played(TICTACTOE, straight)


@pytest.mark.slow
def test_a_bot_makes_the_same_choices_after_the_program_was_killed(state: Path) -> None:
    words = ("play", "sorcery", "--seed", "oak", "--bot", "2=random", "--no-score")
    with start(main, *words) as program:
        try:
            assert program.stdin is not None
            program.stdin.write("end\n")
            program.stdin.flush()
            deadline = time.monotonic() + 60
            while not (found := records(state)) or found[0].read_bytes().count(b'"do"') < 3:
                assert time.monotonic() < deadline
                time.sleep(0.02)
        finally:
            program.kill()
    done = here("resume", "--no-score", typed="bot 1\n")
    assert done.returncode == 0
    [path] = [file for file in records(state) if file.suffix == ".jsonl"]
    straight = state.parent / "straight.jsonl"
    sit_down("sorcery", "random", straight, "end", "bot 1")
    assert played("sorcery", path) == played("sorcery", straight)


# A bot that fails.

BOTS = """
from dataclasses import replace

class Broken:
    def choose(self, view, actions):
        return {returned}

class Careful:
    def choose(self, view, actions):
        return actions[-1]

BOTS = {{"broken": lambda stream: Broken(), "careful": lambda stream: Careful()}}
PLUGIN = replace(PLUGIN, bots=BOTS)
"""
NO_ACTION = "The bot broken has failed: Player 2, played by Broken: None ... Place(cell=1)"


def with_bots(tmp_path: Path, returned: str = "None") -> Path:
    """Tic-tac-toe with a bot that returns a given result, and with a careful bot."""
    path = changed(tmp_path / "game.py")
    path.write_text(path.read_text("utf-8") + BOTS.format(returned=returned))
    return path


@pytest.mark.slow
def test_the_best_bot_plays_on_and_the_record_has_it(tmp_path: Path) -> None:
    record, game = tmp_path / "match.jsonl", with_bots(tmp_path)
    done = here("play", game, "--bot", "2=careful", "--record", record, "--no-score", typed="5\n")
    assert "Player 2: 9\n" in done.stdout
    again = here("resume", record, "--game", game, typed="bot broken 2\n1\n")
    assert tells(again.stderr, NO_ACTION)
    assert "Player 2 is now played by the Random bot." in again.stdout, "the best one has failed"
    assert "; continue with: tabletop resume" in again.stdout
    assert (again.returncode, read(record).players[1]) == (0, "random")


def test_another_bot_can_be_chosen_after_a_failure(tmp_path: Path) -> None:
    words = ("play", with_bots(tmp_path), "--bot", "2=broken", "--no-record")
    done = here(*words, typed="5\nundo\nbot careful 2\n5\n")
    assert done.stdout.count("Player 2 is now played by the Random bot.") == 1
    assert done.stdout.count("Player 2 is now played by the Careful bot.") == 1
    assert "Player 2: 9\n" in done.stdout


@pytest.mark.parametrize(
    ("returned", "fault"),
    [
        ("1 / 0", "ZeroDivisionError('division by zero') in game.py, line "),
        ("actions", "Player 2, ... Broken: [Place(cell=0), "),
        ("next(p for p in PLACES if p not in actions)", "Player 2, ... Broken: ... cell 5 "),
    ],
)
def test_a_failing_bot_does_not_end_the_match(returned: str, fault: str, tmp_path: Path) -> None:
    words = ("play", with_bots(tmp_path, returned), "--bot", "2=broken", "--no-record")
    done = here(*words, typed="5\nundo\nbot careful 2\n5\n1\n")
    assert tells(done.stderr.splitlines()[0], f"broken ... : {fault}")
    assert "Player 1: 1\nPlayer 2: 8\n" in done.stdout.replace("Player 1> \n", "")
    assert done.returncode == 0


def test_a_match_of_bots_continues_after_a_failure(tmp_path: Path) -> None:
    words = ("play", with_bots(tmp_path), "--bot", "1=careful", "--bot", "2=broken", "--no-record")
    done = here(*words)
    assert (done.returncode, done.stderr.count("\n")) == (0, 1)
    assert tells(done.stderr, NO_ACTION)
    assert "Player 2 is now played by the Random bot." in done.stdout
