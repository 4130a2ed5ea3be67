"""What is refused says why, and changes nothing (ruling 1); cards have their own messages."""

from __future__ import annotations

import pytest
from tests.sorcery.scenes import BOTH, Scene

from sorcery import Edition
from sorcery.actions import (
    Play,
)
from tabletop import IllegalAction


@BOTH
@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("play 3", "There is no card 3: you have only 2 cards."),
        ("play 2", "Your board is full."),
        ("play 1 1 1", "Blizzard takes no target."),
        ("attack 1 2", "There is no minion 2: your opponent has only 1 minion."),
        ("use 1", "Potion Seller has no activated ability."),
        ("use 1 1 1", "Potion Seller has no activated ability."),
    ],
)
def test_what_cannot_be_done_says_why(edition: Edition, line: str, reason: str) -> None:
    scene = Scene(edition).board(1, *["Potion Seller"] * 5).board(2, "Potion Seller")
    assert scene.hand(1, "Blizzard", "Air Elemental").refusal(line) == reason


@BOTH
@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("play 1", "You have no cards."),
        ("attack 1", "You have no minions."),
        ("use 2", "You have no minions."),
    ],
)
def test_what_is_not_there_cannot_be_used(edition: Edition, line: str, reason: str) -> None:
    assert Scene(edition).refusal(line) == reason


@BOTH
def test_an_attack_needs_a_target_that_is_there(edition: Edition) -> None:
    scene = Scene(edition).board(1, "Air Elemental")
    assert scene.refusal("attack 1 1") == "Your opponent has no minions."


def test_a_target_is_a_player_and_a_card() -> None:
    scene = Scene().hand(1, "Banish").board(1, "Air Elemental")
    for half in (Play(0, 0, None), Play(0, None, 0), Play(0, 2, 0)):
        with pytest.raises(IllegalAction, match="A target is a card of player 1 or of player 2"):
            scene.game.check(scene.state, half)
