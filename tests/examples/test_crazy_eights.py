"""The rules of `examples/crazy_eights.py`: what follows, eights, drawing, the end."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tabletop import IllegalAction, Match
from tabletop.host import load_file
from tabletop.match import AnyMatch
from tabletop.parts.cards import BACK, CardsDrawn, Suit, card

eights: Any = load_file(Path(__file__).parents[2] / "examples" / "crazy_eights.py")


def dealt(top: str, *hands: str, deck: str = "2c 3c") -> AnyMatch:
    """A match in which these hands are held; what is dealt first lies last in the deck."""
    match = Match(eights.GAME, seed=1, seats=len(hands))
    state = match.state
    state.hands = [[card(it) for it in hand.split()] for hand in hands]
    state.deck = [card(it) for it in deck.split()]
    state.laid = [card(it) for it in top.split()]
    state.suit = state.laid[-1].suit
    return match


def test_a_card_follows_the_suit_or_the_rank_and_an_eight_follows_everything() -> None:
    match = dealt("9h", "2h 9s 4c 8d", "kd")
    assert match.legal_actions() == [
        "2h",
        "9s",
        *(f"8d {suit}" for suit in ("clubs", "diamonds", "hearts", "spades")),
        "draw",
    ]
    with pytest.raises(IllegalAction, match=r"\b4c .*\bsuit\b.*\brank\b"):
        match.play("4c")


def test_an_eight_names_the_suit_that_comes_next() -> None:
    match = dealt("9h", "8d 2h", "kd 3s")
    match.play("8d spades")
    assert match.state.suit == Suit.SPADES
    assert match.legal_actions() == ["3s", "draw"]


def test_who_has_drawn_lays_down_or_passes() -> None:
    match = dealt("9h", "4c", "kd", deck="2c 3h")
    match.play("draw")
    assert match.legal_actions() == ["3h", "pass"]
    match.play("pass")
    assert match.to_act == (1,)


def test_a_card_drawn_is_told_to_its_owner_alone() -> None:
    match = dealt("9h", "4c", "kd", deck="2c 3h")
    told: dict[int, list[Any]] = {0: [], 1: []}
    for seat, heard in told.items():
        match.observe(heard.append, CardsDrawn, seat=seat)
    match.play("draw")
    assert [told[seat][0].cards for seat in told] == [(card("3h"),), (BACK,)]


def test_when_the_deck_is_used_up_all_but_the_topmost_card_are_the_deck_again() -> None:
    match = dealt("2c 3d 9h", "4c", "kd", deck="")
    match.play("draw")
    assert match.state.laid == [card("9h")]
    assert {*match.state.hands[0], *match.state.deck} == {card("4c"), card("2c"), card("3d")}


def test_who_has_no_card_left_wins_and_an_eight_in_hand_costs_fifty() -> None:
    match = dealt("9h", "2h", "8c kc as 7d")
    match.play("2h")
    assert match.outcome is not None
    assert match.outcome.winners == (0,)
    assert match.outcome.points == (0, 50 + 10 + 1 + 7)


def test_when_all_pass_because_nothing_is_left_the_fewest_points_win() -> None:
    match = dealt("9h", "kc", "2s", deck="")
    assert match.legal_actions() == ["pass"]
    match.play("pass")
    match.play("pass")
    assert match.outcome is not None
    assert match.outcome.winners == (1,)
