"""The sections of a page about a study: what each column says of who wins, and by how much."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import floor, isfinite, log10, sqrt
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias

from tabletop.host.extras import require

require("a report", "studies", "numpy")

import numpy as np
from numpy.typing import NDArray
from typing_extensions import override

from tabletop.studies.page import (
    Block,
    Figure,
    TextTable,
    dots,
    histogram,
)
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

Arrow: TypeAlias = "pa.Array"
"""A column of a table of Arrow."""

Whole: TypeAlias = NDArray[np.int64]
"""An array of whole numbers."""

SIGNIFICANT: Final = 0.05
"""A difference is called significant if its corrected probability is below this."""

CERTAIN: Final = 1e-15
"""Differences less probable than this are all as certain: they keep their order on the page."""

_LEAST_MATCHES: Final = 30  # from here on a mean is nearly normal,
_LEAST_VARIANCE: Final = 10.0  # and a number of wins is: 40 matches that are won half the time
_MOST_NAMES: Final = 10_000  # are told apart,
_MOST_NUMBERS: Final = 10_000  # and so many numbers;
_MOST_DOTS: Final = 12  # a picture has so many of the best and of the worst names
_OTHERS: Final = "(others)"
POINTS: Final = "points"  # mostly decide who wins: that winners have more of them is no finding


@dataclass
class Comparison:
    """A difference: in which section, of what, in its unit; and its probability when corrected."""

    where: str
    what: str
    apart: Estimate
    unit: Callable[..., str]
    corrected: float = 1.0

    def __str__(self) -> str:
        value, low, high, _ = self.apart
        p = "<0.0001" if self.corrected < 0.0001 else f"{self.corrected:.4f}"
        told = f", p {p}" if self.corrected < SIGNIFICANT else ""
        return f"{self.unit(value, '+')} ({self.unit(low)} to {self.unit(high)}){told}"


class Part(NamedTuple):
    """Some matches.

    Attributes:
        batch: them.
        won: who won them: an array of matches and seats.
        cluster: the number of each one's cluster, from 0: matches of one seed are not independent.
    """

    batch: pa.RecordBatch
    won: NDArray[np.bool_]
    cluster: Whole


def unpack_lists(lists: Arrow) -> tuple[Whole, Arrow]:
    """Return what stands in lists or maps: the number of the list, and the entry or key."""
    ends = lists.offsets.to_numpy()
    inside = lists.keys if hasattr(lists, "keys") else lists.values
    inside = inside.slice(ends[0], ends[-1] - ends[0])
    return np.repeat(np.arange(len(lists)), np.diff(ends)), inside


def _unpack_maps(maps: Arrow) -> tuple[Whole, Arrow, Numbers]:
    """Return what stands in maps: the number of the map, the name, and the number."""
    at, names = unpack_lists(maps)
    return at, names, _floats(maps.items.slice(maps.offsets[0].as_py(), len(names)))


def _floats(numbers: Arrow) -> Numbers:
    return np.asarray(numbers, dtype=np.float64)


@dataclass
class Section(ABC):
    """What the page says of one column; of the seats themselves, where that is none.

    Attributes:
        title, purpose: its heading, and the sentence below it.
        column: the name of the column.
        seats: the names of the seats.
        compared: the differences.
    """

    title: str
    column: str
    seats: Sequence[str]
    rotated: bool  # several matches have the same seed
    purpose: str = ""
    compared: list[Comparison] = field(default_factory=list)

    @property
    def asked(self) -> range:
        """The seats that are compared: of two, one wins when the other does not."""
        return range(1 if len(self.seats) == 2 else len(self.seats))

    @abstractmethod
    def add(self, part: Part) -> None:
        """Take in some matches."""

    @abstractmethod
    def blocks(self) -> Iterator[Block]:
        """Compare what came in, and yield what is said; nothing where nothing came."""

    def compare(self, what: str, apart: Estimate, unit: Callable[..., str]) -> Comparison:
        """Note a difference, whose probability is corrected with all others of the page."""
        self.compared.append(Comparison(self.title, what, apart, unit))
        return self.compared[-1]


class _Names:
    """Sums of the numbers of each name, in the order in which the names came."""

    def __init__(self) -> None:
        self._sums: pa.Table | None = None

    def add(self, names: Arrow, columns: Mapping[str, NDArray[Any]]) -> None:
        """Add numbers of names to their sums: so many for each as there are names."""
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
        """Return each name with its sums."""
        return [] if self._sums is None else self._sums.to_pylist()


def _add_up(table: pa.Table, keys: list[str]) -> pa.Table:
    """Add up the other columns of rows that have the same keys."""
    others = [it for it in table.column_names if it not in keys]
    found = table.group_by(keys, use_threads=False).aggregate([(it, "sum") for it in others])
    return found.select([*keys, *(f"{it}_sum" for it in others)]).rename_columns([*keys, *others])


@dataclass
class Wins(Section):
    """How often a seat wins that has a name: its own, that of its bot, or of what it has done.

    It is compared within the match: its share of the wins with that of the seats without the name.
    Where nearly all seats have the name, how many of it winners have is compared.
    """

    names: _Names = field(default_factory=_Names)
    decided: int = 0  # the matches that some have won, and some have not
    decided_squares: float = 0  # the squares of how many each cluster has of them
    decided_clusters: int = 0

    @override
    def add(self, part: Part) -> None:
        import pyarrow as pa

        matches, seats = part.won.shape
        own = part.batch.column(self.column) if self.column else pa.array([self.seats] * matches)
        match, names = unpack_lists(own)
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
        is_told = is_decided & (others > 0)
        apart = np.where(is_told, won / have - (winners - won) / others, 0)
        # The variance of the wins, and of the difference, if all is chance.
        variance = np.where(is_told, have * share * (1 - share) * others / max(seats - 1, 1), 0)
        spread = np.where(is_told, variance * (seats / (have * others)) ** 2, 0)
        more = of_winners / winners - (number - of_winners) / (seats - winners)
        more = np.where(is_decided & is_counted, more, 0)
        sums = {"seats": have, "won": won, "number": number, "told": is_told * 1.0}
        sums |= {"apart": apart, "spread": spread, "variance": variance, "more": more}
        own = {"name": pairs.column("name"), "cluster": part.cluster[match]}
        clusters = _add_up(pa.table({**own, **sums}), ["name", "cluster"])
        found = {name: clusters.column(name).to_numpy() for name in (*sums, "cluster")}
        cluster = found.pop("cluster")
        for total, size in (("won", "seats"), ("number", "seats"), ("apart", "told")):
            found[f"{total} squares"] = found[total] ** 2
            found[f"{total} products"] = found[total] * found[size]
            found[f"{size} squares"] = found[size] ** 2
            found[f"{size} clusters"] = (found[size] > 0) * 1.0
        found["more squares"] = found["more"] ** 2
        found["more products"] = found["more"] * decided[cluster]
        self.names.add(clusters.column("name"), found)

    @override
    def blocks(self) -> Iterator[Block]:
        lines = []
        for sums in self.names.rows():
            name, has = sums["name"], sums["seats"]
            found = self._compare(sums)
            is_common = self.decided >= _LEAST_MATCHES and 2 * has > self.decided * len(self.seats)
            if found is None and is_common and sums["more squares"]:
                squares, products = sums["more squares"], sums["more products"]
                sizes, clusters = self.decided_squares, self.decided_clusters
                apart = ratio(
                    self.decided, sums["more"], squares, products, sizes=sizes, clusters=clusters
                )
                found = self.compare(f"{name}: how many winners have", apart, _short)
            share, number = _ratio(sums, "won", "seats"), _ratio(sums, "number", "seats")
            worth = has
            if sums["seats squares"] > has:
                worth = worth_of(share, has, sums["seats clusters"])
            lines.append((name, has, sums["won"], number, found, worth))
        if self.column:  # those that win most come first, and those that are not compared last
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
            yield Figure(dots(percents, 100 * usual, "%"), "Win rates; the line is that of all")
        rows = [
            (name, f"{has:,.0f}", _within(number), _share(won, has, worth), found)
            for name, has, won, number, found, worth in lines
        ]
        if rows:
            yield TextTable(["", "seats", "number", "win rate", "against the others"], rows)

    def _compare(self, sums: Mapping[str, Any]) -> Comparison | None:
        """Compare wins within the match; where seeds come once, with no less error than chance."""
        name = sums["name"]
        is_asked = self.column or name in [self.seats[seat] for seat in self.asked]
        if sums["variance"] < _LEAST_VARIANCE or name == _OTHERS or not is_asked:
            return None
        found = _ratio(sums, "apart", "told")
        if not self.rotated:
            mean = sums["apart"] / sums["told"]
            spread = max(sums["spread"], sums["apart squares"] - sums["apart"] * mean)
            found = Estimate.of(mean, sqrt(spread) / sums["told"])
        within = found._replace(low=max(found.low, -1.0), high=min(found.high, 1.0))
        return self.compare(name, within, _percent)


@dataclass
class Groups(Section):
    """How many matches have a name, and how often each seat wins them, against other matches."""

    def __post_init__(self) -> None:
        self.names = _Names()
        self.whole = Moments(1 + len(self.seats))  # all matches, and wins by seat

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
        found = {name: clusters.column(name).to_numpy() for name in sums}
        all_of = np.column_stack([np.ones(len(part.won)), part.won])
        whole = in_clusters(all_of, part.cluster)
        self.whole.add(whole)
        there = whole[clusters.column("cluster").to_numpy()]
        inside = found["matches"]
        found |= {"matches squares": inside**2, "matches clusters": np.ones(len(inside))}
        found |= {"matches all": inside * there[:, 0]}
        for total in ("number", *self.seats):
            found[f"{total} squares"] = found[total] ** 2
            found[f"{total} products"] = found[total] * inside
        for seat, own in enumerate(self.seats, 1):
            found[f"{own} all"] = found[own] * there[:, 0]
            found[f"{own} won"] = found[own] * there[:, seat]
            found[f"{own} inside won"] = inside * there[:, seat]
        self.names.add(clusters.column("name"), found)

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
            for seat, own in enumerate(self.seats):
                worth = self._worth(_ratio(sums, own, "matches"), inside, sums["matches clusters"])
                row += [_share(sums[own], inside, worth), self._compare(sums, seat)]
            rows.append([name, *row])
        if rows:
            won = [it for seat in self.seats for it in (f"{seat} wins", "against other matches")]
            yield TextTable(["", "matches", "share", "number", *won], rows)

    def _worth(self, share: Estimate, number: float, seeds: float) -> float:
        return worth_of(share, number, seeds) if self.rotated else number

    def _compare(self, sums: Mapping[str, Any], seat: int) -> Comparison | None:
        own, inside, won = self.seats[seat], sums["matches"], sums[self.seats[seat]]
        matches, all_won = self.whole.totals[[0, 1 + seat]]
        share, outside = all_won / matches, matches - inside
        variance = share * (1 - share)
        if min(inside, outside) * variance < _LEAST_VARIANCE or seat not in self.asked:
            return None
        there, elsewhere = won / inside, (all_won - won) / outside
        found = shares_apart(won, inside, all_won - won, outside)
        if self.rotated:
            # Of each cluster: its wins and matches inside, and all of its wins and matches.
            ways = np.array([1 / inside + 1 / outside, 0, -1 / outside, elsewhere / outside])
            ways[1] = -there / inside - elsewhere / outside
            squares, product = self.whole.products, sums[f"{own} products"]
            both, some = sums[f"{own} won"], sums[f"{own} all"]
            inside_won, inside_all = sums[f"{own} inside won"], sums["matches all"]
            products = np.array(
                [
                    [sums[f"{own} squares"], product, both, some],
                    [product, sums["matches squares"], inside_won, inside_all],
                    [both, inside_won, squares[1 + seat, 1 + seat], squares[1 + seat, 0]],
                    [some, inside_all, squares[1 + seat, 0], squares[0, 0]],
                ]
            )
            seeds = max(2, self.whole.clusters)
            error = sqrt(max(float(ways @ products @ ways), 0.0) * seeds / (seeds - 1))
            found = Estimate.of(there - elsewhere, error, seeds - 1)
        return self.compare(f"{sums['name']}: {own}", found, _percent)


@dataclass
class _Spread:
    """How often numbers come: exactly, or to 1/5000 of their range where they are many."""

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
        """Return the numbers up to which these shares of all lie."""
        upto = np.cumsum(self.counts)
        return [self.values[it] for it in np.searchsorted(upto, np.multiply(shares, upto[-1]))]


@dataclass
class Measure(Section):
    """One number of each match: how large it is, and whether it is another when a seat wins."""

    def __post_init__(self) -> None:
        self.spread = _Spread()
        # How many, and their sum: of all, of when each seat wins, and of when it does not.
        self.sums = Moments(2 + 4 * len(self.seats))

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
        yield Figure(histogram(shares), "The share of the matches")
        heads = ["least", "5%", "25%", "median", "75%", "95%", "most", "mean", "matches"]
        values = self.spread.quantiles((0.0, 0.05, 0.25, 0.5, 0.75, 0.95, 1.0))
        yield TextTable(heads, [[*map(_short, values), *self._mean(0)]], 0)
        rows = []
        for seat in self.asked:
            yes, no = 2 + 2 * seat, 2 + 2 * seat + 2 * len(self.seats)
            if min(self.sums.totals[[yes, no]]) >= _LEAST_MATCHES:
                rows.append(
                    (f"when {self.seats[seat]} wins", *self._mean(yes), self._apart(seat, yes, no))
                )
        if rows:
            yield TextTable(["", "mean", "matches", "against when not"], rows)

    def _mean(self, at: int) -> tuple[str, str]:
        return _within(self.sums.mean(at + 1, at)), f"{self.sums.totals[at]:,.0f}"

    def _apart(self, seat: int, yes: int, no: int) -> Comparison:
        found = self.sums.apart((yes + 1, yes), (no + 1, no))
        if not self.rotated:
            # The larger of two errors: as they are, and as if there were no difference.
            numbers, whole = self.sums.totals, self.sums.mean()
            error = whole.error(self.sums.clusters - 1)
            common = numbers[0] * error**2 * (1 / numbers[yes] + 1 / numbers[no])
            own = found.error(self.sums.clusters - 1)
            found = Estimate.of(found.value, max(own, sqrt(common)))
        return self.compare(f"when {self.seats[seat]} wins, against when not", found, _short)


def _by_cluster(rows: Numbers, cluster: Whole) -> Numbers:
    """Sum up the rows of each cluster that has any; they stand in order."""
    return in_clusters(rows, np.unique(cluster, return_inverse=True)[1])


@dataclass
class SeatMeasure(Section):
    """A number of each seat: how large it is for winners, and for the others in the same match."""

    def __post_init__(self) -> None:
        self.spreads = {"winners": _Spread(), "others": _Spread()}
        # How many, and their sum: of winners, others, their differences, and each seat.
        self.sums = Moments(6 + 2 * len(self.seats))

    @override
    def add(self, part: Part) -> None:
        matches, seats = part.won.shape
        match, inside = unpack_lists(part.batch.column(self.column))
        is_told = np.bincount(match, minlength=matches) == seats
        numbers, won = _floats(inside)[is_told[match]].reshape(-1, seats), part.won[is_told]
        is_number = np.isfinite(numbers).all(axis=1)
        numbers, won = numbers[is_number], won[is_number]
        winners = won.sum(axis=1)
        both = (winners > 0) & (winners < seats)
        high, low = ((numbers * who).sum(axis=1) for who in (won, ~won))
        apart = high / np.maximum(winners, 1) - low / np.maximum(seats - winners, 1)
        columns = [winners, high, seats - winners, low, both, apart * both]
        for own in numbers.T:
            columns += [np.ones(len(own)), own]
        rows = np.stack(columns, axis=-1).astype(np.float64)
        self.sums.add(_by_cluster(rows, part.cluster[is_told][is_number]))
        for spread, group in zip(self.spreads.values(), (numbers[won], numbers[~won]), strict=True):
            spread.add(group)

    @override
    def blocks(self) -> Iterator[Block]:
        shares = {name: (it.values, it.counts) for name, it in self.spreads.items()}
        shares = {name: it for name, it in shares.items() if it[1].size}
        if not shares:
            return
        yield Figure(histogram(shares), "The share of the seats")
        means = [self.sums.mean(at + 1, at) for at in range(0, len(self.sums.totals), 2)]
        counts = [f"{it:,.0f}" for it in self.sums.totals[::2]]
        told = [(_within(mean), count) for mean, count in zip(means, counts, strict=True)]
        rows: list[tuple[object, ...]] = [
            (name, *it) for name, it in zip(self.spreads, told, strict=False)
        ]
        if self.column != POINTS and self.sums.totals[4] >= _LEAST_MATCHES:
            what = "winners, against the others"
            rows.append((what, self.compare(what, means[2], _short), counts[2]))
        rows += [(name, *it) for name, it in zip(self.seats, told[3:], strict=True)]
        yield TextTable(["", "mean", "n"], rows)


def _ratio(sums: Mapping[str, Any], total: str, size: str) -> Estimate:
    """Return a mean from the sums of a name."""
    clusters = sums[f"{size} clusters"]
    squares, products = sums[f"{total} squares"], sums[f"{total} products"]
    sizes = sums[f"{size} squares"]
    return ratio(sums[size], sums[total], squares, products, sizes=sizes, clusters=clusters)


def _short(value: float, sign: str = "") -> str:
    """Return a number with three digits that count, or the whole one."""
    if not isfinite(value):
        return "?"
    if abs(value) >= 1e15:
        return f"{value:{sign}.3g}"
    digits = 0 if value == floor(value) else min(max(2 - floor(log10(abs(value))), 0), 9)
    return f"{value:{sign},.{digits}f}"


def _percent(share: float, sign: str = "") -> str:
    return f"{share:{sign}.2%}"


def _share(part: float, whole: float, worth: float) -> str:
    """Return a share with its interval; so many single matches are `worth` the whole."""
    low, high = wilson(part / whole * worth, worth)
    return f"{_percent(part / whole)} ({_percent(low)} to {_percent(high)})"


def _within(mean: Estimate) -> str:
    """Return a mean with its interval, if it has any; of nothing, a question mark."""
    value, low, high, _ = mean
    is_known = isfinite(low) and high - low > abs(value) * CERTAIN
    return _short(value) + (f" ({_short(low)} to {_short(high)})" if is_known else "")
