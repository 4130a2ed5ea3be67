"""Setups that were broken off are told by their look, and by nothing less (§3.7, §4.1)."""

from __future__ import annotations

import pytest
from tests.constructor.programs import save

from constructor import STANDARD
from constructor.saves import parse_save
from constructor.setups import broken_setup

NONE = "0 0 0 0 0 r h"


@pytest.mark.parametrize(
    "text",
    [
        save(),  # nothing is left to choose
        save(blue="0 0 0 0 0 r h 0 B", turn=1),
        save(blue="1 0 0 0 0 r h 0 B"),
        save(blue="0 0 0 0 0 r 0 h 0 B"),
        save(blue="0 0 0 0 0 r h 0 H"),
        save(red="0 0 0 0 0 r h 5 B"),  # Blue would have chosen before Red
        save(blue=NONE),
        save(blue="0 0 0 0 0 r h 0 B", red="0 0 0 0 0 r h 1 B 36 B"),  # too near
        save(blue="0 0 0 0 0 r h 0 B", rest="9\n"),  # the geese have moved
        save(blue="0 0 0 0 0 r h 0 B 20 B 40 B", red=NONE, orange=NONE, yellow=NONE),
    ],
)
def test_what_no_setup_leaves_behind_is_none(text: str) -> None:
    assert broken_setup(parse_save(text, STANDARD)) is None


def test_a_save_without_geese_can_be_one() -> None:
    state = parse_save(save(blue="0 0 0 0 0 r h 0 B", rest=""), STANDARD)
    assert broken_setup(state) == (0, 5, 17, 24, 51, 38, 36)
