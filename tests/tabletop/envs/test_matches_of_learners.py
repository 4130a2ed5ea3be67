"""Observations, rewards and steps follow the conventions of PettingZoo and Gymnasium."""

from __future__ import annotations

import dataclasses
from typing import Any

import gymnasium
import numpy as np
import pettingzoo
import pytest

from tabletop import Match, Random, RegistryError, TabletopError
from tabletop.envs import Episodes, aec, gym, parallel, vector
from tabletop.registry import load
from tests.tabletop.envs.games_to_learn import coin, every_game, example

TICTACTOE, DUEL = example("tictactoe"), example("simultaneous")


def play_in_turn(env: aec.Env, actions: list[int]) -> dict[str, float]:
    """Play actions, and return the final reward of each agent."""
    for action in actions:
        env.step(action)
    rewards = {}
    for agent in env.agent_iter():
        _, rewards[agent], *_ = env.last()
        env.step(None)
    return rewards


def test_the_winner_gets_one_and_the_loser_minus_one() -> None:
    env = aec.Env(TICTACTOE)
    env.reset()
    assert play_in_turn(env, [0, 3, 1, 4, 2]) == {"player_0": 1, "player_1": -1}


def test_a_draw_is_worth_nothing() -> None:
    env = aec.Env(TICTACTOE)
    env.reset()
    assert play_in_turn(env, [0, 1, 2, 4, 3, 5, 7, 6, 8]) == {"player_0": 0, "player_1": 0}


def test_an_illegal_action_ends_the_episode_with_a_reward_of_minus_one() -> None:
    env = aec.Env(TICTACTOE)
    env.reset()
    assert play_in_turn(env, [0, 0]) == {"player_0": 0, "player_1": -1}
    assert env.match.ply == 1


def test_points_can_be_the_rewards() -> None:
    env = aec.Env(example("kuhn_poker"), points=True)
    env.reset(seed=0)
    rewards = play_in_turn(env, [1, 1])
    assert sorted(rewards.values()) == [-2, 2]


def test_points_of_a_game_without_points_are_an_error() -> None:
    env = aec.Env(TICTACTOE, points=True)
    env.reset()
    with pytest.raises(TabletopError, match=r"\btictactoe .*\bpoints\b"):
        play_in_turn(env, [0, 3, 1, 4, 2])


def test_a_match_that_is_too_long_is_truncated_without_rewards() -> None:
    env = aec.Env(TICTACTOE, max_plies=2)
    env.reset()
    assert play_in_turn(env, [0, 1]) == {"player_0": 0, "player_1": 0}
    assert not env.agents
    single = gym.Env(TICTACTOE, bots="random", max_plies=2)
    single.reset(seed=1)
    _, reward, terminated, truncated, _ = single.step(int(np.flatnonzero(single.action_masks())[0]))
    assert (reward, terminated, truncated) == (0, False, True)


@pytest.mark.parametrize("number", [9, -1])
def test_an_invalid_action_index_is_an_error(number: int) -> None:
    env = aec.Env(TICTACTOE)
    env.reset()
    with pytest.raises(IndexError, match="0 to 8"):
        env.step(number)


def test_a_missing_action_is_an_error() -> None:
    env = aec.Env(TICTACTOE)
    env.reset()
    with pytest.raises(ValueError, match=r"^player_0 .*\bNone$"):
        env.step(None)


def test_later_agents_do_not_see_earlier_simultaneous_choices() -> None:
    env, other = aec.Env(DUEL), aec.Env(DUEL)
    for it, shape in ((env, 0), (other, 2)):
        it.reset(seed=1)
        it.step(shape)
        assert it.agent_selection == "player_1"
    (first, *_), (second, *_) = env.last(), other.last()
    assert np.array_equal(first["observation"], second["observation"])
    assert first["action_mask"].tolist() == [0, 0, 0, 1, 1, 1]


def test_an_action_of_another_seat_is_illegal_in_a_simultaneous_turn() -> None:
    env = aec.Env(DUEL)
    env.reset()
    assert play_in_turn(env, [3]) == {"player_0": -1, "player_1": 0}


def test_parallel_agents_play_a_round_in_one_step() -> None:
    env = parallel.Env(DUEL)
    env.reset(seed=1)
    env.step({"player_0": 0, "player_1": 5})
    assert env.match.ply == 2
    assert env.match.state.points == [1, 0]


