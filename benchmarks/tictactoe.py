"""Tic-tac-toe with random players: the example, a plain loop, and games of other libraries."""

from __future__ import annotations

import os
from collections.abc import Iterator
from random import Random

from benchmarks.common import ROOT, Contender, Row, Target, optional_module, race
from benchmarks.play import DECISIONS, NAIVE, engine_contenders, engine_rows
from tabletop.registry import load

TITLE = "Tic-tac-toe: examples/tictactoe.py on the full engine"

AT_LEAST = Target(0.6, at_least=True)
TO_NAIVE = "of the naive loop"
OPENSPIEL = "OpenSpiel (pyspiel)"
PETTINGZOO = "PettingZoo (tictactoe_v3)"

LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))


def run(seconds: float) -> Iterator[Row]:
    """Race all contenders that are installed."""
    game = load(str(ROOT / "examples" / "tictactoe.py")).game
    contenders = {NAIVE: play_naively, **engine_contenders(game, 2)}
    others = {OPENSPIEL: _openspiel(), PETTINGZOO: _pettingzoo()}
    contenders.update((name, other) for name, other in others.items() if other is not None)
    result = race(contenders, seconds)
    yield Row(NAIVE, result.speed(NAIVE), DECISIONS)
    yield from engine_rows(result, NAIVE, TO_NAIVE, AT_LEAST)
    for name in others:
        if name in contenders:
            ratio = result.ratio(name, NAIVE)
            yield Row(name, result.speed(name), DECISIONS, ratio, TO_NAIVE)
        else:
            yield Row(name, note="not installed")


class NaiveTicTacToe:
    """The game in its simplest form, without a framework."""

    def __init__(self) -> None:
        self.cells = [0] * 9
        self.player = 1
        self.winner = 0

    def legal(self) -> list[int]:
        return [cell for cell, mark in enumerate(self.cells) if mark == 0]

    def apply(self, cell: int) -> None:
        cells, player = self.cells, self.player
        cells[cell] = player
        for a, b, c in LINES:
            if cells[a] == cells[b] == cells[c] == player:
                self.winner = player
                break
        self.player = 3 - player

    def over(self) -> bool:
        return self.winner != 0 or 0 not in self.cells


_choice = Random(1).choice


def play_naively(games: int) -> int:
    decisions = 0
    for _ in range(games):
        game = NaiveTicTacToe()
        while not game.over():
            game.apply(_choice(game.legal()))
            decisions += 1
    return decisions


def _openspiel() -> Contender | None:
    pyspiel = optional_module("pyspiel")
    if pyspiel is None:
        return None
    game = pyspiel.load_game("tic_tac_toe")

    def play(games: int) -> int:
        decisions = 0
        for _ in range(games):
            state = game.new_initial_state()
            while not state.is_terminal():
                state.apply_action(_choice(state.legal_actions()))
                decisions += 1
        return decisions

    return play


def _pettingzoo() -> Contender | None:
    os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
    module = optional_module("pettingzoo.classic.tictactoe_v3")
    if module is None:
        return None
    env = module.env()

    def play(games: int) -> int:
        decisions = 0
        for _ in range(games):
            env.reset()
            while True:
                observation, _, terminated, truncated, _ = env.last()
                if terminated or truncated:
                    break
                env.step(_choice(observation["action_mask"].nonzero()[0]))
                decisions += 1
        return decisions

    return play
