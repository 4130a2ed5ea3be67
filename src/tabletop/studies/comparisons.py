"""Compare bots in tournaments in which all pairings play the same seeds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from itertools import combinations
from math import isfinite
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from tabletop.host.extras import require

require("a tournament", "studies", "numpy")

import numpy as np

from tabletop.errors import UsageError
from tabletop.host.screen_text import printable
from tabletop.host.user_files import write_text
from tabletop.registry import Plugin, is_for_command_line, load
from tabletop.studies.page import dots
from tabletop.studies.series import TEAMS, TOGETHER, Row, Series
from tabletop.studies.simulating import Count, Progress, rows_in_order
from tabletop.studies.statistics import (
    Estimate,
    Numbers,
    bradley_terry,
    paired_difference,
    sprt,
    wilson,
    worth_of,
)
from tabletop.studies.store import name_in_errors
from tabletop.studies.workers import Workers
from tabletop.wording import truncate

MOST_ELO: Final = 4000  # maximum Elo difference that can be tested or drawn
_FEW: Final = 2  # minimum number of seeds for a confidence interval


class Record(NamedTuple):
    """The number of seats of a bot with a faction or a role, and how many of them won."""

    seats: int
    wins: int


class Pairing(NamedTuple):
    """The result of a match-up of two bots.

    Attributes:
        first, second: Names of the bots.
        points: Total points of the first bot; see `points_of`.
        matches: Number of matches.
        stronger: Whether the sequential test accepted the higher Elo difference for the first bot
            (True) or the lower (False). None without a test, or if it is undecided.
        worth: Effective number of matches: the number of matches with different seeds that would be
            equally precise. The effective number differs from `matches` because the two matches of
            a pair share a seed. None means that they are the same.
        sides: In a game with `factions`, the records of both bots for each faction and each role,
            such as `faction spies`.
    """

    first: str
    second: str
    points: float
    matches: int
    stronger: bool | None = None
    worth: float | None = None
    sides: Mapping[str, tuple[Record, Record]] = MappingProxyType({})

    @property
    def share(self) -> float:
        """The first bot's share of the points."""
        return self.points / self.matches

    @property
    def interval(self) -> tuple[float, float]:
        """The 95% confidence interval of `share`."""
        worth = self.matches if self.worth is None else self.worth
        return wilson(self.share * worth, worth)

    def data(self) -> dict[str, Any]:
        """Return all values in a form that JSON can represent."""
        low, high = self.interval
        data = {**self._asdict(), "share": self.share, "low": low, "high": high}
        del data["sides"]
        if self.sides:
            data["sides"] = {
                name: [record._asdict() for record in both] for name, both in self.sides.items()
            }
        return data


@dataclass(frozen=True, slots=True)
class Tournament:
    """The result of a round robin.

    Attributes:
        bots: Names of the bots.
        pairings: Results of all pairings, in the order of the bots.
    """

    bots: tuple[str, ...]
    pairings: tuple[Pairing, ...]

    def points(self) -> Numbers:
        """Return a square matrix: the points of the row's bot against the column's bot."""
        points = np.zeros((len(self.bots), len(self.bots)))
        for pairing in self.pairings:
            first, second = self.bots.index(pairing.first), self.bots.index(pairing.second)
            points[first, second] = pairing.points
            points[second, first] = pairing.matches - pairing.points
        return points

    def elo(self) -> list[Estimate]:
        """Return the Elo difference between each bot and the first bot, in the order of the bots.

        One end of an interval is infinite if the matches do not bound the difference on that side.
        """
        weighted = self.points()
        for pairing in self.pairings:
            if pairing.worth is not None:
                first, second = self.bots.index(pairing.first), self.bots.index(pairing.second)
                weighted[first, second] *= pairing.worth / pairing.matches
                weighted[second, first] *= pairing.worth / pairing.matches
        ratings = bradley_terry(weighted)
        return [ratings.difference(index, 0) for index in range(len(self.bots))]

    def data(self) -> dict[str, Any]:
        """Return the ratings of all bots and all pairings in a form that JSON can represent."""
        ratings = zip(self.bots, self.elo(), strict=True)
        return {
            "elo": [
                {"bot": bot}
                | {name: it if isfinite(it) else None for name, it in rating._asdict().items()}
                for bot, rating in ratings
            ],
            "pairings": [pairing.data() for pairing in self.pairings],
        }

    def draw(self, file: Path) -> None:
        """Write a chart of the ratings to an SVG file.

        Raises:
            StudyError: The file cannot be written.
            TabletopError: matplotlib is not installed.
        """
        require("a plot", "studies", "matplotlib")
        ratings = sorted(zip(self.bots, self.elo(), strict=True), key=lambda it: -it[1].value)
        rows = [
            (bot, rating.value, max(rating.low, -MOST_ELO), min(rating.high, MOST_ELO))
            for bot, rating in ratings
        ]
        unit = f"Elo above {truncate(printable(self.bots[0]), 24)}, with 95 % intervals"
        with name_in_errors(file):
            write_text(str(file), dots(rows, 0.0, unit))


