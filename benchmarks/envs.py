"""Learning environments: steps per second, compared with other libraries.

Agents choose random legal actions, as in PettingZoo's own benchmark. A step is one action of one
agent. In a vector environment, a step counts once per match.
"""

from __future__ import annotations

import logging
import random
from collections.abc import Callable, Iterator, Mapping
from time import perf_counter
from typing import Any

from benchmarks.common import ROOT, Contender, Row, Target, optional_module, race

TITLE = "Learning environments: steps of random agents, with observations and masks"

STEPS = "steps/s"
WRAPPED, RAW = "PettingZoo tictactoe_v3, wrapped", "PettingZoo connect_four_v3, raw"
TICTACTOE = str(ROOT / "examples" / "tictactoe.py")
CONNECT_FOUR = str(ROOT / "benchmarks" / "connect_four.py")
OURS = {
    "tic-tac-toe": (TICTACTOE, WRAPPED, Target(2, at_least=True)),
    "Connect Four": (CONNECT_FOUR, RAW, Target(4.5, at_least=True)),
    "Sorcery": ("sorcery", RAW, Target(1.5, at_least=True)),
    "Constructor": ("constructor", RAW, Target(1.6, at_least=True)),
}
SPIEL, OUR_SPIEL = "OpenSpiel python_tic_tac_toe", "tic-tac-toe, as a game of OpenSpiel"
MATCHES, TWICE, FOUR_TIMES = 64, Target(2, at_least=True), Target(4, at_least=True)


def run(seconds: float) -> Iterator[Row]:
    """Race agent environments, then OpenSpiel games, then vectors against one environment."""
    if optional_module("pettingzoo") is None:
        yield Row("learning environments", note="the extra `envs` is not installed")
        return
    from tabletop.envs import aec

    contenders = {name: stepper(aec.Env(game)) for name, (game, *_) in OURS.items()}
    result = race({**owners_games(), **contenders}, seconds)
    for name in set(result.speeds) - set(OURS):
        yield Row(name, result.speed(name), STEPS)
    for name, (_, other, target) in OURS.items():
        known = other in result.speeds
        ratio = result.ratio(name, other) if known else None
        yield Row(name, result.speed(name), STEPS, ratio, f"of {other}", target if known else None)
    yield from spiel_rows(seconds)
    for name, (game, *_) in OURS.items():
        yield from vector_rows(name, game, seconds)


def owners_games() -> Mapping[str, Contender]:
    """Return PettingZoo's games, or nothing if pygame is missing, which they import."""
    connect_four = optional_module("pettingzoo.classic.connect_four.connect_four")
    tictactoe = optional_module("pettingzoo.classic.tictactoe.tictactoe")
    if connect_four is None or tictactoe is None:
        return {}
    logging.getLogger("pettingzoo").setLevel(logging.ERROR)
    return {WRAPPED: stepper(tictactoe.env()), RAW: stepper(connect_four.raw_env())}


def stepper(env: Any) -> Contender:
    """Return a contender that plays steps of random agents, match after match."""
    import numpy as np

    env.reset(seed=1)

    def play(steps: int) -> int:
        for _ in range(steps):
            observation, _, terminated, truncated, _ = env.last()
            if terminated or truncated:
                env.reset()
                observation, *_ = env.last()
            env.step(random.choice(np.flatnonzero(observation["action_mask"]).tolist()))
        return steps

    return play


def spiel_rows(seconds: float) -> Iterator[Row]:
    """Race tic-tac-toe as an OpenSpiel game against OpenSpiel's own Python version."""
    pyspiel = optional_module("pyspiel")
    if pyspiel is None:
        yield Row(OUR_SPIEL, note="OpenSpiel is not installed")
        return
    optional_module("open_spiel.python.games")  # registers the Python games
    from tabletop.envs import spiel

    games = {
        SPIEL: pyspiel.load_game("python_tic_tac_toe"),
        OUR_SPIEL: spiel.load_game(TICTACTOE),
    }
    result = race({name: spiel_stepper(game) for name, game in games.items()}, seconds)
    yield Row(SPIEL, result.speed(SPIEL), STEPS)
    ratio, target = result.ratio(OUR_SPIEL, SPIEL), Target(2, at_least=True)
    yield Row(OUR_SPIEL, result.speed(OUR_SPIEL), STEPS, ratio, f"of {SPIEL}", target)


def spiel_stepper(game: Any) -> Contender:
    """Return a contender that plays steps of random agents in a game without chance."""

    def play(steps: int) -> int:
        state = game.new_initial_state()
        for _ in range(steps):
            if state.is_terminal():
                state.returns()
                state = game.new_initial_state()
            state.observation_tensor(state.current_player())
            state.apply_action(random.choice(state.legal_actions()))
        return steps

    return play


def vector_rows(name: str, game: str, seconds: float) -> Iterator[Row]:
    """Race a vector of matches against a single one. Several processes are timed by the clock."""
    from tabletop.envs import vector

    alone, many = f"{name}, one gymnasium.make environment", f"{name}, {MATCHES} matches"
    players = {alone: single_player(game)}
    players[many] = vector_player(vector.Env(game, MATCHES, bots=()))
    result = race({what: repeated(play) for what, play in players.items()}, seconds)
    ratio = result.ratio(many, alone)
    yield Row(alone, result.speed(alone), STEPS)
    yield Row(f"{many}, 1 process", result.speed(many), STEPS, ratio, "times one", TWICE)
    env = vector.Env(game, MATCHES, bots=(), processes=2)
    single, speed = (best_speed(it, seconds) for it in (players[alone], vector_player(env)))
    env.close()
    ratio = speed / single
    yield Row(f"{many}, 2 processes", speed, STEPS, ratio, "times one", FOUR_TIMES)


def repeated(play: Callable[[], int]) -> Contender:
    """Return a contender that repeats a function."""
    return lambda times: sum(play() for _ in range(times))


def single_player(game: str) -> Callable[[], int]:
    """Return a function that plays a step in one environment, with Gymnasium's default wrappers."""
    import gymnasium
    import numpy as np
    from gymnasium.envs.registration import EnvSpec

    settings = {"game": game, "bots": ()}
    env: Any = gymnasium.make(EnvSpec("One-v0", "tabletop.envs.gym:Env", kwargs=settings))
    dice, (observation, _) = np.random.default_rng(1), env.reset(seed=1)

    def play() -> int:
        nonlocal observation
        mask = observation["action_mask"]
        action = (mask * dice.random(mask.shape)).argmax()
        observation, _, terminated, truncated, _ = env.step(action)
        if terminated or truncated:
            observation, _ = env.reset()
        return 1

    return play


def vector_player(env: Any) -> Callable[[], int]:
    """Return a function that plays a step in each match of a vector, and returns their number."""
    import numpy as np

    dice, (observation, _) = np.random.default_rng(1), env.reset(seed=1)

    def play() -> int:
        nonlocal observation
        mask = observation["action_mask"]
        observation, *_ = env.step((mask * dice.random(mask.shape)).argmax(1))
        steps: int = env.num_envs
        return steps

    return play


def best_speed(play: Callable[[], int], seconds: float) -> float:
    """Return the steps per second in the best of five runs."""
    best = 0.0
    for _ in range(5):
        steps, started = 0, perf_counter()
        while (took := perf_counter() - started) < seconds / 5:
            steps += play()
        best = max(best, steps / took)
    return best
