"""What is listed is just what is allowed."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
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


@settings(max_examples=25)
@given(matches())
def test_the_text_of_a_legal_action_gives_the_very_object(
    match: Match[SorceryState, Action],
) -> None:
    for _ in range(8):
        match.run(4)
        for action in match.legal_actions():
            assert match.parse(str(action)) is action


@settings(max_examples=25)
@given(matches(), st.lists(st.sampled_from(EVERY_ACTION), max_size=30))
def test_every_refusal_has_a_reason_of_its_own(
    match: Match[SorceryState, Action], actions: list[Action]
) -> None:
    match.run(20)
    before = match.digest()
    for action in actions:
        if not match.over and not is_allowed(match, action):
            with pytest.raises(IllegalAction) as caught:
                match.play(action)
            assert str(caught.value) == match.game.why_not(match.state, action)
            assert str(caught.value)
    assert match.digest() == before


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


def test_actions_are_made_once_and_shared() -> None:
    scene = Scene().board(1, "Air Elemental").hand(1, "Air Elemental", "Silence")
    first, second = (scene.game.legal_actions(scene.state, 0) for _ in range(2))
    assert all(one is other for one, other in zip(first, second, strict=True))
