"""The faction and the role of each agent at the end of an episode."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from tabletop.envs import aec, gym, parallel
from tabletop.registry import Plugin
from tests.tabletop.games.missions import GAME, SPIES

PLUGIN = Plugin(GAME)


def check(infos: Sequence[Mapping[str, Any]], roles: Sequence[str]) -> None:
    for info, role in zip(infos, roles, strict=True):
        assert info["role"] == role
        assert info["faction"] == ("spies" if role in SPIES else "loyal")


def test_agents_in_turn_learn_their_faction_and_role_at_the_end() -> None:
    env = aec.Env(PLUGIN, seats=3)
    env.reset(seed=1)
    assert not any(env.infos.values())
    while not any(env.terminations.values()):
        env.step(0)
    check([env.infos[agent] for agent in env.possible_agents], env.match.state.roles)


def test_agents_at_once_learn_their_faction_and_role_at_the_end() -> None:
    env = parallel.Env(PLUGIN, seats=3)
    env.reset(seed=1)
    infos: dict[str, Any] = {}
    while env.agents:
        assert not any(infos.values())
        *_, infos = env.step(dict.fromkeys(env.agents, 0))
    check([infos[agent] for agent in env.possible_agents], env.match.state.roles)


def test_a_learner_learns_its_faction_and_role_at_the_end() -> None:
    env = gym.Env(PLUGIN, seats=3)
    env.reset(seed=1)
    over, info = False, dict[str, Any]()
    while not over:
        assert "role" not in info
        _, _, over, _, info = env.step(0)
    check([info], env.match.state.roles[:1])


@pytest.mark.parametrize("seats", [3, 5])
def test_an_openspiel_state_names_factions_and_roles_at_the_end(seats: int) -> None:
    game = pytest.importorskip("tabletop.envs.spiel").load_game(PLUGIN, seats=seats)
    state = game.new_initial_state()
    while not state.is_terminal():
        assert not any(state.infos())
        state.apply_action(state.legal_actions()[0])
    check(state.infos(), state.node.state.roles)
    assert sum(state.returns()) == pytest.approx(0)
    assert len(set(state.returns())) == 2


@pytest.mark.parametrize("seats", [3, 5])
def test_rewards_of_teams_sum_to_zero(seats: int) -> None:
    env = parallel.Env(PLUGIN, seats=seats)
    env.reset(seed=1)
    rewards: dict[str, float] = {}
    while env.agents:
        _, rewards, *_ = env.step(dict.fromkeys(env.agents, 0))
    assert sum(rewards.values()) == pytest.approx(0)
    assert len(set(rewards.values())) == 2
