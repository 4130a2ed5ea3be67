"""Bots that play Constructor for a builder.

A bot knows what it is shown and remembers nothing: it may be put in at any moment and for any
builder. Which of its offers were declined stands in the state.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial
from itertools import islice
from math import lcm, prod
from typing import Any, Final, TypeVar

from constructor.actions import (
    Accept,
    Action,
    BuildResidence,
    BuildRoad,
    ChooseRoll,
    Decline,
    EndTurn,
    Improve,
    PlaceGeese,
    Roll,
    Settle,
    Steal,
    Trade,
    UseFairDice,
)
from constructor.board import Board
from constructor.layouts import pips
from constructor.legal import is_clear
from constructor.state import (
    KINDS,
    NOBODY,
    POINTS,
    RESIDENCE_COSTS,
    ROAD_COST,
    TOP_LEVEL,
    WINNING_POINTS,
    ConstructorState,
    Offer,
    Phase,
    Tile,
)
from tabletop import Seat, Stream

NEW_KIND: Final = 3
"""The pips that a kind the builder does not get yet is worth when it settles."""

CLOSE: Final = WINNING_POINTS - 2
"""A builder with so many points gets no trades any more."""

PLACES: Final = 8
"""The places for a new residence that it considers, the nearest ones."""

_GAINS: Final = lcm(*range(10, 31))
"""A multiple of every 10 + `Goal.gain`: around a vertex are at most four tiles of 5 pips."""

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Goal:
    """A step worth a building point.

    Attributes:
        step: the next action towards it, once that can be paid.
        cost: the cards still to be paid in all, of each kind.
        gain: the pips that it will add to the income.
    """

    step: Action
    cost: tuple[int, ...]
    gain: int


class Random:
    """Does anything that is allowed, each choice equally likely.

    Nothing is offered twice in a turn that was declined.

    Args:
        chance: the stream it draws from.
    """

    def __init__(self, chance: Stream) -> None:
        self._chance = chance

    def choose(self, view: ConstructorState, actions: Sequence[Action]) -> Action:
        """Return the action to play; `view` may be at any moment of a game."""
        left = without_declined(view, actions)
        return left[self._chance.below(len(left))] if len(left) > 1 else left[0]


class Builder:
    """Works towards the nearest building point; offers cards it can spare for those it lacks.

    It rolls fair dice.

    Args:
        chance: the stream it draws from, among choices that are equally good.
    """

    def __init__(self, chance: Stream) -> None:
        self._chance = chance

    def choose(self, view: ConstructorState, actions: Sequence[Action]) -> Action:
        """Return the action to play; `view` may be at any moment of a game."""
        phase = view.phase
        if phase in _VALUES:
            return self._best(actions, partial(_VALUES[phase], view))
        if phase is Phase.BEGINNING:
            return Roll() if view.fair[view.turn] else UseFairDice()
        if phase is Phase.CHOOSING_ROLL:  # another player took these dice: roll them as if fair
            return ChooseRoll(self._chance.roll(6, 2))
        if phase is Phase.ANSWERING and view.offer is not None:
            return Accept() if _is_welcome(view, view.offer) else Decline()
        return self._build(view, actions)

    def _best(self, items: Sequence[T], value: Callable[[T], int]) -> T:
        """Return one of the items with the highest value."""
        values = list(map(value, items))
        most = max(values)
        places = [place for place, own in enumerate(values) if own == most]
        return items[self._chance.choice(places)]

    def _build(self, view: ConstructorState, actions: Sequence[Action]) -> Action:
        seat = view.turn
        goals = _goals(view, seat)
        if not goals:
            return EndTurn()
        hand, income = view.hand(seat), _income(view, seat)
        goal = self._best(goals, lambda goal: -_wait(goal, hand, income))
        return goal.step if goal.step in actions else self._trade(view, actions, goal)

    def _trade(self, view: ConstructorState, actions: Sequence[Action], goal: Goal) -> Action:
        """Offer a card that the goal can spare for one that it lacks, unless that was declined."""
        hand = view.hand(view.turn)
        spare = [own - cost for own, cost in zip(hand, goal.cost, strict=True)]
        offers = [
            action
            for action in without_declined(view, actions)
            if isinstance(action, Trade)
            and spare[action.give] > 0 > spare[action.take]
            and view.points(action.seat) < CLOSE
        ]
        if not offers:
            return EndTurn()
        return self._best(offers, lambda offer: spare[offer.give] - spare[offer.take])


def _pips(tile: Tile) -> int:
    return 0 if tile.left == 0 else pips(tile)


def _income(view: ConstructorState, seat: Seat) -> list[int]:
    """Return the pips with which a builder gets each kind, times the levels of residences."""
    income = [0] * KINDS
    tiles_at = view.topology.vertex_tiles
    for vertex in view.homes_of(seat):
        for number in tiles_at[vertex]:
            tile = view.tiles[number]
            for kind in (tile.kind, tile.also):
                if kind is not None and kind < KINDS:
                    income[kind] += POINTS[view.levels[vertex]] * _pips(tile)
    return income


def _worth_of_vertex(view: ConstructorState, settle: Settle) -> int:
    """Return the pips around a vertex, and more for every kind that is new."""
    income = _income(view, view.order[0])
    tiles = [view.tiles[tile] for tile in view.topology.vertex_tiles[settle.vertex]]
    new = {tile.kind for tile in tiles if _pips(tile) and not income[tile.kind]}
    return sum(map(_pips, tiles)) + NEW_KIND * len(new)


def _gain(view: ConstructorState, vertex: int) -> int:
    return sum(_pips(view.tiles[tile]) for tile in view.topology.vertex_tiles[vertex])


def without_declined(view: ConstructorState, actions: Sequence[Action]) -> Sequence[Action]:
    """Return the actions, without the trades that have been declined in this turn."""
    if not view.refused:
        return actions
    declined = {Trade(offer.seat, offer.give, offer.take) for offer in view.refused}
    return [action for action in actions if action not in declined]


def _goals(view: ConstructorState, seat: Seat) -> list[Goal]:
    """Return the goals of `seat`: residences to improve, and places to get to."""
    board, levels = view.topology, view.levels
    goals = [
        Goal(Improve(vertex), RESIDENCE_COSTS[levels[vertex]], _gain(view, vertex))
        for vertex in view.homes_of(seat)
        if levels[vertex] < TOP_LEVEL
    ]
    for vertex, path in islice(_places(view, board, seat), PLACES):
        step = BuildRoad(path[0]) if path else BuildResidence(vertex)
        goals.append(Goal(step, _cost(len(path)), _gain(view, vertex)))
    return goals


@cache
def _cost(roads: int) -> tuple[int, ...]:
    """Return the cost of a basement, and of so many roads to it."""
    both = zip(RESIDENCE_COSTS[0], ROAD_COST, strict=True)
    return tuple(basement + roads * road for basement, road in both)


def _places(
    view: ConstructorState, board: Board, seat: Seat
) -> Iterator[tuple[int, tuple[int, ...]]]:
    """Return vertices for a basement, the nearest first, with the roads that `seat` lacks."""
    paths: dict[int, tuple[int, ...]] = dict.fromkeys(view.homes_of(seat), ())
    for edge in view.roads_of(seat):
        paths.update((vertex, ()) for vertex in board.edge_vertices[edge])
    reached = list(paths)
    # Breadth first, so that the nearest come first: `reached` grows while it is gone through.
    for vertex in reached:
        if is_clear(view, board, vertex):
            yield vertex, paths[vertex]
        for edge in board.vertex_edges[vertex]:
            first, second = board.edge_vertices[edge]
            other = second if first == vertex else first
            if view.roads[edge] == NOBODY and other not in paths:
                paths[other] = (*paths[vertex], edge)
                reached.append(other)


def _wait(goal: Goal, hand: Sequence[int], income: Sequence[int]) -> int:
    """Return the distance to a goal, at least 0; lower is better. Compare waits of one `income`.

    The cards that are missing, each kind weighed by how seldom it comes in, with the cost as a
    tie-break between goals in reach; all of it divided by the goal's gain.
    """
    # Scaled so that all divisions come out: floating-point numbers would be equal by accident.
    scale = prod(1 + often for often in income)
    wait = sum(goal.cost) * scale
    for cost, own, often in zip(goal.cost, hand, income, strict=True):
        if cost > own:
            wait += 100 * (cost - own) * scale // (1 + often)
    return wait * _GAINS // (10 + goal.gain)


def _is_welcome(view: ConstructorState, offer: Offer) -> bool:
    """Return whether the offer brings the next point nearer, and its maker is not about to win."""
    seat = offer.seat
    goals = _goals(view, seat)
    if not goals or view.points(view.turn) >= CLOSE:
        return False
    income, before = _income(view, seat), view.hand(seat)
    after = before.copy()
    after[offer.give] += 1
    after[offer.take] -= 1
    waits = [min(_wait(goal, hand, income) for goal in goals) for hand in (before, after)]
    return waits[1] < waits[0]


def _harm(view: ConstructorState, place: PlaceGeese) -> int:
    """Rate the harm of geese on a tile: to the leader it counts most; hurting oneself is worst."""
    harm = 0
    for vertex in view.topology.tile_vertices[place.tile]:
        owner = view.homes[vertex]
        if owner != NOBODY:
            weight = -1000 if owner == view.turn else 1 + view.points(owner)
            harm += weight * POINTS[view.levels[vertex]] * (1 + _pips(view.tiles[place.tile]))
    return harm


def _loot(view: ConstructorState, steal: Steal) -> int:
    return sum(view.hand(steal.seat))


_VALUES: Final[Mapping[Phase, Callable[[ConstructorState, Any], int]]] = {
    Phase.SETUP: _worth_of_vertex,
    Phase.PLACING_GEESE: _harm,
    Phase.STEALING: _loot,
}
"""The phases in which the action of the highest value is played, and what gives the value."""

BOTS: Final[Mapping[str, type[Random | Builder]]] = {"builder": Builder, "random": Random}
"""The bots that can play for a builder, the best one first."""
