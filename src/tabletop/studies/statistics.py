"""Statistics of matches: shares, differences and strengths of bots, each with its 95% interval.

Matches that share a seed are not independent, so standard errors are computed from clusters, one
per seed. Intervals of means use Student's t, or the normal distribution if there are many clusters.
Strengths are Elo ratings: a difference of 400 points means ten wins per loss.
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

Numbers: TypeAlias = NDArray[np.float64]  # an array of numbers

Z: Final = NormalDist().inv_cdf(0.975)
"""Number of standard errors on either side of the mean that cover 95% of a normal distribution."""

ELO: Final = 400 / log(10)
"""Elo points per unit of strength. A difference of one unit means `e` wins per loss."""

PENALTY: Final = 0.01
"""Weight of the squared strengths, which are subtracted from the log likelihood. This penalty gives
a finite strength to a bot that won all matches, and moves a rating by at most 0.1 points of Elo
after a hundred matches.
"""

MANY: Final = 200  # minimum degrees of freedom at which Student's t is treated as normal
FARTHEST: Final = 4000.0  # an interval end beyond this Elo difference is reported as infinite

_WATCHED: Final = 1000
"""Number of clusters for which the interval of a watched difference is tightest."""

_STEPS: Final = 1000


class Estimate(NamedTuple):
    """An estimated number.

    Attributes:
        value: The estimate.
        low, high: The 95% confidence interval.
        p: The two-sided p-value of the hypothesis that the true number is 0.
    """

    value: float
    low: float
    high: float
    p: float

    @classmethod
    def of(cls, value: float, error: float, freedom: int = MANY) -> Self:
        """Create an estimate from a number and its standard error.

        Args:
            value: The number.
            error: Its standard error, 0.0 or more.
            freedom: Degrees of freedom of the standard error, at least 1.
        """
        far = abs(value) / error if error else (inf if value else 0.0)
        reach = quantile(freedom) * error
        return cls(value, value - reach, value + reach, tails(far, freedom))

    def error(self, freedom: int = MANY) -> float:
        """Return the standard error, given its degrees of freedom."""
        return (self.high - self.low) / 2 / quantile(max(freedom, 1))


def tails(far: float, freedom: int = MANY) -> float:
    """Return the probability that Student's t is at least `far` from 0, in either direction."""
    if freedom >= MANY or far == inf:
        return erfc(far / sqrt(2))
    # Series from Abramowitz and Stegun, 26.7.3 and 26.7.4.
    angle = atan2(far, sqrt(freedom))
    term, total = (cos(angle), 0.0) if freedom % 2 else (1.0, 0.0)
    for number in range(1 + freedom % 2, freedom, 2):
        total += term
        term *= cos(angle) ** 2 * number / (number + 1)
    within = sin(angle) * total
    return max(0.0, 1 - (2 / pi * (angle + within) if freedom % 2 else within))


@cache
def quantile(freedom: int = MANY) -> float:
    """Return how many standard errors on either side of the mean cover 95% of the distribution."""
    if freedom >= MANY:
        return Z
    low, high = Z, 13.0
    while high - low > 1e-12:
        middle = (low + high) / 2
        low, high = (middle, high) if tails(middle, freedom) > 0.05 else (low, middle)
    return low


def wilson(good: float, played: float) -> tuple[float, float]:
    """Return the 95% Wilson score interval of a share.

    Args:
        good: Number of successes.
        played: Number of trials.
    """
    if not played:
        return 0.0, 1.0
    share, square = good / played, Z * Z
    middle = share + square / (2 * played)
    reach = Z * sqrt(share * (1 - share) / played + square / (4 * played * played))
    whole = 1 + square / played
    low, high = (middle - reach) / whole, (middle + reach) / whole
    # Rounding could move an end beyond 0, 1 or the share itself.
    return max(0.0, min(low, share)), min(1.0, max(high, share))


