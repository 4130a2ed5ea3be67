"""Environments can be copied and pickled with their bots, and the copies continue equally."""

from __future__ import annotations

import copy
import pickle
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tabletop import TabletopError
from tabletop.envs import aec, gym, parallel, vector
from tests.pages import unmeasured
from tests.tabletop.envs.games_to_learn import coin, example

HEARTS = example("hearts")
WAYS: dict[str, Callable[[Any], Any]] = {
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
    "pickle": lambda env: pickle.loads(pickle.dumps(env)),
}


def first(mask: Any) -> int:
    """Return the first legal action."""
    return int(np.flatnonzero(mask)[0])


def play_single(env: gym.Env) -> list[Any]:
    """Return the observations and rewards of 5 steps, possibly in two matches."""
    results: list[Any] = []
    for _ in range(5):
        observation, reward, over, cut, info = env.step(first(env.action_masks()))
        results += [observation["observation"].tolist(), reward, over, info]
        if over or cut:
            observation, info = env.reset()
            results += [observation["observation"].tolist(), info]
    return results


def play_many(env: vector.Env) -> list[Any]:
    """Return the arrays of a vector in 9 steps."""
    results: list[Any] = []
    actions = [0] * env.num_envs
    for _ in range(9):
        observation, rewards, over, cut, info = env.step(actions)
        actions = [first([*mask, 1]) % mask.size for mask in observation["action_mask"]]
        arrays = (observation["observation"], rewards, over, cut, info["seat"], info["rewards"])
        results += [array.tolist() for array in arrays]
    return results


def play_in_turn(env: aec.Env) -> list[Any]:
    """Return the observations and rewards of the agents in 30 steps, in two matches."""
    results: list[Any] = []
    for _ in range(30):
        if not env.agents:
            env.reset()
        observation, reward, over, cut, _ = env.last()
        results += [env.agent_selection, observation["observation"].tolist(), reward]
        env.step(None if over or cut else first(observation["action_mask"]))
    return results


def play_at_once(env: parallel.Env, masks: dict[str, Any]) -> list[Any]:
    """Return the observations and rewards of the agents in 10 steps."""
    results: list[Any] = []
    for _ in range(10):
        actions = {agent: first([*mask, 1]) % mask.size for agent, mask in masks.items()}
        observation, rewards, *_ = env.step(actions)
        masks = {agent: it["action_mask"] for agent, it in observation.items()}
        results += [[it["observation"].tolist() for it in observation.values()], rewards]
    return results


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("settings", [{}, {"seat": None}, {"bots": "random"}])
def test_a_copy_of_a_single_environment_continues_with_its_bots(
    way: str, settings: dict[str, Any]
) -> None:
    env = gym.Env("sorcery", **{"bots": "duelist", "max_plies": 9, **settings})
    env.reset(seed=3)
    env.step(first(env.action_masks()))
    twin = WAYS[way](env)
    assert twin.match.players.count(None) == 1
    before = twin.match.digest()
    expected = play_single(env)
    assert twin.match.digest() == before
    assert play_single(twin) == expected


@pytest.mark.parametrize("way", WAYS)
def test_a_copy_made_before_the_first_match_begins_its_own_match(way: str) -> None:
    env = gym.Env("lcr", bots="random")
    twin = WAYS[way](env)
    for it in (env, twin):
        it.reset(seed=5)
    assert play_single(twin) == play_single(env)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("bots", ["duelist", ()])
def test_a_copy_of_a_vector_continues_in_arrays_of_its_own(way: str, bots: Any) -> None:
    env = vector.Env("sorcery", 3, bots=bots, max_plies=12)
    env.reset(seed=3)
    play_many(env)
    twin = WAYS[way](env)
    assert play_many(twin) == play_many(env)


@pytest.mark.slow
def test_a_copy_of_a_vector_in_several_processes_continues_in_its_own() -> None:
    env = vector.Env("sorcery", 3, bots="duelist", max_plies=12, processes=2)
    env.reset(seed=3)
    env.step([0, 0, 0])
    twin = copy.deepcopy(env)
    try:
        expected = play_many(env)
        env.close()
        assert play_many(twin) == expected
        with pytest.raises(TabletopError, match="closed"):
            env.step([0, 0, 0])
    finally:
        env.close()
        twin.close()


@pytest.mark.parametrize("way", WAYS)
def test_a_copy_of_an_aec_environment_continues_in_the_same_way(way: str) -> None:
    env = aec.Env("sorcery", max_plies=20)
    env.reset(seed=3)
    play_in_turn(env)
    twin = WAYS[way](env)
    assert play_in_turn(twin) == play_in_turn(env)


@pytest.mark.slow
@pytest.mark.parametrize("way", WAYS)
def test_a_copy_of_a_parallel_environment_continues_in_the_same_way(way: str) -> None:
    env = parallel.Env(HEARTS)
    observation, _ = env.reset(seed=3)
    twin = WAYS[way](env)
    masks = {agent: it["action_mask"] for agent, it in observation.items()}
    assert play_at_once(twin, masks) == play_at_once(env, masks)


FACTORIES = {
    "by name": "gymnasium.make('tabletop.envs.gym:tabletop/lcr-v0', bots='random')",
    "by class": "tabletop.envs.gym.Env('lcr', bots='random')",
}
SPAWNED = """
import gymnasium
import tabletop.envs.gym
from gymnasium.vector import AsyncVectorEnv
env = AsyncVectorEnv([lambda: {factory}] * 2, context="spawn")
seen, info = env.reset(seed=1)
print(seen["action_mask"].sum(), info["seat"].tolist())
env.close()
"""
NOTEBOOK = """
import sys, nbformat
from nbclient import NotebookClient
notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(sys.argv[1])])
NotebookClient(notebook, timeout=100, kernel_name="python3").execute()
print(*(output["text"] for output in notebook.cells[0]["outputs"]))
"""


def run(folder: Path, *arguments: str) -> str:
    """Run code on Python's command line, and return its output."""
    places = {"JUPYTER_RUNTIME_DIR": str(folder), "IPYTHONDIR": str(folder), "HOME": str(folder)}
    done = subprocess.run(
        [sys.executable, "-c", *arguments],
        cwd=folder,
        env={**unmeasured(), **places},
        capture_output=True,
        encoding="utf-8",
        timeout=100,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


@pytest.mark.slow
@pytest.mark.parametrize("factory", ["by name", pytest.param("by class", marks=pytest.mark.matrix)])
def test_gymnasium_processes_work_with_code_on_the_command_line(
    factory: str, tmp_path: Path
) -> None:
    assert run(tmp_path, SPAWNED.format(factory=FACTORIES[factory])) == "2 [0, 0]"


@pytest.mark.slow
@pytest.mark.matrix
def test_gymnasium_processes_work_in_a_notebook(tmp_path: Path) -> None:
    cell = SPAWNED.format(factory=FACTORIES["by name"])
    assert run(tmp_path, NOTEBOOK, cell) == "2 [0, 0]"


@pytest.mark.slow
def test_a_vector_with_processes_works_with_code_on_the_command_line(tmp_path: Path) -> None:
    code = """
from tabletop.envs import vector
env = vector.Env("lcr", 4, bots="random", processes=2)
print(env.reset(seed=1)[0]["action_mask"].sum())
env.close()
"""
    assert run(tmp_path, code) == "4"


def test_an_environment_of_a_game_defined_in_code_can_be_copied() -> None:
    env = gym.Env(coin(sides=2), seat=1, bots="random")
    env.reset(seed=1)
    assert copy.deepcopy(env).step(0)[1:] == env.step(0)[1:]
