"""The rules of `examples/upriver.py`: what rises, what is drawn, what a river is worth."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tabletop import IllegalAction, Match, Streams
from tabletop.host import load_file
from tabletop.match import AnyMatch
from tabletop.testing import check_picture

upriver: Any = load_file(Path(__file__).parents[2] / "examples" / "upriver.py")


def cards(text: str) -> list[Any]:
    return [upriver.CARDS[it] for it in text.split(", ") if it]


def held(mine: str, laid: str = "", bank: str = "") -> AnyMatch:
    """A match in which seat 0, who is to act, holds and has laid down these cards."""
    match = Match(upriver.GAME, seed=1)
    state = match.state
    state.hands[0], state.laid[0] = cards(mine), cards(laid)
    for card in cards(bank):
        state.banks[card.river].append(card)
    return match


EIGHT = "ash loan, ash 4, ash 5, ash 6, birch 2, birch 3, birch 4, birch 5"


def test_cards_at_a_river_rise_and_loans_come_first() -> None:
    match = held(EIGHT, laid="ash 5")
    lays = [it for it in match.legal_actions() if it.startswith("lay ash")]
    assert lays == ["lay ash 6"]
    match = held(EIGHT, laid="ash loan")
    lays = [it for it in match.legal_actions() if it.startswith("lay ash")]
    assert lays == ["lay ash loan", "lay ash 4", "lay ash 5", "lay ash 6"]


def test_a_card_is_laid_or_left_and_then_one_is_drawn() -> None:
    match = held(EIGHT, bank="elm 7")
    match.play("leave ash 4")
    assert match.to_act == (0,)
    assert match.legal_actions() == ["draw", "take elm"]
    with pytest.raises(IllegalAction):
        match.play("take ash")
    match.play("take elm")
    assert match.to_act == (1,)
    assert upriver.CARDS["elm 7"] in match.state.hands[0]


def test_what_is_taken_from_a_bank_is_seen_by_the_other_until_it_is_laid_down() -> None:
    match = held(EIGHT, bank="elm 7")
    match.play("leave ash 4")
    match.play("take elm")
    seven = upriver.CARDS["elm 7"]
    assert match.view(1).hands[0].count(seven) == 1
    assert match.view(1).hands[0].count(upriver.BACK) == 7
    rng = Streams("guess")["hands"]
    assert all(seven in upriver.GAME.redeal(match.state, 1, rng).hands[0] for _ in range(5))
    match.play(match.legal_actions()[0])
    match.play("draw")
    match.play("lay elm 7")
    assert seven not in match.view(1).hands[0]


def test_a_card_drawn_is_told_to_its_owner_alone() -> None:
    match = held(EIGHT)
    told: list[Any] = []
    match.observe(told.append, upriver.Drawn, seat=1)
    match.play("leave ash 4")
    match.play("draw")
    assert [event.card for event in told] == [upriver.BACK]


@pytest.mark.parametrize(
    ("miles", "points"),
    [
        ([], 0),
        ([10, 9, 8], 7),
        ([3], -17),
        ([0, 5, 6], -18),
        ([0, 0, 0, 7, 8, 9, 10], 56),
        ([2, 3, 4, 5, 6, 7, 8, 9], 24 + 20),
    ],
)
def test_a_river_costs_twenty_loans_multiply_and_eight_cards_bring_twenty(
    miles: list[int], points: int
) -> None:
    assert upriver.worth(miles) == points


def test_the_match_ends_with_the_last_card_of_the_deck() -> None:
    match = held(EIGHT, laid="ash 10, ash 9, ash 8")
    match.state.deck[:] = match.state.deck[:1]
    match.play("leave birch 2")
    match.play("draw")
    assert match.outcome is not None
    assert match.outcome.points == (7, 0)


def test_a_card_is_clicked_and_then_its_side_or_its_bank() -> None:
    match, picture = held(EIGHT), upriver.RiversPicture()
    paths = {it: picture.path(it, match.state, 0) for it in match.legal_actions()}
    assert paths["lay birch 2"] == ("birch 2", "side birch")
    assert paths["leave birch 2"] == ("birch 2", "bank birch")
    match.play("leave birch 2")
    assert picture.path("draw", match.state, 0) == ("deck",)
    assert picture.path("take ash", match.state, 0) == ("bank ash",)


@pytest.mark.slow
def test_the_picture_is_sound() -> None:
    assert check_picture(upriver.GAME, upriver.RiversPicture(), matches=1, plies=12) > 20
