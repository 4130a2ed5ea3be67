"""A race to ten building points: in how many rounds each builder would win.

Dice give what they give on average, and trades a few cards of any kind. That is worked out with
+ - * / on floating-point numbers alone, so that it is the same on every Python.
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

# With these numbers the race foretold best, in matches of Builders, who wins.

TRADED: Final = 0.4
"""The cards a round that trades bring of a kind that is needed."""

TRADED_LATE: Final = 0.2
"""The same for a builder who is about to win, and gets no trades but what is stolen or blocked."""

OVERLAP: Final = 0.5
"""How much of the waits for other kinds adds to the longest one: they are uncertain."""

BLOCKED: Final = 0.7
"""What the tile with the geese still counts: they will move on."""

KEPT: Final = 0.85
"""What a hand that geese would eat from counts."""

UNSEEN: Final = 20.0
"""The rounds that a point takes which no place is left for."""

PROMPT: Final = 0.3
"""The rounds that a step takes beside its wait, where a race chooses between steps."""

PLAIN: Final = 2.0
"""The cards a round that a step is worth by its point alone, where a race chooses between steps."""

SITES: Final = 4
"""The places for a residence that a race considers."""

Amounts: TypeAlias = tuple[float, ...]
"""Cards of each kind, or those that a round brings."""


class Step(NamedTuple):
    """A residence to build, or to improve.

    Attributes:
        cost: the cards that it costs, of each kind.
        level: the level of the residence before it, 0 for a place to build one.
        brings: the cards that a round brings more, for each point.
        worth: how much the step counts where a race chooses between steps.
    """

    cost: Sequence[int]
    level: int
    brings: Amounts
    worth: float


@dataclass(frozen=True, slots=True, eq=False)  # compared by identity: they are part of a key
class Estate:
    """What a builder has built, and what can come of it.

    Attributes:
        points: the building points.
        income: the cards that a round brings, of each kind.
        steps: what can be built or improved now.
    """

    points: int
    income: Amounts
    steps: Sequence[Step]


def estates_of(state: ConstructorState) -> Sequence[Estate]:
    """Return what each builder has built, by seat."""
    return _estates(Position.of(state), state.geese)


@lru_cache(maxsize=512)
def _estates(position: Position, geese: int) -> Sequence[Estate]:
    gains = _gains(position.board, position.tiles, geese, position.seats)
    return [_estate(position, seat, gains) for seat in range(position.seats)]


@lru_cache(maxsize=64)
def _gains(name: str, tiles: tuple[Tile, ...], geese: int, rolls: int) -> Sequence[Amounts]:
    """Return what so many rolls bring to a basement on each vertex."""
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
    """Return the best places for a residence near what `seat` has, none of them beside another."""
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
    # Not `sum`: that of Python 3.12 rounds in another way than that of 3.11.
    brick, energy, glass, heat, wifi = brings
    return Step(cost, level, brings, PLAIN + brick + energy + glass + heat + wifi)


# The same hands come up again in most of the states that a bot compares.
@lru_cache(maxsize=16384)
def race(estate: Estate, hand: tuple[int, ...], delay: float) -> float:
    """Return the rounds to ten points with a hand, when there are `delay` rounds to the next turn.

    Again and again it takes the step that costs least time for what it brings.
    """
    points, steps, income, spent = estate.points, list(estate.steps), estate.income, delay
    share = KEPT if sum(hand) > GEESE_LIMIT else 1.0
    cards = [share * own + delay * more for own, more in zip(hand, income, strict=True)]
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
    """Return the place of the next step of a race, and the rounds that it has to wait."""
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
    """Return the rounds until a cost can be paid."""
    longest = total = 0.0
    for price, own, often in zip(cost, cards, income, strict=True):
        if price > own:
            rounds = (price - own) / (often + traded)
            total += rounds
            longest = max(longest, rounds)
    return longest + OVERLAP * (total - longest)


def _wait_and_pay(
    cards: Sequence[float], income: Amounts, cost: Sequence[int], wait: float
) -> list[float]:
    """Return the cards after a wait and a cost; what was missing has come from trades."""
    rest = [own + wait * more - price for own, more, price in zip(cards, income, cost, strict=True)]
    spare = together = 0.0
    for amount in rest:
        together += amount
        if amount > 0:
            spare += amount
    share = together / spare if together > 0 else 0.0
    return [amount * share if amount > 0 else 0.0 for amount in rest]
