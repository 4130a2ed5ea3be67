"""Reasons for refusing actions (Constructor §3, §4.5)."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.constructor.tables import (
    BLUE,
    BRICK,
    EVERY_ACTION,
    GAMES,
    GLASS,
    HEAT,
    ORANGE,
    PARK,
    RED,
    RICH_HAND,
    WIFI,
    YELLOW,
    new_match,
    play,
    position,
    reached,
)

from constructor import (
    GAME,
    Action,
    BuildResidence,
    BuildRoad,
    ConstructorState,
    Improve,
    ImproveTile,
    Phase,
    PlaceGeese,
    Roll,
    Settle,
    Steal,
    Trade,
)
from constructor.rules.actions import MOMENTS
from constructor.rules.reasons import CANNOT_BUILD, TOO_FEW
from tabletop import IllegalAction, Match

MINE = {21: (BLUE, 1)}
"""A basement of Blue in the middle of the board."""

RICH = {BLUE: RICH_HAND}
EDGES_AT_21 = GAME.board.vertex_edges[21]


def why_not(state: ConstructorState, action: Action) -> str:
    """Return the reason for refusing an action, or "" if it is legal."""
    try:
        GAME.check(state, action)
    except IllegalAction as error:
        return str(error)
    return ""


def vertices_at(edge: int) -> tuple[int, int]:
    return GAME.board.edge_vertices[edge]


def beyond(edge: int, vertex: int) -> int:
    """Return the other end of an edge."""
    return sum(vertices_at(edge)) - vertex


# Roads (§2.6, §3.3).


@pytest.mark.parametrize("edge", EDGES_AT_21)
def test_road_can_start_at_an_own_residence(edge: int) -> None:
    assert why_not(position(homes=MINE, hands=RICH), BuildRoad(edge)) == ""


@pytest.mark.parametrize("edge", GAME.board.edge_edges[EDGES_AT_21[0]])
def test_road_can_continue_an_own_road(edge: int) -> None:
    state = position(roads={EDGES_AT_21[0]: BLUE}, hands=RICH)
    assert why_not(state, BuildRoad(edge)) == ""


def test_road_needs_a_connection() -> None:
    assert why_not(position(homes=MINE, hands=RICH), BuildRoad(0)) == CANNOT_BUILD


def test_road_cannot_start_at_buildings_of_others() -> None:
    edge, other, *_ = EDGES_AT_21
    state = position(homes={21: (RED, 1)}, roads={edge: RED}, hands=RICH)
    assert why_not(state, BuildRoad(other)) == CANNOT_BUILD


def test_edge_can_have_only_one_road() -> None:
    state = position(homes=MINE, roads={EDGES_AT_21[0]: RED, EDGES_AT_21[1]: BLUE}, hands=RICH)
    assert why_not(state, BuildRoad(EDGES_AT_21[0])) == CANNOT_BUILD
    assert why_not(state, BuildRoad(EDGES_AT_21[1])) == CANNOT_BUILD


def test_road_can_pass_residences_of_others() -> None:
    edge = EDGES_AT_21[0]
    far = beyond(edge, 21)
    further = next(other for other in GAME.board.vertex_edges[far] if other != edge)
    state = position(homes={far: (RED, 2)}, roads={edge: BLUE}, hands=RICH)
    assert why_not(state, BuildRoad(further)) == ""


# Residences (§2.4.1, §3.1, §3.2).


def test_residence_needs_an_own_road_at_its_vertex() -> None:
    edge = EDGES_AT_21[0]
    assert why_not(position(roads={edge: BLUE}, hands=RICH), BuildResidence(21)) == ""
    assert why_not(position(roads={edge: RED}, hands=RICH), BuildResidence(21)) == CANNOT_BUILD
    assert why_not(position(hands=RICH), BuildResidence(21)) == CANNOT_BUILD


@pytest.mark.parametrize("owner", [BLUE, RED])
@pytest.mark.parametrize("near", [21, *GAME.board.vertex_vertices[21]])
def test_residences_cannot_be_adjacent_or_share_a_vertex(near: int, owner: int) -> None:
    state = position(homes={near: (owner, 1)}, roads={EDGES_AT_21[0]: BLUE}, hands=RICH)
    assert why_not(state, BuildResidence(21)) == CANNOT_BUILD


@pytest.mark.parametrize(("level", "wanted"), [(1, ""), (2, ""), (3, CANNOT_BUILD)])
def test_a_residence_can_be_improved_up_to_a_tower(level: int, wanted: str) -> None:
    state = position(homes={21: (BLUE, level)}, hands=RICH)
    assert why_not(state, Improve(21)) == wanted


def test_only_own_residences_can_be_improved() -> None:
    state = position(homes={21: (RED, 1)}, hands=RICH)
    assert why_not(state, Improve(21)) == CANNOT_BUILD
    assert why_not(state, Improve(0)) == CANNOT_BUILD


@pytest.mark.parametrize("near", GAME.board.vertex_vertices[21])
def test_first_basements_cannot_be_adjacent(near: int) -> None:
    state = position(homes={near: (RED, 1)}, phase=Phase.SETUP)
    state.order = (BLUE,)
    assert why_not(state, Settle(21)) == CANNOT_BUILD


# Prices (§2.4.1, §2.6, §3.5.3), in the order brick, energy, glass, heat, WiFi.

PRICES = [
    (BuildRoad(EDGES_AT_21[0]), 1, (0, 0, 0, 1, 1)),
    (BuildResidence(39), 1, (1, 1, 1, 0, 1)),
    (Improve(21), 1, (0, 0, 2, 3, 0)),
    (Improve(21), 2, (3, 2, 2, 2, 1)),
]


@pytest.mark.parametrize(("action", "level", "cost"), PRICES)
@pytest.mark.parametrize("missing", range(5))
def test_buildings_have_the_costs_of_the_document(
    action: Action, level: int, cost: tuple[int, ...], missing: int
) -> None:
    homes, roads = {21: (BLUE, level)}, {GAME.board.vertex_edges[39][0]: BLUE}
    assert why_not(position(homes=homes, roads=roads, hands={BLUE: cost}), action) == ""
    less = [amount - (kind == missing) for kind, amount in enumerate(cost)]
    if cost[missing]:
        poor = position(homes=homes, roads=roads, hands={BLUE: less})
        assert why_not(poor, action) == TOO_FEW


@pytest.mark.parametrize("action", [BuildRoad(0), BuildResidence(0), Improve(0)])
def test_place_is_checked_before_cost(action: Action) -> None:
    assert why_not(position(homes=MINE), action) == CANNOT_BUILD


# Trades (§3.5.4).


def test_trading_with_an_unused_colour_is_refused() -> None:
    match = new_match("small", seats=2)
    match.state.phase, match.state.turn, match.state.order = Phase.BUILDING, BLUE, ()
    match.state.cards[:] = [1] * 10
    with pytest.raises(IllegalAction, match=r"^Yellow .*\bgame\b"):
        GAMES["small"].check(match.state, Trade(YELLOW, BRICK, GLASS))
    for stranger in (4, -1):
        with pytest.raises(IllegalAction, match=rf"^Seat {stranger + 1} .*\bgame\b"):
            GAMES["small"].check(match.state, Trade(stranger, BRICK, GLASS))


@pytest.mark.parametrize(("give", "take"), [(PARK, GLASS), (BRICK, PARK)])
def test_a_park_cannot_be_traded(give: int, take: int) -> None:
    state = position(hands=dict.fromkeys(range(4), RICH_HAND))
    action = Trade(RED, type(PARK)(give), type(PARK)(take))
    assert why_not(state, action) == "PARK is not a resource that builders can have."


# Dice, geese and stealing (§2.8.1, §3.6).


@pytest.mark.parametrize(
    ("seat", "name"), [(BLUE, "Blue"), (ORANGE, "Orange"), (YELLOW, "Yellow"), (7, "Seat 8")]
)
def test_only_builders_with_cards_at_the_geese_can_be_stolen_from(seat: int, name: str) -> None:
    homes = {20: (BLUE, 1), 26: (RED, 1), 32: (ORANGE, 1), 0: (YELLOW, 1)}
    hands = {BLUE: RICH_HAND, RED: (0, 0, 0, 0, 1), YELLOW: RICH_HAND}
    state = position(homes=homes, hands=hands, phase=Phase.STEALING, geese=9)
    assert why_not(state, Steal(RED)) == ""
    assert why_not(state, Steal(seat)) == f"You cannot steal from {name}. Choose one of: Red."


# Tiles (§6, question 6).


def test_tiles_cannot_be_improved_in_the_standard_game() -> None:
    state = position(homes=MINE, hands=RICH)
    tile = GAME.board.vertex_tiles[21][0]
    assert (
        why_not(state, ImproveTile(tile, WIFI)) == "Tiles cannot be improved in the standard game."
    )


def test_tile_improvement_needs_a_residence_and_another_kind_and_excludes_parks() -> None:
    state = position(homes={20: (BLUE, 1)}, hands=RICH, variant="rich")
    assert state.tiles[9].kind is BRICK
    assert why_not(state, ImproveTile(9, BRICK)) == "Tile 9 already produces BRICK."
    assert why_not(state, ImproveTile(9, PARK)) == "PARK is not a resource that builders can have."
    assert why_not(state, ImproveTile(0, WIFI)) == CANNOT_BUILD
    assert why_not(state, ImproveTile(19, WIFI)) == CANNOT_BUILD
    park = position(homes={8: (BLUE, 1)}, hands=RICH, variant="rich")
    assert why_not(park, ImproveTile(4, WIFI)) == CANNOT_BUILD
    play(state, ImproveTile(9, WIFI))
    assert why_not(state, ImproveTile(9, HEAT)) == CANNOT_BUILD


def test_tile_improvement_costs_brick_energy_and_heat() -> None:
    state = position(homes={20: (BLUE, 1)}, hands={BLUE: (1, 1, 0, 1, 0)}, variant="rich")
    assert why_not(state, ImproveTile(9, WIFI)) == ""
    state.cards[HEAT] = 0
    assert why_not(state, ImproveTile(9, WIFI)) == TOO_FEW


# Phases.


@pytest.mark.parametrize("action", [Roll(), Settle(0), PlaceGeese(3), Steal(RED)])
def test_action_of_another_phase_is_refused_with_the_possible_actions(action: Action) -> None:
    can = "you can build, trade, or end your turn"
    assert why_not(position(), action) == f"{action} is not possible now: {can}"


@pytest.mark.slow
@given(reached(), st.data())
@settings(max_examples=20)
def test_refused_actions_change_nothing_and_have_a_reason(
    match: Match[ConstructorState, Action], data: st.DataObject
) -> None:
    before = match.digest()
    for action in data.draw(st.lists(st.sampled_from(EVERY_ACTION[match.state.board]), max_size=9)):
        try:
            match.check(action)
        except IllegalAction as error:
            reason = str(error)
        else:
            reason = "allowed"
        assert reason
        assert match.digest() == before


def test_trade_of_a_kind_for_itself_is_legal_but_not_listed() -> None:
    trade = Trade(RED, BRICK, BRICK)
    state = position(hands={BLUE: (1, 0, 0, 0, 0), RED: (1, 0, 0, 0, 0)})
    assert why_not(state, trade) == ""
    assert trade not in GAME.legal_actions(state, BLUE)
    state.cards[RED * 5 + BRICK] = 0
    assert why_not(state, trade) == "Red has no BRICK to give."
    state.cards[BRICK] = 0
    assert why_not(state, trade) == TOO_FEW
    assert why_not(state, Trade(BLUE, BRICK, BRICK)) == "You cannot trade with yourself."


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("phase", Phase)
def test_every_action_is_parsed_from_its_text(name: str, phase: Phase) -> None:
    game = GAMES[name]
    state = new_match(name).state
    state.phase = phase
    for action in game.all_actions(game.resolve_options({"variant": "rich"}), max(game.seats)):
        if MOMENTS[type(action)] is phase:
            assert game.parse(str(action), state, 0) == action
