"""Train a bot by self-play: rounds of matches and of learning, kept in a folder, and measured."""

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
"""The libraries that a training needs."""

POLICY: Final = "policy.npz"
"""The file in the folder that a table seats: what was learnt until the last round."""

CURVE: Final = "curve.csv"
PICTURE: Final = "curve.svg"

MOST_PLIES: Final = 5000
"""A match is broken off after so many actions, and is worth nothing to anybody."""

LOTS: Final = 8
"""A round is played in so many lots, whoever plays them."""

APART: Final = 5
"""The policy of each fifth round is kept, to be played against later."""

SELVES: Final = 20
"""So many earlier selves are kept, the latest ones."""

MOST_BYTES: Final = 1 << 29
"""What is seen in a round takes so much memory at most."""

_GROWTH: Final = 8
"""A round has so many times the matches of the one before at most: the first are few."""

_DAMAGED: Final = (
    ArithmeticError,
    AttributeError,
    BadZipFile,
    KeyError,
    RecursionError,
    TypeError,
    ValueError,
)
"""What reading what is kept of a training may raise where it is damaged."""

_MOST_STATE: Final = 8 * LARGEST
"""A state takes so many bytes at most: there is a network that rates as well, and each weight has
two averages beside it.
"""

_BESIDE: Final = "training.json"
_STATE: Final = "network.pt"
_SELVES: Final = "selves"


class Point(NamedTuple):
    """How good a policy was after some rounds.

    Attributes:
        round: after how many.
        matches, choices: how many it had played until then, and learnt from.
        pairing: what it came to against another bot.
    """

    round: int
    matches: int
    choices: int
    pairing: Pairing

    def data(self) -> dict[str, Any]:
        """Return all that is known, as JSON has it."""
        return {**self._asdict(), "pairing": self.pairing._asdict()}


@dataclass(frozen=True, slots=True)
class Trained:
    """What a training has come to.

    Attributes:
        policy: the file of the policy, for `learnt:FILE`.
        curve: how good it was after which round, against each bot.
    """

    policy: Path
    curve: tuple[Point, ...]


