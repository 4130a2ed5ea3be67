"""Train a bot by self-play: rounds of matches and of learning, stored in a folder and evaluated."""

from __future__ import annotations

import csv
import json
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import BrokenExecutor
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from hashlib import sha256
from io import StringIO
from itertools import pairwise
from pathlib import Path
from stat import S_ISREG
from typing import TYPE_CHECKING, Any, Final, NamedTuple
from zipfile import BadZipFile

from tabletop.envs.episodes import Episodes
from tabletop.envs.policies import MOST_LAYERS, Header, Layers, Policy
from tabletop.envs.values import LARGEST, check_archive
from tabletop.errors import TabletopError, UsageError
from tabletop.host.extras import require
from tabletop.host.user_files import write_bytes, write_text
from tabletop.registry import LEARNT, Plugin, load
from tabletop.studies.comparisons import Pairing, check_even, duel, pair
from tabletop.studies.page import curves
from tabletop.studies.series import StudyError
from tabletop.studies.simulating import Count, Progress
from tabletop.studies.store import lock_folder, name_in_errors
from tabletop.studies.workers import Workers
from tabletop.training.self_play import Lot, Played, play
from tabletop.wording import join_words

if TYPE_CHECKING:
    from tabletop.training.learner import Learner

NEEDED: Final = ("torch", "stable_baselines3", "sb3_contrib", "matplotlib")
"""Libraries that training needs."""

POLICY: Final = "policy.npz"
"""Name of the policy file after the last round, which a table can use as a bot."""

CURVE: Final = "curve.csv"
PICTURE: Final = "curve.svg"

MOST_PLIES: Final = 5000
"""Default maximum number of actions per match. A match that reaches the limit is stopped, and its
rewards are 0.
"""

LOTS: Final = 8  # number of lots per round, independent of the number of workers
KEEP_EVERY: Final = 5  # number of rounds between two policies that are kept as later opponents

MOST_KEPT: Final = 20
"""Maximum number of earlier policies to keep. If there are more, only the latest are kept."""

MOST_BYTES: Final = 1 << 29  # maximum memory for the observations of a round, in bytes

_GROWTH: Final = 8
"""Maximum factor by which the number of matches grows per round. The first rounds are small."""

_DAMAGED: Final = (
    ArithmeticError,
    AttributeError,
    BadZipFile,
    KeyError,
    RecursionError,
    TypeError,
    ValueError,
)
"""Exceptions that reading damaged training files may raise."""

_MOST_STATE: Final = 8 * LARGEST
"""Maximum size of the state of a training run, in bytes.

A state contains a policy network and a value network, and two averages for each weight.
"""

_SETTINGS: Final = "training.json"
_STATE: Final = "network.pt"
_SELVES: Final = "selves"


class Point(NamedTuple):
    """The strength of a policy after some rounds, against one bot.

    Attributes:
        round: Number of rounds at that point.
        matches, choices: Number of matches played, and of choices learnt from, at that point.
        pairing: Result against the bot.
    """

    round: int
    matches: int
    choices: int
    pairing: Pairing

    def data(self) -> dict[str, Any]:
        """Return all values in a form that JSON can represent."""
        return {**self._asdict(), "pairing": self.pairing._asdict()}


@dataclass(frozen=True, slots=True)
class Trained:
    """The result of training.

    Attributes:
        policy: Path of the policy, for `learnt:FILE`.
        curve: The learning curve: strength against each bot after several rounds.
    """

    policy: Path
    curve: tuple[Point, ...]


@dataclass(frozen=True, slots=True)
class _Plan:
    """The settings that determine the result of training, except the number of rounds.

    `header` describes the matches of the policy.
    """

    header: Header
    seeds: str
    plies: int
    choices: int
    hidden: tuple[int, ...]
    every: int
    matches: int
    against: tuple[str, ...]

    def data(self) -> dict[str, Any]:
        """Return all settings in a form that JSON can represent."""
        return {**asdict(self.header), **asdict(self), "header": None}


@dataclass(slots=True)
class _Reached:
    """The progress of training, stored with the network after each round."""

    round: int = 0
    matches: int = 0
    choices: int = 0
    next: int = LOTS  # matches of the next round


