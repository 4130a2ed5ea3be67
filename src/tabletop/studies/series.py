"""A named series of matches: match number 7 is the same match, whoever plays it and wherever."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from importlib import import_module
from pathlib import Path
from types import NoneType, SimpleNamespace, UnionType
from typing import Any, Final, Protocol, TypeAlias, Union, get_args, get_origin, get_type_hints

from tabletop.bots import Budget
from tabletop.errors import ContractError, RegistryError, TabletopError, UsageError
from tabletop.events import Event, ObserverFailure
from tabletop.host.files import user_path
from tabletop.host.modules import call, import_named, load_file, place_of
from tabletop.match import AnyMatch, Match
from tabletop.match.match_view import seat_names
from tabletop.options import Options, OptionValue
from tabletop.own_bots import with_own_bots
from tabletop.registry import PROGRAM, WAYS, Plugin, load
from tabletop.rng import Streams
from tabletop.wording import join_words, plural, quote

Row: TypeAlias = dict[str, Any]
"""What one match came to, by column: see `COLUMNS`; after these the metrics."""

COLUMNS: Final[Mapping[str, Any]] = {
    "seed": str,
    "players": tuple[str, ...],
    "winners": tuple[int, ...],
    "points": tuple[float, ...],
    "plies": int,
    "reason": str,
}
"""The columns of every study, and what they hold.

`seed` is the text of the seed; `players` are the names of the bots, by seat; `winners` are seats
counted from 0, none where nobody won; `points` are those of the outcome, by seat, and none in a
game without; `plies` are actions; `reason` is why it ended.
"""

KINDS: Final = (
    *(int, float, str),
    *(tuple[int, ...], tuple[float, ...]),
    *(Mapping[str, int], tuple[Mapping[str, int], ...]),
)
"""What a metric may return of a match: one value, one for each seat, or numbers by name."""

MOST_PLIES: Final = 100_000
"""A match that goes on after so many actions is broken off, and nobody wins it."""


class Metric(Protocol):
    """A metric of one match: made of the match before its first action, it observes what it needs.

    `value` is called once, at the end. Its annotation says what it returns: one of `KINDS`, and
    those in the first line may be None as well.
    """

    def value(self) -> Any:
        """Return the value of the metric for this match."""


MetricSource: TypeAlias = str | Callable[..., Any]
"""A metric of the game by name, or `FILE.py:NAME`, or `module:NAME`, or the function itself.

