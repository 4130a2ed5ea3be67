"""The Builder: legal at every moment, and better than chance."""

from __future__ import annotations

from collections.abc import Iterable

import pytest
from hypothesis import given, settings
from tests.constructor.tables import (
    BLUE,
    BRICK,
    GLASS,
    HEAT,
    ORANGE,
    RED,
    WIFI,
    YELLOW,
    play,
    position,
    reached,
)

from constructor import (
    GAME,
    Accept,
    Action,
    Builder,
    BuildResidence,
    BuildRoad,
    ChooseRoll,
    ConstructorState,
    Decline,
    EndTurn,
    Improve,
    Phase,
    PlaceGeese,
    Roll,
    Settle,
    Steal,
    Trade,
    UseFairDice,
)
from constructor.bots.goals import KIND_WEIGHTS
from constructor.rules.actions import OWNED
from constructor.rules.layouts import pips
from tabletop import Match, Player, Random, Sampler, Streams
from tabletop.match import AnyPlayer, ask
from tabletop.registry import load

EDGE = GAME.board.vertex_edges[21][0]
LEADER = {0: (YELLOW, 3), 5: (YELLOW, 3), 51: (YELLOW, 2)}


def builder(seed: int = 1) -> Builder:
    return Builder(Streams(seed)["bot"])


def choose(state: ConstructorState, bot: Builder | None = None) -> Action:
    actions = GAME.legal_actions(state, GAME.to_act(state)[0])
    action = (bot or builder()).choose(state.clone(), actions)
    assert action in actions
    return action


@pytest.mark.slow
@given(reached())
@settings(max_examples=20)
def test_a_bot_that_is_put_in_at_any_moment_plays_legally(
    match: Match[ConstructorState, Action],
) -> None:
    for seat in range(match.seats):
        match.set_player(seat, builder(seat))
    before = match.ply
    match.run(30)
    assert match.over or match.ply == before + 30


@pytest.mark.slow
def test_it_wins_at_least_four_of_five_matches_against_three_random_players() -> None:
    won = 0
    for number in range(5):
        players: list[Player[ConstructorState, Action]] = [
            Random(f"{number} {seat}") for seat in range(4)
        ]
        players[number % 4] = builder(number)
        outcome = Match(GAME, seed=number, seats=4, players=players).run()
        won += outcome is not None and outcome.winners == (number % 4,)
    assert won >= 4


# Dice: it does not cheat.


def test_it_takes_fair_dice_and_rolls_them() -> None:
    state = position(phase=Phase.BEGINNING)
    assert choose(state) == UseFairDice()
    play(state, UseFairDice())
    assert choose(state) == Roll()


def test_with_loaded_dice_in_hand_it_says_what_two_dice_would() -> None:
    bot, state = builder(), position(phase=Phase.CHOOSING_ROLL)
    chosen = [choose(state, bot) for _ in range(600)]
    often = [chosen.count(ChooseRoll(total)) for total in range(2, 13)]
    assert often[5] > 3 * max(often[0], often[10]) > 0


# Building.


@pytest.mark.parametrize("homes", [{}, {21: (BLUE, 1)}], ids=["first", "second"])
def test_it_settles_where_income_grows_most_the_less_the_more_there_is_of_a_kind(
    homes: dict[int, tuple[int, int]],
) -> None:
    state = position(phase=Phase.SETUP, homes=homes)
    state.order = (BLUE,)
    settle = choose(state)
    assert isinstance(settle, Settle)

    def income(vertices: Iterable[int]) -> list[int]:
        at = [state.tiles[tile] for each in vertices for tile in GAME.board.vertex_tiles[each]]
        return [sum(pips(tile) for tile in at if tile.kind is kind) for kind in OWNED]

    def value(vertex: int) -> float:
        pairs = zip(KIND_WEIGHTS, income(homes), income([*homes, vertex]), strict=True)
        return sum((weight * (new**0.6 - old**0.6) for weight, old, new in pairs), 0.0)

    actions = GAME.legal_actions(state, BLUE)
    free = [action.vertex for action in actions if isinstance(action, Settle)]
    assert value(settle.vertex) == pytest.approx(max(map(value, free)), abs=0.01)


@pytest.mark.parametrize(
    ("level", "hand"), [(1, (0, 0, 2, 3, 0)), (2, (3, 2, 2, 2, 1))], ids=["house", "tower"]
)
def test_it_improves_when_it_can_pay(level: int, hand: tuple[int, ...]) -> None:
    assert choose(position(homes={21: (BLUE, level)}, hands={BLUE: hand})) == Improve(21)


