"""Intervals, ratings and tests, compared with published numbers and with simulations."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from tabletop.studies import wilson
from tabletop.studies.statistics import (
    ELO,
    PENALTY,
    bradley_terry,
    holm,
    paired_difference,
    quantile,
    sprt,
    tails,
)


def test_a_share_has_a_wilson_interval() -> None:
    # Newcombe (1998), table I: 81 of 263.
    assert wilson(81, 263) == pytest.approx((0.2553, 0.3662), abs=0.0001)
    assert wilson(0, 0) == (0.0, 1.0)


def test_the_interval_of_a_share_of_0_or_1_ends_there() -> None:
    for played in range(1, 100):
        assert wilson(0, played)[0] == 0.0
        assert wilson(played, played)[1] == 1.0


def test_a_paired_difference_ignores_the_common_part() -> None:
    shared = np.random.default_rng(7).normal(0, 100, 400)
    estimate = paired_difference(shared + 1, shared + np.resize([0.5, -0.5], 400))
    assert estimate.value == pytest.approx(1)
    assert estimate.high - estimate.low < 0.1
    assert estimate.p < 1e-9


def test_the_holm_correction_equals_a_manual_one() -> None:
    # In ascending order: 4 * 0.01, then 3 * 0.03, then 2 * 0.04 but at least the previous one, then
    # 0.5.
    assert holm([0.01, 0.04, 0.03, 0.5]).tolist() == pytest.approx([0.04, 0.09, 0.09, 0.5])
    assert holm([]).size == 0
    assert holm([0.9, 0.8]).tolist() == [1.0, 1.0]


# Computed with choix 0.4.1: `opt_pairwise(n, data, alpha=0.01, tol=1e-14)`, and the inverse of
# `PairwiseFcts(data, 0.01).hessian`, centred, times 400 / ln 10, and its square.
CHOIX = [
    pytest.param(
        [[0, 60, 80, 96], [40, 0, 65, 88], [20, 35, 0, 71], [4, 12, 29, 0]],
        [192.6637, 94.8998, -47.0863, -240.4772],
        [19.6590, 17.7680, 17.4490, 21.7978],
        28.7163,
        id="four",
    ),
    pytest.param(
        [[0, 50, 50], [0, 0, 30], [0, 20, 0]],
        [810.2856, -370.0211, -440.2645],
        [354.8385, 178.9739, 179.3802],
        532.6414,
        id="one-won-all",
    ),
]


@pytest.mark.parametrize(("wins", "elo", "errors", "apart"), CHOIX)
def test_strengths_and_their_errors_equal_those_of_choix(
    wins: list[list[int]], elo: list[float], errors: list[float], apart: float
) -> None:
    ratings = bradley_terry(wins)
    assert ratings.elo.tolist() == pytest.approx(elo, abs=1e-4)
    both = ratings.difference(0, 1)
    assert both.value == pytest.approx(elo[0] - elo[1], abs=1e-4)
    if np.isfinite(both.high):  # with many matches, the likelihood is nearly a parabola
        assert (both.high - both.low) / 2 / 1.959964 == pytest.approx(apart, rel=0.15)


def test_an_interval_of_strengths_ends_where_the_likelihood_has_dropped() -> None:
    sweep = bradley_terry([[0, 20], [0, 0]]).difference(0, 1)
    share = np.exp(-(1.959964**2) / 2 / 20)  # 20 * log(share) is this far below 0
    assert sweep.low == pytest.approx(400 * np.log10(share / (1 - share)), abs=10)
    assert sweep.high == np.inf
    nothing = bradley_terry([[0, 0], [0, 0]]).difference(0, 1)
    assert (nothing.low, nothing.high, nothing.p) == (-np.inf, np.inf, 1)


@pytest.mark.parametrize(
    ("freedom", "most"), [(1, 12.7062), (4, 2.7764), (9, 2.2622), (29, 2.0452)]
)
def test_few_numbers_have_an_interval_of_student(freedom: int, most: float) -> None:
    assert quantile(freedom) == pytest.approx(most, abs=1e-4)
    assert tails(most, freedom) == pytest.approx(0.05, abs=1e-4)
    values = np.arange(freedom + 1.0)
    estimate = paired_difference(values, np.zeros(freedom + 1))
    error = values.std(ddof=1) / np.sqrt(freedom + 1)
    assert estimate.high - estimate.value == pytest.approx(most * error, rel=1e-4)


def test_values_of_one_cluster_count_as_one() -> None:
    values = np.array([1.0, 2.0, 5.0, 4.0, 0.0, 3.0, 2.0])
    single = paired_difference(values, np.zeros(7))
    twice = paired_difference(np.repeat(values, 2), np.zeros(14), np.repeat(np.arange(7), 2))
    assert twice == pytest.approx(single)


def test_the_penalty_moves_a_rating_by_a_tenth_of_a_point() -> None:
    # 192.7461 without a penalty, computed with `mm_pairwise` of choix 0.4.1.
    wins = [[0, 60, 80, 96], [40, 0, 65, 88], [20, 35, 0, 71], [4, 12, 29, 0]]
    assert PENALTY == 0.01
    assert bradley_terry(wins).elo[0] == pytest.approx(192.7461, abs=0.1)


def test_ten_wins_per_loss_are_400_elo_points() -> None:
    ratings = bradley_terry([[0, 10_000], [1000, 0]])
    assert ratings.difference(0, 1).value == pytest.approx(400, abs=0.1)
    assert pytest.approx(400 / 2.302585) == ELO


@pytest.mark.parametrize(
    "wins",
    [[[0]], [[0, 0], [0, 0]], [[0, 1e6], [0, 0]], [[0, 1e6, 0], [1, 0, 1e6], [0, 0, 0]]],
    ids=["alone", "none", "all", "chain"],
)
def test_any_results_give_finite_ratings(wins: list[list[float]]) -> None:
    ratings = bradley_terry(wins)
    assert np.isfinite(ratings.elo).all()
    assert ratings.elo.sum() == pytest.approx(0, abs=1e-4)
    assert (np.diff(ratings.elo) <= 1e-4).all()


@pytest.mark.slow
def test_intervals_of_strengths_have_95_percent_coverage() -> None:
    held = 0
    for won, tries in Counter(np.random.default_rng(7).binomial(100, 0.6, 400).tolist()).items():
        both = bradley_terry([[0, won], [100 - won, 0]]).difference(0, 1)
        held += tries * (both.low < 70.4365 < both.high)  # 400 * log10(0.6 / 0.4)
    assert 0.92 < held / 400 < 0.98


@pytest.mark.slow
@pytest.mark.parametrize(("share", "stronger"), [(0.5, False), (0.5717, True)])
def test_a_sequential_test_has_an_error_rate_of_5_percent(share: float, stronger: bool) -> None:
    chance, wrong = np.random.default_rng(7), 0
    for _ in range(200):
        scores = chance.random(4000) < share
        played, decision = 0, None
        while decision is None and played < 4000:
            played += 25
            decision = sprt(scores[:played], (0, 50))
        wrong += decision is not stronger
    assert wrong / 200 <= 0.08


def test_a_sequential_test_does_not_decide_after_a_few_equal_matches() -> None:
    assert sprt([], (0, 10)) is None
    assert sprt([1] * 5, (0, 10)) is None
