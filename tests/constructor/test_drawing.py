"""The board in characters (Constructor §2.1, Figures 1 to 3)."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from tests.constructor.tables import GAMES, PARK, RED, YELLOW, position, reached

from constructor import COLOURS, STANDARD, ConstructorState
from constructor.actions import Action
from constructor.drawing import draw_board
from constructor.saves import parse_save
from constructor.state import LEVEL_LETTERS, NOBODY
from tabletop import Match

DATA = Path(__file__).with_name("data")


def figure(name: str) -> str:
    return (DATA / name).read_text("utf-8").rstrip("\n")


def test_the_empty_board_is_figure_3_character_for_character() -> None:
    assert draw_board(position()) == figure("board_figure3.txt")


def test_the_geese_stand_below_the_value_of_their_tile_as_in_figure_2() -> None:
    homes = {20: (YELLOW, 1), 27: (YELLOW, 1), 32: (RED, 2)}
    assert draw_board(position(homes=homes, geese=9)) == figure("board_geese_9_fig2.txt")


def test_the_save_of_the_course_is_drawn_as_it_was() -> None:
    state = parse_save(figure("savefile.txt"), STANDARD)
    assert draw_board(state) == figure("board_course_savefile.txt")


@pytest.mark.parametrize(("seat", "letter"), [*enumerate("BROY")])
def test_a_residence_shows_its_owner_and_what_it_is(seat: int, letter: str) -> None:
    drawn = draw_board(position(homes={0: (seat, 1), 4: (seat, 2), 17: (seat, 3)}))
    for vertex, kind in ((0, "B"), (4, "H"), (17, "T")):
        assert f"|{letter}{kind}|" in drawn
        assert f"|{vertex:>2}|" not in drawn


@pytest.mark.parametrize(("seat", "letter"), [*enumerate("BROY")])
def test_a_road_shows_its_owner(seat: int, letter: str) -> None:
    lines = draw_board(position(roads={0: seat, 1: seat})).splitlines()
    assert lines[0].lstrip() == f"| 0|--{letter}R--| 1|"
    assert lines[2].split() == [f"{letter}R", "0", "2"]


def test_a_park_shows_no_value() -> None:
    assert position().tiles[4].kind is PARK
    lines = draw_board(position()).splitlines()
    name = next(number for number, line in enumerate(lines) if "PARK" in line)
    column = lines[name].index("PARK")
    assert lines[name - 1][column:].split()[0] == "4"
    assert not lines[name + 1][column : column + 4].strip()


@given(reached())
@settings(max_examples=40)
def test_any_board_shows_all_that_is_built_and_no_line_ends_in_blanks(
    match: Match[ConstructorState, Action],
) -> None:
    state = match.state
    drawn = draw_board(state)
    for seat, colour in enumerate(COLOURS[: state.seats]):
        for level, letter in enumerate(LEVEL_LETTERS, 1):
            mine = [vertex for vertex in state.homes_of(seat) if state.levels[vertex] == level]
            assert drawn.count(f"|{colour[0]}{letter}|") == len(mine)
        assert len(re.findall(rf"\b{colour[0]}R\b", drawn)) == len(state.roads_of(seat))
    for vertex, owner in enumerate(state.homes):
        assert (f"|{vertex:>2}|" in drawn) == (owner == NOBODY)
    assert drawn.count("GEESE") == (state.geese >= 0)
    assert not any(line.endswith(" ") for line in drawn.splitlines())


@pytest.mark.parametrize("board", GAMES)
def test_every_tile_stands_on_every_board(board: str) -> None:
    match = Match(GAMES[board], seed=1, seats=4)
    drawn = draw_board(match.state)
    for kind in {tile.kind for tile in match.state.tiles}:
        own = [tile for tile in match.state.tiles if tile.kind is kind]
        assert drawn.count(kind.name) == len(own)
    assert drawn.count("|--") == sum(edge.level for edge in GAMES[board].board.edges)
