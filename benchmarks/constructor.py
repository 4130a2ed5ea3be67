"""Constructor between four random players: the engine beside catanatron, and a copy of a state."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from timeit import repeat

from benchmarks.common import Contender, Row, Target, optional_module, race
from benchmarks.play import DECISIONS, OBSERVED, OBSERVED_ALL, PLAY, RUN, engine_contenders
from constructor import GAME, ConstructorState
from constructor.actions import Trade
from tabletop import Match, Random, Streams
from tabletop.host.compiled import is_compiled

TITLE = "Constructor, four players, uniform over all legal actions, on the full engine"

AT_LEAST = Target(15 if is_compiled() else 10, at_least=True)
AT_MOST = Target(10, at_least=False)
SEATS = 4
CATANATRON = "catanatron, RandomPlayer"
UNTRADED = "match.play(...), nobody offers a trade"

LATE = 2_000
"""After how many plies a state is copied."""

COPIES = 2_000


def run(seconds: float) -> Iterator[Row]:
    """Race the engine and catanatron, and time a copy."""
    contenders = {**engine_contenders(GAME, SEATS), UNTRADED: _untraded}
    other = _catanatron()
    if other is not None:
        contenders[CATANATRON] = other
    result = race(contenders, seconds)
    if other is None:
        yield Row(CATANATRON, note="not installed")
    else:
        yield Row(CATANATRON, result.speed(CATANATRON), DECISIONS)
    for name in (RUN, PLAY, OBSERVED, OBSERVED_ALL, UNTRADED):
        if other is None:
            yield Row(name, result.speed(name), DECISIONS, note="nothing to compare with")
        else:
            target = AT_LEAST if name in (RUN, PLAY) else None
            ratio = result.ratio(name, CATANATRON)
            yield Row(name, result.speed(name), DECISIONS, ratio, "times catanatron", target)
    best = min(repeat(_late_state().clone, number=COPIES, repeat=10))
    yield Row("copying a state", 1e6 * best / COPIES, "µs", target=AT_MOST)


def _late_state() -> ConstructorState:
    players = [Random(f"player {seat}") for seat in range(SEATS)]
    match = Match(GAME, seed="late", seats=SEATS, players=players)
    match.run(LATE)
    return match.state


_seeds = count()
_choice = Streams("chooser")["choices"].choice


def _untraded(games: int) -> int:
    decisions = 0
    for _ in range(games):
        match = Match(GAME, seed=next(_seeds), seats=SEATS)
        while not match.over:
            actions = match.legal_actions()
            match.play(_choice([action for action in actions if type(action) is not Trade]))
        decisions += match.ply
    return decisions


def _catanatron() -> Contender | None:
    """Its own random players on its own board. Each action in its log was one decision."""
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
