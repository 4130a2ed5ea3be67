"""Constructor in the program `tabletop`."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from tests.tabletop.cli.program import here

SETUP = ["0", "5", "17", "24", "51", "38", "36", "20"]


def tabletop(*arguments: str, typed: str = "") -> str:
    """Run `tabletop` successfully and return its output."""
    done = here(*arguments, typed=typed)
    assert (done.stderr, done.returncode) == ("", 0)
    return done.stdout


@pytest.mark.slow
def test_match_on_another_board_is_recorded_and_verified(tmp_path: Path) -> None:
    game, record = ["play", "constructor-small", "--seats", "2"], str(tmp_path / "m.jsonl")
    arguments = ["--bot", "all=builder", "--seed", "brave old world", "--record", record]
    shown = tabletop(*game, *arguments, "--no-score")
    assert re.search(r" wins \(10 building points\)\. Points: Blue \d+, Red \d+\.\n$", shown)
    assert "wins with 10 building points.\n" in shown
    assert tabletop("replay", "--verify", record).endswith("actions replay exactly\n")
    assert "|23|" in tabletop(*game, "--no-record")


def test_table_describes_events_that_the_documents_program_omits() -> None:
    typed = "\n".join([*SETUP, "load", "roll", "2", "undo", "3", "next", ""])
    shown = tabletop("play", "constructor", "--option", "fair=no", "--no-record", typed=typed)
    for text in (
        "Blue builds a basement on vertex 0.\n",
        "Blue's turn.\n",
        "Blue takes loaded dice.\n",
        "Blue chooses 2 with loaded dice.\nBlue gets 1 brick.\n",
        "1 action undone\n",
        "Blue chooses 3 with loaded dice.\n",
        "Red's turn.\n",
    ):
        assert text in shown
