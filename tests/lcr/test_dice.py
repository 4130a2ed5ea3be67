"""The course's die and its generator (LCR §3)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lcr import DIE, CourseStream, Face
from lcr.rules.dice import PERIOD, jump
from tabletop import SeedError

SEEDS = st.integers(0, 2**32 - 1)


@pytest.mark.parametrize(
    ("seed", "first"),
    [
        (0, "211327 653794 122201 347348 516035 191062 631229 511336 42183 490570"),
        (1, "221148 105835 616862 413029 569136 695983 460370 505097 768964 206771"),
        (4823, "578010 847537 872204 126811 622158 425045 578272 420639 306946 727993"),
        (4294967295, "15522 652889 234196 250243 847830"),
        (967295, "15522 652889 234196 250243 847830"),
    ],
)
def test_the_generator_draws_the_numbers_of_the_course(seed: int, first: str) -> None:
    stream = CourseStream(seed)
    assert [stream.next() for _ in first.split()] == [int(number) for number in first.split()]


def test_the_die_has_three_dots_and_then_left_center_and_right() -> None:
    assert [*DIE[3:]] == [Face.LEFT, Face.CENTER, Face.RIGHT]
    assert set(DIE[:3]) == {Face.DOT}


@pytest.mark.slow
def test_every_number_is_drawn_once_before_the_generator_repeats() -> None:
    stream = CourseStream(7)
    assert len({stream.next() for _ in range(PERIOD)}) == PERIOD
    assert stream.next() == CourseStream(7).next()


@given(SEEDS, st.integers(0, 300))
def test_jump_equals_repeated_draws(seed: int, steps: int) -> None:
    stream = CourseStream(seed)
    for _ in range(steps):
        stream.next()
    assert stream.offset == steps
    assert CourseStream(seed, steps).next() == stream.next() == jump(seed, steps + 1)


@given(SEEDS, st.lists(st.integers(0, 10**12), min_size=1))
def test_the_offset_can_be_set_in_either_direction(seed: int, offsets: list[int]) -> None:
    stream = CourseStream(seed)
    for offset in offsets:
        stream.offset = offset
        assert stream.offset == offset
        assert stream.below(PERIOD) == jump(seed, offset + 1)


@given(SEEDS, st.integers(1, PERIOD))
def test_a_draw_below_a_bound_is_the_next_number_modulo_the_bound(seed: int, bound: int) -> None:
    assert CourseStream(seed).below(bound) == CourseStream(seed).next() % bound


def test_copy_draws_the_same_numbers_independently() -> None:
    stream = CourseStream(42, 10)
    twin = stream.copy()
    assert (twin.seed, twin.offset) == (42, 10)
    drawn = [twin.next() for _ in range(5)]
    assert stream.offset == 10
    assert [stream.next() for _ in range(5)] == drawn


@pytest.mark.parametrize("seed", [-1, 2**32])
def test_a_seed_beyond_32_bits_is_refused(seed: int) -> None:
    with pytest.raises(SeedError, match=rf"\b0 to 4294967295, not {seed}$"):
        CourseStream(seed)


def test_a_negative_offset_is_refused_and_changes_nothing() -> None:
    stream = CourseStream(3, 4)
    with pytest.raises(SeedError, match="not -1"):
        stream.offset = -1
    assert stream.offset == 4
    with pytest.raises(SeedError, match="not -2"):
        CourseStream(3, -2)


@pytest.mark.parametrize("bound", [0, -6, PERIOD + 1])
def test_a_bound_that_the_generator_cannot_fill_is_refused(bound: int) -> None:
    stream = CourseStream(3)
    with pytest.raises(SeedError, match=rf"below\({bound}\): .*\b1 to 1000000"):
        stream.below(bound)
    assert stream.offset == 0
