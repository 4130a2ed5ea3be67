"""What bots that look ahead go by: how good a state is, and which actions are worth trying."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from tests.constructor.tables import (
    BLUE,
    BRICK,
    GAMES,
    GLASS,
    HEAT,
    ORANGE,
    RED,
    TILES,
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
    ChooseRoll,
    ConstructorState,
    Decline,
    EndTurn,
    Improve,
    Phase,
    PlaceGeese,
    Planner,
    Roll,
    Trade,
    UseFairDice,
    UseLoadedDice,
)
from constructor.bots.evaluation import evaluate, policy
from constructor.bots.players import BOTS
from constructor.rules.layouts import pips
from constructor.rules.state import NOBODY
from tabletop import Match, Random, Sampler, Streams
from tabletop.match import AnyPlayer
from tabletop.states import to_json

HOME = {21: (BLUE, 1), 8: (BLUE, 1), 28: (RED, 1), 47: (RED, 1)}
LEADER = {0: (YELLOW, 3), 5: (YELLOW, 3), 51: (YELLOW, 2)}
HELPFUL = {BLUE: (1, 0, 2, 2, 0), RED: (0, 2, 2, 2, 1)}
"""Blue lacks a HEAT for a house, and Red a BRICK for a basement."""


def legal(state: ConstructorState) -> Sequence[Action]:
    return GAME.legal_actions(state, GAME.to_act(state)[0])


def worthwhile(state: ConstructorState) -> Sequence[Action]:
    return policy(state, legal(state))


def offers(state: ConstructorState) -> list[Trade]:
    return [action for action in worthwhile(state) if isinstance(action, Trade)]


def choose(state: ConstructorState, seed: int = 1) -> Action:
    """What the strongest bot does."""
    seat = GAME.to_act(state)[0]
    bot = Planner(Streams(seed)["bot"], game=GAME)
    return bot.choose(state.clone(), legal(state), Sampler(GAME, state, seat))


@pytest.mark.slow
@given(reached())
@settings(max_examples=30)
def test_values_are_shares_of_one_and_leave_the_state_as_it_is(
    match: Match[ConstructorState, Action],
) -> None:
    before = to_json(match.state)
    values = [evaluate(match.state, seat) for seat in range(match.seats)]
    assert all(0.0 <= value <= 1.0 for value in values)
    assert sum(values) == pytest.approx(1.0)
    assert to_json(match.state) == before


@pytest.mark.slow
@given(reached())
@settings(max_examples=30)
def test_some_actions_are_worth_trying_in_their_order_and_no_refused_offer_is(
    match: Match[ConstructorState, Action],
) -> None:
    before = to_json(match.state)
    for seat in match.to_act:
        actions = match.legal_actions(seat)
        kept = policy(match.state, actions)
        assert kept
        assert list(kept) == [action for action in actions if action in kept]
        refused = {Trade(offer.seat, offer.give, offer.take) for offer in match.state.refused}
        assert not refused.intersection(kept)
        assert UseLoadedDice() not in kept
    assert to_json(match.state) == before


def test_who_has_won_has_all_and_the_others_have_nothing() -> None:
    state = position(homes={21: (BLUE, 1), **LEADER}, hands={YELLOW: (3, 2, 2, 2, 1)}, turn=YELLOW)
    state.homes[9], state.levels[9] = YELLOW, 1
    state.settled.append(9)
    play(state, Improve(51))
    assert state.phase is Phase.OVER
    assert [evaluate(state, seat) for seat in range(4)] == [0.0, 0.0, 0.0, 1.0]


def test_a_match_that_nobody_has_won_is_shared_by_those_with_the_most_points() -> None:
    state = position(homes=HOME, phase=Phase.OVER)
    assert [evaluate(state, seat) for seat in range(4)] == [0.5, 0.5, 0.0, 0.0]


def test_cards_income_and_points_are_good_and_geese_are_not() -> None:
    plain = evaluate(position(homes=HOME), BLUE)
    assert evaluate(position(homes=HOME, hands={BLUE: (0, 0, 2, 3, 0)}), BLUE) > plain
    assert evaluate(position(homes={**HOME, 21: (BLUE, 2)}), BLUE) > plain
    tile = next(tile for tile in GAME.board.vertex_tiles[21] if pips(TILES[tile]))
    assert evaluate(position(homes=HOME, geese=tile), BLUE) < plain


def test_an_offer_counts_as_answered_by_its_worth() -> None:
    state = position(homes=HOME, hands=HELPFUL)
    for trade, answer in (
        (Trade(RED, BRICK, HEAT), Accept()),
        (Trade(RED, GLASS, WIFI), Decline()),
    ):
        offered, answered = state.clone(), state.clone()
        play(offered, trade)
        play(answered, trade, answer)
        assert evaluate(offered, BLUE) == pytest.approx(evaluate(answered, BLUE))


def test_only_offers_that_help_both_are_worth_trying() -> None:
    state = position(homes=HOME, hands=HELPFUL)
    assert Trade(RED, BRICK, HEAT) in offers(state)
    assert Trade(RED, HEAT, WIFI) in legal(state)
    assert Trade(RED, HEAT, WIFI) not in offers(state)


def test_a_refused_offer_is_not_worth_trying_again() -> None:
    state = position(homes=HOME, hands=HELPFUL)
    play(state, Trade(RED, BRICK, HEAT), Decline())
    assert Trade(RED, BRICK, HEAT) in legal(state)
    assert Trade(RED, BRICK, HEAT) not in offers(state)


def test_nobody_who_is_about_to_win_is_offered_anything_or_offers_it() -> None:
    hands = {YELLOW: (0, 1, 1, 1, 1), BLUE: (1, 0, 2, 2, 0)}
    homes = {21: (BLUE, 1), **LEADER}
    assert offers(position(homes=homes, hands=hands)) == []
    assert offers(position(homes=homes, hands=hands, turn=YELLOW)) == []


def test_geese_are_worth_placing_where_others_alone_live() -> None:
    state = position(homes={20: (RED, 1), 33: (BLUE, 1)}, phase=Phase.PLACING_GEESE)
    for action in worthwhile(state):
        assert isinstance(action, PlaceGeese)
        owners = {state.homes[vertex] for vertex in GAME.board.tile_vertices[action.tile]}
        assert owners - {NOBODY} == {RED}


def test_geese_go_anywhere_where_nobody_else_lives() -> None:
    state = position(homes={33: (BLUE, 1)}, phase=Phase.PLACING_GEESE)
    assert worthwhile(state) == legal(state)


# The strongest bot.


def test_it_rolls_fair_dice() -> None:
    state = position(homes=HOME, phase=Phase.BEGINNING)
    assert choose(state) == UseFairDice()
    play(state, UseFairDice())
    assert choose(state) == Roll()


def test_with_loaded_dice_in_hand_it_says_what_two_dice_would() -> None:
    state = position(homes=HOME, phase=Phase.CHOOSING_ROLL)
    chosen = [choose(state, seed) for seed in range(300)]
    often = [chosen.count(ChooseRoll(total)) for total in range(2, 13)]
    assert often[5] > 3 * max(often[0], often[10])


def test_it_wins_when_it_can() -> None:
    homes = {21: (BLUE, 1), 9: (YELLOW, 1), **LEADER}
    state = position(homes=homes, hands={YELLOW: (3, 2, 2, 2, 1)}, turn=YELLOW)
    assert choose(state) == Improve(51)


def test_it_offers_nothing_twice_in_a_turn() -> None:
    others = {12: (ORANGE, 2), 51: (ORANGE, 2), 36: (YELLOW, 2), 5: (YELLOW, 2)}
    state = position(homes={**HOME, **others}, hands=HELPFUL)
    offered = []
    while isinstance(action := choose(state), Trade):
        offered.append(action)
        play(state, action, Decline())
    assert offered
    assert len(set(offered)) == len(offered)
    assert action == EndTurn()


@pytest.mark.slow
@pytest.mark.parametrize("board", GAMES)
@pytest.mark.parametrize("variant", ["standard", "living"])
def test_it_plays_on_every_board_in_every_variant(board: str, variant: str) -> None:
    game = GAMES[board]
    match = Match(game, seed=1, options={"variant": variant})
    for seat in range(match.seats):
        match.set_player(seat, Planner(match.bot_stream(seat), game=game))
    match.run(60)
    assert match.over or match.ply == 60


@pytest.mark.slow
def test_it_wins_at_least_three_of_four_matches_against_random_players() -> None:
    won = 0
    for number in range(4):
        players: list[AnyPlayer[ConstructorState, Action]] = [
            Random(f"{number} {seat}") for seat in range(4)
        ]
        players[number] = Planner(Streams(number)["bot"], game=GAME)
        outcome = Match(GAME, seed=number, seats=4, players=players).run()
        won += outcome is not None and outcome.winners == (number,)
    assert won >= 3


def test_the_levels_are_easy_fair_and_hard_and_the_fast_one_comes_first() -> None:
    assert [*BOTS] == ["builder", "easy", "fair", "hard", "random"]
    assert BOTS["builder"] is BOTS["fair"] is Builder
