"""`tabletop rules`."""

from __future__ import annotations

from pathlib import Path

import pytest

from tabletop.registry import installed, load
from tests.tabletop.cli.program import DUEL, TICTACTOE, here


@pytest.mark.parametrize("name", list(installed()))
def test_the_rules_of_every_installed_game_are_printed(name: str) -> None:
    done = here("rules", name)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == load(name).rules


def test_a_game_in_a_file_has_rules_as_well() -> None:
    assert here("rules", TICTACTOE).stdout.startswith("# Tic-tac-toe\n")


def test_each_edition_has_rules_of_its_own() -> None:
    assert "# Sorcery, Spring 2017" in here("rules", "sorcery-2017").stdout
    assert "# Sorcery, Spring 2024" in here("rules", "sorcery").stdout


def test_that_a_game_has_none_is_said() -> None:
    done = here("rules", DUEL)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.endswith(" comes without rules to read\n")


def test_rules_that_cannot_be_read_are_named(tmp_path: Path) -> None:
    path = tmp_path / "lost.py"
    text = Path(TICTACTOE).read_text("utf-8")
    path.write_text(f"{text}\nfrom pathlib import Path\nRULES = Path('no/such.md')\n", "utf-8")
    done = here("rules", path)
    assert (done.returncode, done.stdout) == (2, "")
    assert "no/such.md" in done.stderr
