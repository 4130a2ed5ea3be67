"""Known cards: views show them, and redeals leave them in their piles."""

from __future__ import annotations

from typing import Any

import pytest
from tests.tabletop.rules.secret_views import redealt, seen

from tabletop import (
    NOBODY,
    OWNER,
    ContractError,
    Known,
    Seat,
    State,
    secret,
    state,
)
from tabletop.rules.secrets import Shown
from tabletop.states import from_json, to_json


@state
class Court(State):
    deck: list[int] = secret(to=NOBODY, back=0, known="peeked")
    hands: list[list[int]] = secret(to=OWNER, back=0, known="known")
    roles: list[str] = secret(to=OWNER, back="?", known="unmasked")
    peeked: Known[int]
    known: Known[int]
    unmasked: Known[str]


def court() -> Court:
    return Court(
        [1, 2, 3, 4],
        [[5, 6], [7, 8, 9], [10]],
        ["king", "spy", "fool"],
        Known(),
        Known(),
        Known(),
    )


def test_a_known_card_is_before_the_backs_in_a_view() -> None:
    whole = court()
    whole.known.show(0, 9, 1)
    assert seen(whole, 0).hands == [[5, 6], [9, 0, 0], [0]]
    assert seen(whole, 2).hands == [[0, 0], [0, 0, 0], [10]]


def test_a_redeal_leaves_a_known_card_in_its_pile() -> None:
    whole = court()
    whole.known.show(0, 9, 1)
    others = [redealt(whole, 0, f"{it}") for it in range(20)]
    assert all(other.hands[1][0] == 9 for other in others)
    assert len({tuple(other.hands[1]) for other in others}) > 5
    whole.hands[1].reverse()
    assert [redealt(whole, 0, f"{it}") for it in range(20)] == others


def test_a_card_shown_at_an_index_stays_at_the_index() -> None:
    whole = court()
    for _ in range(2):
        whole.peeked.show(1, 4, at=3)
    assert whole.peeked.cards(1) == [4], "a card at an index is counted once"
    assert seen(whole, 1).deck == [0, 0, 0, 4]
    assert all(redealt(whole, 1, f"{it}").deck[3] == 4 for it in range(20))
    assert seen(whole, 0).deck == [0, 0, 0, 0]


def test_a_single_card_of_an_owner_can_be_known() -> None:
    whole = court()
    whole.unmasked.show(0, "spy", 1)
    assert seen(whole, 0).roles == ["king", "spy", "?"]
    assert redealt(whole, 0).roles == ["king", "spy", "fool"]


def test_a_view_does_not_show_the_cards_known_to_others() -> None:
    whole = court()
    whole.known.show(0, 9, 1)
    assert [seen(whole, seat).known.shown for seat in (0, 1, None)] == [
        [Shown(0, 9, 1)],
        [],
        [],
    ]


def test_others_know_the_same_number_of_redealt_and_kept_cards() -> None:
    whole = court()
    whole.known.show(2, 6, 0)
    whole.known.show(2, 9, 1)
    whole.peeked.show(2, 1, at=0)
    for number in range(20):
        other = redealt(whole, 1, f"{number}")
        assert [it.card for it in other.known.shown] == [other.hands[0][0], 9]
        assert [it.card for it in other.peeked.shown] == [other.deck[0]]


def test_equal_cards_are_counted() -> None:
    whole = court()
    whole.hands[1] = [7, 8, 7]
    for _ in range(2):
        whole.known.show(0, 7, 1)
    assert whole.known.cards(0, 1) == [7, 7]
    assert seen(whole, 0).hands[1] == [7, 7, 0]
    assert all(redealt(whole, 0, f"{it}").hands[1][:2] == [7, 7] for it in range(10))
    whole.hands[1].remove(7)
    whole.known.forget(7, 1)
    assert seen(whole, 0).hands[1] == [7, 0]


def test_show_all_replaces_earlier_knowledge_of_the_pile() -> None:
    whole = court()
    whole.hands[1] = [7, 7, 8]
    whole.known.show(2, 7, 1)
    for _ in range(2):
        whole.known.show_all(0, whole.hands[1], 1)
    assert seen(whole, 0).hands[1] == [7, 7, 8]
    assert [whole.known.cards(seat, 1) for seat in (0, 1, 2)] == [[7, 7, 8], [], [7]]


def test_show_all_keeps_knowledge_of_other_piles() -> None:
    whole = court()
    whole.known.show(0, 10, 2)
    whole.known.show_all(0, whole.hands[1], 1)
    assert [whole.known.cards(0, owner) for owner in (1, 2)] == [[7, 8, 9], [10]]
    for other in (redealt(whole, 0, seed) for seed in "abc"):
        assert (other.known, other.hands[1:]) == (whole.known, whole.hands[1:])


def test_forget_removes_one_card_from_the_knowledge_of_every_seat() -> None:
    one = Shown(0, 9, 1)
    known: Known[int] = Known([one, Shown(2, 9, 1), one, Shown(0, 8, 1), Shown(0, 9, 2)])
    known.forget(9, 1)
    assert known.shown == [one, Shown(0, 8, 1), Shown(0, 9, 2)]
    known.forget_all(1)
    assert known.shown == [Shown(0, 9, 2)]


@pytest.mark.parametrize("act", [seen, redealt])
@pytest.mark.parametrize("place", [{}, {"at": 1}])
def test_a_known_card_that_is_not_in_the_pile_is_an_error(act: Any, place: dict[str, int]) -> None:
    whole = court()
    whole.known.show(0, 99, 1, **place)
    with pytest.raises(ContractError, match=r"card=99.*\[7, 8, 9\]: .*`forget`"):
        act(whole, 0)


@pytest.mark.parametrize("act", [seen, redealt])
def test_knowing_more_equal_cards_than_the_pile_has_is_an_error(act: Any) -> None:
    whole = court()
    for _ in range(2):
        whole.known.show(0, 9, 1)
    with pytest.raises(ContractError, match=r"card=9.*\[7, 8, 9\]"):
        act(whole, 0)


def test_known_is_plain_data() -> None:
    whole = court()
    whole.known.show(0, 9, 1)
    assert from_json(to_json(whole), Court) == whole
    assert whole.clone() == whole
    twin = whole.clone()
    twin.known.show(Seat(1), 5, 0)
    assert whole.known.shown == [Shown(0, 9, 1)]
