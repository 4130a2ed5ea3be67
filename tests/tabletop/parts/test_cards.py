"""Decks, tricks, piles, hands and rows of cards."""

from __future__ import annotations

import pickle
import re
from dataclasses import dataclass
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabletop import CommandError, Commands, Streams, Table
from tabletop.parts.cards import (
    ACE,
    BACK,
    QUEEN,
    Card,
    CardCommand,
    CardsDrawn,
    CardWord,
    DeckShuffled,
    Suit,
    Trick,
    among,
    card,
    deal,
    deck_of,
    draw,
    draw_for,
    fill,
    french_deck,
    left_in_words,
    misplaced,
    mix,
    narrowed,
    take,
)
from tabletop.states import from_json, to_json

CARDS = st.sampled_from(french_deck())


def cards(text: str) -> list[Card]:
    return [card(word) for word in text.split()]


def test_a_french_deck_has_every_card_once_and_is_sorted() -> None:
    deck = french_deck()
    assert len(deck) == len(set(deck)) == 52
    assert deck == sorted(deck)
    assert len(french_deck(lowest=7)) == 32


@pytest.mark.parametrize("lowest", [-1, 0, 1, 15])
def test_a_deck_from_an_unknown_rank_is_refused(lowest: int) -> None:
    with pytest.raises(ValueError, match=rf"\blowest\b.*\b2 to 14, not {lowest}$"):
        french_deck(lowest)


@given(CARDS)
def test_the_text_of_a_card_parses_to_the_card(one: Card) -> None:
    assert card(str(one)) == one
    assert card(str(one).upper()) == one


@pytest.mark.parametrize(
    "text", ["", "q", "1s", "11s", "0ts", "14h", "02h", "zs", "q?", "qss", "0c", "²c", "??"]
)
def test_text_that_is_not_a_card_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=rf"^{re.escape(repr(text))} "):
        card(text)


def test_a_ten_is_written_with_a_letter_and_read_with_a_number_as_well() -> None:
    assert card("10H") == card("th")
    assert str(card("10h")) == "th"


def test_the_back_is_not_a_card_of_the_deck() -> None:
    assert BACK not in french_deck()
    assert str(BACK) == "??"


@given(st.lists(CARDS))
def test_cards_are_plain_data(hand: list[Card]) -> None:
    assert from_json(to_json(hand), list[Card]) == hand
    assert pickle.loads(pickle.dumps(hand)) == hand


@given(st.dictionaries(st.text(), st.integers(0, 5)))
def test_a_deck_has_the_given_number_of_each_card(counts: dict[str, int]) -> None:
    deck = deck_of(counts)
    assert len(deck) == sum(counts.values())
    assert all(deck.count(thing) == count for thing, count in counts.items())


def test_a_negative_count_is_refused() -> None:
    with pytest.raises(ValueError, match=r"'knight'.*\b0, not -1$"):
        deck_of({"knight": -1})


def test_suit_is_followed_if_possible() -> None:
    hand, trick = cards("2c 9h kh"), Trick.led_by(0, seats=2)
    assert trick.following(hand) == hand
    lay(trick, "3h")
    assert trick.following(hand) == cards("9h kh")
    lay(trick, "9h 3s")
    assert trick.following(hand) == hand


@given(st.lists(CARDS, min_size=1, max_size=6, unique=True), st.sampled_from([None, *Suit]))
def test_a_trick_goes_to_the_highest_trump_or_else_to_the_highest_of_the_suit_led(
    played: list[Card], trump: Suit | None
) -> None:
    trick = Trick.led_by(0, len(played), trump)
    for one in played:
        winner = trick.lay(one)
    trumps = [one for one in played if one.suit == trump]
    wins = max(trumps or [one for one in played if one.suit == played[0].suit])
    assert winner == played.index(wins)


@given(st.lists(CARDS, min_size=1, max_size=4, unique=True), CARDS, st.sampled_from([None, *Suit]))
def test_a_card_beats_a_trick_if_it_would_then_be_the_card_to_beat(
    played: list[Card], new: Card, trump: Suit | None
) -> None:
    trick = Trick.led_by(1, len(played) + 2, trump)
    for one in played:
        trick.lay(one)
    seat, beats = trick.turn, trick.beats(new)
    best = trick.best_seat
    trick.lay(new)
    assert trick.best_seat == (seat if beats else best)


