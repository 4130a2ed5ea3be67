"""Playouts go from a copy of a state to the end of the match, or to a depth."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from constructor import Trade
from tabletop import ContractError, Match, Random, Streams
from tabletop.match import playout
from tabletop.registry import load
from tabletop.states import digest

GAMES = st.sampled_from(["lcr", "sorcery", "constructor-small"])


@pytest.mark.slow
@given(GAMES, st.integers(), st.integers(0, 90))
def test_a_playout_plays_like_random_players(name: str, seed: int, plies: int) -> None:
    game = load(name).game
    match = Match(game, seed=seed)
    shared = Random(Streams(seed)["one"])
    for seat in range(match.seats):
        match.set_player(seat, shared)
    rng = Streams(seed)
    state = game.setup(match.options, match.seats, rng)
    end = playout(game, state, Streams(seed)["one"], rng, plies=plies)
    assert digest(state, {}) == digest(match.state, {}), "a copy is played"
    match.run(plies)
    assert digest(end, rng.state()) == match.digest()


@pytest.mark.parametrize("name", ["lcr", "sorcery"])
def test_a_playout_without_a_depth_ends_with_the_match(name: str) -> None:
    game, guess = load(name).game, Streams("a guess")
    end = playout(game, Match(game, seed="x").state, guess["choices"], guess)
    assert game.to_act(end) == ()
    assert game.outcome(end) is not None


def test_a_policy_limits_the_actions_of_a_playout() -> None:
    game, guess = load("constructor").game, Streams("x")
    offered = []

    def no_trades(state: object, actions: Sequence[object]) -> list[object]:
        kept = [action for action in actions if type(action) is not Trade]
        offered.append(len(kept))
        return kept

    end = playout(game, Match(game, seed="x").state, guess["c"], guess, plies=500, policy=no_trades)
    assert len(offered) == 500
    assert end.refused == ()


def test_a_policy_without_an_action_raises_an_error() -> None:
    game, guess = load("lcr").game, Streams("x")
    with pytest.raises(ContractError, match=r"lcr: policy .*\bseat 0$"):
        playout(game, Match(game, seed="x").state, guess["c"], guess, policy=lambda *_: ())


def test_a_depth_below_0_is_refused() -> None:
    game, guess = load("lcr").game, Streams("x")
    with pytest.raises(ValueError, match=r"\bplies\b.* -1$"):
        playout(game, Match(game, seed="x").state, guess["c"], guess, plies=-1)
