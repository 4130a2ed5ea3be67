"""A wrong call of an environment raises an error at once, and changes nothing."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from tabletop import SeedError, TabletopError
from tabletop.envs import Episodes, aec, gym, parallel, vector
from tabletop.registry import load
from tests.tabletop.envs.games_to_learn import example

TICTACTOE = example("tictactoe")

MAKERS: dict[str, Callable[[], Any]] = {
    "aec": lambda: aec.Env(TICTACTOE),
    "gym": lambda: gym.Env(TICTACTOE, bots="random"),
    "parallel": lambda: parallel.Env(TICTACTOE),
    "vector": lambda: vector.Env(TICTACTOE, 2, bots="random"),
}


def step(env: Any, action: Any) -> Any:
    """Pass one action to an environment, in the form of its kind."""
    if isinstance(env, parallel.Env):
        return env.step(dict.fromkeys(env.possible_agents, action))
    return env.step([action, action] if isinstance(env, vector.Env) else action)


def plies(env: Any) -> int:
    """Return the number of actions in the first match of a vector."""
    learner = env._rows.learners()[0] if isinstance(env, vector.Env) else env
    return int(learner.match.ply)


@pytest.mark.parametrize("kind", MAKERS)
def test_a_step_before_the_first_reset_is_an_error(kind: str) -> None:
    with pytest.raises(TabletopError, match="reset"):
        step(MAKERS[kind](), 0)


def test_rules_without_a_plugin_are_refused_with_the_remedy() -> None:
    rules: Any = load(TICTACTOE).game
    with pytest.raises(TypeError, match=r"Plugin\(TicTacToe\(\)\)"):
        Episodes(rules)


@pytest.mark.parametrize("kind", ["aec", "gym", "parallel"])
def test_rendering_before_the_first_reset_is_an_error(kind: str) -> None:
    env = MAKERS[kind]()
    with pytest.raises(TabletopError, match="reset"):
        env.render()


def test_a_mask_before_the_first_reset_is_an_error() -> None:
    with pytest.raises(TabletopError, match="reset"):
        gym.Env(TICTACTOE).action_masks()


@pytest.mark.parametrize("action", [4.0, "4", np.float32(4), [4]])
@pytest.mark.parametrize("kind", MAKERS)
def test_an_action_that_is_not_a_whole_number_is_an_error(kind: str, action: Any) -> None:
    env = MAKERS[kind]()
    env.reset(seed=1)
    with pytest.raises((TypeError, ValueError), match="number"):
        step(env, action)
    assert plies(env) == 0


@pytest.mark.parametrize("action", [-1, 9])
@pytest.mark.parametrize("kind", MAKERS)
def test_an_invalid_action_index_is_an_error_in_every_environment(kind: str, action: int) -> None:
    env = MAKERS[kind]()
    env.reset(seed=1)
    with pytest.raises(IndexError, match="0 to 8"):
        step(env, action)


@pytest.mark.parametrize("action", [np.int64(4), np.uint8(4), np.array(4)])
@pytest.mark.parametrize("kind", MAKERS)
def test_numpy_numbers_are_accepted_as_actions(kind: str, action: Any) -> None:
    env = MAKERS[kind]()
    env.reset(seed=1)
    step(env, action)
    assert plies(env) > 0


@pytest.mark.parametrize("actions", [3, [1], [1, 2, 3], [[1, 2]]])
def test_a_vector_needs_one_action_per_match(actions: Any) -> None:
    env = MAKERS["vector"]()
    env.reset(seed=1)
    with pytest.raises(ValueError, match="2 matches"):
        env.step(actions)


@pytest.mark.parametrize("seed", [1.5, b"x", True])
@pytest.mark.parametrize("kind", ["aec", "parallel", "vector"])
def test_a_seed_that_is_not_a_whole_number_is_an_error(kind: str, seed: Any) -> None:
    with pytest.raises(SeedError, match="whole number"):
        MAKERS[kind]().reset(seed=seed)


@pytest.mark.parametrize("seeds", [[1], [1, 2, 3], [1.5, 2.5]])
def test_a_vector_needs_one_seed_per_match(seeds: Any) -> None:
    with pytest.raises(SeedError):
        MAKERS["vector"]().reset(seed=seeds)


def test_a_vector_accepts_numpy_seeds() -> None:
    env = MAKERS["vector"]()
    first = env.reset(seed=3)[0]["observation"].tolist()
    assert env.reset(seed=np.int64(3))[0]["observation"].tolist() == first
    assert env.reset(seed=np.array([3, 4]))[0]["observation"].tolist() == first


def assert_over(env: Any) -> None:
    """Check that another step raises an error and plays nothing until a reset."""
    ply = plies(env)
    for _ in range(2):
        with pytest.raises(TabletopError, match=r"over.*reset"):
            step(env, 5)
    assert plies(env) == ply
    env.reset()
    assert plies(env) == 0


def test_a_single_environment_refuses_a_step_after_the_end() -> None:
    env = MAKERS["gym"]()
    env.reset(seed=1)
    over = False
    while not over:
        _, _, over, _, _ = env.step(int(np.flatnonzero(env.action_masks())[0]))
    assert_over(env)


def test_a_single_environment_refuses_a_step_after_an_illegal_action() -> None:
    env = gym.Env(TICTACTOE, bots=())
    env.reset()
    env.step(0)
    assert env.step(0)[1:3] == (-1.0, True)
    assert_over(env)


def test_a_single_environment_refuses_a_step_after_a_truncation() -> None:
    env = gym.Env(TICTACTOE, bots=(), max_plies=1)
    env.reset()
    env.step(0)
    assert_over(env)


def test_a_parallel_environment_refuses_a_step_after_the_end() -> None:
    env = MAKERS["parallel"]()
    env.reset()
    for action in (0, 3, 1, 4, 2):
        step(env, action)
    assert_over(env)


def test_an_aec_environment_refuses_a_step_after_the_last_turn() -> None:
    env = MAKERS["aec"]()
    env.reset()
    for action in (0, 3, 1, 4, 2, None, None):
        env.step(action)
    assert_over(env)


@pytest.mark.parametrize("given", [{"seats": 2.0}, {"seats": True}, {"max_plies": 1.5}])
def test_settings_that_are_not_whole_numbers_are_an_error(given: dict[str, Any]) -> None:
    with pytest.raises(TypeError):
        Episodes(TICTACTOE, **given)
