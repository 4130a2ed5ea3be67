"""The board in characters (Constructor §2.1, Figures 1 to 3)."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.constructor.tables import GAMES, PARK, RED, YELLOW, position, reached

from constructor import (
    COLOURS,
    SMALL,
    STANDARD,
    Action,
    Board,
    Constructor,
    ConstructorState,
    parse_save,
)
from constructor.rules.state import LEVEL_LETTERS, NOBODY
from constructor.text.drawing import (
    INKS,
    KINDS,
    draw_board,
    draw_compact,
    draw_fitting,
    paint,
)
from tabletop import Match
from tabletop.display import Size

DATA = Path(__file__).with_name("data")


def figure(name: str) -> str:
    return (DATA / name).read_text("utf-8").rstrip("\n")


def test_empty_board_matches_figure_3_exactly() -> None:
    assert draw_board(position()) == figure("board_figure3.txt")


def test_geese_are_drawn_below_the_value_as_in_figure_2() -> None:
    homes = {20: (YELLOW, 1), 27: (YELLOW, 1), 32: (RED, 2)}
    assert draw_board(position(homes=homes, geese=9)) == figure("board_geese_9_fig2.txt")


def test_board_of_the_courses_save_matches_the_golden_file() -> None:
    state = parse_save(figure("savefile.txt"), STANDARD)
    assert draw_board(state) == figure("board_course_savefile.txt")


def shows_all_that_is_built(drawn: str, state: ConstructorState) -> None:
    for seat, colour in enumerate(COLOURS[: state.seats]):
        for level, letter in enumerate(LEVEL_LETTERS, 1):
            mine = [vertex for vertex in state.homes_of(seat) if state.levels[vertex] == level]
            assert drawn.count(f"|{colour[0]}{letter}|") == len(mine)
        assert len(re.findall(rf"\b{colour[0]}R\b", drawn)) == len(state.roads_of(seat))
    for vertex, owner in enumerate(state.homes):
        assert (f"|{vertex:>2}|" in drawn) == (owner == NOBODY)


@pytest.mark.slow
@given(reached())
@settings(max_examples=20)
def test_board_shows_all_buildings_without_trailing_spaces(
    match: Match[ConstructorState, Action],
) -> None:
    state = match.state
    drawn = draw_board(state)
    shows_all_that_is_built(drawn, state)
    assert drawn.count("GEESE") == (state.geese >= 0)
    assert not any(line.endswith(" ") for line in drawn.splitlines())


@pytest.mark.parametrize("board", GAMES)
def test_board_shows_every_tile(board: str) -> None:
    match = Match(GAMES[board], seed=1, seats=4)
    drawn = draw_board(match.state)
    for kind in {tile.kind for tile in match.state.tiles}:
        own = [tile for tile in match.state.tiles if tile.kind is kind]
        assert drawn.count(kind.name) == len(own)
    assert drawn.count("|--") == sum(edge.level for edge in GAMES[board].board.edges)


# The compact board for small terminals.


def test_the_compact_board_has_a_line_for_each_row_of_vertices() -> None:
    drawn = draw_compact(parse_save(figure("savefile.txt"), STANDARD)).splitlines()
    assert drawn[4:6] == [
        "    |18|29-26-30|19| 6 GLASS 11 |YH|31-YR-YR|21| 7*BRICK  3 |22|OR-28-34|23|",
        "37|24| 8 HEAT   8 |BT|BR-35-39|26| 9 BRICK  2 |YH|40-36-OR|28|10 BRICK  6|29|42",
    ]
    assert drawn[-1].startswith("* GEESE on tile 7. ")
    assert len(drawn) == 12


@pytest.mark.parametrize("board", [STANDARD, SMALL], ids=["standard", "small"])
def test_compact_board_shows_edges_next_to_their_vertices(board: Board) -> None:
    lines = draw_compact(Match(Constructor(board), seed=1, seats=4).state).splitlines()
    for edge, (first, second) in enumerate(board.edge_vertices):
        if board.edges[edge].level:
            pattern = rf"\|{first:>2}\|[ \d]\d?.-{edge:>2}-[ \d]?[ \d]?\|{second:>2}\|"
        else:
            pattern = rf"\|{first:>2}\|{edge:>2}|{edge:>2}\|{first:>2}\|"
        assert any(re.search(pattern, line) for line in lines), (edge, first, second)


@pytest.mark.slow
@given(reached())
@settings(max_examples=20)
def test_compact_board_shows_everything_and_fits_the_terminal(
    match: Match[ConstructorState, Action],
) -> None:
    state = match.state
    drawn = draw_compact(state)
    shows_all_that_is_built(drawn, state)
    free = [edge for edge, owner in enumerate(state.roads) if owner == NOBODY]
    numbers = re.sub(r"\|(..)\|", "|", drawn.partition("\n*")[0])
    for number, tile in enumerate(state.tiles):
        mark = "*" if number == state.geese else " "
        value = "" if tile.kind is PARK else f" *{tile.value}"
        found = re.search(rf"(?<!\d){number}{re.escape(mark)}{tile.kind.name}{value}(?!\d)", drawn)
        assert found, number
        numbers = re.sub(rf"(?<!\d){re.escape(found[0])}", "", numbers)  # 1 HEAT is in 11 HEAT
    assert sorted(map(int, re.findall(r"\d+", numbers))) == free
    assert max(map(len, drawn.splitlines())) <= 79
    assert len(drawn.splitlines()) <= 12


@pytest.mark.parametrize(
    ("columns", "lines", "whole"),
    [(80, 24, False), (80, 50, True), (80, 49, False), (54, 60, False)],
)
def test_full_board_is_drawn_if_it_fits(columns: int, lines: int, whole: bool) -> None:
    drawn = draw_fitting(position(), Size(columns, lines))
    assert drawn == (draw_board if whole else draw_compact)(position())


def test_a_terminal_of_120_columns_and_40_lines_has_room_for_edges_on_lines_of_their_own() -> None:
    drawn = draw_fitting(position(), Size(120, 40))
    assert drawn == draw_compact(position(), roomy=True)
    assert 20 < len(drawn.splitlines()) < 31
    assert 80 < max(map(len, drawn.splitlines())) < 120
    shows_all_that_is_built(drawn, position())
    for edge, (first, second) in enumerate(STANDARD.edge_vertices):
        if STANDARD.edges[edge].level and position().roads[edge] == NOBODY:
            ends = rf"\|(?:{first:>2}|[BROY][BHT])\|-+ ?{edge}-+\|(?:{second:>2}|[BROY][BHT])\|"
            assert re.search(ends, drawn), edge


def test_compact_square_board_has_separate_lines_for_vertical_edges() -> None:
    side_by_side = Board("test: side by side", ((0, 0), (0, 1)))
    state = Match(Constructor(side_by_side), seed=1, seats=4).state
    drawn = draw_compact(state)
    assert {f"|{vertex:>2}|" for vertex in range(9)} <= set(re.findall(r"\|..\|", drawn))
    assert all(re.search(rf"(?<!\d){edge}(?!\d)", drawn) for edge in range(10))


# Colours.


def test_only_names_marks_and_kinds_of_tiles_are_coloured() -> None:
    text = "Builder Red's turn: |RB|--RR-- BRICK Bluebell BB 12"
    red, blue, brick = INKS["Red"], INKS["Blue"], KINDS["BRICK"]
    assert paint(text) == (
        f"Builder {red}Red\x1b[0m's turn: |{red}RB\x1b[0m|--{red}RR\x1b[0m--"
        f" {brick}BRICK\x1b[0m Bluebell"
        f" {blue}BB\x1b[0m 12"
    )


@given(st.text())
def test_paint_only_adds_escape_sequences(text: str) -> None:
    text = text.replace("\x1b", "")
    assert re.sub("\x1b\\[[0-9;]*m", "", paint(text)) == text
