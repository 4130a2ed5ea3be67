"""Typical mistakes in the first minutes with the library are refused with a hint, or work."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import sorcery
from lcr import GAME, Lcr
from sorcery import GAME as SORCERY
from tabletop import IllegalAction, Match, Random
from tabletop.registry import load


@pytest.mark.parametrize(
    ("given", "meant"),
    [
        ("sorcery", "'sorcery' is not a game (pass load('sorcery').game"),
        (sorcery, "pass sorcery.GAME"),
        (Lcr, "pass Lcr()"),
        (load("lcr"), "pass its attribute .game"),
        (None, "None is not a game (pass an instance of a subclass of Game"),
    ],
)
def test_a_value_that_is_not_a_game_is_refused_with_a_suggestion(given: Any, meant: str) -> None:
    with pytest.raises(TypeError) as caught:
        Match(given)
    assert meant in str(caught.value)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda match: match.observe(None), "must be a function of one event, not None"),
        (
            lambda match: match.observe(print, "ActionPlayed"),
            ", not 'ActionPlayed'",
        ),
        (
            lambda match: match.observe(print, seat="Ann"),
            "a seat, None or ALL, not 'Ann'",
        ),
        (lambda match: match.observe(print, seat=7), "seat 8"),
        (
            lambda match: match.set_player(0, "random"),
            "'random' is not a player (pass load(",
        ),
        (lambda match: match.set_player(0, Random), "is not a player (pass an instance, Random"),
        (lambda match: match.view(99), "seat 100"),
    ],
)
def test_invalid_calls_are_refused_and_the_match_continues(
    call: Callable[[Any], object], message: str
) -> None:
    match: Any = Match(GAME, seats=3, seed="old oak")
    with pytest.raises((TypeError, ValueError)) as caught:
        call(match)
    assert message in str(caught.value)
    match.play(match.legal_actions()[0])
    assert match.ply == 1


def test_playing_words_suggests_to_parse_them() -> None:
    match: Any = Match(SORCERY, seed="old oak")
    with pytest.raises(
        IllegalAction, match=r"to play words, write match\.play\(match\.parse\('end'\)\)"
    ):
        match.play("end")
    match.play(match.parse("end"))


def test_a_match_a_game_and_a_stream_have_a_readable_repr() -> None:
    match: Any = Match(GAME, seats=["Ada", "Bo", "Cy"], seed="old oak")
    match.play(match.legal_actions()[0])
    assert repr(match) == "<Match of lcr, seed 'old oak', ply 1, Bo to act>"
    assert repr(GAME) == "<Lcr, the game 'lcr'>"
    assert repr(match.bot_stream(0)) == "<HashStream, 0 words drawn>"
