"""The rules of `examples/flotsam.py`: free bids, who is paid, what everybody has at the end."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabletop import IllegalAction, Match, Random
from tabletop.host import load_file
from tabletop.match import AnyMatch

flotsam: Any = load_file(Path(__file__).parents[2] / "examples" / "flotsam.py")


def play(*lines: str, seats: int = 3, coins: int = 40) -> AnyMatch:
    match = Match(flotsam.GAME, seed=1, seats=seats, options={"coins": coins})
    for line in lines:
        match.play(match.parse(line))
    return match


def coins(match: AnyMatch) -> list[int]:
    return [purse["coins"] for purse in match.state.purses]


def test_a_lot_that_is_offered_is_replaced_from_the_deck() -> None:
    match = play()
    first, *others = match.state.row
    match.play(match.parse("offer 1"))
    assert match.state.lot == first
    assert match.state.row[:2] == others
    assert len(match.state.row) == 3


def test_bids_go_round_from_the_next_player_and_the_seller_is_last() -> None:
    match = play("offer 1")
    asked = []
    for amount in (1, 2, 3):
        asked.append(match.to_act[0])
        match.play(match.parse(f"bid {amount}"))
    assert asked == [1, 2, 0]
    assert match.to_act == (1,)


def test_any_higher_bid_is_accepted_also_one_that_is_not_listed() -> None:
    match = play("offer 1", "bid 17")
    assert flotsam.Act("bid", 17) not in play("offer 1").legal_actions()
    assert match.state.auction.highest == 17


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("bid 5", r"\bmore than 5\b"),
        ("bid 41", r"\b41 coins\b"),
        ("offer 1", r"\boffer\b.*\bfirst\b"),
    ],
)
def test_other_bids_are_refused_with_a_reason(line: str, reason: str) -> None:
    match = play("offer 1", "bid 5")
    with pytest.raises(IllegalAction, match=reason):
        match.play(match.parse(line))


def test_a_place_that_is_empty_cannot_be_offered() -> None:
    match = play()
    match.state.row.pop()
    with pytest.raises(IllegalAction, match=r"\blot 3\b.* 2$"):
        match.play(match.parse("offer 3"))


def test_the_highest_bid_is_paid_to_the_seller() -> None:
    match = play("offer 1", "bid 5", "bid 6", "pass", "pass")
    assert coins(match) == [46, 40, 34]
    assert sum(match.state.purses[2].values()) == 35


def test_a_seller_who_buys_pays_the_bank() -> None:
    assert coins(play("offer 1", "bid 5", "pass", "bid 7", "pass")) == [33, 40, 40]


def test_a_lot_that_nobody_wants_is_the_sellers() -> None:
    match = play("offer 1", "pass", "pass", "pass")
    assert coins(match) == [40, 40, 40]
    assert sum(match.state.purses[0].values()) == 41
    assert match.to_act == (1,)


def test_a_set_of_all_four_kinds_is_worth_ten_more() -> None:
    match = play()
    match.state.prices.update(amber=3, pearls=4, rum=5, silk=6)
    match.state.purses[0].update(coins=1, amber=2, pearls=1, rum=1, silk=1)
    assert flotsam.worth(match.state, 0) == 1 + 6 + 4 + 5 + 6 + 10


def test_between_two_a_lot_for_its_price_is_a_bad_bargain_while_there_are_others() -> None:
    match = play(seats=2)
    state = match.state
    poorer = state.clone()
    poorer.purses[0].update(coins=40 - state.prices["rum"], rum=1)
    assert flotsam.worth(poorer, 0) == flotsam.worth(state, 0)
    assert flotsam.evaluate(poorer, 0) < flotsam.evaluate(state, 0)
    for beach in (state, poorer):
        beach.row.clear()
        beach.deck.clear()
    assert flotsam.evaluate(poorer, 0) == flotsam.evaluate(state, 0)


@pytest.mark.slow
@pytest.mark.matrix
def test_more_iterations_win_more() -> None:
    won = 0
    for number in range(20):
        match, seat = Match(flotsam.GAME, seed=number), number % 2
        for at, bot in ((seat, "search:30"), (1 - seat, "search:2")):
            match.set_player(at, flotsam.PLUGIN.bot(bot, match.bot_stream(at), at))
        outcome = match.run()
        won += outcome is not None and outcome.winners == (seat,)
    assert won >= 13


@given(st.integers(0, 300), st.integers(2, 5), st.integers(1, 30))
def test_no_lot_is_lost_nobody_owes_and_no_coin_is_made(seed: int, seats: int, start: int) -> None:
    players = [Random(seat) for seat in range(seats)]
    match = Match(flotsam.GAME, seed=seed, seats=seats, players=players, options={"coins": start})
    match.run()
    purses = match.state.purses
    assert sum(purse.get(good, 0) for purse in purses for good in flotsam.GOODS) == 20
    assert min(coins(match)) >= 0
    assert sum(coins(match)) <= seats * start
