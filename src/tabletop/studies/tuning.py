"""Tune the weights of a bot with Optuna to win more matches."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass
from importlib import import_module
from inspect import signature
from pathlib import Path
from typing import Any, Final, TypeAlias

from tabletop.errors import UsageError
from tabletop.host.extras import require
from tabletop.host.user_files import read_bytes, write_bytes, write_text
from tabletop.registry import Plugin, is_whole, load
from tabletop.studies.comparisons import Pairing, check_even, duel, pair
from tabletop.studies.series import Series, StudyError
from tabletop.studies.simulating import Count, Progress
from tabletop.studies.store import MOST_BYTES, Manifest, lock_folder, name_in_errors
from tabletop.studies.workers import Workers
from tabletop.wording import join_words, quote

OptunaStudy: TypeAlias = Any
"""An Optuna study. Optuna is imported by name (`import_module`), because type checkers would
otherwise analyze Optuna and SQLAlchemy for every program that imports `tabletop.studies`.
"""

WEIGHTS: Final = "weights.json"
"""Name of the file with the best weights, in the folder of the trials."""

_JOURNAL: Final = "trials.log"


@dataclass(frozen=True, slots=True)
class Tuned:
    """The best weights of a search.

    Attributes:
        bot: Name of the bot with these weights.
        weights: Value of each weight, by name.
        share: Share of points in the trial of these weights. This share is too optimistic, because
            it is the best of many trials.
        trials: Number of trials.
        check: Comparison of this bot with its opponent over seeds that no trial used.
    """

    bot: str
    weights: Mapping[str, float]
    share: float
    trials: int
    check: Pairing


def tune(
    game: str | Plugin,
    folder: Path | str,
    workers: Workers,
    *,
    bot: str,
    against: str | None = None,
    trials: int = 200,
    matches: int = 40,
    check: int = 400,
    seeds: str = "tune",
    resume: bool = False,
    progress: Callable[[Progress], object] | None = None,
    **others: Any,
) -> Tuned:
    """Search for the weights of a bot that win the most points against another bot.

    The first trial uses the default weights of the bot. All trials play the same seeds. Optuna's
    `TPESampler`, seeded with the trial number, proposes the weights, so the trials do not depend on
    the workers or on interruptions. At the end, the best weights play matches with other seeds, and
    only these matches measure the strength of the weights without bias.

    Args:
        game: An installed name, `module:NAME`, a path to a `.py` file, or a loaded plugin. The
            `weights` of the plugin define the weights of each bot and their bounds.
        folder: Folder of the trials. It contains `trials.log`, written by Optuna, and
            `weights.json` with the result.
        workers: The workers that play; see `tabletop.studies.workers_for`.
        bot: Name of the bot.
        against: Name of the opponent. By default, the same bot with its default weights.
        trials: Number of trials, at least 1.
        matches: Number of matches per trial, an even number.
        check: Number of matches in the final comparison, an even number.
        seeds: Name of the series.
        resume: Whether to continue existing trials in the folder.
        progress: Called at the beginning and after each batch.
        others: `seats`, `options` and `plies`, as in `Series.of`.

    Raises:
        OptionError, RegistryError, UsageError: The matches cannot be played as described, or the
            bot has no weights.
        StudyError: A match failed, or the folder contains other trials or cannot be written.
    """
    require("tune", "studies", "optuna")
    plugin = load(game) if isinstance(game, str) else game
    if trials < 1:
        raise UsageError(f"the number of trials must be at least 1, not {trials}")
    check_even(matches)
    check_even(check)
    if bot not in plugin.weights:
        known = ", ".join(plugin.weights) or "none"
        if (plain := bot.partition(":")[0]) in plugin.weights:
            raise UsageError(f"{quote(bot)} contains weights (name only {plain})")
        remedy = f"bots of {plugin.game.name} with weights: {known}"
        raise UsageError(f"{quote(bot)} has no weights to tune ({remedy})")
    bounds = plugin.weights[bot]
    defaults = {name: signature(plugin.bots[bot]).parameters[name].default for name in bounds}

    def series(weights: Mapping[str, float], seeds: str) -> Series:
        return duel(plugin, [name_bot(bot, weights), against or bot], seeds=seeds, **others)

    def play(weights: Mapping[str, float]) -> float:
        return pair(series(weights, seeds), matches, workers, count).share

    manifest = {**asdict(Manifest.of(series(defaults, seeds), matches)), "bounds": bounds}
    folder = Path(folder)
    with lock_folder(folder):
        stored = _open(folder, manifest, resume=resume)
        done = len(stored.trials)
        count = Count(max(trials, done) * matches + check, progress, done * matches)
        for trial in _play_trials(stored, trials, bounds, defaults, play):
            with name_in_errors(folder / _JOURNAL):
                stored.add_trial(trial)
        best = stored.best_trial
        checked = pair(series(best.params, f"{seeds} check"), check, workers, count)
        name, share = name_bot(bot, best.params), best.values[0]
        tuned = Tuned(name, best.params, share, len(stored.trials), checked)
        data = {**asdict(tuned), "check": checked.data()}
        with name_in_errors(folder):
            write_text(str(folder / WEIGHTS), json.dumps(data, indent=1) + "\n")
    return tuned


def _play_trials(
    stored: OptunaStudy,
    trials: int,
    bounds: Mapping[str, tuple[float, float]],
    defaults: Mapping[str, float],
    play: Callable[[Mapping[str, float]], float],
) -> Iterator[Any]:
    """Play the missing trials, and yield each trial when it is complete.

    A separate study in memory proposes the weights, so that interrupted trials do not influence
    later proposals.
    """
    optuna = import_module("optuna")
    proposals = optuna.create_study(direction="maximize")
    proposals.add_trials(stored.trials)
    distributions = {
        name: optuna.distributions.IntDistribution(int(low), int(high))
        if is_whole(low, high)
        else optuna.distributions.FloatDistribution(low, high)
        for name, (low, high) in bounds.items()
    }
    for number in range(len(stored.trials), trials):
        proposals.sampler = optuna.samplers.TPESampler(seed=number)
        if number == 0:
            proposals.enqueue_trial(dict(defaults))
        trial = proposals.ask(distributions)
        yield proposals.tell(trial, play(trial.params))


def name_bot(bot: str, weights: Mapping[str, float]) -> str:
    """Return the name of a bot with the given weights, in the form that `Plugin.bot` accepts."""
    return ":".join([bot, *(f"{name}={value!r}" for name, value in weights.items())])


def _cut_half_line(file: Path) -> None:
    """Remove an incomplete last line, which would corrupt the next line.

    A program that is killed leaves such a line.

    Raises:
        StudyError: The file is a pipe or a device, too large, or unreadable.
    """
    if not file.exists():
        return
    with name_in_errors(file):
        written = read_bytes(file, MOST_BYTES)
        if len(written) > MOST_BYTES:
            raise StudyError(f"{file}: too large for a log of trials (name another folder)")
        whole = written[: written.rfind(b"\n") + 1]
        if whole != written:
            write_bytes(str(file), whole)


def _open(folder: Path, manifest: Mapping[str, Any], *, resume: bool) -> OptunaStudy:
    """Open the trials in a folder, or create them.

    Args:
        manifest: The description of the matches. Trials of different matches are rejected.
    """
    optuna = import_module("optuna")
    optuna.logging.set_verbosity(optuna.logging.WARNING)
    file = folder / _JOURNAL
    if file.exists() and not resume:
        message = "the folder already contains trials (resume them, or name another folder)"
        raise StudyError(f"{folder}: {message}")
    _cut_half_line(file)
    wanted = json.loads(json.dumps(manifest))
    try:
        with name_in_errors(file):
            backend = optuna.storages.journal.JournalFileBackend(str(file))
            storage = optuna.storages.JournalStorage(backend)
            stored = optuna.create_study(
                storage=storage, study_name="tune", direction="maximize", load_if_exists=True
            )
            if (former := stored.user_attrs.get("what")) is None:
                stored.set_user_attr("what", former := wanted)
            wrong = [name for name in wanted if wanted[name] != former.get(name)]
    except StudyError:
        raise
    except Exception as error:  # Optuna does not validate the file and may raise anything
        why = f"the file is damaged, or not written by Optuna ({type(error).__name__})"
        raise StudyError(f"{file}: {why} (name another folder)") from error
    if wrong:
        names = join_words(wrong, "and")
        raise StudyError(f"{folder}: the folder contains different trials: {names} differ")
    return stored