def points_of(row: Row, bot: str) -> float:
    """Return the points of a bot for a match, from 0.0 to 1.0.

    The winning seats share one point. If nobody won, the bot gets half a point. The points of two
    bots always add up to 1.
    """
    winners = row["winners"]
    if not winners:
        return 0.5
    won = sum(row["players"][seat] == bot for seat in winners)
    return float(won / len(winners))


def tournament(
    game: str | Plugin,
    bots: Sequence[str],
    matches: int,
    workers: Workers,
    *,
    elo: tuple[float, float] | None = None,
    progress: Callable[[Progress], object] | None = None,
    **others: Any,
) -> Tournament:
    """Play a round robin of several bots.

    All pairings play the same seeds, and each seed twice. The seats alternate between the two bots,
    which swap seats for the second match of each seed.

    Args:
        game: An installed name, `module:NAME`, a path to a `.py` file, or a loaded plugin.
        bots: Names of the bots, at least two.
        matches: Maximum number of matches per pairing, an even number.
        workers: The workers that play; see `tabletop.studies.workers_for`.
        elo: Two Elo differences from -4000 to 4000, the lower one first. A pairing stops as soon as
            a sequential probability ratio test accepts one of them.
        progress: Called at the beginning and after each batch.
        others: `seats`, `seeds`, `options`, `plies` and `by_faction`, as in `Series.of`.

    Raises:
        OptionError, RegistryError, UsageError: The matches cannot be played as described, or the
            game is cooperative: use `compare_teams`.
        StudyError: A match failed, or processes died repeatedly.
        StudyInterrupted: Ctrl-C was pressed. The exception contains the results so far.

    >>> from tabletop.studies import LocalWorkers
    >>> bots = ["duelist", "random"]
    >>> result = tournament("sorcery", bots, 20, LocalWorkers())
    >>> result.pairings[0].share > 0.8
    True
    """
    _check_different(bots)
    if elo is not None and not -MOST_ELO <= elo[0] < elo[1] <= MOST_ELO:
        remedy = f"give the lower one first, both from {-MOST_ELO:,} to {MOST_ELO:,}"
        raise UsageError(f"{elo[0]:g} and {elo[1]:g} points of Elo: {remedy}")
    duels = [duel(game, two, **others) for two in combinations(bots, 2)]
    count = Count(matches * len(duels), progress)
    scores: list[list[float]] = [[] for _ in duels]
    sides = [_Sides() for _ in duels]
    try:
        for duel_scores, duel_sides, series in zip(scores, sides, duels, strict=True):
            duel_scores.extend(_scores(series, matches, workers, count, elo, sides=duel_sides))
    except KeyboardInterrupt:
        played = [it for it in zip(duels, scores, sides, strict=True) if len(it[1]) >= _FEW]
        pairings = tuple(_pairing(*it, elo) for it in played)
        names = dict.fromkeys(bot for pairing in pairings for bot in pairing[:2])
        so_far = Tournament(tuple(names), pairings) if pairings else None
        raise StudyInterrupted(so_far, count) from None
    played = [*zip(duels, scores, sides, strict=True)]
    return Tournament(tuple(bots), tuple(_pairing(*it, elo) for it in played))


