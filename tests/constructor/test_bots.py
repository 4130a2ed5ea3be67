"""The bots `Builder` and `Random`."""

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
from constructor.bots.goals import KIND_WEIGHTS, Position
from constructor.rules.actions import OWNED
from constructor.rules.layouts import pips
from constructor.rules.state import Offer
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
def test_bots_play_legally_from_any_position(
    match: Match[ConstructorState, Action],
) -> None:
    for seat in range(match.seats):
        match.set_player(seat, builder(seat))
    before = match.ply
    match.run(30)
    assert match.over or match.ply == before + 30


@pytest.mark.slow
def test_builder_wins_80_percent_against_random_players() -> None:
    won = 0
    for number in range(5):
        players: list[Player[ConstructorState, Action]] = [
            Random(f"{number} {seat}") for seat in range(4)
        ]
        players[number % 4] = builder(number)
        outcome = Match(GAME, seed=number, seats=4, players=players).run()
        won += outcome is not None and outcome.winners == (number % 4,)
    assert won >= 4


# Dice.


def test_builder_switches_to_fair_dice_and_rolls() -> None:
    state = position(phase=Phase.BEGINNING)
    assert choose(state) == UseFairDice()
    play(state, UseFairDice())
    assert choose(state) == Roll()


def test_bots_choose_loaded_totals_like_two_fair_dice() -> None:
    bot, state = builder(), position(phase=Phase.CHOOSING_ROLL)
    chosen = [choose(state, bot) for _ in range(600)]
    often = [chosen.count(ChooseRoll(total)) for total in range(2, 13)]
    assert often[5] > 3 * max(often[0], often[10]) > 0


# Building.


@pytest.mark.parametrize("homes", [{}, {21: (BLUE, 1)}], ids=["first", "second"])
def test_builder_settles_on_the_vertex_with_the_most_valuable_income(
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
def test_builder_improves_when_it_can_pay(level: int, hand: tuple[int, ...]) -> None:
    assert choose(position(homes={21: (BLUE, level)}, hands={BLUE: hand})) == Improve(21)


def test_builder_builds_a_basement_at_its_road() -> None:
    state = position(roads={EDGE: BLUE}, hands={BLUE: (1, 1, 1, 0, 1)})
    built = choose(state)
    assert isinstance(built, BuildResidence)
    assert built.vertex in GAME.board.edge_vertices[EDGE]


def test_builder_builds_a_road_towards_a_free_vertex() -> None:
    towers = {21: (BLUE, 3), 0: (BLUE, 3)}
    state = position(homes=towers, hands={BLUE: (0, 0, 0, 1, 1)})
    assert isinstance(choose(state), BuildRoad)


def test_builder_ends_its_turn_without_goals() -> None:
    assert choose(position(homes={21: (BLUE, 1)})) == EndTurn()
    assert choose(position(hands={BLUE: (0, 0, 0, 1, 1)})) == EndTurn()


# Trading.

NEEDS_HEAT = {BLUE: (1, 0, 2, 2, 0), RED: (0, 0, 0, 1, 1)}
"""Hands in which Blue needs one HEAT for a house and has a spare BRICK."""

NEEDS_BRICK = {**NEEDS_HEAT, RED: (2, 2, 2, 3, 1)}
"""Hands in which, in addition, Red needs one BRICK for a tower and has a spare HEAT."""

HOMES = {21: (BLUE, 1), 36: (RED, 2)}


def test_builder_offers_a_spare_card_for_a_missing_one() -> None:
    state = position(homes=HOMES, hands=NEEDS_BRICK)
    assert choose(state) == Trade(RED, BRICK, HEAT)


def test_builder_makes_no_offer_that_the_other_builder_has_no_reason_to_accept() -> None:
    state = position(homes={21: (BLUE, 1), 36: (RED, 1)}, hands=NEEDS_HEAT)
    assert choose(state) == EndTurn()


@pytest.mark.parametrize("bot", ["builder"])
def test_bots_make_no_more_offers_after_two_refusals(bot: str) -> None:
    state = position(homes=HOMES, hands=NEEDS_BRICK)
    refused = [Offer(YELLOW, BRICK, HEAT), Offer(ORANGE, BRICK, HEAT)]
    for count, offers in ((1, True), (2, False)):
        state.refused = tuple(refused[:count])
        chosen = asked(load("constructor").bot(bot, Streams(1)["bot"]), state)
        assert isinstance(chosen, Trade) == offers


def test_builder_does_not_repeat_a_declined_offer() -> None:
    state = position(homes=HOMES, hands=NEEDS_BRICK)
    bot, offered = builder(), []
    while (action := choose(state, bot)) != EndTurn():
        offered.append(action)
        play(state, action, Decline())
    assert len(set(offered)) == len(offered) == 1
    assert choose(state, bot) == EndTurn()


def asked(bot: AnyPlayer[ConstructorState, Action], state: ConstructorState) -> Action:
    """Return the action that a bot chooses for Blue."""
    return ask(bot, state, GAME.legal_actions(state, BLUE), Sampler(GAME, state, BLUE))


def test_random_bot_does_not_repeat_a_declined_offer() -> None:
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


def test_builder_accepts_only_offers_that_shorten_its_nearest_goal() -> None:
    for trade, answer in (
        (Trade(BLUE, HEAT, BRICK), Accept()),
        (Trade(BLUE, WIFI, GLASS), Decline()),
    ):
        state = position(homes={21: (BLUE, 1)}, hands=NEEDS_HEAT, turn=RED)
        play(state, trade)
        assert choose(state) == answer


def test_builder_does_not_trade_with_builders_close_to_winning() -> None:
    hands = {BLUE: (1, 0, 2, 2, 0), YELLOW: (0, 0, 0, 1, 1)}
    state = position(homes={21: (BLUE, 1), **LEADER}, hands=hands)
    assert choose(state) == EndTurn()
    theirs = position(homes={21: (BLUE, 1), **LEADER}, hands=hands, turn=YELLOW)
    play(theirs, Trade(BLUE, HEAT, BRICK))
    assert choose(theirs) == Decline()


# Geese.


def test_builder_places_geese_on_the_leaders_best_tile() -> None:
    homes = {20: (RED, 1), 33: (BLUE, 1), 51: (YELLOW, 3), 17: (YELLOW, 2)}
    placed = choose(position(homes=homes, phase=Phase.PLACING_GEESE, geese=4))
    assert isinstance(placed, PlaceGeese)
    theirs = {*GAME.board.vertex_tiles[51], *GAME.board.vertex_tiles[17]}
    assert placed.tile in theirs - {*GAME.board.vertex_tiles[33]}


def test_builder_steals_from_the_largest_hand() -> None:
    hands = {RED: (1, 1, 1, 0, 0), ORANGE: (0, 0, 0, 4, 0), YELLOW: (3, 0, 0, 0, 0)}
    homes = {20: (RED, 1), 26: (ORANGE, 1), 33: (YELLOW, 1)}
    state = position(homes=homes, hands=hands, phase=Phase.STEALING, geese=9)
    assert choose(state) == Steal(ORANGE)


def test_equal_positions_have_the_same_hash() -> None:
    """Positions are keys of caches."""
    match = Match(GAME, seed=1)
    position = Position.of(match.state)
    copied = position._replace(tiles=(*position.tiles,))
    assert position == copied
    assert hash(position) == hash(copied)
