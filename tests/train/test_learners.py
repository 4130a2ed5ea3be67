"""OpenSpiel's PyTorch learners treat our Kuhn poker like OpenSpiel's own."""

from __future__ import annotations

from typing import Any

import pytest
import torch
from benchmarks.learners import deep_cfr, play_nfsp

from tabletop.registry import load
from tests.tabletop.envs.games_to_learn import example

pyspiel = pytest.importorskip("pyspiel")
spiel: Any = pytest.importorskip("tabletop.envs.spiel")

pytestmark = pytest.mark.slow

CHANCE = 0.917
"""Loss of a random player against two optimal opponents."""


@pytest.fixture(autouse=True)
def _one_thread() -> None:
    torch.set_num_threads(1)


def poker() -> Any:
    """Kuhn poker of the examples, as an OpenSpiel game."""
    plugin = load(example("kuhn_poker"))
    return spiel.load_game(plugin, points=(-2, 2), zero_sum=True, max_plies=3)


def test_deep_cfr_learns_our_kuhn_poker_like_openspiels() -> None:
    assert deep_cfr(poker()) < CHANCE / 3
    assert deep_cfr(pyspiel.load_game("kuhn_poker")) < CHANCE / 3


def test_nfsp_agents_play_and_learn() -> None:
    for agent in play_nfsp(poker(), hands=4000):
        learnt, reinforced = agent.loss
        assert learnt > 0
        assert reinforced > 0