def duel(game: str | Plugin, bots: Sequence[str], **others: Any) -> Series:
    """Return the series in which two bots play each other. See `tournament` for the arguments.

    Raises:
        OptionError, RegistryError, UsageError: The matches cannot be played as described, have only
            one seat, or the game is cooperative.
    """
    series = Series.of(game, bots, rotated=True, metrics=(), **others)
    if TOGETHER.keys() <= series.columns().keys():
        why = "the game is cooperative, so bots cannot play against each other"
        raise UsageError(f"{series.game}: {why} (use `tabletop tournament` or `compare_teams`)")
    if series.seats < 2:
        raise UsageError(
            f"{series.game}: at least 2 seats are needed, so that bots have an opponent"
        )
    return series


def pair(series: Series, matches: int, workers: Workers, count: Count) -> Pairing:
    """Play the first matches of a `duel`, an even number, and return the result."""
    sides = _Sides()
    scores = [*_scores(series, matches, workers, count, None, sides=sides)]
    return _pairing(series, scores, sides, None)


class _Sides:
    """Counts of the seats of each bot with each faction and role, and of the wins of these seats.

    Factions are counted before roles.
    """

    def __init__(self) -> None:
        self._seats = Counter[tuple[str, str, str]]()
        self._wins = Counter[tuple[str, str, str]]()

    def add(self, row: Row) -> None:
        """Count the seats of a match."""
        for column in TEAMS:
            for seat, name in enumerate(row.get(column, ())):
                key = (column, name, row["players"][seat])
                self._seats[key] += 1
                self._wins[key] += seat in row["winners"]

    def of(self, first: str, second: str) -> dict[str, tuple[Record, Record]]:
        """Return the records of two bots by faction and role."""
        sides = {}
        for column, name in sorted({key[:2] for key in self._seats}):
            keys = [(column, name, bot) for bot in (first, second)]
            one, other = (Record(self._seats[key], self._wins[key]) for key in keys)
            sides[f"{column[:-1]} {name}"] = one, other
        return sides


def _scores(
    series: Series,
    matches: int,
    workers: Workers,
    count: Count,
    elo: tuple[float, float] | None,
    *,
    sides: _Sides,
) -> Iterator[float]:
    """Play, and yield the first bot's score for each seed: the mean of the two matches."""
    check_even(matches)
    first = series.bots[0]
    scores: list[float] = []
    before = count.done
    with closing(rows_in_order(series, range(matches), workers, count)) as rows:
        # The two matches of a seed are consecutive, with the bots on swapped seats.
        for row, swapped in zip(rows, rows, strict=True):
            sides.add(row)
            sides.add(swapped)
            scores.append((points_of(row, first) + points_of(swapped, first)) / 2)
            yield scores[-1]
            if elo is not None and sprt(scores, elo) is not None:
                break
    count.drop(matches - (count.done - before))


def _pairing(
    series: Series, scores: Sequence[float], sides: _Sides, elo: tuple[float, float] | None
) -> Pairing:
    """Summarize the scores of a duel."""
    first, second = series.bots
    stronger = None if elo is None else sprt(scores, elo)
    matches, total = 2 * len(scores), 2 * sum(scores)
    share = paired_difference(scores, np.zeros(len(scores)))  # one cluster per seed
    worth = worth_of(share, matches, len(scores))
    return Pairing(first, second, total, matches, stronger, worth, sides.of(first, second))


def _check_different(bots: Sequence[str]) -> None:
    """Raise `UsageError` unless there are at least two bots, all different."""
    if len(bots) < 2 or len(set(bots)) < len(bots):
        given = ", ".join(bots) or "no bots"
        # A program or a file takes the rest of the --bots list, because its text may contain
        # commas.
        again = " (repeat --bots for each bot)" if is_for_command_line(given) else ""
        raise UsageError(f"{given}: at least two bots are needed, all different{again}")


