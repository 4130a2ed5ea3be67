"""Boards and their adjacency (Constructor §2.1 to §2.5)."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from constructor import BOARDS, SMALL, SQUARE, STANDARD, Board
from constructor.rules.board import register

TOPOLOGY = json.loads((Path(__file__).with_name("data") / "topology.json").read_text("utf-8"))
EVERY_BOARD = pytest.mark.parametrize("board", BOARDS.values(), ids=BOARDS)
ONE_TILE = Board("test: one tile", ((0, 0),))
TABLES = {
    "tile_vertices": "tile_vertices",
    "tile_edges": "tile_edges",
    "edge_vertices": "edge_vertices",
    "vertex_edges": "vertex_edges",
    "vertex_vertices": "vertex_neighbours",
    "edge_edges": "edge_neighbours",
    "vertex_tiles": "vertex_tiles",
}


@pytest.mark.parametrize("table", TABLES)
def test_the_standard_board_matches_the_document(table: str) -> None:
    wanted = TOPOLOGY[TABLES[table]]
    own = {str(number): list(near) for number, near in enumerate(getattr(STANDARD, table))}
    assert own == wanted


@pytest.mark.parametrize(
    ("board", "tiles", "vertices", "edges"),
    [(STANDARD, 19, 54, 72), (SMALL, 7, 24, 30), (SQUARE, 16, 25, 40)],
    ids=["standard", "small", "square"],
)
def test_boards_have_the_expected_number_of_tiles_vertices_and_edges(
    board: Board, tiles: int, vertices: int, edges: int
) -> None:
    assert (len(board.tiles), len(board.vertices), len(board.edges)) == (tiles, vertices, edges)


@EVERY_BOARD
def test_adjacency_is_symmetric(board: Board) -> None:
    pairs = [
        (board.vertex_vertices, board.vertex_vertices),
        (board.edge_edges, board.edge_edges),
        (board.vertex_edges, board.edge_vertices),
        (board.vertex_tiles, board.tile_vertices),
    ]
    for near, back in pairs:
        there = {(number, other) for number, others in enumerate(near) for other in others}
        assert there == {(other, number) for number, others in enumerate(back) for other in others}


@EVERY_BOARD
def test_boards_are_connected(board: Board) -> None:
    reached = [0]
    for vertex in reached:
        reached += [other for other in board.vertex_vertices[vertex] if other not in reached]
    assert sorted(reached) == list(range(len(board.vertices)))


def test_a_board_is_registered_under_its_name() -> None:
    board = register(ONE_TILE)
    assert BOARDS["test: one tile"] is board
    assert register(Board("test: one tile", ((0, 0),))) == board


def test_different_boards_cannot_share_a_name() -> None:
    with pytest.raises(ValueError, match=r"\bboard .*'small'"):
        register(Board("small", ((0, 0),)))
