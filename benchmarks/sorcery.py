"""Sorcery with random players, compared with a plain loop and with rlcard's UNO."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from benchmarks.common import Contender, Row, Target, optional_module, race
from benchmarks.play import DECISIONS, NAIVE, RUN, engine_contenders, engine_rows
from benchmarks.tictactoe import play_naively
from sorcery import GAME

TITLE = "Sorcery, uniform over all legal actions, on the full engine"

BEHIND = Target(1, at_least=False)
SEATS = 2
NAIVE_TICTACTOE = f"{NAIVE} of tic-tac-toe"
UNO = "rlcard's UNO, env.step()"
UNO_BARE = "rlcard's UNO, its game without the environment"


def run(seconds: float) -> Iterator[Row]:
    """Race the engine, the loop and rlcard."""
    others = _rlcard()
    contenders: dict[str, Contender] = {
        NAIVE_TICTACTOE: play_naively,
        **engine_contenders(GAME, SEATS),
        **others,
    }
    result = race(contenders, seconds)
    yield Row(NAIVE_TICTACTOE, result.speed(NAIVE_TICTACTOE), DECISIONS)
    yield from engine_rows(result, NAIVE_TICTACTOE, f"of the {NAIVE_TICTACTOE}", None)
    for name in others:
        target = BEHIND if name == UNO else None
        ratio = result.ratio(name, RUN)
        yield Row(name, result.speed(name), DECISIONS, ratio, f"of {RUN}", target)
    if not others:
        yield Row(UNO, note="not installed")


def _rlcard() -> dict[str, Contender]:
    """Return UNO for two players: as an environment, and without the environment."""
    rlcard = optional_module("rlcard")
    if rlcard is None:
        return {}
    choice = Random(1).choice
    env = rlcard.make("uno")

    def step(games: int) -> int:
        decisions = 0
        for _ in range(games):
            state, _ = env.reset()
            while not env.is_over():
                state, _ = env.step(choice(list(state["legal_actions"])))
                decisions += 1
        return decisions

    def play_bare(games: int) -> int:
        decisions, game = 0, env.game
        for _ in range(games):
            game.init_game()
            while not game.is_over():
                game.step(choice(game.get_legal_actions()))
                decisions += 1
        return decisions

    return {UNO: step, UNO_BARE: play_bare}
