"""Learn a policy of tic-tac-toe by trial and error, on the environment of Gymnasium.

REINFORCE: play a match, and make what was done in it likelier when the match went better than most,
and less likely otherwise. The policy is a softmax of one weight for each pair of an action and a
number of the observation.

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
"""How far a match moves the weights."""

CELLS = 18
"""The numbers that tell what is on the nine cells: an own mark, another's."""

PAIRS = np.triu_indices(CELLS, 1)

PACE = 0.01
"""How fast the expected reward follows those of the matches."""


def features(seen: Any) -> Any:
    """Return a one, the cells, and their products: two in a row are more than one and one."""
    cells = seen["observation"][:CELLS]
    return np.concatenate([[1.0], cells, np.outer(cells, cells)[PAIRS]])


def chances(weights: Any, seen: Any) -> Any:
    """Return how likely each action is, from 0.0 to 1.0; what is not legal is not."""
    scores = weights @ features(seen)
    likely = np.exp(scores - scores.max()) * seen["action_mask"]
    return likely / likely.sum()


# --8<-- [start:learn]
def play(
    env: Env, weights: Any, dice: np.random.Generator
) -> tuple[float, Any]:
    """Return the reward of a match, and what makes it likelier."""
    seen, _ = env.reset()
    reward, is_over, likelier = 0.0, False, np.zeros_like(weights)
    while not is_over:
        likely = chances(weights, seen)
        action = int(dice.choice(len(likely), p=likely))
        likelier -= np.outer(likely, features(seen))
        likelier[action] += features(seen)
        seen, reward, is_over, _, _ = env.step(action)
    return reward, likelier


def learn(matches: int, look: int) -> Iterator[tuple[int, int]]:
    """Play matches; yield after every `look` how many were won.

    The seat is drawn for each match. The first `look` matches are
    played at random, and teach nothing.
    """
    path = Path(__file__).with_name("tictactoe.py")
    env, dice = (
        Env(str(path), seat=None, bots="random"),
        np.random.default_rng(1),
    )
    seen, _ = env.reset(seed=1)
    weights = np.zeros((len(seen["action_mask"]), len(features(seen))))
    expected, won = 0.0, 0
    for match in range(1 - look, matches + 1):
        reward, likelier = play(env, weights, dice)
        won += reward == 1.0
        if match > 0:
            weights += RATE * (reward - expected) * likelier
            expected += PACE * (reward - expected)
        if match % look == 0:
            yield match, won
            won = 0


# --8<-- [end:learn]
def main(arguments: Sequence[str]) -> None:
    """Learn from so many matches; from a thousand if nothing is said."""
    parser = ArgumentParser(description=main.__doc__)
    parser.add_argument(
        "matches", nargs="?", type=int, default=1000, help="1 or more"
    )
    matches = parser.parse_args(arguments).matches
    if matches < 1:
        parser.error(f"{matches} matches; write 1 or more")
    look = max(1, matches // 20)
    for number, won in learn(matches, look):
        print(f"learnt from {number:>5} matches: wins {won} of {look}")


if __name__ == "__main__":
    main(sys.argv[1:])
