"""A page about a study: who wins, how long it takes, every metric, and what is no accident.

The matches are read in parts: a report of a million of them takes no more memory than one of a
thousand. What stands in a study may be somebody else's: nothing of it is run, and its text is
escaped.
"""

from __future__ import annotations

import re
import shlex
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from html import escape
from importlib.resources import files
from io import StringIO
from math import floor, isfinite, log10, sqrt
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray
from typing_extensions import override

from tabletop.errors import RegistryError, UsageError
from tabletop.host.files import reason, write_text
from tabletop.host.sanitize import printable, sanitize
from tabletop.registry import Plugin, is_for_command_line, load_installed
from tabletop.studies.series import COLUMNS, MOST_PLIES, StudyError, metrics_of
from tabletop.studies.statistics import Estimate, Numbers, Z, holm, mean_of, wilson
from tabletop.studies.store import Manifest, Study
from tabletop.svg import LIGHT, TOKENS
from tabletop.wording import truncate

if TYPE_CHECKING:
    import pyarrow as pa

Arrow: TypeAlias = "pa.Array"
Batch: TypeAlias = "pa.RecordBatch"
Whole: TypeAlias = NDArray[np.int64]

SIGNIFICANT: Final = 0.05
"""A difference is called significant if its corrected probability is below this."""

_CHUNK: Final = 1 << 16  # so many matches are looked at at once
_LEAST_MATCHES: Final = 30  # from here on a mean is nearly normal,
_LEAST_VARIANCE: Final = 10.0  # and a number of wins is: 40 matches that are won half the time
_MOST_NAMES: Final = 10_000  # are told apart,
_MOST_NUMBERS: Final = 10_000  # and so many numbers;
_MOST_LINES: Final = 200  # a table has so many,
_MOST_DOTS: Final = 12  # and a picture of the best and worst names so many of each
_OTHERS: Final = "(others)"


class _Heading(NamedTuple):
    text: str


class _Command(NamedTuple):
    text: str


class _Table(NamedTuple):
    """A table; after the first columns, which are text, come numbers."""

    heads: Sequence[str]
    rows: Sequence[Sequence[str]]
    texts: int = 1

    def told(self) -> _Table:
        """Return it without columns that tell nothing, and not too long."""
        columns = list(zip(self.heads, *self.rows[:_MOST_LINES], strict=True))
        told = [it for it in columns if set(it[1:]) - {"", "1" if it[0] == "number" else ""}]
        heads, *rows = zip(*told, strict=True)
        left_out = len(self.rows) - len(rows)
        rows += [(f"({left_out:,} more)", *[""] * (len(heads) - 1))] if left_out else []
        return _Table(heads, rows, self.texts)


class _Figure(NamedTuple):
    """A picture as SVG, and what it shows."""

    svg: str
    shows: str


_Unit: TypeAlias = Callable[..., str]
"""How a number is written, and with which sign."""

_Block: TypeAlias = _Heading | _Command | _Table | _Figure | str


def report(study: Study, output: Path | str | None = None) -> tuple[Path, ...]:
    """Write a page about a study, and return the files that were written.

    Args:
        study: the study; the page is about those of its matches that have been played.
        output: `FILE.html`, which has all in itself, or `FILE.md`, which has its pictures beside
            it; by default both, as `report.html` and `report.md` in the folder of the study.

    Raises:
        StudyError: no match has been played, the study is damaged, or a file cannot be written.
        UsageError: the name of the file ends otherwise.
    """
    outputs = [study.folder / "report.html", study.folder / "report.md"]
    if output is not None:
        outputs = [Path(output)]
    if outputs[0].suffix not in {".html", ".md"}:
        raise UsageError(f"{outputs[0]}: a report is FILE.html or FILE.md")
    title, blocks = _contents(study, [] if output is None else ["-o", str(output)])
    written: dict[Path, str] = {}
    for file in outputs:
        if file.suffix == ".html":
            written[file] = _as_html(title, blocks)
            continue
        pictures = [it for it in blocks if isinstance(it, _Figure)]
        beside = [file.with_name(f"{file.stem}-{n}.svg") for n in range(1, len(pictures) + 1)]
        written[file] = _as_markdown(title, blocks, [it.name for it in beside])
        written |= {place: it.svg for place, it in zip(beside, pictures, strict=True)}
    for file, text in written.items():
        try:
            write_text(str(file), text)
        except OSError as error:
            raise StudyError(f"{file}: {reason(error)}") from error
    return tuple(written)


