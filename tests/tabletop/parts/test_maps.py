"""Open maps: which tiles fit, and the regions that grow across them."""

from __future__ import annotations

import random
from dataclasses import field

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabletop import State, state
from tabletop.parts.board import EIGHT, FOUR, SIX, Cell, square
from tabletop.parts.maps import (
    Laid,
    Lay,
    Region,
    Spot,
    TileSet,
    block,
    extent,
    frontier,
    in_rows,
    within,
)
from tabletop.states import from_json, to_json

STRAIGHT, BEND, END, CROSS, SPLIT = range(5)
ROADS = TileSet(
    (
        "road field road field",
        "road road field field",
        "road field field field + inn",
        "road road2 road3 road4",
        "field-road-field2 field2 field2-road-field field",
    )
)
HEXES = TileSet(("sea sea land land land land", "sea land sea land sea2 land"))
SETS = st.sampled_from([TileSet(ROADS.tiles[:SPLIT]), HEXES])


def grown(tiles: TileSet, seed: int, size: int = 12) -> dict[Cell, Laid]:
    """Return a map of tiles that were laid at random where they fit."""
    chance = random.Random(seed)
    laid = {(0, 0): Laid(0)}
    while len(laid) < size:
        tile = chance.randrange(len(tiles.tiles))
        ways = tiles.ways(laid, tile)
        if not ways:
            break
        way = chance.choice(ways)
        laid[way.place] = Laid(tile, way.turn)
    return laid


MAPS = SETS.flatmap(
    lambda tiles: st.tuples(st.just(tiles), st.integers(0, 10**6).map(lambda n: grown(tiles, n)))
)


def test_free_places_are_listed_row_by_row_in_any_order_of_tiles() -> None:
    places = [(0, 0), (1, 0), (-1, 2)]
    there = frontier(places)
    assert there == frontier(reversed(places))
    assert there == sorted(there, key=lambda place: (place[1], place[0]))
    assert there[0] == (0, -1)
    assert not set(there) & set(places)


def test_the_first_place_is_the_origin() -> None:
    assert frontier([]) == [(0, 0)]
    assert ROADS.ways({}, CROSS) == [Lay(0, 0)]


def test_sides_that_touch_are_of_the_same_kinds() -> None:
    laid = {(0, 0): Laid(STRAIGHT)}
    assert ROADS.turns_at(laid, (0, 1), END) == [0]
    assert ROADS.turns_at(laid, (1, 0), END) == [0, 1, 2]
    assert ROADS.turns_at(laid, (1, 0), CROSS) == []
    assert not ROADS.fits(laid, (0, 0), Laid(STRAIGHT)), "the place is taken"


def test_parts_of_a_side_touch_those_across_and_whole_sides_do_not_fit_parts() -> None:
    laid = {(0, 0): Laid(SPLIT)}
    assert ROADS.turns_at(laid, (0, 1), SPLIT) == [0]
    assert ROADS.turns_at(laid, (0, 1), STRAIGHT) == []


@given(MAPS)
def test_a_tile_that_was_laid_fits_from_each_side(it: tuple[TileSet, dict[Cell, Laid]]) -> None:
    tiles, laid = it
    for place, tile in laid.items():
        others = {other: own for other, own in laid.items() if other != place}
        assert tiles.fits(others, place, tile)


def test_turns_that_look_alike_are_listed_once() -> None:
    assert ROADS.turns == ((0, 1), (0, 1, 2, 3), (0, 1, 2, 3), (0,), (0, 1))
    assert HEXES.turns[1] == (0, 1, 2, 3, 4, 5)
    assert TileSet(("sea land sea2 land2 sea3 land3",)).turns == ((0, 1),)


@pytest.mark.parametrize(("tiles", "steps"), [(ROADS, FOUR), (HEXES, SIX)])
def test_a_turn_brings_a_side_to_the_next_step(tiles: TileSet, steps: tuple[Cell, ...]) -> None:
    assert tiles.steps == steps
    for turn in range(len(steps)):
        beside = {(0, 0): Laid(0, turn), steps[turn]: Laid(0, turn)}
        joined = tiles.region({(0, 0): Laid(0, turn)}, Spot(0, 0, 0))
        assert joined.open == 2
        if tiles is ROADS:
            assert tiles.region(beside, Spot(0, 0, 0)).places == tuple(sorted(beside))


def test_a_region_without_open_ends_is_closed() -> None:
    laid = {(0, 0): Laid(STRAIGHT), (0, -1): Laid(END, 2)}
    assert ROADS.region(laid, Spot(0, 0, 0)).open == 1
    laid[0, 1] = Laid(END)
    road = ROADS.region(laid, Spot(0, 1, 0))
    assert road.closed
    assert road.kind == "road"
    assert road.places == ((0, -1), (0, 0), (0, 1))