@dataclass(frozen=True, slots=True)
class _Plan:
    """What makes two trainings the same, but for how long they last.

    `header` says of what matches the policy is.
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
        """Return all of it side by side, as JSON has it."""
        return {**asdict(self.header), **asdict(self), "header": None}


@dataclass(slots=True)
class _Reached:
    """How far a training is: what is kept beside the network after each round."""

    round: int = 0
    matches: int = 0
    choices: int = 0
    next: int = LOTS  # the matches of the next round


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
    told: Callable[[Point], object] | None = None,
) -> Trained:
    """Train a policy by self-play, with masked PPO, and measure how good it gets.

    In each round it plays whole matches, half of them against itself alone and half against earlier
    selves, from every seat in turn; it learns from all choices of its newest self, by the worth of
    the outcome and nothing else. It sees what its seat sees. Everything is drawn from the seeds: on
    one machine the same arguments give the same policy and curve, however many workers there are
    and however often it is broken off.

    Args:
        game: an installed name, `module:NAME`, a path to a `.py` file, or a loaded plugin.
        folder: where the policy is kept, with its curve and all that it takes to go on.
        workers: who plays; see `tabletop.studies.workers_for`.
        rounds: how many rounds there are in all.
        choices: about how many choices it learns from in a round.
        hidden: how wide the hidden layers of the network are, at least one.
        every: it is measured before the first round, after each so many, and in the end.
        matches: how many it plays against each bot then, an even number.
        against: these bots; when not given, those of `random`, `easy` and `fair` that there are.
        seeds: the name of the series of matches, with which everything is drawn.
        seats: the number of seats; the fewest from two on that the game allows when not given.
        options: the options of the game that differ from their defaults.
        plies: a match is broken off after so many actions.
        resume: whether to go on with what may be in the folder; `rounds` may be more then.
        progress: called after each round.
        told: called with each point of the curve.

    Raises:
        ContractError: the game does not list its actions, or its states have no bounds.
        OptionError, RegistryError, UsageError: the matches cannot be played as described, or there
            is nothing to learn.
        StudyError: a match failed, or the folder holds another training, or cannot be written.
        TabletopError: a library is not installed.
    """
    require("training", "train", *NEEDED)
    plugin = load(game) if isinstance(game, str) else game
    if seats is None:
        seats = next((it for it in plugin.game.seats if it > 1), plugin.game.seats[0])
    if against is None:
        against = [it for it in ("random", "easy", "fair") if it in plugin.bot_names]
    check_even(matches)
    if rounds < 0 or min(choices, every, plies) < 1:
        raise UsageError(f"{rounds=}, {choices=}, {every=}, {plies=}: give 1 or more of each")
    for bot in against:
        duel(plugin, ["random", bot], seats=seats, options=options, plies=plies)
    episodes = Episodes(plugin, seats=seats, options=options)
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
        training.run(rounds, workers, progress, told)
        return Trained(training.folder / POLICY, tuple(training.curve))


def _check_sizes(episodes: Episodes, choices: int, hidden: Sequence[int]) -> None:
    """Raise `UsageError` for what would not fit into memory, or into the file of a policy."""
    each = 4 * (episodes.encoder.size + episodes.index.size)
    if choices * each > MOST_BYTES:
        what = f"{choices:,} choices of {each:,} bytes take {choices * each >> 20:,} MiB of memory"
        raise UsageError(f"{what}: give {MOST_BYTES // each:,} or fewer")
    named = f"layers {','.join(map(str, hidden)) or 'none'}"
    if not 1 <= len(hidden) < MOST_LAYERS or min(hidden) < 1:
        raise UsageError(f"{named}: give the widths of 1 to {MOST_LAYERS - 1} layers, 1 or more")
    widths = episodes.encoder.size, *hidden, episodes.index.size
    size = sum(4 * (one + 1) * other for one, other in pairwise(widths))
    if size > LARGEST:
        raise UsageError(
            f"{named}: the policy would take {size >> 20:,} MiB, and may take {LARGEST >> 20}:"
            " give narrower ones"
        )


def _number(text: str) -> int:
    """Return a number of 32 bits for a text."""
    return int.from_bytes(sha256(text.encode()).digest()[:4], "big")


@contextmanager
def _one_thread() -> Iterator[None]:
    """Have processes that begin meanwhile reckon with one thread each: they share the cores."""
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
    """A training in its folder."""

    def __init__(self, plugin: Plugin, folder: Path, plan: _Plan, learner: Learner) -> None:
        self.folder, self.curve = folder, list[Point]()
        self._plugin, self._plan, self._learner = plugin, plan, learner
        self._reached = _Reached()
        self._selves: dict[int, Layers] = {}

    def open(self, *, resume: bool) -> None:
        """Go on with what is in the folder, or begin there.

        Raises:
            StudyError: it is another training, or damaged, or cannot be read or written.
        """
        beside, state = self.folder / _BESIDE, self.folder / _STATE
        with name_in_errors(self.folder):
            if not any(it.exists() for it in (beside, state, self.folder / POLICY)):
                (self.folder / _SELVES).mkdir(exist_ok=True)
                self._keep()
                self._write_curve()
                return
        if not resume:
            raise StudyError(
                f"{self.folder}: there is a training already: resume it, or name another folder"
            )
        try:
            with name_in_errors(beside):
                kept = json.loads(_read(beside))
            with name_in_errors(state):
                check_archive(state, _MOST_STATE)
                read = _read(state)
            former, curve = kept["plan"], [_point(it) for it in kept["curve"]]
            wanted = json.loads(json.dumps(self._plan.data()))
            if wrong := [name for name in wanted if wanted[name] != former.get(name)]:
                differ = join_words(wrong, "and")
                raise StudyError(
                    f"{self.folder}: this is another training: they differ in {differ}"
                )
            self._reached = _Reached(**self._learner.restore(read))
            _as_csv(curve)  # it can be written again
        except _DAMAGED as error:
            raise StudyError(f"{self.folder}: damaged, or no training: {error}") from error
        self.curve = [it for it in curve if it.round <= self._reached.round]
        for number in self._pool():
            self._load_self(number)

    def run(
        self,
        rounds: int,
        workers: Workers,
        progress: Callable[[Progress], object] | None,
        told: Callable[[Point], object] | None,
    ) -> None:
        """Play and learn until there were so many rounds; what is there after each one is kept."""
        reached, every = self._reached, self._plan.every
        count = Count(max(rounds, reached.round), progress, reached.round)
        while True:
            is_due = reached.round % every == 0 or reached.round >= rounds
            if is_due and not any(it.round == reached.round for it in self.curve):
                points = [self._measure(bot, workers) for bot in self._plan.against]
                self.curve += points
                self._write_curve()
                if told is not None:
                    for point in points:
                        told(point)
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
            raise UsageError(f"{header.game}: there is nothing to learn, as nobody has a choice")
        self._learner.learn(played, _number(f"{plan.seeds} {reached.round} learn"))
        fitting = plan.choices * reached.next // choices
        reached.round += 1
        reached.matches += reached.next
        reached.choices += choices
        reached.next = max(1, min(fitting, _GROWTH * reached.next))

    def _keep(self) -> None:
        """Write all that it takes to go on, and the policy."""
        policy = Policy(
            self._plugin,
            self._learner.layers(),
            options=self._plan.header.options,
            seats=self._plan.header.seats,
        )
        number = self._reached.round
        with name_in_errors(self.folder):
            if number % APART == 0:
                self._selves[number] = policy.layers
                policy.save(self._file_of_self(number))
            # The policy first: what is broken off before the state is written is done again.
            policy.save(self.folder / POLICY)
            write_bytes(str(self.folder / _STATE), self._learner.state(asdict(self._reached)))
            for old in self._selves.keys() - {*self._pool()}:
                del self._selves[old]
                self._file_of_self(old).unlink(missing_ok=True)

    def _pool(self) -> range:
        """Return after which rounds the earlier selves are that are played against now."""
        last = self._reached.round // APART
        return range(max(0, last - SELVES + 1) * APART, last * APART + 1, APART)

    def _file_of_self(self, number: int) -> Path:
        return self.folder / _SELVES / f"{number:06}.npz"

    def _load_self(self, number: int) -> None:
        file, header = self._file_of_self(number), self._plan.header
        try:
            with name_in_errors(file):
                found = Policy.load(file, self._plugin, options=header.options, seats=header.seats)
        except ValueError as error:
            raise StudyError(str(error)) from error
        self._selves[number] = found.layers

    def _measure(self, bot: str, workers: Workers) -> Point:
        """Return how good the policy is against a bot, in the same matches each time."""
        plan = self._plan
        series = duel(
            self._plugin,
            [f"{LEARNT}{self.folder / POLICY}", bot],
            seeds=f"{plan.seeds} check",
            seats=plan.header.seats,
            options=plan.header.options,
            plies=plan.plies,
        )
        found = pair(series, plan.matches, workers, Count(plan.matches))
        reached = self._reached
        return Point(reached.round, reached.matches, reached.choices, found._replace(first=POLICY))

    def _write_curve(self) -> None:
        """Write how good the policy got: for programs, for people, and to go on with."""
        data = {"plan": self._plan.data(), "curve": [it.data() for it in self.curve]}
        with name_in_errors(self.folder):
            write_text(str(self.folder / CURVE), _as_csv(self.curve))
            if self.curve:
                write_text(str(self.folder / PICTURE), _as_picture(self.curve))
            write_text(str(self.folder / _BESIDE), json.dumps(data, indent=1) + "\n")


def _read(file: Path) -> bytes:
    """Read an ordinary file that is not larger than what is kept of a training."""
    info = file.stat()
    if not S_ISREG(info.st_mode) or info.st_size > _MOST_STATE:
        raise ValueError(f"{file.name} is no ordinary file, or too large")
    return file.read_bytes()


def _point(data: Mapping[str, Any]) -> Point:
    """Return the point of a curve that JSON has; see `Point.data`."""
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
    return curves(lines, 50, "choices that were learnt from", "% of the points")


def _play_all(lots: Sequence[Lot], workers: Workers) -> list[Played]:
    """Play all lots, on any workers."""
    futures = []
    try:
        futures += [workers.submit(play, lot) for lot in lots]
        return [future.result() for future in futures]
    except TabletopError:
        raise
    except BrokenExecutor as error:
        raise StudyError(f"a process that plays has died; go on with resume ({error})") from error
    except Exception as error:  # of the rules, or of whatever runs the workers
        which = f"a match from {lots[0].numbers.start} to {lots[-1].numbers.stop - 1}"
        what = f"{which} could not be played: {type(error).__name__}: {error}"
        raise StudyError(what) from error
    finally:
        for future in futures:
            future.cancel()