def _contents(study: Study, words: Sequence[str]) -> tuple[str, list[_Block]]:
    """Return the title of the page, and what stands on it; the words are those of the command."""
    manifest = study.manifest
    plugin: Plugin | None = None
    with suppress(RegistryError):  # the game need not be installed where the report is made
        plugin = load_installed(manifest.game)
    try:
        matches, longest, sections = _read(study)
    except (ArithmeticError, LookupError, TypeError, ValueError) as error:
        raise StudyError(f"{study.folder}: no matches of {manifest.game}: {error}") from error
    for section in sections:
        section.compare()
    compared = [it for section in sections for it in section.compared.values()]
    for it, corrected in zip(compared, holm([it.apart.p for it in compared]), strict=True):
        it.corrected = float(corrected)
    blocks: list[_Block] = [*_played(manifest, matches), *_significant(compared)]
    for section in sections:
        if found := list(section.blocks()):
            blocks += [_Heading(section.title), *([section.purpose] if section.purpose else ())]
            blocks += found
    blocks += [
        _Heading("The longest match"),
        f"It takes {longest.plies:,} plies. This plays it again, to be looked at:",
        _Command(shlex.join(_play_words(longest, manifest, plugin))),
        _Heading("How this was made"),
        "These commands play the study, and write this report:",
        _Command(shlex.join([*_simulate_words(manifest, plugin), "-o", str(study.folder)])),
        _Command(shlex.join(["tabletop", "report", str(study.folder), *words])),
    ]
    title = (plugin and plugin.game.title) or manifest.game
    return f"{title}: {matches:,} match{'es' if matches != 1 else ''}", blocks


def _played(manifest: Manifest, matches: int) -> Iterator[_Block]:
    """Say what was played."""
    many = f"{matches:,}"
    if matches != manifest.matches:
        many += f" of {manifest.matches:,}: it is not yet complete"
    order = ", and every bot moves on by a seat from match to match" if manifest.rotated else ""
    seeds = f"{manifest.seeds} 0, {manifest.seeds} 1, ..."
    options = (f"{name}: {it}" for name, it in manifest.options.items() if it is not None)
    yield _Heading("What was played")
    yield _Table(
        ["", ""],
        [
            ["game", f"{manifest.game}, version {manifest.version} of its rules"],
            ["program", f"tabletop {manifest.program}"],
            ["matches", many],
            ["seeds", seeds + (f", each {len(manifest.bots)} times" if manifest.rotated else "")],
            ["seats", str(manifest.seats)],
            ["bots", ", ".join(manifest.bots) + order],
            ["options", "; ".join(options) or "none"],
        ],
        texts=2,
    )


def _play_words(longest: _Longest, manifest: Manifest, plugin: Plugin | None) -> list[str]:
    """Return the command that plays a match again."""
    words = ["tabletop", "play", manifest.source or manifest.game, "--seed", longest.seed]
    words += ["--seats", str(manifest.seats)]
    for seat, bot in enumerate(longest.players):
        words += ["--bot", f"{seat + 1}={bot}"]
    return [*words, *_option_words(manifest, plugin), "--no-record"]


def _simulate_words(manifest: Manifest, plugin: Plugin | None) -> list[str]:
    """Return the command that plays the matches of a study."""
    words = ["tabletop", "simulate", manifest.source or manifest.game, "-n", str(manifest.matches)]
    bots = list(manifest.bots)
    together = [bots] if any(map(is_for_command_line, bots)) else [[",".join(bots)]]
    for bot in together[0]:
        words += ["--bots", bot]
    words += ["--seats", str(manifest.seats), "--seeds", manifest.seeds]
    words += ["--rotate"] if manifest.rotated else []
    words += ["--plies", str(manifest.plies)] if manifest.plies != MOST_PLIES else []
    places = [manifest.measured.get(name, (name, ""))[0] for name in manifest.metrics]
    if tuple(places) != (() if plugin is None else metrics_of(plugin)):
        words += ["--metric", *(places or ["none"])]
    return [*words, *_option_words(manifest, plugin)]


