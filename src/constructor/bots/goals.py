"""Goals of a builder and the distance to each goal, for bots.

All arithmetic uses integers, so a match between bots is the same on every version of Python.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import islice
from math import lcm, prod
from typing import Final, NamedTuple

from constructor.rules.actions import Action, BuildResidence, BuildRoad, Improve, Settle
from constructor.rules.board import BOARDS, Board
from constructor.rules.layouts import pips
from constructor.rules.legal import is_clear
from constructor.rules.state import (
    KINDS,
    NOBODY,
    POINTS,
    RESIDENCE_COSTS,
    ROAD_COST,
    WINNING_POINTS,
    ConstructorState,
    Offer,
    Tile,
)
from tabletop import Seat

# The first three values are the result of `tabletop tune constructor`.

KIND_WEIGHTS: Final = (1, 1, 5, 5, 4)  # weights of the kinds in the choice of a first basement

GAIN: Final = 12
"""Pips added to the gain of every goal before a wait is divided by the gain. With fewer added pips,
differences in gain have more influence on the choice of a goal.
"""

COST: Final = 1  # weight of each card of a cost, in hundredths of that of a missing card
CLOSE: Final = WINNING_POINTS - 2  # points at which other builders stop trading
MOST_REFUSALS: Final = 2  # refused offers in one turn after which a bot makes no more offers
PLACES: Final = 8  # nearest places for a new residence that are considered


@dataclass(frozen=True, slots=True)
class Goal:
    """A residence to build or to improve, which is worth a building point."""

    step: Action  # the next action towards the goal
    price: Sequence[int]  # cards of each kind that the step costs
    cost: tuple[int, ...]  # cards of each kind that all remaining steps cost together
    gain: int  # pips that the goal adds to the income


def pips_of(tile: Tile) -> int:
    """Return the pips of a tile, or 0 if the tile has run dry."""
    return 0 if tile.left == 0 else pips(tile)


def income_of(state: ConstructorState | Position, seat: Seat) -> list[int]:
    """Return a builder's pips of each kind, weighted by the points of the adjacent residences."""
    total = [0] * KINDS
    tiles_at = BOARDS[state.board].vertex_tiles
    for vertex in state.settled:
        for number in tiles_at[vertex] if state.homes[vertex] == seat else ():
            tile = state.tiles[number]
            for kind in (tile.kind, tile.also):
                if kind is not None and kind < KINDS:
                    total[kind] += POINTS[state.levels[vertex]] * pips_of(tile)
    return total


def worth_of_settling(
    state: ConstructorState, settle: Settle, weights: Sequence[int] = KIND_WEIGHTS
) -> int:
    """Rate a vertex for the next basement of the setup.

    An income of one kind is valued at `weight * income ** 0.6`, with the weight of the kind, so
    that additional income of the same kind is worth less. The rating of a vertex is the amount by
    which a basement there increases the total value of the builder's income.
    """
    before = income_of(state, state.order[0])
    after = before.copy()
    for number in state.topology.vertex_tiles[settle.vertex]:
        tile = state.tiles[number]
        if tile.kind < KINDS:
            after[tile.kind] += pips_of(tile)
    return sum(
        weight * (_power(new) - _power(old))
        for weight, old, new in zip(weights, before, after, strict=True)
    )


@cache
def _power(number: int) -> int:
    """Return 1,000 times `number` to the power of 0.6, rounded down."""
    # Floating-point powers can differ between machines, so search for the integer root.
    target = number**3 * 1000**5
    return bisect_right(range(1000 * number + 1), target, key=lambda root: root**5) - 1


class Position(NamedTuple):
    """The attributes of a state that goals and races depend on, used as a cache key."""

    board: str
    seats: int
    tiles: tuple[Tile, ...]
    roads: tuple[int, ...]
    homes: tuple[int, ...]
    levels: tuple[int, ...]
    settled: tuple[int, ...]

    def __hash__(self) -> int:
        """Return a hash that ignores the tiles, which rarely change and are slow to hash."""
        return hash((self.roads, self.homes, self.levels))

    @classmethod
    def of(cls, state: ConstructorState) -> Position:
        """Create a position from a state."""
        lists = state.roads, state.homes, state.levels, state.settled
        return cls(state.board, state.seats, state.tiles, *map(tuple, lists))


@dataclass(frozen=True, slots=True, eq=False)  # compared by identity, which is fast for a cache key
class Outlook:
    """The goals and the income of a builder, which change only when something is built."""

    goals: Sequence[Goal]  # residences to improve and places for new residences
    income: Sequence[int]  # pips of each kind, as returned by `income_of`
    points: Sequence[int]  # building points of each seat


def outlook_of(state: ConstructorState, seat: Seat) -> Outlook:
    """Return the goals and the income of `seat`."""
    return _outlook(Position.of(state), seat)


