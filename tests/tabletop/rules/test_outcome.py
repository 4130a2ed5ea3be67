"""Outcomes: winners, draws, rankings and returns."""

from __future__ import annotations

import re
from decimal import Decimal
from fractions import Fraction
from functools import partial
from math import inf, nan
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabletop import Outcome
from tabletop.states import from_json, to_json


@pytest.mark.parametrize(
    ("outcome", "ranking", "winners", "drawn"),
    [
        (Outcome.win(1, 3, "why"), ((1,), (0, 2)), (1,), False),
        (Outcome.win(0, 1, "why", points=[7]), ((0,),), (0,), False),
        (Outcome.draw(2, "why", points=(3, 3)), ((0, 1),), (), True),
        (Outcome.abandon(2, "why", points=(3, 4)), ((0, 1),), (), False),
        (Outcome(((0, 2), (1,)), "why"), ((0, 2), (1,)), (0, 2), False),
    ],
)
def test_an_outcome_has_ranks_winners_and_a_reason(
    outcome: Outcome, ranking: tuple[tuple[int, ...], ...], winners: tuple[int, ...], drawn: bool
) -> None:
    assert (outcome.ranking, outcome.winners, outcome.is_draw) == (ranking, winners, drawn)
    assert outcome.reason == "why"
    assert outcome.points in [(), (7,), (3, 3), (3, 4)]
    for rank, group in enumerate(ranking):
        assert {outcome.rank(seat) for seat in group} == {rank}
    with pytest.raises(ValueError, match=r"\bseat 10 .*\b9\b"):
        outcome.rank(9)


@given(st.lists(st.integers(-5, 5), min_size=1, max_size=6))
def test_by_score_ranks_every_seat_once_and_the_highest_score_first(scores: list[int]) -> None:
    outcome = Outcome.by_score(scores)
    ranked = [seat for group in outcome.ranking for seat in group]
    assert sorted(ranked) == list(range(len(scores)))
    for one, score in enumerate(scores):
        for other, another in enumerate(scores):
            assert (score > another) == (outcome.rank(one) < outcome.rank(other))


# Points.


@given(st.lists(st.integers(-5, 5), min_size=1, max_size=6))
def test_lowest_wins_reverses_the_ranking(scores: list[int]) -> None:
    highest, lowest = Outcome.by_score(scores), Outcome.by_score(scores, lowest_wins=True)
    assert lowest.ranking == highest.ranking[::-1]
    assert lowest.points == highest.points == tuple(scores)


@given(st.data(), st.integers(1, 6), st.booleans())
def test_equal_scores_are_ranked_by_the_tie_break(
    data: st.DataObject, seats: int, lowest: bool
) -> None:
    numbers = st.lists(st.integers(0, 2), min_size=seats, max_size=seats)
    scores, ties = data.draw(numbers), data.draw(numbers)
    outcome = Outcome.by_score(scores, lowest_wins=lowest, tie_break=ties)
    sign = -1 if lowest else 1
    keys = [(sign * score, tie) for score, tie in zip(scores, ties, strict=True)]
    assert [outcome.rank(seat) for seat in range(seats)] == [
        sorted({*keys}, reverse=True).index(key) for key in keys
    ]
    assert outcome.points == tuple(scores)


def test_a_tie_break_may_be_a_list() -> None:
    outcome = Outcome.by_score([1, 1, 1], tie_break=[[2, 0], [2, 1], [2, 0]])
    assert outcome.ranking == ((1,), (0, 2))


def test_a_tie_break_needs_a_value_for_each_seat() -> None:
    with pytest.raises(ValueError, match=r"^tie_break .* 2 seats, not 1$"):
        Outcome.by_score([1, 1], tie_break=[1])


def test_points_of_any_number_type_become_plain_numbers() -> None:
    scores: list[Any] = [True, Fraction(1, 2), Decimal("2.5")]
    points = Outcome.by_score(scores).points
    assert [(type(point), point) for point in points] == [(int, 1), (float, 0.5), (float, 2.5)]


@pytest.mark.parametrize("make", [partial(Outcome.win, 0), Outcome.draw])
def test_points_keep_their_type_despite_the_cache(make: Any) -> None:
    assert repr(make(2, points=[1, 0]).points) == "(1, 0)"
    assert repr(make(2, points=[1.0, 0.0]).points) == "(1.0, 0.0)"


