"""The ways to play matches that the benchmarks of games compare."""

from __future__ import annotations

from itertools import count

from benchmarks.common import Contender, Race, Row, Target
from tabletop import ActionPlayed, Event, Match, Observers, Random, Streams
from tabletop.game import AnyGame

RUN = "match.run(), random players"
PLAY = "match.play(match.legal_actions()[i])"
OBSERVED = "match.run(), an observer of actions"
OBSERVED_ALL = "match.run(), an observer of everything"
NAIVE = "naive loop"
DECISIONS = "decisions/s"
TO_NAIVE = "of the naive loop"

OBSERVED_AT_LEAST = Target(2 / 3, at_least=True)


def engine_contenders(game: AnyGame, seats: int) -> dict[str, Contender]:
    """The full engine: every match has a seed of its own, is checked and logged."""
    return {
        RUN: _running(game, seats, None),
        PLAY: _playing(game, seats),
        OBSERVED: _running(game, seats, _watched(ActionPlayed)),
        OBSERVED_ALL: _running(game, seats, _watched(Event)),
    }


def _watched(kind: type[Event]) -> Observers:
    observers, seen = Observers(), 0

    def see(event: Event) -> None:
        nonlocal seen
        seen += 1

    observers.subscribe(see, kind)
    return observers


def _running(game: AnyGame, seats: int, observers: Observers | None) -> Contender:
    seeds = count()
    players = [Random(f"player {seat}") for seat in range(seats)]

    def play(games: int) -> int:
        decisions = 0
        for _ in range(games):
            match = Match(game, seed=next(seeds), seats=seats, players=players, observers=observers)
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


def engine_rows(result: Race, target: Target, run: Target | None = None) -> list[Row]:
    """The rows of the naive loop and of the engine, with what the engine is to reach.

    Args:
        result: the race.
        target: how fast it is to be, beside the naive loop.
        run: the same for `match.run()`.
    """

    def row(way: str, other: str, to: str, goal: Target) -> Row:
        return Row(way, result.speed(way), DECISIONS, result.ratio(way, other), to, goal)

    return [
        Row(NAIVE, result.speed(NAIVE), DECISIONS),
        row(RUN, NAIVE, TO_NAIVE, run or target),
        row(PLAY, NAIVE, TO_NAIVE, target),
        row(OBSERVED, RUN, "of the unobserved run", OBSERVED_AT_LEAST),
        row(OBSERVED_ALL, RUN, "of the unobserved run", OBSERVED_AT_LEAST),
    ]
