"""The rules of `examples/go.py`: captures, suicide, superko, counting."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabletop import IllegalAction, Match, Random
from tabletop.display import Scene, clickables
from tabletop.host import load_file
from tabletop.match import AnyMatch
from tabletop.testing import check_picture

go: Any = load_file(Path(__file__).parents[2] / "examples" / "go.py")


def played(moves: str) -> AnyMatch:
    """A match after these moves."""
    match = Match(go.GAME, seed=1)
    for move in moves.split():
        match.play(match.parse(move))
    return match


def test_a_stone_without_liberties_is_taken() -> None:
    match = played("b9 a9 a8")
    assert match.state.stones(1) == 0
    assert "a9" not in match.legal_actions(1)


def test_a_chain_is_taken_as_a_whole() -> None:
    match = played("a8 a9 b8 b9")
    assert match.state.stones(1).bit_count() == 2
    match.play("c9")
    assert match.state.stones(1) == 0


def test_suicide_is_refused_with_its_reason() -> None:
    match = played("a8 e5 b9")
    with pytest.raises(IllegalAction, match=r"\ba9 .*\bliberty\b"):
        match.play("a9")


def test_a_stone_without_liberties_of_its_own_may_take_others() -> None:
    match = played("a8 b8 b9 c9 e5")
    match.play("a9")
    assert match.state.stones(0) >> go.PLACE["b9"] & 1 == 0
    assert match.state.stones(1) >> go.PLACE["a9"] & 1


KO = "c5 f5 d6 e6 d4 e4 e5 d5"


def test_who_was_taken_in_a_ko_may_not_take_back_at_once() -> None:
    match = played(KO)
    assert match.state.stones(0) >> go.PLACE["e5"] & 1 == 0
    with pytest.raises(IllegalAction, match=r"\be5 .*\brepeat\b"):
        match.play("e5")


def test_after_a_move_elsewhere_the_ko_may_be_taken_back() -> None:
    match = played(f"{KO} a1 j9 e5")
    assert match.state.stones(1) >> go.PLACE["d5"] & 1 == 0


def test_a_taken_point_is_refused() -> None:
    with pytest.raises(IllegalAction, match=r"\bstone on e5$"):
        played("e5 e5")


def test_two_passes_end_the_game_and_points_are_stones_and_what_they_alone_reach() -> None:
    match = played("b9 e5 b8 e4 b7 e3 a7 pass pass")
    assert match.outcome is not None
    assert match.outcome.points == (6, 9.5)


def test_the_whole_board_is_of_who_stands_alone_on_it() -> None:
    match = played("e5 pass pass")
    assert match.outcome is not None
    assert match.outcome.points == (81, 6.5)


@pytest.mark.slow
@given(st.integers(0, 1000))
def test_no_position_comes_back_and_every_chain_has_a_liberty(seed: int) -> None:
    match = Match(go.GAME, seed=seed, players=[Random(seed), Random(seed + 1)])
    positions = [0]
    while not match.over and match.ply < 150:
        passes = match.step() == go.PASS
        state = match.state
        if not passes:
            positions.append(state.position)
        free = go.FULL & ~(state.stones(0) | state.stones(1))
        for seat in (0, 1):
            assert all(go.around(chain) & free for chain in state.chains[seat])
            assert sum(state.chains[seat]) == state.stones(seat)
    assert len(set(positions)) == len(positions)


def test_stones_are_put_by_a_click_on_the_board() -> None:
    match, picture, names = played("e5 d4"), go.PLUGIN.make_picture(), ("Ann", "Bo")
    choices = clickables(picture, match.view(0), match.legal_actions(0), names, 0)
    assert {choice.words: choice.path for choice in choices} == {
        action: () if action == "pass" else (action,) for action in match.legal_actions(0)
    }
    scene = Scene(names, 0, to_act=(0,), choices=choices, live=True)
    drawn = picture.draw(match.view(0), scene)
    assert 'data-action="a9"' in drawn
    assert 'aria-label="e5: Ann"' in drawn
    assert 'data-action="e5"' not in drawn
    with pytest.raises(IllegalAction, match=r"\bstone on e5$"):
        match.play(match.parse("e5"))


def drawn(match: AnyMatch, seat: int) -> str:
    """The picture for a player."""
    picture, view = go.PLUGIN.make_picture(), match.view(seat)
    choices = clickables(picture, view, match.legal_actions(seat), match.names, seat)
    scene = Scene(match.names, seat, match.to_act, choices, live=True)
    return str(picture.draw(view, scene))


def test_free_points_are_marked_only_under_the_pointer() -> None:
    root = ET.fromstring(drawn(played("e5 d4"), 0))
    lit = [it for it in root.iter() if "tt-lit" in it.get("class", "")]
    assert len(lit) == 79
    assert all("tt-quiet" in it.get("class", "").split() for it in lit)


def test_the_board_shows_captured_stones_and_komi() -> None:
    picture = drawn(played("b9 a9 a8"), 1)
    assert ">Player 1 captured 1<" in picture
    assert ">Player 2 captured 0, komi 6.5<" in picture


def test_the_board_shows_a_pass() -> None:
    assert "Player 2 has passed" in drawn(played("e5 pass"), 0)
    assert "has passed" not in drawn(played("e5 pass d4"), 1)


@pytest.mark.parametrize(
    ("moves", "passes"), [("e5 pass", True), ("pass", True), ("pass e5", False)]
)
def test_bots_pass_if_this_ends_the_match_with_a_win(moves: str, passes: bool) -> None:
    match = played(moves)
    (seat,) = match.to_act
    match.set_player(
        seat, go.PLUGIN.bot("hard" if passes else "search:10", match.bot_stream(seat), seat)
    )
    match.step()
    assert (match.outcome is not None) == passes
    if match.outcome is not None:
        assert match.outcome.winners == (seat,)


@pytest.mark.slow
def test_the_picture_is_sound() -> None:
    assert check_picture(go.GAME, go.PLUGIN.make_picture(), matches=1, plies=12) > 20