def test_features_of_a_kind_with_other_numbers_are_apart() -> None:
    laid = {(0, 0): Laid(CROSS), (0, -1): Laid(END, 2)}
    regions = ROADS.regions(laid, [(0, 0)])
    assert [(region.kind, region.open) for region in regions] == [
        ("road", 0),
        ("road", 1),
        ("road", 1),
        ("road", 1),
    ]


def test_fields_beside_a_road_are_two_regions_till_they_meet_round_its_end() -> None:
    ends = TileSet((ROADS.tiles[SPLIT], "field-road-field field field field"))
    laid = {(0, 0): Laid(0), (0, -1): Laid(1, 2)}
    left, right = Spot(0, 0, 0), Spot(0, 0, 2)
    assert ends.features[0] == ("field", "road", "field2")
    assert ends.region(laid, left) == ends.region(laid, right)
    del laid[0, -1]
    assert ends.region(laid, left) != ends.region(laid, right)


def test_a_feature_inside_is_a_region_of_its_own() -> None:
    laid = {(0, 0): Laid(END, 1)}
    inn = ROADS.spots(laid, (0, 0))[2]
    assert ROADS.region(laid, inn) == Region("inn", (inn,), 0)


def test_ends_that_touch_another_kind_are_neither_joined_nor_open() -> None:
    laid = {(0, 0): Laid(STRAIGHT), (0, -1): Laid(STRAIGHT, 1)}
    road = ROADS.region(laid, Spot(0, 0, 0))
    assert (road.places, road.open) == (((0, 0),), 1)


def test_things_on_a_region_are_found_by_its_spots() -> None:
    laid = {(0, 0): Laid(STRAIGHT), (0, -1): Laid(BEND, 2)}
    things = {Spot(0, -1, 0): "Ann", Spot(0, 0, 1): "Bo", Spot(0, 0, 0): "Cid"}
    assert ROADS.region(laid, Spot(0, 0, 0)).on(things) == ["Ann", "Cid"]


@given(MAPS)
def test_each_spot_is_in_one_region_from_any_start(
    it: tuple[TileSet, dict[Cell, Laid]],
) -> None:
    tiles, laid = it
    regions = tiles.regions(laid)
    spots = [spot for region in regions for spot in region.spots]
    assert len(spots) == len(set(spots))
    assert set(spots) == {spot for place in laid for spot in tiles.spots(laid, place)}
    assert all(tiles.region(laid, region.spots[-1]) == region for region in regions)


@given(MAPS)
def test_open_ends_are_the_sides_beside_free_places(it: tuple[TileSet, dict[Cell, Laid]]) -> None:
    tiles, laid = it
    free = sum(beside not in laid for place in laid for beside in tiles.neighbours(place))
    assert sum(region.open for region in tiles.regions(laid)) == free


@pytest.mark.parametrize(
    ("tiles", "fault"),
    [
        ((), "one tile"),
        (("road road road",), "tile 0, 'road road road',.* 3 .* 4 or 6"),
        (
            (*ROADS.tiles[:1], *HEXES.tiles[:1]),
            "tile 1, 'sea sea land land land land',.*'road field road field'",
        ),
        (
            ("road 2 field field",),
            "tile 0, 'road 2 field field': '2' .* road2",
        ),
        (("road- field field field",), "tile 0, .*: '' .* road2"),
    ],
)
def test_a_malformed_tile_is_named(tiles: tuple[str, ...], fault: str) -> None:
    with pytest.raises(ValueError, match=fault):
        TileSet(tiles)


def test_a_map_can_be_part_of_a_state() -> None:
    @state
    class Country(State):
        laid: dict[Cell, Laid] = field(default_factory=dict)
        on: dict[Spot, int] = field(default_factory=dict)

    country = Country({(-3, 2): Laid(1, 2)}, {Spot(-3, 2, 0): 1})
    assert from_json(to_json(country), Country) == country
    copy = country.clone()
    copy.laid[0, 0] = Laid(0)
    assert (0, 0) not in country.laid


def test_a_map_in_text_has_shared_borders_once() -> None:
    marks = {"road": "+", "field": "."}
    laid = {(0, 0): Laid(BEND), (0, -1): Laid(STRAIGHT), (1, 0): Laid(STRAIGHT, 1)}
    blocks = {place: block(ROADS, tile, marks) for place, tile in laid.items()}
    assert in_rows(blocks, shared=1) == [
        "   +",
        ". +++ .",
        "   +     .",
        ". +++ + +++ +",
        "   .     .",
    ]


def test_the_middle_of_a_tile_in_text_shows_its_pieces() -> None:
    assert block(ROADS, Laid(CROSS), {"road": "+"}) == ["   +   ", "+     +", "   +   "]
    assert block(ROADS, Laid(STRAIGHT), {"road": "+", "field": "."}, "12")[1] == ". 12+ ."
    assert block(ROADS, Laid(SPLIT), {"road": "+", "field": "."})[0] == "   +   "


