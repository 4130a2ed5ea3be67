"""OpenSpiel's algorithms work on our games as on OpenSpiel's own with the same rules."""

from __future__ import annotations

from typing import Any

import pytest

from tests.tabletop.envs.games_to_learn import example

pyspiel = pytest.importorskip("pyspiel")
spiel: Any = pytest.importorskip("tabletop.envs.spiel")
minimax: Any = pytest.importorskip("open_spiel.python.algorithms.minimax")

pytestmark = pytest.mark.slow


def kuhn_poker() -> Any:
    """Our Kuhn poker, with chips as returns and a maximum length."""
    return spiel.load_game(example("kuhn_poker"), points=(-2, 2), zero_sum=True, max_plies=3)


def average_policy(game: Any, iterations: int) -> Any:
    """Return the average policy after the given number of CFR iterations."""
    solver = pyspiel.CFRSolver(game)
    for _ in range(iterations):
        solver.evaluate_and_update_policy()
    return solver.tabular_average_policy()


@pytest.mark.parametrize("iterations", [1, 10, 100])
def test_cfr_learns_the_same_policy_as_on_openspiels_kuhn_poker(iterations: int) -> None:
    results = []
    for game in (kuhn_poker(), pyspiel.load_game("kuhn_poker")):
        policy = average_policy(game, iterations)
        value = pyspiel.expected_returns(game.new_initial_state(), policy, -1, True)
        regrets = [pyspiel.exploitability(game, policy), pyspiel.nash_conv(game, policy)]
        results.append([*value, *regrets])
    assert results[0] == pytest.approx(results[1], abs=1e-12)


def test_cfr_solves_kuhn_poker() -> None:
    game = kuhn_poker()
    policy = average_policy(game, 200)
    value, _ = pyspiel.expected_returns(game.new_initial_state(), policy, -1, True)
    assert value == pytest.approx(-1 / 18, abs=0.001)
    assert pyspiel.exploitability(game, policy) < 0.01


def test_alpha_beta_finds_that_tic_tac_toe_is_a_draw() -> None:
    # After a corner only the centre draws, and an edge loses.
    for game in (spiel.load_game(example("tictactoe")), pyspiel.load_game("tic_tac_toe")):
        assert minimax.alpha_beta_search(game)[0] == 0
        for cells, value in {(0, 4): 0, (0, 1): 1}.items():
            state = game.new_initial_state()
            for cell in cells:
                state.apply_action(cell)
            assert minimax.alpha_beta_search(game, state=state)[0] == value
