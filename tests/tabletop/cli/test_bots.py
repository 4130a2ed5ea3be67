"""Bots at somebody's table: they play the same again, and one that fails does not end the match."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

import pytest

from tabletop.records import read, replay
from tabletop.registry import load
from tests.tabletop.cli.program import TICTACTOE, changed, here, records, shown

TABLES = {
    "sorcery": ("end", "duelist"),
    TICTACTOE: ("1", "random"),
}


def sit_down(game: str, bot: str, path: Path, *lines: str) -> None:
    """Sit down with a bot as the second player, and leave."""
    place = ("--record", path, "--no-score", "--no-hints", "--bot", f"2={bot}")
    shown("play", game, "--seed", "oak", *place, typed="\n".join([*lines, "/quit", ""]))


def played(game: str, path: Path) -> tuple[str, ...]:
    """What stands in a record."""
    shown("replay", path, "--game", game, "--verify")
    return tuple(map(str, replay(read(path), load(game).game).actions))


@pytest.mark.slow
@pytest.mark.parametrize("game", TABLES)
@pytest.mark.parametrize("detour", ["MOVE undo redo", "MOVE undo MOVE undo MOVE"])
def test_a_bot_answers_the_same_move_the_same_again(tmp_path: Path, game: str, detour: str) -> None:
    move, bot = TABLES[game]
    straight, around = tmp_path / "straight.jsonl", tmp_path / "around.jsonl"
    sit_down(game, bot, straight, move)
    sit_down(game, bot, around, *detour.replace("MOVE", move).split())
    assert played(game, around) == played(game, straight)
    assert len(played(game, straight)) > 1


@pytest.mark.slow
@pytest.mark.parametrize("game", TABLES)
def test_a_resumed_bot_plays_on_as_it_would_have(tmp_path: Path, game: str) -> None:
    move, bot = TABLES[game]
    straight, broken = tmp_path / "straight.jsonl", tmp_path / "broken.jsonl"
    sit_down(game, bot, straight, move, "bot 1")  # and to the end
    sit_down(game, bot, broken, move)
    shown("resume", broken, "--game", game, "--no-score", typed="bot 1\n")
    assert played(game, broken) == played(game, straight)
    assert read(broken).ended


def test_a_bot_that_sat_down_later_is_resumed_too(tmp_path: Path) -> None:
    straight, broken = tmp_path / "straight.jsonl", tmp_path / "broken.jsonl"
    for path in (straight, broken):
        lines = "1\nbot 2\n9\n" + ("bot 1\n" if path is straight else "quit\n")
        here("play", TICTACTOE, "--seed", "elm", "--no-score", "--record", path, typed=lines)
    here("resume", broken, "--game", TICTACTOE, "--no-score", typed="bot 1\n")
    assert played(TICTACTOE, broken) == played(TICTACTOE, straight)


@pytest.mark.slow
def test_a_bot_of_a_killed_program_plays_on_as_it_would_have(state: Path) -> None:
    play = [sys.executable, "-m", "tabletop", "play", "sorcery", "--seed", "oak", "--bot"]
    with subprocess.Popen(
        [*play, "2=random", "--no-score"], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL
    ) as program:
        try:
            assert program.stdin is not None
            program.stdin.write(b"end\n")
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
ASKED = "Who plays on for Player 2? Enter for the bot random, `human`, or a bot's name: "
NO_ACTION = (
    "Player 2, played by Broken: None is no action of tictactoe;"
    " legal now: Place(cell=0), Place(cell=1), Place(cell=2), ... (8 in all)"
)


def with_bots(tmp_path: Path, returned: str = "None") -> Path:
    """Tic-tac-toe with a bot that returns what it is told to, and one that is careful."""
    path = changed(tmp_path / "game.py")
    path.write_text(path.read_text("utf-8") + BOTS.format(returned=returned))
    return path


@pytest.mark.parametrize(
    ("typed", "plays_on"),
    [("", "the bot random"), ("human", "a person")],
)
def test_people_say_who_plays_on(typed: str, plays_on: str, tmp_path: Path) -> None:
    record = tmp_path / "match.jsonl"
    words = ("play", with_bots(tmp_path), "--bot", "2=broken", "--record", record, "--no-score")
    done = here(*words, typed=f"5\n{typed}\n")
    assert f"\nThe bot broken has failed: {NO_ACTION}.\n{ASKED}" in done.stdout
    assert f"Player 2 is now played by {plays_on}." in done.stdout
    assert "; go on with: tabletop resume" in done.stdout
    assert (done.returncode, done.stderr) == (0, "")
    assert read(record).players[1] == plays_on.rsplit(maxsplit=1)[-1].replace("person", "human")


def test_who_is_no_bot_is_asked_for_again(tmp_path: Path) -> None:
    words = ("play", with_bots(tmp_path), "--bot", "2=broken", "--no-record")
    done = here(*words, typed="5\nnobody\nbroken\ncareful\n")
    names = "broken, careful, easy, fair, hard, random"
    assert f"tictactoe has no bot 'nobody'; its bots: {names}" in done.stdout
    assert done.stdout.count(ASKED) == 3
    assert done.stdout.count("The bot broken has failed: ") == 2
    assert "Player 2: 9\n" in done.stdout


def test_one_may_leave_instead_and_go_on_later(tmp_path: Path) -> None:
    record = tmp_path / "match.jsonl"
    words = ("play", with_bots(tmp_path), "--bot", "2=broken", "--record", record)
    done = here(*words, typed="5\nquit\n")
    assert done.returncode == 0
    assert "Left after 1 action; go on with: tabletop resume" in done.stdout
    again = here("resume", record, "--game", with_bots(tmp_path), typed="careful\n")
    assert ASKED in again.stdout
    assert read(record).plies == 2


@pytest.mark.parametrize(
    ("returned", "said"),
    [
        ("1 / 0", "ZeroDivisionError('division by zero') in game.py, line "),
        ("actions", "Player 2, played by Broken: [Place(cell=0), "),
        (
            "next(p for p in PLACES if p not in actions)",
            "Player 2, played by Broken: cell 5 is taken",
        ),
    ],
)
def test_whatever_a_bot_does_wrong_the_table_stays(
    returned: str, said: str, tmp_path: Path
) -> None:
    words = ("play", with_bots(tmp_path, returned), "--bot", "2=broken", "--no-record")
    done = here(*words, typed="5\ncareful\n1\n")
    assert f"The bot broken has failed: {said}" in done.stdout
    assert "Player 1: 1\nPlayer 2: 8\n" in done.stdout.replace("Player 1> \n", "")
    assert done.returncode == 0


def test_where_only_bots_play_it_is_one_line_and_a_failure(tmp_path: Path) -> None:
    words = ("play", with_bots(tmp_path), "--bot", "1=careful", "--bot", "2=broken", "--no-record")
    done = here(*words)
    said = f"tabletop: the bot broken has failed: {NO_ACTION}\n"
    assert (done.returncode, done.stderr) == (1, said)
