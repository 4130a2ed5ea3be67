"""Setups that were broken off are told by their look, and by nothing less (§3.7, §4.1)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.constructor.programs import save
from tests.constructor.tables import GAMES, Lively

from constructor import STANDARD, Constructor
from constructor.beginning import begin, setup_again
from constructor.production import VARIANTS
from constructor.saves import parse_save, write_save
from constructor.setups import broken_setup
from tabletop import Streams

NONE = "0 0 0 0 0 r h"


@given(st.integers(0, 7), st.integers(0, 10**6), st.sampled_from(list(VARIANTS)))
def test_a_setup_goes_on_from_its_save_as_if_nothing_had_happened(
    chosen: int, seed: int, variant: str
) -> None:
    game = GAMES["standard"]
    match = begin(game, "x", {"random-board": True, "variant": variant})
    player = Lively(Streams(seed)["player"])
    for _ in range(chosen):
        match.play(player.choose(match.state, match.legal_actions()))
    loaded = begin(game, "x", {"load": write_save(match.state)})
    vertices = broken_setup(loaded.state)
    assert vertices == tuple(match.state.settled)
    again = setup_again(loaded, vertices)
    assert again.state == match.state


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


# Seats.


@pytest.mark.parametrize(
    "seats", [range(2, 6), range(3), range(5, 6), range(3, 3), ("Ann", "Bo"), [2, 3], 4]
)
def test_more_seats_than_colours_are_refused_when_the_game_is_made(seats: object) -> None:
    with pytest.raises(ValueError, match="seats is a range of numbers from 1 to 4"):
        Constructor(STANDARD, seats=seats)  # type: ignore[arg-type]