def test_every_card_beats_the_trick_if_the_next_player_leads() -> None:
    trick = Trick.led_by(0, seats=2)
    assert trick.beats(card("2c"))
    lay(trick, "ah kh")
    assert (trick.is_open, trick.best_seat, trick.beats(card("2c"))) == (False, None, True)


def test_ranks_have_letters() -> None:
    assert [str(Card(Suit.SPADES, rank)) for rank in (2, 10, QUEEN, ACE)] == [
        "2s",
        "ts",
        "qs",
        "as",
    ]


# Drawing, dealing and mixing.


@given(st.lists(st.integers()), st.integers(-2, 12))
def test_cards_are_drawn_from_the_end_and_no_more_than_there_are(
    pile: list[int], count: int
) -> None:
    left = pile.copy()
    drawn = draw(left, count)
    assert left + drawn[::-1] == pile
    assert len(drawn) == min(max(count, 0), len(pile))


def test_cards_are_dealt_one_at_a_time_in_turn() -> None:
    pile = [6, 5, 4, 3, 2, 1]
    assert deal(pile, 2, 2) == [[1, 3], [2, 4]]
    assert pile == [6, 5]


def test_a_pile_that_is_too_small_is_not_dealt() -> None:
    pile = [1, 2, 3]
    with pytest.raises(ValueError, match=r"\b4 cards .*\b3$"):
        deal(pile, 2, 2)
    assert pile == [1, 2, 3]


@given(st.lists(st.lists(st.integers())), st.integers())
def test_mixed_piles_keep_their_sizes_and_cards(piles: list[list[int]], seed: int) -> None:
    sizes = [len(pile) for pile in piles]
    things = sorted(thing for pile in piles for thing in pile)
    mix(Streams(seed)["mix"], piles)
    assert [len(pile) for pile in piles] == sizes
    assert sorted(thing for pile in piles for thing in pile) == things


# A row of open cards.


@given(st.lists(st.integers(), max_size=5), st.lists(st.integers()), st.integers(0, 6))
def test_a_row_is_filled_from_the_top_of_the_deck(
    row: list[int], deck: list[int], size: int
) -> None:
    before, cards = row.copy(), deck.copy()
    new = fill(row, deck, size)
    assert row == before + new
    assert deck + new[::-1] == cards
    assert len(row) == max(len(before), min(size, len(before) + len(cards)))


def test_a_taken_card_is_replaced_at_the_end_of_the_row() -> None:
    row, deck = ["oar", "net", "rope"], ["sail", "mast"]
    assert take(row, 1, deck) == "net"
    assert (row, deck) == (["oar", "rope", "mast"], ["sail"])


def test_a_row_is_shorter_once_the_deck_is_empty() -> None:
    row = ["oar", "net"]
    assert take(row, 1, []) == "net"
    assert row == ["oar"]


@pytest.mark.parametrize("place", [-1, 2])
def test_a_place_that_the_row_does_not_have_is_refused(place: int) -> None:
    row, deck = ["oar", "net"], ["sail"]
    with pytest.raises(IndexError, match=rf"\b{place + 1} .*\brow of 2\b"):
        take(row, place, deck)
    assert (row, deck) == (["oar", "net"], ["sail"])


# Tricks.


def lay(trick: Trick, text: str) -> list[int | None]:
    return [trick.lay(one) for one in cards(text)]


def test_seats_play_to_a_trick_in_turn_and_suit_is_that_of_the_first_card() -> None:
    trick = Trick.led_by(2, seats=4)
    assert (trick.turn, trick.led) == (2, None)
    assert lay(trick, "9h as") == [None, None]
    assert (trick.turn, trick.led, trick.winner) == (0, Suit.HEARTS, None)
    assert trick.cards == [None, None, *cards("9h as")]


def test_a_trick_stays_until_its_winner_leads_the_next_one() -> None:
    trick = Trick.led_by(2, seats=3)
    assert lay(trick, "9h as kh") == [None, None, 1]
    assert (trick.turn, trick.led, trick.played) == (1, None, cards("9h as kh"))
    assert lay(trick, "2c") == [None]
    assert (trick.leader, trick.cards) == (1, [None, card("2c"), None])


