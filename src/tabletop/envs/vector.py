"""Many matches of a game at once, as a vector environment of Gymnasium.

    from tabletop.envs import vector
    env = vector.Env("sorcery", num_envs=64, processes=2)

Every match has a row in arrays that are made once, and written into at each step.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy
from ctypes import c_byte
from itertools import pairwise
from math import prod
from multiprocessing import get_context
from multiprocessing.connection import Connection
from typing import Any, Self, TypeAlias

import numpy as np
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from typing_extensions import override

from tabletop.envs.encoding import Encoder
from tabletop.envs.episodes import METADATA, Episodes
from tabletop.envs.gym import Bots, Learner
from tabletop.errors import SeedError, TabletopError
from tabletop.match.contract_errors import short_repr
from tabletop.registry import Plugin
from tabletop.states.bounds import Seat

Seeds: TypeAlias = Sequence[int | None]
"""A seed for each environment; None draws a fresh one."""


class Env(VectorEnv[dict[str, Any], Any, Any]):
    """Many matches at once; every call returns the same arrays, with a row for each match.

    A match that has ended shows its last position; the next step begins another match in its row
    and ignores the action (`AutoresetMode.NEXT_STEP`).

    The info has `seat`, the seat of each row's observation, and `rewards`, the rewards of all seats
    for a learner that plays all seats (`bots=()`).

    A copy, also by `pickle`, has arrays and processes of its own, and continues with the same bots
    and the same draws. Close both.

    Args:
        game: The game.
        num_envs: The number of matches.
        processes: The number of processes that share the matches, this one included.

    The other arguments are those of `tabletop.envs.gym.Env`.

    Raises:
        TabletopError: A process that shares the matches has ended, the environment is closed, or
            `step` is called before `reset`.
        TypeError: The actions are not whole numbers (from `step`).
        ValueError: There is no match or no process, or the actions are not one for each match.
    """

    metadata: dict[str, Any] = METADATA | {"autoreset_mode": AutoresetMode.NEXT_STEP}

    def __init__(
        self,
        game: str | Plugin,
        num_envs: int = 1,
        *,
        seat: Seat | None = 0,
        bots: Bots = None,
        processes: int = 1,
        **settings: Any,
    ) -> None:
        if num_envs < 1 or processes < 1:
            raise ValueError(
                f"{num_envs} matches in {processes} processes: write 1 or more of each"
            )
        self.num_envs, episodes = num_envs, Episodes(game, **settings)
        self.single_observation_space, self.single_action_space = episodes.spaces()
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._processes, self._has_begun = processes, False
        self._start([Learner(episodes, seat, bots) for _ in range(num_envs)], {})

    def _start(self, learners: Sequence[Learner], values: Mapping[str, Any]) -> None:
        """Make the arrays with the given values, and start the processes that share the rows."""
        rows, processes = self.num_envs, self._processes
        context, memory = get_context("spawn"), _memory(learners[0].episodes, rows)
        self._arrays = _arrays(memory)
        for name, value in values.items():
            self._arrays[name][:] = value
        shares = pairwise(rows * part // processes for part in range(processes + 1))
        own = slice(*next(shares))
        self._rows = _Rows(memory, own, learners[own])
        self._others: list[tuple[Connection, Any]] = []
        for share in (slice(*it) for it in shares):
            ours, theirs = context.Pipe()
            arguments = theirs, memory, share, learners[share]
            process = context.Process(target=_work, args=arguments, daemon=True)
            self._others.append((ours, process))
            process.start()
            theirs.close()

    def __copy__(self) -> Self:
        return deepcopy(self)  # a shallow copy would share the match

    def __getstate__(self) -> dict[str, Any]:
        """Return the settings, the learners of all rows and the values of the arrays."""
        learners = self._all(_Rows.learners)
        values = {name: array.copy() for name, array in self._arrays.items()}
        kept = vars(self).keys() - {"_arrays", "_rows", "_others"}
        return {name: vars(self)[name] for name in kept} | {"copied": (learners, values)}

    def __setstate__(self, values: dict[str, Any]) -> None:
        copied = values.pop("copied")
        vars(self).update(values)
        self._start(*copied)

    @override
    def reset(self, *, seed: Any = None, options: dict[str, Any] | None = None) -> Any:
        seeds = [None] * self.num_envs if seed is None else seed
        if isinstance(seeds, int | np.integer) and not isinstance(seeds, bool):
            seeds = [int(seeds) + row for row in range(self.num_envs)]
        if not isinstance(seeds, list | tuple | np.ndarray) or len(seeds) != self.num_envs:
            wanted = f"a whole number, or one for each of {self.num_envs} matches"
            raise SeedError(f"seed: write {wanted}, not {short_repr(seed)}")
        self._all(_Rows.play, seeds)
        self._has_begun = True
        return self._pick("observation", "action_mask"), self._pick("seat", "rewards")

    @override
    def step(self, actions: Any) -> tuple[dict[str, Any], Any, Any, Any, dict[str, Any]]:
        arrays, numbers = self._arrays, np.asarray(actions)
        if not self._has_begun:
            raise TabletopError("no match has begun: call reset first")
        if numbers.dtype.kind not in "iu":
            raise TypeError(f"actions are whole numbers, not {short_repr(actions)}")
        if numbers.shape != (self.num_envs,):
            wanted = f"one number for each of {self.num_envs} matches"
            raise ValueError(f"actions: {wanted}, not an array of shape {numbers.shape}")
        arrays["actions"][:] = numbers
        self._all(_Rows.play)
        seen, info = self._pick("observation", "action_mask"), self._pick("seat", "rewards")
        return seen, arrays["reward"], arrays["over"], arrays["cut"], info

    def _pick(self, *names: str) -> dict[str, Any]:
        return {name: self._arrays[name] for name in names}

    def _all(self, ask: Callable[..., list[Learner]], *arguments: Any) -> list[Learner]:
        """Call a method of the rows in all processes at the same time; join the results."""
        if self.closed:
            raise TabletopError("the environment is closed: make another one")
        try:
            for pipe, _ in self._others:
                pipe.send((ask, arguments))
            try:
                found = ask(self._rows, *arguments)
            finally:  # every answer is read, or the next request would get this one
                answers = [pipe.recv() for pipe, _ in self._others]
        except (EOFError, OSError) as error:
            what = "a process that shares the matches has ended; programs with processes need"
            raise TabletopError(f'{what} `if __name__ == "__main__":`') from error
        for answer in answers:
            if isinstance(answer, Exception):
                raise answer
            found = found + answer
        return found

    @override
    def close_extras(self, **kwargs: Any) -> None:
        while self._others:
            pipe, process = self._others.pop()
            pipe.close()
            process.join()


def _memory(episodes: Episodes, rows: int) -> dict[str, Any]:
    """Make the memory of the arrays, which processes share: each with its shape and its type."""
    shapes: dict[str, tuple[tuple[int, ...], Any]] = {
        "observation": ((rows, episodes.encoder.size), np.float32),
        "action_mask": ((rows, episodes.index.size), np.int8),
        "rewards": ((rows, episodes.seats), np.float64),
        **dict.fromkeys(("over", "cut"), ((rows,), np.bool_)),
        **dict.fromkeys(("actions", "seat"), ((rows,), np.int64)),
        "reward": ((rows,), np.float64),
    }
    make: Any = get_context("spawn").RawArray
    return {
        name: (make(c_byte, prod(shape) * np.dtype(kind).itemsize), shape, kind)
        for name, (shape, kind) in shapes.items()
    }


def _arrays(memory: Mapping[str, Any]) -> dict[str, Any]:
    return {it: np.frombuffer(raw, kind).reshape(to) for it, (raw, to, kind) in memory.items()}


class _Rows:
    """The matches of some rows."""

    def __init__(
        self, memory: Mapping[str, Any], share: slice, learners: Sequence[Learner]
    ) -> None:
        self._share = share
        self._arrays = {name: whole[share] for name, whole in _arrays(memory).items()}
        seen: Any = self._arrays["observation"]
        if learners and type(learners[0].episodes.encoder) is Encoder:
            seen = map(memoryview, seen)
        masks = [memoryview(mask).cast("B") for mask in self._arrays["action_mask"]]
        # The learners keep common episodes, which are pickled once.
        twins = [learner.episodes.twin() for learner in learners]
        self._rows = list(zip(learners, twins, seen, masks, strict=True))

    def learners(self) -> list[Learner]:
        """Return the learner of each row."""
        return [learner for learner, *_ in self._rows]

    def play(self, seeds: Seeds | None = None) -> list[Learner]:
        """Play a step in each row, or begin all matches; return nothing."""
        arrays = self._arrays
        fresh = None if seeds is None else seeds[self._share]
        ended = (arrays["over"] | arrays["cut"]).tolist()
        for name in ("rewards", "reward", "over", "cut"):
            arrays[name].fill(0)
        actions = arrays["actions"].tolist()
        for row, (learner, episodes, seen, mask) in enumerate(self._rows):
            if fresh is not None or ended[row]:
                learner.begin(None if fresh is None else fresh[row])
            else:
                seat = learner.seat
                rewards, over, cut = learner.step(actions[row])
                if over or cut:
                    arrays["over"][row], arrays["cut"][row] = over, cut
                if rewards:
                    arrays["rewards"][row], arrays["reward"][row] = rewards, rewards[seat]
            episodes.observe(learner.match, learner.seat, seen, mask)
        arrays["seat"][:] = [learner.seat for learner, *_ in self._rows]
        return []


def _work(
    pipe: Connection, memory: Mapping[str, Any], share: slice, learners: Sequence[Learner]
) -> None:
    """Call methods of some rows on request, until the other process closes the pipe."""
    rows = _Rows(memory, share, learners)
    while True:
        try:
            ask, arguments = pipe.recv()
        except (EOFError, KeyboardInterrupt):
            return
        try:
            answer = ask(rows, *arguments)
        except Exception as error:
            answer = error
        pipe.send(answer)
