"""Effects of each action (Constructor §2.8, §3, §4)."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from tests.constructor.tables import (
    BLUE,
    BRICK,
    GAMES,
    GLASS,
    ORANGE,
    RED,
    RICH_HAND,
    YELLOW,
    new_match,
    play,
    position,
    reached,
)

from constructor import (
    GAME,
    Accept,
    Action,
    BasementChosen,
    Board,
    BuildResidence,
    BuildRoad,
    ChooseRoll,
    Constructor,
    ConstructorState,
    Decline,
    DiceChosen,
    DiceRolled,
    EndTurn,
    GameWon,
    GeesePlaced,
    Improve,
    ImproveTile,
    Phase,
    PlaceGeese,
    ResidenceBuilt,
    ResourcesLost,
    ResourceStolen,
    RoadBuilt,
    Roll,
    Settle,
    SetupEnded,
    Steal,
    Trade,
    TradeAnswered,
    TradeOffered,
    TurnBegan,
    UseFairDice,
    VictimsFound,
)
from constructor.rules.production import TILE_COST
from constructor.rules.state import KINDS, NOBODY, RESIDENCE_COSTS, ROAD_COST, Offer
from tabletop import Match
from tabletop.testing import scripted_streams

EDGE = GAME.board.vertex_edges[21][0]


def hands(state: ConstructorState) -> list[list[int]]:
    return [state.hand(seat) for seat in range(state.seats)]


# Setup (§4.1).


def test_basements_are_chosen_in_snake_order() -> None:
    match = Match(GAME, seats=4)
    seats = []
    while match.state.phase is Phase.SETUP:
        seats.append(match.to_act[0])
        match.play(match.legal_actions()[0])
    assert seats == [BLUE, RED, ORANGE, YELLOW, YELLOW, ORANGE, RED, BLUE]


def test_the_first_basements_give_no_resources_and_come_without_roads() -> None:
    match = Match(GAME, seats=4)
    for _ in range(8):
        match.play(match.legal_actions()[-1])
    assert match.state.levels.count(1) == 8
    assert not any(match.state.cards)
    assert not match.state.built


def test_after_the_setup_it_is_the_turn_of_blue() -> None:
    state = position(phase=Phase.SETUP, turn=BLUE)
    state.order = (BLUE,)
    events = play(state, Settle(13))
    assert (state.turn, state.phase) == (BLUE, Phase.BEGINNING)
    assert events == [BasementChosen(BLUE, 13), SetupEnded(), TurnBegan(BLUE)]


def test_the_setup_ends_early_where_no_place_is_left() -> None:
    game = Constructor(Board("test: one tile", ((0, 0),)), seats=range(2, 5))
    match = Match(game, seats=4)
    for vertex in (0, 3, 4):  # each takes its neighbours away as well
        assert match.state.phase is Phase.SETUP
        match.play(Settle(vertex))
    assert match.to_act == (BLUE,)
    assert match.state.homes.count(NOBODY) == 3


# Turns (§3.4, §4.2).


def test_turns_follow_the_seat_order() -> None:
    state = position(turn=ORANGE)
    assert play(state, EndTurn()) == [TurnBegan(YELLOW)]
    assert (state.turn, state.phase) == (YELLOW, Phase.BEGINNING)
    state.phase = Phase.BUILDING
    play(state, EndTurn())
    assert state.turn == BLUE


# Dice (§2.8).


def test_rolling_loaded_dice_requires_a_total() -> None:
    state = position(phase=Phase.BEGINNING)
    assert play(state, Roll()) == []
    assert list(GAME.legal_actions(state, BLUE)) == [ChooseRoll(total) for total in range(2, 13)]
    assert DiceRolled(BLUE, 8) in play(state, ChooseRoll(8))
    assert state.phase is Phase.BUILDING


def test_fair_dice_roll_two_dice() -> None:
    state = position(phase=Phase.BEGINNING)
    rng = scripted_streams({("dice", BLUE): [2, 5]})
    events = play(state, UseFairDice(), Roll(), rng=rng)
    assert events[:2] == [DiceChosen(BLUE, True), DiceRolled(BLUE, 9, (3, 6))]


def test_each_builder_keeps_a_separate_choice_of_dice() -> None:
    state = position(phase=Phase.BEGINNING)
    play(state, UseFairDice())
    assert state.fair == [True, False, False, False]
    state.phase = Phase.BUILDING
    play(state, EndTurn(), Roll())
    assert state.phase is Phase.CHOOSING_ROLL
    assert state.fair == [True, False, False, False]


# Building (§2.4.1, §2.6, §3.1 to §3.3).

BUILDINGS = [
    (BuildRoad(EDGE), 1, ROAD_COST, RoadBuilt(BLUE, EDGE)),
    (BuildResidence(39), 1, RESIDENCE_COSTS[0], ResidenceBuilt(BLUE, 39, 1)),
    (Improve(21), 1, RESIDENCE_COSTS[1], ResidenceBuilt(BLUE, 21, 2)),
    (Improve(21), 2, RESIDENCE_COSTS[2], ResidenceBuilt(BLUE, 21, 3)),
]


@pytest.mark.parametrize(("action", "level", "cost", "told"), BUILDINGS)
def test_building_is_paid_for_and_emits_an_event(
    action: Action, level: int, cost: tuple[int, ...], told: object
) -> None:
    roads = {GAME.board.vertex_edges[39][0]: BLUE}
    state = position(homes={21: (BLUE, level)}, roads=roads, hands={BLUE: RICH_HAND})
    assert play(state, action) == [told]
    assert state.hand(BLUE) == [9 - amount for amount in cost]
    assert state.phase is Phase.BUILDING


# Trading (§3.5.4).


def test_a_trade_waits_for_the_answer_of_the_other_builder() -> None:
    state = position(hands={BLUE: (1, 0, 0, 0, 0), ORANGE: (0, 0, 1, 0, 0)})
    assert play(state, Trade(ORANGE, BRICK, GLASS)) == [TradeOffered(BLUE, ORANGE, BRICK, GLASS)]
    assert GAME.to_act(state) == (ORANGE,)
    assert state.hand(BLUE) == [1, 0, 0, 0, 0]


def test_accepting_exchanges_one_card_each() -> None:
    state = position(hands={BLUE: (2, 0, 0, 0, 0), ORANGE: (0, 0, 3, 0, 0)})
    events = play(state, Trade(ORANGE, BRICK, GLASS), Accept())
    assert events[1:] == [TradeAnswered(BLUE, ORANGE, BRICK, GLASS, True)]
    assert hands(state) == [[1, 0, 1, 0, 0], [0] * 5, [1, 0, 2, 0, 0], [0] * 5]
    assert (state.phase, state.offer, state.turn) == (Phase.BUILDING, None, BLUE)


def test_declining_only_records_the_refusal() -> None:
    state = position(hands={BLUE: (2, 0, 0, 0, 0), ORANGE: (0, 0, 3, 0, 0)})
    before = state.clone()
    events = play(state, Trade(ORANGE, BRICK, GLASS), Decline())
    assert events[1:] == [TradeAnswered(BLUE, ORANGE, BRICK, GLASS, False)]
    assert state.refused == (Offer(ORANGE, BRICK, GLASS),)
    state.refused = ()
    assert state == before


def test_refusals_are_recorded_until_the_turn_ends() -> None:
    state = position(hands={BLUE: (2, 0, 0, 0, 0), ORANGE: (0, 0, 3, 0, 0)})
    play(state, Trade(ORANGE, BRICK, GLASS), Decline(), Trade(ORANGE, BRICK, GLASS), Accept())
    assert state.refused == (Offer(ORANGE, BRICK, GLASS),)
    play(state, EndTurn())
    assert len(state.refused) == 0


# Geese (§3.6).


@pytest.mark.parametrize(
    ("owned", "lost"), [(0, 0), (9, 0), (10, 5), (11, 5), (12, 6), (13, 6), (45, 22)]
)
def test_hands_of_ten_or_more_lose_half_rounded_down_on_a_seven(owned: int, lost: int) -> None:
    state = position(hands={YELLOW: (owned, 0, 0, 0, 0)}, phase=Phase.CHOOSING_ROLL)
    events = play(state, ChooseRoll(7))
    told = [ResourcesLost(YELLOW, (lost, 0, 0, 0, 0))] if lost else []
    assert events[1:] == told
    assert state.hand(YELLOW) == [owned - lost, 0, 0, 0, 0]


def test_all_builders_lose_to_the_geese_in_seat_order() -> None:
    rich = {BLUE: (10, 0, 0, 0, 0), RED: (5, 4, 0, 0, 0), YELLOW: (0, 0, 0, 0, 11)}
    state = position(hands=rich, phase=Phase.CHOOSING_ROLL, turn=BLUE)
    events = play(state, ChooseRoll(7))
    assert events[1:] == [
        ResourcesLost(BLUE, (5, 0, 0, 0, 0)),
        ResourcesLost(YELLOW, (0, 0, 0, 0, 5)),
    ]
    assert state.phase is Phase.PLACING_GEESE


def test_lost_cards_are_drawn_one_by_one() -> None:
    state = position(hands={RED: (3, 2, 1, 0, 4)}, phase=Phase.CHOOSING_ROLL)
    draws = [0, 8, 4, 5, 0]  # of 10: BRICK; of 9: WIFI; of 8: GLASS; of 7: WIFI; of 6: BRICK
    events = play(state, ChooseRoll(7), rng=scripted_streams({("geese", RED): draws}))
    assert events[1:] == [ResourcesLost(RED, (2, 0, 1, 0, 2))]
    assert state.hand(RED) == [1, 2, 0, 0, 2]


def test_geese_example_of_the_document() -> None:
    homes = {0: (BLUE, 1), 32: (RED, 2), 17: (ORANGE, 1), 20: (YELLOW, 1)}
    owned = {BLUE: (0, 0, 0, 5, 0), ORANGE: (11, 0, 0, 0, 0), YELLOW: (0, 0, 3, 0, 0)}
    state = position(homes=homes, hands=owned, phase=Phase.CHOOSING_ROLL, geese=4)
    events = play(state, ChooseRoll(7), PlaceGeese(9), Steal(YELLOW))
    assert events == [
        DiceRolled(BLUE, 7),
        ResourcesLost(ORANGE, (5, 0, 0, 0, 0)),
        GeesePlaced(BLUE, 9),
        VictimsFound(BLUE, (YELLOW,)),
        ResourceStolen(BLUE, YELLOW, GLASS),
    ]
    assert hands(state) == [[0, 0, 1, 5, 0], [0] * 5, [6, 0, 0, 0, 0], [0, 0, 2, 0, 0]]
    assert (state.geese, state.phase) == (9, Phase.BUILDING)


def test_victims_are_other_builders_in_seat_order_without_duplicates() -> None:
    homes = {33: (RED, 1), 20: (YELLOW, 1), 32: (RED, 1), 26: (ORANGE, 1)}
    state = position(
        homes=homes,
        hands=dict.fromkeys(range(4), RICH_HAND),
        phase=Phase.PLACING_GEESE,
        turn=ORANGE,
    )
    assert play(state, PlaceGeese(9))[1:] == [VictimsFound(ORANGE, (RED, YELLOW))]
    assert state.phase is Phase.STEALING


def test_stolen_card_is_the_drawn_card() -> None:
    state = position(
        homes={20: (RED, 1)}, hands={RED: (2, 0, 1, 0, 3)}, phase=Phase.STEALING, geese=9
    )
    events = play(state, Steal(RED), rng=scripted_streams({("steal", BLUE): [2]}))
    assert events == [ResourceStolen(BLUE, RED, GLASS)]
    assert hands(state)[:2] == [[0, 0, 1, 0, 0], [2, 0, 0, 0, 3]]


# The end (§4.4).


def test_game_ends_immediately_at_10_points() -> None:
    homes = {0: (BLUE, 3), 5: (BLUE, 3), 20: (BLUE, 2), 36: (BLUE, 1)}
    state = position(homes=homes, hands={BLUE: RICH_HAND})
    assert state.points(BLUE) == 9
    assert play(state, Improve(36))[1:] == [GameWon(BLUE, 10)]
    assert state.phase is Phase.OVER
    assert GAME.to_act(state) == ()
    outcome = GAME.outcome(state)
    assert outcome is not None
    assert (outcome.winners, outcome.reason) == ((BLUE,), "10 building points")


def test_basement_can_be_the_tenth_point() -> None:
    homes = {0: (RED, 3), 5: (RED, 3), 51: (RED, 3)}
    state = position(homes=homes, roads={EDGE: RED}, hands={RED: RICH_HAND}, turn=RED)
    play(state, BuildResidence(21))
    assert state.phase is Phase.OVER


# Invariants.


def cost_of(state: ConstructorState, action: Action) -> tuple[int, ...]:
    if isinstance(action, BuildRoad):
        return ROAD_COST
    if isinstance(action, BuildResidence):
        return RESIDENCE_COSTS[0]
    if isinstance(action, ImproveTile):
        return TILE_COST
    if isinstance(action, Improve):
        return RESIDENCE_COSTS[state.levels[action.vertex]]
    return (0,) * KINDS


def totals(state: ConstructorState) -> list[int]:
    return [sum(state.cards[kind::KINDS]) for kind in range(KINDS)]


@pytest.mark.slow
@given(reached())
@settings(max_examples=20)
def test_resources_are_conserved_apart_from_production_payment_and_geese(
    match: Match[ConstructorState, Action],
) -> None:
    lost: list[int] = []
    match.observe(lambda event: lost.extend(event.amounts), ResourcesLost)
    for _ in range(40):
        if match.over:
            break
        state, lost[:] = match.state.clone(), []
        action = match.step()
        now = totals(match.state)
        assert min(match.state.cards) >= 0
        if isinstance(action, (ChooseRoll, Roll)) and match.state.phase is Phase.BUILDING:
            assert all(after >= before for after, before in zip(now, totals(state), strict=True))
            continue
        paid = cost_of(state, action)
        fed = [sum(lost[kind::KINDS]) for kind in range(KINDS)]
        rest = zip(totals(state), paid, fed, strict=True)
        assert now == [before - price - eaten for before, price, eaten in rest]


@pytest.mark.slow
@given(reached())
@settings(max_examples=20)
def test_points_match_the_board_and_roads_connect_to_separate_residences(
    match: Match[ConstructorState, Action],
) -> None:
    state = match.state
    for seat in range(state.seats):
        levels = [
            level for owner, level in zip(state.homes, state.levels, strict=True) if owner == seat
        ]
        assert state.points(seat) == sum(levels)
        assert 0 not in levels
        assert sorted(state.homes_of(seat)) == [
            vertex for vertex, owner in enumerate(state.homes) if owner == seat
        ]
        assert sorted(state.roads_of(seat)) == [
            edge for edge, owner in enumerate(state.roads) if owner == seat
        ]
    assert len(set(state.settled)) == len(state.settled)
    assert len(set(state.built)) == len(state.built)
    board = state.topology
    for vertex in state.settled:
        assert not any(other in state.settled for other in board.vertex_vertices[vertex])
    for seat in range(state.seats):
        reached_edges: list[int] = []
        vertices = state.homes_of(seat)
        for vertex in vertices:
            for edge in board.vertex_edges[vertex]:
                if state.roads[edge] == seat and edge not in reached_edges:
                    reached_edges.append(edge)
                    vertices += [end for end in board.edge_vertices[edge] if end not in vertices]
        assert sorted(reached_edges) == sorted(state.roads_of(seat))


@pytest.mark.parametrize("board", GAMES)
def test_play_from_full_hands_reaches_all_action_types(board: str) -> None:
    kinds: set[type[Action]] = set()
    for seed in range(4):
        match = new_match(board, seed, variant="rich", full=True)
        match.run(500)
        kinds |= set(map(type, match.actions))
    assert kinds == {*Action.__args__} - {Settle}