def _option_words(manifest: Manifest, plugin: Plugin | None) -> Iterator[str]:
    """Yield the words that set those options that are not as they would be anyway."""
    usual = {} if plugin is None else {it.name: it.default for it in plugin.game.options}
    for name, value in manifest.options.items():
        if value is not None and value != usual.get(name):
            text = ("no", "yes")[value] if isinstance(value, bool) else str(value)
            yield from ("--option", f"{name}={'@' if text.startswith('@') else ''}{text}")


@dataclass
class _Comparison:
    """A difference that was measured: in what, its unit, and its probability when corrected."""

    where: str
    what: str
    apart: Estimate
    unit: _Unit
    corrected: float = 1.0

    def __str__(self) -> str:
        value, low, high, _ = self.apart
        return f"{self.unit(value, '+')} ({self.unit(low)} to {self.unit(high)})"

    @property
    def p(self) -> str:
        """The corrected probability as text."""
        return _p(self.corrected)


def _significant(compared: Sequence[_Comparison]) -> Iterator[_Block]:
    """Say which of all differences are no accident."""
    found = sorted((it for it in compared if it.corrected < SIGNIFICANT), key=lambda it: it.apart.p)
    yield _Heading("What is significant")
    yield (
        "Numbers in brackets are 95% intervals. What wins is compared with the others in the same"
        " match, as a difference of win rates; a number with other matches, or other seats. What"
        " was seen too seldom is not compared."
    )
    yield (
        f"Of {len(compared):,} comparisons on this page {len(found):,}"
        f" {'is' if len(found) == 1 else 'are'} significant when corrected by the method of Holm:"
        " the chance that even one of them is an accident is below 5%. p is corrected everywhere."
    )
    if found:
        rows = [[it.where, it.what, str(it), it.p] for it in found]
        yield _Table(["in", "what", "difference", "p"], rows, texts=2)


class _Part(NamedTuple):
    """Some matches, and who won them: an array of matches and seats."""

    batch: Batch
    won: NDArray[np.bool_]


@dataclass
class _Longest:
    """The longest match so far."""

    plies: int = -1
    seed: str = ""
    players: Sequence[str] = ()

    def add(self, part: _Part) -> None:
        plies = part.batch.column("plies").to_numpy()
        at = int(plies.argmax())
        if plies[at] > self.plies:
            self.plies, self.players = int(plies[at]), part.batch.column("players")[at].as_py()
            self.seed = part.batch.column("seed")[at].as_py()


def _read(study: Study) -> tuple[int, _Longest, list[_Section]]:
    """Read all matches; return their number, the longest one, and the sections of the page."""
    matches, longest, sections = 0, _Longest(), list[_Section]()
    for table in study.tables():
        sections = sections or list(_sections(table.schema, study.manifest))
        for batch in table.combine_chunks().to_batches(max_chunksize=_CHUNK):
            match, winners = _entries(batch.column("winners"))
            part = _Part(batch, np.zeros((batch.num_rows, study.manifest.seats), dtype=np.bool_))
            part.won[match, np.asarray(winners)] = True
            longest.add(part)
            for section in sections:
                section.add(part)
            matches += batch.num_rows
    if not matches:
        raise StudyError(f"{study.folder}: no match has been played")
    return matches, longest, sections


def _sections(schema: pa.Schema, manifest: Manifest) -> Iterator[_Section]:
    """Yield the sections of the page: one of each column that tells something."""
    from pyarrow import types

    bots, seats = manifest.bots, manifest.seats
    named = [f" ({bots[seat % len(bots)]})" * (not manifest.rotated) for seat in range(seats)]
    labels = [f"seat {seat + 1}{bot}" for seat, bot in enumerate(named)]
    yield _Wins("Who wins", "", labels)
    if len(set(bots)) > 1 and (manifest.rotated or len(set(bots)) < seats):
        yield _Wins("Which bot wins", "players", labels)
    yield _Groups("How it ended", "reason", labels)
    yield _Measure("Length in plies", "plies", labels)
    yield _SeatMeasure("Points", "points", labels)
    for name in schema.names[len(COLUMNS) :]:
        kind = schema.field(name).type
        section: type[_Section] = _Measure
        if types.is_list(kind):
            section = _Wins if types.is_map(kind.value_type) else _SeatMeasure
        elif types.is_map(kind) or types.is_string(kind):
            section = _Groups
        yield section(name, name, labels, manifest.measured.get(name, ("", ""))[1])


