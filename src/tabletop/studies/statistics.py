"""What numbers of matches say: shares, differences and strengths, each with its 95 % interval.

Matches that share a seed are not independent: errors are those of clusters, one a seed. Intervals
of means are Student's, and normal where there are many clusters. Strengths are Elo: 400 points are
ten wins for each loss.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from math import atan2, ceil, cos, erfc, exp, hypot, inf, isfinite, log, nan, pi, sin, sqrt
from statistics import NormalDist
from typing import Final, NamedTuple, Self, TypeAlias

from tabletop.errors import UsageError
from tabletop.host.extras import require

require("a study", "studies", "numpy")

import numpy as np
from numpy.typing import ArrayLike, NDArray

Numbers: TypeAlias = NDArray[np.float64]
"""An array of numbers."""

Z: Final = NormalDist().inv_cdf(0.975)
"""So many standard errors to each side hold 95 %."""

ELO: Final = 400 / log(10)
"""The points of Elo in one unit of strength: there `e` wins come on each loss."""

PENALTY: Final = 0.01
"""What the square of a strength takes from its log likelihood: 0.1 points of Elo, or less, after a
hundred matches; but who has won all of them has a finite strength."""

MANY: Final = 200
"""From so many degrees of freedom on, Student's t is taken as normal."""

FARTHEST: Final = 4000.0
"""An interval of Elo that reaches so far has no end."""

_WATCHED: Final = 1000
"""The interval of what is watched is narrowest, beside others, after so many clusters."""

_STEPS: Final = 1000


class Estimate(NamedTuple):
    """A number that was measured.

    Attributes:
        value: the best guess.
        low, high: the interval that holds it at 95 %.
        p: how probable one is that lies as far from 0, or farther, if it were 0: 0.0 to 1.0.
    """

    value: float
    low: float
    high: float
    p: float

    @classmethod
    def of(cls, value: float, error: float, freedom: int = MANY) -> Self:
        """Make one of a number and its standard error, 0.0 or more.

        Args:
            value: the number.
            error: its standard error.
            freedom: the degrees of freedom that the error was estimated with, at least 1.
        """
        far = abs(value) / error if error else (inf if value else 0.0)
        reach = quantile(freedom) * error
        return cls(value, value - reach, value + reach, tails(far, freedom))

    def error(self, freedom: int = MANY) -> float:
        """Return the standard error, which was estimated with so many degrees of freedom."""
        return (self.high - self.low) / 2 / quantile(max(freedom, 1))


def tails(far: float, freedom: int = MANY) -> float:
    """Return the chance that a Student's t is so far from 0 or farther: normal from `MANY` on."""
    if freedom >= MANY or far == inf:
        return erfc(far / sqrt(2))
    # The series of Abramowitz and Stegun, 26.7.3 and 26.7.4.
    angle = atan2(far, sqrt(freedom))
    term, total = (cos(angle), 0.0) if freedom % 2 else (1.0, 0.0)
    for number in range(1 + freedom % 2, freedom, 2):
        total += term
        term *= cos(angle) ** 2 * number / (number + 1)
    within = sin(angle) * total
    return max(0.0, 1 - (2 / pi * (angle + within) if freedom % 2 else within))


@cache
def quantile(freedom: int = MANY) -> float:
    """Return how many standard errors to each side hold 95 %."""
    if freedom >= MANY:
        return Z
    low, high = Z, 13.0
    while high - low > 1e-12:
        middle = (low + high) / 2
        low, high = (middle, high) if tails(middle, freedom) > 0.05 else (low, middle)
    return low


def wilson(good: float, played: float, z: float = Z) -> tuple[float, float]:
    """Return the Wilson score interval of a share: by default the one that holds it at 95 %."""
    if not played:
        return 0.0, 1.0
    share, square = good / played, z * z
    middle = share + square / (2 * played)
    reach = z * sqrt(share * (1 - share) / played + square / (4 * played * played))
    whole = 1 + square / played
    low, high = (middle - reach) / whole, (middle + reach) / whole
    # What is rounded may lie beyond a share of 0 or 1.
    return max(0.0, min(low, share)), min(1.0, max(high, share))


