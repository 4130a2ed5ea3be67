"""Purses and ascending auctions."""

from __future__ import annotations

import pickle
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabletop.parts.money import Auction, Duel, gain, missing, pay
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


def test_only_allowed_bids_above_the_highest_bid_remain() -> None:
    assert Auction((0, 1)).bid(20).bids([18, 20, 22, 23]) == [22, 23]


SKAT = (18, 20, 22, 23)


def played(text: str) -> Duel:
    """Play a duel of seats 0, 1 and 2, in which seat 1 bids first."""
    duel = Duel((1, 0, 2), elder=0)
    for word in text.split():
        match word:
            case "hold":
                duel = duel.hold()
            case "pass":
                duel = duel.drop()
            case _:
                duel = duel.bid(int(word))
    return duel


@pytest.mark.parametrize(
    ("text", "seats", "leader", "may_hold"),
    [
        ("", (1, 0, 2), None, False),
        ("18", (0, 1, 2), 1, True),
        ("18 hold", (1, 0, 2), 0, False),
        ("18 hold 20 pass", (2, 1), 1, False),
        ("18 hold pass", (2, 0), 0, False),
        ("18 hold pass 20", (0, 2), 2, True),
        ("18 hold pass pass", (0,), 0, False),
        ("pass 18 pass", (2,), 2, False),
        ("pass pass", (0,), None, False),
        ("pass pass 18", (0,), 0, False),
        ("pass pass pass", (), None, False),
    ],
)
def test_two_seats_bid_and_hold_until_one_of_them_drops_out(
    text: str, seats: tuple[int, ...], leader: int | None, may_hold: bool
) -> None:
    duel = played(text)
    assert (duel.seats, duel.leader, duel.may_hold) == (seats, leader, may_hold)
    assert from_json(to_json(duel), Duel) == duel


def test_the_elder_seat_holds_a_bid_and_does_not_raise_it() -> None:
    assert played("18").bids(SKAT) == []
    assert played("18 hold").bids(SKAT) == [20, 22, 23]
    with pytest.raises(ValueError, match="18 to hold"):
        played("18").bid(20)


@pytest.mark.parametrize("text", ["", "18 hold", "pass pass", "pass pass 18"])
def test_without_a_bid_of_the_other_seat_nothing_can_be_held(text: str) -> None:
    with pytest.raises(ValueError, match="no bid to hold"):
        played(text).hold()


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
