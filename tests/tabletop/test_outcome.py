"""How matches end: winners, draws, rankings."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from math import inf, nan
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabletop import Outcome
from tabletop.codec import from_json, to_json


def test_the_winner_stands_before_all_others_who_are_tied() -> None:
    outcome = Outcome.win(1, 3, "by nose")
    assert outcome.ranking == ((1,), (0, 2))
    assert outcome.winners == (1,)
    assert outcome.reason == "by nose"
    assert [outcome.rank(seat) for seat in range(3)] == [1, 0, 1]
    assert not outcome.is_draw


def test_who_plays_alone_can_win() -> None:
    assert Outcome.win(0, 1).ranking == ((0,),)
    assert Outcome.win(0, 1).winners == (0,)


def test_nobody_wins_a_draw() -> None:
    outcome = Outcome.draw(2, "no cards left")
    assert outcome.is_draw
    assert outcome.winners == ()
    assert outcome.ranking == ((0, 1),)


def test_an_abandoned_match_is_no_draw_and_nobody_wins() -> None:
    outcome = Outcome.abandon(2, "rain")
    assert outcome.abandoned
    assert not outcome.is_draw
    assert outcome.winners == ()
    assert outcome.reason == "rain"


def test_several_can_win_together() -> None:
    assert Outcome(((0, 2), (1,))).winners == (0, 2)
    assert not Outcome(((0, 2), (1,))).is_draw


@given(st.lists(st.integers(-5, 5), min_size=1, max_size=6))
def test_scores_rank_every_seat_once_and_the_highest_first(scores: list[int]) -> None:
    outcome = Outcome.by_score(scores)
    ranked = [seat for group in outcome.ranking for seat in group]
    assert sorted(ranked) == list(range(len(scores)))
    for one, score in enumerate(scores):
        for other, another in enumerate(scores):
            assert (score > another) == (outcome.rank(one) < outcome.rank(other))


def test_an_outcome_knows_only_its_own_seats() -> None:
    with pytest.raises(ValueError, match="does not rank seat 3"):
        Outcome.draw(2).rank(2)


# Points.


@given(st.lists(st.integers(-5, 5), min_size=1, max_size=6))
def test_where_the_lowest_score_wins_the_ranking_is_the_other_way_round(scores: list[int]) -> None:
    highest, lowest = Outcome.by_score(scores), Outcome.by_score(scores, lowest_wins=True)
    assert lowest.ranking == highest.ranking[::-1]
    assert lowest.points == highest.points == tuple(scores)


def test_an_outcome_of_a_game_without_points_has_none() -> None:
    assert Outcome.win(0, 2).points == Outcome.draw(2).points == Outcome.abandon(2).points == ()


def test_points_can_be_told_of_any_ending() -> None:
    assert Outcome.win(1, 2, "first to arrive", points=[30, 12]).points == (30, 12)
    assert Outcome.draw(2, points=(3, 3)).points == (3, 3)
    assert Outcome.abandon(2, points=(3, 4)).points == (3, 4)


def test_whatever_a_game_counts_with_points_are_plain_numbers() -> None:
    scores: list[Any] = [True, Fraction(1, 2), Decimal("2.5")]
    points = Outcome.by_score(scores).points
    assert [(type(point), point) for point in points] == [(int, 1), (float, 0.5), (float, 2.5)]


NUMBERS = st.integers(-(2**63), 2**63) | st.floats(allow_nan=False, allow_infinity=False)


@given(st.lists(NUMBERS, max_size=5))
def test_an_outcome_survives_json(scores: list[float]) -> None:
    outcome = Outcome.by_score(scores)
    again = from_json(to_json(outcome), Outcome)
    assert again == outcome
    assert list(map(type, again.points)) == list(map(type, outcome.points))


@pytest.mark.parametrize("score", [inf, -inf, nan])
def test_points_are_finite_numbers(score: float) -> None:
    with pytest.raises(ValueError, match="points are finite numbers: seat 1 has"):
        Outcome.by_score([1, score])
    with pytest.raises(ValueError, match="points are finite numbers: seat 1 has"):
        Outcome.win(0, 2, points=[1, score])


def test_there_are_points_for_every_seat_or_for_none() -> None:
    with pytest.raises(ValueError, match="points: one number for each seat, not 2 for 3"):
        Outcome.draw(3, points=[1, 2])


def test_an_outcome_shows_its_points_where_it_has_some() -> None:
    assert repr(Outcome.draw(2)) == "Outcome(ranking=((0, 1),), reason='', abandoned=False)"
    shown = repr(Outcome.by_score([2, 1], "over"))
    assert shown == "Outcome(ranking=((0,), (1,)), reason='over', abandoned=False, points=(2, 1))"


# Returns.


@given(st.lists(st.integers(0, 5), min_size=2, max_size=9), st.booleans())
def test_returns_sum_to_zero_and_go_with_the_ranking(scores: list[int], lowest: bool) -> None:
    outcome = Outcome.by_score(scores, lowest_wins=lowest)
    returns = outcome.returns
    assert len(returns) == len(scores)
    assert sum(returns) == pytest.approx(0, abs=1e-12)
    assert all(-1 <= it <= 1 for it in returns)
    for one, worth in enumerate(returns):
        for other, another in enumerate(returns):
            assert (worth > another) == (outcome.rank(one) < outcome.rank(other))


@pytest.mark.parametrize(
    ("outcome", "returns"),
    [
        (Outcome.win(1, 2), (-1, 1)),
        (Outcome.by_score([5, 9, 7]), (-1, 1, 0)),
        (Outcome.by_score([5, 9, 7], lowest_wins=True), (1, -1, 0)),
        (Outcome.win(0, 3), (1, -0.5, -0.5)),
        (Outcome(((0, 2), (1,))), (0.5, -1, 0.5)),
        (Outcome(((3,), (0, 1), (2,))), (0, 0, -1, 1)),
        (Outcome.draw(2), (0, 0)),
        (Outcome.abandon(3), (0, 0, 0)),
        (Outcome(((1,), (0,)), abandoned=True), (0, 0)),
        (Outcome.win(0, 1), (0,)),
    ],
)
def test_places_are_worth_from_one_to_minus_one(
    outcome: Outcome, returns: tuple[float, ...]
) -> None:
    assert outcome.returns == returns
    assert all(type(it) is float for it in outcome.returns)


@pytest.mark.parametrize("ranking", [((0, 1), (2, 0)), ((1,),), ((0,), (2,))])
def test_what_ranks_not_every_seat_once_returns_nothing(ranking: tuple[Any, ...]) -> None:
    with pytest.raises(ValueError, match="does not rank each seat"):
        _ = Outcome(ranking).returns
