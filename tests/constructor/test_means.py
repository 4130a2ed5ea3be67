"""What hands pay for, and the trades they allow, against a look at all there is."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from constructor import GAME
from constructor.actions import OWNED, EndTurn, Trade
from constructor.means import means
from constructor.state import (
    BASEMENT_COST,
    HOUSE_COST,
    KINDS,
    ROAD_COST,
    TOWER_COST,
    Cost,
)
from tabletop import Match, Random

HANDS = st.lists(st.lists(st.integers(0, 4), min_size=5, max_size=5), min_size=1, max_size=4)


@given(HANDS, st.data())
def test_trades_are_those_that_both_can_pay_in_order(
    hands: list[list[int]], data: st.DataObject
) -> None:
    turn = data.draw(st.integers(0, len(hands) - 1))
    _, rest = means(turn, tuple(amount for hand in hands for amount in hand))
    assert list(rest) == [
        *(
            Trade(seat, give, take)
            for give in OWNED
            for seat, hand in enumerate(hands)
            for take in OWNED
            if seat != turn and give is not take and hands[turn][give] and hand[take]
        ),
        EndTurn(),
    ]


@given(st.lists(st.integers(0, 4), min_size=5, max_size=5))
def test_a_hand_pays_for_what_it_has_enough_of(hand: list[int]) -> None:
    def pays(cost: Cost) -> bool:
        return all(hand[kind] >= cost[kind] for kind in range(KINDS))

    payable, _ = means(0, tuple(hand))
    assert (payable.road, payable.basement) == (pays(ROAD_COST), pays(BASEMENT_COST))
    levels = [level for level, cost in ((1, HOUSE_COST), (2, TOWER_COST)) if pays(cost)]
    assert list(payable.levels) == levels
    assert payable.anything == (payable.road or payable.basement or bool(levels))


def test_a_random_match_finds_nearly_half_of_its_lists_made_already() -> None:
    means.cache_clear()
    players = [Random(f"player {seat}") for seat in range(4)]
    Match(GAME, seed="x", players=players).run(4000)
    found = means.cache_info()
    assert found.hits > 0.4 * (found.hits + found.misses)
