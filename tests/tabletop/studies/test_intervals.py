"""Intervals and p-values equal those of SciPy, and of statsmodels for shared seeds.

The numbers from statsmodels were computed with version 0.15.0, which is not installed for the tests
because it depends on pandas.
"""

from __future__ import annotations

import numpy as np
import pytest
import scipy  # imports its modules when they are used

from tabletop.errors import UsageError
from tabletop.studies.statistics import (
    ELO,
    MANY,
    Estimate,
    Moments,
    Numbers,
    bradley_terry,
    holm,
    in_clusters,
    matches_needed,
    paired_difference,
    quantile,
    ratio,
    shares_apart,
    tails,
    wilson,
    worth_of,
)

pytestmark = pytest.mark.slow  # SciPy alone takes a second

VALUES = np.array([3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8.0])
OTHERS = np.array([2, 7, 1, 8, 2, 8, 1, 8, 2, 8, 4, 5.0])
SEEDS = np.array([0, 0, 0, 1, 1, 2, 3, 3, 3, 3, 4, 4])
"""Seed of each value. One to four values share a seed."""


def of(low: float, high: float, p: float, value: float) -> object:
    return pytest.approx(Estimate(value, low, high, p), rel=1e-6)


@pytest.mark.parametrize("played", [1, 2, 7, 40, 999, 10**6])
def test_the_wilson_interval_equals_that_of_scipy(played: int) -> None:
    for good in {0, 1, played // 3, played // 2, played - 1, played}:
        other = scipy.stats.binomtest(good, played).proportion_ci(method="wilson")
        assert wilson(good, played) == pytest.approx((other.low, other.high), rel=1e-9, abs=1e-12)


def test_the_wilson_interval_with_a_fractional_size_equals_that_of_statsmodels() -> None:
    # Computed with proportion_confint(method="wilson").
    assert wilson(12.5, 31.25) == pytest.approx((0.2484889505608175, 0.5734050313355905))


@pytest.mark.parametrize("freedom", [*range(1, 30), 50, 77, 120, MANY - 1])
def test_student_t_equals_that_of_scipy(freedom: int) -> None:
    assert quantile(freedom) == pytest.approx(scipy.stats.t.ppf(0.975, freedom), rel=1e-8)
    for far in (0.0, 0.3, 1.0, 1.96, 3.0, 6.0):
        assert tails(far, freedom) == pytest.approx(2 * scipy.stats.t.sf(far, freedom), abs=1e-12)


def test_the_normal_approximation_loses_less_than_0_15_percent_of_coverage() -> None:
    assert tails(2.5) == pytest.approx(2 * scipy.stats.norm.sf(2.5), rel=1e-12)
    holds = 1 - 2 * scipy.stats.t.sf(quantile(MANY), MANY)
    assert 0 < 0.95 - holds < 0.0015


@pytest.mark.parametrize("number", [2, 3, 12, 150])
def test_the_interval_of_a_paired_difference_equals_that_of_scipy(number: int) -> None:
    chance = np.random.default_rng(7)
    shared = chance.normal(0, 10, number)
    first, second = (shared + chance.normal(1, 2, number) for _ in range(2))
    other = scipy.stats.ttest_rel(first, second)
    within = other.confidence_interval()
    estimate = paired_difference(first, second)
    assert estimate == of(within.low, within.high, other.pvalue, (first - second).mean())


def test_with_equal_clusters_the_interval_is_that_of_the_cluster_means() -> None:
    values = np.random.default_rng(7).normal(1, 3, (40, 3)) + np.arange(40)[:, None] / 20
    other = scipy.stats.ttest_1samp(values.mean(axis=1), 0)
    within = other.confidence_interval()
    expected = of(within.low, within.high, other.pvalue, values.mean())
    seeds = np.repeat(np.arange(40), 3)
    assert paired_difference(values.ravel(), np.zeros(120), seeds) == expected
    sums = in_clusters(np.stack([np.ones(120), values.ravel()], axis=-1), seeds)
    moments = Moments(2)
    moments.add(sums[:17])
    moments.add(sums[17:])
    assert moments.mean() == expected


def test_with_unequal_clusters_the_interval_equals_that_of_statsmodels() -> None:
    # Computed with OLS on a constant, fitted with cov_type="cluster", the seeds as groups, and
    # use_t=True.
    expected = of(2.10141141, 6.56525526, 0.00572821, 4.33333333)
    sums = in_clusters(np.stack([np.ones(12), VALUES], axis=-1), SEEDS)
    moments = Moments(2)
    moments.add(sums)
    assert moments.mean() == expected
    squares, products, sizes = (sums.T @ sums)[[1, 0, 0], [1, 1, 0]]
    assert ratio(12, 52, squares, products, sizes=sizes, clusters=5) == expected
    # The same for values - others.
    estimate = paired_difference(VALUES, OTHERS, SEEDS)
    assert estimate == of(-1.93724205, 1.27057538, 0.59484715, -0.33333333)


def test_the_difference_of_clustered_means_equals_that_of_statsmodels() -> None:
    # Computed with OLS as above, with an indicator of the even positions. The error is larger by
    # the root of (12 - 1) / (12 - 2), because there are two parameters.
    is_even = (np.arange(12) % 2 == 0) * 1.0
    columns = [is_even, is_even * VALUES, 1 - is_even, (1 - is_even) * VALUES]
    moments = Moments(4)
    moments.add(in_clusters(np.stack(columns, axis=-1), SEEDS))
    estimate = moments.apart((1, 0), (3, 2))
    assert estimate.value == pytest.approx(-0.66666667)
    assert estimate.error(4) == pytest.approx(1.4302184068728887 * (10 / 11) ** 0.5)


@pytest.mark.parametrize(
    ("counts", "low", "high", "p"),
    [
        ((106, 212, 900, 9788), 0.3410877066433522, 0.4749862612149408, 4.891481094641164e-85),
        ((21, 300, 400, 800), -0.47194522431178154, -0.38106767663758073, 5.0458542647797246e-39),
        ((290, 300, 400, 800), 0.422850428145261, 0.5043971200725952, 4.124160695221881e-46),
    ],
)
def test_the_difference_of_two_shares_equals_that_of_statsmodels(
    counts: tuple[int, int, int, int], low: float, high: float, p: float
) -> None:
    # Computed with confint_proportions_2indep(method="newcomb") and proportions_ztest.
    good, played, others, all_others = counts
    value = good / played - others / all_others
    assert shares_apart(*counts) == of(low, high, p, value)


def test_the_holm_correction_equals_that_of_statsmodels() -> None:
    # Computed with multipletests(method="holm").
    corrected = holm([0.01, 0.04, 0.03, 0.5, 0.001, 0.02, 0.2])
    assert corrected.tolist() == pytest.approx([0.06, 0.12, 0.12, 0.5, 0.007, 0.1, 0.4])


WINS = {
    "two": [[0, 61], [39, 0]],
    "three": [[0, 30, 44], [20, 0, 33.5], [6, 16.5, 0]],
    "four": [[0, 60, 80, 96], [40, 0, 65, 88], [20, 35, 0, 71], [4, 12, 29, 0]],
}


def likelihood(won: Numbers, elo: Numbers) -> float:
    """Return the log likelihood of a matrix of wins for Elo ratings."""
    chances = 1 / (1 + 10 ** (-(elo[:, None] - elo) / 400))
    return float((won * np.log(chances)).sum())


@pytest.mark.parametrize("wins", WINS.values(), ids=WINS)
def test_an_elo_interval_equals_the_likelihood_interval_found_with_scipy(
    wins: list[list[float]],
) -> None:
    won = np.array(wins)

    def lost(apart: float | None) -> float:
        """Return the lowest negative log likelihood for a fixed rating difference of two bots."""

        def at(free: Numbers) -> Numbers:
            fixed = [0.0] if apart is None else [apart, 0.0]
            return np.array([*free[: 2 - len(fixed)], *fixed, *free[2 - len(fixed) :]])

        count = len(won) - (1 if apart is None else 2)
        if not count:
            return -likelihood(won, at(np.zeros(0)))
        estimate = scipy.optimize.minimize(
            lambda free: -likelihood(won, at(free * 100)), np.zeros(count), tol=1e-10
        )
        return float(estimate.fun)

    least, reach = lost(None), scipy.stats.chi2.ppf(0.95, 1) / 2
    estimate = bradley_terry(won).difference(0, 1)
    for end, beyond in ((estimate.low, estimate.low - 400), (estimate.high, estimate.high + 400)):
        other = scipy.optimize.brentq(lambda it: lost(it) - least - reach, estimate.value, beyond)
        assert end == pytest.approx(other, abs=0.3)  # the maximum effect of the penalty
    assert estimate.p == pytest.approx(scipy.stats.chi2.sf(2 * (lost(0.0) - least), 1), rel=0.01)
    assert pytest.approx(400 / np.log(10)) == ELO


def test_a_share_with_few_seeds_has_the_wider_interval_of_student() -> None:
    share = Estimate.of(0.5, 0.1, 9)
    worth = worth_of(share, 40, 10)
    assert worth == pytest.approx(
        25 * (scipy.stats.norm.ppf(0.975) / scipy.stats.t.ppf(0.975, 9)) ** 2
    )
    assert worth_of(Estimate.of(0.5, 0.1), 40, 10**6) == pytest.approx(25)


def test_if_all_matches_are_won_each_seed_counts_once() -> None:
    assert worth_of(Estimate.of(1.0, 0.0, 9), 20, 10) == 10
    assert worth_of(Estimate.of(0.5, 0.0, 9), 20, 10) == 20  # each bot wins each seed once


@pytest.mark.parametrize("seeds", [3, 10, 20, 60])
@pytest.mark.parametrize("shared", [0.0, 0.6, 1.0])
def test_intervals_of_clustered_shares_have_95_percent_coverage(seeds: int, shared: float) -> None:
    chance = np.random.default_rng(7)
    for truth in (0.5, 0.8):
        decided = chance.random((1500, seeds, 1)) < shared
        by_seed = chance.random((1500, seeds, 1)) < truth
        won = np.where(decided, by_seed, chance.random((1500, seeds, 2)) < truth).sum(axis=2)
        held = 0
        for each in won:
            share = paired_difference(each / 2, np.zeros(seeds))
            worth = worth_of(share, 2 * seeds, seeds)
            low, high = wilson(share.value * worth, worth)
            held += low <= truth <= high
        assert held / 1500 > 0.93, truth


@pytest.mark.parametrize(
    ("apart", "comparisons", "power", "needed"),
    [
        (0.1, 1, 0.8, 786.809),
        (0.5, 1, 0.8, 33.367),
        (0.2, 1, 0.9, 264.614),
        (0.1, 5, 0.8, 1171.216),
    ],
)
def test_the_number_of_matches_needed_equals_that_of_statsmodels(
    apart: float, comparisons: int, power: float, needed: float
) -> None:
    # Computed with TTestPower().solve_power(alpha=0.05 / comparisons).
    matches = matches_needed(3 * apart, 3, comparisons=comparisons, power=power)
    assert matches == pytest.approx(needed, abs=1)
    assert matches_needed(-3 * apart, 3, comparisons=comparisons, power=power) == matches


def test_the_number_of_matches_needed_gives_a_power_of_80_percent() -> None:
    needed, chance = matches_needed(0.5, 1.7), np.random.default_rng(7)
    shared = chance.normal(0, 9, (1500, needed))
    first = shared + chance.normal(0.5, 1.7, (1500, needed))
    significant = [paired_difference(*both).p < 0.05 for both in zip(first, shared, strict=True)]
    assert 0.77 < np.mean(significant) < 0.83


@pytest.mark.parametrize(
    ("apart", "power", "message"),
    [(0, 0.8, "must not be 0"), (1, 0.5, "must be between")],
)
def test_an_invalid_difference_or_power_is_an_error(
    apart: float, power: float, message: str
) -> None:
    with pytest.raises(UsageError, match=message):
        matches_needed(apart, 1, power=power)