class Moments:
    """Sums of numbers over clusters, such as matches of one seed, and of their products.

    Means and their errors are made of them. Matches that share no seed are clusters of their own.

    Args:
        width: how many numbers each cluster has.
    """

    def __init__(self, width: int) -> None:
        self.totals: Numbers = np.zeros(width)
        self.products: Numbers = np.zeros((width, width))
        self.clusters = 0

    def add(self, rows: Numbers) -> None:
        """Add the numbers of clusters, a row each; a cluster has all of its numbers in one row."""
        self.totals += rows.sum(axis=0)
        self.products += rows.T @ rows
        self.clusters += len(rows)

    def mean(self, total: int = 1, number: int = 0) -> Estimate:
        """Return the mean of numbers, from the places of their sum and of how many they are."""
        return self._of(((total, number, 1.0),))

    def apart(self, first: tuple[int, int], second: tuple[int, int]) -> Estimate:
        """Return by how much one mean is above another; of each the places, as `mean` has them."""
        return self._of(((*first, 1.0), (*second, -1.0)))

    def _of(self, means: Sequence[tuple[int, int, float]]) -> Estimate:
        value, ways = 0.0, np.zeros(len(self.totals))
        for total, number, sign in means:
            count = self.totals[number]
            if not count:
                return Estimate(nan, nan, nan, 1.0)
            mean = self.totals[total] / count
            value += sign * mean
            ways[total] += sign / count
            ways[number] -= sign * mean / count
        if self.clusters < 2:
            return Estimate(float(value), nan, nan, 1.0)
        square = float(ways @ self.products @ ways) * self.clusters / (self.clusters - 1)
        return Estimate.of(float(value), sqrt(max(square, 0.0)), self.clusters - 1)


def in_clusters(values: Numbers, cluster: ArrayLike) -> Numbers:
    """Sum up rows of numbers that are of the same cluster; clusters are numbered from 0."""
    numbers = np.asarray(cluster)
    columns = [np.bincount(numbers, column) for column in values.T]
    return np.stack(columns, axis=-1) if len(numbers) else np.zeros((0, values.shape[1]))


def ratio(
    number: float,
    total: float,
    squares: float,
    products: float,
    *,
    sizes: float,
    clusters: float,
) -> Estimate:
    """Return the mean of numbers that come in clusters, from sums over these.

    Args:
        number: how many numbers there are.
        total: their sum.
        squares: the squares of what each cluster sums up to.
        products: that times how many numbers the cluster has.
        sizes: the squares of how many numbers each cluster has.
        clusters: how many clusters have any.
    """
    moments = Moments(2)
    moments.totals = np.array([number, total])
    moments.products = np.array([[sizes, products], [products, squares]])
    moments.clusters = int(clusters)
    return moments.mean()


def worth_of(share: Estimate, number: float, clusters: float) -> float:
    """Return how many matches with seeds of their own say as much of a share.

    This is the effective size of Korn and Graubard (1998): an error that a few seeds tell is not
    known well itself, so that they count for less. Where all is won, or nothing, it is not known
    what seeds decide, and each counts once.

    Args:
        share: the share, as `Moments.mean` or `ratio` returns it.
        number: how many matches it is of.
        clusters: how many seeds they have.
    """
    if clusters < 2 or not 0 < share.value < 1:
        return clusters
    freedom = int(clusters) - 1
    error = share.error(freedom)
    if not error > 0:
        return number
    return share.value * (1 - share.value) / error**2 * (Z / quantile(freedom)) ** 2


def shares_apart(good: float, played: float, others: float, all_others: float) -> Estimate:
    """Return by how much one share is above another one, of other matches.

    The interval is the hybrid one of Newcombe (1998), made of two of Wilson's; the probability is
    that of the score test, which takes both shares for one.

    Args:
        good, played: of how many matches the one is the share, and of how many of these.
        others, all_others: those of the other one; of both at least one match is played.
    """
    first, second = good / played, others / all_others
    (low, high), (below, above) = wilson(good, played), wilson(others, all_others)
    value, both = first - second, (good + others) / (played + all_others)
    error = sqrt(both * (1 - both) * (1 / played + 1 / all_others))
    return Estimate(
        value,
        value - hypot(first - low, above - second),
        value + hypot(high - first, second - below),
        Estimate.of(value, error).p,
    )


def mean_of(number: float, total: float, squares: float) -> Estimate:
    """Return the mean of numbers, each of them taken from many that there could be.

    Args:
        number: how many there are; below two, the mean has no interval.
        total: their sum.
        squares: the sum of their squares.
    """
    if number < 2:
        return Estimate(total / number if number else nan, nan, nan, 1.0)
    mean = total / number
    spread = max(squares - total * mean, 0.0)  # in this order: what is not a number stays so
    return Estimate.of(mean, sqrt(spread / (number - 1) / number), int(number) - 1)


