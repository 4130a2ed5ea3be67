"""Compare rules: values of options, or versions of a game, over the same seeds."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace
from itertools import combinations, product
from math import ceil, inf, isfinite, sqrt
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeAlias

from tabletop.host.extras import require

require("a comparison", "studies", "numpy")

import numpy as np

from tabletop.errors import UsageError
from tabletop.records.replay_command import spelled
from tabletop.registry import load
from tabletop.rules.options import OptionValue
from tabletop.studies.comparisons import check_two
from tabletop.studies.series import TOGETHER, Row, Series
from tabletop.studies.simulating import Count, Progress, rows_in_order
from tabletop.studies.statistics import (
    Estimate,
    Numbers,
    holm,
    matches_needed,
    paired_difference,
    watched_difference,
)
from tabletop.studies.store import Study, lock_folder
from tabletop.studies.workers import Workers
from tabletop.wording import did_you_mean, quote

_FIRST_ANALYSIS: Final = 100  # number of seeds to play before the first interim analysis

_GROWTH: Final = 1.25
"""Factor by which the number of seeds grows from one interim analysis to the next."""


class Difference(NamedTuple):
    """A difference between two series of matches, or the effect of an option in a factorial design.

    Attributes:
        name: Name of the measure.
        first, second: Means of the two series. For an interaction, the effects of the second option
            with the first value and with the other value of the first option.
        apart: The second mean minus the first, estimated over the same seeds.
        p: P-value of the difference, corrected for all comparisons. Below 0.05, the difference is
            significant.
        matches: Number of matches per series.
        effect: The change, such as `start=4`, or `start=4 x end=9` for an interaction: the effect
            of two changes together minus the sum of their separate effects. Empty if two series are
            compared.
        needed: Number of matches per series that would detect the difference given as `power` with
            a probability of at least 80%. None if `power` was not given, or if the difference is
            the same for every seed.
        larger: Whether the difference is larger, in either direction, than `until`. None if `until`
            was not given for this measure, or if the data are not decisive yet.
    """

    name: str
    first: float
    second: float
    apart: Estimate
    p: float
    matches: int
    effect: str = ""
    needed: int | None = None
    larger: bool | None = None

    def data(self) -> dict[str, Any]:
        """Return all values in a form that JSON can represent, with null for an infinite bound."""
        apart = [it if isfinite(it) else None for it in self.apart]
        return {**self._asdict(), "apart": apart}


def compare(
    first: Series,
    second: Series,
    matches: int,
    workers: Workers,
    *,
    power: float | None = None,
    until: tuple[str, float] | None = None,
    folder: Path | str | None = None,
    resume: bool = False,
    progress: Callable[[Progress], object] | None = None,
) -> list[Difference]:
    """Compare two series of matches that use the same seeds.

    The series may differ in options, in the version of the rules or in the bots. The result has one
    `Difference` for the win rate of each seat, for points, for match length, and for each metric
    that both series record as a single number or as one number per seat. A match that lacks a
    metric is excluded from that metric. For cooperative games, win rate and points are those of the
    team.

    Args:
        first: The first series.
        second: The second series.
        matches: Number of matches per series, at least 2.
        workers: The workers that play; see `tabletop.studies.workers_for`.
        power: The smallest difference of interest. Each result then includes `needed`, the number
            of matches per series that would detect a difference of this size.
        until: A pair: the name of a measure, and a difference. Play stops early, as soon as the
            data show whether the true difference is larger or smaller. All intervals are then valid
            at every interim analysis; see `watched_difference`.
        folder: Folder in which to store the matches. The two series are stored as a `Study` in the
            subfolders `1` and `2`.
        resume: Whether to continue existing studies in the folder; see `Study.begin`.
        progress: Called at the beginning and after each batch.

    Raises:
        StudyError: A match failed, processes died repeatedly, or the folder contains different
            studies.
        UsageError: `power` or `until` is invalid, or the series differ in their seeds, their number
            of seats or their rotation.

    >>> from tabletop.studies import LocalWorkers
    >>> games = ("sorcery", "sorcery-2017")
    >>> new, old = (Series.of(game, ["random"]) for game in games)
    >>> differences = compare(new, old, 20, LocalWorkers())
    >>> length = {diff.name: diff for diff in differences}["plies"]
    >>> length.apart.low < length.second - length.first < length.apart.high
    True
    """
    for name in ("seeds", "seats", "rotated"):
        values = getattr(first, name), getattr(second, name)
        if values[0] != values[1]:
            given = f"{name} is {values[0]!r} in the first series and {values[1]!r} in the second"
            raise UsageError(f"{given} (make them equal)")
    effects = [_Effect("", np.array([1.0, 0.0]), np.array([0.0, 1.0]))]
    return _Comparison([first, second], effects).play(
        *(matches, workers),
        power=power,
        until=until,
        folder=folder,
        resume=resume,
        progress=progress,
    )


def vary(
    series: Series,
    options: Mapping[str, Sequence[OptionValue]],
    matches: int,
    workers: Workers,
    **others: Any,
) -> list[Difference]:
    """Play a series with every combination of option values, and measure their effects.

    This is a factorial design in blocks: all combinations use the same seeds. The effect of a value
    is the difference from the first value of its option, averaged over all values of the other
    options. The interaction of two values is the amount by which one value changes the effect of
    the other.

    Args:
        series: The matches, with values for options that do not vary.
        options: Two or more values for each option. The first value is the baseline.
        matches: Number of matches per combination, at least 2.
        workers: The workers that play; see `tabletop.studies.workers_for`.
        others: `power`, `until`, `folder`, `resume` and `progress`, as in `compare`. With `until`,
            play continues until the data are decisive for every effect on that measure.

    Returns:
        The differences for each effect, then for each interaction.

    Raises:
        OptionError: An option is unknown, or a value is out of range.
        StudyError, UsageError: As in `compare`, or an option has fewer than two different values.

    >>> from tabletop.studies import LocalWorkers
    >>> series = Series.of("sorcery", ["random"], metrics=())
    >>> values = {"hand": [3, 5], "patience": [5, 50]}
    >>> differences = vary(series, values, 3, LocalWorkers())
    >>> sorted({it.effect for it in differences})
    ['hand=5', 'hand=5 x patience=50', 'patience=50']
    """
    for name, values in options.items():
        if len(values) < 2 or len(set(values)) < len(values):
            raise UsageError(f"option {name} needs at least two values, all different")
    rules = load(series.game).game
    cells = []
    for values in product(*options.values()):
        chosen = {**series.options, **dict(zip(options, values, strict=True))}
        rules.resolve_options(chosen)
        cells.append(replace(series, options=chosen))
    return _Comparison(cells, list(_effects(options))).play(matches, workers, **others)


class _Effect(NamedTuple):
    """A difference between two means: its name, and the weight of every series in each mean."""

    name: str
    first: Numbers
    second: Numbers


def _effects(options: Mapping[str, Sequence[OptionValue]]) -> Iterator[_Effect]:
    """Yield the effect of each value, then the interaction of each pair of values."""
    shape = [len(values) for values in options.values()]
    levels = np.indices(shape).reshape(len(shape), -1)  # of each option, by combination

    def mean(*chosen: tuple[int, int]) -> Numbers:
        """Return the weight of each series in the mean of all combinations with these values."""
        is_there = np.all([levels[option] == value for option, value in chosen], axis=0)
        return np.asarray(is_there / is_there.sum())

    changes = [(option, value) for option, many in enumerate(shape) for value in range(1, many)]
    names = [f"{name}={spelled(it)}" for name, values in options.items() for it in values[1:]]
    for name, change in zip(names, changes, strict=True):
        yield _Effect(name, mean((change[0], 0)), mean(change))
    for (name, change), (other_name, other) in combinations(zip(names, changes, strict=True), 2):
        if change[0] != other[0]:
            before, after = (
                mean(level, other) - mean(level, (other[0], 0))
                for level in ((change[0], 0), change)
            )
            yield _Effect(f"{name} x {other_name}", before, after)


_Place: TypeAlias = tuple[str, int | None]
"""The location of a number in a row: the column, and the seat if there is one number per seat."""


class _Comparison:
    """Several series over the same seeds, and the effects to estimate."""

    def __init__(self, series: Sequence[Series], effects: Sequence[_Effect]) -> None:
        self._series = series
        self._effects = effects
        self._power: float | None = None
        self._until: tuple[str, float] | None = None
        self._each_seed = len(series[0].bots) if series[0].rotated else 1
        places, *others = map(_places, series)
        self._places = {name: it for name, it in places.items() if all(name in o for o in others)}

    def play(
        self,
        matches: int,
        workers: Workers,
        *,
        power: float | None = None,
        until: tuple[str, float] | None = None,
        folder: Path | str | None = None,
        resume: bool = False,
        progress: Callable[[Progress], object] | None = None,
    ) -> list[Difference]:
        """Play the matches of each series. The arguments are those of `compare`."""
        check_two(matches)
        self._power, self._until = power, until
        self._check()
        studies = list[Study | None]()
        with ExitStack() as opened:
            for number, series in enumerate(self._series, 1):
                study = None
                if folder is not None:
                    subfolder = Path(folder) / str(number)
                    opened.enter_context(lock_folder(subfolder))
                    study = Study.begin(subfolder, series, matches, resume=resume)
                studies.append(study)
            missing = [matches if it is None else sum(map(len, it.missing())) for it in studies]
            total = matches * len(self._series)
            count = Count(total, progress, total - sum(missing))
            values = np.zeros((len(self._places), len(self._series), 0))
            for numbers in self._parts(matches):
                part = np.full((*values.shape[:2], len(numbers)), np.nan)
                for at, (series, study) in enumerate(zip(self._series, studies, strict=True)):
                    rows = rows_in_order(series, numbers, workers, count, study)
                    for number, row in enumerate(rows):
                        part[:, at, number] = [_number(row, it) for it in self._places.values()]
                values = np.concatenate([values, part], axis=2)
                differences = self._differences(values)
                if self._is_decided(differences):
                    break
            count.drop(count.total - count.done)
        return differences

    def _check(self) -> None:
        """Raise `UsageError` for an invalid `power` or `until`, before anything is played."""
        if self._power is not None:
            matches_needed(self._power, 1)
        if self._until is None:
            return
        name, apart = self._until
        if self._power is not None:
            raise UsageError("power and until cannot be used together: leave out one of them")
        if name not in self._places:
            hint = did_you_mean(name, self._places, f"measures: {'; '.join(self._places)}")
            raise UsageError(f"measure {quote(name)} not found{hint}")
        if not 0 < apart < inf:
            raise UsageError(
                f"{name}: the difference to test must be greater than 0, not {apart:g}"
            )

    def _is_decided(self, differences: Sequence[Difference]) -> bool:
        """Return whether differences are watched and the data are decisive for all of them."""
        watched = [it.larger for it in differences if self._until and it.name == self._until[0]]
        return bool(watched) and None not in watched

    def _parts(self, matches: int) -> Iterator[range]:
        """Yield the match numbers to play before each interim analysis."""
        done, seeds = 0, _FIRST_ANALYSIS
        while self._until is not None and seeds * self._each_seed < matches:
            yield range(done, seeds * self._each_seed)
            done, seeds = seeds * self._each_seed, ceil(seeds * _GROWTH)
        yield range(done, matches)

    def _differences(self, values: Numbers) -> list[Difference]:
        """Return all differences.

        Args:
            values: Numbers by measure, series and match, NaN where a match lacks the measure.
        """
        estimate = paired_difference if self._until is None else watched_difference
        matches, differences = values.shape[2], list[tuple[Difference, int]]()
        for effect in self._effects:
            for name, numbers in zip(self._places, values, strict=True):
                is_complete = np.isfinite(numbers).all(axis=0)
                if is_complete.sum() < 2:
                    continue
                seeds = (np.arange(matches) // self._each_seed)[is_complete]
                first = effect.first @ numbers[:, is_complete]
                second = effect.second @ numbers[:, is_complete]
                apart = estimate(second, first, seeds)
                means = float(first.mean()), float(second.mean())
                larger = self._is_larger(name, apart)
                row = Difference(name, *means, apart, 1.0, matches, effect.name, larger=larger)
                differences.append((row, len(np.unique(seeds))))
        corrected = holm([it.apart.p for it, _ in differences])
        return [
            it._replace(p=float(p), needed=self._needed(it, seeds, len(differences)))
            for (it, seeds), p in zip(differences, corrected, strict=True)
        ]

    def _is_larger(self, name: str, apart: Estimate) -> bool | None:
        if self._until is None or self._until[0] != name:
            return None
        limit = self._until[1]
        if apart.low > limit or apart.high < -limit:
            return True
        return False if -limit < apart.low and apart.high < limit else None

    def _needed(self, difference: Difference, seeds: int, comparisons: int) -> int | None:
        if self._power is None or not (error := difference.apart.error(seeds - 1)) > 0:
            return None  # not requested, or the error is unknown or zero
        needed = matches_needed(self._power, error * sqrt(seeds), comparisons=comparisons)
        # With rotated bots a seed takes several matches, and some matches lack the measure.
        return ceil(needed * difference.matches / seeds / self._each_seed) * self._each_seed


def _places(series: Series) -> dict[str, _Place]:
    """Return the location of each measure in the row of a match, by name."""
    kinds, places = series.columns(), dict[str, _Place]()
    is_shared = TOGETHER.keys() <= kinds.keys()
    if is_shared:
        places = {"wins": ("winners", 0), "points": ("points", 0)}
    else:
        places = {f"wins, seat {seat + 1}": ("winners", seat) for seat in range(series.seats)}
    covered = {"winners", "points", *TOGETHER} if is_shared else {"winners"}
    for name, kind in kinds.items():
        if name in covered:
            continue
        if kind in {int, float}:
            places[name] = name, None
        elif kind in {tuple[int, ...], tuple[float, ...]}:
            places |= {f"{name}, seat {seat + 1}": (name, seat) for seat in range(series.seats)}
    return places


def _number(row: Row, place: _Place) -> float:
    """Return a measure of a match, or NaN if the match lacks it."""
    column, seat = place
    value = row[column]
    if column == "winners":
        return seat in value
    if seat is not None:
        value = value[seat] if seat < len(value) else None
    return np.nan if value is None else value
