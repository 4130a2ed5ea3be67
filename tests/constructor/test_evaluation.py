"""Position evaluation, move selection and the bot `Planner`."""

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
"""Hands in which Blue needs a HEAT for a house, and Red a BRICK for a basement."""


def legal(state: ConstructorState) -> Sequence[Action]:
    return GAME.legal_actions(state, GAME.to_act(state)[0])


def worthwhile(state: ConstructorState) -> Sequence[Action]:
    return policy(state, legal(state))


def offers(state: ConstructorState) -> list[Trade]:
    return [action for action in worthwhile(state) if isinstance(action, Trade)]


def choose(state: ConstructorState, seed: int = 1) -> Action:
    """Return the action that a `Planner` chooses."""
    seat = GAME.to_act(state)[0]
    bot = Planner(Streams(seed)["bot"], game=GAME)
    return bot.choose(state.clone(), legal(state), Sampler(GAME, state, seat))


@pytest.mark.slow
@given(reached())
@settings(max_examples=30)
def test_values_add_up_to_one_and_do_not_change_the_state(
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
def test_policy_keeps_the_order_and_excludes_refused_offers(
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


def test_winner_has_value_one_and_others_zero() -> None:
    state = position(homes={21: (BLUE, 1), **LEADER}, hands={YELLOW: (3, 2, 2, 2, 1)}, turn=YELLOW)
    state.homes[9], state.levels[9] = YELLOW, 1
    state.settled.append(9)
    play(state, Improve(51))
    assert state.phase is Phase.OVER
    assert [evaluate(state, seat) for seat in range(4)] == [0.0, 0.0, 0.0, 1.0]


def test_builders_with_the_most_points_share_an_unwon_match() -> None:
    state = position(homes=HOME, phase=Phase.OVER)
    assert [evaluate(state, seat) for seat in range(4)] == [0.5, 0.5, 0.0, 0.0]


def test_value_rises_with_cards_income_and_points_and_falls_with_geese() -> None:
    plain = evaluate(position(homes=HOME), BLUE)
    assert evaluate(position(homes=HOME, hands={BLUE: (0, 0, 2, 3, 0)}), BLUE) > plain
    assert evaluate(position(homes={**HOME, 21: (BLUE, 2)}), BLUE) > plain
    tile = next(tile for tile in GAME.board.vertex_tiles[21] if pips(TILES[tile]))
    assert evaluate(position(homes=HOME, geese=tile), BLUE) < plain


def test_pending_offer_is_valued_as_accepted_if_it_helps() -> None:
    state = position(homes=HOME, hands=HELPFUL)
    for trade, answer in (
        (Trade(RED, BRICK, HEAT), Accept()),
        (Trade(RED, GLASS, WIFI), Decline()),
    ):
        offered, answered = state.clone(), state.clone()
        play(offered, trade)
        play(answered, trade, answer)
        assert evaluate(offered, BLUE) == pytest.approx(evaluate(answered, BLUE))


def test_policy_offers_only_trades_that_help_both() -> None:
    state = position(homes=HOME, hands=HELPFUL)
    assert Trade(RED, BRICK, HEAT) in offers(state)
    assert Trade(RED, HEAT, WIFI) in legal(state)
    assert Trade(RED, HEAT, WIFI) not in offers(state)


def test_policy_does_not_repeat_refused_offers() -> None:
    state = position(homes=HOME, hands=HELPFUL)
    play(state, Trade(RED, BRICK, HEAT), Decline())
    assert Trade(RED, BRICK, HEAT) in legal(state)
    assert Trade(RED, BRICK, HEAT) not in offers(state)


def test_policy_makes_no_offers_to_or_by_builders_close_to_winning() -> None:
    hands = {YELLOW: (0, 1, 1, 1, 1), BLUE: (1, 0, 2, 2, 0)}
    homes = {21: (BLUE, 1), **LEADER}
    assert offers(position(homes=homes, hands=hands)) == []
    assert offers(position(homes=homes, hands=hands, turn=YELLOW)) == []


def test_policy_places_geese_only_at_other_builders() -> None:
    state = position(homes={20: (RED, 1), 33: (BLUE, 1)}, phase=Phase.PLACING_GEESE)
    for action in worthwhile(state):
        assert isinstance(action, PlaceGeese)
        owners = {state.homes[vertex] for vertex in GAME.board.tile_vertices[action.tile]}
        assert owners - {NOBODY} == {RED}


def test_policy_places_geese_anywhere_if_no_other_builder_has_residences() -> None:
    state = position(homes={33: (BLUE, 1)}, phase=Phase.PLACING_GEESE)
    assert worthwhile(state) == legal(state)


# The bot `Planner`.


def test_planner_rolls_fair_dice() -> None:
    state = position(homes=HOME, phase=Phase.BEGINNING)
    assert choose(state) == UseFairDice()
    play(state, UseFairDice())
    assert choose(state) == Roll()


def test_bots_choose_loaded_totals_like_two_fair_dice() -> None:
    state = position(homes=HOME, phase=Phase.CHOOSING_ROLL)
    chosen = [choose(state, seed) for seed in range(300)]
    often = [chosen.count(ChooseRoll(total)) for total in range(2, 13)]
    assert often[5] > 3 * max(often[0], often[10])


def test_planner_wins_when_it_can() -> None:
    homes = {21: (BLUE, 1), 9: (YELLOW, 1), **LEADER}
    state = position(homes=homes, hands={YELLOW: (3, 2, 2, 2, 1)}, turn=YELLOW)
    assert choose(state) == Improve(51)


def test_planner_does_not_repeat_offers_in_a_turn() -> None:
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
def test_planner_plays_on_every_board_and_variant(board: str, variant: str) -> None:
    game = GAMES[board]
    match = Match(game, seed=1, options={"variant": variant})
    for seat in range(match.seats):
        match.set_player(seat, Planner(match.bot_stream(seat), game=game))
    match.run(60)
    assert match.over or match.ply == 60


@pytest.mark.slow
def test_planner_wins_75_percent_against_random_players() -> None:
    won = 0
    for number in range(4):
        players: list[AnyPlayer[ConstructorState, Action]] = [
            Random(f"{number} {seat}") for seat in range(4)
        ]
        players[number] = Planner(Streams(number)["bot"], game=GAME)
        outcome = Match(GAME, seed=number, seats=4, players=players).run()
        won += outcome is not None and outcome.winners == (number,)
    assert won >= 3


def test_levels_are_easy_fair_and_hard_and_builder_is_the_default() -> None:
    assert [*BOTS] == ["builder", "easy", "fair", "hard", "random"]
    assert BOTS["builder"] is BOTS["fair"] is Builder
