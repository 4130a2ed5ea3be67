"""Many simultaneous matches of a game, as a Gymnasium vector environment.

    from tabletop.envs import vector
    env = vector.Env("sorcery", num_envs=64, processes=2)

Every match has a row in arrays that are allocated once and overwritten at each step.
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
"""A seed for each environment, or None for a random seed."""


class Env(VectorEnv[dict[str, Any], Any, Any]):
    """A vector environment. Every call returns the same arrays, with a row for each match.

    The row of a finished match shows the final position. The next step ignores the action for this
    row and begins another match in it (`AutoresetMode.NEXT_STEP`).

    The info contains `seat`, the seat of each row's observation. If the learner plays all seats
    (`bots=()`), it also contains `rewards`, the rewards of all seats.

    A copy or a pickle has its own arrays and processes, and continues with the same bots and the
    same draws. Close both environments.

    Args:
        game: The game.
        num_envs: Number of matches.
        processes: Number of processes that share the matches, including this one.

    The other arguments are those of `tabletop.envs.gym.Env`.

    Raises:
        TabletopError: A worker process has died, the environment is closed, or `step` is called
            before `reset`.
        TypeError: The actions are not integers (raised by `step`).
        ValueError: `num_envs` or `processes` is below 1, or the number of actions is wrong.
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
                f"num_envs and processes must be at least 1, not {num_envs} and {processes}"
            )
        self.num_envs, episodes = num_envs, Episodes(game, **settings)
        self.single_observation_space, self.single_action_space = episodes.spaces()
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._processes, self._has_begun = processes, False
        self._start([Learner(episodes, seat, bots) for _ in range(num_envs)], {})

    def _start(self, learners: Sequence[Learner], values: Mapping[str, Any]) -> None:
        """Create the arrays with the given values, and start the processes that share the rows."""
        rows, processes = self.num_envs, self._processes
        context, memory = get_context("spawn"), _memory(learners[0].episodes, rows)
        self._arrays = _arrays(memory)
        for name, value in values.items():
            self._arrays[name][:] = value
        shares = pairwise(rows * part // processes for part in range(processes + 1))
        local = slice(*next(shares))
        self._rows = _Rows(memory, local, learners[local])
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
            remedy = f"give a whole number, or one for each of {self.num_envs} matches"
            raise SeedError(f"invalid seed {short_repr(seed)}: {remedy}")
        self._all(_Rows.play, seeds)
        self._has_begun = True
        return self._pick("observation", "action_mask"), self._pick("seat", "rewards")

    @override
    def step(self, actions: Any) -> tuple[dict[str, Any], Any, Any, Any, dict[str, Any]]:
        arrays, numbers = self._arrays, np.asarray(actions)
        if not self._has_begun:
            raise TabletopError("the environment has no match yet: call reset first")
        if numbers.dtype.kind not in "iu":
            raise TypeError(f"actions must be whole numbers, not {short_repr(actions)}")
        if numbers.shape != (self.num_envs,):
            remedy = f"give one number for each of {self.num_envs} matches"
            raise ValueError(f"actions of shape {numbers.shape}: {remedy}")
        arrays["actions"][:] = numbers
        self._all(_Rows.play)
        observation = self._pick("observation", "action_mask")
        info = self._pick("seat", "rewards")
        return observation, arrays["reward"], arrays["over"], arrays["truncated"], info

    def _pick(self, *names: str) -> dict[str, Any]:
        return {name: self._arrays[name] for name in names}

    def _all(self, method: Callable[..., list[Learner]], *arguments: Any) -> list[Learner]:
        """Call a method of the rows in all processes at the same time, and join the results."""
        if self.closed:
            raise TabletopError("the environment is closed: create another one")
        try:
            for pipe, _ in self._others:
                pipe.send((method, arguments))
            try:
                results = method(self._rows, *arguments)
            finally:  # all answers must be read, or the next request would receive them
                answers = [pipe.recv() for pipe, _ in self._others]
        except (EOFError, OSError) as error:
            problem = "a worker process has died. A script that uses processes needs"
            raise TabletopError(f'{problem} `if __name__ == "__main__":`') from error
        for answer in answers:
            if isinstance(answer, Exception):
                raise answer
            results = results + answer
        return results

    @override
    def close_extras(self, **kwargs: Any) -> None:
        while self._others:
            pipe, process = self._others.pop()
            pipe.close()
            process.join()


def _memory(episodes: Episodes, rows: int) -> dict[str, Any]:
    """Allocate shared memory for the arrays, given the shape and type of each."""
    shapes: dict[str, tuple[tuple[int, ...], Any]] = {
        "observation": ((rows, episodes.encoder.size), np.float32),
        "action_mask": ((rows, episodes.index.size), np.int8),
        "rewards": ((rows, episodes.seats), np.float64),
        **dict.fromkeys(("over", "truncated"), ((rows,), np.bool_)),
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
        observations: Any = self._arrays["observation"]
        if learners and type(learners[0].episodes.encoder) is Encoder:
            observations = map(memoryview, observations)
        masks = [memoryview(mask).cast("B") for mask in self._arrays["action_mask"]]
        # The learners share their episodes, which are then pickled only once.
        twins = [learner.episodes.twin() for learner in learners]
        self._rows = list(zip(learners, twins, observations, masks, strict=True))

    def learners(self) -> list[Learner]:
        """Return the learner of each row."""
        return [learner for learner, *_ in self._rows]

    def play(self, seeds: Seeds | None = None) -> list[Learner]:
        """Play a step in each row, or begin matches with seeds, and return an empty list."""
        arrays = self._arrays
        fresh = None if seeds is None else seeds[self._share]
        ended = (arrays["over"] | arrays["truncated"]).tolist()
        for name in ("rewards", "reward", "over", "truncated"):
            arrays[name].fill(0)
        actions = arrays["actions"].tolist()
        for row, (learner, episodes, observation, mask) in enumerate(self._rows):
            if fresh is not None or ended[row]:
                learner.begin(None if fresh is None else fresh[row])
            else:
                seat = learner.seat
                rewards, over, truncated = learner.step(actions[row])
                if over or truncated:
                    arrays["over"][row], arrays["truncated"][row] = over, truncated
                if rewards:
                    arrays["rewards"][row], arrays["reward"][row] = rewards, rewards[seat]
            episodes.observe(learner.match, learner.seat, observation, mask)
        arrays["seat"][:] = [learner.seat for learner, *_ in self._rows]
        return []


def _work(
    pipe: Connection, memory: Mapping[str, Any], share: slice, learners: Sequence[Learner]
) -> None:
    """Run the methods that the other process requests, until it closes the pipe."""
    rows = _Rows(memory, share, learners)
    while True:
        try:
            method, arguments = pipe.recv()
        except (EOFError, KeyboardInterrupt):
            return
        try:
            answer = method(rows, *arguments)
        except Exception as error:
            answer = error
        pipe.send(answer)
