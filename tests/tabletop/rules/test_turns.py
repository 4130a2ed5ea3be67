"""Turn orders and phases."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabletop.rules import clockwise, from_seat, next_phase, next_seat, others, snake

TABLES = st.integers(1, 12).flatmap(lambda n: st.tuples(st.integers(0, n - 1), st.just(n)))


@given(TABLES, st.integers(-50, 50))
def test_clockwise_and_back_returns_to_the_seat(table: tuple[int, int], steps: int) -> None:
    seat, seats = table
    there = clockwise(seat, seats, steps)
    assert 0 <= there < seats
    assert clockwise(there, seats, -steps) == seat


@given(TABLES)
def test_a_round_of_single_steps_visits_every_seat_once(table: tuple[int, int]) -> None:
    seat, seats = table
    visited = []
    for _ in range(seats):
        visited.append(seat)
        seat = clockwise(seat, seats)
    assert seat == table[0]
    assert sorted(visited) == list(range(seats))


@given(TABLES)
def test_from_seat_returns_the_order_of_single_steps(table: tuple[int, int]) -> None:
    first, seats = table
    assert from_seat(first, seats) == tuple(clockwise(first, seats, n) for n in range(seats))


@given(TABLES, st.data())
def test_next_seat_returns_the_first_seat_to_the_left_that_plays(
    table: tuple[int, int], data: st.DataObject
) -> None:
    seat, seats = table
    playing = data.draw(st.sets(st.integers(0, seats - 1)))
    order = (*from_seat(seat, seats)[1:], seat)
    expected = [other for other in order if other in playing]
    assert next_seat(seat, seats, playing.__contains__) == (expected[0] if expected else None)


@pytest.mark.parametrize(
    ("seats", "rounds", "order"),
    [
        (3, 0, ()),
        (3, 1, (0, 1, 2)),
        (3, 2, (0, 1, 2, 2, 1, 0)),
        (2, 5, (0, 1, 1, 0, 0, 1, 1, 0, 0, 1)),
        (1, 3, (0, 0, 0)),
    ],
)
def test_a_snake_reverses_at_its_ends(seats: int, rounds: int, order: tuple[int, ...]) -> None:
    assert snake(seats, rounds) == order
    assert snake(seats) == snake(seats, 2)


def test_next_phase_returns_the_following_phase_or_none() -> None:
    phases = ("roll", "trade", "build")
    assert [next_phase(phase, phases) for phase in phases] == ["trade", "build", None]
    with pytest.raises(ValueError, match="sleep"):
        next_phase("sleep", [*phases])


def test_others_returns_the_other_playing_seats_from_the_left() -> None:
    assert others(1, ["a", "b", "", "d"]) == (3, 0)
    assert others(0, [[], [], []]) == ()
    assert others(1, 4) == others(1, "abcd") == (2, 3, 0)