def _entries(lists: Arrow) -> tuple[Whole, Arrow]:
    """Return what stands in lists or maps: the number of the list, and the entry or key."""
    ends = lists.offsets.to_numpy()
    inside = lists.keys if hasattr(lists, "keys") else lists.values
    inside = inside.slice(ends[0], ends[-1] - ends[0])
    return np.repeat(np.arange(len(lists)), np.diff(ends)), inside


def _named_numbers(maps: Arrow) -> tuple[Whole, Arrow, Numbers]:
    """Return what stands in maps: the number of the map, the name, and the number."""
    at, names = _entries(maps)
    return at, names, _floats(maps.items.slice(maps.offsets[0].as_py(), len(names)))


def _floats(numbers: Arrow) -> Numbers:
    return np.asarray(numbers, dtype=np.float64)


@dataclass
class _Section:
    """What the page says of one column; of the seats, where that is none.

    Attributes:
        title, purpose: its heading, and the sentence below it.
        column: the name of the column.
        seats: the names of the seats.
        compared: the differences, by what they are about.
    """

    title: str
    column: str
    seats: Sequence[str]
    purpose: str = ""
    compared: dict[Any, _Comparison] = field(default_factory=dict)

    @property
    def asked(self) -> range:
        """The seats that are compared: of two, one wins when the other does not."""
        return range(1 if len(self.seats) == 2 else len(self.seats))

    def add(self, part: _Part) -> None:
        """Take in some matches."""
        raise NotImplementedError

    def compare(self) -> None:
        """Compare what came in; then the probabilities are corrected."""
        raise NotImplementedError

    def blocks(self) -> Iterator[_Block]:
        """Yield what is said; nothing where there is nothing to say."""
        raise NotImplementedError

    def found(self, key: Any, what: str, apart: Estimate, unit: _Unit) -> None:
        self.compared[key] = _Comparison(self.title, what, apart, unit)