def train(
    game: str | Plugin,
    folder: Path | str,
    workers: Workers,
    *,
    rounds: int = 200,
    choices: int = 8_192,
    hidden: Sequence[int] = (128, 128),
    every: int = 20,
    matches: int = 100,
    against: Sequence[str] | None = None,
    seeds: str = "train",
    seats: int | None = None,
    options: Mapping[str, Any] | None = None,
    plies: int = MOST_PLIES,
    resume: bool = False,
    progress: Callable[[Progress], object] | None = None,
    on_point: Callable[[Point], object] | None = None,
) -> Trained:
    """Train a policy by self-play with masked PPO, and measure its strength.

    Each round plays whole matches: half of them with the current policy on all seats, and half
    against earlier versions, with the current policy on each seat in turn. The policy learns from
    all of its choices. The only reward is the outcome, and the policy only uses the observations of
    its seat. All randomness comes from the seeds: on one machine, the same arguments give the same
    policy and curve, independent of the number of workers and of interruptions.

    Args:
        game: An installed name, `module:NAME`, a path to a `.py` file, or a loaded plugin.
        folder: Folder of the policy, its learning curve, and the files needed to resume.
        workers: The workers that play; see `tabletop.studies.workers_for`.
        rounds: Total number of rounds.
        choices: Approximate number of choices to learn from per round.
        hidden: Widths of the hidden layers of the network, at least one.
        every: Number of rounds between two evaluations. The policy is also evaluated before the
            first and after the last round.
        matches: Number of matches per evaluation against each bot, an even number.
        against: Bots for the evaluation. By default, those of `random`, `easy` and `fair` that the
            game has.
        seeds: Name of the series of matches, from which all randomness is derived.
        seats: Number of seats. By default, the smallest number above 1 that the game allows.
        options: Options of the game that differ from their defaults.
        plies: Maximum number of actions per match. A longer match is stopped.
        resume: Whether to continue an existing training run in the folder. `rounds` may then be
            larger.
        progress: Called at the beginning and after each round.
        on_point: Called with each new point of the curve.

    Raises:
        ContractError: The game does not list its actions, or its state has fields without bounds.
        OptionError, RegistryError, UsageError: The matches cannot be played as described, or offer
            no choices.
        StudyError: A match failed, or the folder contains a different training run or cannot be
            written.
        TabletopError: A required library is not installed.
    """
    require("training", "train", *NEEDED)
    plugin = load(game) if isinstance(game, str) else game
    if seats is None:
        seats = next((it for it in plugin.game.seats if it > 1), plugin.game.seats[0])
    if against is None:
        against = [it for it in ("random", "easy", "fair") if it in plugin.bot_names]
    check_even(matches)
    if rounds < 0 or min(choices, every, plies) < 1:
        raise UsageError(f"these must be at least 1: {rounds=}, {choices=}, {every=}, {plies=}")
    for bot in against:
        duel(plugin, ["random", bot], seats=seats, options=options, plies=plies)
    episodes = Episodes(plugin, seats=seats, options=options)
    episodes.spaces()  # an error if the game cannot be learnt
    _check_sizes(episodes, choices, hidden)
    from tabletop.training.learner import Learner

    learner = Learner(episodes.encoder.size, episodes.index.size, hidden, _number(seeds))
    header = Policy(plugin, learner.layers(), options=options, seats=seats).header
    plan = _Plan(
        header, seeds, plies, choices, tuple(hidden), every, matches, tuple(dict.fromkeys(against))
    )
    with lock_folder(folder), _one_thread():
        training = _Training(plugin, Path(folder).resolve(), plan, learner)
        training.open(resume=resume)
        training.run(rounds, workers, progress, on_point)
        return Trained(training.folder / POLICY, tuple(training.curve))


def _check_sizes(episodes: Episodes, choices: int, hidden: Sequence[int]) -> None:
    """Raise `UsageError` if a round would not fit into memory, or the policy not into its file."""
    size = 4 * (episodes.encoder.size + episodes.index.size)
    if choices * size > MOST_BYTES:
        total = f"{choices:,} choices of {size:,} bytes need {choices * size >> 20:,} MiB of memory"
        raise UsageError(f"{total}: give {MOST_BYTES // size:,} or fewer")
    layers = f"layers {','.join(map(str, hidden)) or 'none'}"
    if not 1 <= len(hidden) < MOST_LAYERS or min(hidden) < 1:
        raise UsageError(
            f"layers must be 1 to {MOST_LAYERS - 1} widths of at least 1, not {layers}"
        )
    widths = episodes.encoder.size, *hidden, episodes.index.size
    size = sum(4 * (inputs + 1) * outputs for inputs, outputs in pairwise(widths))
    if size > LARGEST:
        raise UsageError(
            f"{layers}: the policy would be larger ({size >> 20:,} MiB) than the limit"
            f" ({LARGEST >> 20} MiB). Use smaller widths"
        )