def paired_difference(
    first: ArrayLike, second: ArrayLike, clusters: ArrayLike | None = None
) -> Estimate:
    """Return by how much the mean of the first values is above that of the second.

    Args:
        first: values of some things, as of matches.
        second: values of the same things in the same order, as of matches with the same seeds.
        clusters: the number of the cluster of each, as of its seed, from 0; without it each is one
            of its own.
    """
    apart = np.subtract(first, second, dtype=np.float64)
    moments = Moments(2)
    numbers = np.arange(apart.size) if clusters is None else clusters
    moments.add(in_clusters(np.stack([np.ones(apart.size), apart], axis=-1), numbers))
    return moments.mean()


def watched_difference(
    first: ArrayLike, second: ArrayLike, clusters: ArrayLike | None = None
) -> Estimate:
    """Return a paired difference that may be looked at again and again, and be stopped at will.

    Whenever one looks, and however often, the interval holds the real difference at 95 %: it has
    ever held it. This is the asymptotic confidence sequence of Waudby-Smith, Arbour, Sinha, Kennedy
    and Ramdas (2024), and the probability is the one at which it would end at 0. It begins with
    some 100 clusters. Where no value differs from another, nothing is known yet.

    Args:
        first, second, clusters: as in `paired_difference`.
    """
    both = np.stack([np.asarray(first, np.float64), np.asarray(second, np.float64)])
    numbers = (
        np.arange(both.shape[1])
        if clusters is None
        else np.unique(clusters, return_inverse=True)[1]
    )
    value, many = paired_difference(both[0], both[1], numbers).value, int(numbers.max()) + 1
    # One cluster more each way that differs by the most seen so far, or by all it could where none
    # does: what is rare may still have to come.
    most = float(np.abs(both[0] - both[1]).max()) or float(np.ptp(both))
    each = ceil(both.shape[1] / many)
    both = np.hstack([both, np.repeat([[most, 0.0], [0.0, most]], each, axis=1)])
    numbers = np.append(numbers, np.repeat((many, many + 1), each))
    error = paired_difference(both[0], both[1], numbers).error(many + 1)
    if not error > 0:
        return Estimate(value, nan, nan, 1.0)
    # As its authors choose the spread of the mixture, so that it is narrowest when it is wanted.
    size = many / _WATCHED * (1 - 2 * log(0.05) + log(-2 * log(0.05)))
    wide = 2 * (1 + size) / size
    reach = error * sqrt(wide * (log(1 + size) / 2 - log(0.05)))
    p = min(1.0, sqrt(1 + size) * exp(-((value / error) ** 2) / wide))
    return Estimate(value, value - reach, value + reach, p)


def matches_needed(
    apart: float, deviation: float, *, comparisons: int = 1, power: float = 0.8
) -> int:
    """Return how many matches show a difference of means with its chance of an accident below 5 %.

    This is the formula for a normal mean, with the correction of Guenther (1981) for Student's t.

    Args:
        apart: the difference in truth, of two means or of two shares; not 0.
        deviation: the standard deviation of the difference of two matches, one of each kind. Two
            shares of about p have the root of `2 * p * (1 - p)` if the matches share no seed.
        comparisons: how many are made at once: `holm` finds this one even if it is the only one.
        power: the chance to find it, above 0.5 and below 1.0.

    Raises:
        UsageError: the difference or the chance is none of these.

    >>> matches_needed(0.02, 0.5**0.5)  # shares of about a half
    9814
    """
    if not apart or not isfinite(apart):
        raise UsageError(f"{apart:g}: no difference that matches can show; give another than 0")
    if not 0.5 < power < 1:
        raise UsageError(f"{power:g}: no chance to find a difference; give 0.8, or so")
    normal = NormalDist()
    level = normal.inv_cdf(1 - 0.025 / comparisons)
    size = ((level + normal.inv_cdf(power)) * deviation / apart) ** 2
    return max(2, ceil(size + level**2 / 2))


def holm(p_values: ArrayLike) -> Numbers:
    """Return probabilities that were corrected for many comparisons, by the method of Holm.

    If those below 0.05 are called significant, the chance that even one of them is so by chance is
    at most 5 %, however the comparisons depend on each other.

    Args:
        p_values: one for each comparison, 0.0 to 1.0.
    """
    given = np.asarray(p_values, dtype=np.float64)
    order = np.argsort(given)
    raised = np.maximum.accumulate(given[order] * np.arange(given.size, 0, -1))
    corrected = np.empty_like(given)
    corrected[order] = np.minimum(raised, 1.0)
    return corrected


