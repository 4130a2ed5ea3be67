"""Constructor with four random players: the engine compared with catanatron."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count

from benchmarks.common import Contender, Row, Target, optional_module, race
from benchmarks.play import DECISIONS, engine_contenders, engine_rows
from constructor import GAME

TITLE = "Constructor, four players, uniform over all legal actions, on the full engine"

AT_LEAST = Target(8, at_least=True)
SEATS = 4
CATANATRON = "catanatron, RandomPlayer"


def run(seconds: float) -> Iterator[Row]:
    """Race the engine against catanatron."""
    other = _catanatron()
    if other is None:
        yield Row(CATANATRON, note="not installed")
        return
    result = race({**engine_contenders(GAME, SEATS), CATANATRON: other}, seconds)
    yield Row(CATANATRON, result.speed(CATANATRON), DECISIONS)
    yield from engine_rows(result, CATANATRON, "times catanatron", AT_LEAST)


def _catanatron() -> Contender | None:
    """Return catanatron with its own random players. Each logged action is one decision."""
    catanatron = optional_module("catanatron")
    if catanatron is None:
        return None
    seeds = count(1)

    def play(games: int) -> int:
        decisions = 0
        for _ in range(games):
            players = [catanatron.RandomPlayer(colour) for colour in catanatron.Color]
            game = catanatron.Game(players, seed=next(seeds))
            game.play()
            decisions += len(game.state.actions)
        return decisions

    return play
