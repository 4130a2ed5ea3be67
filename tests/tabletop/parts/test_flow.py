"""What is still to do, and choices made at the same time."""

from __future__ import annotations

from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabletop import Known
from tabletop.parts.flow import (
    Todo,
    asked,
    call_off,
    choosing,
    hear,
    pass_cards,
    pass_on,
    passes,
    settle,
)
from tabletop.states import from_json, to_json


def test_what_is_on_top_is_answered_before_what_it_interrupts() -> None:
    stack = [Todo("steal", 0, (2,)), Todo("challenge", 0, (1, 3))]
    passes(stack, 3)
    assert asked(stack) == (1,)
    passes(stack, 1)
    assert asked(stack) == (2,)


def test_who_passes_leaves_the_rest_of_it_as_it_was() -> None:
    stack = [Todo("steal", 0, (1, 2, 3), about="gold")]
    passes(stack, 2)
    assert stack == [Todo("steal", 0, (1, 3), about="gold")]


def test_who_is_not_asked_cannot_pass() -> None:
    stack = [Todo("steal", 0, (1,))]
    with pytest.raises(ValueError, match="seat 3 is not asked"):
        passes(stack, 2)
    assert stack == [Todo("steal", 0, (1,))]
    with pytest.raises(ValueError, match="seat 1 is not asked"):
        passes([], 0)


def test_nobody_is_asked_when_nothing_is_to_do() -> None:
    assert asked([]) == ()


def test_what_asks_nobody_is_done_from_the_top_down_to_who_is_asked() -> None:
    done: list[str] = []
    stack = [Todo("never", 0), Todo("asks", 0, (1,)), Todo("second", 0), Todo("first", 0)]
    settle(stack, lambda todo: done.append(todo.what))
    assert done == ["first", "second"]
    assert asked(stack) == (1,)


def test_what_is_done_may_put_more_on_top() -> None:
    done: list[str] = []
    stack = [Todo("draw", 0), Todo("shuffle", 0)]

    def do(todo: Todo) -> None:
        done.append(todo.what)
        if todo.what == "shuffle":
            stack.append(Todo("cut", 1))

    settle(stack, do)
    assert done == ["shuffle", "cut", "draw"]


def test_a_stack_is_plain_data() -> None:
    stack = [Todo("steal", 0, (1, 2), about=1), Todo("block", 1, about="guard")]
    assert from_json(to_json(stack), list[Todo]) == stack


def test_seats_that_are_asked_in_turn_answer_one_after_the_other() -> None:
    stack = [Todo("challenge", 0, (1, 2, 3))]
    for seat in (1, 2, 3):
        assert asked(stack, in_turn=True) == (seat,)
        passes(stack, seat)
    assert asked(stack, in_turn=True) == ()


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


def window() -> tuple[list[Todo], list[str | None]]:
    return [Todo("sink", 0), Todo("object?", 0, (1, 2, 3))], [None] * 4


@pytest.mark.parametrize("order", list(permutations((1, 2, 3))))
def test_the_first_objection_in_the_order_of_seats_counts_whoever_is_fastest(
    order: tuple[int, ...],
) -> None:
    stack, said = window()
    words = {1: "pass", 2: "object", 3: "veto"}
    heard = []
    for seat in order:
        if seat in asked(stack, said=said):
            said[seat] = words[seat]
            heard.append(hear(stack, said, passing="pass"))
    assert heard[-1] == "object"
    assert stack[-1] == Todo("object?", 0, target=2)
    assert said == [None] * 4


def test_a_window_stays_open_while_somebody_may_object_whose_word_counts_more() -> None:
    stack, said = window()
    said[2] = "object"
    assert hear(stack, said, passing="pass") is None
    assert asked(stack, said=said) == (1, 3)
    said[3] = "pass"
    assert hear(stack, said, passing="pass") is None
    assert asked(stack, said=said) == (1,)


def test_a_window_in_which_all_pass_closes_without_a_target() -> None:
    stack, said = window()
    for seat in (3, 1, 2):
        said[seat] = "pass"
        assert hear(stack, said, passing="pass") is None
    assert stack[-1] == Todo("object?", 0)
    done = []
    settle(stack, lambda todo: done.append((todo.what, todo.target)))
    assert done == [("object?", None), ("sink", None)]


def test_where_nobody_is_asked_nothing_is_heard() -> None:
    stack, said = [Todo("sink", 0, target=3)], list[str | None]([None] * 4)
    assert hear(stack, said, passing="pass") is None
    assert stack == [Todo("sink", 0, target=3)]


def test_a_false_claim_is_called_off_with_its_act_and_a_false_block_alone() -> None:
    stack = [Todo("rob", 0), Todo("ask", 0, (1,)), Todo("doubt", 0, (1, 2))]
    call_off(stack, 0)
    assert stack == []
    stack = [Todo("rob", 0), Todo("stop", 1), Todo("doubt", 1, (0, 2))]
    call_off(stack, 1)
    assert stack == [Todo("rob", 0)]


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
