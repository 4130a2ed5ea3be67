"""Purses and ascending auctions."""

from __future__ import annotations

import pickle
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabletop.parts.money import Auction, gain, missing, pay
from tabletop.states import from_json, to_json

THINGS = st.dictionaries(st.sampled_from("abcd"), st.integers(0, 9))


@given(THINGS, THINGS, THINGS)
def test_a_payment_moves_from_one_purse_to_the_other(
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


def test_missing_things_are_named() -> None:
    with pytest.raises(ValueError, match="missing: 2 wood, 1 brick"):
        pay({"wood": 1}, {"wood": 3, "brick": 1})


def test_a_negative_cost_is_refused() -> None:
    purse = {"wood": 1}
    with pytest.raises(ValueError, match=r"\bcost in wood\b.* 0\b"):
        pay(purse, {"wood": -1})
    assert purse == {"wood": 1}


@given(THINGS, THINGS)
def test_gained_things_can_be_paid(purse: dict[str, int], things: dict[str, int]) -> None:
    before = Counter(purse)
    gain(purse, things)
    pay(purse, things)
    assert +Counter(purse) == +before


# Auctions.


def test_seats_that_have_not_passed_bid_in_turn() -> None:
    auction = Auction((2, 0, 1)).bid(1).drop().bid(4)
    assert auction == Auction((2, 1), 4, 1)
    assert auction.to_act == (2,)


def test_an_auction_is_over_when_all_but_the_leader_have_passed() -> None:
    auction = Auction((0, 1)).bid(3).drop()
    assert auction.over
    assert (auction.to_act, auction.leader, auction.highest) == ((), 0, 3)


def test_an_auction_without_bids_is_over_when_all_have_passed() -> None:
    last = Auction((0, 1)).drop()
    assert last.to_act == (1,)
    assert last.drop().over
    assert last.drop().leader is None


@pytest.mark.parametrize("amount", [-1, 0, 2, 3])
def test_a_bid_that_is_not_higher_is_refused(amount: int) -> None:
    with pytest.raises(ValueError, match="bid more than 3"):
        Auction((0, 1)).bid(3).bid(amount)


def test_nobody_bids_or_passes_after_the_auction() -> None:
    over = Auction((0, 1)).bid(3).drop()
    with pytest.raises(ValueError, match=r"\bover\b"):
        over.bid(4)
    with pytest.raises(ValueError, match=r"\bover\b"):
        over.drop()


@given(st.integers(1, 5), st.lists(st.integers(0, 3), min_size=60, max_size=60))
def test_every_auction_ends_with_its_highest_bid(seats: int, raises: list[int]) -> None:
    auction = Auction(tuple(range(seats)))
    bids: list[tuple[int, int | None]] = [(0, None)]
    for more in raises:
        if auction.over:
            break
        seat = auction.to_act[0]
        if more:
            auction = auction.bid(auction.highest + more)
            bids.append((auction.highest, seat))
        else:
            auction = auction.drop()
    assert (auction.highest, auction.leader) == bids[-1]
    assert from_json(to_json(auction), Auction) == auction
    assert pickle.loads(pickle.dumps(auction)) == auction