def test_actions_of_waiting_parallel_agents_are_ignored() -> None:
    env = parallel.Env(TICTACTOE)
    observations, _ = env.reset()
    assert [observations[agent]["action_mask"].sum() for agent in env.agents] == [9, 0]
    env.step({"player_0": 4, "player_1": 4})
    assert env.match.ply == 1


def test_every_parallel_agent_with_an_illegal_action_gets_minus_one() -> None:
    env = parallel.Env(DUEL)
    env.reset()
    _, rewards, terminated, *_ = env.step({"player_0": 0, "player_1": 0})
    assert rewards == {"player_0": 0, "player_1": -1}
    assert all(terminated.values())
    assert not env.agents


def test_the_seed_determines_the_match_and_all_later_ones() -> None:
    envs = aec.Env("sorcery"), gym.Env("sorcery", bots="random")
    for env in envs:
        following = []
        for _ in range(2):
            env.reset(seed=7)
            assert env.match.seed == Match(load("sorcery").game, seed=7).seed
            env.reset()
            following.append(env.match.seed)
        assert following[0] == following[1]


def test_a_learner_plays_against_bots_from_its_own_seat() -> None:
    env = gym.Env(TICTACTOE, seat=1, bots="random")
    _, info = env.reset(seed=3)
    assert env.match.ply == 1
    assert info == {"seat": 1}
    env.step(int(np.flatnonzero(env.action_masks())[0]))
    assert env.match.ply == 3


def test_a_learner_can_get_a_random_seat_in_each_match() -> None:
    env = gym.Env(TICTACTOE, seat=None, bots="random")
    env.reset(seed=1)
    assert {env.reset()[1]["seat"] for _ in range(20)} == {0, 1}


def test_a_match_that_ends_before_the_learner_acts_is_skipped() -> None:
    env = gym.Env(coin(sides=2), seat=1, bots="random")
    seeds = set()
    for seed in range(10):
        env.reset(seed=seed)
        assert env.match.to_act == (1,)
        seeds.add(env.match.seed == Match(env.match.game, seed=seed).seed)
    assert seeds == {True, False}


def test_a_learner_that_never_gets_to_act_is_an_error() -> None:
    with pytest.raises(TabletopError, match=r"\bbefore the learner\b"):
        gym.Env(coin(sides=1), seat=1, bots="random").reset(seed=1)