class Moments:
    """Sums and cross products over clusters, for means and their standard errors.

    A cluster contains the matches of one seed. A match with a unique seed is a cluster of its own.

    Args:
        width: Number of columns, that is, of values per cluster.
    """

    def __init__(self, width: int) -> None:
        self.totals: Numbers = np.zeros(width)
        self.products: Numbers = np.zeros((width, width))
        self.clusters: int = 0

    def add(self, rows: Numbers) -> None:
        """Add clusters, one per row. All numbers of a cluster must be in the same row."""
        self.totals += rows.sum(axis=0)
        self.products += rows.T @ rows
        self.clusters += len(rows)

    def mean(self, total: int = 1, number: int = 0) -> Estimate:
        """Return the mean of numbers.

        Args:
            total: Column of the sum of the numbers.
            number: Column of the count of the numbers.
        """
        return self._of(((total, number, 1.0),))

    def apart(self, first: tuple[int, int], second: tuple[int, int]) -> Estimate:
        """Return the difference between two means, each with its two columns as in `mean`."""
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
    """Add up the rows of each cluster. Clusters are numbered from 0."""
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
    """Return the mean of clustered numbers, given sums over the clusters.

    Args:
        number: Count of the numbers.
        total: Sum of the numbers.
        squares: Sum over the clusters of the squared cluster totals.
        products: Sum over the clusters of the cluster total times the cluster size.
        sizes: Sum over the clusters of the squared cluster sizes.
        clusters: Number of nonempty clusters.
    """
    moments = Moments(2)
    moments.totals = np.array([number, total])
    moments.products = np.array([[sizes, products], [products, squares]])
    moments.clusters = int(clusters)
    return moments.mean()


def worth_of(share: Estimate, number: float, clusters: float) -> float:
    """Return the number of independent matches that would estimate a share equally precisely.

    This is the effective size of Korn and Graubard (1998). With few seeds, the standard error is
    itself imprecise, which lowers the result. If all matches or none are won, the effect of the
    seeds cannot be estimated, so the result is the number of seeds.

    Args:
        share: The share, as `Moments.mean` or `ratio` returns it.
        number: Number of matches.
        clusters: Number of seeds.
    """
    if clusters < 2 or not 0 < share.value < 1:
        return clusters
    freedom = int(clusters) - 1
    error = share.error(freedom)
    if not error > 0:
        return number
    return share.value * (1 - share.value) / error**2 * (Z / quantile(freedom)) ** 2


