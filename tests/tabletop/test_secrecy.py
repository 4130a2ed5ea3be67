"""What is said of an action to those who look on."""

from __future__ import annotations

from typing import Any

import pytest
from typing_extensions import override

from tabletop import ActionPlayed, Event, Match
from tabletop.secrecy import say_action
from tabletop.text import TextView
from tests.tabletop.games import cards, race, rps


def said(match: Match[Any, Any], event: ActionPlayed, watcher: int | None) -> str:
    return say_action(TextView[Any](), match, event, watcher)


def shown(*hands: str) -> tuple[Match[Any, Any], list[ActionPlayed]]:
    """A match of rock, paper, scissors in which these were shown, and what was told of it."""
    match = Match(rps.GAME, seed=1, seats=["Ann", "Bo"])
    told: list[ActionPlayed] = []
    match.observe(told.append, ActionPlayed)
    for seat, hand in enumerate(hands):
        match.play(rps.Show(seat, hand))
    return match, told


@pytest.mark.parametrize(
    ("watcher", "words"), [(None, "Ann has chosen."), (1, "Ann has chosen."), (0, "Ann: rock")]
)
def test_a_choice_that_others_cannot_see_is_told_to_whom_it_belongs(
    watcher: int | None, words: str
) -> None:
    match, told = shown("rock")
    assert said(match, told[0], watcher) == words


def test_the_choice_that_reveals_all_others_is_no_secret() -> None:
    match, told = shown("rock", "paper")
    assert [said(match, told[1], watcher) for watcher in (None, 0, 1)] == ["Bo: paper"] * 3


def test_a_choice_stays_secret_however_late_it_is_told_of() -> None:
    match, told = shown("rock", "paper")
    assert said(match, told[0], None) == "Ann has chosen."


def test_a_card_on_the_table_is_no_secret_though_hands_are() -> None:
    match = Match(cards.GAME, seed=1, seats=["Ann", "Bo"])
    action = match.legal_actions()[0]
    match.play(action)
    assert said(match, ActionPlayed(1, 0, action), 1) == f"Ann: {action}"


def test_where_nothing_is_hidden_nothing_is_secret() -> None:
    match = Match(race.GAME, seed=1, seats=["Ann", "Bo"])
    (seat,) = match.to_act
    match.play("walk")
    assert said(match, ActionPlayed(1, seat, "walk"), 1 - seat) == f"{match.names[seat]}: walk"


def test_a_game_with_words_of_its_own_knows_what_it_says() -> None:
    class Loud(TextView[Any]):
        @override
        def event(self, event: Event, names: Any) -> str:
            return "Rock, and loudly!"

    match, told = shown("rock")
    assert say_action(Loud(), match, told[0]) == "Rock, and loudly!"


def test_finding_out_changes_nothing() -> None:
    match, told = shown("rock")
    before = match.digest(), match.actions, len(told)
    said(match, told[0], None)
    assert (match.digest(), match.actions, len(told)) == before