def test_a_trump_takes_a_trick() -> None:
    trick = Trick.led_by(0, seats=3, trump=Suit.SPADES)
    assert lay(trick, "9h 2s kh") == [None, None, 1]


def test_the_last_trick_stays_until_the_next_hand_is_led() -> None:
    trick = Trick.led_by(2, seats=3)
    lay(trick, "9h as kh")
    trick.begin(0)
    assert (trick.turn, trick.led, trick.winner) == (0, None, 1)
    assert trick.played == cards("9h as kh")
    lay(trick, "2c")
    assert (trick.leader, trick.turn, trick.played) == (0, 1, cards("2c"))


def test_a_seat_to_which_the_rules_give_the_trick_leads_next() -> None:
    trick = Trick.led_by(2, seats=3)
    lay(trick, "9h as kh")
    trick.next_leader = 0
    assert (trick.winner, trick.turn) == (0, 0)
    trick.begin(2)
    assert (trick.winner, trick.turn) == (0, 2)


def test_trumps_of_the_next_hand_do_not_change_who_took_the_last_trick() -> None:
    trick = Trick.led_by(0, seats=2, trump=Suit.HEARTS)
    lay(trick, "2h ks")
    trick.begin()
    trick.trump = Suit.SPADES
    assert trick.winner == 0


def test_the_turn_is_unknown_before_the_leader_is() -> None:
    for trick in (Trick.led_by(None, seats=2), Trick.led_by(0, seats=2)):
        trick.begin()
        with pytest.raises(ValueError, match=r"call trick\.begin"):
            trick.lay(card("2c"))
        trick.begin(1)
        assert trick.turn == 1


def test_an_incomplete_trick_is_removed_when_a_hand_begins() -> None:
    trick = Trick.led_by(0, seats=3)
    lay(trick, "9h as")
    trick.begin(1)
    assert (trick.turn, trick.played) == (1, [])


def test_a_seat_that_does_not_follow_suit_lacks_it_until_the_next_hand() -> None:
    trick = Trick.led_by(0, seats=3)
    lay(trick, "9h as kh 2c 3c 4d")
    assert trick.lacks == [set(), {Suit.HEARTS, Suit.CLUBS}, set()]
    trick.begin(0)
    assert trick.lacks == [set(), set(), set()]


@pytest.mark.parametrize(
    ("laid", "best"),
    [("", "??"), ("9h", "9h"), ("9h kh", "kh"), ("9h 2s kh", "2s"), ("9h 2s kh 4h", "??")],
)
def test_the_card_to_beat_is_the_best_of_the_trick_or_the_back(laid: str, best: str) -> None:
    trick = Trick.led_by(0, seats=4, trump=Suit.SPADES)
    lay(trick, laid)
    assert str(trick.best) == best


def test_a_copied_trick_is_independent() -> None:
    trick = Trick.led_by(0, seats=2)
    copy = trick.clone()
    lay(copy, "9h")
    assert trick.cards == [None, None]
    assert from_json(to_json(copy), Trick) == copy


# The places of all cards.


@given(st.data())
def test_a_missing_or_duplicated_card_is_named(data: st.DataObject) -> None:
    deck = data.draw(st.permutations(french_deck()))
    cut, lost = data.draw(st.integers(0, 51)), data.draw(st.integers(0, 51))
    hands, single = [deck[:cut], []], deck[cut]
    places = [hands, single, None, deck[cut + 1 :]]
    assert misplaced(french_deck(), *places) is None
    assert misplaced(french_deck(), *places, deck[lost]) == f"{deck[lost]} is duplicated"
    deck.remove(gone := deck[lost])
    assert misplaced(french_deck(), deck) == f"{gone} is missing"


def test_the_cards_of_a_trick_count_until_it_is_taken() -> None:
    deck, trick = cards("9h 2s"), Trick.led_by(0, seats=2)
    lay(trick, "9h")
    assert misplaced(deck, cards("2s"), trick) is None
    lay(trick, "2s")
    assert misplaced(deck, trick) == "2s is missing; 9h is missing"
    assert misplaced(deck, cards("9h 2s"), trick) is None


# Cards in command lines.


@dataclass(frozen=True)
class Play:
    card: Card
    times: int = 1


TABLE = Commands(CardCommand("play", Play, CardWord("card"), help="Play a card."))


