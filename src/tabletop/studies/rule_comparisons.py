"""Which rules are different: values of options, or versions of rules, over the same seeds."""

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

_FIRST_LOOK: Final = 100
"""What is watched is looked at after so many seeds,"""

_GROWTH: Final = 1.25
"""and then each time that they are so many times as many."""


class Difference(NamedTuple):
    """A difference between two series of matches, or what one option changes in several.

    Attributes:
        name: what was measured.
        first, second: the means of both. Where two options change together, they are differences
            themselves: what the second option changes before the first one does, and after.
        apart: how much higher the second one is, over the same seeds.
        p: the probability of so large a difference by chance, corrected for all comparisons: below
            0.05 it is significant.
        matches: how many were played of each kind.
        effect: what was changed, as `start=4`, or `start=4 x end=9` for what both together change
            beyond what each does; empty where two series are compared.
        needed: how many matches of each series show the difference that was asked for, 4 times in
            5 or oftener; None where none was, or these matches are all alike.
        larger: whether it is larger than the one it was watched for, up or down; None where it was
            not, or is not known yet.
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
        """Return all that is known, as JSON has it; null for an end of an interval without one."""
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
    """Compare two values of options, two versions of rules or two bots, over the same seeds.

    Compared are how often each seat wins, points, lengths, and such metrics of both as are one
    number, or one for each seat. Where one match has no such number, its seed is left out; where
    all win or lose together, wins and points are those of all.

    Args:
        first: the one series.
        second: the other one.
        matches: how many are played of each, at least 2.
        workers: who plays; see `tabletop.studies.workers_for`.
        power: a difference: of each mean it is said how many matches show one as large. These
            matches are a trial then, which tells how much matches of one seed differ.
        until: the name of a mean, and a difference: no more is played as soon as it is known
            whether that mean differs by more, or by less. All intervals are such then as hold
            whenever one stops; see `watched_difference`.
        folder: where the matches are stored, a `Study` for each series: `1`, `2`.
        resume: whether to go on with the studies that may be there; see `Study.begin`.
        progress: called after each batch.

    Raises:
        StudyError: a match failed, a process died again and again, or there is something else in
            the folder.
        UsageError: `power` or `until` is no difference that can be looked for, or the two series
            differ in their seeds, or in the number of seats.

    >>> from tabletop.studies import Here
    >>> games = ("sorcery", "sorcery-2017")
    >>> new, old = (Series.of(game, ["random"]) for game in games)
    >>> found = {it.name: it for it in compare(new, old, 20, Here())}
    >>> length = found["plies"]
    >>> length.apart.low < length.second - length.first < length.apart.high
    True
    """
    for what in ("seeds", "seats", "rotated"):
        if getattr(first, what) != getattr(second, what):
            values = f"{getattr(first, what)} and {getattr(second, what)}"
            raise UsageError(f"{what}: {values}; these have to be the same")
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
    """Play a series with every combination of values of options, and say what each changes.

    All are played over the same seeds: a factorial design in blocks. The effect of a value is the
    difference from the first value of its option, as a mean over all values of the others; the
    interaction of two is how much the effect of one is higher where the other one is there too.

    Args:
        series: the matches; their other options are its own.
        options: the values of each option, two or more; the first is what others are compared with.
        matches: how many are played of each combination, at least 2.
        workers: who plays; see `tabletop.studies.workers_for`.
        others: `power`, `until`, `folder`, `resume` and `progress`, as in `compare`. A mean that is
            watched is waited for until enough is known of each effect on it.

    Returns:
        The means of each effect, and then of each interaction.

    Raises:
        OptionError: an option is unknown, or a value out of range.
        StudyError, UsageError: as from `compare`; or an option has a single value, or one twice.

    >>> from tabletop.studies import Here
    >>> series = Series.of("sorcery", ["random"], metrics=())
    >>> values = {"hand": [3, 5], "patience": [5, 50]}
    >>> found = vary(series, values, 3, Here())
    >>> sorted({it.effect for it in found})
    ['hand=5', 'hand=5 x patience=50', 'patience=50']
    """
    for name, values in options.items():
        if len(values) < 2 or len(set(values)) < len(values):
            raise UsageError(f"option {name}: give two values or more, all different")
    rules = load(series.game).game
    cells = []
    for values in product(*options.values()):
        chosen = {**series.options, **dict(zip(options, values, strict=True))}
        rules.resolve_options(chosen)
        cells.append(replace(series, options=chosen))
    return _Comparison(cells, list(_effects(options))).play(matches, workers, **others)


class _Effect(NamedTuple):
    """A difference of two means: its name, and the weight of every series in either."""

    name: str
    first: Numbers
    second: Numbers


def _effects(options: Mapping[str, Sequence[OptionValue]]) -> Iterator[_Effect]:
    """Yield what each value changes, and each two values of different options together."""
    shape = [len(values) for values in options.values()]
    levels = np.indices(shape).reshape(len(shape), -1)  # of each option, in every combination

    def mean(*chosen: tuple[int, int]) -> Numbers:
        """Return the weights of the combinations in which options have these values."""
        is_there = np.all([levels[option] == value for option, value in chosen], axis=0)
        return np.asarray(is_there / is_there.sum())

    changes = [(option, value) for option, many in enumerate(shape) for value in range(1, many)]
    names = [f"{name}={spelled(it)}" for name, values in options.items() for it in values[1:]]
    for name, own in zip(names, changes, strict=True):
        yield _Effect(name, mean((own[0], 0)), mean(own))
    for (name, own), (other_name, other) in combinations(zip(names, changes, strict=True), 2):
        if own[0] != other[0]:
            before, after = (mean(it, other) - mean(it, (other[0], 0)) for it in ((own[0], 0), own))
            yield _Effect(f"{name} x {other_name}", before, after)


_Place: TypeAlias = tuple[str, int | None]
"""The column of a number, and the seat whose it is there."""


class _Comparison:
    """Several series over the same seeds, and which differences are looked for."""

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
        """Play as many matches of each series as are wanted; arguments as in `compare`."""
        check_two(matches)
        self._power, self._until = power, until
        self._check()
        studies = list[Study | None]()
        with ExitStack() as opened:
            for number, series in enumerate(self._series, 1):
                study = None
                if folder is not None:
                    own = Path(folder) / str(number)
                    opened.enter_context(lock_folder(own))
                    study = Study.begin(own, series, matches, resume=resume)
                studies.append(study)
            missing = [matches if it is None else sum(map(len, it.missing())) for it in studies]
            total = matches * len(self._series)
            count = Count(total, progress, total - sum(missing))
            told = np.zeros((len(self._places), len(self._series), 0))
            for numbers in self._looks(matches):
                part = np.full((*told.shape[:2], len(numbers)), np.nan)
                for at, (series, study) in enumerate(zip(self._series, studies, strict=True)):
                    rows = rows_in_order(series, numbers, workers, count, study)
                    for number, row in enumerate(rows):
                        part[:, at, number] = [_number(row, it) for it in self._places.values()]
                told = np.concatenate([told, part], axis=2)
                found = self._differences(told)
                if self._is_known(found):
                    break
            count.drop(count.total - count.done)
        return found

    def _check(self) -> None:
        """Raise `UsageError`, before anything is played, for what cannot be looked for."""
        if self._power is not None:
            matches_needed(self._power, 1)
        if self._until is None:
            return
        name, apart = self._until
        if self._power is not None:
            raise UsageError("a trial (power) is played whole, and not until something is known")
        if name not in self._places:
            hint = did_you_mean(name, self._places, f"compared are {'; '.join(self._places)}")
            raise UsageError(f"{quote(name)} is not compared{hint}")
        if not 0 < apart < inf:
            raise UsageError(f"{name}: {apart:g} is no difference to look for; give one above 0")

    def _is_known(self, found: Sequence[Difference]) -> bool:
        """Check whether there are differences that were watched, and each is known well enough."""
        watched = [it.larger for it in found if self._until and it.name == self._until[0]]
        return bool(watched) and None not in watched

    def _looks(self, matches: int) -> Iterator[range]:
        """Yield the numbers of the matches that are played before each look."""
        done, seeds = 0, _FIRST_LOOK
        while self._until is not None and seeds * self._each_seed < matches:
            yield range(done, seeds * self._each_seed)
            done, seeds = seeds * self._each_seed, ceil(seeds * _GROWTH)
        yield range(done, matches)

    def _differences(self, told: Numbers) -> list[Difference]:
        """Return all differences; of each mean, series and match there is a number, if any."""
        measure = paired_difference if self._until is None else watched_difference
        matches, found = told.shape[2], list[tuple[Difference, int]]()
        for effect in self._effects:
            for name, numbers in zip(self._places, told, strict=True):
                is_told = np.isfinite(numbers).all(axis=0)
                if is_told.sum() < 2:
                    continue
                seeds = (np.arange(matches) // self._each_seed)[is_told]
                first, second = (it @ numbers[:, is_told] for it in (effect.first, effect.second))
                apart = measure(second, first, seeds)
                means = float(first.mean()), float(second.mean())
                larger = self._is_larger(name, apart)
                own = Difference(name, *means, apart, 1.0, matches, effect.name, larger=larger)
                found.append((own, len(np.unique(seeds))))
        corrected = holm([it.apart.p for it, _ in found])
        return [
            it._replace(p=float(p), needed=self._needed(it, seeds, len(found)))
            for (it, seeds), p in zip(found, corrected, strict=True)
        ]

    def _is_larger(self, name: str, apart: Estimate) -> bool | None:
        if self._until is None or self._until[0] != name:
            return None
        sought = self._until[1]
        if apart.low > sought or apart.high < -sought:
            return True
        return False if -sought < apart.low and apart.high < sought else None

    def _needed(self, it: Difference, seeds: int, comparisons: int) -> int | None:
        if self._power is None or not (error := it.apart.error(seeds - 1)) > 0:
            return None  # it is not asked for, not known, or seeds do not differ
        wanted = matches_needed(self._power, error * sqrt(seeds), comparisons=comparisons)
        # A seed takes several matches where bots rotate, and some say nothing of this number.
        return ceil(wanted * it.matches / seeds / self._each_seed) * self._each_seed


def _places(series: Series) -> dict[str, _Place]:
    """Return where the numbers of a match stand in its row, by name."""
    kinds, found = series.columns(), dict[str, _Place]()
    is_shared = TOGETHER.keys() <= kinds.keys()
    if is_shared:
        found = {"wins": ("winners", 0), "points": ("points", 0)}
    else:
        found = {f"wins, seat {seat + 1}": ("winners", seat) for seat in range(series.seats)}
    told = {"winners", "points", *TOGETHER} if is_shared else {"winners"}
    for name, kind in kinds.items():
        if name in told:
            continue
        if kind in {int, float}:
            found[name] = name, None
        elif kind in {tuple[int, ...], tuple[float, ...]}:
            found |= {f"{name}, seat {seat + 1}": (name, seat) for seat in range(series.seats)}
    return found


def _number(row: Row, place: _Place) -> float:
    """Return a number of a match; not a number where it has none."""
    column, seat = place
    value = row[column]
    if column == "winners":
        return seat in value
    if seat is not None:
        value = value[seat] if seat < len(value) else None
    return np.nan if value is None else value