@dataclass
class _Names:
    """Sums of each name, in the order in which the names came."""

    width: int
    known: dict[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.sums = np.zeros((0, self.width))

    def codes(self, names: Arrow) -> Whole:
        """Return the rows of names in the sums."""
        coded = names.dictionary_encode()
        rows = np.array([self._row(name) for name in coded.dictionary.to_pylist()], dtype=np.int64)
        self.sums = np.pad(self.sums, ((0, len(self.known) - len(self.sums)), (0, 0)))
        return rows[np.asarray(coded.indices, dtype=np.int64)]

    def _row(self, name: str) -> int:
        is_told = name in self.known or len(self.known) < _MOST_NAMES
        return self.known.setdefault(name if is_told else _OTHERS, len(self.known))

    def add(self, codes: Whole, columns: Iterable[Any], first: int = 0) -> None:
        """Add to these rows, in columns from the first one on; None is 1."""
        for column, numbers in enumerate(columns, first):
            self.sums[:, column] += np.bincount(codes, numbers, len(self.sums))

    def __iter__(self) -> Iterator[tuple[str, Numbers]]:
        return zip(self.known, self.sums, strict=True)


@dataclass
class _Wins(_Section):
    """How often a seat wins that has a name: its own, that of its bot, or of what it has done.

    It is compared within the match: its share of the wins with that of the seats without the name.
    """

    # Of each name: its seats, their wins and numbers; then of the matches where some seats have it
    # and some have not: how many, the differences, their squares, their variance and that of the
    # wins if all is chance.
    names: _Names = field(default_factory=lambda: _Names(8))

    @override
    def add(self, part: _Part) -> None:
        import pyarrow as pa

        matches, seats = part.won.shape
        if self.column:
            match, names = _entries(part.batch.column(self.column))
            seat = np.arange(len(match)) - np.searchsorted(match, match)
        else:
            match, seat = np.divmod(np.arange(matches * seats), seats)
            names = pa.array(self.seats).take(pa.array(seat))
        numbers = None
        if pa.types.is_map(names.type):
            at, names, numbers = _named_numbers(names)
            match, seat = match[at], seat[at]
        codes, won = self.names.codes(names), part.won[match, seat]
        self.names.add(codes, (None, won, numbers))
        pairs, at = np.unique(codes * matches + match, return_inverse=True)
        have, wins = np.bincount(at), np.bincount(at, won)
        winners = part.won.sum(axis=1)[pairs % matches]
        told = (have < seats) & (winners > 0) & (winners < seats)
        codes, have, wins, winners = (pairs // matches)[told], have[told], wins[told], winners[told]
        others, share = seats - have, winners / seats
        apart = wins / have - (winners - wins) / others
        variance = have * share * (1 - share) * others / max(seats - 1, 1)
        spread = variance * (seats / (have * others)) ** 2
        self.names.add(codes, (None, apart, apart**2, spread, variance), 3)

    @override
    def compare(self) -> None:
        asked = [self.seats[seat] for seat in self.asked]
        for name, (*_, number, apart, squares, spread, variance) in self.names:
            if variance >= _LEAST_VARIANCE and name != _OTHERS and (self.column or name in asked):
                mean = apart / number
                error = sqrt(max(spread, squares - number * mean**2)) / number
                low, high = max(-1.0, mean - Z * error), min(1.0, mean + Z * error)
                found = Estimate.of(mean, error)._replace(low=low, high=high)
                self.found(name, name, found, _percent)

    @override
    def blocks(self) -> Iterator[_Block]:
        names, rows, dots = list(self.names), [], []
        if self.column:  # those that win most come first, and those that are not compared last
            place = {name: -it.apart.value for name, it in self.compared.items()}
            names.sort(key=lambda it: (place.get(it[0], 2.0), -it[1][0]))
        for name, (has, won, number, *_) in names:
            found, interval = self.compared.get(name), wilson(won, has)
            told = [str(found), found.p] if found else ["", ""]
            rate = [f"{has:,.0f}", _short(number / has), _share(won, has), *told]
            rows.append([name, *rate])
            if found or not self.column:
                dots.append((name, won / has, *interval))
        if len(dots) > 2 * _MOST_DOTS:
            dots = [*dots[:_MOST_DOTS], *dots[-_MOST_DOTS:]]
        if dots:
            whole = self.names.sums.sum(axis=0)
            yield _Figure(_dots(dots, whole[1] / whole[0]), "Win rates; the line is that of all")
        if rows:
            heads = ["", "seats", "number", "win rate", "against the others", "p"]
            yield _Table(heads, rows)


@dataclass
class _Groups(_Section):
    """How many matches have a name, and how often each seat wins them, against other matches."""

    names: _Names = field(init=False)  # of each name: its matches, its numbers, and wins by seat
    whole: Numbers = field(init=False)  # all matches, and wins by seat

    def __post_init__(self) -> None:
        self.names, self.whole = _Names(2 + len(self.seats)), np.zeros(1 + len(self.seats))

    @override
    def add(self, part: _Part) -> None:
        column = part.batch.column(self.column)
        if hasattr(column, "keys"):
            match, names, numbers = _named_numbers(column)
        else:
            match, names, numbers = np.flatnonzero(column.is_valid()), column.drop_null(), None
        self.names.add(self.names.codes(names), (None, numbers, *part.won[match].T))
        self.whole += [len(part.won), *part.won.sum(axis=0)]

    @override
    def compare(self) -> None:
        matches, *won = self.whole
        for name, (inside, _, *wins) in self.names:
            for seat in self.asked if name != _OTHERS else ():
                share, outside = won[seat] / matches, matches - inside
                variance = share * (1 - share)
                if min(inside, outside) * variance >= _LEAST_VARIANCE:
                    apart = wins[seat] / inside - (won[seat] - wins[seat]) / outside
                    error = sqrt(variance / inside + variance / outside)
                    what = f"{name}: {self.seats[seat]} wins, against other matches"
                    self.found((name, seat), what, Estimate.of(apart, error), _percent)

    @override
    def blocks(self) -> Iterator[_Block]:
        rows = []
        for name, (inside, number, *wins) in sorted(self.names, key=lambda it: -it[1][0]):
            row = [f"{inside:,.0f}", _share(inside, self.whole[0]), _short(number / inside)]
            p = [it.corrected for (other, _), it in self.compared.items() if other == name]
            rows.append([name, *row, *(_percent(it / inside) for it in wins), _p(*p)])
        if rows:
            won = [f"{seat} wins" for seat in self.seats]
            yield _Table(["", "matches", "share", "number", *won, "p"], rows)


@dataclass
class _Spread:
    """How often numbers come: exactly, or to 1/5000 of their range where they are many."""

    values: Numbers = field(default_factory=lambda: np.zeros(0))
    counts: Numbers = field(default_factory=lambda: np.zeros(0))

    def add(self, numbers: Numbers) -> None:
        """Add numbers to those so far."""
        self._merge(np.append(self.values, numbers), np.append(self.counts, np.ones(len(numbers))))
        if len(self.values) > _MOST_NUMBERS:
            width = 2 * (self.values[-1] - self.values[0]) / _MOST_NUMBERS
            self._merge(np.round(self.values / width) * width, self.counts)

    def _merge(self, values: Numbers, counts: Numbers) -> None:
        self.values, at = np.unique(values, return_inverse=True)
        self.counts = np.bincount(at, counts, len(self.values)).astype(np.float64)

    def quantiles(self) -> list[str]:
        """Return those of `_QUANTILES` as text."""
        upto = np.cumsum(self.counts)
        at = np.searchsorted(upto, np.array(list(_QUANTILES.values())) * upto[-1])
        return [_short(it) for it in self.values[at]]


_QUANTILES: Final = {
    "least": 0,
    "5%": 0.05,
    "25%": 0.25,
    "median": 0.5,
    "75%": 0.75,
    "95%": 0.95,
    "most": 1,
}


def _powers(numbers: Numbers) -> Numbers:
    """Return what a mean and its interval are made of: 1, the number, its square; in columns."""
    return np.stack([np.ones_like(numbers), numbers, numbers**2], axis=-1)


def _mean(sums: Numbers) -> str:
    value, low, high, _ = mean_of(*sums)
    return f"{_short(value)} ({_short(low)} to {_short(high)})"


@dataclass
class _Measure(_Section):
    """One number of each match: how large it is, and whether it is another when a seat wins."""

    spread: _Spread = field(default_factory=_Spread)
    sums: Numbers = field(init=False)  # the powers of all; when a seat wins; and when it does not

    def __post_init__(self) -> None:
        self.sums = np.zeros((1 + 2 * len(self.seats), 3))

    @override
    def add(self, part: _Part) -> None:
        numbers = _floats(part.batch.column(self.column))
        is_number = np.isfinite(numbers)
        numbers, won = numbers[is_number], part.won[is_number]
        self.spread.add(numbers)
        who = np.hstack([np.ones((len(won), 1)), won, ~won])
        self.sums += who.T @ _powers(numbers)

    @override
    def compare(self) -> None:
        whole, *sums = self.sums
        for seat in self.asked:
            yes, no = sums[seat], sums[seat + len(self.seats)]
            if min(yes[0], no[0]) >= _LEAST_MATCHES:
                # The larger of two errors: as they are, and as if there were no difference.
                one, other, both = mean_of(*yes), mean_of(*no), mean_of(*whole)
                common = whole[0] * both.error**2 * (1 / yes[0] + 1 / no[0])
                error = sqrt(max(one.error**2 + other.error**2, common))
                what = f"when {self.seats[seat]} wins, against when not"
                self.found(seat, what, Estimate.of(one.value - other.value, error), _short)

    @override
    def blocks(self) -> Iterator[_Block]:
        if not self.spread.counts.size:
            return
        yield _Figure(_histogram([("", self.spread)]), "The share of the matches")
        yield _Table([*_QUANTILES, "mean"], [[*self.spread.quantiles(), _mean(self.sums[0])]], 0)
        told = {seat: it for seat, it in self.compared.items() if it.corrected < SIGNIFICANT}
        rows = [[it.what, _mean(self.sums[1 + seat]), str(it), it.p] for seat, it in told.items()]
        if rows:
            yield _Table(["", "mean", "difference", "p"], rows)
        elif self.compared:
            yield "Whoever wins, it is the same as far as these matches tell."


@dataclass
class _SeatMeasure(_Section):
    """A number of each seat: how large it is for winners, and for the others in the same match."""

    winners: _Spread = field(default_factory=_Spread)
    others: _Spread = field(default_factory=_Spread)
    sums: Numbers = field(init=False)  # the powers of winners, of others, differences, and seats

    def __post_init__(self) -> None:
        self.sums = np.zeros((3 + len(self.seats), 3))

    @override
    def add(self, part: _Part) -> None:
        matches, seats = part.won.shape
        match, inside = _entries(part.batch.column(self.column))
        is_told = np.bincount(match, minlength=matches) == seats
        numbers, won = _floats(inside)[is_told[match]].reshape(-1, seats), part.won[is_told]
        is_number = np.isfinite(numbers).all(axis=1)
        numbers, won = numbers[is_number], won[is_number]
        self.winners.add(numbers[won])
        self.others.add(numbers[~won])
        number = won.sum(axis=1)
        both = (number > 0) & (number < seats)
        high, low = ((numbers * who).sum(axis=1)[both] for who in (won, ~won))
        apart = high / number[both] - low / (seats - number[both])
        groups = (numbers[won], numbers[~won], apart, *numbers.T)
        self.sums += [_powers(group).sum(axis=0) for group in groups]

    @override
    def compare(self) -> None:
        if self.sums[2][0] >= _LEAST_MATCHES:
            self.found(0, "winners, against the others", mean_of(*self.sums[2]), _short)

    @override
    def blocks(self) -> Iterator[_Block]:
        groups = {"winners": self.winners, "others": self.others}
        there = {name: it for name, it in groups.items() if it.counts.size}
        if there:
            yield _Figure(_histogram(list(there.items())), "The share of the seats")
            labels = [*groups, "winners, against the others", *self.seats]
            rows = [
                [name, _mean(sums), *(it.p for it in self.compared.values() if it.what == name)]
                for name, sums in zip(labels, self.sums, strict=True)
                if sums[0]
            ]
            yield _Table(["", "mean", "p"], [[*row, ""][:3] for row in rows])


def _short(value: float, sign: str = "") -> str:
    """Return a number with three digits that count, or the whole one."""
    if not isfinite(value):
        return "?"
    is_whole = value == floor(value) and abs(value) < 1e15
    digits = 0 if is_whole else min(max(2 - floor(log10(abs(value))), 0), 9)
    return f"{value:{sign},.{digits}f}"


def _percent(share: float, sign: str = "") -> str:
    return f"{share:{sign}.2%}"


def _share(part: float, whole: float) -> str:
    """Return a share with its interval."""
    low, high = wilson(part, whole)
    return f"{_percent(part / whole)} ({_percent(low)} to {_percent(high)})"


def _p(*corrected: float) -> str:
    """Return the least of some probabilities."""
    least = min(corrected, default=None)
    return "" if least is None else "<0.0001" if least < 0.0001 else f"{least:.4f}"


_INK, _PAPER, _LINE = LIGHT["ink"], LIGHT["paper"], LIGHT["line"]
_COLOURS: Final = (LIGHT["accent"], LIGHT["danger"])


def _drawn(draw: Callable[[Any], None], height: float) -> str:
    """Return a picture as SVG: what is drawn on axes, in inches of height."""
    import matplotlib as mpl
    from matplotlib.figure import Figure

    look: dict[Any, Any] = {
        "font.size": 9,
        "svg.fonttype": "none",
        "svg.hashsalt": "",
        "text.parse_math": False,
    }
    look |= {f"axes.spines.{side}": False for side in ("top", "right")}
    look |= dict.fromkeys(("text.color", "axes.labelcolor", "xtick.color", "ytick.color"), _INK)
    with mpl.rc_context({**look, "axes.edgecolor": _LINE}), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a name may have letters that its fonts lack
        figure = Figure(figsize=(4.4, height), layout="constrained", facecolor=_PAPER)
        axes = figure.add_subplot(facecolor="none")
        draw(axes)
        out = StringIO()
        nothing = dict.fromkeys(("Creator", "Date", "Format", "Type"))
        figure.savefig(out, format="svg", metadata=nothing)
    svg = out.getvalue()
    return re.sub(r' id="\w+_\d+"', "", svg[svg.index("<svg") :])  # several stand on one page


def _histogram(groups: Sequence[tuple[str, _Spread]]) -> str:
    """Return how often numbers are how large, in percent of each group."""
    low = min(it.values[0] for _, it in groups)
    high = max(it.values[-1] for _, it in groups)
    if all((it.values == np.floor(it.values)).all() for _, it in groups):
        width = max(1, round((high - low) / 40))
        edges = np.arange(low - 0.5, high + 0.5 + width, width)
    else:
        edges = np.linspace(low, high if high > low else low + 1, 41)

    def draw(axes: Any) -> None:
        for (name, it), colour in zip(groups, _COLOURS, strict=False):
            heights = np.histogram(it.values, edges, weights=it.counts)[0] * 100 / it.counts.sum()
            axes.stairs(heights, edges, fill=not name, color=colour, label=name, linewidth=1.5)
        axes.set_ylabel("%")
        if groups[0][0]:
            axes.legend(frameon=False)

    return _drawn(draw, 2.2)


def _dots(rows: Sequence[tuple[str, float, float, float]], usual: float) -> str:
    """Return percentages with their intervals, the first one at the top, and the usual one."""
    names, middle, low, high = zip(*reversed(rows), strict=True)

    def draw(axes: Any) -> None:
        reach = 100 * np.array([np.subtract(middle, low), np.subtract(high, middle)])
        axes.axvline(100 * usual, color=_LINE, linewidth=1)
        places = np.arange(len(names))
        axes.errorbar(
            np.multiply(middle, 100), places, xerr=reach, fmt="o", color=_COLOURS[0], markersize=4
        )
        axes.set_yticks(places, [truncate(printable(it), 24) for it in names])
        axes.set_ylim(-0.6, len(names) - 0.4)
        axes.set_xlabel("%")

    return _drawn(draw, 0.7 + 0.22 * len(names))


_HTML: Final = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>{style}</style>
<main>
<h1>{title}</h1>
{body}
</main>
</html>
"""


def _as_html(title: str, blocks: Sequence[_Block]) -> str:
    style = TOKENS + (files("tabletop") / "data" / "report.css").read_text("utf-8")
    body = "\n".join(map(_html_of, blocks))
    return _HTML.format(title=_html(title), style=style, body=body)


def _html(text: str) -> str:
    return escape(truncate(printable(text)))


def _html_of(block: _Block) -> str:
    if isinstance(block, _Heading):
        return f"<h2>{_html(block.text)}</h2>"
    if isinstance(block, _Command):
        return f"<pre><code>{escape(sanitize(block.text))}</code></pre>"
    if isinstance(block, _Figure):
        svg = block.svg
        for name in ("ink", "paper", "line", "accent", "danger"):
            svg = svg.replace(LIGHT[name], f"var(--tt-{name})")
        return f"<figure>{svg}<figcaption>{_html(block.shows)}</figcaption></figure>"
    if isinstance(block, str):
        return f"<p>{_html(block)}</p>"
    block = block.told()
    heads = "".join(f"<th>{_html(it)}</th>" for it in block.heads)
    heads = f"<thead><tr>{heads}</tr></thead>" if any(block.heads) else ""
    rows = []
    for row in block.rows:
        cells = [f"<td>{_html(it)}</td>" for it in row[: block.texts]]
        cells += [f'<td class="number">{_html(it)}</td>' for it in row[block.texts :]]
        rows.append(f"<tr>{''.join(cells)}</tr>")
    body = "\n".join(rows)
    return f'<div class="table" tabindex="0"><table>{heads}<tbody>\n{body}\n</tbody></table></div>'


_SPECIAL: Final = re.compile(r"[\\`*\[\]{}!#]|(?<!\w)_|_(?!\w)")
_ENTITIES: Final = str.maketrans({it: f"&#{ord(it)};" for it in "<>&|$~"})


def _as_markdown(title: str, blocks: Sequence[_Block], pictures: Sequence[str]) -> str:
    left = iter(pictures)
    text = [f"# {_markdown(title)}"]
    for block in blocks:
        if isinstance(block, _Heading):
            text.append(f"## {_markdown(block.text)}")
        elif isinstance(block, _Command):  # no text can end a block that is indented
            text.append(
                "".join(f"    {line}\n" for line in sanitize(block.text).splitlines()).rstrip()
            )
        elif isinstance(block, _Figure):
            text.append(f"![{_markdown(block.shows)}]({next(left)})")
        elif isinstance(block, str):
            text.append(_markdown(block))
        else:
            block = block.told()  # noqa: PLW2901
            rule = [*["---"] * block.texts, *["---:"] * (len(block.heads) - block.texts)]
            heads, *rows = (list(map(_markdown, row)) for row in (block.heads, *block.rows))
            text.append("\n".join(f"| {' | '.join(row)} |" for row in (heads, rule, *rows)))
    return "\n\n".join(text) + "\n"


def _markdown(text: str) -> str:
    return _SPECIAL.sub(r"\\\g<0>", truncate(printable(text))).translate(_ENTITIES)
