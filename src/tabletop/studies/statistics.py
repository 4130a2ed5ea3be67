"""What numbers of matches say: shares, differences and strengths, each with its 95 % interval.

Intervals and probabilities are those of the normal distribution, which is near enough from about
thirty matches on. Strengths are Elo: 400 points are ten wins for each loss.
"""

from __future__ import annotations

from math import erfc, log, nan, sqrt
from statistics import NormalDist
from typing import Final, NamedTuple, Self, TypeAlias

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
    def of(cls, value: float, error: float) -> Self:
        """Make one of a number and its standard error, 0.0 or more."""
        far = abs(value) / error if error else (float("inf") if value else 0.0)
        return cls(value, value - Z * error, value + Z * error, erfc(far / sqrt(2)))

    @property
    def error(self) -> float:
        """The standard error."""
        return (self.high - self.low) / 2 / Z


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
    return Estimate.of(mean, sqrt(spread / (number - 1) / number))


def paired_difference(first: ArrayLike, second: ArrayLike) -> Estimate:
    """Return by how much the mean of the first values is above that of the second.

    Args:
        first: values of some things, as of matches.
        second: values of the same things in the same order, as of matches with the same seeds.
    """
    apart = np.subtract(first, second, dtype=np.float64)
    return mean_of(apart.size, float(apart.sum()), float((apart**2).sum()))


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
        covariance: that of the points, a square matrix.
    """

    elo: Numbers
    covariance: Numbers

    def difference(self, bot: int, other: int) -> Estimate:
        """Return how far a bot is above another one."""
        sides = np.zeros(self.elo.size)
        sides[bot] += 1
        sides[other] -= 1
        error = sqrt(max(0.0, float(sides @ self.covariance @ sides)))
        return Estimate.of(float(sides @ self.elo), error)


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
    played, strengths = won + won.T, np.zeros(len(won))
    for _ in range(_STEPS):
        chance = 1 / (1 + np.exp(strengths - strengths[:, None]))  # that the row wins
        slope = (won - played * chance).sum(axis=1) - 2 * PENALTY * strengths
        weights = played * chance * (1 - chance)
        curve = np.diag(weights.sum(axis=1) + 2 * PENALTY) - weights
        step = np.linalg.solve(curve, slope)
        strengths += step / max(1.0, np.abs(step).max())  # farther, it may not come back
        if np.abs(step).max() < 1e-8:
            break
    centre = np.eye(len(won)) - 1 / len(won)
    return Ratings(ELO * strengths, ELO**2 * centre @ np.linalg.inv(curve) @ centre)


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
