"""How well Builders settle by other weights of the kinds of resources.

    python -m tools.settling 1 1 1 1 1
    python -m tools.settling 3 3 5 6 6 --random-board --matches 200

One Builder settles by these weights (of BRICK, ENERGY, GLASS, HEAT and WIFI) against three that
settle by `constructor.goals.KIND_WEIGHTS`, on every seat in turn. Even is a share of 0.25.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from functools import partial

from benchmarks.strength import Result

from constructor import GAME, ConstructorState, Phase
from constructor.actions import Action
from constructor.bots import Builder
from constructor.goals import KIND_WEIGHTS, worth_of_settling
from constructor.state import KINDS
from tabletop import Match, Stream, Streams


class Settler(Builder):
    """A Builder that settles by weights of its own."""

    def __init__(self, chance: Stream, weights: Sequence[int]) -> None:
        super().__init__(chance)
        self._weights = weights

    def choose(self, view: ConstructorState, actions: Sequence[Action]) -> Action:
        """Return the action to play."""
        if view.phase is Phase.SETUP:
            return self._best(actions, partial(worth_of_settling, view, weights=self._weights))
        return super().choose(view, actions)


def is_won(weights: Sequence[int], number: int, *, random_board: bool) -> bool:
    """Play the match of a number, and return whether the one with these weights wins it."""
    own, chance = number % 4, Streams(f"settling {number}")
    players = [Settler(chance[seat], weights if seat == own else KIND_WEIGHTS) for seat in range(4)]
    options = {"random-board": random_board}
    outcome = Match(GAME, seed=number, seats=4, options=options, players=players).run()
    return outcome is not None and outcome.winners == (own,)


def main() -> None:
    """Play, and print the share of matches won with its interval."""
    parser = argparse.ArgumentParser(prog="python -m tools.settling", description=__doc__)
    parser.add_argument("weights", nargs=KINDS, type=int)
    parser.add_argument("--matches", type=int, default=100)
    parser.add_argument("--random-board", action="store_true")
    options = parser.parse_args()
    play = partial(is_won, options.weights, random_board=options.random_board)
    print(Result(sum(map(play, range(options.matches))), options.matches))


if __name__ == "__main__":
    main()
