"""Misspelt names of methods are found in rules, text views and pictures."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tabletop import Plugin, RegistryError
from tabletop.cli import main
from tabletop.display import Picture, Scene, TextView
from tabletop.testing import LawBroken, check_game, check_picture
from tabletop.testing.rules import misspelt_name
from tests.program_runs import run_here
from tests.tabletop.games import rope
from tests.tabletop.told import tells


class Slipped(rope.Pulling):
    comands = None


class Words(TextView[Any]):
    def positon(self, view: Any, names: Any, seat: Any) -> str:
        return "the rope"


class Drawing(Picture[Any]):
    def draw(self, view: Any, scene: Scene) -> str:
        return self.whole(scene, (9, 9), label="A rope")

    def atempt(self, part: str, view: Any, seat: int) -> str:
        return part


def test_a_misspelt_attribute_of_the_rules_is_named() -> None:
    with pytest.raises(LawBroken, match=r"\bcomands\b.*\bcommands\b"):
        check_game(Slipped(), matches=1)


def test_a_misspelt_method_of_a_picture_is_named() -> None:
    with pytest.raises(LawBroken, match=r"\batempt\b.*\battempt\b"):
        check_picture(rope.GAME, Drawing(), matches=1)


def test_a_misspelt_method_of_a_text_view_is_named_by_check(tmp_path: Path) -> None:
    path = tmp_path / "slipped.py"
    path.write_text(
        "from tabletop import Plugin\n"
        "from tests.tabletop.games import rope\n"
        "from tests.tabletop.testing.test_slips import Words\n"
        "PLUGIN = Plugin(rope.GAME, text=Words())\n"
    )
    checked = run_here(main, ["check", str(path), "--matches", "1"])
    assert checked.status == 1
    assert tells(checked.stderr, "positon ... position")


def test_a_missing_rulebook_is_found_by_check(tmp_path: Path) -> None:
    path = tmp_path / "bare.py"
    path.write_text(
        "from pathlib import Path\n"
        "from tabletop import Plugin\n"
        "from tests.tabletop.games import rope\n"
        "PLUGIN = Plugin(rope.GAME, rulebook=Path(__file__).with_name('gone.md'))\n"
    )
    checked = run_here(main, ["check", str(path), "--matches", "1"])
    assert checked.status == 2
    assert "gone.md" in checked.stderr


class Both(Words):
    def position(self, view: Any, names: Any, seat: Any = None) -> str:
        return self.positon(view, names, seat)


def test_a_helper_with_a_similar_name_passes() -> None:
    assert misspelt_name(Both, TextView) is None


def weighed(chance: Any, brick: int = 1) -> Any:
    return chance


def test_an_unknown_weight_of_a_bot_is_named() -> None:
    bots = {"weighed": weighed}
    Plugin(rope.GAME, bots=bots, weights={"weighed": {"brick": (0, 9)}})
    with pytest.raises(RegistryError, match=r"\bweighed\b.*'bricks'"):
        Plugin(rope.GAME, bots=bots, weights={"weighed": {"bricks": (0, 9)}})
