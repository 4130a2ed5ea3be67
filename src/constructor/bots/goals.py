"""What a builder can work towards, and how far that is: for bots, in whole numbers alone.

So a match of bots is the same on every Python.
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

# `tabletop tune` has found these; the guide on Constructor says how.

KIND_WEIGHTS: Final = (1, 1, 5, 5, 4)
"""How much each kind counts where a builder settles."""

GAIN: Final = 12
"""How many pips count as much as one more in a wait: the fewer, the more a goal's gain counts."""

COST: Final = 1
"""How much a card of a goal's cost counts in a wait, in hundredths of one that is missing."""

CLOSE: Final = WINNING_POINTS - 2
"""A builder with so many points gets no trades any more."""

PLACES: Final = 8
"""The places for a new residence that are considered, the nearest ones."""


@dataclass(frozen=True, slots=True)
class Goal:
    """A step worth a building point.

    Attributes:
        step: the next action towards it, once that can be paid.
        price: the cards to be paid for the step, of each kind.
        cost: the cards still to be paid in all.
        gain: the pips that it will add to the income.
    """

    step: Action
    price: Sequence[int]
    cost: tuple[int, ...]
    gain: int


def pips_of(tile: Tile) -> int:
    """Return the pips of a tile, 0 for one that has run dry."""
    return 0 if tile.left == 0 else pips(tile)


def income_of(state: ConstructorState | Position, seat: Seat) -> list[int]:
    """Return the pips with which a builder gets each kind, times the levels of residences."""
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
    """Rate a vertex for a first basement of the builder whose choice it is.

    The more a builder gets of a kind, the less more of it counts: incomes count by their power of
    0.6, and kinds by `weights`.
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
    # In whole numbers: powers of fractions need not be the same on all machines.
    wanted = number**3 * 1000**5
    return bisect_right(range(1000 * number + 1), wanted, key=lambda root: root**5) - 1


class Position(NamedTuple):
    """What goals and races depend on: parts of a state, of the same names."""

    board: str
    seats: int
    tiles: tuple[Tile, ...]
    roads: tuple[int, ...]
    homes: tuple[int, ...]
    levels: tuple[int, ...]
    settled: tuple[int, ...]

    def __hash__(self) -> int:
        """Hash the tiles by identity, which is quick: a state keeps them until one changes.

        Where equal tiles are made anew, what is known of the position is worked out again.
        """
        return hash((id(self.tiles), self.roads, self.homes, self.levels))

    @classmethod
    def of(cls, state: ConstructorState) -> Position:
        """Return these parts of `state`."""
        lists = state.roads, state.homes, state.levels, state.settled
        return cls(state.board, state.seats, state.tiles, *map(tuple, lists))


@dataclass(frozen=True, slots=True, eq=False)  # compared by identity: it is part of a key
class Outlook:
    """What a builder can look forward to, until something is built.

    Attributes:
        goals: residences to improve, and places to get to.
        income: as from `income_of`.
        points: the building points of each seat.
    """

    goals: Sequence[Goal]
    income: Sequence[int]
    points: Sequence[int]


def outlook_of(state: ConstructorState, seat: Seat) -> Outlook:
    """Return what `seat` can look forward to."""
    return _outlook(Position.of(state), seat)


# Trades and offers change no buildings, and are most of what bots decide about.
@lru_cache(maxsize=64)
def _outlook(position: Position, seat: Seat) -> Outlook:
    board, seats, tiles, roads, homes, levels, settled = position

    def gain(vertex: int) -> int:
        return sum(pips_of(tiles[tile]) for tile in BOARDS[board].vertex_tiles[vertex])

    goals = [
        Goal(Improve(vertex), price, price, gain(vertex))
        for vertex in settled
        if homes[vertex] == seat
        # A slice, which is empty for a tower: nothing comes after it.
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
    """Return the cost of a basement, and of so many roads to it."""
    both = zip(RESIDENCE_COSTS[0], ROAD_COST, strict=True)
    return tuple(basement + roads * road for basement, road in both)


@lru_cache(maxsize=256)
def places(
    board: str, roads: tuple[int, ...], homes: tuple[int, ...], seat: Seat
) -> Sequence[tuple[int, tuple[int, ...]]]:
    """Return the nearest vertices for a basement, at most `PLACES`, with the roads `seat` lacks.

    Args:
        board: the name of the board.
        roads: those of a state.
        homes: those of a state.
        seat: the builder.
    """
    return tuple(islice(_clear_vertices(BOARDS[board], roads, homes, seat), PLACES))


def _clear_vertices(
    board: Board, roads: Sequence[int], homes: Sequence[int], seat: Seat
) -> Iterator[tuple[int, tuple[int, ...]]]:
    own = (vertex for vertex, owner in enumerate(homes) if owner == seat)
    paths: dict[int, tuple[int, ...]] = dict.fromkeys(own, ())
    for edge, owner in enumerate(roads):
        if owner == seat:
            paths.update((vertex, ()) for vertex in board.edge_vertices[edge])
    reached = list(paths)
    # Breadth first, so that the nearest come first: `reached` grows while it is gone through.
    for vertex in reached:
        if is_clear(homes, board, vertex):
            yield vertex, paths[vertex]
        for edge in board.vertex_edges[vertex]:
            first, second = board.edge_vertices[edge]
            other = second if first == vertex else first
            if roads[edge] == NOBODY and other not in paths:
                paths[other] = (*paths[vertex], edge)
                reached.append(other)


# Within a turn the same hands are offered one card after the other.
@lru_cache(maxsize=256)
def waits_for(
    outlook: Outlook, hand: tuple[int, ...], *, gain: int = GAIN, cost: int = COST
) -> Sequence[int]:
    """Return the distance to each goal, at least 0; lower is better. Compare those of one outlook.

    The cards that are missing, each kind weighed by how seldom it comes in, and a little of the
    whole cost; all of it divided by the goal's gain. `gain` and `cost` are as `GAIN` and `COST`.
    """
    # Scaled so that all divisions come out: floating-point numbers would be equal by accident.
    scale = prod(1 + often for often in outlook.income)
    weights = [100 * scale // (1 + often) for often in outlook.income]
    multiple = _multiple(gain)
    prices: dict[tuple[int, ...], int] = {}  # many goals cost the same
    for goal in outlook.goals:
        if goal.cost not in prices:
            price = cost * scale * sum(goal.cost)
            for wanted, own, weight in zip(goal.cost, hand, weights, strict=True):
                if wanted > own:
                    price += (wanted - own) * weight
            prices[goal.cost] = price * multiple
    return [prices[goal.cost] // (gain + goal.gain) for goal in outlook.goals]


@cache
def _multiple(gain: int) -> int:
    """Return a multiple of all `gain` + `Goal.gain`: around a vertex are at most 20 pips."""
    return lcm(*range(gain, gain + 21))


def is_welcome(
    state: ConstructorState, offer: Offer, *, gain: int = GAIN, cost: int = COST
) -> bool:
    """Return whether the offer brings the next point nearer, and its maker is not about to win.

    `gain` and `cost` are those of `wait_for`.
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
