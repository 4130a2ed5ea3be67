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

from tabletop.envs.episodes import METADATA, Episodes
from tabletop.envs.gym import Learner
from tabletop.outcome import Seat
from tabletop.registry import Plugin

Seeds: TypeAlias = Sequence[int | None]


class Env(VectorEnv[dict[str, Any], Any, Any]):
    """A Gymnasium vector environment. It returns the same arrays each time: copy what you keep.

    A match that has ended shows its last position; the next step begins another match in its row,
    whatever action is given (`AutoresetMode.NEXT_STEP`).

    Info has `seat`, the seat that each row's observation is for, and `rewards`, those of all seats:
    with `bots=()`, where a learner plays for all seats, it sees there what each of them got.

    Args:
        game: an installed name, `module:NAME`, a path to a `.py` file, or a loaded plugin.
        num_envs: the number of matches.
        seat: the seat of the learner; see `tabletop.envs.gym.Learner`.
        bots: the bots of the other seats.
        processes: how many processes share the matches; this is one of them.
        settings: keyword arguments of `tabletop.envs.episodes.Episodes`.
    """

    metadata = METADATA | {"autoreset_mode": AutoresetMode.NEXT_STEP}

    def __init__(
        self,
        game: str | Plugin,
        num_envs: int = 1,
        *,
        seat: Seat | None = 0,
        bots: str | Sequence[str] | None = None,
        processes: int = 1,
        **settings: Any,
    ) -> None:
        self.num_envs, episodes = num_envs, Episodes(game, **settings)
        self.single_observation_space, self.single_action_space = episodes.spaces()
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        table = _Table(episodes, num_envs)
        self._arrays = arrays = table.arrays()
        self._seen = {name: arrays[name] for name in ("observation", "action_mask")}
        self._info = {name: arrays[name] for name in ("seat", "rewards")}
        shares = list(pairwise(num_envs * part // processes for part in range(processes + 1)))
        self._rows = _Rows(arrays, shares[0], (episodes, seat, bots))
        self._others: list[tuple[Connection, Any]] = []
        context = get_context("spawn")
        for share in shares[1:]:
            ours, theirs = context.Pipe()
            arguments = theirs, table, share, (episodes, seat, bots)
            self._others.append((ours, context.Process(target=_work, args=arguments, daemon=True)))
            self._others[-1][1].start()
            theirs.close()

    @override
    def reset(
        self, *, seed: int | Seeds | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        seeds = [None] * self.num_envs if seed is None else seed
        self._all(
            [seeds + row for row in range(self.num_envs)] if isinstance(seeds, int) else seeds
        )
        return self._seen, self._info

    @override
    def step(self, actions: Any) -> tuple[dict[str, Any], Any, Any, Any, dict[str, Any]]:
        arrays = self._arrays
        arrays["actions"][:] = actions
        self._all(None)
        return self._seen, *(arrays[it] for it in ("reward", "over", "cut")), self._info

    def _all(self, seeds: Seeds | None) -> None:
        """Play a step in all rows, or begin all matches, in all processes at the same time."""
        for pipe, _ in self._others:
            pipe.send(seeds)
        self._rows.play(seeds)
        for pipe, _ in self._others:
            if (error := pipe.recv()) is not None:
                raise error

    @override
    def close_extras(self, **kwargs: Any) -> None:
        while self._others:
            pipe, process = self._others.pop()
            pipe.close()
            process.join()


class _Table:
    """The memory of the arrays, which processes share."""

    def __init__(self, episodes: Episodes, rows: int) -> None:
        self._shapes: dict[str, tuple[tuple[int, ...], Any]] = {
            "observation": ((rows, episodes.encoder.size), np.float32),
            "action_mask": ((rows, episodes.index.size), np.int8),
            "rewards": ((rows, episodes.seats), np.float64),
            "reward": ((rows,), np.float64),
            "over": ((rows,), np.bool_),
            "cut": ((rows,), np.bool_),
            "actions": ((rows,), np.int64),
            "seat": ((rows,), np.int64),
        }
        sizes = {
            name: prod(it) * np.dtype(kind).itemsize for name, (it, kind) in self._shapes.items()
        }
        make = get_context("spawn").RawArray
        self._memory: dict[str, Any] = {name: make(c_byte, size) for name, size in sizes.items()}

    def arrays(self) -> dict[str, Any]:
        shapes = self._shapes.items()
        return {
            it: np.frombuffer(self._memory[it], kind).reshape(shape) for it, (shape, kind) in shapes
        }


class _Rows:
    """The matches of some rows."""

    def __init__(self, arrays: Mapping[str, Any], share: tuple[int, int], making: Any) -> None:
        episodes, seat, bots = making
        self._share = slice(*share)
        self._arrays = {name: whole[self._share] for name, whole in arrays.items()}
        seen, masks = self._arrays["observation"], self._arrays["action_mask"]
        self._rows = [
            (number, Learner(episodes, seat, bots), *both)
            for number, both in enumerate(zip(seen, masks, strict=True))
        ]

    def play(self, seeds: Seeds | None) -> None:
        """Play a step in each row, or begin all matches."""
        arrays = self._arrays
        fresh = None if seeds is None else seeds[self._share]
        ended = (arrays["over"] | arrays["cut"]).tolist()
        for name in ("rewards", "reward", "over", "cut"):
            arrays[name].fill(0)
        actions, seats = arrays["actions"].tolist(), arrays["seat"]
        for row, learner, seen, mask in self._rows:
            if fresh is not None or ended[row]:
                learner.begin(None if fresh is None else fresh[row])
            else:
                seat = learner.seat
                rewards, over, cut = learner.step(actions[row])
                if over:
                    arrays["over"][row] = True
                    arrays["rewards"][row], arrays["reward"][row] = rewards, rewards[seat]
                elif cut:
                    arrays["cut"][row] = True
            learner.episodes.observe(learner.match, learner.seat, seen, mask)
            seats[row] = learner.seat


def _work(pipe: Connection, table: _Table, share: tuple[int, int], making: Any) -> None:
    """Play some rows whenever asked to, until the other process hangs up."""
    rows = _Rows(table.arrays(), share, making)
    while True:
        try:
            seeds = pipe.recv()
        except (EOFError, KeyboardInterrupt):
            return
        try:
            rows.play(seeds)
        except Exception as error:
            pipe.send(error)
        else:
            pipe.send(None)
