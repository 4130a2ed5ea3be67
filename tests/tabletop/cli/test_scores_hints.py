"""Hints for newcomers, which matches with a shared seed do not have."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from constructor.program.cli import main as constructor
from sorcery.program.cli import main as sorcery
from tests import terminals
from tests.program_runs import run_here
from tests.tabletop.cli.program import DUEL, TICTACTOE, WIN, changed, here

HINT = "New here? Type the number of an action or its text. `help` lists all commands.\n"
RECORD = ("--no-record",)


def greeted(*arguments: str, typed: str = "") -> bool:
    """Play a match with the input `typed`, and return whether it starts with a hint."""
    shown = here("play", *arguments, *RECORD, typed=typed).stdout
    assert shown.count(HINT) <= 1
    return HINT in shown


def test_newcomers_get_hints_until_they_have_finished_three_matches() -> None:
    assert all(greeted(TICTACTOE, typed="1\n") for _ in range(4)), "who leaves stays a newcomer"
    assert [greeted(TICTACTOE, typed=WIN) for _ in range(4)] == [True, True, True, False]
    assert greeted(DUEL), "who knows one game may be new to another"
    here("play", DUEL, typed="1\n")
    assert HINT not in here("resume", typed="1\n").stdout
    shown = here("play", DUEL, *RECORD).stdout
    assert f"\n{HINT}Player 1> " in shown, "it stands before the first prompt"


def test_matches_of_bots_and_of_others_do_not_count_as_experience(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(3):
        path = tmp_path / f"{number}.jsonl"
        here("play", TICTACTOE, *RECORD, "--bot", "all=random")
        here("play", TICTACTOE, "--record", path, "--no-score", typed=WIN)
        here("scores", "import", path, "--game", TICTACTOE)
    assert greeted(TICTACTOE)


@pytest.mark.parametrize(
    "word", ["--seed=oak", "--weekly", "--daily", "--no-hints", "--bot=all=random"]
)
def test_bots_and_players_of_a_given_seed_get_no_hints(word: str) -> None:
    assert not greeted(TICTACTOE, word)
    assert greeted(TICTACTOE, "--bot", "1=random")


@pytest.mark.parametrize("words", ["Three in a row wins.\n", ""])
def test_a_game_may_have_its_own_hints(words: str, tmp_path: Path) -> None:
    game = changed(tmp_path / "game.py")
    game.write_text(f"{game.read_text()}{OWN_WORDS.format(words=words.strip())}")
    said = here("play", game, *RECORD).stdout
    assert f"possible: 1 2 3 4 5 6 7 8 9\n{words}Player 1> " in said


OWN_WORDS = """

from tabletop.display import TextView
class Words(TextView):
    def welcome(self):
        return {words!r}
PLUGIN = Plugin(GAME, text=Words())
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("main", "before", "prompt"),
    [
        (sorcery, ["Ada", "Bo"], "Ada> "),
        (constructor, [], "Builder Blue, where do you want to build a basement?\r\nBlue> "),
    ],
)
def test_programs_mention_help_only_at_a_terminal(
    main: Callable[[Sequence[str]], int],
    before: list[str],
    prompt: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    home = {"XDG_DATA_HOME": str(tmp_path), "XDG_STATE_HOME": str(tmp_path)}
    hint = "New here? Type `help` for the commands, or `rules` for the rules of the game."
    with terminals.at_terminal(main, cwd=tmp_path, environment=home) as child:
        for name in before:
            child.sendline(name)
        child.expect_exact(f"{hint}\r\n{prompt}")
    typed = "".join(f"{name}\n" for name in before)
    monkeypatch.chdir(tmp_path)
    assert "New here?" not in run_here(main, [], typed).stdout
