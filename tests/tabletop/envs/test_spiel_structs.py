"""The JSON structs of games in OpenSpiel."""

from __future__ import annotations

import json
import pickle
from collections.abc import Sequence
from random import Random
from typing import Any

import pytest

from tabletop import Options, Plugin
from tabletop.envs import spiel
from tabletop.envs.spiel_structs import ActionStruct
from tabletop.registry import load
from tests.tabletop.envs.games_to_learn import Coin, Throw, every_game, example

KUHN = example("kuhn_poker")
BACKGAMMON = example("backgammon")
"""A game without `all_actions`."""


def position(game: str, actions: int, seed: int = 1) -> Any:
    """Return a state after so many random actions and draws."""
    state, dice = spiel.load_game(game, max_plies=60).new_initial_state(), Random(seed)
    while (actions or state.is_chance_node()) and not state.is_terminal():
        actions -= not state.is_chance_node()
        state.apply_action(dice.choice(state.legal_actions()))
    return state


@every_game
def test_every_legal_action_can_be_applied_as_a_struct(game: str) -> None:
    state = position(game, 3)
    for action in state.legal_actions()[:20]:
        struct = state.action_to_struct(state.current_player(), action)
        assert state.struct_to_actions(struct) == [action]
        copy = state.clone()
        assert copy.apply_action_struct(type(struct)(struct.to_json())).ok()
        assert copy.history() == [*state.history(), action]


@every_game
def test_an_observation_contains_the_view_of_the_player(game: str) -> None:
    state = position(game, 3)
    for player in range(state.num_players()):
        observation = state.to_observation_struct(player)
        seen = state.observation_string(player)
        assert observation.position == json.loads(seen)
        assert (observation.observing_player, observation.current_player) == (
            player,
            state.current_player(),
        )


def test_an_observation_does_not_change_when_hidden_cards_are_dealt_again() -> None:
    state = position("sorcery", 4)
    other = state.resample_from_infostate(0, lambda: 0.3)
    assert other.to_json() != state.to_json()
    assert other.to_observation_struct(0) == state.to_observation_struct(0)


def test_a_state_is_the_whole_position() -> None:
    state = position(KUHN, 1)
    struct = state.to_struct()
    assert json.loads(state.to_json()) == struct.to_dict()
    assert struct.position == json.loads(str(state))
    assert struct.current_player == state.current_player()


def test_a_draw_can_be_applied_as_a_struct() -> None:
    state = spiel.load_game(KUHN).new_initial_state()
    outcome = state.legal_actions()[-1]
    assert state.apply_action_struct(state.action_to_struct(outcome)).ok()
    assert state.history() == [outcome]


def test_a_struct_of_an_illegal_or_unknown_action_changes_nothing() -> None:
    state = position(example("tictactoe"), 1)
    taken = state.history()[-1]
    unknown = ActionStruct({"type": "str", "value": "99"})
    for struct in (state.action_to_struct(taken), unknown):
        status = state.apply_action_struct(struct)
        assert not status.ok()
        assert struct.to_json() in status.message()
    assert state.history() == [taken]


@pytest.mark.parametrize("given", ["{}", "[1]", {"type": "str"}, "no JSON"])
def test_a_struct_with_wrong_fields_is_an_error(given: Any) -> None:
    with pytest.raises(ValueError, match=r".+"):
        ActionStruct(given)


def test_there_is_no_position_before_the_setup_is_complete() -> None:
    state = spiel.load_game(KUHN).new_initial_state()
    with pytest.raises(Exception, match="setup"):
        state.to_struct()


def test_the_game_names_the_classes_of_its_structs() -> None:
    game = spiel.load_game(load(KUHN))
    state = position(KUHN, 1)
    assert type(state.to_struct()) is game.StateStruct
    assert type(state.to_observation_struct()) is game.ObservationStruct
    assert type(state.action_to_struct(state.legal_actions()[0])) is game.ActionStruct


def test_a_game_that_does_not_list_its_actions_is_played_with_structs_to_the_end() -> None:
    state, dice = spiel.load_game(BACKGAMMON).new_initial_state(), Random(1)
    while not state.is_terminal():
        if not state.is_chance_node():
            assert state.legal_actions() == [*range(len(state.legal_actions()))]
        struct = state.action_to_struct(dice.choice(state.legal_actions()))
        assert state.apply_action_struct(struct).ok()
    assert sorted(state.returns()) == [-1, 1]
    assert str(pickle.loads(pickle.dumps(state))) == str(state)


def test_a_game_that_does_not_list_its_actions_has_no_tensors_and_names_the_reason() -> None:
    game = spiel.load_game(BACKGAMMON)
    state = position(BACKGAMMON, 1)
    assert not game.get_type().provides_observation_tensor
    with pytest.raises(Exception, match="all_actions"):
        state.observation_tensor(0)


class ManyActions(Coin):
    """A game with more legal actions than OpenSpiel can number without `all_actions`."""

    name = "many-actions"

    def legal_actions(self, state: Throw, seat: int) -> Sequence[str]:
        return [f"throw {height}" for height in range(spiel.MOST_ACTIONS + 1)]

    def all_actions(self, options: Options, seats: int) -> None:
        return None


def test_too_many_actions_without_a_list_are_an_error_with_the_remedy() -> None:
    with pytest.raises(Exception, match="all_actions"):
        spiel.load_game(Plugin(ManyActions(1), levels={}))
