"""Pending tasks, response windows, simultaneous choices and passed cards."""

from __future__ import annotations

from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabletop import Known
from tabletop.parts.flow import (
    Pending,
    awaiting,
    cancel,
    choosing,
    pass_cards,
    pass_on,
    record_answer,
    record_pass,
    resolve,
)
from tabletop.states import from_json, to_json


def test_the_top_task_is_answered_before_the_task_below() -> None:
    stack = [Pending("steal", 0, (2,)), Pending("challenge", 0, (1, 3))]
    record_pass(stack, 3)
    assert awaiting(stack) == (1,)
    record_pass(stack, 1)
    assert awaiting(stack) == (2,)


def test_a_pass_changes_nothing_else_of_the_task() -> None:
    stack = [Pending("steal", 0, (1, 2, 3), about="gold")]
    record_pass(stack, 2)
    assert stack == [Pending("steal", 0, (1, 3), about="gold")]


def test_a_seat_that_is_not_awaited_cannot_pass() -> None:
    stack = [Pending("steal", 0, (1,))]
    with pytest.raises(ValueError, match=r"\bseat 3\b"):
        record_pass(stack, 2)
    assert stack == [Pending("steal", 0, (1,))]
    with pytest.raises(ValueError, match=r"\bseat 1\b"):
        record_pass([], 0)


def test_an_empty_stack_awaits_nobody() -> None:
    assert awaiting([]) == ()


def test_tasks_are_resolved_from_the_top_until_one_awaits_a_seat() -> None:
    done: list[str] = []
    stack = [
        Pending("never", 0),
        Pending("asks", 0, (1,)),
        Pending("second", 0),
        Pending("first", 0),
    ]
    resolve(stack, lambda todo: done.append(todo.what))
    assert done == ["first", "second"]
    assert awaiting(stack) == (1,)


def test_a_resolved_task_may_push_more_tasks() -> None:
    done: list[str] = []
    stack = [Pending("draw", 0), Pending("shuffle", 0)]

    def do(todo: Pending) -> None:
        done.append(todo.what)
        if todo.what == "shuffle":
            stack.append(Pending("cut", 1))

    resolve(stack, do)
    assert done == ["shuffle", "cut", "draw"]


def test_a_stack_is_plain_data() -> None:
    stack = [Pending("steal", 0, (1, 2), about=1), Pending("block", 1, about="guard")]
    assert from_json(to_json(stack), list[Pending]) == stack


def test_seats_that_respond_in_turn_are_awaited_one_at_a_time() -> None:
    stack = [Pending("challenge", 0, (1, 2, 3))]
    for seat in (1, 2, 3):
        assert awaiting(stack, in_turn=True) == (seat,)
        record_pass(stack, seat)
    assert awaiting(stack, in_turn=True) == ()


# Simultaneous choices, and passed hands.


def test_a_seat_that_has_set_aside_too_few_cards_is_still_choosing() -> None:
    assert choosing([["a", "b"], ["c"], []], 2) == (1, 2)
    assert choosing([["a"], ["b"]]) == ()


@given(st.lists(st.lists(st.integers()), min_size=1), st.integers(-9, 9))
def test_hands_come_back_when_they_are_passed_the_other_way(
    hands: list[list[int]], steps: int
) -> None:
    passed = hands.copy()
    pass_on(passed, steps)
    assert all(passed[(it + steps) % len(hands)] is hand for it, hand in enumerate(hands))
    pass_on(passed, -steps)
    assert passed == hands


# Response windows.


def window() -> tuple[list[Pending], list[str | None]]:
    return [Pending("sink", 0), Pending("object?", 0, (1, 2, 3))], [None] * 4


@pytest.mark.parametrize("order", list(permutations((1, 2, 3))))
def test_the_first_objection_in_the_order_of_seats_counts_not_the_fastest(
    order: tuple[int, ...],
) -> None:
    stack, said = window()
    words = {1: "pass", 2: "object", 3: "veto"}
    heard = []
    for seat in order:
        if seat in awaiting(stack, answers=said):
            said[seat] = words[seat]
            heard.append(record_answer(stack, said, passing="pass"))
    assert heard[-1] == "object"
    assert stack[-1] == Pending("object?", 0, target=2)
    assert said == [None] * 4


def test_a_window_stays_open_while_an_earlier_seat_may_object() -> None:
    stack, said = window()
    said[2] = "object"
    assert record_answer(stack, said, passing="pass") is None
    assert awaiting(stack, answers=said) == (1, 3)
    said[3] = "pass"
    assert record_answer(stack, said, passing="pass") is None
    assert awaiting(stack, answers=said) == (1,)


def test_a_window_in_which_all_pass_closes_without_a_target() -> None:
    stack, said = window()
    for seat in (3, 1, 2):
        said[seat] = "pass"
        assert record_answer(stack, said, passing="pass") is None
    assert stack[-1] == Pending("object?", 0)
    done = []
    resolve(stack, lambda todo: done.append((todo.what, todo.target)))
    assert done == [("object?", None), ("sink", None)]


def test_a_task_that_awaits_nobody_takes_no_answer() -> None:
    stack, said = [Pending("sink", 0, target=3)], list[str | None]([None] * 4)
    assert record_answer(stack, said, passing="pass") is None
    assert stack == [Pending("sink", 0, target=3)]


def test_a_false_claim_is_cancelled_with_its_action_and_a_false_block_alone() -> None:
    stack = [Pending("rob", 0), Pending("ask", 0, (1,)), Pending("doubt", 0, (1, 2))]
    cancel(stack, 0)
    assert stack == []
    stack = [Pending("rob", 0), Pending("stop", 1), Pending("doubt", 1, (0, 2))]
    cancel(stack, 1)
    assert stack == [Pending("rob", 0)]


@pytest.mark.parametrize(("steps", "giver"), [(1, 2), (-1, 1), (2, 1)])
def test_cards_set_aside_go_to_the_seat_steps_to_the_left(steps: int, giver: int) -> None:
    hands, aside = [["a"], ["b"], ["c"]], [["x"], ["y"], ["z"]]
    passed = pass_cards(hands, aside, steps)
    card = "xyz"[giver]
    assert passed[0] == (giver, 0, [card])
    assert hands[0] == ["a", card]
    assert aside == [[], [], []]


def test_the_giver_of_a_passed_card_knows_its_holder() -> None:
    known = Known[str]()
    pass_cards([[], [], []], [["x"], ["y"], ["z"]], 1, known)
    assert [known.cards(seat, (seat + 1) % 3) for seat in range(3)] == [["x"], ["y"], ["z"]]
    assert known.cards(1, 0) == []
