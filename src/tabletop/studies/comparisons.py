"""Which bot is stronger: tournaments over the same seeds."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from itertools import combinations
from math import isfinite
from pathlib import Path
from typing import Any, Final, NamedTuple

from tabletop.host.extras import require

require("a tournament", "studies", "numpy")

import numpy as np

from tabletop.errors import UsageError
from tabletop.host.screen_text import printable
from tabletop.host.user_files import write_text
from tabletop.registry import Plugin, is_for_command_line, load
from tabletop.studies.page import dots
from tabletop.studies.series import TOGETHER, Row, Series
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

MOST_ELO: Final = 4000
"""The maximum difference of two bots that can be tested, in points of Elo."""

_FEW: Final = 2
"""Of fewer seeds nothing is known but points: an interval needs two."""


class Pairing(NamedTuple):
    """What two bots came to against each other.

    Attributes:
        first, second: their names.
        points: those of the first one; see `points_of`.
        matches: how many were played.
        stronger: whether the first one is stronger by the upper of two differences, where that was
            decided before all matches were played; None where it was not.
        worth: how many matches with seeds of their own say as much as these, which share each seed;
            None for as many.
    """

    first: str
    second: str
    points: float
    matches: int
    stronger: bool | None = None
    worth: float | None = None

    @property
    def share(self) -> float:
        """The share of the points that the first one has."""
        return self.points / self.matches

    @property
    def interval(self) -> tuple[float, float]:
        """The interval that holds this share at 95 %."""
        worth = self.matches if self.worth is None else self.worth
        return wilson(self.share * worth, worth)

    def data(self) -> dict[str, Any]:
        """Return all that is known, as JSON has it."""
        low, high = self.interval
        return {**self._asdict(), "share": self.share, "low": low, "high": high}


@dataclass(frozen=True, slots=True)
class Tournament:
    """A round robin.

    Attributes:
        bots: the names of the bots.
        pairings: each two of them, in order.
    """

    bots: tuple[str, ...]
    pairings: tuple[Pairing, ...]

    def points(self) -> Numbers:
        """Return the points of each bot against each other one: a square matrix."""
        points = np.zeros((len(self.bots), len(self.bots)))
        for each in self.pairings:
            first, second = self.bots.index(each.first), self.bots.index(each.second)
            points[first, second] = each.points
            points[second, first] = each.matches - each.points
        return points

    def elo(self) -> list[Estimate]:
        """Return how many points of Elo each bot is above the first one, in order.

        An interval has an infinite end where the matches cannot tell more.
        """
        weighed = self.points()
        for each in self.pairings:
            if each.worth is not None:
                first, second = self.bots.index(each.first), self.bots.index(each.second)
                weighed[first, second] *= each.worth / each.matches
                weighed[second, first] *= each.worth / each.matches
        ratings = bradley_terry(weighed)
        return [ratings.difference(place, 0) for place in range(len(self.bots))]

    def data(self) -> dict[str, Any]:
        """Return the ratings of all bots, and all pairings, as JSON has them."""
        elo = zip(self.bots, self.elo(), strict=True)
        return {
            "elo": [
                {"bot": bot}
                | {name: it if isfinite(it) else None for name, it in own._asdict().items()}
                for bot, own in elo
            ],
            "pairings": [each.data() for each in self.pairings],
        }

    def draw(self, file: Path) -> None:
        """Write a picture of the ratings, as SVG.

        Raises:
            StudyError: the file cannot be written.
            TabletopError: matplotlib is not installed.
        """
        require("a plot", "studies", "matplotlib")
        elo = sorted(zip(self.bots, self.elo(), strict=True), key=lambda it: -it[1].value)
        rows = [
            (bot, own.value, max(own.low, -MOST_ELO), min(own.high, MOST_ELO)) for bot, own in elo
        ]
        unit = f"Elo above {truncate(printable(self.bots[0]), 24)}, and where it lies at 95 %"
        with name_in_errors(file):
            write_text(str(file), dots(rows, 0.0, unit))


def points_of(row: Row, bot: str) -> float:
    """Return the points of a bot for a match, 0.0 to 1.0; both of two bots together have 1.

    The seats that have won share the point. Where nobody has, two bots have half a point each.
    """
    winners = row["winners"]
    if not winners:
        return 0.5
    own = sum(row["players"][seat] == bot for seat in winners)
    return float(own / len(winners))


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
    """Play every two of some bots against each other.

    All pairings play with the same seeds, and each seed twice: the two bots take turns round the
    table, and have changed places in the second match.

    Args:
        game: an installed name, `module:NAME`, a path to a `.py` file, or a loaded plugin.
        bots: the names of the bots, at least two.
        matches: how many each two play at most, an even number.
        workers: who plays; see `tabletop.studies.workers_for`.
        elo: two differences in points of Elo, the lower one first, each from -4000 to 4000: a
            pairing ends as soon as a sequential probability ratio test has decided which it is.
        progress: called after each batch.
        others: `seats`, `seeds`, `options` and `plies`, as in `Series.of`.

    Raises:
        OptionError, RegistryError, UsageError: the matches cannot be played as described, or all
            win or lose together: then it is `compare_teams` that compares bots.
        StudyError: a match failed, or a process died again and again.
        StudyInterrupted: Ctrl-C was pressed; has what is known by then.

    >>> from tabletop.studies import Here
    >>> found = tournament("sorcery", ["duelist", "random"], 20, Here())
    >>> found.pairings[0].share > 0.8
    True
    """
    _check_different(bots)
    if elo is not None and not -MOST_ELO <= elo[0] < elo[1] <= MOST_ELO:
        wanted = f"the lower one comes first, both from {-MOST_ELO:,} to {MOST_ELO:,}"
        raise UsageError(f"{elo[0]:g} and {elo[1]:g} points of Elo: {wanted}")
    twos = [duel(game, two, **others) for two in combinations(bots, 2)]
    count = Count(matches * len(twos), progress)
    scores: list[list[float]] = [[] for _ in twos]
    try:
        for own, series in zip(scores, twos, strict=True):
            own.extend(_scores(series, matches, workers, count, elo))
    except KeyboardInterrupt:
        known = [it for it in zip(twos, scores, strict=True) if len(it[1]) >= _FEW]
        found = tuple(_pairing(*it, elo) for it in known)
        names = dict.fromkeys(bot for it in found for bot in it[:2])
        raise StudyInterrupted(Tournament(tuple(names), found) if found else None, count) from None
    return Tournament(
        tuple(bots),
        tuple(_pairing(series, own, elo) for series, own in zip(twos, scores, strict=True)),
    )


def duel(game: str | Plugin, bots: Sequence[str], **others: Any) -> Series:
    """Return the series that two bots play against each other; arguments as in `tournament`.

    Raises:
        OptionError, RegistryError, UsageError: the matches cannot be played as described, or have
            one seat alone, or all win or lose together.
    """
    series = Series.of(game, bots, rotated=True, metrics=(), **others)
    if TOGETHER.keys() <= series.columns().keys():
        why = "all win or lose together, and nobody plays against anybody else"
        raise UsageError(f"{series.game}: {why}; `tabletop tournament` (`compare_teams`) has one")
    if series.seats < 2:
        raise UsageError(f"{series.game}: nobody plays against anybody else with one seat")
    return series


def pair(
    series: Series,
    matches: int,
    workers: Workers,
    count: Count,
    elo: tuple[float, float] | None = None,
) -> Pairing:
    """Play the first matches of a `duel`; arguments as in `tournament`, and what counts matches."""
    return _pairing(series, [*_scores(series, matches, workers, count, elo)], elo)


def _scores(
    series: Series,
    matches: int,
    workers: Workers,
    count: Count,
    elo: tuple[float, float] | None,
) -> Iterator[float]:
    """Play, and yield the scores of the first bot: means of the matches that share a seed."""
    check_even(matches)
    first = series.bots[0]
    scores: list[float] = []
    before = count.done
    with closing(rows_in_order(series, range(matches), workers, count)) as rows:
        # Taken by twos: a seed is played twice in a row, with the bots on each other's seats.
        for one, other in zip(rows, rows, strict=True):
            scores.append((points_of(one, first) + points_of(other, first)) / 2)
            yield scores[-1]
            if elo is not None and sprt(scores, elo) is not None:
                break
    count.drop(matches - (count.done - before))


def _pairing(series: Series, scores: Sequence[float], elo: tuple[float, float] | None) -> Pairing:
    """Return what the scores of two bots say."""
    first, second = series.bots
    stronger = None if elo is None else sprt(scores, elo)
    matches, total = 2 * len(scores), 2 * sum(scores)
    share = paired_difference(scores, np.zeros(len(scores)))  # a cluster is one seed
    worth = worth_of(share, matches, len(scores))
    return Pairing(first, second, total, matches, stronger, worth)


def _check_different(bots: Sequence[str]) -> None:
    """Raise `UsageError` unless there are bots to compare."""
    if len(bots) < 2 or len(set(bots)) < len(bots):
        given = ", ".join(bots) or "no bot"
        # Such a name ends with its word, as a command or a file may have commas.
        again = "; repeat --bots for what follows it" if is_for_command_line(given) else ""
        raise UsageError(f"{given}: give at least two bots, all different{again}")


class StudyInterrupted(KeyboardInterrupt):
    """Ctrl-C has ended a tournament, or a comparison of teams.

    Attributes:
        found: what is known of the pairings, or the teams, that have played a few matches; None or
            empty where there are none.
    """

    def __init__(self, found: Tournament | list[Team] | None, count: Count) -> None:
        super().__init__(f"interrupted after {count.done:,} of {count.total:,} matches")
        self.found = found


class Team(NamedTuple):
    """What all reached together, in a cooperative game, with one bot in every seat.

    Attributes:
        bot: its name.
        points: the mean of their points.
        apart: how much higher it is than that of the first bot, over the same seeds.
        best: the best points there are, in any of the matches.
        matches: how many were played.
    """

    bot: str
    points: Estimate
    apart: Estimate
    best: float
    matches: int

    def data(self) -> dict[str, Any]:
        """Return all that is known, as JSON has it."""
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
    """Have each of some bots play a cooperative game in all seats, over the same seeds.

    A match that was broken off counts for 0 points.

    Args:
        game: an installed name, `module:NAME`, a path to a `.py` file, or a loaded plugin.
        bots: the names of the bots, at least two.
        matches: how many each plays, at least 2.
        workers: who plays; see `tabletop.studies.workers_for`.
        seats: the number of seats; when not given, the fewest from two on that the game allows.
        progress: called after each batch.
        others: `seeds`, `options` and `plies`, as in `Series.of`.

    Returns:
        The bots in their order.

    Raises:
        OptionError, RegistryError, UsageError: the matches cannot be played as described, or not
            all win or lose together.
        StudyError: a match failed, or a process died again and again.
        StudyInterrupted: Ctrl-C was pressed; has what is known by then.
    """
    _check_different(bots)
    check_two(matches)
    plugin = load(game) if isinstance(game, str) else game
    if not plugin.game.cooperative:
        raise UsageError(f"{plugin.game.name}: not all win or lose together: see `tournament`")
    if seats is None:
        seats = next((it for it in plugin.game.seats if it > 1), 1)
    each = [Series.of(plugin, [bot], seats=seats, metrics=(), **others) for bot in bots]
    count = Count(matches * len(bots), progress)
    reached: list[list[tuple[float, float]]] = [[] for _ in each]
    try:
        for pairs, series in zip(reached, each, strict=True):
            with closing(rows_in_order(series, range(matches), workers, count)) as rows:
                for row in rows:
                    pairs.append((sum(row["points"][:1]), row["best"] or 0.0))
    except KeyboardInterrupt:
        raise StudyInterrupted(_teams(bots, reached), count) from None
    return _teams(bots, reached)


def _teams(bots: Sequence[str], reached: Sequence[Sequence[tuple[float, float]]]) -> list[Team]:
    """Return what is known of the bots that have played a few matches: points, best points."""
    points = [[own for own, _ in pairs] for pairs in reached if len(pairs) >= _FEW]
    best = max((most for pairs in reached for _, most in pairs), default=0.0)
    return [
        Team(
            bot,
            paired_difference(own, np.zeros(len(own))),
            paired_difference(own, points[0][: len(own)]),
            best,
            len(own),
        )
        for bot, own in zip(bots, points, strict=False)
    ]


def check_even(matches: int) -> None:
    """Raise `UsageError` for a number of matches that two bots cannot play against each other."""
    if matches < 2 or matches % 2:
        raise UsageError(f"{matches} matches: give an even number, as each seed is played twice")


def check_two(matches: int) -> None:
    """Raise `UsageError` for a number of matches that says nothing of how much they differ."""
    if matches < 2:
        raise UsageError(f"{matches} match: give 2 or more")
