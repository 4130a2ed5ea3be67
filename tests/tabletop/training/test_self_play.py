"""Self-play: the recorded choices of the current policy do not depend on the workers."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from tabletop.envs import ActionIndex, make_encoder
from tabletop.envs.policies import Layers
from tabletop.registry import load
from tabletop.training.self_play import Lot, Played, play
from tests.tabletop.envs.games_to_learn import example

MASKS = example("masks")


def layers(game: str, seats: int, seed: int, *, always: int | None = None) -> Layers:
    """Return a random network, or one that plays the action `always` whenever it is legal."""
    plugin, chance = load(game), np.random.default_rng(seed)
    actions = ActionIndex(plugin.game, seats=seats).size
    widths = make_encoder(plugin, seats=seats).size, 4, actions
    drawn = [
        (
            chance.normal(size=(inputs, outputs)).astype(np.float32),
            np.zeros(outputs, np.float32),
        )
        for inputs, outputs in pairwise(widths)
    ]
    if always is not None:
        drawn[-1][1][always] = 1e4
    return drawn


def lot(game: str, seats: int = 2, **changes: Any) -> Lot:
    made = Lot(
        game=game,
        seats=seats,
        options={},
        plies=1000,
        seeds="a series",
        numbers=range(12),
        newest=layers(game, seats, 1),
        earlier=layers(game, seats, 2),
    )
    return replace(made, **changes)


def same(first: Played, second: Played) -> bool:
    names = ("observations", "masks", "actions", "rewards", "begins")
    return all(np.array_equal(getattr(first, it), getattr(second, it)) for it in names)


def test_a_lot_is_reproducible_and_differs_from_others() -> None:
    group = lot(example("tictactoe"))
    assert same(play(group), play(group))
    for changes in ({"seeds": "another"}, {"numbers": range(12, 24)}, {"newest": group.earlier}):
        assert not same(play(group), play(replace(group, **changes)))


def test_all_choices_are_recorded_if_the_current_policy_plays_all_seats() -> None:
    played = play(lot(example("tictactoe"), numbers=range(1)))
    # The match ends with a win, and the last of nine marks is forced.
    assert len(played.actions) == min(played.plies, 8)
    assert played.rewards.sum() == 0


@pytest.mark.parametrize(("game", "seats"), [(example("tictactoe"), 2), (MASKS, 3)])
def test_the_current_policy_plays_one_seat_in_every_other_match(game: str, seats: int) -> None:
    numbers = range(1, 2 * seats, 2)
    each = [play(lot(game, seats, numbers=range(it, it + 1))) for it in numbers]
    assert [int(it.begins.sum()) for it in each] == [1] * seats
    for played in each:
        assert len(played.actions) < played.plies


def test_only_the_last_choice_of_a_match_has_a_reward() -> None:
    played = play(lot(example("tictactoe"), numbers=range(0, 40, 2)))
    ends = [*np.flatnonzero(played.begins)[1:] - 1, len(played.begins) - 1]
    assert set(np.flatnonzero(played.rewards)) <= set(ends)
    assert set(played.rewards.tolist()) <= {-1.0, 0.0, 1.0}
    assert played.begins.sum() == 40


def test_only_legal_actions_are_played_and_forced_actions_are_not_choices() -> None:
    played = play(lot(MASKS, 3))
    masks = np.unpackbits(played.masks, axis=1)
    assert (masks[np.arange(len(played.actions)), played.actions] == 1).all()
    assert (masks.sum(axis=1) > 1).all()
    assert ((played.observations >= 0) & (played.observations <= 1)).all()


def test_a_stopped_match_has_rewards_of_0() -> None:
    played = play(lot(example("tictactoe"), plies=3))
    assert (played.stopped, played.plies) == (12, 36)
    assert not played.rewards.any()


def test_the_earlier_policy_plays_with_its_own_network() -> None:
    game, middle = example("tictactoe"), 4
    first = layers(game, 2, 1, always=middle)
    # In match 3 the current policy has the second seat, and takes the centre at its first choice.
    played = play(lot(game, numbers=range(3, 4), newest=layers(game, 2, 1), earlier=first))
    masks = np.unpackbits(played.masks, axis=1)
    assert masks[:, middle].tolist() == [0] * len(masks)


def test_a_game_without_choices_records_nothing() -> None:
    played = play(lot("lcr", 3))
    assert (len(played.actions), played.matches, played.stopped) == (0, 12, 0)