def test_it_builds_a_basement_where_a_road_leads() -> None:
    state = position(roads={EDGE: BLUE}, hands={BLUE: (1, 1, 1, 0, 1)})
    built = choose(state)
    assert isinstance(built, BuildResidence)
    assert built.vertex in GAME.board.edge_vertices[EDGE]


def test_it_builds_a_road_towards_a_place_when_nothing_else_is_near() -> None:
    towers = {21: (BLUE, 3), 0: (BLUE, 3)}
    state = position(homes=towers, hands={BLUE: (0, 0, 0, 1, 1)})
    assert isinstance(choose(state), BuildRoad)


def test_it_ends_its_turn_when_nothing_can_be_done() -> None:
    assert choose(position(homes={21: (BLUE, 1)})) == EndTurn()
    assert choose(position(hands={BLUE: (0, 0, 0, 1, 1)})) == EndTurn()


# Trading.

NEEDS_HEAT = {BLUE: (1, 0, 2, 2, 0), RED: (0, 0, 0, 1, 1)}
"""Blue lacks one HEAT for a house, and has a BRICK to spare."""


def test_it_offers_what_its_goal_leaves_over_for_what_it_lacks() -> None:
    state = position(homes={21: (BLUE, 1)}, hands=NEEDS_HEAT)
    assert choose(state) == Trade(RED, BRICK, HEAT)


def test_it_does_not_offer_the_same_twice_on_the_same_hand() -> None:
    state = position(homes={21: (BLUE, 1)}, hands=NEEDS_HEAT)
    bot, offered = builder(), []
    while (action := choose(state, bot)) != EndTurn():
        offered.append(action)
        play(state, action, Decline())
    assert len(set(offered)) == len(offered) == 1
    assert choose(state, bot) == EndTurn()


def asked(bot: AnyPlayer[ConstructorState, Action], state: ConstructorState) -> Action:
    """What a bot does for the blue player."""
    return ask(bot, state, GAME.legal_actions(state, BLUE), Sampler(GAME, state, BLUE))


def test_a_random_player_offers_nothing_again_that_was_declined_in_the_turn() -> None:
    state = position(hands={BLUE: (2, 2, 0, 0, 0), RED: (0, 0, 2, 2, 0), YELLOW: (0, 0, 0, 1, 0)})
    bot = load("constructor").bot("random", Streams(1)["bot"])
    offered = []
    while (action := asked(bot, state)) != EndTurn():
        offered.append(action)
        play(state, action, Decline())
        assert len(offered) <= 6
    state.refused = ()
    again = [asked(bot, state) for _ in range(99)]
    assert set(offered) <= set(again)


def test_it_accepts_what_brings_a_point_nearer_and_nothing_else() -> None:
    for trade, answer in (
        (Trade(BLUE, HEAT, BRICK), Accept()),
        (Trade(BLUE, WIFI, GLASS), Decline()),
    ):
        state = position(homes={21: (BLUE, 1)}, hands=NEEDS_HEAT, turn=RED)
        play(state, trade)
        assert choose(state) == answer


def test_it_trades_with_nobody_who_is_about_to_win() -> None:
    hands = {BLUE: (1, 0, 2, 2, 0), YELLOW: (0, 0, 0, 1, 1)}
    state = position(homes={21: (BLUE, 1), **LEADER}, hands=hands)
    assert choose(state) == EndTurn()
    theirs = position(homes={21: (BLUE, 1), **LEADER}, hands=hands, turn=YELLOW)
    play(theirs, Trade(BLUE, HEAT, BRICK))
    assert choose(theirs) == Decline()


# Geese.


def test_it_puts_the_geese_on_the_best_tile_of_the_leader_and_not_on_its_own() -> None:
    homes = {20: (RED, 1), 33: (BLUE, 1), 51: (YELLOW, 3), 17: (YELLOW, 2)}
    placed = choose(position(homes=homes, phase=Phase.PLACING_GEESE, geese=4))
    assert isinstance(placed, PlaceGeese)
    theirs = {*GAME.board.vertex_tiles[51], *GAME.board.vertex_tiles[17]}
    assert placed.tile in theirs - {*GAME.board.vertex_tiles[33]}


def test_it_steals_from_the_biggest_hand() -> None:
    hands = {RED: (1, 1, 1, 0, 0), ORANGE: (0, 0, 0, 4, 0), YELLOW: (3, 0, 0, 0, 0)}
    homes = {20: (RED, 1), 26: (ORANGE, 1), 33: (YELLOW, 1)}
    state = position(homes=homes, hands=hands, phase=Phase.STEALING, geese=9)
    assert choose(state) == Steal(ORANGE)
