"""The game of the tutorial keeps the contract in every step; its picture is the one drawn."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from tests.pages import run_page

from tabletop import Match, Random, draw_match
from tabletop.registry import load
from tabletop.testing import check_game

ROOT = Path(__file__).parents[2]
STEPS = [ROOT / "examples" / "tutorial" / f"step{number}.py" for number in range(1, 9)]
PAGES = ROOT / "docs" / "tutorial"


def test_each_step_has_a_page_that_shows_the_whole_file() -> None:
    pages = sorted(PAGES.glob("[0-9]*.md"))
    assert len(pages) == len(STEPS)
    for page, step in zip(pages, STEPS, strict=True):
        text = page.read_text("utf-8")
        assert f'--8<-- "{step.relative_to(ROOT).as_posix()}"' in text
        assert len(text.splitlines()) <= 95


@pytest.mark.slow
@pytest.mark.matrix
def test_all_pages_can_be_followed_in_one_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for page in sorted(PAGES.glob("[0-9]*.md")):
        (tmp_path / "goats.py").unlink(missing_ok=True)  # each page shows it whole
        run_page(page, tmp_path, monkeypatch)


@pytest.mark.slow
@pytest.mark.usefixtures("short_checks")
@pytest.mark.parametrize("path", STEPS[1:], ids=lambda path: path.stem)
def test_the_game_keeps_the_contract_in_every_step_that_can_be_played(path: Path) -> None:
    plugin = load(str(path))
    assert check_game(plugin.game, matches=4, bots=plugin.bots).matches == 4


def test_the_picture_of_the_page_is_what_its_commands_draw() -> None:
    commands = re.findall(
        r'--seed "([^"]+)"|--at (\d+)', (PAGES / "7-picture.md").read_text("utf-8")
    )
    (seed, _), (_, at) = commands
    plugin = load(str(STEPS[6]))
    match = Match(plugin.game, seed=seed)
    for seat in range(2):
        match.set_player(seat, Random(match.bot_stream(seat)))
    for _ in range(int(at)):
        match.step()
    assert draw_match(match, seat=0) == (PAGES / "goats.svg").read_text("utf-8").rstrip("\n")
