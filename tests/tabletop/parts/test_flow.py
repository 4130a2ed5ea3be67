"""What is still to do, and choices made at the same time."""

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


def test_what_is_on_top_is_answered_before_what_it_interrupts() -> None:
    stack = [Pending("steal", 0, (2,)), Pending("challenge", 0, (1, 3))]
    record_pass(stack, 3)
    assert awaiting(stack) == (1,)
    record_pass(stack, 1)
    assert awaiting(stack) == (2,)


def test_who_passes_leaves_the_rest_of_it_as_it_was() -> None:
    stack = [Pending("steal", 0, (1, 2, 3), about="gold")]
    record_pass(stack, 2)
    assert stack == [Pending("steal", 0, (1, 3), about="gold")]


def test_who_is_not_asked_cannot_pass() -> None:
    stack = [Pending("steal", 0, (1,))]
    with pytest.raises(ValueError, match="seat 3 is not asked"):
        record_pass(stack, 2)
    assert stack == [Pending("steal", 0, (1,))]
    with pytest.raises(ValueError, match="seat 1 is not asked"):
        record_pass([], 0)


def test_nobody_is_asked_when_nothing_is_to_do() -> None:
    assert awaiting([]) == ()


def test_what_asks_nobody_is_done_from_the_top_down_to_who_is_asked() -> None:
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


def test_what_is_done_may_put_more_on_top() -> None:
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


def test_seats_that_are_asked_in_turn_answer_one_after_the_other() -> None:
    stack = [Pending("challenge", 0, (1, 2, 3))]
    for seat in (1, 2, 3):
        assert awaiting(stack, in_turn=True) == (seat,)
        record_pass(stack, seat)
    assert awaiting(stack, in_turn=True) == ()


# Choosing at the same time, and passing on.


def test_who_has_put_aside_too_little_is_still_choosing() -> None:
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


# A window in which several may answer.


def window() -> tuple[list[Pending], list[str | None]]:
    return [Pending("sink", 0), Pending("object?", 0, (1, 2, 3))], [None] * 4


@pytest.mark.parametrize("order", list(permutations((1, 2, 3))))
def test_the_first_objection_in_the_order_of_seats_counts_whoever_is_fastest(
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


def test_a_window_stays_open_while_somebody_may_object_whose_word_counts_more() -> None:
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


def test_where_nobody_is_asked_nothing_is_heard() -> None:
    stack, said = [Pending("sink", 0, target=3)], list[str | None]([None] * 4)
    assert record_answer(stack, said, passing="pass") is None
    assert stack == [Pending("sink", 0, target=3)]


def test_a_false_claim_is_called_off_with_its_act_and_a_false_block_alone() -> None:
    stack = [Pending("rob", 0), Pending("ask", 0, (1,)), Pending("doubt", 0, (1, 2))]
    cancel(stack, 0)
    assert stack == []
    stack = [Pending("rob", 0), Pending("stop", 1), Pending("doubt", 1, (0, 2))]
    cancel(stack, 1)
    assert stack == [Pending("rob", 0)]


@pytest.mark.parametrize(("steps", "giver"), [(1, 2), (-1, 1), (2, 1)])
def test_cards_put_aside_go_so_many_places_to_the_left(steps: int, giver: int) -> None:
    hands, aside = [["a"], ["b"], ["c"]], [["x"], ["y"], ["z"]]
    passed = pass_cards(hands, aside, steps)
    card = "xyz"[giver]
    assert passed[0] == (giver, 0, [card])
    assert hands[0] == ["a", card]
    assert aside == [[], [], []]


def test_who_passed_a_card_on_knows_where_it_lies() -> None:
    known = Known[str]()
    pass_cards([[], [], []], [["x"], ["y"], ["z"]], 1, known)
    assert [known.cards(seat, (seat + 1) % 3) for seat in range(3)] == [["x"], ["y"], ["z"]]
    assert known.cards(1, 0) == []
