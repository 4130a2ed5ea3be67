"""A named series of matches: match number 7 is the same match, whoever plays it and wherever."""

from __future__ import annotations

import inspect
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from types import NoneType, SimpleNamespace
from typing import Any, Final, Protocol, TypeAlias, get_args, get_origin, get_type_hints

from tabletop.bots.search_bot import Budget
from tabletop.errors import ContractError, RegistryError, TabletopError, UsageError
from tabletop.host.modules import import_named, load_file, place_of
from tabletop.host.user_files import user_path
from tabletop.match.match import AnyMatch, Match
from tabletop.match.match_view import seat_names
from tabletop.registry import PROGRAM, WAYS, Plugin, load
from tabletop.rng.streams import Streams
from tabletop.rules.events import Event, ObserverFailure
from tabletop.rules.options import Options, OptionValue
from tabletop.session.own_bots import with_own_bots
from tabletop.wording import did_you_mean, join_words, plural, quote

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

TOGETHER: Final[Mapping[str, Any]] = {"best": float}
"""The columns after these of a game that all win or lose together: the best points there are."""

_PLAIN: Final = (int, float, str)

KINDS: Final = (
    *_PLAIN,
    *(tuple[int, ...], tuple[float, ...]),
    *(Mapping[str, int], tuple[Mapping[str, int], ...]),
)
"""What a metric may return of a match: one value, one for each seat, or numbers by name."""

MOST_PLIES: Final = 100_000
"""A match that goes on after so many actions is broken off, and nobody wins it."""


