"""Common mistakes are reported with the game, the seed, the ply and a clear message."""

from __future__ import annotations

from pathlib import Path
from typing import Any, cast

import pytest

from tabletop import OptionError
from tabletop.registry import load
from tabletop.rules import AnyGame
from tabletop.testing import LawBroken, check_game
from tests.tabletop.testing.broken import TURNS, Endless, Sound
from tests.tabletop.testing.mistakes import (
    MISTAKES,
    GoesIntoDebt,
    HoldsAHand,
    LikeNothing,
    MayOwe,
    Members,
    Offers,
    Payments,
    SortedColours,
)
from tests.tabletop.told import tells


def fails(mistake: str) -> None:
    """Check that `check_game` names a mistake with the game, the seed and the action."""
    make, law, ply, said = MISTAKES[mistake]
    game = make()
    with pytest.raises(LawBroken) as caught:
        check_game(game, matches=4, seed="friday")
    broken = caught.value
    name = game.name or type(game).__name__
    assert (broken.law, broken.game) == (law, name)
    assert broken.seed.startswith("friday ")
    assert ply <= broken.ply <= ply + 5
    for part in said.split("{}"):
        assert part in broken.what
    assert str(broken).startswith(f"{name}, seed {broken.seed!r}, ply {broken.ply}: ")


@pytest.mark.parametrize("mistake", [it for it in MISTAKES if "of a set" not in it])
def test_a_mistake_is_named_with_game_seed_and_ply(mistake: str) -> None:
    fails(mistake)


@pytest.mark.slow
@pytest.mark.usefixtures("another_python")
@pytest.mark.parametrize("mistake", [it for it in MISTAKES if "of a set" in it])
def test_an_order_that_depends_on_hashes_is_named(mistake: str) -> None:
    fails(mistake)


@pytest.mark.slow
@pytest.mark.usefixtures("another_python")
@pytest.mark.parametrize("make", [SortedColours, LikeNothing])
def test_correct_code_that_looks_like_a_mistake_passes(make: type[AnyGame]) -> None:
    assert check_game(make(), matches=1).matches == 1


@pytest.mark.parametrize("make", [Members, HoldsAHand, Payments, MayOwe, Offers, GoesIntoDebt])
def test_correct_code_that_looks_like_a_broken_law_passes(make: type[AnyGame]) -> None:
    assert check_game(make(), matches=2, seeded=False).matches == 2


def test_free_form_actions_are_drawn_from_the_command_table() -> None:
    report = check_game(Payments(), matches=2, seeded=False)
    assert report.free_form > 0
    assert report.refused > 0


def test_a_match_may_be_stopped() -> None:
    report = check_game(Endless(), plies=7, matches=3, stop=True, seeded=False)
    assert (report.matches, report.stopped, report.plies) == (3, 3, 21)
    assert "3 stopped before the end" in str(report)
    assert check_game(Sound(), plies=TURNS, matches=1, stop=True, seeded=False).stopped == 0


@pytest.mark.slow
@pytest.mark.usefixtures("another_python")
def test_a_game_that_cannot_be_pickled_is_reported() -> None:
    class Local(Sound):
        """Cannot be found by its name."""

    report = check_game(Local(), matches=1, seeded=False)
    assert "Local cannot be pickled" in report.one_hash_seed
    assert "\nnot tested with another PYTHONHASHSEED: Local cannot" in str(report)


@pytest.mark.slow
@pytest.mark.usefixtures("another_python")
def test_a_missing_second_python_is_reported(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("sys.executable", str(tmp_path / "none"))
    report = check_game(Sound(), matches=1, seeded=False)
    assert report.matches == 1
    assert tells(str(report), "\nnot ... PYTHONHASHSEED: ")


def test_a_class_is_refused_as_a_game() -> None:
    with pytest.raises(TypeError, match=r"Sound.* not a game\b"):
        check_game(cast("Any", Sound))


def test_numbers_of_seats_that_the_game_forbids_are_refused() -> None:
    with pytest.raises(ValueError, match="bets needs 2, 3"):
        check_game(Sound(), seats=[2, 7])
    with pytest.raises(ValueError, match=r"^seats\b.* one\b"):
        check_game(Sound(), seats=[])


def test_unknown_options_raise_option_error() -> None:
    with pytest.raises(OptionError, match=r"^lcr .*'x'"):
        check_game(load("lcr").game, options={"x": 1})
    with pytest.raises(OptionError, match=r"^lcr .*'x'"):
        check_game(load("lcr").game, options={"x": 1}, seconds=1e-9)
