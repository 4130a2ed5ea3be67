"""Find better weights of a bot, with Optuna: those with which it wins the most matches."""

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
"""A study of Optuna.

Optuna is imported by name. Type checkers would otherwise read Optuna and SQLAlchemy for every
program that imports `tabletop.studies`.
"""

WEIGHTS: Final = "weights.json"
"""The file in the folder of the trials with the best weights."""

_JOURNAL: Final = "trials.log"


@dataclass(frozen=True, slots=True)
class Tuned:
    """The best weights that were found.

    Attributes:
        bot: the name of the bot with these weights.
        weights: the weights, by name.
        share: the share of points that it won in its trial: the best of many, so it flatters.
        trials: how many weights were tried.
        check: the comparison of this bot with the other one, over seeds of its own.
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
    """Try weights of a bot, and return those with which it won the most against another one.

    The first trial has the weights that the bot has anyway. All trials play with the same seeds,
    and each weight is drawn by Optuna's `TPESampler`, whose seed is the number of the trial: the
    trials are the same wherever they are played, and however often they are broken off. In the end
    the best one plays matches with other seeds: only these say how good it is.

    Args:
        game: an installed name, `module:NAME`, a path to a `.py` file, or a loaded plugin. The
            `weights` of its plugin say what can be tried.
        folder: where the trials are kept, in `trials.log` for Optuna, and `weights.json`: what is
            returned.
        workers: who plays; see `tabletop.studies.workers_for`.
        bot: the name of the bot.
        against: that of the other one; the same bot as it stands, when not given.
        trials: how many weights are tried, at least 1.
        matches: how many matches each of them plays, an even number.
        check: how many the best one plays in the end, an even number.
        seeds: the name of the series.
        resume: whether to go on with the trials that may be in the folder.
        progress: called after each batch.
        others: `seats`, `options` and `plies`, as in `Series.of`.

    Raises:
        OptionError, RegistryError, UsageError: the matches cannot be played as described, or the
            bot has no weights.
        StudyError: a match failed, or the folder holds other trials, or cannot be written.
    """
    require("tune", "studies", "optuna")
    plugin = load(game) if isinstance(game, str) else game
    if trials < 1:
        raise UsageError(f"{trials} trials: give 1 or more")
    check_even(matches)
    check_even(check)
    if bot not in plugin.weights:
        known = ", ".join(plugin.weights) or "none"
        if (plain := bot.partition(":")[0]) in plugin.weights:
            raise UsageError(f"{quote(bot)} has weights already: give {plain}")
        message = f"{quote(bot)} has no weights to tune; bots of {plugin.game.name} that have"
        raise UsageError(f"{message}: {known}")
    bounds = plugin.weights[bot]
    standing = {name: signature(plugin.bots[bot]).parameters[name].default for name in bounds}

    def series(weights: Mapping[str, float], named_so: str) -> Series:
        return duel(plugin, [name_bot(bot, weights), against or bot], seeds=named_so, **others)

    def play(weights: Mapping[str, float]) -> float:
        return pair(series(weights, seeds), matches, workers, count).share

    what = {**asdict(Manifest.of(series(standing, seeds), matches)), "bounds": bounds}
    folder = Path(folder)
    with lock_folder(folder):
        kept = _open(folder, what, resume=resume)
        done = len(kept.trials)
        count = Count(max(trials, done) * matches + check, progress, done * matches)
        for trial in _play_trials(kept, trials, bounds, standing, play):
            with name_in_errors(folder / _JOURNAL):
                kept.add_trial(trial)
        best = kept.best_trial
        checked = pair(series(best.params, f"{seeds} check"), check, workers, count)
        name, share = name_bot(bot, best.params), best.values[0]
        found = Tuned(name, best.params, share, len(kept.trials), checked)
        data = {**asdict(found), "check": checked.data()}
        with name_in_errors(folder):
            write_text(str(folder / WEIGHTS), json.dumps(data, indent=1) + "\n")
    return found


def _play_trials(
    kept: OptunaStudy,
    trials: int,
    bounds: Mapping[str, tuple[float, float]],
    standing: Mapping[str, float],
    play: Callable[[Mapping[str, float]], float],
) -> Iterator[Any]:
    """Play the missing trials, and yield each one at its end.

    A study in memory proposes them, because only trials that were played to their end may decide
    what is tried next.
    """
    optuna = import_module("optuna")
    proposed = optuna.create_study(direction="maximize")
    proposed.add_trials(kept.trials)
    wanted = {
        name: optuna.distributions.IntDistribution(int(low), int(high))
        if is_whole(low, high)
        else optuna.distributions.FloatDistribution(low, high)
        for name, (low, high) in bounds.items()
    }
    for number in range(len(kept.trials), trials):
        proposed.sampler = optuna.samplers.TPESampler(seed=number)
        if number == 0:
            proposed.enqueue_trial(dict(standing))
        trial = proposed.ask(wanted)
        yield proposed.tell(trial, play(trial.params))


def name_bot(bot: str, weights: Mapping[str, float]) -> str:
    """Return the name of a bot with some weights, as `Plugin.bot` takes it."""
    return ":".join([bot, *(f"{name}={value!r}" for name, value in weights.items())])


def _cut_half_line(file: Path) -> None:
    """Drop an incomplete last line, which a killed program has left: the next one would join it.

    Raises:
        StudyError: The file is a pipe or a device, is too large, or cannot be read.
    """
    if not file.exists():
        return
    with name_in_errors(file):
        written = read_bytes(file, MOST_BYTES)
        if len(written) > MOST_BYTES:
            raise StudyError(f"{file}: larger than any log of trials; name another folder")
        whole = written[: written.rfind(b"\n") + 1]
        if whole != written:
            write_bytes(str(file), whole)


def _open(folder: Path, what: Mapping[str, Any], *, resume: bool) -> OptunaStudy:
    """Open the trials in a folder, or begin them.

    Args:
        folder: The folder.
        what: The description of the matches. Trials of other matches are refused.
        resume: Whether to continue trials that are in the folder.
    """
    optuna = import_module("optuna")
    optuna.logging.set_verbosity(optuna.logging.WARNING)
    file = folder / _JOURNAL
    if file.exists() and not resume:
        raise StudyError(f"{folder}: there are trials already: resume them, or name another folder")
    _cut_half_line(file)
    wanted = json.loads(json.dumps(what))
    try:
        with name_in_errors(file):
            backend = optuna.storages.journal.JournalFileBackend(str(file))
            storage = optuna.storages.JournalStorage(backend)
            kept = optuna.create_study(
                storage=storage, study_name="tune", direction="maximize", load_if_exists=True
            )
            if (former := kept.user_attrs.get("what")) is None:
                kept.set_user_attr("what", former := wanted)
            wrong = [name for name in wanted if wanted[name] != former.get(name)]
    except StudyError:
        raise
    except Exception as error:  # Optuna checks nothing that it reads: any may come
        why = f"damaged, or not written by Optuna ({type(error).__name__}); name another folder"
        raise StudyError(f"{file}: {why}") from error
    if wrong:
        differ = join_words(wrong, "and")
        raise StudyError(f"{folder}: these are other trials: they differ in {differ}")
    return kept
