"""Legal actions."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.constructor.tables import (
    BLUE,
    EVERY_ACTION,
    ORANGE,
    RED,
    RICH_HAND,
    is_accepted,
    position,
    reached,
)

from constructor import (
    GAME,
    Action,
    BuildResidence,
    BuildRoad,
    ChooseRoll,
    ConstructorState,
    EndTurn,
    Improve,
    ImproveTile,
    Phase,
    PlaceGeese,
    Roll,
    Settle,
    Trade,
    UseFairDice,
    UseLoadedDice,
)
from constructor.rules.actions import OWNED
from constructor.rules.state import (
    KINDS,
    RESIDENCE_COSTS,
    ROAD_COST,
    Cost,
)
from tabletop import Match

ACTION_KINDS = Action.__args__  # of the union


def is_worth_listing(action: Action) -> bool:
    return not (isinstance(action, Trade) and action.give is action.take)


def accepted(state: ConstructorState) -> list[Action]:
    """Return all actions that the rules accept, by testing every action."""
    return [
        action
        for action in EVERY_ACTION[state.board]
        if is_worth_listing(action) and is_accepted(state, action)
    ]


def listed(state: ConstructorState) -> list[Action]:
    return list(GAME.legal_actions(state, GAME.to_act(state)[0]))


def test_all_action_types_are_tested() -> None:
    assert {type(action) for action in EVERY_ACTION["standard"]} == set(ACTION_KINDS)


@pytest.mark.slow
@given(reached())
@settings(max_examples=20)
def test_legal_actions_are_exactly_the_accepted_actions(
    match: Match[ConstructorState, Action],
) -> None:
    legal = list(match.legal_actions())
    assert len(set(legal)) == len(legal)
    if match.over:
        assert legal == []
    else:
        assert set(legal) == set(accepted(match.state))


def test_builder_with_enough_resources_has_all_building_actions() -> None:
    hands = dict.fromkeys(range(4), RICH_HAND)
    state = position(
        homes={14: (BLUE, 1), 35: (BLUE, 2), 9: (BLUE, 3), 20: (RED, 1)},
        roads={18: BLUE, 13: BLUE, 40: ORANGE},
        hands=hands,
        variant="rich",
    )
    legal = listed(state)
    assert set(legal) == set(accepted(state))
    kinds = {BuildRoad, BuildResidence, Improve, ImproveTile, Trade, EndTurn}
    assert {type(action) for action in legal} == kinds
    assert Improve(14) in legal
    assert Improve(35) in legal


@pytest.mark.parametrize(
    ("phase", "wanted"),
    [
        (Phase.BEGINNING, [UseLoadedDice(), UseFairDice(), Roll()]),
        (Phase.CHOOSING_ROLL, [ChooseRoll(total) for total in range(2, 13)]),
        (Phase.PLACING_GEESE, [PlaceGeese(tile) for tile in range(19) if tile != 4]),
        (Phase.BUILDING, [EndTurn()]),
    ],
)
def test_each_phase_has_its_own_actions(phase: Phase, wanted: list[Action]) -> None:
    assert listed(position(phase=phase, geese=4)) == wanted


def test_first_basement_can_be_on_any_vertex() -> None:
    state = position(phase=Phase.SETUP)
    state.order = (BLUE,)
    assert listed(state) == [Settle(vertex) for vertex in range(54)]


# Purchases and trades, compared with a search through all possibilities.


HANDS = st.lists(st.lists(st.integers(0, 4), min_size=5, max_size=5), min_size=1, max_size=4)


@given(HANDS, st.data())
def test_trades_are_those_that_both_builders_can_pay_for_in_order(
    hands: list[list[int]], data: st.DataObject
) -> None:
    turn = data.draw(st.integers(0, len(hands) - 1))
    state = position(hands={seat: tuple(hand) for seat, hand in enumerate(hands)}, turn=turn)
    assert [action for action in listed(state) if isinstance(action, Trade)] == [
        Trade(seat, give, take)
        for give in OWNED
        for seat, hand in enumerate(hands)
        for take in OWNED
        if seat != turn and give is not take and hands[turn][give] and hand[take]
    ]


@given(st.lists(st.integers(0, 4), min_size=5, max_size=5))
def test_hand_pays_for_what_its_resources_cover(hand: list[int]) -> None:
    def pays(cost: Cost) -> bool:
        return all(hand[kind] >= cost[kind] for kind in range(KINDS))

    state = position(
        homes={10: (BLUE, 1), 15: (BLUE, 2)}, roads={17: BLUE, 18: BLUE}, hands={BLUE: tuple(hand)}
    )
    improved = [state.levels[action.vertex] for action in listed(state) if type(action) is Improve]
    assert improved == [level for level in (1, 2) if pays(RESIDENCE_COSTS[level])]
    kinds = set(map(type, listed(state)))
    assert (BuildRoad in kinds, BuildResidence in kinds) == (
        pays(ROAD_COST),
        pays(RESIDENCE_COSTS[0]),
    )
