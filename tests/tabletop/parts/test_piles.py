"""Drawing, dealing and mixing."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabletop import Streams
from tabletop.parts.piles import deal, draw, mix


@given(st.lists(st.integers()), st.integers(-2, 12))
def test_cards_are_drawn_from_the_end_and_no_more_than_there_are(
    pile: list[int], count: int
) -> None:
    left = pile.copy()
    drawn = draw(left, count)
    assert left + drawn[::-1] == pile
    assert len(drawn) == min(max(count, 0), len(pile))


def test_cards_are_dealt_one_at_a_time_in_turn() -> None:
    pile = [6, 5, 4, 3, 2, 1]
    assert deal(pile, 2, 2) == [[1, 3], [2, 4]]
    assert pile == [6, 5]


def test_a_pile_that_is_too_small_is_not_dealt() -> None:
    pile = [1, 2, 3]
    with pytest.raises(ValueError, match="4 cards cannot be dealt from a pile of 3"):
        deal(pile, 2, 2)
    assert pile == [1, 2, 3]


@given(st.lists(st.lists(st.integers())), st.integers())
def test_mixed_piles_keep_their_sizes_and_all_that_was_in_them(
    piles: list[list[int]], seed: int
) -> None:
    sizes = [len(pile) for pile in piles]
    things = sorted(thing for pile in piles for thing in pile)
    mix(Streams(seed)["mix"], piles)
    assert [len(pile) for pile in piles] == sizes
    assert sorted(thing for pile in piles for thing in pile) == things
