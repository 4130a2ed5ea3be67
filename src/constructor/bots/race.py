"""Estimate the number of rounds that a builder needs to reach ten building points.

The estimate assumes that dice rolls are average, and that trades bring a few cards of each needed
kind. The arithmetic uses only + - * /, so results are the same on every version of Python.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import inf
from typing import Final, NamedTuple, TypeAlias

from constructor.bots.goals import CLOSE, Position, cost_of, pips_of, places
from constructor.rules.board import BOARDS
from constructor.rules.state import (
    GEESE_LIMIT,
    KINDS,
    POINTS,
    RESIDENCE_COSTS,
    TOP_LEVEL,
    WINNING_POINTS,
    ConstructorState,
    Tile,
)
from tabletop import Seat

# These values best predicted the winners of matches between `Builder` bots.

TRADED: Final = 0.4  # number of cards of a needed kind that trades bring per round
TRADED_LATE: Final = 0.2  # the same near the end, when others no longer trade with a builder
OVERLAP: Final = 0.5  # fraction of the waits for other kinds to add to the longest wait
BLOCKED: Final = 0.7  # fraction of a tile's income that counts under the geese, which will move
KEPT: Final = 0.85  # fraction of a hand that counts if the geese could halve it
UNSEEN: Final = 20.0  # number of rounds to assume for each missing point if no step is left
PROMPT: Final = 0.3  # rounds added to the wait for each step when a race compares steps
PLAIN: Final = 2.0  # value of the point of a step when a race compares steps, in cards per round
SITES: Final = 4  # number of places for a new residence that a race considers
Amounts: TypeAlias = tuple[float, ...]  # cards of each kind, or cards of each kind per round


class Step(NamedTuple):
    """A residence to build, or to improve."""

    cost: Sequence[int]  # cards of each kind that the step costs
    level: int  # the level of the residence before the step, 0 for a new residence
    brings: Amounts  # additional cards of each kind per round, for each point of the residence
    worth: float  # the value of the step when a race compares steps


@dataclass(frozen=True, slots=True, eq=False)  # compared by identity, which is fast for a cache key
class Estate:
    """The residences of a builder, summarized for a race."""

    points: int  # building points
    income: Amounts  # cards of each kind per round
    steps: Sequence[Step]  # residences that can be built or improved next


def estates_of(state: ConstructorState) -> Sequence[Estate]:
    """Return the estate of each seat."""
    return _estates(Position.of(state), state.geese)


@lru_cache(maxsize=512)
def _estates(position: Position, geese: int) -> Sequence[Estate]:
    gains = _gains(position.board, position.tiles, geese, position.seats)
    return [_estate(position, seat, gains) for seat in range(position.seats)]


@lru_cache(maxsize=64)
def _gains(name: str, tiles: tuple[Tile, ...], geese: int, rolls: int) -> Sequence[Amounts]:
    """Return the cards that a basement on each vertex yields, on average, in `rolls` rolls."""
    gains = []
    for numbers in BOARDS[name].vertex_tiles:
        gain = [0.0] * KINDS
        for number in numbers:
            tile = tiles[number]
            amount = pips_of(tile) * rolls / 36 * (BLOCKED if number == geese else 1.0)
            for kind in (tile.kind, tile.also):
                if kind is not None and kind < KINDS:
                    gain[kind] += amount
        gains.append(tuple(gain))
    return gains


def _estate(position: Position, seat: Seat, gains: Sequence[Amounts]) -> Estate:
    income, steps, points = [0.0] * KINDS, [], 0
    for vertex, owner in enumerate(position.homes):
        if owner == seat:
            level, brings = position.levels[vertex], gains[vertex]
            points += POINTS[level]
            for kind in range(KINDS):
                income[kind] += POINTS[level] * brings[kind]
            if level < TOP_LEVEL:
                steps.append(_step(RESIDENCE_COSTS[level], level, brings))
    return Estate(points, tuple(income), (*steps, *_sites(position, seat, gains)))


def _sites(position: Position, seat: Seat, gains: Sequence[Amounts]) -> list[Step]:
    """Return the best nearby places for a residence of `seat`. No two of them are adjacent."""
    beside = BOARDS[position.board].vertex_vertices
    near = places(position.board, position.roads, position.homes, seat)
    new = [(vertex, _step(cost_of(len(path)), 0, gains[vertex])) for vertex, path in near]
    taken: set[int] = set()
    sites: list[Step] = []
    for vertex, step in sorted(new, key=lambda item: sum(item[1].cost) - 3 * item[1].worth):
        if vertex not in taken and len(sites) < SITES:
            taken.update(beside[vertex])
            sites.append(step)
    return sites


def _step(cost: Sequence[int], level: int, brings: Amounts) -> Step:
    # `sum` rounds floats differently since Python 3.12, so add them one by one.
    brick, energy, glass, heat, wifi = brings
    return Step(cost, level, brings, PLAIN + brick + energy + glass + heat + wifi)


# Most states that a bot compares contain the same hands.
@lru_cache(maxsize=16384)
def race(estate: Estate, hand: tuple[int, ...], delay: float) -> float:
    """Return the estimated number of rounds until a builder has ten points.

    The race repeatedly takes the step with the shortest wait relative to its value.

    Args:
        delay: Number of rounds until the builder can next build.
    """
    points, steps, income, spent = estate.points, list(estate.steps), estate.income, delay
    share = KEPT if sum(hand) > GEESE_LIMIT else 1.0
    cards = [share * held + delay * gain for held, gain in zip(hand, income, strict=True)]
    while points < WINNING_POINTS:
        if not steps:
            return spent + UNSEEN * (WINNING_POINTS - points)
        place, wait = _choose(steps, cards, income, TRADED if points < CLOSE else TRADED_LATE)
        spent += wait
        cost, level, brings, _ = steps.pop(place)
        cards = _wait_and_pay(cards, income, cost, wait)
        if level + 1 < TOP_LEVEL:
            steps.append(_step(RESIDENCE_COSTS[level + 1], level + 1, brings))
        more = POINTS[level + 1] - POINTS[level]
        points += more
        income = tuple([old + more * new for old, new in zip(income, brings, strict=True)])
    return spent


def _choose(
    steps: Sequence[Step], cards: Sequence[float], income: Amounts, traded: float
) -> tuple[int, float]:
    """Return the index of the next step of a race, and the number of rounds to wait for it."""
    chosen, shortest, least = 0, 0.0, inf
    waits: dict[Sequence[int], float] = {}
    for place, (cost, _, _, worth) in enumerate(steps):
        wait = waits.get(cost)
        if wait is None:
            wait = waits[cost] = _wait(cost, cards, income, traded)
        price = (wait + PROMPT) / worth
        if price < least:
            chosen, shortest, least = place, wait, price
    return chosen, shortest


def _wait(
    cost: Sequence[int], cards: Sequence[float], income: Sequence[float], traded: float
) -> float:
    longest = total = 0.0
    for price, held, gain in zip(cost, cards, income, strict=True):
        if price > held:
            rounds = (price - held) / (gain + traded)
            total += rounds
            longest = max(longest, rounds)
    return longest + OVERLAP * (total - longest)


def _wait_and_pay(
    cards: Sequence[float], income: Amounts, cost: Sequence[int], wait: float
) -> list[float]:
    """Return the cards left after a wait, the trades for missing cards, and a payment."""
    rest = [
        held + wait * gain - price for held, gain, price in zip(cards, income, cost, strict=True)
    ]
    surplus = total = 0.0
    for amount in rest:
        total += amount
        if amount > 0:
            surplus += amount
    share = total / surplus if total > 0 else 0.0
    return [amount * share if amount > 0 else 0.0 for amount in rest]