# Most decisions of bots are about trades, which change neither goals nor income.
@lru_cache(maxsize=64)
def _outlook(position: Position, seat: Seat) -> Outlook:
    board, seats, tiles, roads, homes, levels, settled = position

    def gain(vertex: int) -> int:
        return sum(pips_of(tiles[tile]) for tile in BOARDS[board].vertex_tiles[vertex])

    goals = [
        Goal(Improve(vertex), price, price, gain(vertex))
        for vertex in settled
        if homes[vertex] == seat
        # The slice has the cost of the next level. It is empty for a tower, the highest level.
        for price in RESIDENCE_COSTS[levels[vertex] : levels[vertex] + 1]
    ]
    for vertex, path in places(board, roads, homes, seat):
        step = BuildRoad(path[0]) if path else BuildResidence(vertex)
        price = ROAD_COST if path else RESIDENCE_COSTS[0]
        goals.append(Goal(step, price, cost_of(len(path)), gain(vertex)))
    points = [0] * seats
    for vertex in settled:
        points[homes[vertex]] += POINTS[levels[vertex]]
    return Outlook(goals, income_of(position, seat), points)


@cache
def cost_of(roads: int) -> tuple[int, ...]:
    """Return the total cost of a basement and `roads` roads."""
    both = zip(RESIDENCE_COSTS[0], ROAD_COST, strict=True)
    return tuple(basement + roads * road for basement, road in both)


@lru_cache(maxsize=256)
def places(
    board: str, roads: tuple[int, ...], homes: tuple[int, ...], seat: Seat
) -> Sequence[tuple[int, tuple[int, ...]]]:
    """Return the nearest vertices for a basement, each with the edges that still need a road.

    `roads` and `homes` are the owners of all roads and residences, as in a state.

    Returns:
        At most `PLACES` pairs of a vertex and a path of edges, the shortest paths first.
    """
    return tuple(islice(_clear_vertices(BOARDS[board], roads, homes, seat), PLACES))


def _clear_vertices(
    board: Board, roads: Sequence[int], homes: Sequence[int], seat: Seat
) -> Iterator[tuple[int, tuple[int, ...]]]:
    residences = (vertex for vertex, owner in enumerate(homes) if owner == seat)
    paths: dict[int, tuple[int, ...]] = dict.fromkeys(residences, ())
    for edge, owner in enumerate(roads):
        if owner == seat:
            paths.update((vertex, ()) for vertex in board.edge_vertices[edge])
    reached = list(paths)
    # Breadth-first search, nearest vertices first. `reached` grows during the iteration.
    for vertex in reached:
        if is_clear(homes, board, vertex):
            yield vertex, paths[vertex]
        for edge in board.vertex_edges[vertex]:
            first, second = board.edge_vertices[edge]
            other = second if first == vertex else first
            if roads[edge] == NOBODY and other not in paths:
                paths[other] = (*paths[vertex], edge)
                reached.append(other)


# A builder who offers several trades in one turn evaluates the same hands again and again.
@lru_cache(maxsize=256)
def waits_for(
    outlook: Outlook, hand: tuple[int, ...], *, gain: int = GAIN, cost: int = COST
) -> Sequence[int]:
    """Return the distance to each goal of an outlook, at least 0 (lower is better).

    The distance is a sum divided by the goal's gain. The sum consists of the missing cards, in
    which a kind with a low income has more weight, and a small fraction of the total cost.
    Distances are comparable only within one outlook.

    Args:
        gain: Pips added to the gain of each goal, see `GAIN`.
        cost: Weight of the total cost, see `COST`.
    """
    # Scaled so that all divisions are exact. Rounding would make different distances equal.
    scale = prod(1 + often for often in outlook.income)
    weights = [100 * scale // (1 + often) for often in outlook.income]
    multiple = _multiple(gain)
    prices: dict[tuple[int, ...], int] = {}  # computed once for all goals with the same cost
    for goal in outlook.goals:
        if goal.cost not in prices:
            price = cost * scale * sum(goal.cost)
            for needed, held, weight in zip(goal.cost, hand, weights, strict=True):
                if needed > held:
                    price += (needed - held) * weight
            prices[goal.cost] = price * multiple
    return [prices[goal.cost] // (gain + goal.gain) for goal in outlook.goals]


@cache
def _multiple(gain: int) -> int:
    """Return a common multiple of all possible sums of `gain` and a goal's gain.

    The tiles around a vertex have at most 20 pips in total.
    """
    return lcm(*range(gain, gain + 21))


def is_welcome(
    state: ConstructorState, offer: Offer, *, gain: int = GAIN, cost: int = COST
) -> bool:
    """Return whether a builder should accept an offer.

    An offer is welcome if the receiving builder's distance to the nearest goal decreases, and the
    builder who makes the offer is not close to winning. `gain` and `cost` are those of `waits_for`.
    """
    outlook = outlook_of(state, offer.seat)
    if not outlook.goals or outlook.points[state.turn] >= CLOSE:
        return False
    before = state.hand(offer.seat)
    after = before.copy()
    after[offer.give] += 1
    after[offer.take] -= 1
    nearest = [
        min(waits_for(outlook, tuple(hand), gain=gain, cost=cost)) for hand in (before, after)
    ]
    return nearest[1] < nearest[0]
