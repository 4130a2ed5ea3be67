"""The rules of `examples/backgammon.py`: hits, the bar, bearing off, which dice must be used."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tabletop import Match
from tabletop.display import Scene, clickables
from tabletop.host import load_file
from tabletop.match import AnyMatch
from tabletop.testing import check_picture

backgammon: Any = load_file(Path(__file__).parents[2] / "examples" / "backgammon.py")


SEED = 4  # seat 0 begins


def placed(mine: dict[int, int], other: dict[int, int], *dice: int) -> AnyMatch:
    """A match in which men stand so, as each seat counts; all others are off. Seat 0 has rolled."""
    match = Match(backgammon.GAME, seed=SEED)
    state = match.state
    for men, there in zip(state.men, (mine, other), strict=True):
        men[:] = [there.get(at, 0) for at in range(26)]
        men[0] = 15 - sum(men[1:])
    state.seat, state.dice = 0, list(dice)
    return match


def test_men_stand_as_they_should_and_the_higher_die_begins() -> None:
    state = Match(backgammon.GAME, seed="old oak").state
    assert [sum(men) for men in state.men] == [15, 15]
    assert [backgammon.pips(men) for men in state.men] == [167, 167]
    assert state.dice[0] > state.dice[1]


def test_no_man_goes_where_two_of_the_other_stand() -> None:
    match = placed({10: 1, 20: 1}, {25 - 7: 2}, 3, 1)
    assert "10 7" not in match.legal_actions()
    assert "10 9" in match.legal_actions()


def test_a_man_alone_is_hit_and_enters_before_any_other_moves() -> None:
    match = placed({10: 1}, {25 - 7: 1, 24: 1, 5: 2}, 3, 1)
    match.play("10 7")
    assert match.state.men[1][25] == 1
    match.play(match.legal_actions()[0])
    while match.to_act == (1,) and match.state.men[1][25]:
        assert all(action.startswith("bar ") for action in match.legal_actions())
        match.play(match.legal_actions()[0])


def test_a_man_on_the_bar_comes_in_where_it_may() -> None:
    match = placed({25: 1, 6: 1}, {25 - 22: 2}, 3, 4)
    assert match.legal_actions() == ["bar 21"]


def test_equal_dice_count_twice() -> None:
    match = placed({20: 4, 10: 1}, {20: 2}, 2, 2, 2, 2)
    for _ in range(4):
        assert match.to_act == (0,)
        match.play(match.legal_actions()[0])
    assert match.to_act == (1,)


def test_both_dice_are_used_if_that_is_possible() -> None:
    # With the 1 first, from 8, the 6 could not be used any more.
    match = placed({8: 1, 3: 1}, {25 - 1: 2, 25 - 2: 2}, 6, 1)
    assert "3 2" not in match.legal_actions()
    assert match.legal_actions() == ["8 7"]


def test_if_only_one_die_can_be_used_it_is_the_higher_one() -> None:
    match = placed({20: 1}, {25 - 9: 2}, 6, 5)
    assert match.legal_actions() == ["20 14"]


@pytest.mark.parametrize(
    ("mine", "dice", "legal"),
    [
        ({6: 1, 4: 1}, (6, 5), ["6 off"]),
        ({7: 1, 4: 1}, (4,), ["7 3"]),
        ({5: 1, 3: 1}, (4,), ["5 1"]),
        ({3: 2, 2: 1}, (6,), ["3 off"]),
    ],
)
def test_men_are_borne_off_once_all_are_in_the_last_six_points(
    mine: dict[int, int], dice: tuple[int, ...], legal: list[str]
) -> None:
    assert placed(mine, {20: 2}, *dice).legal_actions()[: len(legal)] == legal


@pytest.mark.parametrize(
    ("other", "points"), [({20: 2}, 1), ({10: 15}, 2), ({20: 15}, 3), ({25: 1, 5: 14}, 3)]
)
def test_a_gammon_counts_twice_and_a_backgammon_three_times(
    other: dict[int, int], points: int
) -> None:
    match = placed({1: 1}, other, 4)
    match.play("1 off")
    assert match.outcome is not None
    assert match.outcome.points == (points, -points)


def test_a_man_is_moved_by_clicks_on_two_places() -> None:
    match, names = placed({25: 1, 6: 1}, {20: 2}, 3, 4), ("Ann", "Bo")
    picture, view = backgammon.PLUGIN.make_picture(), match.view(0)
    choices = clickables(picture, view, match.legal_actions(), names, 0)
    assert {choice.path for choice in choices} == {("bar", "22"), ("bar", "21")}
    drawn = picture.draw(view, Scene(names, 0, to_act=(0,), choices=choices, live=True))
    assert "dice: 3 and 4" in drawn


@pytest.mark.slow
def test_the_picture_is_sound() -> None:
    picture = backgammon.PLUGIN.make_picture()
    assert check_picture(backgammon.GAME, picture, matches=1, plies=12) > 20
