"""A single random stream: offset, copies, draws and refused arguments."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabletop import SeedError, Stream
from tabletop.rng import BLOCK_WORDS, HashStream
from tabletop.testing import ScriptedStream

KEY = bytes(range(32))
DRAWS: dict[str, Callable[[Stream], object]] = {
    "below": lambda stream: stream.below(6),
    "far below": lambda stream: stream.below(10**30),
    "between": lambda stream: stream.between(-3, 3),
    "roll": lambda stream: stream.roll(6, 3),
    "choice": lambda stream: stream.choice("abcde"),
    "sample": lambda stream: stream.sample(range(70), 65),
    "shuffle": lambda stream: shuffled(stream, 70),
    "weighted": lambda stream: stream.weighted("ab", (1, 2)),
    "chance": lambda stream: stream.chance(1, 3),
}
SOME_DRAWS = st.lists(st.sampled_from(sorted(DRAWS)), max_size=12)


def shuffled(stream: Stream, count: int) -> list[int]:
    items = list(range(count))
    stream.shuffle(items)
    return items


def draw(stream: Stream, kinds: Iterable[str]) -> list[object]:
    return [DRAWS[kind](stream) for kind in kinds]


def words(stream: Stream, count: int = 4) -> list[int]:
    return [stream.below(2**32) for _ in range(count)]


# Offsets.


@pytest.mark.parametrize(
    ("bound", "cost"), [(1, 1), (6, 1), (2**31, 1), (2**32, 2), (2**64 - 1, 2)]
)
def test_a_draw_costs_at_least_the_words_its_bound_needs(bound: int, cost: int) -> None:
    stream = HashStream(KEY)
    stream.below(bound)
    assert stream.offset >= cost
    assert stream.offset % cost == 0


@given(SOME_DRAWS, SOME_DRAWS)
def test_a_stream_created_at_an_offset_equals_a_stream_advanced_to_it(
    before: list[str], after: list[str]
) -> None:
    stream = HashStream(KEY)
    draw(stream, before)
    assert draw(HashStream(KEY, stream.offset), after) == draw(stream, after)


@given(st.lists(st.integers(0, 5 * BLOCK_WORDS), max_size=12))
def test_the_word_at_an_offset_does_not_depend_on_earlier_offsets(places: list[int]) -> None:
    stream = HashStream(KEY)
    straight = [stream.word() for _ in range(5 * BLOCK_WORDS + 1)]
    assert stream.offset == len(straight)
    far = HashStream(KEY, 2**64 + 5)
    assert (far.word() != straight[5], far.offset) == (True, 2**64 + 6)
    for place in places:
        stream.offset = place
        assert stream.offset == place
        assert stream.word() == straight[place]
        assert stream.offset == place + 1


@pytest.mark.parametrize("offset", [-1, -(10**30), BLOCK_WORDS << 64])
def test_an_offset_out_of_range_is_refused_and_nothing_changes(offset: int) -> None:
    stream = HashStream(KEY, 3)
    with pytest.raises(SeedError, match=f"the offset .*not {offset}"):
        stream.offset = offset
    assert stream.offset == 3
    with pytest.raises(SeedError, match=f"the offset .*not {offset}"):
        HashStream(KEY, offset)


# Copies.


@given(SOME_DRAWS, SOME_DRAWS)
def test_a_copy_has_the_same_draws_and_does_not_advance_the_original(
    before: list[str], after: list[str]
) -> None:
    stream = HashStream(KEY)
    draw(stream, before)
    copy, offset = stream.copy(), stream.offset
    drawn = draw(copy, after)
    assert stream.offset == offset
    assert draw(stream, after) == drawn


# Bounds that are refused.

REFUSED: list[tuple[Callable[[Stream], object], str]] = [
    (lambda stream: stream.below(0), r"below\(0\).*at least 1"),
    (lambda stream: stream.below(-5), r"below\(-5\).*at least 1"),
    (lambda stream: stream.below(-(2**40)), r"at least 1"),
    (lambda stream: stream.between(2, 1), r"between\(2, 1\).*upper bound"),
    (lambda stream: stream.roll(0), r"roll\(0, 1\).*at least one side"),
    (lambda stream: stream.roll(0, 0), r"roll\(0, 0\).*at least one side"),
    (lambda stream: stream.roll(6, -1), r"roll\(6, -1\)"),
    (lambda stream: stream.choice(""), "the sequence is empty"),
    (lambda stream: stream.sample("ab", 3), "3 of 2 items"),
    (lambda stream: stream.sample("ab", -1), "-1 of 2 items"),
    (lambda stream: stream.weighted("ab", [1]), "2 items, but 1 weight$"),
    (lambda stream: stream.weighted("ab", [2, -1]), "at least 0"),
    (lambda stream: stream.weighted("ab", [0, 0]), "greater than 0"),
    (lambda stream: stream.weighted("", []), "greater than 0"),
    (lambda stream: stream.chance(4, 3), r"chance\(4, 3\)"),
    (lambda stream: stream.chance(-1, 3), r"chance\(-1, 3\)"),
    (lambda stream: stream.chance(0, 0), "at least 1"),
]


@pytest.mark.parametrize(("ask", "message"), REFUSED)
def test_an_invalid_draw_is_refused_and_does_not_advance_the_stream(
    ask: Callable[[Stream], object], message: str
) -> None:
    stream = HashStream(KEY, 7)
    with pytest.raises(SeedError, match=message):
        ask(stream)
    assert stream.offset == 7


# Results of draws.


@given(st.integers(1, 10**40), st.integers(0, 500))
def test_a_draw_is_less_than_its_bound(bound: int, offset: int) -> None:
    stream = HashStream(KEY, offset)
    assert all(0 <= stream.below(bound) < bound for _ in range(20))


@pytest.mark.parametrize("bound", [2**31 - 1, 2**31, 2**31 + 1, 2**32 - 1, 2**32, 2**32 + 1, 3**50])
def test_large_bounds_are_used_fully(bound: int) -> None:
    stream = HashStream(KEY)
    eighths = Counter(stream.below(bound) * 8 // bound for _ in range(400))
    assert sorted(eighths) == list(range(8))


@given(st.integers(1, 20), st.integers(0, 6), st.integers(0, 500))
def test_a_roll_is_the_sum_of_its_dice(sides: int, dice: int, offset: int) -> None:
    each = HashStream(KEY, offset)
    total = sum(each.below(sides) + 1 for _ in range(dice))
    assert HashStream(KEY, offset).roll(sides, dice) == total
    assert dice <= total <= dice * sides


@given(st.integers(0, 20).flatmap(lambda n: st.tuples(st.just(n), st.integers(0, n))))
def test_a_sample_uses_different_indices_and_does_not_change_the_items(
    sizes: tuple[int, int],
) -> None:
    size, count = sizes
    items = list(range(size))
    drawn = HashStream(KEY).sample(items, count)
    assert len(set(drawn)) == len(drawn) == count
    assert set(drawn) <= set(items)
    assert items == list(range(size))


def test_all_possible_results_occur_and_no_others() -> None:
    stream = HashStream(KEY)
    assert {stream.weighted("abcd", (0, 1, 0, 2)) for _ in range(200)} == {"b", "d"}
    assert {stream.between(-1, 1) for _ in range(100)} == {-1, 0, 1}
    assert {stream.chance(0, 3) for _ in range(100)} == {False}
    assert {stream.chance(3, 3) for _ in range(100)} == {True}
    assert stream.sample("aaa", 3) == ["a", "a", "a"], "equal items at different indices"


@pytest.mark.parametrize(
    ("draw_one", "script", "expected"),
    [
        (lambda stream: stream.roll(6, 3), [0, 5, 2], 10),
        (lambda stream: stream.between(3, 8), [4], 7),
        (lambda stream: stream.choice("abc"), [2], "c"),
        (lambda stream: stream.sample("abcd", 2), [3, 0], ["d", "b"]),
        (lambda stream: shuffled(stream, 4), [0, 0, 0], [1, 2, 3, 0]),
        (lambda stream: stream.weighted("abc", (2, 0, 3)), [2], "c"),
        (lambda stream: stream.weighted("abc", (2, 0, 3)), [1], "a"),
        (lambda stream: stream.chance(2, 3), [1], True),
        (lambda stream: stream.chance(2, 3), [2], False),
    ],
)
def test_all_draws_use_only_below(
    draw_one: Callable[[Stream], object], script: list[int], expected: object
) -> None:
    stream = ScriptedStream(script)
    assert draw_one(stream) == expected
    assert stream.offset == len(script)


def test_between_equal_bounds_returns_the_bound() -> None:
    assert [HashStream(KEY).between(number, number) for number in (-2, 0, 7)] == [-2, 0, 7]


def test_a_large_bound_itself_is_never_drawn() -> None:
    stream, words = HashStream(KEY), HashStream(KEY)
    for _ in range(20):
        word = words.word()
        if word > 1 << 31:  # so that all bits of the bound matter
            stream.offset = words.offset - 1
            assert stream.below(word) < word
