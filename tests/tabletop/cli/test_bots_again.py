"""At a table bots play the same again: after `undo` and `redo`, and in a match that is resumed."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

import pytest

from tabletop.records.file import read
from tabletop.records.replay import replay
from tabletop.registry import load
from tests.tabletop.cli.program import TICTACTOE, here, records

TABLES = {
    "sorcery": ("end", "duelist"),
    TICTACTOE: ("1", "random"),
}


def sit_down(game: str, bot: str, path: Path, *lines: str) -> None:
    """Sit down with a bot as the second player, and leave."""
    place = ("--record", path, "--no-score", "--no-hints", "--bot", f"2={bot}")
    done = here("play", game, "--seed", "oak", *place, typed="\n".join([*lines, "/quit", ""]))
    assert (done.returncode, done.stderr) == (0, "")


def played(game: str, path: Path) -> tuple[str, ...]:
    """What stands in a record."""
    done = here("replay", path, "--game", game, "--verify")
    assert (done.returncode, done.stderr) == (0, "")
    return tuple(map(str, replay(read(path), load(game).game).actions))


@pytest.mark.parametrize("game", TABLES)
@pytest.mark.parametrize(
    "detour",
    [
        ("MOVE", "undo", "redo"),
        ("MOVE", "undo", "MOVE", "undo", "MOVE"),
    ],
)
def test_a_bot_answers_the_same_move_the_same_again(
    tmp_path: Path, game: str, detour: tuple[str, ...]
) -> None:
    move, bot = TABLES[game]
    straight, around = tmp_path / "straight.jsonl", tmp_path / "around.jsonl"
    sit_down(game, bot, straight, move)
    sit_down(game, bot, around, *(word.replace("MOVE", move) for word in detour))
    assert played(game, around) == played(game, straight)
    assert len(played(game, straight)) > 1


@pytest.mark.parametrize("game", TABLES)
def test_a_resumed_bot_plays_on_as_it_would_have(tmp_path: Path, game: str) -> None:
    move, bot = TABLES[game]
    straight, broken = tmp_path / "straight.jsonl", tmp_path / "broken.jsonl"
    sit_down(game, bot, straight, move, "bot 1")  # and to the end
    sit_down(game, bot, broken, move)
    done = here("resume", broken, "--game", game, "--no-score", typed="bot 1\n")
    assert (done.returncode, done.stderr) == (0, "")
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
