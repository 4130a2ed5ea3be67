"""Tricks in games with other trumps and ranks than those of Whist."""

from __future__ import annotations

from collections.abc import Sequence
from types import SimpleNamespace

import pytest

from tabletop import state
from tabletop.parts.cards import (
    ACE,
    BACK,
    JACK,
    Card,
    Suit,
    Trick,
    card,
    may_hold,
    misplaced,
)
from tabletop.states import from_json, to_json

SAME_COLOUR = {
    Suit.CLUBS: Suit.SPADES,
    Suit.SPADES: Suit.CLUBS,
    Suit.HEARTS: Suit.DIAMONDS,
    Suit.DIAMONDS: Suit.HEARTS,
}


@state
class SkatTrick(Trick):
    """Jacks are trumps, and tens rank above kings, except in null."""

    null: bool = False

    def suit_of(self, card: Card) -> Suit | None:
        return self.trump if card.rank == JACK and not self.null else card.suit

    def strength(self, card: Card) -> float:
        if self.null:
            return card.rank
        if card.rank == JACK:
            return ACE + 1 + "dhsc".index(card.suit)
        return 13.5 if card.rank == 10 else card.rank


@state
class EuchreTrick(Trick):
    """The jack of the trump suit is the highest, followed by the other jack of its colour."""

    def is_left_bower(self, card: Card) -> bool:
        return self.trump is not None and card == (SAME_COLOUR[self.trump], JACK)

    def suit_of(self, card: Card) -> Suit | None:
        return self.trump if self.is_left_bower(card) else card.suit

    def strength(self, card: Card) -> float:
        is_right = card == (self.trump, JACK)
        return ACE + 2 if is_right else ACE + 1 if self.is_left_bower(card) else card.rank


def cards(words: str) -> list[Card]:
    return list(map(card, words.split()))


def texts(hand: Sequence[Card]) -> str:
    return " ".join(map(str, hand))


@pytest.mark.parametrize(
    ("trick", "played", "winner"),
    [
        (SkatTrick.led_by(0, 3, Suit.HEARTS), "ah jd th", 1),
        (SkatTrick.led_by(0, 3, Suit.HEARTS), "ks ts 7h", 2),
        (SkatTrick.led_by(0, 3), "ts ks as", 2),
        (SkatTrick.led_by(0, 3), "as jd jc", 2),
        (SkatTrick.led_by(0, 3), "jd as jh", 2),
        (EuchreTrick.led_by(0, 4, Suit.HEARTS), "ah jd jh 9h", 2),
        (EuchreTrick.led_by(0, 4, Suit.HEARTS), "ad jd kd 9d", 1),
        (Trick.led_by(0, 4, Suit.SPADES), "ah kh 2s 3h", 2),
        (Trick.led_by(0, 4), "9h ah ah kd", 1),
    ],
)
def test_the_winner_depends_on_the_suit_and_the_strength_of_the_cards(
    trick: Trick, played: str, winner: int
) -> None:
    trick = trick.clone()
    results = [trick.lay(it) for it in cards(played)]
    assert results[-1] == trick.winner == trick.turn == winner


@pytest.mark.parametrize(
    ("trick", "led", "hand", "may_play"),
    [
        (SkatTrick.led_by(0, 3, Suit.HEARTS), "ah", "jc 7s kh", "jc kh"),
        (SkatTrick.led_by(0, 3, Suit.HEARTS), "as", "js 7s kh", "7s"),
        (SkatTrick.led_by(0, 3), "jh", "jc 7h kh", "jc"),
        (SkatTrick.led_by(0, 3), "jh", "7h kh", "7h kh"),
        (EuchreTrick.led_by(0, 4, Suit.HEARTS), "9d", "jd ad 9h", "ad"),
        (EuchreTrick.led_by(0, 4, Suit.HEARTS), "9h", "jd ad", "jd"),
    ],
)
def test_players_follow_the_suit_to_which_a_card_belongs(
    trick: Trick, led: str, hand: str, may_play: str
) -> None:
    trick = trick.clone()
    trick.lay(card(led))
    assert texts(trick.following(cards(hand))) == may_play


def test_the_leader_may_play_every_card() -> None:
    assert texts(SkatTrick.led_by(0, 3).following(cards("jc 7s"))) == "jc 7s"


def test_a_hand_holds_no_trumps_after_its_owner_did_not_follow_trumps() -> None:
    trick = SkatTrick.led_by(0, 3)
    trick.lay(card("jh"))
    trick.lay(card("ah"))
    view = SimpleNamespace(trick=trick)
    assert not may_hold(view, 0, 1, 0, card("jc"))
    assert may_hold(view, 0, 1, 0, card("kh"))
    assert may_hold(view, 0, 2, 0, card("jc"))


def test_the_card_to_beat_is_the_strongest() -> None:
    trick = SkatTrick.led_by(0, 3)
    assert trick.best == BACK
    trick.lay(card("kd"))
    trick.lay(card("td"))
    assert str(trick.best) == "td"


def test_a_trick_with_its_own_ranks_survives_json_and_clone() -> None:
    trick = SkatTrick.led_by(0, 3)
    for it in cards("jh ah"):
        trick.lay(it)
    trick.lacks[1].add(Suit.CLUBS)
    assert from_json(to_json(trick), SkatTrick) == trick == trick.clone()


def test_a_trick_led_with_trumps_of_no_suit_is_open() -> None:
    trick = SkatTrick.led_by(0, 3)
    trick.lay(card("jh"))
    assert (trick.is_open, trick.led, str(trick.best), trick.best_seat) == (True, None, "jh", 0)
    assert misplaced(cards("jh"), trick) is None


def test_null_has_no_trumps_and_the_plain_order() -> None:
    trick = SkatTrick.led_by(0, 3)
    trick.null = True
    assert [trick.lay(it) for it in cards("td jd jc")] == [None, None, 1]
    assert texts(trick.sorted(cards("ad jd jc td"))) == "jc td jd ad"


@pytest.mark.parametrize(
    ("trick", "order"),
    [
        (SkatTrick.led_by(0, 3, Suit.HEARTS), "9d kd td 7s ah jd jc"),
        (SkatTrick.led_by(0, 3), "9d kd td ah 7s jd jc"),
        (EuchreTrick.led_by(0, 4, Suit.CLUBS), "9d td jd kd ah 7s jc"),
    ],
)
def test_a_hand_is_sorted_by_suit_and_strength_with_the_trumps_last(
    trick: Trick, order: str
) -> None:
    assert texts(trick.sorted(sorted(cards(order)))) == order
