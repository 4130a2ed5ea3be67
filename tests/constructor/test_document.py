"""Where input is piped the program says and understands what the document does, and no more."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.constructor.programs import INVALID, RICH, ROLL_QUESTION, at_work, play

WORDS = ["undo", "redo", "seed", "rules", "actions", "table", "bot", "human 1", "quit", "/log"]


def test_the_words_of_every_table_mean_nothing(tmp_path: Path) -> None:
    assert at_work(tmp_path, *WORDS) == [INVALID] * len(WORDS)


def test_the_number_of_an_action_means_nothing(tmp_path: Path) -> None:
    assert play(tmp_path, RICH, "1\nroll\n")[1:3] == [INVALID, ROLL_QUESTION]


@pytest.mark.parametrize("line", ["status", "help", "board"])
def test_a_question_is_answered_and_nothing_else(line: str, tmp_path: Path) -> None:
    assert play(tmp_path, RICH, f"roll\n{line}\n")[2] == f"Invalid roll.\n{ROLL_QUESTION}"