def shares_apart(good: float, played: float, others: float, all_others: float) -> Estimate:
    """Return the difference between the shares of two independent samples.

    The interval is Newcombe's hybrid score interval (1998), which combines two Wilson intervals.
    The p-value is that of the score test, which pools both samples.

    Args:
        good, played: Successes and trials of the first sample.
        others, all_others: Successes and trials of the second sample. Each sample must have at
            least one trial.
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


def paired_difference(
    first: ArrayLike, second: ArrayLike, clusters: ArrayLike | None = None
) -> Estimate:
    """Return the mean of the first values minus the mean of the second values.

    Args:
        first: One value per match.
        second: One value per match, in the same order and with the same seeds.
        clusters: Cluster (seed) of each match, numbered from 0. By default, each match is its own
            cluster.
    """
    apart = np.subtract(first, second, dtype=np.float64)
    moments = Moments(2)
    numbers = np.arange(apart.size) if clusters is None else clusters
    moments.add(in_clusters(np.stack([np.ones(apart.size), apart], axis=-1), numbers))
    return moments.mean()


def watched_difference(
    first: ArrayLike, second: ArrayLike, clusters: ArrayLike | None = None
) -> Estimate:
    """Return a paired difference that remains valid at any number of interim analyses.

    The intervals of all interim analyses together contain the true difference with a probability of
    95%, so play may stop at any time. This is the asymptotic confidence sequence of Waudby-Smith,
    Arbour, Sinha, Kennedy and Ramdas (2024), which starts at about 100 clusters. The p-value is the
    level at which the sequence would just exclude 0. If all values are equal, the interval is NaN.

    Args:
        first, second, clusters: As in `paired_difference`.
    """
    both = np.stack([np.asarray(first, np.float64), np.asarray(second, np.float64)])
    numbers = (
        np.arange(both.shape[1])
        if clusters is None
        else np.unique(clusters, return_inverse=True)[1]
    )
    value, many = paired_difference(both[0], both[1], numbers).value, int(numbers.max()) + 1
    # Adds a cluster in each direction with the largest difference seen so far (or the largest
    # possible one if all pairs are equal), because rare differences may not have occurred yet.
    most = float(np.abs(both[0] - both[1]).max()) or float(np.ptp(both))
    each = ceil(both.shape[1] / many)
    both = np.hstack([both, np.repeat([[most, 0.0], [0.0, most]], each, axis=1)])
    numbers = np.append(numbers, np.repeat((many, many + 1), each))
    error = paired_difference(both[0], both[1], numbers).error(many + 1)
    if not error > 0:
        return Estimate(value, nan, nan, 1.0)
    # The spread of the mixture that the authors recommend, so that the interval is tightest after
    # `_WATCHED` clusters.
    size = many / _WATCHED * (1 - 2 * log(0.05) + log(-2 * log(0.05)))
    wide = 2 * (1 + size) / size
    reach = error * sqrt(wide * (log(1 + size) / 2 - log(0.05)))
    p = min(1.0, sqrt(1 + size) * exp(-((value / error) ** 2) / wide))
    return Estimate(value, value - reach, value + reach, p)


def matches_needed(
    apart: float, deviation: float, *, comparisons: int = 1, power: float = 0.8
) -> int:
    """Return the number of matches needed to detect a difference between means at the 5% level.

    Uses the formula for a normal mean, with Guenther's correction (1981) for Student's t.

    Args:
        apart: True difference of two means or two shares, not 0.
        deviation: Standard deviation of the difference between two matches, one of each kind. For
            two shares of about p over different seeds, this is the square root of `2 * p * (1 -
            p)`.
        comparisons: Number of comparisons made together. The result is large enough for `holm` to
            find this difference even if no other one exists.
        power: Probability of detecting the difference, above 0.5 and below 1.0.

    Raises:
        UsageError: The difference is 0 or not finite, or the power is out of range.

    >>> matches_needed(0.02, 0.5**0.5)  # shares of about a half
    9814
    """
    if not apart or not isfinite(apart):
        raise UsageError(f"the difference to detect must not be {apart:g}")
    if not 0.5 < power < 1:
        raise UsageError(
            f"the statistical power must be between 0.5 and 1, such as 0.8, not {power:g}"
        )
    normal = NormalDist()
    level = normal.inv_cdf(1 - 0.025 / comparisons)
    size = ((level + normal.inv_cdf(power)) * deviation / apart) ** 2
    return max(2, ceil(size + level**2 / 2))


def holm(p_values: ArrayLike) -> Numbers:
    """Return p-values that are corrected for multiple comparisons with Holm's method.

    If differences with a corrected p-value below 0.05 count as significant, the probability of any
    false positive is at most 5%, even if the comparisons are dependent.
    """
    given = np.asarray(p_values, dtype=np.float64)
    order = np.argsort(given)
    raised = np.maximum.accumulate(given[order] * np.arange(given.size, 0, -1))
    corrected = np.empty_like(given)
    corrected[order] = np.minimum(raised, 1.0)
    return corrected


class Ratings(NamedTuple):
    """The ratings of several bots, in order.

    Attributes:
        elo: Elo rating of each bot. The mean of all ratings is 0.
        wins: The matrix of wins from which they were estimated; see `bradley_terry`.
    """

    elo: Numbers
    wins: Numbers

    def difference(self, bot: int, other: int) -> Estimate:
        """Return the rating difference between two bots with its profile likelihood interval.

        An end of the interval is infinite if the matches do not bound the difference, for example
        if one bot won every match.
        """
        if bot == other:
            return Estimate(0.0, 0.0, 0.0, 1.0)
        best = _log_likelihood(self.wins, self.elo / ELO)
        value = float(self.elo[bot] - self.elo[other])

        def fall(points: float) -> float:
            """Return how much the log likelihood decreases if the difference has this value."""
            held = _fit_strengths(self.wins, (bot, other, points / ELO))
            return best - _log_likelihood(self.wins, held)

        ends = []
        for sign in (-1.0, 1.0):
            near, far = value, sign * FARTHEST
            # Twice the fall is approximately chi-square distributed, so the interval ends where it
            # reaches Z squared.
            if sign * near >= FARTHEST or fall(far) < Z**2 / 2:
                ends.append(sign * inf)
                continue
            while abs(far - near) > 1e-3:
                middle = (near + far) / 2
                near, far = (middle, far) if fall(middle) < Z**2 / 2 else (near, middle)
            ends.append(near)
        return Estimate(value, ends[0], ends[1], erfc(sqrt(max(fall(0.0), 0.0))))


def bradley_terry(wins: ArrayLike) -> Ratings:
    """Rate bots that played against each other, with the Bradley-Terry model.

    The ratings maximize the likelihood of all matches, so the order of the matches does not matter.
    A tie counts as half a win and half a loss. With many ties, this makes the intervals too wide
    rather than too narrow.

    Args:
        wins: Square matrix. Each entry is the number of wins of the row's bot against the column's
            bot, with a tie as 0.5. The diagonal is 0.0.
    """
    won = np.asarray(wins, dtype=np.float64)
    return Ratings(ELO * _fit_strengths(won), won)


def _log_likelihood(won: Numbers, strengths: Numbers) -> float:
    return float(-(won * np.logaddexp(0, strengths - strengths[:, None])).sum())


def _fit_strengths(won: Numbers, held: tuple[int, int, float] | None = None) -> Numbers:
    """Return the most likely strengths.

    Args:
        won: The matrix of wins.
        held: Two bots and the fixed difference between their strengths, or None for an
            unconstrained fit.
    """
    count = len(won)
    above = np.zeros(count)  # strengths = ways @ free + above
    ways = np.eye(count)
    if held is not None:
        bot, other, apart = held
        above[bot] = apart
        ways[bot, other] = 1
        ways = np.delete(ways, bot, axis=1)
    played, free = won + won.T, np.zeros(ways.shape[1])
    for _ in range(_STEPS):
        strengths = ways @ free + above
        chance = 1 / (1 + np.exp(strengths - strengths[:, None]))  # probability that the row wins
        slope = ways.T @ ((won - played * chance).sum(axis=1) - 2 * PENALTY * strengths)
        weights = played * chance * (1 - chance)
        curve = np.diag(weights.sum(axis=1) + 2 * PENALTY) - weights
        step = np.linalg.solve(ways.T @ curve @ ways, slope)
        free += step / max(1.0, np.abs(step).max())  # a longer step may diverge
        if np.abs(step).max() < 1e-8:
            break
    return np.asarray(ways @ free + above)


def sprt(scores: ArrayLike, elo: tuple[float, float]) -> bool | None:
    """Test sequentially which of two Elo differences is closer to a bot's true strength.

    This sequential probability ratio test accepts the wrong difference with a probability of at
    most 5%.

    Args:
        scores: Scores of the bot, 0.0 to 1.0, one per match or one mean per seed. With means per
            seed, the test ends sooner. The scores are treated as normally distributed with their
            empirical variance.
        elo: Two Elo differences, the lower one first.

    Returns:
        Whether the second difference was accepted, or None while the test is undecided.
    """
    below, above = (1 / (1 + 10 ** (-points / 400)) for points in elo)
    given = np.asarray(scores, dtype=np.float64)
    number = given.size
    mean = float(given.mean()) if number else 0.5
    # With a win and a loss added, because the first matches have no variance if all are won.
    variance = float(((np.append(given, (0.0, 1.0)) - mean) ** 2).mean())
    ratio = number * (above - below) * (2 * mean - below - above) / (2 * variance)
    return None if abs(ratio) < log(0.95 / 0.05) else ratio > 0
