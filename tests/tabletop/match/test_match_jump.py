"""Beginning a match in the middle: `Match.jump`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.tabletop.games import cards, race, rps, walk

from tabletop import ActionPlayed, Match, Random
from tabletop.game import AnyGame
from tabletop.match import CHECKPOINT_PLIES, AnyMatch

quiet = settings(max_examples=40, deadline=None)
GAMES: list[AnyGame] = [cards.GAME, race.GAME, rps.GAME, walk.GAME]


def played(game: AnyGame, plies: int) -> AnyMatch:
    match = Match(game, seed="Old Oak", seats=2, players=[Random(1), Random(2)])
    match.run(plies)
    return match


def jumped(match: AnyMatch, asked: list[int] | None = None) -> AnyMatch:
    """Another match of the same seed that begins where `match` is."""
    other = Match(match.game, seed=match.seed, seats=match.seats)
    actions = match.actions

    def earlier() -> Sequence[Any]:
        if asked is not None:
            asked.append(len(actions))
        return actions

    other.jump(match.ply, match.state.clone(), match.streams(), earlier)
    return other


@quiet
@given(game=st.sampled_from(GAMES), plies=st.integers(0, 200), more=st.integers(0, 150))
def test_a_match_that_has_jumped_goes_on_like_the_one_that_was_played(
    game: AnyGame, plies: int, more: int
) -> None:
    match = played(game, plies)
    other = jumped(match)
    assert (other.ply, other.to_act, other.outcome) == (match.ply, match.to_act, match.outcome)
    for one in (match, other):
        one.set_player(0, Random(7))
        one.set_player(1, Random(8))
        one.run(more)
    assert other.digest() == match.digest()
    assert other.actions == match.actions


@quiet
@given(plies=st.integers(1, 300), more=st.integers(0, 300), data=st.data())
def test_undoing_below_the_point_of_a_jump_leads_where_the_match_was(
    plies: int, more: int, data: st.DataObject
) -> None:
    match = played(walk.GAME, plies)
    other = jumped(match)
    for one in (match, other):
        one.set_player(0, Random(7))
        one.set_player(1, Random(8))
        one.run(more)
    count = data.draw(st.integers(0, match.ply))
    for one in (match, other):
        one.undo(count)
    assert (other.ply, other.digest()) == (match.ply, match.digest())
    for one in (match, other):
        one.redo(count)
    assert (other.ply, other.digest()) == (match.ply, match.digest())


def test_earlier_actions_are_read_only_when_they_are_asked_for_and_only_once() -> None:
    asked: list[int] = []
    other = jumped(played(walk.GAME, 100), asked)
    for _ in range(10):
        other.play("left")
    other.undo(10)
    other.redo(10)
    assert asked == []
    assert len(other.actions) == 110
    other.undo(50)
    assert other.actions == played(walk.GAME, 60).actions
    assert asked == [100]


def test_undoing_within_what_was_played_since_needs_no_earlier_actions() -> None:
    asked: list[int] = []
    other = jumped(played(walk.GAME, 100), asked)
    for _ in range(3 * CHECKPOINT_PLIES):
        other.play("right")
    before = other.digest()
    other.undo(3 * CHECKPOINT_PLIES)
    other.redo(3 * CHECKPOINT_PLIES)
    assert (other.digest(), asked) == (before, [])


def test_a_clone_of_a_match_that_has_jumped_knows_its_past_too() -> None:
    match = played(walk.GAME, 100)
    twin = jumped(match).clone()
    assert twin.actions == match.actions
    twin.undo(70)
    match.undo(70)
    assert twin.digest() == match.digest()


def test_earlier_actions_that_cannot_be_read_leave_the_match_as_it_is() -> None:
    match = played(walk.GAME, 10)
    other = Match(walk.GAME, seed=match.seed)

    def gone() -> Sequence[str]:
        raise OSError("the disk is gone")

    other.jump(10, match.state.clone(), match.streams(), gone)
    for _ in range(2):
        with pytest.raises(OSError, match="the disk is gone"):
            other.undo()
    assert (other.ply, other.digest()) == (10, match.digest())
    other.play("left")
    match.play("left")
    assert other.digest() == match.digest()


def test_observers_are_told_of_what_is_played_after_a_jump_with_its_ply() -> None:
    other = jumped(played(walk.GAME, 100))
    told: list[ActionPlayed] = []
    other.observe(told.append, ActionPlayed)
    other.play("wait")
    assert told == [ActionPlayed(101, 0, "wait")]


@pytest.mark.parametrize("undone", [0, 1])
def test_a_match_that_has_begun_does_not_jump(undone: int) -> None:
    match = played(walk.GAME, 1)
    match.undo(undone)
    before = match.digest()
    with pytest.raises(ValueError, match="this match has begun: it cannot jump"):
        match.jump(5, match.state.clone(), {}, list)
    assert match.digest() == before