@pytest.mark.parametrize(
    ("given", "error", "message"),
    [
        ({"seat": 2}, ValueError, "seat"),
        ({"bots": ["random", "random"]}, ValueError, r"^2 bots .*\b1 other seat:"),
        ({"bots": "nobody"}, RegistryError, "tictactoe .*'nobody'"),
        ({"seats": 3}, ValueError, "tictactoe .* 2 .* 3$"),
        ({"max_plies": 0}, ValueError, r"\bmax_plies .*\b1, not 0$"),
        ({"render_mode": "hologram"}, ValueError, r"\bhuman, ansi, rgb_array\b.*'hologram'"),
    ],
)
def test_invalid_settings_are_an_error(given: dict[str, Any], error: type, message: str) -> None:
    with pytest.raises(error, match=message):
        gym.Env(TICTACTOE, **given).reset()


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"num_envs": 0}, r"\bnum_envs and processes .*\b1, not 0 and \d+$"),
        ({"num_envs": 2, "processes": 0}, r"\bnum_envs and processes .*\b1, not 2 and 0$"),
    ],
)
def test_an_empty_vector_is_an_error(given: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        vector.Env(TICTACTOE, **given)


def test_environments_are_made_by_name() -> None:
    assert gymnasium.make("tabletop/sorcery-v0", bots="random").unwrapped.metadata["render_modes"]
    assert isinstance(pettingzoo.make("aec", "tabletop/lcr-v0"), aec.Env)
    assert isinstance(pettingzoo.make("parallel", "tabletop/lcr-v0"), parallel.Env)
    many = gymnasium.make_vec("tabletop/lcr-v0", 3, vectorization_mode="vector_entry_point")
    assert many.reset(seed=1)[0]["observation"].shape[0] == 3


def test_a_row_of_a_vector_equals_a_single_environment() -> None:
    many = vector.Env(TICTACTOE, 3, bots="random")
    alone = [gym.Env(TICTACTOE, bots="random") for _ in range(3)]
    observations, _ = many.reset(seed=5)
    single = [env.reset(seed=5 + row)[0] for row, env in enumerate(alone)]
    ended = [False] * 3
    for _ in range(20):
        for row in range(3):
            for name in ("observation", "action_mask"):
                assert np.array_equal(observations[name][row], single[row][name])
        actions = [int(np.flatnonzero([*mask, 1])[0]) % 9 for mask in observations["action_mask"]]
        observations, rewards, over, *_ = many.step(actions)
        for row, env in enumerate(alone):
            if ended[row]:
                (single[row], _), reward, ended[row] = env.reset(), 0.0, False
            else:
                single[row], reward, ended[row], *_ = env.step(actions[row])
            assert (rewards[row], over[row]) == (reward, ended[row])


def test_a_vector_uses_the_same_memory_at_every_step() -> None:
    env = vector.Env(TICTACTOE, 2, bots="random")
    first, _ = env.reset(seed=1)
    then, *_ = env.step([0, 1])
    assert first["observation"] is then["observation"]


def test_a_custom_encoder_writes_into_the_rows_of_a_vector() -> None:
    class Turn:
        size, low, high = 2, (0, 0), (1, 9)

        def encode(self, view: Any, seat: int | None, out: Any) -> None:
            out[:] = 0
            out[1:] = [view.cells.count(".")]

    env = vector.Env(dataclasses.replace(load(TICTACTOE), encoder=Turn()), 2, bots=())
    env.reset()
    observations, *_ = env.step([0, 1])
    assert observations["observation"].tolist() == [[0, 8]] * 2


def test_a_learner_that_plays_all_seats_gets_all_rewards() -> None:
    env = vector.Env(TICTACTOE, 1, bots=())
    _, info = env.reset()
    seats = []
    for action in (0, 3, 1, 4, 2):
        seats.append(int(info["seat"][0]))
        _, rewards, over, _, info = env.step([action])
    assert seats == [0, 1, 0, 1, 0]
    assert (rewards.tolist(), over.tolist()) == ([1], [True])
    assert info["rewards"].tolist() == [[1, -1]]


@pytest.mark.slow
def test_a_vector_with_processes_plays_the_same_matches() -> None:
    first, second = (vector.Env(TICTACTOE, 4, bots=(), processes=number) for number in (1, 2))
    try:
        (observations, _), (other, _) = first.reset(seed=3), second.reset(seed=3)
        for _ in range(12):
            assert np.array_equal(observations["observation"], other["observation"])
            actions = observations["action_mask"].argmax(1)
            first.step(actions)
            second.step(actions)
        for wrong in ([0, 0, 9, 9], [9, 9, 0, 0]):
            with pytest.raises(IndexError, match="0 to 8"):
                second.step(wrong)
            (observations, _), (other, _) = first.reset(seed=3), second.reset(seed=3)
            assert np.array_equal(observations["observation"], other["observation"])
        second._others[0][1].terminate()
        second._others[0][1].join()
        with pytest.raises(TabletopError, match="has died"):
            second.step([0, 0, 0, 0])
    finally:
        second.close()


def test_settings_can_be_pickled() -> None:
    import pickle

    episodes = Episodes("sorcery", max_plies=9, points=True)
    twin = pickle.loads(pickle.dumps(episodes))
    assert (twin.max_plies, twin.points, twin.index.size) == (9, True, episodes.index.size)


def test_render_modes_give_the_text_view_and_the_picture(
    capsys: pytest.CaptureFixture[str],
) -> None:
    for mode in ("ansi", "human", "rgb_array", None):
        env = aec.Env(TICTACTOE, render_mode=mode)
        env.reset()
        shown = env.render()
        if mode == "rgb_array":
            assert shown.shape[2] == 3
            assert shown.std() > 0
        else:
            assert shown == (". . .\n. . .\n. . ." if mode == "ansi" else None)
    assert capsys.readouterr().out.count(". . .") == 6


@every_game
def test_a_glance_equals_the_view(game: str) -> None:
    match = Episodes(game).begin(1)
    random = [Random(seat) for seat in range(match.seats)]
    for seat, player in enumerate(random):
        match.set_player(seat, player)
    for _ in range(10):
        match.run(7)
        before = match.digest()
        for watcher in (None, *range(match.seats)):
            assert match.game.glance(match.state, watcher) == match.view(watcher)
        assert match.digest() == before


def test_random_agents_of_a_bundled_game_reach_its_end() -> None:
    env = aec.Env("lcr")
    env.reset(seed=2)
    while env.agents:
        observations, _, terminated, *_ = env.last()
        env.step(None if terminated else int(observations["action_mask"].argmax()))
    outcome = env.match.outcome
    assert outcome is not None
    assert outcome.winners
    assert Match(env.match.game, seed=2, seats=3, players=[Random(1)] * 3).run() == outcome
