"""Production, and variants in which tiles change (Constructor §3.5, §6)."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.constructor.tables import (
    BLUE,
    BRICK,
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
from tests.tabletop.told import tells

from constructor import (
    GAME,
    Action,
    ChooseRoll,
    ConstructorState,
    DiceRolled,
    EndTurn,
    ImproveTile,
    NothingGained,
    Phase,
    ResourcesGained,
    Tile,
    TileChanged,
)
from constructor.rules.production import VARIANTS, is_dry, stock
from constructor.rules.state import KINDS, STOCK
from tabletop import Event, Match

BRICK_2 = 9
"""The number of the only tile with the value 2, which produces BRICK."""

CORNERS = GAME.board.tile_vertices[BRICK_2]
VARIANT_NAMES = pytest.mark.parametrize("variant", VARIANTS)


def rolled(state: ConstructorState, total: int) -> list[Event]:
    """Roll a total with loaded dice and return the events after the roll."""
    state.phase = Phase.CHOOSING_ROLL
    first, *others = play(state, ChooseRoll(total))
    assert first == DiceRolled(state.turn, total)
    return others


@pytest.mark.parametrize("corner", CORNERS)
@pytest.mark.parametrize("level", [1, 2, 3])
def test_basement_yields_one_house_two_and_tower_three(corner: int, level: int) -> None:
    state = position(homes={corner: (RED, level)})
    assert rolled(state, 2) == [ResourcesGained(RED, (level, 0, 0, 0, 0))]
    assert state.hand(RED) == [level, 0, 0, 0, 0]


def test_all_builders_at_a_tile_gain_in_seat_order() -> None:
    homes = {20: (YELLOW, 1), 26: (RED, 2), 33: (BLUE, 3)}
    state = position(homes=homes, turn=ORANGE)
    gained = [(BLUE, 3), (RED, 2), (YELLOW, 1)]
    told = [ResourcesGained(seat, (amount, 0, 0, 0, 0)) for seat, amount in gained]
    assert rolled(state, 2) == told


def test_nobody_gains_without_residences_at_the_tile() -> None:
    assert rolled(position(homes={0: (BLUE, 1)}), 2) == [NothingGained()]


def test_tile_with_geese_produces_nothing() -> None:
    state = position(homes={20: (RED, 3)}, geese=BRICK_2)
    assert rolled(state, 2) == [NothingGained()]
    assert not any(state.cards)


@pytest.mark.parametrize("roll", [roll for roll in range(2, 13) if roll != 7])
def test_park_produces_nothing_with_any_value(roll: int) -> None:
    state = position(homes={20: (RED, 1)})
    state.tiles = (Tile(PARK, roll),) * 19
    assert rolled(state, roll) == [NothingGained()]


# Variants.


@VARIANT_NAMES
def test_tiles_start_with_the_stock_of_the_variant(variant: str) -> None:
    match = new_match(variant=variant)
    left = STOCK if VARIANTS[variant].scarce else None
    for tile in match.state.tiles:
        assert tile.also is None
        assert tile.left == (None if tile.kind is PARK else left)


def test_in_the_standard_game_tiles_never_change() -> None:
    match = new_match(full=True)
    before = match.state.tiles
    match.run()
    assert match.state.tiles is before


def test_improved_tile_produces_both_kinds() -> None:
    state = position(homes={20: (BLUE, 2)}, hands={BLUE: RICH_HAND}, variant="rich")
    events = play(state, ImproveTile(BRICK_2, WIFI))
    assert events == [TileChanged(BRICK_2, Tile(BRICK, 2, WIFI))]
    assert state.hand(BLUE) == [8, 8, 9, 8, 9]
    assert rolled(state, 2) == [ResourcesGained(BLUE, (2, 0, 0, 0, 2))]


def scarce(left: int, **homes: int) -> ConstructorState:
    """Return a position with `left` resources on the tile of value 2, and levels by colour."""
    owners = {"blue": (20, BLUE), "red": (26, RED), "yellow": (33, YELLOW)}
    placed = {owners[name][0]: (owners[name][1], level) for name, level in homes.items()}
    state = position(homes=placed, variant="scarce")
    tiles = list(stock(state.tiles, VARIANTS["scarce"]))
    tiles[BRICK_2] = replace(tiles[BRICK_2], left=left)
    state.tiles = tuple(tiles)
    return state


def test_scarce_tile_produces_from_its_stock() -> None:
    state = scarce(20, blue=3)
    assert rolled(state, 2)[1] == TileChanged(BRICK_2, Tile(BRICK, 2, left=17))


def test_remaining_stock_goes_to_residences_in_vertex_order() -> None:
    state = scarce(4, blue=1, red=2, yellow=3)
    rolled(state, 2)
    assert [state.hand(seat)[BRICK] for seat in (BLUE, RED, YELLOW)] == [1, 2, 1]
    assert state.tiles[BRICK_2].left == 0


def test_dry_tile_produces_nothing() -> None:
    state = scarce(0, red=3)
    assert rolled(state, 2) == [NothingGained()]
    assert is_dry(state.tiles[BRICK_2])


def test_improved_scarce_tile_produces_its_first_kind_first() -> None:
    state = scarce(3, red=2)
    state.tiles = tuple(
        replace(tile, also=HEAT) if number == BRICK_2 else tile
        for number, tile in enumerate(state.tiles)
    )
    assert rolled(state, 2)[0] == ResourcesGained(RED, (2, 0, 0, 1, 0))


def test_most_points_win_when_all_tiles_are_dry_at_the_end_of_a_turn() -> None:
    state = scarce(0, blue=1, red=2)
    state.tiles = tuple(replace(tile, left=0) for tile in state.tiles)
    play(state, EndTurn())
    outcome = GAME.outcome(state)
    assert outcome is not None
    assert outcome.winners == (RED,)
    assert tells(outcome.reason, "2 building points; ... tiles")


def test_game_continues_while_a_tile_has_stock() -> None:
    state = scarce(1, blue=1)
    state.tiles = tuple(
        tile if number == BRICK_2 else replace(tile, left=0)
        for number, tile in enumerate(state.tiles)
    )
    play(state, EndTurn())
    assert GAME.outcome(state) is None


@pytest.mark.slow
@given(reached())
@settings(max_examples=20)
def test_builders_gain_exactly_what_scarce_tiles_lose(
    match: Match[ConstructorState, Action],
) -> None:
    gained: list[int] = []
    match.observe(lambda event: gained.extend(event.amounts), ResourcesGained)
    before = [tile.left or 0 for tile in match.state.tiles]
    for _ in range(60):
        if not match.over:
            match.step()
    after = [tile.left or 0 for tile in match.state.tiles]
    assert min(after) >= 0
    if VARIANTS[match.state.variant].scarce:
        assert sum(before) - sum(after) == sum(gained)
    else:
        assert before == after == [0] * len(after)


@given(st.integers(2, 12).filter(lambda roll: roll != 7), st.integers(0, 18), st.integers(0, 999))
@settings(max_examples=20)
def test_production_matches_the_tiles_around_each_residence(
    roll: int, geese: int, seed: int
) -> None:
    match = new_match(seed=seed)
    while match.state.phase is Phase.SETUP:
        match.step()
    state = match.state.clone()
    state.geese = geese
    state.levels = [1 + vertex % 3 if level else 0 for vertex, level in enumerate(state.levels)]
    owed = [0] * len(state.cards)
    for vertex in state.settled:
        for number in GAME.board.vertex_tiles[vertex]:
            tile = state.tiles[number]
            if number != geese and tile.value == roll and tile.kind is not PARK:
                owed[state.homes[vertex] * KINDS + tile.kind] += state.levels[vertex]
    rolled(state, roll)
    assert state.cards == owed
