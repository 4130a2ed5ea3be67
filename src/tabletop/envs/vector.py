"""Many matches of a game at once, as a vector environment of Gymnasium.

    from tabletop.envs import vector
    env = vector.Env("sorcery", num_envs=64, processes=2)

Every match has a row in arrays that are made once, and written into at each step.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from ctypes import c_byte
from itertools import pairwise
from math import prod
from multiprocessing import get_context
from multiprocessing.connection import Connection
from typing import Any, TypeAlias

import numpy as np
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from typing_extensions import override

from tabletop.envs.encoding import Encoder
from tabletop.envs.episodes import METADATA, Episodes
from tabletop.envs.gym import Bots, Learner
from tabletop.errors import TabletopError
from tabletop.registry import Plugin
from tabletop.states.bounds import Seat

Seeds: TypeAlias = Sequence[int | None]
"""A seed for each environment; None draws a fresh one."""


class Env(VectorEnv[dict[str, Any], Any, Any]):
    """It returns the same arrays each time, with a row for each match: copy what you keep.

    A match that has ended shows its last position; the next step begins another match in its row,
    whatever action is given (`AutoresetMode.NEXT_STEP`).

    Info has `seat`, the seat that each row's observation is for, and `rewards`, those of all seats:
    with `bots=()`, where a learner plays for all seats, it sees there what each of them got.

    It is made with the arguments of `tabletop.envs.gym.Env`, and these:

    Args:
        game: the game.
        num_envs: the number of matches.
        processes: how many processes share the matches; this is one of them.

    Raises:
        TabletopError: a process that shares the matches has ended (from `reset` and `step`).
        ValueError: there is no match or no process; or as the others say.
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
        context, memory = get_context("spawn"), _memory(episodes, num_envs)
        self._arrays, making = _arrays(memory), (episodes, seat, bots)
        shares = pairwise(num_envs * part // processes for part in range(processes + 1))
        self._rows = _Rows(memory, slice(*next(shares)), making)
        self._others: list[tuple[Connection, Any]] = []
        for share in shares:
            ours, theirs = context.Pipe()
            arguments = theirs, memory, slice(*share), making
            process = context.Process(target=_work, args=arguments, daemon=True)
            self._others.append((ours, process))
            process.start()
            theirs.close()

    @override
    def reset(self, *, seed: Any = None, options: dict[str, Any] | None = None) -> Any:
        rows = range(self.num_envs)
        seeds = [None] * self.num_envs if seed is None else seed
        self._all([seeds + row for row in rows] if isinstance(seeds, int) else seeds)
        return self._pick("observation", "action_mask"), self._pick("seat", "rewards")

    @override
    def step(self, actions: Any) -> tuple[dict[str, Any], Any, Any, Any, dict[str, Any]]:
        arrays = self._arrays
        arrays["actions"][:] = actions
        self._all(None)
        seen, info = self._pick("observation", "action_mask"), self._pick("seat", "rewards")
        return seen, arrays["reward"], arrays["over"], arrays["cut"], info

    def _pick(self, *names: str) -> dict[str, Any]:
        return {name: self._arrays[name] for name in names}

    def _all(self, seeds: Seeds | None) -> None:
        """Play a step in all rows, or begin all matches, in all processes at the same time."""
        try:
            for pipe, _ in self._others:
                pipe.send(seeds)
            try:
                self._rows.play(seeds)
            finally:  # every answer is taken, or else it would be that to the next question
                errors = [pipe.recv() for pipe, _ in self._others]
        except (EOFError, OSError) as error:
            what = "a process that shares the matches has ended; programs with processes need"
            raise TabletopError(f'{what} `if __name__ == "__main__":`') from error
        for found in filter(None, errors):
            raise found

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

    def __init__(self, memory: Mapping[str, Any], share: slice, making: Any) -> None:
        self._share, (episodes, seat, bots) = share, making
        self._arrays = {name: whole[share] for name, whole in _arrays(memory).items()}
        seen: Any = self._arrays["observation"]
        if type(episodes.encoder) is Encoder:
            seen = map(memoryview, seen)
        masks = [memoryview(mask).cast("B") for mask in self._arrays["action_mask"]]
        self._rows = [
            (Learner(episodes.twin(), seat, bots), *it) for it in zip(seen, masks, strict=True)
        ]

    def play(self, seeds: Seeds | None) -> None:
        """Play a step in each row, or begin all matches."""
        arrays = self._arrays
        fresh = None if seeds is None else seeds[self._share]
        ended = (arrays["over"] | arrays["cut"]).tolist()
        for name in ("rewards", "reward", "over", "cut"):
            arrays[name].fill(0)
        actions = arrays["actions"].tolist()
        for row, (learner, seen, mask) in enumerate(self._rows):
            if fresh is not None or ended[row]:
                learner.begin(None if fresh is None else fresh[row])
            else:
                seat = learner.seat
                rewards, over, cut = learner.step(actions[row])
                if over or cut:
                    arrays["over"][row], arrays["cut"][row] = over, cut
                if rewards:
                    arrays["rewards"][row], arrays["reward"][row] = rewards, rewards[seat]
            learner.episodes.observe(learner.match, learner.seat, seen, mask)
        arrays["seat"][:] = [learner.seat for learner, *_ in self._rows]


def _work(pipe: Connection, memory: Mapping[str, Any], share: slice, making: Any) -> None:
    """Play some rows whenever asked to, until the other process hangs up."""
    rows = _Rows(memory, share, making)
    while True:
        try:
            seeds = pipe.recv()
        except (EOFError, KeyboardInterrupt):
            return
        error = None
        try:
            rows.play(seeds)
        except Exception as caught:
            error = caught
        pipe.send(error)
