"""Left, Center, Right with four players: the engine compared with a plain loop."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random

from benchmarks.common import Row, Target, race
from benchmarks.play import DECISIONS, NAIVE, engine_contenders, engine_rows
from lcr import GAME

TITLE = "Left, Center, Right, four players, on the full engine"

AT_LEAST = Target(0.45, at_least=True)
SEATS = 4


def run(seconds: float) -> Iterator[Row]:
    """Race the engine against the loop. A decision is a turn, with one to three dice."""
    randrange = Random(1).randrange

    def play_naively(games: int) -> int:
        return sum(naive_game(randrange) for _ in range(games))

    result = race({NAIVE: play_naively, **engine_contenders(GAME, SEATS)}, seconds)
    yield Row(NAIVE, result.speed(NAIVE), DECISIONS)
    yield from engine_rows(result, NAIVE, "of the naive loop", AT_LEAST)


def naive_game(randrange: Callable[[int], int]) -> int:
    """Play a game with a plain loop, without any library.

    Returns:
        Number of turns.
    """
    chips = [3] * SEATS
    turns = seat = 0
    while True:
        for _ in range(min(3, chips[seat])):
            roll = randrange(6)
            if roll == 3:
                chips[seat] -= 1
                chips[(seat + 1) % SEATS] += 1
            elif roll == 4:
                chips[seat] -= 1
            elif roll == 5:
                chips[seat] -= 1
                chips[seat - 1] += 1
        turns += 1
        if chips.count(0) == SEATS - 1:
            return turns
        seat = (seat + 1) % SEATS
        while not chips[seat]:
            seat = (seat + 1) % SEATS
