"""Undo is cheap, however long the match is."""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable

import pytest
from tests.tabletop.games import walk

from tabletop import Match, Random, Table
from tabletop.match import CHECKPOINT_PLIES


class Counted(walk.LongWalk):
    """Counts how often its rules are applied."""

    def __init__(self) -> None:
        self.applied = 0

    def apply(self, state: walk.Path, action: str, table: Table) -> None:
        self.applied += 1
        super().apply(state, action, table)


def walked(plies: int) -> tuple[Counted, Match[walk.Path, str]]:
    game = Counted()
    match = Match(game, seed=1)
    for number in range(plies):
        match.play(walk.ACTIONS[number % 3])
    game.applied = 0
    return game, match


@pytest.mark.parametrize("plies", [50, 3000])
def test_a_short_undo_costs_the_same_in_a_long_match(plies: int) -> None:
    game, match = walked(plies)
    for count in range(1, 20):
        game.applied = 0
        match.undo(count)
        assert game.applied < CHECKPOINT_PLIES
        game.applied = 0
        match.redo(count)
        assert game.applied == count
    game.applied = 0
    for _ in range(100):
        match.play("left")
    assert game.applied == 100


@pytest.mark.slow
def test_undoing_a_whole_match_step_by_step_costs_little_per_step() -> None:
    game, match = walked(5000)
    assert len(match._history.checkpoints) < 60
    worst = 0
    while match.ply:
        before = game.applied
        match.undo()
        worst = max(worst, game.applied - before)
    assert game.applied < 5000 * CHECKPOINT_PLIES
    assert worst <= 5000 // 8


def test_a_long_match_keeps_few_checkpoints() -> None:
    _, match = walked(20_000)
    assert len(match._history.checkpoints) < 80
    digest = match.digest()
    match.undo(15_000)
    match.redo(15_000)
    assert match.digest() == digest


def peak_of(work: Callable[[], object]) -> int:
    """Return the bytes that `work` allocates at most."""
    tracemalloc.start()
    try:
        work()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@pytest.mark.slow
def test_undo_and_redo_copy_no_other_actions() -> None:
    match = Match(walk.GAME, seed=1)
    for seat in range(2):
        match.set_player(seat, Random(match.bot_stream(seat)))
    match.run(walk.STEPS)
    match.undo(19_900)
    match.undo()  # makes place in the list
    list_of_undone = 8 * match.undone
    assert peak_of(match.undo) < list_of_undone / 2
    assert peak_of(match.redo) < list_of_undone / 2
