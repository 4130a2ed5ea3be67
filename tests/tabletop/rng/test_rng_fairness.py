"""Draws are fair: every value has the right probability.

The streams are fixed, so each test either always passes or always fails. For a fair stream,
chi-square exceeds a critical value with a probability of 1 in 10,000.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Sequence
from itertools import permutations, product

import pytest

from tabletop import Stream, Streams

CRITICAL = {1: 15.14, 2: 18.42, 5: 25.74, 6: 27.86, 11: 37.37, 19: 50.80, 23: 57.07}
CRITICAL |= {51: 97.34, 999: 1173.85}  # by degrees of freedom


def shuffled(stream: Stream, count: int) -> list[int]:
    items = list(range(count))
    stream.shuffle(items)
    return items


def chi_square(drawn: Sequence[Hashable], expected: dict[Hashable, float]) -> float:
    """Return the chi-square statistic. `expected` has shares that sum to 1."""
    counts = Counter(drawn)
    assert set(counts) <= set(expected)
    total = len(drawn)
    return sum(
        (counts[value] - share * total) ** 2 / (share * total) for value, share in expected.items()
    )


def assert_fair(drawn: Sequence[Hashable], values: Iterable[Hashable]) -> None:
    shares = list(values)
    expected: dict[Hashable, float] = dict.fromkeys(shares, 1 / len(shares))
    assert chi_square(drawn, expected) < CRITICAL[len(shares) - 1]


@pytest.mark.parametrize("bound", [2, 3, 6, 7, 52, 1000])
def test_all_numbers_below_a_bound_are_equally_likely(bound: int) -> None:
    stream = Streams("one")["fair"]
    assert_fair([stream.below(bound) for _ in range(20_000)], range(bound))


@pytest.mark.parametrize("bound", [3 * 2**29, 3 * 2**30, 2**31 + 1, 2**32 + 2**31, 3 * 2**62])
def test_large_bounds_are_fair_although_a_plain_remainder_would_not_be(bound: int) -> None:
    # A plain remainder, or a product without rejected words, would favour a third of the numbers.
    stream = Streams("big")["fair"]
    drawn = [stream.below(bound) for _ in range(12_000)]
    assert_fair([number * 12 // bound for number in drawn], range(12))
    assert_fair([number % 3 for number in drawn], range(3))


@pytest.mark.parametrize(
    ("name", "draw", "values"),
    [
        ("shuffle", lambda it: tuple(shuffled(it, 4)), list(permutations(range(4)))),
        ("sample", lambda it: tuple(it.sample(range(5), 2)), list(permutations(range(5), 2))),
        ("choice", lambda it: it.choice("abcdefg"), list("abcdefg")),
        # A draw is independent of the next.
        ("pairs", lambda it: (it.below(3), it.below(4)), list(product(range(3), range(4)))),
    ],
)
def test_all_results_of_a_draw_are_equally_likely(
    name: str, draw: Callable[[Stream], Hashable], values: list[Hashable]
) -> None:
    stream = Streams(name)["fair"]
    assert_fair([draw(stream) for _ in range(12_000)], values)


def test_weights_determine_the_probabilities_of_a_weighted_choice() -> None:
    stream = Streams("weighted")["fair"]
    drawn = [stream.weighted("abc", (1, 2, 5)) for _ in range(12_000)]
    assert chi_square(drawn, {"a": 1 / 8, "b": 2 / 8, "c": 5 / 8}) < CRITICAL[2]


def test_chance_is_true_with_the_given_probability() -> None:
    stream = Streams("chance")["fair"]
    drawn = [stream.chance(2, 7) for _ in range(12_000)]
    assert chi_square(drawn, {True: 2 / 7, False: 5 / 7}) < CRITICAL[1]


def test_streams_with_similar_names_are_independent() -> None:
    streams = Streams("neighbours")
    pairs = [(streams.at("x", n).below(3), streams.at("x", n + 1).below(4)) for n in range(6_000)]
    assert_fair(pairs, product(range(3), range(4)))
