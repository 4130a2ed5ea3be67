"""OpenSpiel's PyTorch learners, on this project's Kuhn poker and on OpenSpiel's own."""

from __future__ import annotations

from collections.abc import Iterator
from time import perf_counter
from typing import Any

from benchmarks.common import ROOT, Row, Target, optional_module

TITLE = "OpenSpiel's learners with PyTorch: Kuhn poker (NashConv of random play: 0.917)"

LEARNT = Target(0.4, at_least=False)


def run(seconds: float) -> Iterator[Row]:
    """Learn with Deep CFR and NFSP."""
    missing = [it for it in ("torch", "tree", "pyspiel") if optional_module(it) is None]
    if missing:
        yield Row(
            "learners", note=f"{', '.join(missing)} missing: pip install torch dm-tree open_spiel"
        )
        return
    import pyspiel

    from tabletop.envs import spiel
    from tabletop.registry import load

    torch: Any = optional_module("torch")
    torch.set_num_threads(1)
    poker = load(str(ROOT / "examples" / "kuhn_poker.py"))
    games = {
        "ours": spiel.load_game(poker, points=(-2, 2), zero_sum=True, max_plies=3),
        "OpenSpiel's own": pyspiel.load_game("kuhn_poker"),
    }
    for name, game in games.items():
        began = perf_counter()
        yield Row(f"Deep CFR, 30 iterations, {name}: NashConv", deep_cfr(game), target=LEARNT)
        yield Row(f"Deep CFR, {name}: time", perf_counter() - began, "s")
        began = perf_counter()
        play_nfsp(game)
        yield Row(f"NFSP, 300 hands, {name}: time", perf_counter() - began, "s")


def deep_cfr(game: Any) -> float:
    """Return the NashConv of a policy learnt by Deep CFR."""
    from open_spiel.python import policy
    from open_spiel.python.algorithms import exploitability
    from open_spiel.python.pytorch.deep_cfr import DeepCFRSolver

    solver = DeepCFRSolver(
        game,
        policy_network_layers=(16,),
        advantage_network_layers=(16,),
        num_iterations=30,
        num_traversals=20,
        learning_rate=1e-2,
        batch_size_advantage=64,
        batch_size_strategy=64,
        memory_capacity=100_000,
        policy_network_train_steps=200,
        advantage_network_train_steps=30,
        seed=3,
    )
    solver.solve()
    learnt = policy.tabular_policy_from_callable(game, solver.action_probabilities)
    return float(exploitability.nash_conv(game, learnt))


def play_nfsp(game: Any, hands: int = 300) -> Any:
    """Let two NFSP agents play and learn, and return them."""
    from open_spiel.python import rl_environment
    from open_spiel.python.pytorch import nfsp

    env = rl_environment.Environment(game)
    agents = [
        nfsp.NFSP(
            seat,
            state_representation_size=env.observation_spec()["info_state"][0],
            num_actions=env.action_spec()["num_actions"],
            hidden_layers_sizes=[16],
            reservoir_buffer_capacity=1000,
            anticipatory_param=0.1,
            batch_size=32,
            min_buffer_size_to_learn=100,
        )
        for seat in range(2)
    ]
    for _ in range(hands):
        step = env.reset()
        while not step.last():
            step = env.step([agents[step.observations["current_player"]].step(step).action])
        for agent in agents:
            agent.step(step)
    return agents
