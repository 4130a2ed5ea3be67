"""How matches end: winners, draws, rankings."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabletop import Outcome


def test_the_winner_stands_before_all_others_who_are_tied() -> None:
    outcome = Outcome.win(1, 3, "by nose")
    assert outcome.ranking == ((1,), (0, 2))
    assert outcome.winners == (1,)
    assert outcome.reason == "by nose"
    assert [outcome.rank(seat) for seat in range(3)] == [1, 0, 1]
    assert not outcome.is_draw


def test_who_plays_alone_can_win() -> None:
    assert Outcome.win(0, 1).ranking == ((0,),)
    assert Outcome.win(0, 1).winners == (0,)


def test_nobody_wins_a_draw() -> None:
    outcome = Outcome.draw(2, "no cards left")
    assert outcome.is_draw
    assert outcome.winners == ()
    assert outcome.ranking == ((0, 1),)


def test_an_abandoned_match_is_no_draw_and_nobody_wins() -> None:
    outcome = Outcome.abandon(2, "rain")
    assert outcome.abandoned
    assert not outcome.is_draw
    assert outcome.winners == ()
    assert outcome.reason == "rain"


def test_several_can_win_together() -> None:
    assert Outcome(((0, 2), (1,))).winners == (0, 2)
    assert not Outcome(((0, 2), (1,))).is_draw


@given(st.lists(st.integers(-5, 5), min_size=1, max_size=6))
def test_scores_rank_every_seat_once_and_the_highest_first(scores: list[int]) -> None:
    outcome = Outcome.by_score(scores)
    ranked = [seat for group in outcome.ranking for seat in group]
    assert sorted(ranked) == list(range(len(scores)))
    for one, score in enumerate(scores):
        for other, another in enumerate(scores):
            assert (score > another) == (outcome.rank(one) < outcome.rank(other))


def test_an_outcome_knows_only_its_own_seats() -> None:
    with pytest.raises(ValueError, match="does not rank seat 3"):
        Outcome.draw(2).rank(2)
