"""How games of the program begin: in the middle of a setup, from a file, and afresh."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.constructor.programs import save
from tests.constructor.tables import GAMES, Lively

from constructor.beginning import begin, options_afresh, setup_again
from constructor.layouts import FileError
from constructor.production import VARIANTS
from constructor.saves import write_save
from constructor.setups import broken_setup
from tabletop import Streams

TILES = " ".join(["4 12"] * 18 + ["5 7"])


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


def test_a_file_that_makes_no_sense_is_told_by_its_line() -> None:
    with pytest.raises(FileError, match="line 1: 0 numbers, but 19 tiles need two each"):
        begin(GAMES["standard"], "x", {"layout": ""})
    with pytest.raises(FileError, match="line 1: this is no saved game"):
        begin(GAMES["standard"], "x", {"load": "0"})


def test_after_a_saved_game_the_next_one_has_the_same_tiles_and_dice() -> None:
    match = begin(GAMES["standard"], "x", {"load": save(layout=TILES), "fair": True})
    same = {"layout": TILES, "variant": "standard", "fair": True, "patience": 0}
    assert options_afresh(match) == same


def test_any_other_game_begins_again_as_it_did() -> None:
    match = begin(GAMES["standard"], "x", {"random-board": True, "variant": "rich"})
    afresh = options_afresh(match)
    assert (afresh["random-board"], afresh["variant"], afresh["load"]) == (True, "rich", None)
