"""Reproducible series of matches: match 7 is the same on every machine."""

from __future__ import annotations

import inspect
import os
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from types import NoneType, SimpleNamespace
from typing import Any, Final, Protocol, TypeAlias, cast, get_args, get_origin, get_type_hints

from tabletop.bots.search_bot import Budget
from tabletop.errors import ContractError, RegistryError, TabletopError, UsageError
from tabletop.host.modules import import_named, load_file, place_of
from tabletop.host.user_files import user_path
from tabletop.match.match import AnyMatch, Match
from tabletop.match.match_view import seat_names
from tabletop.match.players import JoiningPlayer
from tabletop.match.playouts import playout
from tabletop.records.format import Header
from tabletop.records.journal import Journal
from tabletop.registry import SEARCH_CLASSES, Plugin, load
from tabletop.rng.streams import Streams
from tabletop.rules.events import Event, ObserverFailure
from tabletop.rules.options import Options, OptionValue
from tabletop.table.language_models import ModelSettings
from tabletop.table.local_bots import with_local_bots
from tabletop.wording import did_you_mean, join_words, plural, quote

Row: TypeAlias = dict[str, Any]
"""The result of one match: the columns of `COLUMNS`, then the metrics."""

COLUMNS: Final[Mapping[str, Any]] = {
    "seed": str,
    "players": tuple[str, ...],
    "winners": tuple[int, ...],
    "points": tuple[float, ...],
    "plies": int,
    "reason": str,
}
"""The columns of every study, and the types of their values.

`seed` is the text of the seed. `players` lists the names of the bots by seat. `winners` lists the
winning seats, counted from 0, and is empty if nobody won. `points` lists the points of the outcome
by seat, and is empty in a game without points. `plies` is the number of actions. `reason` is the
reason why the match ended.
"""

TOGETHER: Final[Mapping[str, Any]] = {"best": float}
"""The additional column of a cooperative game: the maximum points."""

TEAMS: Final[Mapping[str, Any]] = {"factions": tuple[str, ...], "roles": tuple[str, ...]}
"""The additional columns of a game with `factions`: the faction and the role of each seat.

A column is empty if the outcome does not contain these names.
"""

_PLAIN: Final = (int, float, str)

KINDS: Final = (
    *_PLAIN,
    *(tuple[int, ...], tuple[float, ...]),
    *(Mapping[str, int], tuple[Mapping[str, int], ...]),
)
"""The types that a metric may return: a single value, one value per seat, or numbers by name."""

MOST_PLIES: Final = 100_000
"""Default maximum number of actions per match.

A match that reaches the limit is stopped without winners.
"""


_UNSAFE: Final = re.compile(r"[^\w. -]+")
"""Characters that do not occur in the name of a folder of records."""

_LONGEST: Final = 120  # maximum length of this name


class Metric(Protocol):
    """A metric of one match, created before its first action.

    `value` is called once, after the last action. Its return annotation must be one of `KINDS`. A
    value annotated as `int`, `float` or `str` may also be None.
    """

    def value(self) -> Any:
        """Return the value of the metric for this match."""


MetricSource: TypeAlias = str | Callable[..., Any]
"""A metric: the name of a metric of the game, `FILE.py:NAME`, `module:NAME`, or the function or
class itself. A function is called with all events of the match, and its return annotation is the
type of the metric. A class is a `Metric`, which is created with the match.
"""


class StudyError(TabletopError):
    """A study cannot be played, written or read. The message names the match or the file."""