@pytest.mark.parametrize("line", ["qs", "QS", "play qs", " Play  Qs "])
def test_a_card_is_played_with_or_without_the_command_word(line: str) -> None:
    assert TABLE.parse(line) == Play(card("qs"))


def test_a_ten_is_played_by_its_number() -> None:
    assert TABLE.parse("10h") == TABLE.parse("play 10h") == Play(card("th"))


def test_a_card_is_spelled_without_the_command_word() -> None:
    assert TABLE.spell(Play(card("th"))) == "th"


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("play", r"\bword 2, card\b.*\bqs or 10h\b.*\bplay CARD$"),
        ("play qx", r"\bword 2, 'qx'.*\bqs or 10h\b"),
        ("qs kh", r"\bword 2, 'kh'.*\btoo many\b.*\bplay CARD$"),
        ("qx", r"\bunknown command 'qx'; possible: play"),
    ],
)
def test_a_word_that_is_not_a_card_is_refused_with_an_example(line: str, message: str) -> None:
    with pytest.raises(CommandError, match=message):
        TABLE.parse(line)


def test_cards_are_completed_with_and_without_the_command_word() -> None:
    assert set(TABLE.complete("play q")) == {"qc", "qd", "qh", "qs"}
    assert set(TABLE.complete("q")) == {"qc", "qd", "qh", "qs"}
    assert TABLE.help() == "play CARD  Play a card."


# Drawing for a seat.


def watched() -> Table:
    table = Table(Streams("old oak"))
    table.watch(True)
    return table


def test_discarded_cards_are_shuffled_into_an_empty_pile() -> None:
    pile, discards, table = ["oar", "net"], ["cup", "rope", "sail", "tent"], watched()
    drawn = draw_for(1, pile, 4, table, discards=discards)
    assert drawn[:2] == ["net", "oar"]
    assert sorted(drawn[2:] + pile) == ["cup", "rope", "sail", "tent"]
    assert discards == []
    assert table.events == [DeckShuffled(1), CardsDrawn(1, tuple(drawn))]


def test_discarded_cards_stay_until_the_pile_is_too_small() -> None:
    pile, discards, table = ["oar", "net"], ["cup"], watched()
    assert draw_for(0, pile, 2, table, discards=discards) == ["net", "oar"]
    assert discards == ["cup"]
    assert table.events == [CardsDrawn(0, ("net", "oar"))]


@pytest.mark.parametrize(("pile", "count"), [([], 2), (["oar"], 0)])
def test_nothing_is_announced_if_no_card_is_drawn(pile: list[str], count: int) -> None:
    table = watched()
    assert draw_for(0, pile, count, table) == []
    assert table.events == []


# Hints about hidden cards.

HANDS = st.lists(CARDS, min_size=1, max_size=5)
HINTS = st.lists(st.frozensets(CARDS, max_size=30), max_size=4)


@given(HANDS, HINTS)
def test_hints_leave_exactly_the_identities_that_agree_with_all_of_them(
    hand: list[Card], hints: list[frozenset[Card]]
) -> None:
    could: list[tuple[Card, ...]] = [tuple(french_deck())] * len(hand)
    for hint in hints:
        could = narrowed(could, hand, hint)
    for held, left in zip(hand, could, strict=True):
        assert held in left
        agree = [it for it in french_deck() if all((it in h) == (held in h) for h in hints)]
        assert list(left) == agree


def test_hints_need_one_entry_per_card_of_the_hand() -> None:
    with pytest.raises(ValueError, match="argument 2 is longer"):
        narrowed([("oar", "net")] * 2, ["oar"], {"oar"})


def test_a_card_fits_a_place_that_could_hold_it() -> None:
    view = SimpleNamespace(could=[[("oar", "net")], [("rope",), ("oar",)]])
    fits = among("could")
    assert fits(view, 0, 1, 1, "oar")
    assert not fits(view, None, 1, 0, "oar")


def test_the_identities_left_are_described_part_by_part() -> None:
    deck = french_deck(12)
    hearts = cards("qh kh ah")
    assert left_in_words(hearts, deck, {Suit.HEARTS: "hearts"}) == "hearts"
    assert left_in_words(cards("qh qd"), deck, {QUEEN: "queen"}) == "hd queen"
    assert left_in_words(deck, deck) == ""
