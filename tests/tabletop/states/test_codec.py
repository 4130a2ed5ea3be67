"""States as JSON: stable bytes, decoding, and errors that name the wrong part."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from hashlib import blake2b
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabletop import ContractError
from tabletop.states import digest, from_json, key, to_json
from tabletop.states.codec import to_builtins


class Suit(Enum):
    HEARTS = "hearts"
    SPADES = "spades"


@dataclass(slots=True)
class Card:
    suit: Suit
    rank: int


@dataclass(slots=True)
class Hand:
    owner: str
    cards: list[Card] = field(default_factory=list)
    seen: set[str] = field(default_factory=set)
    notes: dict[str, int] = field(default_factory=dict)
    discard: tuple[Card, ...] = ()
    called: int | None = None


@dataclass(slots=True)
class Sketch:
    point: complex


CARDS = st.builds(Card, st.sampled_from(Suit), st.integers(-(2**63), 2**64 - 1))
TEXTS = st.text(max_size=5)
HANDS = st.builds(
    Hand,
    TEXTS,
    st.lists(CARDS, max_size=3),
    st.sets(TEXTS, max_size=4),
    st.dictionaries(TEXTS, st.integers(-9, 9), max_size=4),
    st.lists(CARDS, max_size=2).map(tuple),
    st.none() | st.integers(0, 9),
)


@pytest.mark.slow
@given(HANDS, HANDS)
def test_states_have_equal_digests_and_keys_exactly_if_they_are_equal(
    one: Hand, other: Hand
) -> None:
    equal = one == other
    assert (digest(one, {}) == digest(other, {})) == equal
    assert (key(one) == key(other)) == equal
    assert (to_json(one) == to_json(other)) == equal


def test_equal_states_with_different_json_have_different_digests_and_keys() -> None:
    values: list[Any] = [True, 1, 1.0]
    assert len({key(Card(Suit.HEARTS, value)) for value in values}) == 3
    states = [Card(Suit.HEARTS, value) for value in values]
    digests = {digest(card, streams) for card in states for streams in ({}, {"dice": 3})}
    assert len(digests) == 6
    data = b"[" + to_json(states[0]) + b',{"dice":3}]'
    expected = blake2b(data, digest_size=16, person=b"tt.digest").hexdigest()
    assert digest(states[0], {"dice": 3}) == expected


def test_without_an_order_keys_keep_their_order() -> None:
    assert to_json({"b": 1, "a": 2}, order=None) == b'{"b":1,"a":2}'
    assert to_json({"b": 1, "a": 2}) == b'{"a":2,"b":1}'


def test_to_builtins_returns_dictionaries_lists_texts_and_numbers() -> None:
    hand = Hand("Ann", [Card(Suit.SPADES, 3)], {"b", "a"}, {"x": 1}, called=2)
    assert to_builtins(hand) == {
        "owner": "Ann",
        "cards": [{"suit": "spades", "rank": 3}],
        "seen": ["a", "b"],
        "notes": {"x": 1},
        "discard": [],
        "called": 2,
    }


def endless() -> list[Any]:
    items: list[Any] = []
    items.append(items)
    return items


@pytest.mark.parametrize(
    "value",
    [object(), 1j, len, {1: 2}, {(1, 2): 3}, "\ud800", endless(), Sketch(1j)],
    ids=lambda value: type(value).__name__,
)
def test_values_that_json_cannot_represent_are_refused(value: Any) -> None:
    kind = type(value).__name__
    with pytest.raises(ContractError, match=f"^{kind} .*plain data"):
        to_json(value)
    with pytest.raises(ContractError):
        to_builtins(value)
    with pytest.raises(ContractError):
        digest(value, {})


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b'{"owner":"Ann","cards":[{"suit":"spades","rank":"x"}]}', r"\$\.cards\[0\]\.rank"),
        (b'{"owner":"Ann","cards":[{"suit":"clubs","rank":1}]}', r"clubs.*\$\.cards\[0\]\.suit"),
        (b'{"cards":[]}', "`owner`"),
        (b'{"owner":1}', r"Expected `str`, got `int` - at `\$\.owner`"),
        (b'{"owner":', "truncated"),
        (b"\xff", "malformed"),
        (b"", "truncated"),
        (b"[" * 100_000, "."),
    ],
)
def test_invalid_json_is_refused_and_the_error_names_the_part(data: bytes, message: str) -> None:
    with pytest.raises(ContractError, match=rf"\bHand: .*{message}"):
        from_json(data, Hand)


@dataclass
class Nest:
    parts: list[Any]


@pytest.mark.slow
def test_a_value_that_is_nested_too_deeply_is_refused() -> None:
    deep: list[Any] = []
    for _ in range(200_000):  # since Python 3.14, the limit depends on the stack, mostly 8 MB
        deep = [deep]
    with pytest.raises(ContractError, match=r"\bNest .*\bnested\b"):
        digest(Nest(deep), {})
