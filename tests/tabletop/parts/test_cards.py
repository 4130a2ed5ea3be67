"""Decks, cards and tricks."""

from __future__ import annotations

import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabletop.codec import from_json, to_json
from tabletop.parts.cards import (
    ACE,
    BACK,
    QUEEN,
    Card,
    Suit,
    card,
    deck_of,
    following,
    french_deck,
    trick_winner,
)

CARDS = st.sampled_from(french_deck())


def cards(text: str) -> list[Card]:
    return [card(word) for word in text.split()]


def test_a_french_deck_has_every_card_once_and_is_sorted() -> None:
    deck = french_deck()
    assert len(deck) == len(set(deck)) == 52
    assert deck == sorted(deck)
    assert len(french_deck(lowest=7)) == 32


@pytest.mark.parametrize("lowest", [-1, 0, 1, 15])
def test_a_deck_from_a_rank_that_there_is_not_is_refused(lowest: int) -> None:
    with pytest.raises(ValueError, match=f"there is no rank {lowest}: ranks are 2 to 14"):
        french_deck(lowest)


@given(CARDS)
def test_a_card_is_what_its_text_says(one: Card) -> None:
    assert card(str(one)) == one
    assert card(str(one).upper()) == one


@pytest.mark.parametrize(
    "text", ["", "q", "1s", "10s", "14h", "02h", "zs", "q?", "qss", "0c", "²c", "??"]
)
def test_what_names_no_card_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="is no card"):
        card(text)


def test_a_card_from_behind_is_none_of_the_deck() -> None:
    assert BACK not in french_deck()
    assert str(BACK) == "??"


@given(st.lists(CARDS))
def test_cards_are_plain_data(hand: list[Card]) -> None:
    assert from_json(to_json(hand), list[Card]) == hand
    assert pickle.loads(pickle.dumps(hand)) == hand


@given(st.dictionaries(st.text(), st.integers(0, 5)))
def test_a_deck_has_as_many_of_each_as_it_is_told(counts: dict[str, int]) -> None:
    deck = deck_of(counts)
    assert len(deck) == sum(counts.values())
    assert all(deck.count(thing) == count for thing, count in counts.items())


def test_a_negative_count_is_refused() -> None:
    with pytest.raises(ValueError, match="-1 of 'knight'"):
        deck_of({"knight": -1})


def test_suit_is_followed_where_it_can_be() -> None:
    hand = cards("2c 9h kh")
    assert following(hand, Suit.HEARTS) == cards("9h kh")
    assert following(hand, Suit.SPADES) == hand
    assert following(hand, None) == hand


@given(st.lists(CARDS, min_size=1, max_size=6, unique=True), st.sampled_from([None, *Suit]))
def test_a_trick_goes_to_the_highest_trump_or_else_to_the_highest_of_the_suit_led(
    trick: list[Card], trump: Suit | None
) -> None:
    trumps = [one for one in trick if one.suit == trump]
    wins = max(trumps or [one for one in trick if one.suit == trick[0].suit])
    assert trick[trick_winner(trick, trump)] == wins


def test_of_two_equal_cards_the_first_wins() -> None:
    assert trick_winner(cards("ah 2h ah")) == 0


def test_an_empty_trick_has_no_winner() -> None:
    with pytest.raises(ValueError, match="without cards"):
        trick_winner([])


def test_ranks_have_letters() -> None:
    assert [str(Card(Suit.SPADES, rank)) for rank in (2, 10, QUEEN, ACE)] == [
        "2s",
        "ts",
        "qs",
        "as",
    ]
