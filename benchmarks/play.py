"""Contenders that play matches, for the benchmarks of games."""

from __future__ import annotations

from itertools import count

from benchmarks.common import Contender, Race, Row, Target
from tabletop import Match, Random, Streams
from tabletop.rules import AnyGame

RUN = "match.run(), random players"
PLAY = "match.play(match.legal_actions()[i])"
NAIVE = "naive loop"
DECISIONS = "decisions/s"


def engine_contenders(game: AnyGame, seats: int) -> dict[str, Contender]:
    """Return the contenders of the full engine, in which each match has its own seed."""
    return {RUN: _running(game, seats), PLAY: _playing(game, seats)}


def _running(game: AnyGame, seats: int) -> Contender:
    seeds = count()
    players = [Random(f"player {seat}") for seat in range(seats)]

    def play(games: int) -> int:
        decisions = 0
        for _ in range(games):
            match = Match(game, seed=next(seeds), seats=seats, players=players)
            match.run()
            decisions += match.ply
        return decisions

    return play


def _playing(game: AnyGame, seats: int) -> Contender:
    seeds = count()
    below = Streams("chooser")["choices"].below

    def play(games: int) -> int:
        decisions = 0
        for _ in range(games):
            match = Match(game, seed=next(seeds), seats=seats)
            while not match.over:
                actions = match.legal_actions()
                match.play(actions[below(len(actions))] if len(actions) > 1 else actions[0])
            decisions += match.ply
        return decisions

    return play


def engine_rows(result: Race, other: str, to: str, target: Target | None) -> list[Row]:
    """Return the rows of the engine.

    Args:
        result: Result of the race.
        other: Contender that the engine is compared with.
        to: Label of the comparison.
        target: Target for the ratio of `match.run()`.
    """
    return [
        Row(way, result.speed(way), DECISIONS, result.ratio(way, other), to, goal)
        for way, goal in ((RUN, target), (PLAY, None))
    ]
