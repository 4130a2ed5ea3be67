"""A bot that fails at somebody's table does not end the match; people say who plays on."""

from __future__ import annotations

from pathlib import Path

import pytest

from tabletop.records.file import read
from tests.tabletop.cli.program import TICTACTOE, here

BOTS = """

class Broken:
    def choose(self, view, actions):
        return {returned}

class Careful:
    def choose(self, view, actions):
        return actions[-1]

BOTS = {{"broken": lambda stream: Broken(), "careful": lambda stream: Careful()}}
"""
ASKED = "Who plays on for Player 2? Enter for the bot random, `human`, or a bot's name: "
NO_ACTION = (
    "Player 2, played by Broken: None is no action of tictactoe;"
    " legal now: Place(cell=0), Place(cell=1), Place(cell=2), ... (8 in all)"
)


def game(tmp_path: Path, returned: str = "None") -> Path:
    """Tic-tac-toe with a bot that returns what it is told to, and one that is careful."""
    path = tmp_path / "game.py"
    path.write_text(Path(TICTACTOE).read_text("utf-8") + BOTS.format(returned=returned))
    return path


@pytest.mark.parametrize(
    ("typed", "plays_on"),
    [("", "the bot random"), ("Careful", "the bot careful"), ("human", "a person")],
)
def test_people_say_who_plays_on(typed: str, plays_on: str, tmp_path: Path) -> None:
    record = tmp_path / "match.jsonl"
    words = ("play", game(tmp_path), "--bot", "2=broken", "--record", record, "--no-score")
    done = here(*words, typed=f"5\n{typed}\n")
    assert f"\nThe bot broken has failed: {NO_ACTION}.\n{ASKED}" in done.stdout
    assert f"Player 2 is now played by {plays_on}." in done.stdout
    assert "; go on with: tabletop resume" in done.stdout
    assert (done.returncode, done.stderr) == (0, "")
    assert read(record).players[1] == plays_on.rsplit(maxsplit=1)[-1].replace("person", "human")


def test_who_is_no_bot_is_asked_for_again(tmp_path: Path) -> None:
    words = ("play", game(tmp_path), "--bot", "2=broken", "--no-record")
    done = here(*words, typed="5\nnobody\nbroken\ncareful\n")
    assert "tictactoe has no bot 'nobody'; its bots: broken, careful, random" in done.stdout
    assert done.stdout.count(ASKED) == 3
    assert done.stdout.count("The bot broken has failed: ") == 2
    assert "Player 2: 9\n" in done.stdout


@pytest.mark.parametrize("typed", ["5\n", "5\nquit\n"])
def test_one_may_leave_instead_and_go_on_later(typed: str, tmp_path: Path) -> None:
    record = tmp_path / "match.jsonl"
    done = here("play", game(tmp_path), "--bot", "2=broken", "--record", record, typed=typed)
    assert done.returncode == 0
    assert "Left after 1 action; go on with: tabletop resume" in done.stdout
    again = here("resume", record, "--game", game(tmp_path), typed="careful\n")
    assert ASKED in again.stdout
    assert read(record).plies == 2


@pytest.mark.parametrize(
    ("returned", "said"),
    [
        ("1 / 0", "ZeroDivisionError('division by zero')"),
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
    words = ("play", game(tmp_path, returned), "--bot", "2=broken", "--no-record")
    done = here(*words, typed="5\ncareful\n1\n")
    assert f"The bot broken has failed: {said}" in done.stdout
    assert "Player 1: 1\nPlayer 2: 8\n" in done.stdout.replace("Player 1> \n", "")
    assert done.returncode == 0


def test_where_only_bots_play_it_is_one_line_and_a_failure(tmp_path: Path) -> None:
    done = here(
        "play", str(game(tmp_path)), "--bot", "1=careful", "--bot", "2=broken", "--no-record"
    )
    assert done.returncode == 1
    assert done.stderr == f"tabletop: the bot broken has failed: {NO_ACTION}\n"


def test_whoever_writes_a_bot_can_see_where_it_fails(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TABLETOP_DEBUG", "1")
    with pytest.raises(ZeroDivisionError):
        here("play", game(tmp_path, "1 / 0"), "--bot", "2=broken", "--no-record", typed="5\n")
