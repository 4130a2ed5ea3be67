"""Layouts (Constructor §3.5.5, §3.8)."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.constructor.tables import BRICK, ENERGY, GLASS, HEAT, PARK, WIFI, chi_square

from constructor import BOARDS, STANDARD, Board, Resource, Tile, format_layout, parse_layout
from constructor.rules.layouts import default_layout, pips, random_layout
from tabletop import Streams
from tabletop.host import TextFileError

LAYOUT = (Path(__file__).with_name("data") / "layout.txt").read_text("utf-8")
EVERY_BOARD = pytest.mark.parametrize("board", BOARDS.values(), ids=BOARDS)


def test_default_layout_is_the_courses_layout() -> None:
    assert default_layout() == LAYOUT


def test_layout_contains_resource_and_value_of_each_tile() -> None:
    tiles = parse_layout(LAYOUT)
    assert tiles[:5] == (
        Tile(BRICK, 3),
        Tile(ENERGY, 10),
        Tile(HEAT, 5),
        Tile(ENERGY, 4),
        Tile(PARK, 7),
    )
    assert len(tiles) == 19


def test_layout_survives_a_round_trip() -> None:
    assert format_layout(parse_layout(LAYOUT)) + "\n" == LAYOUT


def test_layout_numbers_may_be_separated_by_any_white_space() -> None:
    assert parse_layout("\n" + LAYOUT.replace(" ", "\t\r\n ")) == parse_layout(LAYOUT)


@pytest.mark.parametrize("value", [0, 1, 7, 99])
def test_a_park_may_have_any_value(value: int) -> None:
    assert parse_layout(f"5 {value} " * 19) == (Tile(PARK, value),) * 19


@pytest.mark.parametrize(
    ("text", "line", "complaint"),
    [
        ("", 1, r"\b0 numbers, .*\b19 tiles\b.* 38$"),
        ("0 3\n1", 2, r"\b3 numbers, .*\b19 tiles\b"),
        ("4 12 " * 20, 1, "40 numbers,"),
        ("0 3\n6 4", 2, "tile 1: .* resource .* 0 .BRICK. to 5 .PARK., not 6"),
        ("0 3\n\n1 13", 3, "tile 1: .* value .* 2 to 12, not 13"),
        ("0 x", 1, "'x' .*whole number"),
        ("0 ٣", 1, "whole number"),
        ("0 " + "1" * 20, 1, "'1{20}' .* 9 digits"),
        ("1" * 5000, 1, " 9 digits"),
        ("0" * 5000, 1, r"\b1 numbers, .*\b19 tiles\b"),
    ],
)
def test_invalid_layout_error_names_the_line(text: str, line: int, complaint: str) -> None:
    with pytest.raises(TextFileError, match=complaint) as raised:
        parse_layout(text)
    assert raised.value.line == line


@given(st.integers())
@settings(max_examples=30)
def test_random_layout_uses_exactly_the_documents_resources_and_values(seed: int) -> None:
    tiles = random_layout(STANDARD, Streams(seed)["board"])
    kinds = Counter(tile.kind for tile in tiles)
    assert kinds == {WIFI: 3, HEAT: 3, BRICK: 4, ENERGY: 4, GLASS: 4, PARK: 1}
    values = sorted(tile.value for tile in tiles if tile.kind is not PARK)
    assert values == [2, 3, 3, 4, 4, 5, 5, 6, 6, 8, 8, 9, 9, 10, 10, 11, 11, 12]


@pytest.mark.slow
def test_random_layouts_are_uniform() -> None:
    rounds, chance = 1900, Streams("layouts")["board"]
    layouts = [random_layout(STANDARD, chance) for _ in range(rounds)]
    parks = Counter(place for tiles in layouts for place in range(19) if tiles[place].kind is PARK)
    assert chi_square(parks, dict.fromkeys(range(19), rounds / 19)) < 42.3  # 18 d.f., 1 in 1000
    twelves = Counter(tile.kind for tiles in layouts for tile in tiles if tile.value == 12)
    weights = {WIFI: 3, HEAT: 3, BRICK: 4, ENERGY: 4, GLASS: 4}
    expected = {kind: rounds * weight / 18 for kind, weight in weights.items()}
    assert chi_square(twelves, expected) < 18.5  # 4 d.f., 1 in 1000


@EVERY_BOARD
def test_random_layout_of_any_board_has_one_park_and_all_resources(board: Board) -> None:
    tiles = random_layout(board, Streams(1)["board"])
    kinds = Counter(tile.kind for tile in tiles)
    assert len(tiles) == len(board.tiles)
    assert set(kinds) == set(Resource)
    assert kinds[PARK] == 1


@pytest.mark.parametrize(("value", "ways"), [(2, 1), (3, 2), (6, 5), (8, 5), (11, 2), (12, 1)])
def test_pips_are_the_number_of_throws_of_two_dice(value: int, ways: int) -> None:
    assert pips(Tile(BRICK, value)) == ways


def test_a_park_or_a_seven_has_no_pips() -> None:
    assert pips(Tile(PARK, 6)) == pips(Tile(BRICK, 7)) == 0
