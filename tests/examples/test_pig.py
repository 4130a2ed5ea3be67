"""The rules of `examples/pig.py`: a 1, holding, the goal."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tabletop import IllegalAction, Match
from tabletop.host import load_file
from tabletop.match import AnyMatch
from tabletop.testing import check_picture

pig: Any = load_file(Path(__file__).parents[2] / "examples" / "pig.py")


def rolled(first: int) -> AnyMatch:
    """A match that begins with this roll."""
    for seed in range(100):
        match = Match(pig.GAME, seed=seed)
        match.play("roll")
        if match.state.pips == first:
            return match
    raise AssertionError(first)


def test_a_one_loses_the_points_of_the_turn() -> None:
    match = rolled(1)
    assert match.state.points == [0, 0]
    assert match.to_act == (1,)


def test_who_holds_keeps_the_points_of_the_turn() -> None:
    match = rolled(5)
    match.play("hold")
    assert match.state.points == [5, 0]
    assert match.to_act == (1,)


def test_nothing_is_held_before_a_roll() -> None:
    with pytest.raises(IllegalAction, match=r"\bno points\b"):
        Match(pig.GAME, seed=1).play("hold")


def test_the_first_to_reach_the_goal_wins() -> None:
    match = rolled(4)
    match.state.points[0] = 46
    match.play("hold")
    assert match.outcome is not None
    assert match.outcome.winners == (0,)


@pytest.mark.slow
def test_the_picture_is_sound() -> None:
    assert check_picture(pig.GAME, pig.PLUGIN.make_picture(), matches=1, plies=12) > 20
