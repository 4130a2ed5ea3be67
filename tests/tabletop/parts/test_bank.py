"""Purses, costs and banks."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabletop.parts.bank import gain, missing, pay

THINGS = st.dictionaries(st.sampled_from("abcd"), st.integers(0, 9))


@given(THINGS, THINGS, THINGS)
def test_what_is_paid_comes_out_of_one_purse_into_the_other(
    purse: dict[str, int], cost: dict[str, int], bank: dict[str, int]
) -> None:
    before = Counter(purse) + Counter(bank)
    kept = dict(purse), dict(bank)
    if missing(purse, cost):
        with pytest.raises(ValueError, match="missing: "):
            pay(purse, cost, bank)
        assert (purse, bank) == kept
    else:
        pay(purse, cost, bank)
        assert Counter(purse) + Counter(bank) == before
        assert min([0, *purse.values()]) == 0
        assert all(bank[it] - kept[1].get(it, 0) == count for it, count in cost.items())


def test_what_is_missing_is_named() -> None:
    with pytest.raises(ValueError, match="missing: 2 wood, 1 brick"):
        pay({"wood": 1}, {"wood": 3, "brick": 1})


def test_a_negative_cost_is_refused() -> None:
    purse = {"wood": 1}
    with pytest.raises(ValueError, match="-1 wood cannot be paid"):
        pay(purse, {"wood": -1})
    assert purse == {"wood": 1}


@given(THINGS, THINGS)
def test_what_was_gained_can_be_paid(purse: dict[str, int], things: dict[str, int]) -> None:
    before = Counter(purse)
    gain(purse, things)
    pay(purse, things)
    assert +Counter(purse) == +before
