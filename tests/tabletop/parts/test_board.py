"""Boards of squares and hexagons."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.tabletop.told import tells

from tabletop.parts.board import (
    DIAGONAL,
    FOUR,
    KNIGHT,
    SIX,
    Grid,
    hexagon,
    short_move,
    slide,
    square,
)

SIZES = st.integers(1, 5)
SQUARES = st.builds(square, SIZES, SIZES, diagonal=st.booleans())
BOARDS = SQUARES | st.builds(hexagon, st.integers(0, 3))
PLACES = BOARDS.flatmap(lambda board: st.tuples(st.just(board), st.integers(0, len(board) - 1)))
PATCHY = PLACES.flatmap(
    lambda it: st.tuples(st.just(it[0]), st.just(it[1]), st.sets(st.integers(0, len(it[0]) - 1)))
)


@given(BOARDS)
def test_neighbours_are_mutual(board: Grid) -> None:
    for place, near in enumerate(board.neighbours):
        assert place not in near
        assert all(place in board.neighbours[other] for other in near)


def test_the_middle_of_a_board_has_all_its_neighbours() -> None:
    assert len(square(3, 3).neighbours[4]) == 4
    assert len(square(3, 3, diagonal=True).neighbours[4]) == 8
    assert len(hexagon(1).neighbours[3]) == 6


@given(st.integers(0, 6))
def test_each_ring_of_hexagons_has_six_more(radius: int) -> None:
    board = hexagon(radius)
    rings = board.rings(board.number[0, 0])
    assert [len(ring) for ring in rings] == [1, *range(6, 6 * radius + 1, 6)]


@given(PLACES)
def test_rings_hold_every_cell_once_by_the_length_of_the_shortest_path(
    it: tuple[Grid, int],
) -> None:
    board, start = it
    rings = board.rings(start)
    assert sorted(place for ring in rings for place in ring) == list(range(len(board)))
    for distance, ring in enumerate(rings):
        for place in ring:
            path = board.path(start, place, lambda _: True)
            assert path is not None
            assert len(path) == distance + 1


@given(SQUARES)
def test_every_square_has_a_name_of_its_own(board: Grid) -> None:
    assert [board.place[name] for name in board.names] == list(range(len(board)))
    assert board.names[-len(board.columns)] == "a1"


def test_columns_after_z_and_other_letters_have_names() -> None:
    assert square(28, 1).names[25:] == ("z1", "aa1", "bb1")
    assert square(3, 1, columns="hjk").names == ("h1", "j1", "k1")


@pytest.mark.parametrize("columns", ["ab", "abcd", "aab"])
def test_each_column_needs_a_letter_of_its_own(columns: str) -> None:
    with pytest.raises(ValueError, match="3 different letters"):
        square(3, 1, columns=columns)


@pytest.mark.parametrize("names", [("a",), ("a", "a")])
def test_each_cell_of_a_grid_with_names_needs_a_name_of_its_own(names: tuple[str, ...]) -> None:
    with pytest.raises(ValueError, match="different name"):
        Grid(((0, 0), (1, 0)), FOUR, names)


def test_a_grid_without_names_has_no_diagram() -> None:
    with pytest.raises(ValueError, match="have no names"):
        hexagon(1).diagram("." * 7)


def test_a_diagram_turned_twice_shows_the_same_squares() -> None:
    board = square(3, 10)
    rows = board.diagram("x" + "." * 29).splitlines()
    turned = board.diagram("x" + "." * 29, turned=True).splitlines()
    assert rows[0] == "10 x . ."
    assert rows[-1] == "   a b c"
    assert turned[:-1] == [row[:3] + row[3:][::-1] for row in rows[-2::-1]]
    assert turned[-1] == "   c b a"


def test_the_cells_of_the_last_action_are_in_brackets() -> None:
    rows = square(3, 2).diagram("x..o..", last=("a1", "c2")).splitlines()
    assert rows == ["2 x .[.]", "1[o]. .", "  a b c"]
    turned = square(3, 2).diagram("x..o..", last="a1", turned=True).splitlines()
    assert turned == ["1 . .[o]", "2 . . x", "  c b a"]


@pytest.mark.parametrize("marks", ["." * 30, "x" + "." * 28 + "o"])
def test_parse_reads_rows_with_numbers_of_free_cells(marks: str) -> None:
    board = square(10, 3)
    rows = [marks[at : at + 10] for at in (0, 10, 20)]
    text = "/".join(re.sub(r"\.+", lambda it: str(len(it[0])), row) for row in rows)
    assert board.parse(text, "xo") == marks
    assert board.parse("/".join(rows), "xo") == marks


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("3", "1 row instead of 2"),
        ("3/3/3", "3 rows instead of 2"),
        ("3/4", "row 1 has 4 squares instead of 3"),
        ("xx/3", "row 2 has 2 squares instead of 3"),
        ("3/1y1", "row 1 contains 'y'"),
        ("999999999999/3", "row 2 has 3996 squares"),
    ],
)
def test_parse_names_the_wrong_row(text: str, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        square(3, 2).parse(text, "xo")


@pytest.mark.parametrize(
    ("start", "rivals", "words"),
    [
        ("b8", [], "Nd7"),
        ("b8", ["b8"], "Nd7"),
        ("b8", ["f6", "f8"], "Nbd7"),
        ("b8", ["b6"], "N8d7"),
        ("b8", ["b6", "f8"], "Nb8d7"),
    ],
)
def test_short_notation_names_as_much_of_the_origin_as_rivals_require(
    start: str, rivals: list[str], words: str
) -> None:
    assert short_move("N", start, "d7", rivals) == words


@pytest.mark.parametrize(
    ("start", "rivals", "takes", "words"),
    [
        ("d4", [], False, "d5"),
        ("e4", [], True, "exd5"),
        ("e4", ["c4"], True, "exd5"),
    ],
)
def test_a_capture_by_a_piece_without_a_letter_names_the_column(
    start: str, rivals: list[str], takes: bool, words: str
) -> None:
    assert short_move("", start, "d5", rivals, takes=takes) == words


def test_a_piece_slides_up_to_the_first_piece() -> None:
    board = square(8, 8)
    men = ["."] * 64
    men[board.place["d6"]] = men[board.place["b4"]] = "p"
    goals = slide(board.rays(FOUR)[board.place["d4"]], men, ".")
    assert " ".join(map(board.names.__getitem__, goals)) == "d5 d6 e4 f4 g4 h4 d3 d2 d1 c4 b4"


def test_rays_have_a_reach_and_end_at_the_edge() -> None:
    board = square(8, 8)
    assert sum(map(len, board.rays(KNIGHT, 1))) == 336
    assert sum(len(ray) for rays in board.rays(DIAGONAL) for ray in rays) == 560


def test_three_in_a_row_on_nine_squares_are_eight_lines() -> None:
    lines = square(3, 3, diagonal=True).lines(3)
    assert {frozenset(line) for line in lines} == {
        frozenset(line)
        for line in [
            (0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6),
        ]
    }  # fmt: skip
    assert len(square(3, 3).lines(3)) == 6


@given(BOARDS, st.integers(2, 4))
def test_lines_are_unique_and_their_cells_touch(board: Grid, length: int) -> None:
    lines = board.lines(length)
    assert len({frozenset(line) for line in lines}) == len(lines)
    for line in lines:
        assert len(line) == length
        assert all(b in board.neighbours[a] for a, b in itertools.pairwise(line))


def test_a_line_of_one_cell_is_refused() -> None:
    with pytest.raises(ValueError, match=r"\blength\b.* 2\b"):
        square(3, 3).lines(1)


def test_a_ray_ends_at_the_edge_and_at_a_gap() -> None:
    assert square(4, 1).ray(1, (1, 0)) == (2, 3)
    assert Grid(((0, 0), (1, 0), (3, 0))).ray(0, (1, 0)) == (1,)


@given(PATCHY)
def test_a_region_contains_exactly_the_reachable_cells(it: tuple[Grid, int, set[int]]) -> None:
    board, start, inside = it
    region = board.flood(start, inside.__contains__)
    assert list(region) == sorted(set(region))
    for place in region:
        assert all(near in region for near in board.neighbours[place] if near in inside)
        assert board.path(start, place, inside.__contains__) is not None


@given(PATCHY, st.data())
def test_a_path_goes_from_neighbour_to_neighbour_through_free_cells(
    it: tuple[Grid, int, set[int]], data: st.DataObject
) -> None:
    board, start, free = it
    goal = data.draw(st.integers(0, len(board) - 1))
    path = board.path(start, goal, free.__contains__)
    reached = {start, *board.flood(start, free.__contains__)}
    reached |= {near for place in reached for near in board.neighbours[place]}
    assert (path is not None) == (goal in reached)
    if path is not None:
        assert (path[0], path[-1]) == (start, goal)
        assert set(path[1:-1]) <= free
        assert all(b in board.neighbours[a] for a, b in itertools.pairwise(path))


@given(BOARDS)
def test_a_symmetry_moves_neighbours_to_neighbours(board: Grid) -> None:
    assert board.symmetries[0] == tuple(range(len(board)))
    for symmetry in board.symmetries:
        for place, near in enumerate(board.neighbours):
            moved = {symmetry[other] for other in near}
            assert moved == set(board.neighbours[symmetry[place]])


def test_a_square_has_eight_symmetries_an_oblong_four_and_a_hexagon_twelve() -> None:
    boards = (square(3, 3), square(4, 2), hexagon(2))
    assert [len(board.symmetries) for board in boards] == [8, 4, 12]


def test_a_board_of_any_shape_is_made_of_its_cells() -> None:
    board = Grid(((0, 0), (1, 0), (0, 1)), SIX)
    assert board.neighbours == ((1, 2), (2, 0), (1, 0))


@pytest.mark.parametrize(
    ("make", "fault"),
    [
        (lambda: square(0, 3), "one cell"),
        (lambda: hexagon(-1), "one cell"),
        (lambda: Grid(((0, 0), (1, 0), (0, 0))), "cell (0, 0)"),
        (
            lambda: Grid(((0, 0),), ((1, 0), (0, 1), (-1, 0))),
            "step (0, 1) ... (0, -1)",
        ),
    ],
)
def test_an_invalid_grid_is_refused(make: Callable[[], Grid], fault: str) -> None:
    with pytest.raises(ValueError) as caught:
        make()
    assert tells(str(caught.value), fault)


def test_a_ray_needs_a_direction() -> None:
    with pytest.raises(ValueError, match="a step other than"):
        square(3, 3).ray(0, (0, 0))
