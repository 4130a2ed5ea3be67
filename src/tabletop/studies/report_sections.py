"""Sections of a report: win rates or numbers of one column, and tested differences."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import floor, isfinite, log10, sqrt
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias

from tabletop.host.extras import require

require("a report", "studies", "numpy")

import numpy as np
from numpy.typing import NDArray
from typing_extensions import override

from tabletop.studies.page import Block, Figure, TextTable, dots, histogram
from tabletop.studies.statistics import (
    Estimate,
    Moments,
    Numbers,
    in_clusters,
    ratio,
    shares_apart,
    wilson,
    worth_of,
)

if TYPE_CHECKING:
    import pyarrow as pa

Arrow: TypeAlias = "pa.Array"  # a column of an Arrow table
Whole: TypeAlias = NDArray[np.int64]  # an array of integers
SIGNIFICANT: Final = 0.05  # differences with a corrected p-value below this number are significant

CERTAIN: Final = 1e-15
"""Differences with a lower p-value count as equally significant, and are not reordered."""

_LEAST_MATCHES: Final = 30  # from which a mean is approximately normal
_LEAST_VARIANCE: Final = 10.0  # the same for a number of wins: 40 matches with 50% wins
_MOST_NAMES: Final = 10_000  # further names are counted together
_MOST_NUMBERS: Final = 10_000  # with more distinct numbers, they are rounded
_MOST_DOTS: Final = 12  # best and worst names in a figure, each
_OTHERS: Final = "(others)"
POINTS: Final = "points"  # not compared, because points usually decide the match


@dataclass
class Comparison:
    """A tested difference, with the section, label, unit and corrected p-value."""

    section: str
    label: str
    apart: Estimate
    unit: Callable[..., str]
    corrected: float = 1.0

    def __str__(self) -> str:
        value, low, high, _ = self.apart
        p = "<0.0001" if self.corrected < 0.0001 else f"{self.corrected:.4f}"
        suffix = f", p {p}" if self.corrected < SIGNIFICANT else ""
        return f"{self.unit(value, '+')} ({self.unit(low)} to {self.unit(high)}){suffix}"


class Part(NamedTuple):
    """A batch of matches.

    Attributes:
        batch: Columns of the matches.
        won: Whether a seat won, by match and seat.
        cluster: Cluster of each match, numbered from 0. Matches with the same seed form a cluster,
            because they are not independent.
    """

    batch: pa.RecordBatch
    won: NDArray[np.bool_]
    cluster: Whole


def unpack_lists(lists: Arrow) -> tuple[Whole, Arrow]:
    """Return the row number of each entry of lists or maps, and the entries (or keys)."""
    ends = lists.offsets.to_numpy()
    inside = lists.keys if hasattr(lists, "keys") else lists.values
    inside = inside.slice(ends[0], ends[-1] - ends[0])
    return np.repeat(np.arange(len(lists)), np.diff(ends)), inside


def _unpack_maps(maps: Arrow) -> tuple[Whole, Arrow, Numbers]:
    """Flatten a column of maps. Return the row number, the name and the number of each entry."""
    at, names = unpack_lists(maps)
    return at, names, _floats(maps.items.slice(maps.offsets[0].as_py(), len(names)))


def _floats(numbers: Arrow) -> Numbers:
    return np.asarray(numbers, dtype=np.float64)


@dataclass
class Section(ABC):
    """The section of a page for one column, or for the wins by seat if `column` is empty.

    Attributes:
        seats: Labels of the seats.
        rotated: Whether several matches have the same seed.
        purpose: Sentence below the heading.
        by_faction: Whether factions, and not seats, win the matches. `seats` then contains the
            labels of the factions.
        tested: Names whose differences are tested. By default, all names. Leave out a name if its
            difference follows from the rules or from another difference.
        compared: Differences that are tested.
    """

    title: str
    column: str
    seats: Sequence[str]
    rotated: bool
    purpose: str = ""
    by_faction: bool = False
    tested: Container[str] | None = None
    compared: list[Comparison] = field(default_factory=list)

    @property
    def asked(self) -> range:
        """The seats to compare. With two seats only the first, which the second mirrors."""
        return range(1 if len(self.seats) == 2 else len(self.seats))

    def is_tested(self, name: str) -> bool:
        """Return whether the differences of a name are tested."""
        return self.tested is None or name in self.tested

    @abstractmethod
    def add(self, part: Part) -> None:
        """Add a batch of matches."""

    @abstractmethod
    def blocks(self) -> Iterator[Block]:
        """Make the comparisons, and yield the content of the section if it has any data."""

    def compare(self, label: str, apart: Estimate, unit: Callable[..., str]) -> Comparison:
        """Record a difference, whose p-value is corrected later with all others of the page."""
        self.compared.append(Comparison(self.title, label, apart, unit))
        return self.compared[-1]


class _Names:
    """Sums of numbers by name, in order of first occurrence."""

    def __init__(self) -> None:
        self._sums: pa.Table | None = None

    def add(self, names: Arrow, columns: Mapping[str, NDArray[Any]]) -> None:
        """Add numbers to the sums for their names. Each column has one number per name."""
        import pyarrow as pa

        given = {column: it.astype(np.float64) for column, it in columns.items()}
        added = pa.table({"name": names, **given})
        table = added if self._sums is None else pa.concat_tables([self._sums, added])
        self._sums = table = _add_up(table, ["name"])
        if table.num_rows > _MOST_NAMES:
            kept = table.column("name").to_pylist()[:_MOST_NAMES]
            names = pa.array([*kept, *[_OTHERS] * (table.num_rows - _MOST_NAMES)])
            self._sums = _add_up(table.set_column(0, "name", names), ["name"])

    def rows(self) -> list[dict[str, Any]]:
        """Return one row per name with its sums."""
        return [] if self._sums is None else self._sums.to_pylist()


def _add_up(table: pa.Table, keys: list[str]) -> pa.Table:
    """Group the rows by the keys, and sum the other columns."""
    others = [it for it in table.column_names if it not in keys]
    sums = table.group_by(keys, use_threads=False).aggregate([(it, "sum") for it in others])
    return sums.select([*keys, *(f"{it}_sum" for it in others)]).rename_columns([*keys, *others])


@dataclass
class Wins(Section):
    """Win rates by the name of the seat or the bot, or by a name that a metric gives the seat.

    Names are compared within each match: the win rate of seats with the name is compared with that
    of seats without it. If nearly all seats have the name, the count per winner is compared
    instead.
    """

    names: _Names = field(default_factory=_Names)
    decided: int = 0  # matches with winners and losers
    decided_squares: float = 0  # sum over the clusters of the squared number of such matches
    decided_clusters: int = 0  # clusters with such matches

    @override
    def add(self, part: Part) -> None:
        import pyarrow as pa

        matches, seats = part.won.shape
        column = part.batch.column(self.column) if self.column else pa.array([self.seats] * matches)
        match, names = unpack_lists(column)
        seat, numbers = np.arange(len(match)) - np.searchsorted(match, match), np.ones(len(match))
        if is_counted := pa.types.is_map(names.type):
            at, names, numbers = _unpack_maps(names)
            match, seat = match[at], seat[at]
        won = part.won[match, seat]
        rows = {"name": names, "match": match, "have": np.ones(len(match)), "won": won * 1.0}
        rows |= {"number": numbers, "of_winners": numbers * won}
        pairs = _add_up(pa.table(rows), ["name", "match"])
        match, have, won, number, of_winners = (it.to_numpy() for it in pairs.columns[1:])
        winners = part.won.sum(axis=1)
        is_decided = (winners > 0) & (winners < seats)
        self.decided += int(is_decided.sum())
        decided = np.bincount(part.cluster, is_decided)
        self.decided_squares += float((decided**2).sum())
        self.decided_clusters += int((decided > 0).sum())
        is_decided, winners = is_decided[match], winners[match]
        others, share = seats - have, winners / seats
        is_compared = is_decided & (others > 0)
        apart = np.where(is_compared, won / have - (winners - won) / others, 0)
        # Variances of the wins and of the difference under the null hypothesis.
        variance = np.where(is_compared, have * share * (1 - share) * others / max(seats - 1, 1), 0)
        spread = np.where(is_compared, variance * (seats / (have * others)) ** 2, 0)
        more = of_winners / winners - (number - of_winners) / (seats - winners)
        more = np.where(is_decided & is_counted, more, 0)
        sums = {"seats": have, "won": won, "number": number, "compared": is_compared * 1.0}
        sums |= {"apart": apart, "spread": spread, "variance": variance, "more": more}
        keys = {"name": pairs.column("name"), "cluster": part.cluster[match]}
        clusters = _add_up(pa.table({**keys, **sums}), ["name", "cluster"])
        columns = {name: clusters.column(name).to_numpy() for name in (*sums, "cluster")}
        cluster = columns.pop("cluster")
        for total, size in (("won", "seats"), ("number", "seats"), ("apart", "compared")):
            columns[f"{total} squares"] = columns[total] ** 2
            columns[f"{total} products"] = columns[total] * columns[size]
            columns[f"{size} squares"] = columns[size] ** 2
            columns[f"{size} clusters"] = (columns[size] > 0) * 1.0
        columns["more squares"] = columns["more"] ** 2
        columns["more products"] = columns["more"] * decided[cluster]
        self.names.add(clusters.column("name"), columns)

    @override
    def blocks(self) -> Iterator[Block]:
        lines = []
        for sums in self.names.rows():
            name, has = sums["name"], sums["seats"]
            difference = self._compare(sums)
            is_common = self.decided >= _LEAST_MATCHES and 2 * has > self.decided * len(self.seats)
            if difference is None and is_common and sums["more squares"]:
                squares, products = sums["more squares"], sums["more products"]
                sizes, clusters = self.decided_squares, self.decided_clusters
                apart = ratio(
                    self.decided, sums["more"], squares, products, sizes=sizes, clusters=clusters
                )
                difference = self.compare(f"{name}: count per winner", apart, _short)
            share, number = _ratio(sums, "won", "seats"), _ratio(sums, "number", "seats")
            worth = has
            if sums["seats squares"] > has:
                worth = worth_of(share, has, sums["seats clusters"])
            lines.append((name, has, sums["won"], number, difference, worth))
        if self.column:  # highest difference first, names without a comparison last
            lines.sort(key=lambda it: (-it[4].apart.value if it[4] else 2.0, -it[1]))
        shown = [it for it in lines if not self.column or (it[4] and it[4].unit is _percent)]
        if self.column and len(shown) > 2 * _MOST_DOTS:
            shown = [*shown[:_MOST_DOTS], *shown[-_MOST_DOTS:]]
        if shown:
            usual = sum(won for _, _, won, *_ in lines) / sum(has for _, has, *_ in lines)
            rates = [
                (name, won / has, *wilson(won / has * worth, worth))
                for name, has, won, _, _, worth in shown
            ]
            percents = [(name, *(100 * it for it in rate)) for name, *rate in rates]
            caption = "Win rates with 95% intervals, and the overall win rate as a line"
            yield Figure(dots(percents, 100 * usual, "%"), caption)
        rows = [
            (name, f"{has:,.0f}", _within(number), _share(won, has, worth), difference)
            for name, has, won, number, difference, worth in lines
        ]
        if rows:
            yield TextTable(["", "seats", "number", "win rate", "vs. other seats"], rows)

    def _compare(self, sums: Mapping[str, Any]) -> Comparison | None:
        """Compare the win rate of a name with that of the other seats in the same match.

        If every seed is played once, the standard error is at least that of the null hypothesis.
        """
        name = sums["name"]
        is_asked = self.column or name in [self.seats[seat] for seat in self.asked]
        is_asked = is_asked and self.is_tested(name)
        if sums["variance"] < _LEAST_VARIANCE or name == _OTHERS or not is_asked:
            return None
        apart = _ratio(sums, "apart", "compared")
        if not self.rotated:
            mean = sums["apart"] / sums["compared"]
            spread = max(sums["spread"], sums["apart squares"] - sums["apart"] * mean)
            apart = Estimate.of(mean, sqrt(spread) / sums["compared"])
        bounded = apart._replace(low=max(apart.low, -1.0), high=min(apart.high, 1.0))
        return self.compare(name, bounded, _percent)


@dataclass
class Groups(Section):
    """The matches with each name, and their win rates compared with those of all others."""

    def __post_init__(self) -> None:
        self.names: _Names = _Names()
        self.whole: Moments = Moments(1 + len(self.seats))  # number of matches, and wins by seat

    @override
    def add(self, part: Part) -> None:
        import pyarrow as pa

        column = part.batch.column(self.column)
        if hasattr(column, "keys"):
            match, names, numbers = _unpack_maps(column)
        else:
            match, names = np.flatnonzero(column.is_valid()), column.drop_null()
            numbers = np.ones(len(match))
        sums = {"matches": np.ones(len(match)), "number": numbers}
        sums |= zip(self.seats, part.won[match].T * 1.0, strict=True)
        rows = pa.table({"name": names, "cluster": part.cluster[match], **sums})
        clusters = _add_up(rows, ["name", "cluster"])
        columns = {name: clusters.column(name).to_numpy() for name in sums}
        matches_and_wins = np.column_stack([np.ones(len(part.won)), part.won])
        whole = in_clusters(matches_and_wins, part.cluster)
        self.whole.add(whole)
        cluster = whole[clusters.column("cluster").to_numpy()]
        inside = columns["matches"]
        columns |= {"matches squares": inside**2, "matches clusters": np.ones(len(inside))}
        columns |= {"matches all": inside * cluster[:, 0]}
        for total in ("number", *self.seats):
            columns[f"{total} squares"] = columns[total] ** 2
            columns[f"{total} products"] = columns[total] * inside
        for seat, label in enumerate(self.seats, 1):
            columns[f"{label} all"] = columns[label] * cluster[:, 0]
            columns[f"{label} won"] = columns[label] * cluster[:, seat]
            columns[f"{label} inside won"] = inside * cluster[:, seat]
        self.names.add(clusters.column("name"), columns)

    @override
    def blocks(self) -> Iterator[Block]:
        rows = []
        matches = self.whole.totals[0]
        for sums in sorted(self.names.rows(), key=lambda it: -it["matches"]):
            name, inside = sums["name"], sums["matches"]
            squares, sizes = sums["matches squares"], self.whole.products[0, 0]
            products, seeds = sums["matches all"], self.whole.clusters
            share = ratio(matches, inside, squares, products, sizes=sizes, clusters=seeds)
            row: list[object] = [
                f"{inside:,.0f}",
                _share(inside, matches, self._worth(share, matches, seeds)),
                _within(_ratio(sums, "number", "matches")),
            ]
            for seat, label in enumerate(self.seats):
                rate = _ratio(sums, label, "matches")
                worth = self._worth(rate, inside, sums["matches clusters"])
                row += [_share(sums[label], inside, worth), self._compare(sums, seat)]
            rows.append([name, *row])
        if rows:
            won = [it for seat in self.seats for it in (f"{seat} wins", "vs. other matches")]
            yield TextTable(["", "matches", "share", "number", *won], rows)

    def _worth(self, share: Estimate, number: float, seeds: float) -> float:
        return worth_of(share, number, seeds) if self.rotated else number

    def _compare(self, sums: Mapping[str, Any], seat: int) -> Comparison | None:
        label, inside, won = self.seats[seat], sums["matches"], sums[self.seats[seat]]
        matches, all_won = self.whole.totals[[0, 1 + seat]]
        share, outside = all_won / matches, matches - inside
        variance = share * (1 - share)
        is_asked = seat in self.asked and self.is_tested(str(sums["name"]))
        if min(inside, outside) * variance < _LEAST_VARIANCE or not is_asked:
            return None
        there, elsewhere = won / inside, (all_won - won) / outside
        apart = shares_apart(won, inside, all_won - won, outside)
        if self.rotated:
            # Delta method. Each cluster has four numbers: its wins and matches with this name, and
            # its wins and matches in total.
            ways = np.array([1 / inside + 1 / outside, 0, -1 / outside, elsewhere / outside])
            ways[1] = -there / inside - elsewhere / outside
            squares, product = self.whole.products, sums[f"{label} products"]
            both, some = sums[f"{label} won"], sums[f"{label} all"]
            inside_won, inside_all = sums[f"{label} inside won"], sums["matches all"]
            products = np.array(
                [
                    [sums[f"{label} squares"], product, both, some],
                    [product, sums["matches squares"], inside_won, inside_all],
                    [both, inside_won, squares[1 + seat, 1 + seat], squares[1 + seat, 0]],
                    [some, inside_all, squares[1 + seat, 0], squares[0, 0]],
                ]
            )
            seeds = max(2, self.whole.clusters)
            error = sqrt(max(float(ways @ products @ ways), 0.0) * seeds / (seeds - 1))
            apart = Estimate.of(there - elsewhere, error, seeds - 1)
        return self.compare(f"{sums['name']}: {label}", apart, _percent)


@dataclass
class _Spread:
    """The distribution of numbers: exact, or rounded to 1/5000 of their range if there are many."""

    values: Numbers = field(default_factory=lambda: np.zeros(0))
    counts: Numbers = field(default_factory=lambda: np.zeros(0))

    def add(self, numbers: Numbers) -> None:
        self._merge(np.append(self.values, numbers), np.append(self.counts, np.ones(len(numbers))))
        if len(self.values) > _MOST_NUMBERS:
            width = 2 * (self.values[-1] - self.values[0]) / _MOST_NUMBERS
            self._merge(np.round(self.values / width) * width, self.counts)

    def _merge(self, values: Numbers, counts: Numbers) -> None:
        self.values, at = np.unique(values, return_inverse=True)
        self.counts = np.bincount(at, counts, len(self.values)).astype(np.float64)

    def quantiles(self, shares: Sequence[float]) -> list[float]:
        """Return the quantiles for the given fractions."""
        upto = np.cumsum(self.counts)
        return [self.values[it] for it in np.searchsorted(upto, np.multiply(shares, upto[-1]))]


@dataclass
class Measure(Section):
    """One number per match: its distribution, and its mean by whether a given seat won."""

    def __post_init__(self) -> None:
        self.spread: _Spread = _Spread()
        # Count and sum of the numbers: of all matches, of the matches that each seat won, and of
        # the matches that it did not win.
        self.sums: Moments = Moments(2 + 4 * len(self.seats))

    @override
    def add(self, part: Part) -> None:
        numbers = _floats(part.batch.column(self.column))
        is_number = np.isfinite(numbers)
        numbers, won = numbers[is_number], part.won[is_number]
        self.spread.add(numbers)
        groups = np.hstack([np.ones((len(won), 1)), won, ~won])
        rows = np.stack([groups, groups * numbers[:, None]], axis=-1).reshape(len(won), -1)
        self.sums.add(_by_cluster(rows, part.cluster[is_number]))

    @override
    def blocks(self) -> Iterator[Block]:
        if not self.spread.counts.size:
            return
        shares = {"": (self.spread.values, self.spread.counts)}
        yield Figure(histogram(shares), "Distribution over the matches")
        heads = ["min", "5%", "25%", "median", "75%", "95%", "max", "mean", "matches"]
        values = self.spread.quantiles((0.0, 0.05, 0.25, 0.5, 0.75, 0.95, 1.0))
        yield TextTable(heads, [[*map(_short, values), *self._mean(0)]], 0)
        rows = []
        for seat in self.asked:
            yes, no = 2 + 2 * seat, 2 + 2 * seat + 2 * len(self.seats)
            if min(self.sums.totals[[yes, no]]) >= _LEAST_MATCHES:
                label = f"won by {self.seats[seat]}"
                rows.append((label, *self._mean(yes), self._apart(seat, yes, no)))
        if rows:
            yield TextTable(["", "mean", "matches", "vs. other matches"], rows)

    def _mean(self, at: int) -> tuple[str, str]:
        return _within(self.sums.mean(at + 1, at)), f"{self.sums.totals[at]:,.0f}"

    def _apart(self, seat: int, yes: int, no: int) -> Comparison:
        apart = self.sums.apart((yes + 1, yes), (no + 1, no))
        if not self.rotated:
            # The larger of two standard errors: the estimated one, and that of the null hypothesis.
            numbers, whole = self.sums.totals, self.sums.mean()
            error = whole.error(self.sums.clusters - 1)
            common = numbers[0] * error**2 * (1 / numbers[yes] + 1 / numbers[no])
            estimated = apart.error(self.sums.clusters - 1)
            apart = Estimate.of(apart.value, max(estimated, sqrt(common)))
        return self.compare(f"won by {self.seats[seat]} vs. other matches", apart, _short)


def _by_cluster(rows: Numbers, cluster: Whole) -> Numbers:
    """Sum the rows of each cluster. Clusters without rows are omitted."""
    return in_clusters(rows, np.unique(cluster, return_inverse=True)[1])


@dataclass
class SeatMeasure(Section):
    """One number per seat: its distribution for winners and for other seats of the same match."""

    def __post_init__(self) -> None:
        self.spreads: dict[str, _Spread] = {"winners": _Spread(), "others": _Spread()}
        # Count and sum of the numbers: of winners, of other seats, of the differences, and of each
        # seat.
        self.sums: Moments = Moments(6 + 2 * len(self.seats))

    @override
    def add(self, part: Part) -> None:
        matches, seats = part.won.shape
        match, inside = unpack_lists(part.batch.column(self.column))
        is_complete = np.bincount(match, minlength=matches) == seats
        numbers, won = _floats(inside)[is_complete[match]].reshape(-1, seats), part.won[is_complete]
        is_number = np.isfinite(numbers).all(axis=1)
        numbers, won = numbers[is_number], won[is_number]
        winners = won.sum(axis=1)
        both = (winners > 0) & (winners < seats)
        high, low = (numbers * won).sum(axis=1), (numbers * ~won).sum(axis=1)
        apart = high / np.maximum(winners, 1) - low / np.maximum(seats - winners, 1)
        columns = [winners, high, seats - winners, low, both, apart * both]
        for seat_numbers in numbers.T:
            columns += [np.ones(len(seat_numbers)), seat_numbers]
        rows = np.stack(columns, axis=-1).astype(np.float64)
        self.sums.add(_by_cluster(rows, part.cluster[is_complete][is_number]))
        for spread, group in zip(self.spreads.values(), (numbers[won], numbers[~won]), strict=True):
            spread.add(group)

    @override
    def blocks(self) -> Iterator[Block]:
        shares = {name: (it.values, it.counts) for name, it in self.spreads.items()}
        shares = {name: it for name, it in shares.items() if it[1].size}
        if not shares:
            return
        yield Figure(histogram(shares), "Distribution over the seats")
        means = [self.sums.mean(at + 1, at) for at in range(0, len(self.sums.totals), 2)]
        counts = [f"{it:,.0f}" for it in self.sums.totals[::2]]
        cells = [(_within(mean), count) for mean, count in zip(means, counts, strict=True)]
        rows: list[tuple[object, ...]] = [
            (name, *it) for name, it in zip(self.spreads, cells, strict=False)
        ]
        if self.column != POINTS and self.sums.totals[4] >= _LEAST_MATCHES:
            label = "winners vs. other seats"
            rows.append((label, self.compare(label, means[2], _short), counts[2]))
        rows += [(name, *it) for name, it in zip(self.seats, cells[3:], strict=True)]
        yield TextTable(["", "mean", "n"], rows)


def _ratio(sums: Mapping[str, Any], total: str, size: str) -> Estimate:
    """Return a mean, given the names of the total and the count to divide."""
    clusters = sums[f"{size} clusters"]
    squares, products = sums[f"{total} squares"], sums[f"{total} products"]
    sizes = sums[f"{size} squares"]
    return ratio(sums[size], sums[total], squares, products, sizes=sizes, clusters=clusters)


def _short(value: float, sign: str = "") -> str:
    """Format a number with at least three significant digits, or an integer in full."""
    if not isfinite(value):
        return "?"
    if abs(value) >= 1e15:
        return f"{value:{sign}.3g}"
    digits = 0 if value == floor(value) else min(max(2 - floor(log10(abs(value))), 0), 9)
    return f"{value:{sign},.{digits}f}"


def _percent(share: float, sign: str = "") -> str:
    return f"{share:{sign}.2%}"


def _share(part: float, whole: float, worth: float) -> str:
    """Format a share with its interval, given the effective number of independent matches."""
    low, high = wilson(part / whole * worth, worth)
    return f"{_percent(part / whole)} ({_percent(low)} to {_percent(high)})"


def _within(mean: Estimate) -> str:
    """Format a mean, with its interval if it has one, or return a question mark without data."""
    value, low, high, _ = mean
    is_known = isfinite(low) and high - low > abs(value) * CERTAIN
    return _short(value) + (f" ({_short(low)} to {_short(high)})" if is_known else "")