@dataclass(frozen=True, slots=True)
class Series:
    """A reproducible series of matches.

    Create a series with `Series.of`, which checks the arguments. A series can be pickled.

    Attributes:
        game: Name by which `registry.load` finds the game.
        seats: Number of seats.
        bots: Names of the bots. Bots are assigned to seats in this order. If there are more seats
            than bots, the list is repeated.
        seeds: Name of the series. The seed of match 7 is this name, a space and `7`.
        options: Options of the game that differ from their defaults.
        rotated: Whether each seed is played once per bot. Each bot moves by one seat from match to
            match.
        metrics: Metrics that are recorded in addition to the outcome.
        plies: Maximum number of actions per match. A longer match is stopped.
        records: Folder for the record of each match, with a folder for each series. By default,
            matches are not recorded. The files of matches that are played again are replaced.
        models: Settings of bots `llm:MODEL`.
        by_faction: Whether each bot plays all seats of a faction. The factions are those at the end
            of a random match with the same seed, so `setup` must deal the roles.
    """

    game: str
    seats: int
    bots: tuple[str, ...]
    seeds: str = "study"
    options: Mapping[str, OptionValue] = field(default_factory=dict)
    rotated: bool = False
    metrics: tuple[MetricSource, ...] = ()
    plies: int = MOST_PLIES
    records: Path | None = None
    models: ModelSettings | None = None
    by_faction: bool = False

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
        """Create a series, and check that its matches can be played.

        Args:
            game: An installed name, `module:NAME`, a path to a `.py` file, or a loaded plugin.
            bots: Names of the bots, by seat. By default, the level `fair` if the game has it, or
                else the last level of the game, or `random` if there are no levels. Stronger bots
                may be slow.
            seats: Number of seats. By default, the number of bots if the game allows that number,
                otherwise the smallest number that the game allows.
            options: Options of the game that differ from their defaults.
            metrics: Metrics that are recorded in addition to the outcome. By default, all metrics
                of the game.
            others: The attributes `seeds`, `rotated`, `plies`, `records`, `models` and
                `by_faction` of the series.

        Raises:
            OptionError: An option is unknown or out of range.
            RegistryError: The game or a bot is not found.
            StudyError: A metric has no usable return annotation.
            UsageError: A metric is not found, the game does not allow this number of seats, or a
                bot cannot be used because it has a time budget or its program or file is invalid.
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
        names = tuple(bots) or (plugin.usual_level,)
        measured = tuple(metrics_of(plugin) if metrics is None else map(_resolve_file, metrics))
        chosen = dict(options or {})
        series = cls(plugin.source, seats, names, options=chosen, metrics=measured, **others)
        if series.by_faction and not rules.factions:
            raise UsageError(f"{rules.name} declares no factions, so bots cannot play by faction")
        if len(names) > seats and not series.rotated:
            too_many = f"{plural(len(names), 'bot')} for {plural(seats, 'seat')}"
            raise UsageError(f"{too_many}: add --rotate (rotated=True) so that they take turns")
        try:
            equipped = series.plugin()
        except (ContractError, ValueError) as error:  # from a program or a file of learnt values
            raise UsageError(f"{join_words(names, 'and')}: {error}") from error
        for name in names:
            equipped.bot(name, Streams(name)["unused"])  # raises an error if the bot is not found
            kind, _, budget = name.partition(":")
            if kind in SEARCH_CLASSES and Budget.parse(budget).seconds is not None:
                remedy = "use a number of iterations, as in search:1000, for reproducible matches"
                raise UsageError(f"bot {quote(name)} has a time budget: {remedy}")
        series.columns()
        return series

    def plugin(self) -> Plugin:
        """Return the game, with all bots that only a command line names added to its bots."""
        return with_local_bots(
            load(self.game),
            self.bots,
            options=self.options,
            seats=self.seats,
            models=self.models,
        )

    def columns(self) -> dict[str, Any]:
        """Return the names of all columns, with the types of their values.

        Raises:
            StudyError: A metric has no usable return annotation.
            UsageError: A metric is not found, or two columns have the same name.
        """
        plugin = load(self.game)
        metrics = self.measures(plugin)
        columns = {**COLUMNS, **(TOGETHER if plugin.game.cooperative else {})}
        columns |= TEAMS if plugin.game.factions else {}
        if len(metrics) < len(self.metrics) or not metrics.keys().isdisjoint(columns):
            raise UsageError("two columns have the same name: rename the metric")
        return {**columns, **{name: kind_of(metric) for name, metric in metrics.items()}}

    def measures(self, plugin: Plugin) -> dict[str, Callable[..., Any]]:
        """Return the function or class of each metric, by column name.

        Args:
            plugin: The loaded game.

        Raises:
            RegistryError: The file or module of a metric cannot be imported.
            UsageError: A metric is not found.
        """
        return {_name_of(source): _find_metric(source, plugin) for source in self.metrics}

    def seed(self, number: int) -> str:
        """Return the seed of a match, given the match number (from 0)."""
        return f"{self.seeds} {number // len(self.bots) if self.rotated else number}"

    def players(self, number: int) -> tuple[str, ...]:
        """Return the names of the bots by seat, given the match number (from 0)."""
        first = number % len(self.bots) if self.rotated else 0
        return tuple(self.bots[(first + seat) % len(self.bots)] for seat in range(self.seats))

    def _players_of(self, number: int, match: AnyMatch) -> tuple[str, ...]:
        """Return the names of the bots by seat, by their factions if `by_faction` is set."""
        bots = self.players(number)
        if not self.by_faction:
            return bots
        game, streams = match.game, Streams(self.seed(number))
        end = playout(game, match.state, streams["trial"], streams, plies=self.plies)
        outcome = game.outcome(end)
        if outcome is None:
            raise StudyError(f"the factions are unknown after {self.plies} random actions")
        return tuple(bots[game.factions.index(name) % len(bots)] for name in outcome.factions)

    def play(self, numbers: range) -> list[Row]:
        """Play the matches with these numbers, and return their rows.

        Raises:
            StudyError: A match failed, or a metric returned a value that contradicts its
                annotation. The message names the seed.
        """
        plugin = self.plugin()
        metrics = self.measures(plugin)
        kinds = {name: kind_of(metric) for name, metric in metrics.items()}
        return [self._row(number, plugin, metrics, kinds) for number in numbers]

    def _row(
        self,
        number: int,
        plugin: Plugin,
        metrics: Mapping[str, Callable[..., Any]],
        kinds: Mapping[str, Any],
    ) -> Row:
        seed = self.seed(number)
        which = f"match {number}, seed {quote(seed)}"
        failures: list[ObserverFailure] = []
        joined: list[JoiningPlayer] = []
        journal: Journal | None = None
        try:
            match = Match(plugin.game, seed=seed, seats=self.seats, options=self.options)
            names = self._players_of(number, match)
            if self.records is not None:
                journal = self._record(number, match, names)
            for seat, name in enumerate(names):
                bot: Any = plugin.bot(name, match.bot_stream(seat), seat)
                match.set_player(seat, bot)
                if isinstance(bot, JoiningPlayer):
                    bot.join(match, names)
                    joined.append(bot)
            measured = _begin_metrics(metrics, match, failures) if metrics else {}
            outcome = match.run(self.plies)
            values = _end_metrics(measured, failures)
        # A failing bot ends the study. With a substitute, the match would count for the wrong bot.
        except (Exception, SystemExit) as error:
            where = place_of(error.__cause__ or error)
            is_explained = isinstance(error, TabletopError) and not isinstance(error, ContractError)
            kind = "" if is_explained else f"{type(error).__name__}: "
            description = f"{kind}{error}".removesuffix(": ")
            description += f" ({where})" if where else ""
            raise StudyError(f"{which}: {description}") from error
        finally:
            for player in joined:
                player.close(match.outcome)
            if journal is not None:
                journal.close()
        for name, value in values.items():
            if not _fits(value, kind := kinds[name], self.seats):
                each = f" of {self.seats} seats" if get_origin(kind) is tuple else ""
                message = f"metric {name} returned {value!r}, not {_spell_kind(kind)}{each}"
                raise StudyError(f"{which}: {message}")
        best = None if outcome is None or outcome.best is None else float(outcome.best)
        return {
            "seed": seed,
            "players": names,
            "winners": () if outcome is None else outcome.winners,
            "points": () if outcome is None else tuple(map(float, outcome.points)),
            "plies": match.ply,
            "reason": f"stopped after {self.plies} plies" if outcome is None else outcome.reason,
            **({"best": best} if plugin.game.cooperative else {}),
            **(
                {name: getattr(outcome, name, ()) for name in TEAMS} if plugin.game.factions else {}
            ),
            **values,
        }

    def _record(self, number: int, match: AnyMatch, names: Sequence[str]) -> Journal:
        """Start the record of a match, in place of an earlier one."""
        options = [f"{name}-{value}" for name, value in sorted(self.options.items())]
        name = " ".join([match.game.name, " vs ".join(self.bots), self.seeds, *options])
        folder = cast("Path", self.records) / _UNSAFE.sub("_", name)[:_LONGEST]
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / f"match-{number}.jsonl"
        path.unlink(missing_ok=True)
        header = Header.of(match, source=self.game, players=names)
        return Journal.create(path, match, header, has_note=False)


def metrics_of(plugin: Plugin) -> Mapping[str, Callable[..., Any]]:
    """Return the metrics that a game provides, by name.

    Raises:
        RegistryError: The game's metrics are not a mapping of names to functions, or cannot be
            imported.
    """
    metrics = plugin.import_attribute("metrics")
    if not isinstance(metrics, Mapping) or not all(map(callable, metrics.values())):
        raise RegistryError(f"{plugin.source}: metrics is {metrics!r}: map names to functions")
    return metrics


def _name_of(source: MetricSource) -> str:
    """Return the column name of a metric."""
    return source.rpartition(":")[2] if isinstance(source, str) else source.__name__


def _find_metric(source: MetricSource, plugin: Plugin) -> Callable[..., Any]:
    if not isinstance(source, str):
        return source
    place, colon, name = source.rpartition(":")
    if not colon:
        known = metrics_of(plugin)
        if source not in known:
            names = ", ".join(known) or "none"
            hint = did_you_mean(source, known, f"its metrics: {names}; your own: FILE.py:NAME")
            raise UsageError(f"{plugin.game.name} has no metric {quote(source)}{hint}")
        return known[source]
    module = load_file(Path(place)) if place.endswith(".py") else import_named(place, source)
    metric: Callable[..., Any] | None = getattr(module, name, None)
    if not callable(metric):
        raise UsageError(f"{source}: the module has no function or class with this name")
    return metric


def kind_of(metric: Callable[..., Any]) -> Any:
    """Return the type of a metric, which is one of `KINDS`.

    Raises:
        StudyError: The return annotation is missing or is not one of these types.
    """
    where, function = getattr(metric, "__qualname__", repr(metric)), metric
    if isinstance(metric, type):
        where, function = f"{where}.value", getattr(metric, "value", lambda: None)
    # Only the return annotation, because the annotations of parameters may name types that cannot
    # be imported.
    returned = {"return": inspect.get_annotations(function).get("return")}
    names = getattr(function, "__globals__", {})
    try:
        given = get_type_hints(SimpleNamespace(__annotations__=returned), names)["return"]
    except NameError as error:
        raise StudyError(f"{where}: the return annotation cannot be read: {error}") from error
    for kind in KINDS:
        if given == kind or (kind in _PLAIN and given == kind | None):
            return kind
    annotated = "None" if given is NoneType else _spell_kind(given)
    allowed = join_words(list(map(_spell_kind, KINDS)), "or")
    raise StudyError(f"the return annotation of {where} is {annotated}: write {allowed}")


def _spell_kind(kind: Any) -> str:
    """Return a type in annotation syntax."""
    return kind.__name__ if isinstance(kind, type) else str(kind).replace("collections.abc.", "")


def _fits(value: Any, kind: Any, seats: int) -> bool:
    """Return whether a metric's value has its annotated type. Arrow would round a float."""
    if kind in _PLAIN:
        return value is None or _is_plain(value, kind)
    if get_origin(kind) is not tuple:
        return isinstance(value, Mapping) and all(
            _is_plain(name, str) and _is_plain(number, int) for name, number in value.items()
        )
    if not isinstance(value, tuple) or len(value) != seats or None in value:
        return False
    return all(_fits(it, get_args(kind)[0], seats) for it in value)


