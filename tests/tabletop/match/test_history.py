"""Going back costs little, and what is kept for it stays little, however long the match."""

from __future__ import annotations

import pytest
from tests.tabletop.games import walk

from tabletop import Match, Streams, Table
from tabletop.match import CHECKPOINT_PLIES
from tabletop.match.history import History


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
def test_going_back_a_little_costs_the_same_in_a_long_match(plies: int) -> None:
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


def test_going_back_step_by_step_to_the_start_costs_little_each_step() -> None:
    game, match = walked(5000)
    worst = 0
    while match.ply:
        before = game.applied
        match.undo()
        worst = max(worst, game.applied - before)
    assert game.applied < 5000 * CHECKPOINT_PLIES
    assert worst <= 1024, "never more than a part of the way is walked again"


def test_going_far_back_walks_a_part_of_the_way_at_most() -> None:
    for count in (100, 4000):
        game, match = walked(5000)
        match.undo(count)
        assert game.applied <= max(CHECKPOINT_PLIES, count)


def test_few_states_are_kept_however_long_the_match() -> None:
    history: History[walk.Path, str] = History()
    state, rng, kept = walk.GAME.setup({}, 1, Streams("x")), Streams("x"), []
    for ply in range(1, 20_001):
        history.log.append("step")
        if not ply % CHECKPOINT_PLIES:
            history.keep(state, rng)
        if ply in {640, 5_000, 20_000}:
            kept.append(len(history.checkpoints))
    assert kept[0] <= 16
    assert kept[2] <= 40
    assert kept[2] - kept[1] <= 10, "four times the plies keep a few states more"
