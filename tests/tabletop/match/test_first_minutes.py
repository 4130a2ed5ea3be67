"""Typical mistakes in the first minutes with the library are refused with a hint, or work."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from tests.tabletop.told import tells

import sorcery
from lcr import GAME, Lcr
from sorcery import GAME as SORCERY
from tabletop import IllegalAction, Match, Random
from tabletop.registry import load


@pytest.mark.parametrize(
    ("given", "meant"),
    [
        ("sorcery", "'sorcery' ... load('sorcery').game"),
        (sorcery, " sorcery.GAME"),
        (Lcr, " Lcr()"),
        (load("lcr"), " .game"),
        (None, "None ... subclass of Game"),
    ],
)
def test_a_value_that_is_not_a_game_is_refused_with_a_suggestion(given: Any, meant: str) -> None:
    with pytest.raises(TypeError) as caught:
        Match(given)
    assert tells(str(caught.value), meant)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda match: match.observe(None), "function ... None"),
        (
            lambda match: match.observe(print, "ActionPlayed"),
            ", not 'ActionPlayed'",
        ),
        (
            lambda match: match.observe(print, seat="Ann"),
            "ALL, not 'Ann'",
        ),
        (lambda match: match.observe(print, seat=7), "seat 8"),
        (
            lambda match: match.set_player(0, "random"),
            "'random' ... load(",
        ),
        (lambda match: match.set_player(0, Random), "instance, Random"),
        (lambda match: match.view(99), "seat 100"),
    ],
)
def test_invalid_calls_are_refused_and_the_match_continues(
    call: Callable[[Any], object], message: str
) -> None:
    match: Any = Match(GAME, seats=3, seed="old oak")
    with pytest.raises((TypeError, ValueError)) as caught:
        call(match)
    assert tells(str(caught.value), message)
    match.play(match.legal_actions()[0])
    assert match.ply == 1


def test_playing_words_suggests_to_parse_them() -> None:
    match: Any = Match(SORCERY, seed="old oak")
    with pytest.raises(IllegalAction, match=r"match\.play\(match\.parse\('end'\)\)"):
        match.play("end")
    match.play(match.parse("end"))


def test_a_match_a_game_and_a_stream_have_a_readable_repr() -> None:
    match: Any = Match(GAME, seats=["Ada", "Bo", "Cy"], seed="old oak")
    match.play(match.legal_actions()[0])
    assert repr(match) == "<Match of lcr, seed 'old oak', ply 1, Bo to act>"
    assert repr(GAME) == "<Lcr, the game 'lcr'>"
    assert repr(match.bot_stream(0)) == "<HashStream, 0 words drawn>"
