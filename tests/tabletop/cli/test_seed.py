"""`tabletop seed`: phrases for seeds."""

from __future__ import annotations

from pathlib import Path

import pytest

from tabletop.registry import load
from tests.tabletop.cli.program import here


@pytest.mark.parametrize("game", ["lcr", "constructor-small", "sorcery", "sorcery-2017"])
def test_phrases_of_a_game_are_made_of_its_words(game: str) -> None:
    done = here("seed", game, "-n", "20")
    assert (done.returncode, done.stderr) == (0, "")
    phrases = done.stdout.splitlines()
    assert len(set(phrases)) == len(phrases) == 20
    words = load(game).game.vocabulary
    for phrase in phrases:
        *adjectives, noun = phrase.split(" ")
        assert set(adjectives) <= set(words.adjectives)
        assert noun in words.nouns
        assert len({*adjectives, noun}) == 3


FEW_WORDS = """
from tabletop.rng.phrases import Vocabulary
from tests.tabletop.games.cards import Tricks
class Few(Tricks):
    vocabulary = Vocabulary(("red", "old", "new"), ("hat",))
"""


def test_the_phrases_are_all_different_and_no_more_than_there_are(tmp_path: Path) -> None:
    path = tmp_path / "few.py"
    path.write_text(FEW_WORDS)
    printed = here("seed", path, "-n", "6").stdout.splitlines()
    words = ("red", "old", "new")
    assert sorted(printed) == sorted(f"{a} {b} hat" for a in words for b in words if a != b)
    done = here("seed", path, "-n", "7")
    assert (done.returncode, done.stderr) == (2, "tabletop: -n 7: there are only 6 phrases\n")
