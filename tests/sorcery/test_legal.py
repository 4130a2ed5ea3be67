"""What is listed is what is allowed, and what is refused says why (ruling 1: and changes nothing).

The messages of single cards stand with the cards.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import pytest
from hypothesis import given, settings
from tests.sorcery.own import matches
from tests.sorcery.scenes import BOTH, Scene

from sorcery import Edition, SorceryState
from sorcery.actions import (
    RITUAL,
    Action,
    Attack,
    Discard,
    DrawCard,
    EndTurn,
    Play,
    QuitGame,
    Use,
)
from tabletop import IllegalAction, Match

PLACES = range(6)
PLAYERS = (None, -1, 0, 1, 2)
TARGETS = (None, RITUAL - 1, RITUAL, *PLACES)


def every_action() -> Iterator[Action]:
    """Every value that an action can have, and some that it cannot."""
    yield EndTurn()
    yield DrawCard()
    yield from map(Discard, (-1, *PLACES))
    yield from (Attack(*places) for places in product((-1, *PLACES), (None, -1, *PLACES)))
    yield from (Play(*parts) for parts in product((-1, *PLACES), PLAYERS, TARGETS))
    for place, which, player, target in product((-1, *PLACES), (-1, 0, 1, 2), PLAYERS, TARGETS):
        yield Use((place, which), player, target)


EVERY_ACTION = tuple(every_action())


@settings(max_examples=25)
@given(matches())
def test_what_is_listed_is_just_what_is_allowed(match: Match[SorceryState, Action]) -> None:
    for _ in range(8):
        match.run(4)
        if match.over:
            break
        listed = list(match.legal_actions())
        allowed = {action for action in EVERY_ACTION if is_allowed(match, action)}
        assert allowed == set(listed)
        assert len(allowed) == len(listed)


def is_allowed(match: Match[SorceryState, Action], action: Action) -> bool:
    try:
        match.check(action)
    except IllegalAction:
        return False
    return True


@BOTH
def test_one_may_always_quit_which_is_not_listed(edition: Edition) -> None:
    scene = Scene(edition)
    scene.game.check(scene.state, QuitGame())
    assert QuitGame() not in scene.game.legal_actions(scene.state, 0)


@BOTH
def test_a_turn_can_be_ended_at_any_time(edition: Edition) -> None:
    scene = Scene(edition)
    assert scene.game.legal_actions(scene.state, 0) == [EndTurn()]


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


def test_actions_are_made_once_and_shared() -> None:
    scene = Scene().board(1, "Air Elemental").hand(1, "Air Elemental", "Silence")
    first, second = (scene.game.legal_actions(scene.state, 0) for _ in range(2))
    assert all(one is other for one, other in zip(first, second, strict=True))
