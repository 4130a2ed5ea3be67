"""A state as changes to the previous state."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabletop.protocol import ChoiceOut, StateOut, changes_of, encode, pieces_of, state_after

WORDS = st.sampled_from(["oak", "elm", "a", "", "<g", "</g>", "the long and winding road"])
TEXTS = st.lists(WORDS, max_size=30).map(" ".join)
CHOICES = st.lists(
    st.builds(ChoiceOut, WORDS, WORDS, st.tuples(WORDS), st.integers(0, 2)), max_size=6
).map(tuple)
STATES = st.builds(
    StateOut,
    ply=st.integers(0, 9),
    seat=st.none() | st.integers(0, 2),
    turn=st.tuples(st.integers(0, 2)),
    choices=CHOICES,
    text=TEXTS,
    svg=TEXTS,
    view=st.none() | st.dictionaries(WORDS, st.integers()),
)


@pytest.mark.parametrize(
    ("before", "now", "said"),
    [
        ("a b c d", "a b c d", ((0, 4),)),
        ("a b c d", "a x c d", ((0, 1), "x", (2, 4))),
        ("a b b c", "b b b", ((1, 3), (1, 2))),
        ("", "a", ("a",)),
        ("a", "", ("",)),
        ("a b", "b a", ((1, 2), (0, 1))),
    ],
)
def test_pieces_of_a_text(before: str, now: str, said: tuple[Any, ...]) -> None:
    assert pieces_of(before.split(" "), now.split(" ")) == said


@pytest.mark.slow
@given(STATES, STATES)
def test_a_state_and_changes_make_the_next_state(last: StateOut, now: StateOut) -> None:
    before, changes = json.loads(encode(last)), json.loads(encode(changes_of(last, now)))
    assert state_after(before, changes) == json.loads(encode(now))


def test_changes_name_no_field_that_stays() -> None:
    last = StateOut(1, 0, (0,), text="one two", commands=("attack", "end"))
    now = StateOut(2, 0, (0,), text="one three", commands=("attack", "end"))
    changes = changes_of(last, now)
    assert (changes.fields, list(changes.pieces)) == ({"ply": 2}, ["text"])
