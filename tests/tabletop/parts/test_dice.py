"""Dice notation and rolls."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabletop import Streams
from tabletop.parts.dice import Dice, dice
from tabletop.states import from_json, to_json
from tabletop.testing import ScriptedStream

DICE = st.builds(Dice, st.integers(1, 40), st.integers(1, 100), st.integers(-50, 50))


@given(DICE)
def test_the_text_of_dice_parses_to_the_dice(thrown: Dice) -> None:
    assert dice(str(thrown)) == thrown
    assert dice(f" {str(thrown).upper()} ") == thrown
    assert from_json(to_json(thrown), Dice) == thrown


def test_one_die_needs_no_count() -> None:
    assert dice("d20") == Dice(1, 20)


@given(DICE, st.integers())
def test_a_roll_is_between_the_lowest_and_the_highest(thrown: Dice, seed: int) -> None:
    streams = Streams(seed)
    assert thrown.lowest <= thrown.roll(streams["dice"]) <= thrown.highest
    faces = thrown.faces(streams["faces"])
    assert len(faces) == thrown.count
    assert all(1 <= face <= thrown.sides for face in faces)


@given(DICE, st.integers())
def test_the_faces_and_the_sum_are_the_same_roll(thrown: Dice, seed: int) -> None:
    total = thrown.roll(Streams(seed)["dice"])
    assert sum(thrown.faces(Streams(seed)["dice"])) + thrown.plus == total


def test_the_constant_is_added_once() -> None:
    assert dice("2d6+1").roll(ScriptedStream([5, 5])) == 13


@pytest.mark.parametrize(
    "text", ["", "6", "2d", "d", "2d6+", "2x6", "d6d6", "-1d6", "²d6", "1.5d6"]
)
def test_text_that_is_not_dice_notation_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="notation"):
        dice(text)


@pytest.mark.parametrize("text", ["0d6", "1001d6", "2d0", "d1000001"])
def test_dice_out_of_range_are_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"\b1 to 1000\b.*\b1 to 1000000\b"):
        dice(text)