def _is_plain(value: Any, kind: type) -> bool:
    """Return whether a value has exactly a plain type. Arrow rejects a `bool` as `int`."""
    return isinstance(value, (int, float) if kind is float else kind) and not isinstance(
        value, bool
    )


def _resolve_file(source: MetricSource) -> MetricSource:
    """Make the path of a metric's file absolute, so that workers in other folders find the file."""
    if isinstance(source, str) and ".py:" in source:
        file, _, name = source.rpartition(":")
        return f"{os.path.realpath(user_path(file))}:{name}"
    return source


def _begin_metrics(
    metrics: Mapping[str, Callable[..., Any]], match: AnyMatch, failures: list[ObserverFailure]
) -> dict[str, Callable[[], Any]]:
    """Start the metrics of a match. Return a function for the final value of each."""
    match.on_observer_failure(failures.append)
    events: list[Event] = []
    if not all(isinstance(it, type) for it in metrics.values()):
        match.observe(events.append)
    return {
        name: it(match).value if isinstance(it, type) else partial(it, events)
        for name, it in metrics.items()
    }


def _end_metrics(
    measured: Mapping[str, Callable[[], Any]], failures: Sequence[ObserverFailure]
) -> dict[str, Any]:
    """Return the value of each metric, or raise the first error that occurred in one."""
    for failure in failures:
        raise failure.error
    return {name: value() for name, value in measured.items()}
