"""Choosing at the same time, and passing on."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tabletop.parts.draft import choosing, pass_on


def test_who_has_put_aside_too_little_is_still_choosing() -> None:
    assert choosing([["a", "b"], ["c"], []], 2) == (1, 2)
    assert choosing([["a"], ["b"]]) == ()


@given(st.lists(st.lists(st.integers()), min_size=1), st.integers(-9, 9))
def test_hands_come_back_when_they_are_passed_the_other_way(
    hands: list[list[int]], steps: int
) -> None:
    passed = hands.copy()
    pass_on(passed, steps)
    assert all(passed[(it + steps) % len(hands)] is hand for it, hand in enumerate(hands))
    pass_on(passed, -steps)
    assert passed == hands
