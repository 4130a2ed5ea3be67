"""Learn a policy for tic-tac-toe by trial and error.

The script uses the Gymnasium environment. The method is REINFORCE: play
a match, then increase the probability of its actions if the result was
better than average, and decrease it otherwise. The policy is a softmax
over actions with one weight per action and feature of the observation.

    python examples/learn_policy.py 20000
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from tabletop.envs.gym import Env

RATE = 0.03
"""Learning rate."""

CELLS = 18
"""Observation values that describe the cells, two per cell."""

PAIRS = np.triu_indices(CELLS, 1)

PACE = 0.01
"""Weight of each match in the moving average of the reward."""


def features(observation: Any) -> Any:
    """Return a constant, the cells, and the products of two cells."""
    cells = observation["observation"][:CELLS]
    return np.concatenate([[1.0], cells, np.outer(cells, cells)[PAIRS]])


def chances(weights: Any, observation: Any) -> Any:
    """Return the probability of each action; 0.0 if it is illegal."""
    scores = weights @ features(observation)
    likelihood = (
        np.exp(scores - scores.max()) * observation["action_mask"]
    )
    return likelihood / likelihood.sum()


# --8<-- [start:learn]
def play(
    env: Env, weights: Any, dice: np.random.Generator
) -> tuple[float, Any]:
    """Play a match. Return its reward and the policy gradient."""
    observation, _ = env.reset()
    reward, is_over, gradient = 0.0, False, np.zeros_like(weights)
    while not is_over:
        likelihood = chances(weights, observation)
        action = int(dice.choice(len(likelihood), p=likelihood))
        gradient -= np.outer(likelihood, features(observation))
        gradient[action] += features(observation)
        observation, reward, is_over, _, _ = env.step(action)
    return reward, gradient


def learn(matches: int, interval: int) -> Iterator[tuple[int, int]]:
    """Yield the number of wins after each `interval` matches.

    The seat is random in each match. The first `interval` matches are
    played at random and change no weights.
    """
    path = Path(__file__).with_name("tictactoe.py")
    env, dice = (
        Env(str(path), seat=None, bots="random"),
        np.random.default_rng(1),
    )
    observation, _ = env.reset(seed=1)
    weights = np.zeros(
        (len(observation["action_mask"]), len(features(observation)))
    )
    expected, won = 0.0, 0
    for match in range(1 - interval, matches + 1):
        reward, gradient = play(env, weights, dice)
        won += reward == 1.0
        if match > 0:
            weights += RATE * (reward - expected) * gradient
            expected += PACE * (reward - expected)
        if match % interval == 0:
            yield match, won
            won = 0


# --8<-- [end:learn]
def main(arguments: Sequence[str]) -> None:
    """Learn from a number of matches, 1000 by default."""
    parser = ArgumentParser(description=main.__doc__)
    parser.add_argument(
        "matches", nargs="?", type=int, default=1000, help="1 or more"
    )
    matches = parser.parse_args(arguments).matches
    if matches < 1:
        parser.error(f"matches must be at least 1, not {matches}")
    interval = max(1, matches // 20)
    for number, won in learn(matches, interval):
        print(
            f"learned from {number:>5} matches: wins {won} of {interval}"
        )


if __name__ == "__main__":
    main(sys.argv[1:])
