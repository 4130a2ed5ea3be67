"""Deals in which everything fits: all are equally likely, and one is always found."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import permutations
from time import perf_counter

import pytest

from tabletop import Streams
from tabletop.rng import even_deal
from tabletop.rng.even_deal import EvenDeal

Fitting = Sequence[str | None]

CASES: dict[str, tuple[str, Fitting]] = {
    "anything anywhere": ("abcd", [None] * 4),
    "a place for one thing alone": ("abcd", ["a", None, None, None]),
    "things that lack a place": ("abcd", ["abc", "abc", "ad", None]),
    "equal things": ("aabbc", ["ab", None, "bc", None, None]),
    "one deal": ("abc", ["ab", "a", None]),
    "a circle": ("abcd", ["ab", "bc", "cd", "da"]),
    "no places alike": ("aabbcd", ["abc", "bcd", "acd", None, "ab", "abcd"]),
}


def every_deal(things: str, fitting: Fitting) -> set[tuple[str, ...]]:
    return {
        deal
        for deal in permutations(things)
        if all(row is None or it in row for it, row in zip(deal, fitting, strict=True))
    }


def drawn(things: str, fitting: Fitting, number: int) -> Counter[tuple[str, ...]]:
    dealer, rng = EvenDeal(list(things), fitting), Streams("old oak")["deal"]
    return Counter(tuple(dealer.draw(rng)) for _ in range(number))


@pytest.mark.slow
@pytest.mark.parametrize("case", CASES)
def test_all_possible_deals_are_equally_likely(case: str) -> None:
    things, fitting = CASES[case]
    deals = every_deal(things, fitting)
    found = drawn(things, fitting, 300 * len(deals))
    assert found.keys() == deals
    surprise = sum((found[it] - 300) ** 2 / 300 for it in deals)
    assert surprise < len(deals) + 5 * (2 * len(deals)) ** 0.5


@pytest.mark.slow
@pytest.mark.parametrize("case", CASES)
def test_with_too_many_splits_all_possible_deals_are_about_equally_likely(
    case: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(even_deal, "_MOST", 0)
    things, fitting = CASES[case]
    deals = every_deal(things, fitting)
    found = drawn(things, fitting, 100 * len(deals))
    assert found.keys() == deals
    assert max(found.values()) < 200


PINNED = {
    "anything anywhere": ("adcb dcba cdab dbac", 12),
    "a place for one thing alone": ("adcb acbd abdc adbc", 8),
    "things that lack a place": ("bcda bcad bcad badc", 12),
    "equal things": ("bacba abbac abbca bacab", 22),
    "one deal": ("bac bac bac bac", 0),
    "a circle": ("bcda bcda bcda abcd", 10),
    "no places alike": ("acadbb bcdaba abdbac abcbad", 22),
}
"""Four deals of each case, and the number of words drawn for them."""


@pytest.mark.parametrize("case", CASES)
def test_even_deals_never_change(case: str) -> None:
    """A stream must give the same deals in every version of Python and of tabletop."""
    things, fitting = CASES[case]
    dealer, rng = EvenDeal(list(things), fitting), Streams("pinned")["deal"]
    deals = " ".join("".join(dealer.draw(rng)) for _ in range(4))
    assert (deals, rng.offset) == PINNED[case]


def test_the_limit_counts_the_splits_of_all_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    things, fitting = CASES["a circle"]  # has 11 splits

    def words_drawn(most: int) -> int:
        monkeypatch.setattr(even_deal, "_MOST", most)
        rng = Streams("pinned")["deal"]
        EvenDeal(list(things), fitting).draw(rng)
        return rng.offset

    assert words_drawn(11) < 10 < words_drawn(10)


def test_equal_streams_give_equal_deals() -> None:
    dealer = EvenDeal("aabbcd", CASES["no places alike"][1])
    rng = Streams("old oak")["deal"]
    again = rng.copy()
    assert [dealer.draw(rng) for _ in range(9)] == [dealer.draw(again) for _ in range(9)]


@pytest.mark.slow
def test_a_deal_with_too_many_splits_is_found_quickly() -> None:
    size = 40
    things = [*range(size)]
    fitting = [[(place + step * step) % size for step in range(7)] for place in range(size)]
    begun = perf_counter()
    dealer = EvenDeal(things, fitting)
    dealt = dealer.draw(Streams("old oak")["deal"])
    assert sorted(dealt) == things
    assert all(it in row for it, row in zip(dealt, fitting, strict=True))
    assert perf_counter() - begun < 20
