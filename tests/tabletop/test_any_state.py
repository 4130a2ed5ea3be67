"""Whatever a state is declared to hold: its copy is equal, of the same bytes, and independent."""

from __future__ import annotations

import pickle
from collections import Counter, deque
from dataclasses import dataclass
from enum import Enum
from types import GenericAlias
from typing import Any, NamedTuple, TypeAlias

from hypothesis import given
from hypothesis import strategies as st

from tabletop import State, state
from tabletop.codec import difference, to_json
from tabletop.testing.probe import shared_part

Kind: TypeAlias = tuple[Any, st.SearchStrategy[Any]]
"""An annotation, and the values that fit it."""


class Suit(Enum):
    HEARTS = "hearts"
    SPADES = "spades"


@dataclass(frozen=True)
class Card:
    suit: Suit
    rank: int


class Spot(NamedTuple):
    x: int
    marks: list[int]


@state
class Pile(State):
    cards: list[Card]


NUMBERS = st.integers(0, 9)
CARDS = st.builds(Card, st.sampled_from(Suit), NUMBERS)
FIXED: list[Kind] = [
    (int, NUMBERS),
    (str, st.text("abc", max_size=3)),
    (Suit, st.sampled_from(Suit)),
    (Card, CARDS),
    (frozenset[int], st.frozensets(NUMBERS, max_size=3)),
]
OTHERS: list[Kind] = [
    (Pile, st.builds(Pile, st.lists(CARDS, max_size=3))),
    (Spot, st.builds(Spot, NUMBERS, st.lists(NUMBERS, max_size=3))),
    (Counter[Suit], st.builds(Counter, st.lists(st.sampled_from(Suit), max_size=3))),
    (set[Card], st.sets(CARDS, max_size=3)),
]


@st.composite
def kinds(draw: st.DrawFn, depth: int = 3) -> Kind:
    """An annotation of plain data, and its values."""
    if depth == 0 or draw(st.booleans()):
        return draw(st.sampled_from(FIXED + OTHERS))
    hint, values = draw(kinds(depth - 1))
    key, keys = draw(st.sampled_from(FIXED))
    several = st.lists(values, max_size=3)
    choices: list[Kind] = [
        (GenericAlias(list, hint), several),
        (GenericAlias(deque, hint), st.builds(deque, several)),
        (GenericAlias(tuple, (hint, ...)), st.builds(tuple, several)),
        (GenericAlias(tuple, (hint, key)), st.tuples(values, keys)),
        (GenericAlias(dict, (key, hint)), st.dictionaries(keys, values, max_size=3)),
        (hint | None, values | st.none()),
    ]
    return draw(st.sampled_from(choices))


@st.composite
def states(draw: st.DrawFn) -> Any:
    fields = draw(st.lists(kinds(), min_size=1, max_size=4))
    names = [f"field{number}" for number in range(len(fields))]
    hints = {name: hint for name, (hint, _) in zip(names, fields, strict=True)}
    space = {"__annotations__": hints, "__module__": __name__}
    # Pickles find a class under its name.
    kind: Any = state(type("Drawn", (State,), space))
    globals()["Drawn"] = kind
    return kind(*[draw(values) for _, values in fields])


@given(states())
def test_a_copy_is_equal_of_the_same_bytes_and_shares_nothing_that_can_change(table: Any) -> None:
    twin = table.clone()
    assert twin == table
    assert difference(table, twin, "it") is None
    assert to_json(twin) == to_json(table)
    assert pickle.loads(pickle.dumps(twin)) == table
    assert shared_part(table, twin) is None