def test_a_feature_inside_a_tile_is_drawn_in_text_if_it_has_a_mark() -> None:
    marks = {"road": "+", "field": "."}
    assert block(ROADS, Laid(END), marks)[1] == ". ... ."
    assert block(ROADS, Laid(END), marks | {"inn": "^"})[1] == ". .^. ."
    assert block(ROADS, Laid(END), marks | {"inn": "^"}, "2")[1] == ". 2^. ."
    assert block(ROADS, Laid(END), marks | {"inn": "^"}, "1234")[1] == ". 123 ."


def test_hexagons_in_text_share_their_borders_as_well() -> None:
    laid = {(0, 0): Laid(0), (0, 1): Laid(0, 3), (1, 0): Laid(0, 4)}
    assert all(HEXES.fits({(0, 0): laid[0, 0]}, it, laid[it]) for it in ((0, 1), (1, 0)))
    blocks = {it: block(HEXES, own, {"sea": "~", "land": "."}) for it, own in laid.items()}
    assert in_rows(blocks, shared=1, hexagonal=True) == [
        "  .   ~   ~   .",
        ".  ~~~  ~  ~~~  .",
        "  .   .   .   .",
        "    ~  ~~~  .",
        "      ~   .",
    ]
    assert in_rows({}, hexagonal=True) == []


def test_a_spot_is_named_by_its_kind_and_its_sides_on_the_rotated_tile() -> None:
    laid = {(0, 0): Laid(SPLIT, 1), (1, 0): Laid(END, 3)}
    assert [ROADS.named(laid, it) for it in ROADS.spots(laid, (0, 0))] == [
        "field above, right, left",
        "road right, left",
        "field right, below, left",
    ]
    assert [ROADS.named(laid, it) for it in ROADS.spots(laid, (1, 0))] == [
        "road left",
        "field above, right, below",
        "inn",
    ]
    hexes = {(0, 0): Laid(1, 1)}
    assert HEXES.named(hexes, Spot(0, 0, 0)) == "sea right, below left"


@given(MAPS, st.integers(-4, 4), st.integers(-4, 4), st.integers(0, 3))
def test_the_reason_against_a_tile_lists_the_possible_rotations(
    it: tuple[TileSet, dict[Cell, Laid]], x: int, y: int, turn: int
) -> None:
    tiles, laid = it
    said = tiles.why_not(laid, 0, Lay(x, y, turn))
    ways = [str(way) for way in tiles.ways(laid, 0) if way.place == (x, y)]
    assert said == {
        (x, y) in laid: f"{x},{y} is occupied",
        (x, y) not in [*laid, *frontier(laid, tiles.steps)]: f"no tile is next to {x},{y}",
        bool(
            ways
        ): f"the tile does not fit at {x},{y} in this rotation (write {' or '.join(ways)})",
    }.get(True, f"the tile does not fit at {x},{y}")


def test_the_first_tile_of_an_empty_map_has_its_place() -> None:
    assert ROADS.why_not({}, END, Lay(2, 0)) == "place the first tile at 0,0"


def test_places_within_reach_are_at_most_that_many_steps_away() -> None:
    board = square(9, 9)
    for reach in range(5):
        near = {it for it in board.cells if abs(it[0] - 4) + abs(it[1] - 4) <= reach}
        found = within(reach, (4, 4))
        assert found == sorted(near, key=lambda place: place[::-1])
    assert len(within(3, steps=SIX)) == 37
    assert within(1, (2, 2), EIGHT) == [(x, y) for y in (1, 2, 3) for x in (1, 2, 3)]


def test_the_extent_of_nothing_is_refused() -> None:
    assert extent([(2, -1), (-3, 4)]) == (-3, -1, 2, 4)
    with pytest.raises(ValueError, match="not enough values"):
        extent([])


TOWN = TileSet(("town field-road-field2 field2 field2-road-field", "town field field field"))


def test_features_that_are_adjacent_on_the_border_are_beside_each_other() -> None:
    words = TOWN.features[0]
    beside = {words[it]: {words[one] for one in TOWN.beside[0][it]} for it in range(len(words))}
    assert beside == {
        "town": {"field"},
        "field": {"town", "road"},
        "road": {"field", "field2"},
        "field2": {"road"},
    }


def test_regions_that_touch_a_field_are_found_each_once() -> None:
    laid = {(0, 0): Laid(0), (0, -1): Laid(1, 2), (1, 0): Laid(0)}
    field = TOWN.region(laid, Spot(0, 0, 1))
    towns = TOWN.touching(laid, field, "town")
    assert [town.places for town in towns] == [((0, -1), (0, 0)), ((1, 0),)]
    assert TOWN.touching(laid, TOWN.region(laid, Spot(0, 0, 3)), "town") == []


def test_regions_of_spots_are_found_once() -> None:
    laid = {(0, 0): Laid(0), (0, -1): Laid(1, 2)}
    markers = [Spot(0, -1, 0), Spot(0, 0, 0), Spot(0, 0, 2)]
    assert [it.kind for it in TOWN.regions(laid, markers)] == ["town", "road"]