class StudyInterrupted(KeyboardInterrupt):
    """A tournament or a comparison of teams was interrupted by Ctrl-C.

    Attributes:
        result: Results of the pairings or teams that have played at least two seeds, or None.
    """

    def __init__(self, result: Tournament | list[Team] | None, count: Count) -> None:
        super().__init__(f"interrupted after {count.done:,} of {count.total:,} matches")
        self.result = result


class Team(NamedTuple):
    """The result of a bot that played every seat of a cooperative game.

    Attributes:
        bot: Name of the bot.
        points: Mean points.
        apart: Difference between the mean points and those of the first bot over the same seeds.
        best: Maximum possible points in the matches. The game may allow more points in some matches
            than in others.
        matches: Number of matches.
    """

    bot: str
    points: Estimate
    apart: Estimate
    best: float
    matches: int

    def data(self) -> dict[str, Any]:
        """Return all values in a form that JSON can represent."""
        apart = {"points": self.points._asdict(), "apart": self.apart._asdict()}
        return {**self._asdict(), **apart}


def compare_teams(
    game: str | Plugin,
    bots: Sequence[str],
    matches: int,
    workers: Workers,
    *,
    seats: int | None = None,
    progress: Callable[[Progress], object] | None = None,
    **others: Any,
) -> list[Team]:
    """Let each bot play all seats of a cooperative game, over the same seeds.

    A match that is stopped at the action limit counts as 0 points.

    Args:
        game: An installed name, `module:NAME`, a path to a `.py` file, or a loaded plugin.
        bots: Names of the bots, at least two.
        matches: Number of matches per bot, at least 2.
        workers: The workers that play; see `tabletop.studies.workers_for`.
        seats: Number of seats. By default, the smallest number above 1 that the game allows.
        progress: Called at the beginning and after each batch.
        others: `seeds`, `options` and `plies`, as in `Series.of`.

    Returns:
        The results, in the order of the bots.

    Raises:
        OptionError, RegistryError, UsageError: The matches cannot be played as described, or the
            game is not cooperative.
        StudyError: A match failed, or processes died repeatedly.
        StudyInterrupted: Ctrl-C was pressed. The exception contains the results so far.
    """
    _check_different(bots)
    check_two(matches)
    plugin = load(game) if isinstance(game, str) else game
    if not plugin.game.cooperative:
        raise UsageError(f"{plugin.game.name} is not a cooperative game: use `tournament`")
    if seats is None:
        seats = next((it for it in plugin.game.seats if it > 1), 1)
    all_series = [Series.of(plugin, [bot], seats=seats, metrics=(), **others) for bot in bots]
    count = Count(matches * len(bots), progress)
    results: list[list[tuple[float, float]]] = [[] for _ in all_series]
    try:
        for pairs, series in zip(results, all_series, strict=True):
            with closing(rows_in_order(series, range(matches), workers, count)) as rows:
                for row in rows:
                    pairs.append((sum(row["points"][:1]), row["best"] or 0.0))
    except KeyboardInterrupt:
        raise StudyInterrupted(_teams(bots, results), count) from None
    return _teams(bots, results)


def _teams(bots: Sequence[str], results: Sequence[Sequence[tuple[float, float]]]) -> list[Team]:
    """Summarize the points and maximum points of each bot that played at least two matches."""
    points = [[reached for reached, _ in pairs] for pairs in results if len(pairs) >= _FEW]
    best = max((most for pairs in results for _, most in pairs), default=0.0)
    return [
        Team(
            bot,
            paired_difference(reached, np.zeros(len(reached))),
            paired_difference(reached, points[0][: len(reached)]),
            best,
            len(reached),
        )
        for bot, reached in zip(bots, points, strict=False)
    ]


def check_even(matches: int) -> None:
    """Raise `UsageError` unless the number of matches of a duel is even and at least 2."""
    if matches < 2 or matches % 2:
        raise UsageError(
            f"the number of matches must be even, because each seed is played twice, not {matches}"
        )


def check_two(matches: int) -> None:
    """Raise `UsageError` for fewer than two matches, because one match has no variance."""
    if matches < 2:
        raise UsageError(f"the number of matches must be at least 2, not {matches}")