class Ratings(NamedTuple):
    """The strengths of bots, in order.

    Attributes:
        elo: the points of each; their mean is 0.
        wins: what they come from, as `bradley_terry` takes it.
    """

    elo: Numbers
    wins: Numbers

    def difference(self, bot: int, other: int) -> Estimate:
        """Return how far a bot is above another one, with the interval of the likelihood.

        An end of it is infinite where the bots lie farther apart than the matches can tell, as
        after a clean sweep.
        """
        if bot == other:
            return Estimate(0.0, 0.0, 0.0, 1.0)
        best = _log_likelihood(self.wins, self.elo / ELO)
        value = float(self.elo[bot] - self.elo[other])

        def fall(points: float) -> float:
            """By how much the likelihood is less if the difference is this one."""
            held = _fit_strengths(self.wins, (bot, other, points / ELO))
            return best - _log_likelihood(self.wins, held)

        ends = []
        for sign in (-1.0, 1.0):
            near, far = value, sign * FARTHEST
            # Twice such a fall has the chi-square distribution, nearly: the interval ends at Z
            # squared.
            if sign * near >= FARTHEST or fall(far) < Z**2 / 2:
                ends.append(sign * inf)
                continue
            while abs(far - near) > 1e-3:
                middle = (near + far) / 2
                near, far = (middle, far) if fall(middle) < Z**2 / 2 else (near, middle)
            ends.append(near)
        return Estimate(value, ends[0], ends[1], erfc(sqrt(max(fall(0.0), 0.0))))


def bradley_terry(wins: ArrayLike) -> Ratings:
    """Return how strong bots are that played against each other, by the model of Bradley and Terry.

    The likelihood of all matches is made as large as it can be, so that their order is nothing. A
    tie counts as half a match won and half a match lost, which makes intervals too wide, rather
    than too narrow, where there are many.

    Args:
        wins: a square matrix: how often the bot of the row won against the one of the column, ties
            as a half; 0.0 or more, and 0.0 against itself.
    """
    won = np.asarray(wins, dtype=np.float64)
    return Ratings(ELO * _fit_strengths(won), won)


def _log_likelihood(won: Numbers, strengths: Numbers) -> float:
    return float(-(won * np.logaddexp(0, strengths - strengths[:, None])).sum())


def _fit_strengths(won: Numbers, held: tuple[int, int, float] | None = None) -> Numbers:
    """Return the likeliest strengths; if `held`, of those where one is so far above another."""
    count = len(won)
    above = np.zeros(count)  # strengths are ways @ free + above
    ways = np.eye(count)
    if held is not None:
        bot, other, apart = held
        above[bot] = apart
        ways[bot, other] = 1
        ways = np.delete(ways, bot, axis=1)
    played, free = won + won.T, np.zeros(ways.shape[1])
    for _ in range(_STEPS):
        strengths = ways @ free + above
        chance = 1 / (1 + np.exp(strengths - strengths[:, None]))  # that the row wins
        slope = ways.T @ ((won - played * chance).sum(axis=1) - 2 * PENALTY * strengths)
        weights = played * chance * (1 - chance)
        curve = np.diag(weights.sum(axis=1) + 2 * PENALTY) - weights
        step = np.linalg.solve(ways.T @ curve @ ways, slope)
        free += step / max(1.0, np.abs(step).max())  # farther, it may not come back
        if np.abs(step).max() < 1e-8:
            break
    return np.asarray(ways @ free + above)


def sprt(scores: ArrayLike, elo: tuple[float, float], error: float = 0.05) -> bool | None:
    """Test one after another whether a bot is stronger by the first difference, or by the second.

    This is the sequential probability ratio test.

    Args:
        scores: of the bot, 0.0 to 1.0 each: of its matches, or the means of those that share a
            seed, which decide sooner. They are taken as normal, with the variance they have.
        elo: two differences in points of Elo, the lower one first.
        error: the chance to accept the wrong one, of each kind.

    Returns:
        Whether the second difference was accepted; None while nothing is decided.
    """
    below, above = (1 / (1 + 10 ** (-points / 400)) for points in elo)
    given = np.asarray(scores, dtype=np.float64)
    number = given.size
    mean = float(given.mean()) if number else 0.5
    # One win and one loss more: the first matches have no variance where all are won.
    variance = float(((np.append(given, (0.0, 1.0)) - mean) ** 2).mean())
    ratio = number * (above - below) * (2 * mean - below - above) / (2 * variance)
    return None if abs(ratio) < log((1 - error) / error) else ratio > 0
