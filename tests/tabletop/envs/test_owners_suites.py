"""The suites of PettingZoo, Gymnasium and OpenSpiel pass for all games that list their actions."""

from __future__ import annotations

import warnings
from collections.abc import Iterable
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.envs.registration import EnvSpec
from gymnasium.utils.env_checker import check_env

from tabletop.envs import aec, parallel
from tests.tabletop.envs.games_to_learn import GAMES, title

with warnings.catch_warnings():
    # The suite imports one of PettingZoo's games in a deprecated way.
    warnings.simplefilter("ignore", DeprecationWarning)
    from pettingzoo.test import (
        api_test,
        parallel_api_test,
        parallel_seed_test,
        render_test,
        seed_test,
    )

pyspiel = pytest.importorskip("pyspiel")
spiel: Any = pytest.importorskip("tabletop.envs.spiel")
mcts: Any = pytest.importorskip("open_spiel.python.algorithms.mcts")

pytestmark = [
    pytest.mark.slow,
    # PettingZoo's `api_test` warns about every dictionary observation, unless the environment has
    # the name of one of PettingZoo's own games, such as connect_four_v3.
    pytest.mark.filterwarnings("ignore:Observation is not a NumPy array:UserWarning"),
    pytest.mark.filterwarnings("ignore:Observation space for each agent probably:UserWarning"),
    # The suite takes all-zero observations for a mistake, but rock, paper, scissors starts with
    # one.
    pytest.mark.filterwarnings("ignore:Observation numpy array is all zeros:UserWarning"),
]

FIRST = ("lcr", "hearts")
"""A game of chance, and one with hidden cards. `make matrix` plays all others."""


def with_marks(games: Iterable[str]) -> list[Any]:
    return [
        pytest.param(game, marks=() if title(game) in FIRST else pytest.mark.matrix, id=title(game))
        for game in games
    ]


every_game = pytest.mark.parametrize("game", with_marks(GAMES))


@every_game
def test_the_aec_suite_of_pettingzoo_passes(game: str) -> None:
    api_test(aec.Env(game), num_cycles=10)
    seed_test(lambda: aec.Env(game), num_cycles=10)


@every_game
def test_the_parallel_suite_of_pettingzoo_passes(game: str) -> None:
    parallel_api_test(parallel.Env(game), num_cycles=10)
    parallel_seed_test(lambda: parallel.Env(game), num_cycles=10)


# Other boards and editions of a game use the same picture, and drawing is slow.
VARIANTS = {"constructor-small", "constructor-square", "sorcery-2017"}


@pytest.mark.parametrize("game", with_marks(it for it in GAMES if it not in VARIANTS))
def test_every_render_mode_works(game: str) -> None:
    render_test(lambda **mode: aec.Env(game, **mode))


@every_game
def test_the_suite_of_gymnasium_passes(game: str) -> None:
    spec = EnvSpec(
        "tabletop/checked-v0", entry_point="tabletop.envs.gym:Env", kwargs={"game": game}
    )
    check_env(gymnasium.make(spec, bots="random").unwrapped)


@every_game
def test_the_suite_of_openspiel_passes(game: str) -> None:
    pyspiel.random_sim_test(spiel.load_game(game, max_plies=12), 1, True, False)


@every_game
def test_the_mcts_of_openspiel_plays(game: str) -> None:
    # OpenSpiel's Python search, because `pyspiel.MCTSBot` crashes on all Python games.
    known = spiel.load_game(game, max_plies=8)
    dice = np.random.RandomState(1)
    bot = mcts.MCTSBot(known, 2.0, 4, mcts.RandomRolloutEvaluator(1, dice), random_state=dice)
    state = known.new_initial_state()
    while not state.is_terminal():
        if state.is_chance_node():
            state.apply_action(state.chance_outcomes()[0][0])
        else:
            action = bot.step(state)
            assert action in state.legal_actions()
            state.apply_action(action)
    assert len(state.returns()) == known.num_players()