def _number(text: str) -> int:
    """Return a 32-bit hash of a string."""
    return int.from_bytes(sha256(text.encode()).digest()[:4], "big")


@contextmanager
def _one_thread() -> Iterator[None]:
    """Limit NumPy to one thread in processes that start during the block and share the cores."""
    names = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "VECLIB_MAXIMUM_THREADS")
    former = {name: os.environ.get(name) for name in names}
    os.environ.update(dict.fromkeys(names, "1"))
    try:
        yield
    finally:
        for name, value in former.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value


class _Training:
    """A training run and its folder."""

    def __init__(self, plugin: Plugin, folder: Path, plan: _Plan, learner: Learner) -> None:
        self.folder, self.curve = folder, list[Point]()
        self._plugin, self._plan, self._learner = plugin, plan, learner
        self._reached = _Reached()
        self._selves: dict[int, Layers] = {}

    def open(self, *, resume: bool) -> None:
        """Continue the training run in the folder, or begin a new one.

        Raises:
            StudyError: The folder contains a different training run, is damaged, or cannot be read
                or written.
        """
        settings, state = self.folder / _SETTINGS, self.folder / _STATE
        with name_in_errors(self.folder):
            if not any(it.exists() for it in (settings, state, self.folder / POLICY)):
                (self.folder / _SELVES).mkdir(exist_ok=True)
                self._keep()
                self._write_curve()
                return
        if not resume:
            raise StudyError(
                f"{self.folder}: the folder already contains a training (resume it, or name"
                " another folder)"
            )
        try:
            with name_in_errors(settings):
                stored = json.loads(_read(settings))
            with name_in_errors(state):
                check_archive(state, _MOST_STATE)
                network = _read(state)
            former, curve = stored["plan"], [_point(it) for it in stored["curve"]]
            wanted = json.loads(json.dumps(self._plan.data()))
            if wrong := [name for name in wanted if wanted[name] != former.get(name)]:
                names = join_words(wrong, "and")
                raise StudyError(
                    f"{self.folder}: the folder contains a different training: {names} differ"
                )
            self._reached = _Reached(**self._learner.restore(network))
            _as_csv(curve)  # raises an error now if the curve could not be written later
        except _DAMAGED as error:
            message = f"the training is damaged, or was not written by tabletop: {error}"
            raise StudyError(f"{self.folder}: {message}") from error
        self.curve = [it for it in curve if it.round <= self._reached.round]
        for number in self._pool():
            self._load_self(number)

    def run(
        self,
        rounds: int,
        workers: Workers,
        progress: Callable[[Progress], object] | None,
        on_point: Callable[[Point], object] | None,
    ) -> None:
        """Play and learn up to the given number of rounds, and store each round."""
        reached, every = self._reached, self._plan.every
        count = Count(max(rounds, reached.round), progress, reached.round)
        while True:
            is_due = reached.round % every == 0 or reached.round >= rounds
            if is_due and not any(it.round == reached.round for it in self.curve):
                points = [self._measure(bot, workers) for bot in self._plan.against]
                self.curve += points
                self._write_curve()
                if on_point is not None:
                    for point in points:
                        on_point(point)
            if reached.round >= rounds:
                return
            self._play_round(workers)
            self._keep()
            count.add(1)

    def _play_round(self, workers: Workers) -> None:
        reached, plan, header = self._reached, self._plan, self._plan.header
        newest = self._learner.layers()
        pool, lots = [*self._selves], min(LOTS, reached.next)
        edges = [reached.matches + reached.next * part // lots for part in range(lots + 1)]
        played = _play_all(
            [
                Lot(
                    game=self._plugin.source,
                    seats=header.seats,
                    options=header.options,
                    plies=plan.plies,
                    seeds=plan.seeds,
                    numbers=range(first, last),
                    newest=newest,
                    earlier=self._selves[pool[_number(f"{plan.seeds} {first} self") % len(pool)]],
                )
                for first, last in pairwise(edges)
            ],
            workers,
        )
        choices = sum(len(it.actions) for it in played)
        if choices < 2:
            raise UsageError(
                f"{header.game}: there is nothing to learn, because no player has a choice"
            )
        self._learner.learn(played, _number(f"{plan.seeds} {reached.round} learn"))
        fitting = plan.choices * reached.next // choices
        reached.round += 1
        reached.matches += reached.next
        reached.choices += choices
        reached.next = max(1, min(fitting, _GROWTH * reached.next))

    def _keep(self) -> None:
        """Write the policy and everything that is needed to resume."""
        policy = Policy(
            self._plugin,
            self._learner.layers(),
            options=self._plan.header.options,
            seats=self._plan.header.seats,
        )
        number = self._reached.round
        with name_in_errors(self.folder):
            if number % KEEP_EVERY == 0:
                self._selves[number] = policy.layers
                policy.save(self._file_of_self(number))
            # The state is written last, so that an interrupted round is played again.
            policy.save(self.folder / POLICY)
            write_bytes(str(self.folder / _STATE), self._learner.state(asdict(self._reached)))
            for old in self._selves.keys() - {*self._pool()}:
                del self._selves[old]
                self._file_of_self(old).unlink(missing_ok=True)

    def _pool(self) -> range:
        """Return the round numbers of the earlier policies that currently serve as opponents."""
        last = self._reached.round // KEEP_EVERY
        return range(max(0, last - MOST_KEPT + 1) * KEEP_EVERY, last * KEEP_EVERY + 1, KEEP_EVERY)

    def _file_of_self(self, number: int) -> Path:
        return self.folder / _SELVES / f"{number:06}.npz"

    def _load_self(self, number: int) -> None:
        file, header = self._file_of_self(number), self._plan.header
        try:
            with name_in_errors(file):
                policy = Policy.load(file, self._plugin, options=header.options, seats=header.seats)
        except ValueError as error:
            raise StudyError(str(error)) from error
        self._selves[number] = policy.layers

    def _measure(self, bot: str, workers: Workers) -> Point:
        """Evaluate the policy against a bot. All evaluations use the same seeds."""
        plan = self._plan
        series = duel(
            self._plugin,
            [f"{LEARNT}{self.folder / POLICY}", bot],
            seeds=f"{plan.seeds} check",
            seats=plan.header.seats,
            options=plan.header.options,
            plies=plan.plies,
        )
        pairing = pair(series, plan.matches, workers, Count(plan.matches))._replace(first=POLICY)
        reached = self._reached
        return Point(reached.round, reached.matches, reached.choices, pairing)

    def _write_curve(self) -> None:
        """Write the learning curve as CSV, as a chart, and with the settings for resuming."""
        data = {"plan": self._plan.data(), "curve": [it.data() for it in self.curve]}
        with name_in_errors(self.folder):
            write_text(str(self.folder / CURVE), _as_csv(self.curve))
            if self.curve:
                write_text(str(self.folder / PICTURE), _as_picture(self.curve))
            write_text(str(self.folder / _SETTINGS), json.dumps(data, indent=1) + "\n")


def _read(file: Path) -> bytes:
    """Read a regular file up to the maximum size of a state."""
    info = file.stat()
    if not S_ISREG(info.st_mode) or info.st_size > _MOST_STATE:
        raise ValueError(f"{file.name} is not a regular file, or is too large")
    return file.read_bytes()


def _point(data: Mapping[str, Any]) -> Point:
    """Return the point of a curve from its JSON data; see `Point.data`."""
    numbers = {name: data[name] for name in ("round", "matches", "choices")}
    return Point(**numbers, pairing=Pairing(**data["pairing"]))


def _as_csv(curve: Sequence[Point]) -> str:
    out = StringIO()
    rows = csv.writer(out, lineterminator="\n")
    rows.writerow(["round", "matches", "choices", "against", "share", "low", "high", "played"])
    for it in curve:
        low, high = it.pairing.interval
        share = [f"{number:.4f}" for number in (it.pairing.share, low, high)]
        rows.writerow([*it[:3], it.pairing.second, *share, it.pairing.matches])
    return out.getvalue()


def _as_picture(curve: Sequence[Point]) -> str:
    lines: dict[str, list[tuple[float, float, float, float]]] = {}
    for it in curve:
        low, high = it.pairing.interval
        row = (it.choices, 100 * it.pairing.share, 100 * low, 100 * high)
        lines.setdefault(it.pairing.second, []).append(row)
    return curves(lines, 50, "choices learnt from", "% of the points")


def _play_all(lots: Sequence[Lot], workers: Workers) -> list[Played]:
    """Play all lots, on any workers."""
    futures = []
    try:
        futures += [workers.submit(play, lot) for lot in lots]
        return [future.result() for future in futures]
    except TabletopError:
        raise
    except BrokenExecutor as error:
        raise StudyError(f"a worker process died: {error} (resume the training)") from error
    except Exception as error:  # from the rules, the pool, the cluster or the executor
        matches = f"a match from {lots[0].numbers.start} to {lots[-1].numbers.stop - 1}"
        problem = f"{matches} could not be played: {type(error).__name__}: {error}"
        raise StudyError(problem) from error
    finally:
        for future in futures:
            future.cancel()
