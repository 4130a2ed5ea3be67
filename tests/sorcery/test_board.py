"""What can be asked of the table while an action is carried out."""

from __future__ import annotations

import pytest
from tests.sorcery.scenes import Scene

from sorcery.board import Board
from tabletop import Streams, Table


def asked(scene: Scene) -> Board:
    return Board(scene.state, Table(Streams("a board")), scene.edition)


def test_minions_are_found_by_identity() -> None:
    scene = Scene().board(1, "Air Elemental").board(2, "Air Elemental", "Air Elemental")
    board = asked(scene)
    own, first, second = scene.side(1).minions[0], *scene.side(2).minions
    assert first == second == own
    assert [board.seat_of(minion) for minion in (own, first, second)] == [0, 1, 1]
    assert board.seat_of(own.clone()) is None


def test_a_place_is_told_where_a_name_alone_is_ambiguous() -> None:
    scene = Scene().board(2, "Air Elemental", "Bone Golem", "Air Elemental")
    board, minions = asked(scene), scene.side(2).minions
    assert [board.which(minion, 1) for minion in minions] == [0, None, 2]


@pytest.mark.parametrize("turn", [0, 1])
def test_the_minions_of_the_active_player_come_first(turn: int) -> None:
    scene = Scene().board(1, "Bone Golem").board(2, "Air Elemental", "Fire Elemental")
    scene.state.turn = turn
    names = [minion.card for minion in asked(scene).minions()]
    own, others = ["Bone Golem"], ["Air Elemental", "Fire Elemental"]
    assert names == (others + own if turn else own + others)


def test_boards_and_hands_hold_five() -> None:
    scene = Scene().board(1, *["Air Elemental"] * 5).hand(2, *["Banish"] * 5)
    board = asked(scene)
    assert [board.has_room(seat) for seat in (0, 1)] == [False, True]
    assert [board.has_hand_room(seat) for seat in (0, 1)] == [True, False]


def test_a_card_is_known_as_it_is_printed() -> None:
    board = asked(Scene())
    assert board.printed("Fire Elemental").attack == 2
    assert board.cost("Fire Elemental") == 2
