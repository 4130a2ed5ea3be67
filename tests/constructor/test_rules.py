"""The game as a whole (Constructor §3, §4)."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from tests.constructor.tables import (
    BLUE,
    BRICK,
    GAMES,
    PARK,
    RED,
    TILES,
    WIFI,
    YELLOW,
    full_save,
    new_match,
    play,
    position,
    reached,
)
from tests.tabletop.told import tells

from constructor import (
    GAME,
    STANDARD,
    Accept,
    Action,
    Constructor,
    ConstructorState,
    EndTurn,
    Improve,
    Phase,
    Tile,
    Trade,
    write_save,
)
from constructor.rules.layouts import default_layout
from constructor.rules.production import VARIANTS
from constructor.rules.state import NOWHERE, WINNING_POINTS
from tabletop import Match, OptionError
from tabletop.testing import check_game

SEATS = [(name, seats) for name, game in GAMES.items() for seats in game.seats]
RANDOM_BOARD: dict[str, Any] = {"random-board": True}


# The contract.


def test_the_standard_game_is_for_four_and_the_others_for_two_to_four() -> None:
    assert {game.title: list(game.seats) for game in GAMES.values()} == {
        "Constructor": [4],
        "Constructor, small board": [2, 3, 4],
        "Constructor, square board": [2, 3, 4],
    }


@pytest.mark.slow
@pytest.mark.parametrize(
    ("board", "seats", "options"),
    [
        ("standard", 4, {}),
        pytest.param("square", 3, {}, marks=pytest.mark.matrix),
        pytest.param("small", 2, {"fair": True, "variant": "living"}, marks=pytest.mark.matrix),
    ],
)
def test_the_rules_keep_the_contract(board: str, seats: int, options: dict[str, Any]) -> None:
    save = full_save(board, 1, seats, options) if options else None
    fair = options.get("fair", False)
    given = {"load": save, "fair": fair, "patience": 8 if save else 4}
    assert check_game(GAMES[board], matches=1, seats=seats, options=given).matches == 1


@pytest.mark.parametrize(("board", "seats"), SEATS)
def test_matches_end_on_every_board_with_any_number_of_builders(board: str, seats: int) -> None:
    variant = list(VARIANTS)[seats % len(VARIANTS)]
    match = new_match(board, seats=seats, variant=variant, full=True, patience=60)
    outcome = match.run()
    assert outcome is not None
    points = [match.state.points(seat) for seat in range(seats)]
    assert points[outcome.ranking[0][0]] == max(points)
    assert (max(points) >= WINNING_POINTS) == (outcome.reason == f"{max(points)} building points")


# Options.


def test_without_options_the_default_layout_is_played() -> None:
    assert new_match().state.tiles == TILES


def test_layout_overrides_random_board_and_save_overrides_both() -> None:
    options = {**RANDOM_BOARD, "layout": "4 12 " * 19}
    assert set(new_match(**options).state.tiles) == {Tile(WIFI, 12)}
    save = write_save(position(homes={0: (RED, 1)}, turn=RED))
    loaded = new_match(**options, load=save).state
    assert (loaded.tiles, loaded.turn, loaded.phase) == (TILES, RED, Phase.BEGINNING)


@pytest.mark.parametrize(
    ("option", "complaint"),
    [
        ("layout", "option layout: line 1: 1 numbers"),
        ("load", "option load: line 1: .* not a saved"),
    ],
)
def test_invalid_layout_or_save_error_names_the_option(option: str, complaint: str) -> None:
    with pytest.raises(OptionError, match=complaint):
        Match(GAME, options={option: "1"})


@pytest.mark.parametrize(
    ("text", "geese"),
    [
        (default_layout(), 4),
        ("0 2 " * 3 + "5 7 " * 2 + "0 2 " * 14, 3),
        ("0 2 " * 19, NOWHERE),
    ],
    ids=["the park", "the first of several parks", "no park"],
)
def test_geese_start_on_the_first_park_or_off_the_board(text: str, geese: int) -> None:
    match = new_match(layout=text)
    assert match.state.geese == geese
    assert geese == NOWHERE or match.state.tiles[geese].kind is PARK


def test_geese_off_the_board_can_move_to_any_tile() -> None:
    state = position(phase=Phase.PLACING_GEESE)
    assert len(GAME.legal_actions(state, BLUE)) == 19


# Turn order.


@pytest.mark.slow
@given(reached())
@settings(max_examples=20)
def test_one_builder_is_to_act_until_the_game_is_over(
    match: Match[ConstructorState, Action],
) -> None:
    state = match.state
    wanted: tuple[int, ...] = (state.turn,)
    if state.phase is Phase.OVER:
        wanted = ()
    elif state.phase is Phase.SETUP:
        wanted = state.order[:1]
    elif state.offer is not None:
        wanted = (state.offer.seat,)
    assert match.to_act == wanted
    assert (match.outcome is None) == bool(wanted)
    assert (state.offer is not None) == (state.phase is Phase.ANSWERING)


# End of the game.


def test_builders_are_ranked_by_points_and_share_places() -> None:
    homes = {
        0: (BLUE, 3),
        5: (BLUE, 3),
        20: (BLUE, 3),
        36: (BLUE, 1),
        51: (RED, 1),
        17: (YELLOW, 1),
    }
    state = position(homes=homes, phase=Phase.OVER)
    outcome = GAME.outcome(state)
    assert outcome is not None
    assert outcome.ranking == ((BLUE,), (RED, YELLOW), (2,))


def test_match_ends_after_the_limit_of_turns_without_building() -> None:
    state = position(homes={0: (RED, 1)})
    state.patience = 3
    for left in (2, 1):
        play(state, EndTurn())
        assert state.phase is Phase.BEGINNING, left
        state.phase = Phase.BUILDING
    play(state, EndTurn())
    outcome = GAME.outcome(state)
    assert outcome is not None
    assert outcome.winners == (RED,)
    assert tells(outcome.reason, "1 building points; ... 3 turns")


def test_building_resets_the_idle_turns() -> None:
    state = position(homes={21: (BLUE, 1)}, hands={BLUE: (9,) * 5})
    state.patience, state.idle = 3, 2
    play(state, Improve(21), EndTurn())
    assert (state.idle, state.phase) == (1, Phase.BEGINNING)


def test_trading_does_not_reset_the_idle_turns() -> None:
    state = position(hands={BLUE: (1, 0, 0, 0, 0), RED: (0, 0, 0, 0, 1)})
    state.patience, state.idle = 3, 2
    play(state, Trade(RED, BRICK, WIFI), Accept(), EndTurn())
    assert state.phase is Phase.OVER


def test_patience_0_disables_the_limit() -> None:
    state = position()
    for _ in range(500):
        state.phase = Phase.BUILDING
        play(state, EndTurn())
    assert GAME.outcome(state) is None


# Chance, time and records.


# Fair games.


# Seats.


@pytest.mark.parametrize("seats", [range(2, 6), range(3), range(3, 3)])
def test_invalid_numbers_of_seats_are_refused(seats: range) -> None:
    with pytest.raises(ValueError, match=r"\b1 to 4\b"):
        Constructor(STANDARD, seats=seats)
