"""Matches in given positions, and lines that are played in them."""

from __future__ import annotations

import pytest

from tabletop import CommandError
from tabletop.registry import load
from tabletop.testing import begin, perft, play
from tests.tabletop.cli.program import TICTACTOE
from tests.tabletop.games import rps

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


@pytest.mark.parametrize(("depth", "count"), [(0, 1), (1, 9), (2, 72), (3, 504)])
def test_perft_counts_sequences_of_actions_and_leaves_the_match_unchanged(
    depth: int, count: int
) -> None:
    match = begin(load(TICTACTOE).game)
    assert perft(match, depth) == count
    assert match.ply == 0


def test_perft_does_not_count_sequences_that_would_continue_a_finished_match() -> None:
    match = play(begin(load(TICTACTOE).game), "1", "4", "2", "5")
    assert perft(match, 1) == 5
    assert perft(match, 2) == 4 * 4  # 3 wins at once


def test_perft_counts_the_actions_of_all_seats_that_choose_at_the_same_time() -> None:
    assert [perft(begin(rps.GAME), depth) for depth in (1, 2)] == [6, 18]


def test_a_line_that_is_not_understood_is_refused() -> None:
    with pytest.raises(CommandError):
        play(begin(LCR, seats=3), "1: fly")