A function is given all events of the match, and its annotation says what it returns. A class is
a `Metric`, and is given the match.
"""


class StudyError(TabletopError):
    """A study that cannot be played, written or read; says which match, or which file."""


@dataclass(frozen=True, slots=True)
class Series:
    """A named series of matches.

    Make one with `Series.of`, which checks it. It can be sent to another process.

    Attributes:
        game: the name by which `registry.load` finds the game.
        seats: the number of seats.
        bots: the names of the bots. Seat 0 has the first one, and so on, beginning again after the
            last one.
        seeds: the name of the series: match 7 has the seed that is this name and the number.
        options: the options of the game that differ from their defaults.
        rotated: whether each seed is played as often as there are bots, with every bot moving on by
            a seat from match to match.
        metrics: what is measured beside the outcome.
        plies: a match is broken off after so many actions.
    """

    game: str
    seats: int
    bots: tuple[str, ...]
    seeds: str = "study"
    options: Mapping[str, OptionValue] = field(default_factory=dict)
    rotated: bool = False
    metrics: tuple[MetricSource, ...] = ()
    plies: int = MOST_PLIES

    @classmethod
    def of(
        cls,
        game: str | Plugin,
        bots: Sequence[str] = (),
        *,
        seats: int | None = None,
        options: Options | None = None,
        metrics: Sequence[MetricSource] | None = None,
        **others: Any,
    ) -> Series:
        """Make a series, and check that its matches can be played.

        Args:
            game: an installed name, `module:NAME`, a path to a `.py` file, or a loaded plugin.
            bots: the names of the bots, by seat; the game's best one when not given.
            seats: the number of seats: as many as there are bots, if the game allows that, or else
                the fewest that it allows, when not given.
            options: the options of the game that differ from their defaults.
            metrics: what is measured beside the outcome; all metrics of the game when not given.
            others: `seeds`, `rotated` and `plies`, as in the class.

        Raises:
            OptionError: an option is unknown or out of range.
            RegistryError: there is no such game, or no such bot.
            StudyError: a metric cannot be used.
            UsageError: there is no such metric; a bot thinks for a time and not for a number of
                tries, or is no program or file that suits; or the game does not allow so many
                seats.
        """
        plugin = load(game) if isinstance(game, str) else game
        rules = plugin.game
        if seats is None:
            seats = len(bots) if len(bots) in rules.seats else rules.seats[0]
        try:
            seat_names(rules, seats)
        except ValueError as error:
            raise UsageError(str(error)) from error
        rules.resolve_options(options or {})
        names = tuple(bots) or (plugin.best_bot,)
        measured = metrics_of(plugin) if metrics is None else tuple(map(_placed, metrics))
        chosen = dict(options or {})
        made = cls(plugin.source, seats, names, options=chosen, metrics=measured, **others)
        if len(names) > seats and not made.rotated:
            raise UsageError(f"{plural(len(names), 'bot')} for {plural(seats, 'seat')}")
        try:
            able = made.plugin()
        except (ContractError, ValueError) as error:  # of a program, or a file of learnt values
            raise UsageError(f"{join_words(names, 'and')}: {error}") from error
        for name in names:
            able.bot(name, Streams(name)["unused"])  # only to know that there is one
            kind, _, budget = name.partition(":")
            if kind in WAYS and Budget.parse(budget).seconds is not None:
                wanted = "a match is the same everywhere with a number of tries, as search:1000"
                raise UsageError(f"{quote(name)} thinks for a time: {wanted}")
        made.columns()
        return made

    def plugin(self) -> Plugin:
        """Return the game, with those of its bots that are programs or files."""
        return with_own_bots(load(self.game), self.bots, options=self.options, seats=self.seats)

    def columns(self) -> dict[str, Any]:
        """Return all columns of the rows, and what they hold.

        Raises:
            StudyError: a metric cannot be used.
            UsageError: there is no such metric, or two have one name.
        """
        plugin = load(self.game)
        kinds = {name_of(source): kind_of(found_metric(source, plugin)) for source in self.metrics}
        if len(kinds) < len(self.metrics) or not kinds.keys().isdisjoint(COLUMNS):
            raise UsageError("two columns would have one name: call the metric something else")
        return {**COLUMNS, **kinds}

    def seed(self, number: int) -> str:
        """Return the seed of the match with this number, from 0."""
        return f"{self.seeds} {number // len(self.bots) if self.rotated else number}"

    def players(self, number: int) -> tuple[str, ...]:
        """Return the name of the bot on every seat in the match with this number."""
        first = number % len(self.bots) if self.rotated else 0
        return tuple(self.bots[(first + seat) % len(self.bots)] for seat in range(self.seats))

    def play(self, numbers: range) -> list[Row]:
        """Play the matches with these numbers, and return their rows.

        Raises:
            StudyError: a match failed, or a metric has not returned what it says; names the seed.
        """
        plugin = self.plugin()
        metrics = {name_of(source): found_metric(source, plugin) for source in self.metrics}
        kinds = {name: kind_of(metric) for name, metric in metrics.items()}
        rows = []
        for number in numbers:
            rows.append(self._row(number, plugin, metrics))
            for name, kind in kinds.items():
                if not _fits(value := rows[-1][name], kind, self.seats):
                    each = f" of {self.seats} seats" if get_origin(kind) is tuple else ""
                    message = f"metric {name} returned {value!r}, not {_spelt(kind)}{each}"
                    raise StudyError(f"match {number}, seed {quote(self.seed(number))}: {message}")
        return rows

    def _row(self, number: int, plugin: Plugin, metrics: Mapping[str, Callable[..., Any]]) -> Row:
        seed, names = self.seed(number), self.players(number)
        failures: list[ObserverFailure] = []
        programs: list[Any] = []
        try:
            match = Match(plugin.game, seed=seed, seats=self.seats, options=self.options)
            for seat, name in enumerate(names):
                bot: Any = plugin.bot(name, match.chance_of(seat), seat)
                match.set_player(seat, bot)
                if name.startswith(PROGRAM):
                    bot.join(match)
                    programs.append(bot)
            measured = _begun(metrics, match, failures) if metrics else {}
            outcome = match.run(self.plies)
            values = {} if failures else {name: value() for name, value in measured.items()}
        except Exception as error:
            raise _failure(number, seed, error) from error
        finally:
            for program in programs:
                program.close(match.outcome)
        for failure in failures:
            raise _failure(number, seed, failure.error) from failure.error
        return {
            "seed": seed,
            "players": names,
            "winners": () if outcome is None else outcome.winners,
            "points": () if outcome is None else tuple(map(float, outcome.points)),
            "plies": match.ply,
            "reason": f"stopped after {self.plies} plies" if outcome is None else outcome.reason,
            **values,
        }


def _failure(number: int, seed: str, error: Exception) -> StudyError:
    """Return the error of a match; it says in which line of the game or of a metric it was."""
    where = place_of(error.__cause__ or error)
    what = f"{type(error).__name__}: {error}" + (f" ({where})" if where else "")
    return StudyError(f"match {number}, seed {quote(seed)}: {what}")


def metrics_of(plugin: Plugin) -> tuple[str, ...]:
    """Return the names of the metrics that a game brings: `METRICS` of its module."""
    return tuple(_declared(plugin))


def _declared(plugin: Plugin) -> Mapping[str, Callable[..., Any]]:
    """Return `METRICS` of the module of a game: names with classes or functions."""
    found = plugin.metrics
    if isinstance(found, str):
        module, _, name = found.partition(":")
        found = call(plugin.source, lambda: getattr(import_module(module), name))
    if not isinstance(found, Mapping) or not all(map(callable, found.values())):
        raise RegistryError(f"{plugin.source}: METRICS is {found!r}, not names with metrics")
    return found


def name_of(source: MetricSource) -> str:
    """Return the name of the column of a metric."""
    return source.rpartition(":")[2] if isinstance(source, str) else source.__name__


def found_metric(source: MetricSource, plugin: Plugin) -> Callable[..., Any]:
    """Return a metric.

    Raises:
        RegistryError: its file or module cannot be imported.
        UsageError: there is no such metric.
    """
    if not isinstance(source, str):
        return source
    place, colon, name = source.rpartition(":")
    if not colon:
        known = _declared(plugin)
        if source not in known:
            names = join_words(list(known), "and") or "none"
            own = "a metric of your own is FILE.py:NAME"
            raise UsageError(f"{plugin.game.name} has no metric {quote(source)}: {names}; {own}")
        return known[source]
    is_file = place.endswith(".py")
    module = load_file(Path(place)) if is_file else import_named(place, source)
    metric = getattr(module, name, None)
    if not callable(metric):
        raise UsageError(f"{source}: there is no function or class of this name")
    found: Callable[..., Any] = metric
    return found


def place_and_purpose(source: MetricSource, plugin: Plugin) -> tuple[str, str]:
    """Return where a metric is found, and what it is: the first line of its docstring."""
    metric = found_metric(source, plugin)
    place = source if isinstance(source, str) else f"{source.__module__}:{source.__qualname__}"
    return place, inspect.cleandoc(metric.__doc__ or "").partition("\n")[0]


def kind_of(metric: Callable[..., Any]) -> Any:
    """Return what a metric returns: one of `KINDS`.

    Raises:
        StudyError: its annotation says something else, or nothing.
    """
    name = getattr(metric, "__qualname__", repr(metric))
    where, what = name, metric
    if inspect.isclass(metric):
        where, what = f"{name}.value", getattr(metric, "value", lambda: None)
    given = _returned(what, where)
    kind = given
    if get_origin(given) in {Union, UnionType}:
        parts = [part for part in get_args(given) if part is not NoneType]
        kind = parts[0] if len(parts) == 1 and parts[0] in KINDS[:3] else None
    if kind not in KINDS:
        says = "nothing" if given is NoneType else _spelt(given)
        wanted = join_words(list(map(_spelt, KINDS)), "or")
        raise StudyError(f"{where} is annotated to return {says}, not {wanted}")
    return kind


def _returned(function: Callable[..., Any], where: str) -> Any:
    """Return what a function is annotated to return; what it takes need not be importable."""
    given = inspect.get_annotations(function).get("return")
    own = SimpleNamespace(__annotations__={"return": given})
    try:
        return get_type_hints(own, getattr(function, "__globals__", {}))["return"]
    except NameError as error:
        raise StudyError(f"{where}: its annotation cannot be read: {error}") from error


def _spelt(kind: Any) -> str:
    """Return an annotation as it is written."""
    return kind.__name__ if isinstance(kind, type) else str(kind).replace("collections.abc.", "")


def _fits(value: Any, kind: Any, seats: int) -> bool:
    """Check that a metric has returned what it says: Arrow would round a fraction to an `int`."""
    if kind in KINDS[:3]:
        return value is None or isinstance(value, (int, float) if kind is float else kind)
    if get_origin(kind) is not tuple:
        return isinstance(value, Mapping) and all(isinstance(it, int) for it in value.values())
    if not isinstance(value, tuple) or len(value) != seats or None in value:
        return False
    return all(_fits(it, get_args(kind)[0], seats) for it in value)


def _placed(source: MetricSource) -> MetricSource:
    """Return a metric so that it is found from any working directory."""
    if isinstance(source, str) and ".py:" in source:
        file, _, name = source.rpartition(":")
        return f"{user_path(file).resolve()}:{name}"
    return source


def _is_class(metric: Callable[..., Any]) -> bool:
    return isinstance(metric, type)


def _begun(
    metrics: Mapping[str, Callable[..., Any]], match: AnyMatch, failures: list[ObserverFailure]
) -> dict[str, Callable[[], Any]]:
    """Begin to measure a match; return what gives the value of each metric at its end."""
    match.on_observer_failure(failures.append)
    values: dict[str, Callable[[], Any]] = {}
    events: list[Event] = []
    for name, metric in metrics.items():
        values[name] = metric(match).value if _is_class(metric) else partial(metric, events)
    if not all(map(_is_class, metrics.values())):
        match.observe(events.append)
    return values
