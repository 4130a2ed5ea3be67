"""Sorcery between random players, beside a naive loop and rlcard's UNO; and a copy of a state."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random as PythonRandom
from timeit import repeat

from benchmarks.common import Contender, Row, Target, optional_module, race
from benchmarks.play import (
    DECISIONS,
    NAIVE,
    OBSERVED,
    OBSERVED_ALL,
    PLAY,
    RUN,
    TO_NAIVE,
    engine_contenders,
)
from benchmarks.tictactoe import play_naively
from sorcery import GAME, GAME_2017, SorceryState
from sorcery.actions import Action
from tabletop import Match, Random
from tabletop.host.compiled import is_compiled

TITLE = "Sorcery, uniform over all legal actions, on the full engine"

AT_LEAST = Target(0.18, at_least=True)
BEHIND = Target(1, at_least=False)
BARE_BEHIND = Target(1 / 1.5, at_least=False) if is_compiled() else None
AT_MOST = Target(10, at_least=False)
SEATS = 2
TO_RUN = f"of {RUN}"
NAIVE_TICTACTOE = f"{NAIVE} of tic-tac-toe"
RUN_2017 = f"{RUN}, Spring 2017"
PLAY_2017 = f"{PLAY}, Spring 2017"
UNO = "rlcard's UNO, env.step()"
UNO_BARE = "rlcard's UNO, its game without the environment"
UNO_AGENTS = "rlcard's UNO, env.run(), RandomAgent"

MATCHES = 20
"""Of how many matches all states are copied."""


def run(seconds: float) -> Iterator[Row]:
    """Race the engine, the naive loop and rlcard, and time copies."""
    others = _rlcard()
    own = engine_contenders(GAME, SEATS)
    later = engine_contenders(GAME_2017, SEATS)
    contenders: dict[str, Contender] = {
        NAIVE_TICTACTOE: play_naively,
        **own,
        RUN_2017: later[RUN],
        PLAY_2017: later[PLAY],
        **others,
    }
    result = race(contenders, seconds)
    yield Row(NAIVE_TICTACTOE, result.speed(NAIVE_TICTACTOE), DECISIONS)
    for name in (RUN, PLAY, RUN_2017, PLAY_2017):
        ratio = result.ratio(name, NAIVE_TICTACTOE)
        yield Row(name, result.speed(name), DECISIONS, ratio, TO_NAIVE, AT_LEAST)
    for name in (OBSERVED, OBSERVED_ALL):
        yield Row(name, result.speed(name), DECISIONS, result.ratio(name, RUN), TO_RUN)
    for name in others:
        target = BARE_BEHIND if name is UNO_BARE else BEHIND
        yield Row(name, result.speed(name), DECISIONS, result.ratio(name, RUN), TO_RUN, target)
    if not others:
        yield Row(UNO, note="not installed")
    yield Row("copying a state", _time_of_a_copy(), "µs", target=AT_MOST)


def _time_of_a_copy() -> float:
    """In microseconds, of all states of some matches."""
    states = [state for number in range(MATCHES) for state in _states(number)]

    def copy_all() -> None:
        for state in states:
            state.clone()

    return 1e6 * min(repeat(copy_all, number=1, repeat=10)) / len(states)


def _states(number: int) -> Iterator[SorceryState]:
    players: list[Random] = [Random(f"{number}, player {seat}") for seat in range(SEATS)]
    match: Match[SorceryState, Action] = Match(GAME, seed=number, players=players)
    while not match.over:
        yield match.state.clone()
        match.step()


def _rlcard() -> dict[str, Contender]:
    """UNO for two: the environment driven by hand, with its own random agents, and not at all."""
    rlcard, agents = optional_module("rlcard"), optional_module("rlcard.agents")
    if rlcard is None or agents is None:
        return {}
    choice = PythonRandom(1).choice
    env, played = rlcard.make("uno"), rlcard.make("uno")
    agent = agents.RandomAgent(num_actions=played.num_actions)
    played.set_agents([agent] * played.num_players)

    def step(games: int) -> int:
        decisions = 0
        for _ in range(games):
            state, _ = env.reset()
            while not env.is_over():
                state, _ = env.step(choice(list(state["legal_actions"])))
                decisions += 1
        return decisions

    def run_agents(games: int) -> int:
        decisions = 0
        for _ in range(games):
            trajectories, _ = played.run(is_training=False)
            decisions += sum(len(trajectory) // 2 for trajectory in trajectories)
        return decisions

    def play_bare(games: int) -> int:
        decisions, game = 0, env.game
        for _ in range(games):
            game.init_game()
            while not game.is_over():
                game.step(choice(game.get_legal_actions()))
                decisions += 1
        return decisions

    return {UNO: step, UNO_AGENTS: run_agents, UNO_BARE: play_bare}
