"""Actions as numbers, and masks of the legal actions."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabletop import ContractError, Match, Random
from tabletop.envs import ActionIndex
from tabletop.registry import load
from tests.tabletop.envs.games_with_bounds import EXAMPLES, loaded
from tests.tabletop.games import race


@pytest.mark.parametrize(("name", "size"), [("sorcery", 162), ("constructor", 374), ("lcr", 1)])
def test_the_actions_of_the_bundled_games_are_counted(name: str, size: int) -> None:
    assert ActionIndex(load(name).game).size == size


@pytest.mark.parametrize(
    ("name", "size"), [("nettles", 416), ("hearts", 416), ("harbour", 30), ("flotsam", 84)]
)
def test_the_actions_of_examples_with_hands_and_bids_are_counted(name: str, size: int) -> None:
    assert ActionIndex(loaded(name).game).size == size


def test_more_seats_have_more_actions() -> None:
    game = loaded("harbour").game
    assert ActionIndex(game, seats=6).size == 6 * (3 + 2 + 3 * 5 + 4 + 3)


@pytest.mark.parametrize("name", EXAMPLES)
def test_every_action_is_found_at_its_index(name: str) -> None:
    index: ActionIndex[Any] = ActionIndex(loaded(name).game)
    assert [index.index(index.action(at)) for at in range(index.size)] == [*range(index.size)]


@pytest.mark.parametrize("name", EXAMPLES)
@given(seed=st.integers(0, 99), plies=st.integers(0, 40))
def test_a_mask_marks_the_legal_actions_and_no_others(name: str, seed: int, plies: int) -> None:
    game = loaded(name).game
    index: ActionIndex[Any] = ActionIndex(game)
    match = Match(game, seed=seed, players=[Random(seed)] * game.seats[0])
    match.run(plies)
    for seat in match.to_act:
        legal = match.legal_actions(seat)
        marked = [index.action(int(at)) for at in np.flatnonzero(index.mask(legal))]
        assert sorted(map(repr, marked)) == sorted(map(repr, legal))


def test_a_mask_is_written_into_a_given_array() -> None:
    index = ActionIndex(loaded("tictactoe").game)
    out = np.ones(9, np.bool_)
    assert index.mask([index.action(3)], out) is out
    assert np.flatnonzero(out).tolist() == [3]


def test_a_mask_can_be_changed() -> None:
    mask = ActionIndex(loaded("tictactoe").game).mask([])
    mask[0] = 1
    assert mask.sum() == 1


def test_an_equal_action_has_the_same_index() -> None:
    index = ActionIndex(loaded("tictactoe").game)
    assert index.index(replace(index.action(0), cell=4)) == 4


def test_an_unlisted_action_is_an_error() -> None:
    index = ActionIndex(loaded("loaded_dice").game)
    with pytest.raises(ValueError, match=r"^'jump' .*\ball_actions\b.* race$"):
        index.mask(["roll", "jump"])


def test_an_equal_value_of_another_type_is_an_error() -> None:
    class Numbered(race.Race):
        def all_actions(self, options: Any, seats: int) -> Any:
            return [0, 1]

    index: ActionIndex[Any] = ActionIndex(Numbered())
    assert index.index(1) == 1
    with pytest.raises(ValueError, match=r"^True .*all_actions.* race$"):
        index.index(True)


@pytest.mark.parametrize("number", [-1, 9])
def test_an_invalid_index_is_an_error(number: int) -> None:
    with pytest.raises(IndexError, match=rf"^tictactoe .* {number}: 0 to 8$"):
        ActionIndex(loaded("tictactoe").game).action(number)


def test_a_game_that_does_not_list_its_actions_is_an_error() -> None:
    with pytest.raises(ContractError, match=r"^race .*\ball_actions\b"):
        ActionIndex(race.GAME)