NUMBERS = st.integers(-(2**63), 2**63) | st.floats(allow_nan=False, allow_infinity=False)


@given(st.lists(NUMBERS, max_size=5))
def test_an_outcome_survives_json(scores: list[float]) -> None:
    outcome = Outcome.by_score(scores)
    again = from_json(to_json(outcome), Outcome)
    assert again == outcome
    assert list(map(type, again.points)) == list(map(type, outcome.points))


@pytest.mark.parametrize("score", [inf, -inf, nan])
def test_points_must_be_finite(score: float) -> None:
    with pytest.raises(ValueError, match=rf"\bfinite\b.*\bseat 1 .* {score}$"):
        Outcome.by_score([1, score])
    with pytest.raises(ValueError, match=rf"\bfinite\b.*\bseat 1 .* {score}$"):
        Outcome.win(0, 2, points=[1, score])


def test_points_need_a_number_for_every_seat() -> None:
    with pytest.raises(ValueError, match=r"\b3 seats, not 2$"):
        Outcome.draw(3, points=[1, 2])


def test_repr_shows_points_if_there_are_any() -> None:
    assert repr(Outcome.draw(2)) == "Outcome(ranking=((0, 1),), reason='', abandoned=False)"
    shown = repr(Outcome.by_score([2, 1], "over"))
    assert shown == "Outcome(ranking=((0,), (1,)), reason='over', abandoned=False, points=(2, 1))"


# Returns.


@given(st.lists(st.integers(0, 5), min_size=2, max_size=9), st.booleans())
def test_returns_sum_to_zero_and_follow_the_ranking(scores: list[int], lowest: bool) -> None:
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
def test_returns_raises_if_a_seat_is_not_ranked_exactly_once(ranking: tuple[Any, ...]) -> None:
    with pytest.raises(ValueError, match=rf"^{re.escape(str(ranking))} .*\bonce$"):
        _ = Outcome(ranking).returns


@pytest.mark.parametrize("winner", [2, -1])
def test_a_win_of_a_seat_that_the_match_does_not_have_is_refused(winner: int) -> None:
    with pytest.raises(ValueError, match="no seat"):
        Outcome.win(winner, seats=2)


@pytest.mark.parametrize(("winner", "seats"), [(1.0, 2), (1, 2.0), ("1", 2)])
def test_a_winner_and_the_number_of_seats_are_whole_numbers(winner: Any, seats: Any) -> None:
    with pytest.raises(TypeError):
        Outcome.win(winner, seats)


def test_a_winner_of_another_number_type_becomes_an_int() -> None:
    winner: Any = np.int64(1)
    ranking = Outcome.win(winner, seats=3, reason="a NumPy winner").ranking
    assert [type(seat) for group in ranking for seat in group] == [int] * 3


# Teams.


def test_teams_rank_groups_and_name_the_faction_and_the_role_of_each_seat() -> None:
    outcome = Outcome.teams(
        (0, 2), (1,), names=("spies", "loyal"), roles=("assassin", "seer", "spy")
    )
    assert outcome.winners == (0, 2)
    assert outcome.ranking == ((0, 2), (1,))
    assert outcome.factions == ("spies", "loyal", "spies")
    assert outcome.roles == ("assassin", "seer", "spy")


def test_teams_need_no_names() -> None:
    outcome = Outcome.teams((1, 3), (0, 2))
    assert (outcome.winners, outcome.factions, outcome.roles) == ((1, 3), (), ())


def test_tied_teams_keep_their_factions() -> None:
    outcome = Outcome.teams((0, 2), (1, 3), names=("north", "east"), drawn=True)
    assert outcome.is_draw
    assert outcome.factions == ("north", "east", "north", "east")


@pytest.mark.parametrize(
    ("teams", "how"),
    [
        (((0, 2), (2,)), {}),
        (((0,), (2,)), {}),
        (((0,), (1,), ()), {}),
        (((0,), (1,)), {"names": ("spies",)}),
        (((0,), (1,)), {"roles": ("seer",)}),
    ],
)
def test_teams_that_do_not_fit_the_seats_are_refused(
    teams: tuple[tuple[int, ...], ...], how: dict[str, Any]
) -> None:
    with pytest.raises(ValueError, match=r"each seat|names|each of"):
        Outcome.teams(*teams, **how)