class Metric(Protocol):
    """A metric of one match: made of the match before its first action, it observes what it needs.

    `value` is called once, at the end. Its annotation says what it returns: one of `KINDS`, where
    `int`, `float` and `str` may be None as well.
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
            bots: the names of the bots, by seat; when not given `fair`, or `random` in a game
                without levels, as others may be slow.
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
        names = tuple(bots) or (plugin.usual_level,)
        measured = tuple(metrics_of(plugin) if metrics is None else map(_resolve_file, metrics))
        chosen = dict(options or {})
        made = cls(plugin.source, seats, names, options=chosen, metrics=measured, **others)
        if len(names) > seats and not made.rotated:
            too_many = f"{plural(len(names), 'bot')} for {plural(seats, 'seat')}"
            raise UsageError(f"{too_many}: with --rotate (rotated=True) they take turns")
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
        metrics = self.measures(plugin)
        columns = {**COLUMNS, **(TOGETHER if plugin.game.cooperative else {})}
        if len(metrics) < len(self.metrics) or not metrics.keys().isdisjoint(columns):
            raise UsageError("two columns would have one name: call the metric something else")
        return {**columns, **{name: kind_of(metric) for name, metric in metrics.items()}}

    def measures(self, plugin: Plugin) -> dict[str, Callable[..., Any]]:
        """Return what measures each metric of the game that was loaded, by the name of its column.

        Raises:
            RegistryError: its file or module cannot be imported.
            UsageError: there is no such metric.
        """
        return {_name_of(source): _find_metric(source, plugin) for source in self.metrics}

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
        seed, names = self.seed(number), self.players(number)
        which = f"match {number}, seed {quote(seed)}"
        failures: list[ObserverFailure] = []
        programs: list[Any] = []
        try:
            match = Match(plugin.game, seed=seed, seats=self.seats, options=self.options)
            for seat, name in enumerate(names):
                bot: Any = plugin.bot(name, match.chance_of(seat), seat)
                match.set_player(seat, bot)
                if name.startswith(PROGRAM):
                    bot.join(match, names)
                    programs.append(bot)
            measured = _begin_metrics(metrics, match, failures) if metrics else {}
            outcome = match.run(self.plies)
            values = _end_metrics(measured, failures)
        # No bot plays on for another, because its matches would be miscounted.
        except (Exception, SystemExit) as error:
            where = place_of(error.__cause__ or error)
            what = f"{type(error).__name__}: {error}".removesuffix(": ")
            what += f" ({where})" if where else ""
            raise StudyError(f"{which}: {what}") from error
        finally:
            for program in programs:
                program.close(match.outcome)
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
            **values,
        }


def metrics_of(plugin: Plugin) -> Mapping[str, Callable[..., Any]]:
    """Return the metrics that a game brings, by name.

    Raises:
        RegistryError: what stands there is something else, or cannot be imported.
    """
    found = plugin.bring("metrics")
    if not isinstance(found, Mapping) or not all(map(callable, found.values())):
        raise RegistryError(f"{plugin.source}: metrics is {found!r}, not names with metrics")
    return found


def _name_of(source: MetricSource) -> str:
    """Return the name of the column of a metric."""
    return source.rpartition(":")[2] if isinstance(source, str) else source.__name__


def _find_metric(source: MetricSource, plugin: Plugin) -> Callable[..., Any]:
    """Return a metric."""
    if not isinstance(source, str):
        return source
    place, colon, name = source.rpartition(":")
    if not colon:
        known = metrics_of(plugin)
        if source not in known:
            names = ", ".join(known) or "none"
            own = "a metric of your own is FILE.py:NAME"
            hint = did_you_mean(source, known, f"its metrics: {names}; {own}")
            raise UsageError(f"{plugin.game.name} has no metric {quote(source)}{hint}")
        return known[source]
    module = load_file(Path(place)) if place.endswith(".py") else import_named(place, source)
    metric: Callable[..., Any] | None = getattr(module, name, None)
    if not callable(metric):
        raise UsageError(f"{source}: there is no function or class of this name")
    return metric


def kind_of(metric: Callable[..., Any]) -> Any:
    """Return what a metric returns: one of `KINDS`.

    Raises:
        StudyError: its annotation says something else, or nothing.
    """
    where, what = getattr(metric, "__qualname__", repr(metric)), metric
    if isinstance(metric, type):
        where, what = f"{where}.value", getattr(metric, "value", lambda: None)
    # Its annotation alone: what it takes need not be importable.
    returned = {"return": inspect.get_annotations(what).get("return")}
    names = getattr(what, "__globals__", {})
    try:
        given = get_type_hints(SimpleNamespace(__annotations__=returned), names)["return"]
    except NameError as error:
        raise StudyError(f"{where}: its annotation cannot be read: {error}") from error
    for kind in KINDS:
        if given == kind or (kind in _PLAIN and given == kind | None):
            return kind
    says = "nothing" if given is NoneType else _spell_kind(given)
    wanted = join_words(list(map(_spell_kind, KINDS)), "or")
    raise StudyError(f"{where} is annotated to return {says}, not {wanted}")


def _spell_kind(kind: Any) -> str:
    """Return an annotation as it is written."""
    return kind.__name__ if isinstance(kind, type) else str(kind).replace("collections.abc.", "")


def _fits(value: Any, kind: Any, seats: int) -> bool:
    """Check that a metric has returned what it says: Arrow would round a fraction to an `int`."""
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
    """Check that a value is one for Arrow too, which takes no `bool` for an `int`."""
    return isinstance(value, (int, float) if kind is float else kind) and not isinstance(
        value, bool
    )


def _resolve_file(source: MetricSource) -> MetricSource:
    """Return a metric so that it is found from any working directory."""
    if isinstance(source, str) and ".py:" in source:
        file, _, name = source.rpartition(":")
        return f"{os.path.realpath(user_path(file))}:{name}"
    return source


def _begin_metrics(
    metrics: Mapping[str, Callable[..., Any]], match: AnyMatch, failures: list[ObserverFailure]
) -> dict[str, Callable[[], Any]]:
    """Begin to measure a match; return what gives the value of each metric at its end."""
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
    """Return the value of each metric; raise the error of one that failed meanwhile."""
    for failure in failures:
        raise failure.error
    return {name: value() for name, value in measured.items()}
