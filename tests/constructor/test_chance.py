"""Fairness and independence of random draws (Constructor §2.8.2, §3.6)."""

from __future__ import annotations

from collections import Counter
from itertools import product
from math import comb

import pytest
from tests.constructor.tables import BLUE, ORANGE, RED, YELLOW, chi_square, play, position

from constructor import (
    GAME,
    ChooseRoll,
    ConstructorState,
    DiceRolled,
    Phase,
    PlaceGeese,
    ResourcesLost,
    ResourceStolen,
    Roll,
    Steal,
)
from tabletop import Event, Streams, Table

ROUNDS = 4000


def many(state: ConstructorState, action: Roll | ChooseRoll | Steal, seed: str) -> list[Event]:
    """Apply an action to the same position many times and return all events."""
    table = Table(Streams(seed))
    table.watch(True)
    for _ in range(ROUNDS):
        GAME.apply(state.clone(), action, table)
    return table.events


def dice(seat: int = BLUE) -> ConstructorState:
    state = position(phase=Phase.BEGINNING, turn=seat)
    state.fair = [True] * 4
    return state


def totals(events: list[Event]) -> list[int]:
    return [event.total for event in events if isinstance(event, DiceRolled)]


@pytest.mark.slow
def test_fair_totals_have_the_distribution_of_two_dice() -> None:
    rolls = [event for event in many(dice(), Roll(), "two dice") if isinstance(event, DiceRolled)]
    assert len(rolls) == ROUNDS
    seen = Counter(event.dice for event in rolls)
    expected = dict.fromkeys(product(range(1, 7), repeat=2), ROUNDS / 36)
    assert chi_square(seen, expected) < 66.6  # 35 d.f., 1 in 1000
    assert all(sum(event.dice) == event.total for event in rolls)
    ways = {total: 6 - abs(7 - total) for total in range(2, 13)}
    sums = {total: ROUNDS * count / 36 for total, count in ways.items()}
    assert chi_square(Counter(totals(list(rolls))), sums) < 29.6  # 10 d.f., 1 in 1000


def test_the_dice_of_each_builder_are_independent() -> None:
    alone, both = Table(Streams("dice")), Table(Streams("dice"))
    for table in (alone, both):
        table.watch(True)
    for _ in range(50):
        GAME.apply(dice(RED), Roll(), alone)
    for number in range(50):
        for _ in range(number % 4):
            GAME.apply(dice(BLUE), Roll(), both)
        GAME.apply(dice(RED), Roll(), both)
    mine = [event for event in both.events if isinstance(event, DiceRolled) and event.seat == RED]
    assert mine == [event for event in alone.events if isinstance(event, DiceRolled)]
    blue = [event for event in both.events if isinstance(event, DiceRolled) and event.seat == BLUE]
    assert totals(list(blue))[:50] != totals(list(mine))[:50]


def test_geese_and_theft_do_not_affect_the_dice() -> None:
    rng = Streams("still")
    state = position(homes={20: (RED, 1)}, hands={RED: (9, 9, 9, 9, 9)}, phase=Phase.CHOOSING_ROLL)
    play(state, ChooseRoll(7), PlaceGeese(9), Steal(RED), rng=rng)
    assert set(rng.state()) == {f"geese/{RED}", f"steal/{BLUE}"}


def test_losses_and_thefts_do_not_depend_on_other_builders() -> None:
    """Compare the lost and stolen cards of the same builders in different positions."""
    alone, crowded = Streams("alike"), Streams("alike")
    rich = (9, 9, 9, 9, 9)
    others = position(hands={YELLOW: rich, ORANGE: rich}, phase=Phase.CHOOSING_ROLL)
    play(others, ChooseRoll(7), rng=crowded)
    theft = position(homes={20: (RED, 1)}, hands={RED: rich}, phase=Phase.STEALING, geese=9)
    theft.turn = YELLOW
    play(theft, Steal(RED), rng=crowded)
    told = []
    for rng in (alone, crowded):
        state = position(homes={20: (RED, 1)}, hands={RED: rich}, phase=Phase.CHOOSING_ROLL)
        told.append(play(state, ChooseRoll(7), PlaceGeese(9), Steal(RED), rng=rng))
    assert told[0] == told[1]


def test_loaded_dice_use_no_random_numbers() -> None:
    rng = Streams("still")
    play(position(phase=Phase.BEGINNING), Roll(), ChooseRoll(8), rng=rng)
    assert rng.state() == {}


def test_cards_are_lost_to_the_geese_with_equal_probability() -> None:
    hand = (5, 3, 2, 0, 0)
    state = position(hands={RED: hand}, phase=Phase.CHOOSING_ROLL)
    events = many(state, ChooseRoll(7), "geese")
    seen = Counter(event.amounts for event in events if isinstance(event, ResourcesLost))
    expected = {
        (bricks, energy, 5 - bricks - energy, 0, 0): ROUNDS
        * (comb(5, bricks) * comb(3, energy) * comb(2, 5 - bricks - energy) / comb(10, 5))
        for bricks in range(6)
        for energy in range(4)
        if 0 <= 5 - bricks - energy <= 2
    }
    assert sum(seen.values()) == ROUNDS
    assert chi_square(seen, expected) < 31.3  # 11 d.f., 1 in 1000
    assert len(expected) == 12


@pytest.mark.parametrize("hand", [(1, 2, 3, 4, 0), (0, 0, 1, 0, 1), (0, 7, 0, 0, 0)])
def test_cards_are_stolen_with_equal_probability(hand: tuple[int, ...]) -> None:
    state = position(homes={20: (RED, 1)}, hands={RED: hand}, phase=Phase.STEALING, geese=9)
    events = many(state, Steal(RED), "steal")
    seen = Counter(int(event.kind) for event in events if isinstance(event, ResourceStolen))
    expected = {kind: ROUNDS * amount / sum(hand) for kind, amount in enumerate(hand) if amount}
    assert sum(seen.values()) == ROUNDS
    assert chi_square(seen, expected) < 16.3  # at most 3 d.f., 1 in 1000
