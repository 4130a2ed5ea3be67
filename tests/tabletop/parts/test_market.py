"""A row of open cards."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabletop.parts.market import fill, take


@given(st.lists(st.integers(), max_size=5), st.lists(st.integers()), st.integers(0, 6))
def test_a_row_is_filled_from_the_top_of_the_deck(
    row: list[int], deck: list[int], size: int
) -> None:
    before, cards = row.copy(), deck.copy()
    new = fill(row, deck, size)
    assert row == before + new
    assert deck + new[::-1] == cards
    assert len(row) == max(len(before), min(size, len(before) + len(cards)))


def test_what_is_taken_is_replaced_at_the_end_of_the_row() -> None:
    row, deck = ["oar", "net", "rope"], ["sail", "mast"]
    assert take(row, 1, deck) == "net"
    assert (row, deck) == (["oar", "rope", "mast"], ["sail"])


def test_a_row_is_shorter_once_the_deck_is_empty() -> None:
    row = ["oar", "net"]
    assert take(row, 1, []) == "net"
    assert row == ["oar"]


@pytest.mark.parametrize("place", [-1, 2])
def test_a_place_that_the_row_does_not_have_is_refused(place: int) -> None:
    row, deck = ["oar", "net"], ["sail"]
    with pytest.raises(IndexError, match="in a row of 2"):
        take(row, place, deck)
    assert (row, deck) == (["oar", "net"], ["sail"])
