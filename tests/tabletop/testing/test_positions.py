"""Matches in given positions, and lines that are played in them."""

from __future__ import annotations

import pytest

from tabletop import CommandError
from tabletop.registry import load
from tabletop.testing import begin, play

LCR = load("lcr").game


def test_a_match_starts_with_other_values_of_some_fields() -> None:
    match = begin(LCR, seats=4, chips=[0, 3, 2, 1], seat=2)
    assert match.state.chips == [0, 3, 2, 1]
    assert match.to_act == (2,)


def test_begin_does_not_change_its_arguments() -> None:
    chips = [0, 3, 2]
    play(begin(LCR, seats=3, chips=chips, seat=1), "roll")
    assert chips == [0, 3, 2]


def test_an_unknown_field_is_named_with_a_suggestion() -> None:
    with pytest.raises(TypeError, match=r"'chip'.*'chips'\?"):
        begin(LCR, seats=3, chip=[1, 1, 1])


def test_lines_are_played_one_after_the_other() -> None:
    match = begin(LCR, seats=3, chips=[3, 3, 3])
    assert play(match, "roll", "2: roll") is match
    assert match.ply == 2


def test_a_line_that_is_not_understood_is_refused() -> None:
    with pytest.raises(CommandError):
        play(begin(LCR, seats=3), "1: fly")
